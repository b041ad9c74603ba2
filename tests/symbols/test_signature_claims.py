"""Parameters in documentation, judged over real repositories with a past."""

from __future__ import annotations

from pathlib import Path

import pytest

from docalign_actors.findings.model import Finding
from tests.support.repository import Repository

CODE = "def fetch_page(url, *, timeout_seconds=3, retries=2):\n    return url, timeout_seconds, retries\n"


def of_mine(findings: list[Finding]) -> list[Finding]:
    return [f for f in findings if f.kind in ("symbol", "signature")]


def build(tmp_path: Path, readme: str, code: str = CODE) -> Repository:
    return Repository(tmp_path, {"pkg/__init__.py": code, "README.md": readme})


@pytest.mark.parametrize(
    "readme",
    [
        "```python\nfrom pkg import fetch_page\n\nfetch_page('x', timeout_seconds=1)\n```\n",
        "Call `fetch_page(url, timeout_seconds=3)`.\n",
        "`fetch_page` takes `timeout_seconds`.\n",
        "## fetch_page\n\n| Parameter | Meaning |\n|---|---|\n| `timeout_seconds` | patience |\n",
        "`fetch_page` takes:\n\n- `timeout_seconds`: patience\n",
    ],
)
@pytest.mark.parametrize("since", ["", "HEAD~1"])
def test_a_renamed_parameter_is_found_wherever_it_is_written(tmp_path: Path, readme: str, since: str) -> None:
    repo = build(tmp_path, readme)
    repo.replace("timeout_seconds", "patience", "pkg/__init__.py").commit()
    (finding,) = of_mine(repo.drifted(since=since))
    assert finding.rule == "wrong-signature"
    assert finding.message == "`fetch_page` takes no `timeout_seconds` any more."
    assert finding.fix is not None
    assert finding.fix.replacement == "patience"


@pytest.mark.parametrize(
    "call", ["pkg.fetch_page('x', timeout_seconds=1)", "page = pkg.fetch_page('x', timeout_seconds=1)"]
)
def test_a_call_that_names_an_argument_is_python_where_no_language_is_told(tmp_path: Path, call: str) -> None:
    repo = Repository(tmp_path, {"pkg/__init__.py": CODE, "docs/use.rst": f"Call it ::\n\n    {call}\n"})
    repo.replace("timeout_seconds", "patience", "pkg/__init__.py").commit()
    assert [f.message for f in of_mine(repo.drifted())] == ["`fetch_page` takes no `timeout_seconds` any more."]


def test_a_keyword_that_an_imported_function_never_took_is_drifted(tmp_path: Path) -> None:
    repo = build(tmp_path, "```python\nfrom pkg import fetch_page\n\nfetch_page('x', colour=1)\n```\n")
    assert [f.message for f in of_mine(repo.drifted())] == ["`fetch_page` takes no `colour`."]


@pytest.mark.parametrize(
    "code",
    ["def fetch_page(url, **options): ...\n", "@wrapped\ndef fetch_page(url): ...\n", "from other import fetch_page\n"],
)
def test_a_function_that_may_take_more_is_never_judged_closed(tmp_path: Path, code: str) -> None:
    repo = build(tmp_path, "```python\nfrom pkg import fetch_page\n\nfetch_page('x', colour=1)\n```\n", code)
    assert of_mine(repo.drifted()) == []


def test_a_dataclass_takes_its_fields(tmp_path: Path) -> None:
    code = "from dataclasses import dataclass\n\n\n@dataclass\nclass Settings:\n    port: int = 1\n    host_name: str = ''\n"
    repo = build(tmp_path, "```python\nfrom pkg import Settings\n\nSettings(port=1, host_name='x')\n```\n", code)
    assert of_mine(repo.drifted()) == []
    repo.replace("host_name", "address", "pkg/__init__.py").commit()
    assert [(f.rule, f.mentions[0].line) for f in of_mine(repo.drifted())] == [("wrong-signature", 4)]


def test_an_inherited_constructor_counts(tmp_path: Path) -> None:
    code = "class Base:\n    def __init__(self, url): ...\n\n\nclass Client(Base): ...\n"
    repo = build(tmp_path, "```python\nfrom pkg import Client\n\nClient(url='x')\nClient(colour=2)\n```\n", code)
    assert [(f.mentions[0].line, f.claim) for f in of_mine(repo.drifted())] == [(5, "colour")]


def test_a_keyword_that_is_handed_on_is_found(tmp_path: Path) -> None:
    code = "class Zip:\n    def __init__(self, app, minimum_size=1): ...\n\n\nclass Layer:\n    def __init__(self, cls, **options): ...\n"
    repo = build(tmp_path, "```python\nfrom pkg import Layer, Zip\n\nLayer(Zip, minimum_size=3)\n```\n", code)
    assert of_mine(repo.drifted()) == []
    repo.replace("minimum_size", "smallest", "pkg/__init__.py").commit()
    assert [f.claim for f in of_mine(repo.drifted())] == ["minimum_size"]


def test_other_languages_may_call_positional_parameters_what_they_like(tmp_path: Path) -> None:
    repo = Repository(
        tmp_path,
        {
            "package.json": '{"name": "x"}',
            "lib/a.js": "exports.listen = function (options) {}\n",
            "README.md": "`x.listen(options)`\n",
        },
    )
    repo.replace("options", "serverOptions", "lib/a.js").commit()
    assert of_mine(repo.drifted()) == []


def test_a_file_of_the_same_name_takes_no_parameters(tmp_path: Path) -> None:
    code = "class Boxfile:\n    def __init__(self, path):\n        self.file = path\n"
    files = {
        "pkg/__init__.py": code,
        "Boxfile": "",
        "docs/guide.md": "Stands in your `Boxfile`:\n\n> use `path` for folders.\n",
    }
    repo = Repository(tmp_path, files)
    repo.replace("path", "place", "pkg/__init__.py").commit()
    assert of_mine(repo.drifted()) == []
