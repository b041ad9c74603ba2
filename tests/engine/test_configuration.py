"""The repository's configuration: what is understood, and what is refused with which words."""

from __future__ import annotations

import pytest

from docalign_actors.engine.configuration import parse_pyproject, parse_yaml
from docalign_actors.errors import ConfigurationError
from docalign_actors.findings.model import Severity

KINDS = frozenset({"path", "symbol", "option"})


def test_every_documented_key_is_understood() -> None:
    found = parse_yaml(
        """
doc_patterns: {include: ["docs/**/*.md"], exclude: ["docs/old/**"]}
code_patterns: ["src/**"]
exclude: ["vendor/**"]
verification: {min_severity: medium, min_confidence: 0.9, max_claims_per_pr: 200}
claim_types: {symbol: false}
suppress: [{file: "docs/x.md", rule: missing-path, reason: because}]
check: {min_severity_to_block: high}
baseline: known.json
jobs: 3
""",
        ".docalign.yml",
        KINDS,
    )
    assert found.settings.doc_patterns == ("docs/**/*.md",)
    assert found.settings.exclude == ("vendor/**", "docs/old/**")
    assert found.settings.claim_types == ("option", "path")
    assert found.settings.suppress[0].rule == "missing-path"
    assert (found.fail_on, found.max_claims_per_pr, found.baseline, found.settings.jobs) == (
        Severity.HIGH,
        200,
        "known.json",
        3,
    )


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("doc_pattern: []\n", ".docalign.yml:1: `doc_pattern` is no key", "Did you mean `doc_patterns`?"),
        (
            "\nverification:\n  min_sevrity: low\n",
            ".docalign.yml:3: `verification.min_sevrity`",
            "Did you mean `min_severity`?",
        ),
        ("verification: {min_severity: hihg}\n", "must be one of low, medium, high", "Did you mean `high`?"),
        ("verification: {max_claims_per_pr: 500}\n", "must be a number from 1 to 200, not 500", ""),
        ("verification: {min_confidence: true}\n", "must be a number from 0 to 1, not true", ""),
        ("doc_patterns: 3\n", "must be a list of globs, not 3", "For example"),
        ("claim_types: [symbl]\n", 'There is no kind of claim called "symbl"', "Did you mean `symbol`?"),
        ("suppress: [{rule: mising-path}]\n", 'There is no rule called "mising-path"', "Did you mean `missing-path`?"),
        ("suppress: [{reason: x}]\n", "must say what it suppresses", "Give it a file"),
        ("- a\n", "the configuration must hold keys and values", "It takes"),
        ("a: [1\n", "this is not valid YAML", ""),
        ("a: &x [1]\nb: *x\n", "aliases are not allowed", ""),
        ("check: {}\njobs: 1\ncheck: {}\n", ".docalign.yml:3: `check` is here twice, in line 1 too", "Join them."),
        ("baseline: ../../.profile\n", ".docalign.yml:1: baseline must lie in the repository", ""),
        ("baseline: /etc/profile\n", "must lie in the repository, not at /etc/profile", ""),
        ("x: " + "[" * 50_000, ".docalign.yml:1: nested more than 50 deep", ""),
    ],
)
def test_a_mistake_is_named_with_its_line_and_the_nearest_right_key(text: str, message: str, hint: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        parse_yaml(text, ".docalign.yml", KINDS)
    assert message in str(caught.value)
    assert hint in caught.value.hint


def test_pyproject_is_read_the_same_way() -> None:
    text = '[project]\nname = "x"\n\n[tool.docalign.verification]\nmin_severity = "high"\n'
    found = parse_pyproject(text, "pyproject.toml", KINDS)
    assert found is not None
    assert found.settings.min_severity is Severity.HIGH
    assert parse_pyproject('[project]\nname = "x"\n', "pyproject.toml", KINDS) is None
    assert parse_pyproject("<<<<<<< HEAD\n[project]\n", "pyproject.toml", KINDS) is None
    with pytest.raises(ConfigurationError, match="not valid TOML"):
        parse_pyproject("<<<<<<< HEAD\n[tool.docalign]\n", "pyproject.toml", KINDS)
    with pytest.raises(ConfigurationError, match=r"pyproject\.toml:5: `verification\.min_sevrity`"):
        parse_pyproject(text.replace("min_severity", "min_sevrity"), "pyproject.toml", KINDS)


def test_a_pyproject_of_any_length_without_settings_of_ours_is_nobodys_business() -> None:
    long = "[project]\nkeywords = [\n" + '  "word",\n' * 40_000 + "]\n"
    assert parse_pyproject(long, "pyproject.toml", frozenset()) is None
    with pytest.raises(ConfigurationError, match="larger than"):
        parse_pyproject(long + "[tool.docalign]\n", "pyproject.toml", frozenset())


def test_an_empty_configuration_is_the_defaults() -> None:
    assert parse_yaml("# nothing\n", ".docalign.yml", KINDS).fail_on is Severity.LOW


def test_whether_a_clean_pull_request_gets_a_comment_is_said_or_left_to_the_service() -> None:
    assert parse_yaml("# nothing\n", ".docalign.yml", KINDS).comment_when_clean is None
    assert parse_yaml("check: {comment_when_clean: false}\n", ".docalign.yml", KINDS).comment_when_clean is False
    with pytest.raises(ConfigurationError, match=r"yml:1: check\.comment_when_clean must be true or false"):
        parse_yaml("check: {comment_when_clean: often}\n", ".docalign.yml", KINDS)
