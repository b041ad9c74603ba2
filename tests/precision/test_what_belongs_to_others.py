"""Names and files that look like this repository's own of long ago, and belong to others or to the reader."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from docalign_actors.engine.settings import ScanSettings
from tests.support.repository import Repository

Make = Callable[[dict[str, str | bytes]], Repository]


def claims(repo: Repository, kind: str) -> list[str]:
    return [f.claim for f in repo.drifted(settings=ScanSettings(jobs=1, claim_types=(kind,)))]


@pytest.mark.parametrize(
    ("manifest", "code", "expected"),
    [
        ('dependencies = ["chat-sdk>=3"]\n', "", []),
        ("", "from chat_sdk import Client\n", []),
        ("", "", ["chat_sdk"]),
    ],
)
def test_a_package_that_the_project_takes_from_elsewhere_is_not_its_own_of_long_ago(
    repository: Make, manifest: str, code: str, expected: list[str]
) -> None:
    repo = repository(
        {
            "pyproject.toml": f'[project]\nname = "tool"\nversion = "1"\n{manifest}',
            "tool/__init__.py": code,
            "chat_sdk/__init__.py": "class Client: ...\n",
            "README.md": "# Tool\n\n```python\nfrom chat_sdk import Client\n```\n",
        }
    )
    repo.delete("chat_sdk/__init__.py").commit("hand it over")
    assert sorted(set(claims(repo, "imports"))) == expected


@pytest.mark.parametrize(("now", "expected"), [(".env.example", []), ("env.conf", ["deploy/.env"])])
def test_a_file_of_which_there_is_a_sample_is_the_readers_copy(repository: Make, now: str, expected: list[str]) -> None:
    repo = repository({"deploy/.env": "A=1\nB=2\nC=3\n", "README.md": "# Tool\n\nSet `A` in `deploy/.env`.\n"})
    repo.move("deploy/.env", f"deploy/{now}").commit("rename")
    assert claims(repo, "path") == expected


@pytest.mark.parametrize(
    ("info", "expected"),
    [('yaml title="docs/page.md"', []), ('yaml title="a.yml"', ["options:"]), ("yaml", ["options:"])],
)
def test_a_block_whose_title_names_a_file_of_another_kind_is_not_in_its_language(
    repository: Make, info: str, expected: list[str]
) -> None:
    block = "::: package.module\n    options:\n      show: true\n"
    assert claims(repository({"README.md": f"# Tool\n\n```{info}\n{block}```\n"}), "example") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Python 3.8 is kept on the old line only because of it.", []),
        ("Java 8 maven artifact (maintenance mode):", []),
        ("The setting needs Python3.8 as its value.", []),
        ("Python 3.8 requires Tool 2.1 or later.", []),
        ("Python 3.8 is required.", ["Python 3.8"]),
        ("Python 3.8+", ["Python 3.8+"]),
    ],
)
def test_a_sentence_about_a_version_is_not_a_demand(repository: Make, text: str, expected: list[str]) -> None:
    manifest = '[project]\nname = "tool"\nversion = "1"\nrequires-python = ">=3.10"\n'
    repo = repository({"pyproject.toml": manifest, "README.md": f"# Tool\n\n## Dependencies\n\n{text}\n"})
    assert claims(repo, "version") == expected


@pytest.mark.parametrize(("text", "expected"), [("will default to `5`", []), ("defaults to `5`", ["5"])])
def test_what_a_default_will_be_is_not_what_it_is(repository: Make, text: str, expected: list[str]) -> None:
    code = (
        'import argparse\nparser = argparse.ArgumentParser(prog="tool")\nparser.add_argument("--retries", default=3)\n'
    )
    manifest = '[project]\nname = "tool"\nversion = "1"\nscripts = {tool = "tool.cli:main"}\n'
    repo = repository(
        {"tool/cli.py": code, "pyproject.toml": manifest, "README.md": f"# Tool\n\n`--retries` {text}.\n"}
    )
    assert claims(repo, "default") == expected


@pytest.mark.parametrize(("name", "expected"), [("MyBackend", []), ("LocalBackend", ["backend.LocalBackend"])])
def test_a_name_that_stands_for_the_readers_own_is_not_missing(
    repository: Make, name: str, expected: list[str]
) -> None:
    example = f"```python\nfrom tool import backend\n\nbackend.{name}(1)\n```\n"
    manifest = '[project]\nname = "tool"\nversion = "1"\n'
    files: dict[str, str | bytes] = {"pyproject.toml": manifest, "tool/__init__.py": "", "README.md": example}
    assert claims(repository({**files, "tool/backend.py": "class Backend: ...\n"}), "symbol") == expected


def test_a_field_of_a_model_is_taken_though_its_base_stands_elsewhere(repository: Make) -> None:
    base = "import pydantic\n\n\nclass BaseModel(pydantic.BaseModel):\n    def replace(self): ...\n"
    then = "import msgspec\n\n\nclass Track(msgspec.Struct):\n    uri: str\n    name: str\n"
    now = "from tool.base import BaseModel\n\n\nclass Track(BaseModel):\n    uri: str\n    name: str\n"
    example = "```python\nfrom tool.models import Track\n\nTrack(uri='a', name='b')\n```\n"
    manifest = '[project]\nname = "tool"\nversion = "1"\n'
    files: dict[str, str | bytes] = {"pyproject.toml": manifest, "tool/__init__.py": "", "README.md": example}
    repo = repository({**files, "tool/models.py": then})
    repo.write({"tool/models.py": now, "tool/base.py": base}).commit("another library")
    assert claims(repo, "signature") == []
    repo.write({"tool/models.py": now.replace("uri", "address")}).commit("rename")
    assert claims(repo, "signature") == ["uri"]


def test_a_page_that_is_written_in_another_format_when_the_site_is_built_is_there(repository: Make) -> None:
    conf = 'import shutil\n\nshutil.copy("../CHANGES.md", "changelog.md")\n'
    index = "Docs\n====\n\n.. toctree::\n\n   changelog\n   guide\n"
    files: dict[str, str | bytes] = {"docs/conf.py": conf, "docs/index.rst": index, "docs/guide.rst": "Guide\n=====\n"}
    repo = repository({**files, "docs/changelog.rst": "Changes\n=======\n"})
    assert claims(repo.delete("docs/changelog.rst").commit("copy it instead"), "navigation") == []
    repo.write({"docs/conf.py": "x = 1\n"}).commit("copy it no more")
    assert claims(repo, "navigation") == ["changelog"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Saved into 'DIR/counter_...json'.", []),
        ("Saved into run_counter_.json.", []),
        ("See lost_target_.", ["lost_target"]),
    ],
)
def test_a_file_name_with_an_underscore_at_the_end_is_no_reference(
    repository: Make, text: str, expected: list[str]
) -> None:
    assert claims(repository({"docs/usage.rst": f"Usage\n=====\n\n{text}\n"}), "anchor") == expected


@pytest.mark.parametrize(
    ("lead", "expected"), [("For example, look into", []), ("Look into", ["share/site/templates/base"])]
)
def test_a_path_told_as_an_example_is_doubtful_when_it_went_long_ago(
    repository: Make, lead: str, expected: list[str]
) -> None:
    text = f"# Tool\n\n{lead} `share/site/templates/base`.\n"
    repo = repository({"README.md": text, "share/site/templates/base/a.html": "x\n"})
    repo.move("share/site/templates/base/a.html", "data/base/a.html").commit("move")
    assert claims(repo, "path") == ["share/site/templates/base"]
    assert claims(repo.age(), "path") == expected


@pytest.mark.parametrize(
    ("imports", "expected"),
    [
        ('import "log"\n', []),
        ("", []),
        ('import "example.org/tool/log"\n', ["Fatal"]),
        ('import "example.org/tool/v3/log"\n', ["Fatal"]),
    ],
)
def test_a_package_of_gos_own_that_ours_had_the_name_of(repository: Make, imports: str, expected: list[str]) -> None:
    example = f"```go\n{imports}\nfunc main() {{\n\tlog.Fatal(run())\n}}\n```\n"
    repo = repository(
        {
            "go.mod": "module example.org/tool\n",
            "log/log.go": "package log\n\nfunc Fatal(a any) {}\n\nfunc Print(a any) {}\n",
            "README.md": f"# Tool\n\n{example}",
        }
    )
    repo.write({"log/log.go": "package log\n\nfunc Print(a any) {}\n"}).commit("no more fatal")
    assert claims(repo, "symbol")[:1] == expected


@pytest.mark.parametrize(("title", "expected"), [("Cheatpath (`paths`)", []), ("Cheatpath(name)", ["Cheatpath"])])
def test_a_word_that_a_bracket_explains_is_no_call(repository: Make, title: str, expected: list[str]) -> None:
    repo = repository(
        {"tool/paths.go": "package paths\n\ntype Cheatpath struct {}\n", "HACKING.md": f"# Tool\n\n## {title}\n\nIt.\n"}
    )
    repo.write({"tool/paths.go": "package paths\n\ntype Path struct {}\n"}).commit("rename")
    assert claims(repo, "symbol") == expected


def test_of_two_files_that_could_be_the_module_either_may_be_meant(repository: Make) -> None:
    files: dict[str, str | bytes] = {
        "data/words/tool_types.py": "value = 1\n",
        "tool_types/__init__.pyi": "class Top: ...\n",
        "tool_types/_inner.pyi": "class Inner: ...\n",
        "tool/__init__.py": "def run(): ...\n",
        "README.md": "# Tool\n\n```python\nfrom tool_types import Top\nfrom tool import Pot\n```\n",
        "pot.py": "class Pot: ...\n",
    }
    assert claims(repository(files), "imports") == ["Pot"]


@pytest.mark.parametrize(
    ("line", "expected"), [("foo.frob<CURSOR: frobnicate>", []), ("foo.frob<CURSOR: a", ["example"])]
)
def test_an_example_with_a_mark_for_something_else_need_not_parse(
    repository: Make, line: str, expected: list[str]
) -> None:
    repo = repository({"README.md": f"# Tool\n\n```python\nclass Foo:\n    pass\n\nfoo = Foo()\n{line}\n```\n"})
    settings = ScanSettings(jobs=1, claim_types=("example",))
    assert [finding.kind for finding in repo.drifted(settings=settings)] == expected
