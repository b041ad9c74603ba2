"""Versions in documentation, judged by manifests."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from docalign_actors.engine.documents.model import Block, Document, Inline
from docalign_actors.engine.kinds.version.kind import VersionKind
from docalign_actors.engine.kinds.version.spec import compare, minimum, number, spelled
from docalign_actors.engine.settings import ScanSettings
from docalign_actors.findings.model import Finding
from tests.support.repository import Repository

Make = Callable[[dict[str, str | bytes]], Repository]
ONLY = ScanSettings(jobs=1, claim_types=("version",))


def drifted(repo: Repository, since: str = "") -> list[Finding]:
    return repo.drifted(since=since, settings=ONLY)


def pyproject(spec: str, *, name: str = "acme") -> str:
    return f'[project]\nname = "{name}"\nrequires-python = "{spec}"\ndependencies = ["click>=8.1"]\n'


@pytest.mark.parametrize(
    ("sentence", "claim", "fix"),
    [
        ("Acme requires Python 3.8+.", "Python 3.8+", "Python 3.11+"),
        ("Requires Python >= 3.8.", "Python >= 3.8", "Python >= 3.11"),
        ("You need Python 3.8 or newer.", "Python 3.8 or newer", "Python 3.11 or newer"),
        ("Python 3.8 or later is required.", "Python 3.8 or later", "Python 3.11 or later"),
        ("It supports Python 3.8 to 3.12.", "Python 3.8", "Python 3.11"),
        ("Supports Python 3.8–3.12.", "Python 3.8", "Python 3.11"),
        ("The minimum Python version is 3.8.", "minimum Python version is 3.8", "minimum Python version is 3.11"),
        ("This project requires Python 3.8.", "Python 3.8", "Python 3.11"),
        ("Supports Python 3.8, 3.9 and 3.10.", "Python 3.8", None),
    ],
)
def test_a_minimum_that_the_manifest_no_longer_has_is_drifted(
    repository: Make, sentence: str, claim: str, fix: str | None
) -> None:
    repo = repository({"README.md": f"# Acme\n\n{sentence}\n", "pyproject.toml": pyproject(">=3.11")})
    (finding,) = drifted(repo)
    assert (finding.mentions[0].text, finding.mentions[0].line) == (claim, 3)
    assert (finding.fix.replacement if finding.fix else None) == fix
    assert (finding.evidence[0].file, finding.evidence[0].line) == ("pyproject.toml", 3)


@pytest.mark.parametrize(
    "sentence",
    [
        "Acme requires Python 3.11+.",
        "On Python 3.8+ the fast path is used.",
        "If you use Python 3.8 or newer, install nothing.",
        "Tested on Python 3.8 to 3.10.",
        "The `fast` extra requires Python 3.8+.",
        "Black requires Python 3.8+.",
        "Developed with Python 3.8.",
        "`TaskGroup` needs Python 3.12+.",
        "Requires Python 3.",
        "Version 1.2 requires Python 3.8+.",
        "We dropped Python 3.8.",
    ],
)
def test_a_sentence_about_something_else_is_not_reported(repository: Make, sentence: str) -> None:
    repo = repository({"README.md": f"# Acme\n\n{sentence}\n", "pyproject.toml": pyproject(">=3.11")})
    assert drifted(repo) == []


def test_items_tables_and_badges_are_claims_too(repository: Make) -> None:
    text = """# Acme

![Python](https://img.shields.io/badge/python-3.8%2B-blue)

## Requirements

- Python 3.8+
- Node.js >= 16

| Tool | Version |
|---|---|
| Go | 1.20+ |
"""
    repo = repository(
        {
            "README.md": text,
            "pyproject.toml": pyproject(">=3.11"),
            "package.json": '{"name": "acme", "engines": {"node": ">=20"}}',
            "go.mod": "module example.org/acme\n\ngo 1.22\n",
        }
    )
    found = drifted(repo)
    assert {(m.line, m.text) for f in found for m in f.mentions} == {
        (3, "3.8"), (7, "Python 3.8+"), (8, "Node.js >= 16"), (12, "1.20"),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("files", "sentence"),
    [
        ({"package.json": '{"name": "acme", "engines": {"node": "^18.12 || >=20"}}'}, "Requires Node.js 18+."),
        ({"go.mod": "module example.org/acme\n\ngo 1.21.3\n"}, "You need Go 1.21 or later."),
        (
            {"Cargo.toml": '[package]\nname = "acme"\nrust-version = "1.70.0"\n'},
            "The minimum supported Rust version is 1.70.",
        ),
        (
            {
                "pom.xml": "<project><artifactId>acme</artifactId><properties><java.version>17</java.version></properties></project>"
            },
            "Requires Java 17+.",
        ),
        (
            {"setup.py": 'from setuptools import setup\nsetup(name="acme", python_requires=">=2.7,!=3.0.*,!=3.1.*")\n'},
            "Requires Python 3.2+.",
        ),
        ({"composer.json": '{"name": "a/acme", "require": {"php": "^8.1"}}'}, "Requires PHP 8.1 or higher."),
    ],
)
def test_the_same_minimum_in_another_spelling_is_verified(
    repository: Make, files: dict[str, str | bytes], sentence: str
) -> None:
    report = repository({"README.md": f"# Acme\n\n{sentence}\n", **files}).scan(settings=ONLY)
    assert (report.summary.verified, report.summary.drifted) == (1, 0)


_RAISED = [
    ("pyproject.toml", ">=3.9", ">=3.12", "Acme runs on Python 3.9 and above."),
    ("package.json", ">=18", ">=22", "Node.js 18 or higher is required."),
    ("Cargo.toml", '"1.70"', '"1.80"', "acme compiles with Rust 1.70 (stable) or newer."),
    ("pom.xml", "<java.version>17<", "<java.version>21<", "Requires Java 17 or later."),
    ("go.mod", "go 1.21", "go 1.24", "Building needs Go 1.21+."),
]


@pytest.mark.parametrize(
    ("path", "old", "new", "sentence", "since"), [(*c, since) for c in _RAISED for since in ("", "HEAD~1")]
)
def test_a_raised_minimum_is_found_in_whole_and_by_the_change(
    repository: Make, path: str, old: str, new: str, sentence: str, since: str
) -> None:
    manifests: dict[str, str | bytes] = {
        "pyproject.toml": pyproject(">=3.9"),
        "package.json": '{\n  "name": "acme",\n  "engines": {\n    "node": ">=18"\n  }\n}\n',
        "go.mod": "module example.org/acme\n\ngo 1.21\n",
        "Cargo.toml": '[package]\nname = "acme"\nedition = "2021"\nrust-version = "1.70"\n',
        "pom.xml": "<project>\n<artifactId>acme</artifactId>\n<properties>\n<java.version>17</java.version>\n</properties>\n</project>\n",
    }
    repo = repository({"README.md": f"# Acme\n\n{sentence}\n", path: manifests[path]})
    repo.replace(old, new, path).commit("raise")
    (finding,) = drifted(repo, since)
    assert [(m.file, m.line) for m in finding.mentions] == [("README.md", 3)]


def test_each_package_is_judged_by_its_own_manifest(repository: Make) -> None:
    repo = repository(
        {
            "README.md": "# All\n\nRequires Python 3.9+.\n",
            "pyproject.toml": pyproject(">=3.9"),
            "packages/b/README.md": "# B\n\nRequires Python 3.12+.\n",
            "packages/b/pyproject.toml": pyproject(">=3.12", name="b"),
        }
    )
    report = repo.scan(settings=ONLY)
    assert (report.summary.verified, report.summary.drifted) == (2, 0)


def test_a_folder_with_a_licence_of_its_own_and_no_manifest_is_not_judged_by_the_one_above(repository: Make) -> None:
    told = "# {}\n\nRequires Python 3.8+.\n"
    repo = repository(
        {
            "README.md": told.format("Acme"),
            "LICENSE": "MIT\n",
            "pyproject.toml": pyproject(">=3.11"),
            "libs/copied/README.md": told.format("Copied"),
            "libs/copied/LICENSE": "MIT\n",
            "acme/README.md": told.format("Acme inside"),
        }
    )
    (finding,) = drifted(repo)
    assert [m.file for m in finding.mentions] == ["README.md", "acme/README.md"]


def test_an_example_manifest_is_not_the_projects_own(repository: Make) -> None:
    repo = repository({"README.md": "# A\n\nRequires Python 3.9+.\n", "examples/x/pyproject.toml": pyproject(">=3.12")})
    assert drifted(repo) == []


def test_a_dependency_is_judged_only_where_requirements_are_listed(repository: Make) -> None:
    text = "# Acme\n\nFor speed use `click>=7.0`.\n\n## Requirements\n\n- `click>=8.0`\n- `other>=1.0`\n"
    repo = repository({"README.md": text, "pyproject.toml": pyproject(">=3.9")})
    (finding,) = drifted(repo)
    assert [(m.line, m.text) for m in finding.mentions] == [(7, "click>=8.0")]
    assert finding.fix is not None
    assert finding.fix.replacement == "click>=8.1"


def test_since_which_version_of_a_package_something_holds_is_no_demand(repository: Make) -> None:
    text = "# Acme\n\n## Requirements\n\nStarting from `click>=8.0`, we guarantee that saved programs are supported.\n"
    repo = repository({"README.md": text, "pyproject.toml": pyproject(">=3.11")})
    assert repo.drifted() == []
    assert repo.replace("Starting from", "It needs", "README.md").commit("a demand").drifted() != []


def test_a_cargo_snippet_that_does_not_accept_todays_version_is_drifted(repository: Make) -> None:
    cargo = '[package]\nname = "acme"\nversion = "0.4.2"\nedition = "2021"\n'
    repo = repository(
        {
            "README.md": "# Acme\n\nAdd this to your `Cargo.toml`:\n\n"
            '```toml\n[dependencies]\nacme = "0.4"\nother = "0.4"\n```\n',
            "Cargo.toml": cargo,
        }
    )
    assert drifted(repo) == []
    repo.replace("0.4.2", "0.4.9", "Cargo.toml").commit("patch")
    assert drifted(repo) == []
    repo.replace("0.4.9", "0.5.0", "Cargo.toml").commit("minor")
    (finding,) = drifted(repo)
    assert [(m.line, m.text) for m in finding.mentions] == [(7, "0.4")]
    assert finding.fix is not None
    assert finding.fix.replacement == "0.5"
    assert [finding.claim for finding in drifted(repo.age())] == ["0.4"]


def test_a_claim_stands_exactly_where_it_says() -> None:
    line = "We need **Python 3.8**+ and `Node.js >= 18`."
    block = Block(
        "paragraph",
        1,
        inlines=(
            Inline("text", "We need", 1, 1),
            Inline("text", "Python 3.8", 1, 11),
            Inline("text", "+ and", 1, 23),
            Inline("code", "Node.js >= 18", 1, 30),
        ),
    )
    claims = list(VersionKind().extract(Document("README.md", "markdown", (block,))))
    assert [c.subject for c in claims] == ["python", "node"]
    assert all(line[c.column - 1 : c.column - 1 + len(c.text)] == c.text for c in claims)


@pytest.mark.parametrize(
    ("spec", "major", "expected"),
    [
        (">=3.8", None, (3, 8)),
        (">=3.8,<4", None, (3, 8)),
        ("^18 || ^20", None, (18,)),
        (">= 18.12.0 < 21", None, (18, 12, 0)),
        ("10 - 12", None, (10,)),
        ("~=3.9", None, (3, 9)),
        ("1.70", None, (1, 70)),
        (">=2.7,!=3.0.*,!=3.1.*", 3, (3, 2)),
        (">=2.7", 3, None),
        ("*", None, None),
        ("<4", None, None),
        (">3.7", None, None),
    ],
)
def test_the_minimum_of_a_demand(spec: str, major: int | None, expected: tuple[int, ...] | None) -> None:
    assert minimum(spec, major) == expected


def test_versions_are_compared_as_precisely_as_they_are_told() -> None:
    assert compare((18,), (18, 17, 0)) == 0
    assert compare((3, 8), (3, 8, 1)) == 0
    assert compare((1, 70, 0), (1, 70)) == 0
    assert compare((3, 9), (3, 10)) == -1
    assert compare((1, 21, 3), (1, 21)) == 1
    assert spelled((20, 11, 0), (18,)) == "20.11"
    assert spelled((20, 0, 0), (18,)) == "20"
    assert number("v18.x") == (18,)


def test_a_list_of_what_several_versions_go_with_demands_none_of_them(repository: Make) -> None:
    rows = "- Python 3.9: **1.11**\n- Python 3.8: **1.4**\n- Python 3.7: **0.61**\n"
    text = f"# Acme\n\nThe last Acme for each Python before:\n\n{rows}"
    repo = repository({"README.md": text, "pyproject.toml": pyproject(">=3.7")})
    repo.replace(">=3.7", ">=3.10", "pyproject.toml").commit()
    assert drifted(repo) == []


def test_the_version_of_a_product_that_is_called_after_its_language_is_not_the_language_s(repository: Make) -> None:
    text = (
        "# Acme Python\n\n- Acme Python 3.7 and newer is here.\n- It is built against Other Python 3.7 or newer.\n"
        "- Requires Python 3.7 or newer.\n- It requires Oracle Java 3 or newer.\n"
    )
    repo = repository({"README.md": text, "pyproject.toml": pyproject(">=3.7")})
    repo.replace(">=3.7", ">=3.10", "pyproject.toml").commit()
    assert [finding.line for finding in repo.scan().drifted] == [5]
