"""Imports in examples, judged over real repositories with a past."""

from __future__ import annotations

from pathlib import Path

import pytest

from docalign_actors.findings.model import Finding
from tests.support.repository import Repository


def imports(repo: Repository, since: str = "") -> list[Finding]:
    return [f for f in repo.drifted(since=since) if f.kind == "imports"]


def python(code: str) -> str:
    return f"```python\n{code}\n```\n"


@pytest.mark.parametrize("since", ["", "HEAD~1"])
def test_a_moved_module_is_found_with_its_new_path(tmp_path: Path, since: str) -> None:
    repo = Repository(
        tmp_path,
        {
            "src/pkg/__init__.py": "",
            "src/pkg/old.py": "def go(): ...\n\n\ndef come(): ...\n",
            "README.md": python("from pkg.old import go\nimport pkg.old"),
        },
    )
    repo.move("src/pkg/old.py", "src/pkg/new.py").commit()
    (finding,) = imports(repo, since)
    assert {m.line for m in finding.mentions} == {2, 3}
    assert finding.fix is not None
    assert finding.fix.replacement == "pkg.new"


def test_a_name_that_its_package_no_longer_shows_is_drifted(tmp_path: Path) -> None:
    repo = Repository(
        tmp_path,
        {
            "pkg/__init__.py": "from .core import go\n",
            "pkg/core.py": "def go(): ...\n",
            "README.md": python("from pkg import go"),
        },
    )
    assert imports(repo) == []
    repo.write({"pkg/__init__.py": "x = 1\n"}).commit()
    assert [f.message for f in imports(repo)] == ["`pkg` has no `go` any more: it is in `pkg.core`."]


@pytest.mark.parametrize(
    "package",
    [
        "def __getattr__(name): ...\n",
        "from outside import *\n",
        "from ._speedups import *\n",
        "globals()['go'] = 1\n",
    ],
)
def test_a_package_that_cannot_be_read_whole_is_never_judged_closed(tmp_path: Path, package: str) -> None:
    repo = Repository(tmp_path, {"pkg/__init__.py": package, "README.md": python("from pkg import go")})
    assert imports(repo) == []


def test_a_star_import_of_an_own_module_is_followed(tmp_path: Path) -> None:
    repo = Repository(
        tmp_path,
        {
            "pkg/__init__.py": "from .core import *\n",
            "pkg/core.py": "def go(): ...\n",
            "README.md": python("from pkg import go"),
        },
    )
    assert imports(repo) == []


def test_a_compiled_or_generated_module_is_not_missed(tmp_path: Path) -> None:
    repo = Repository(
        tmp_path,
        {
            "pkg/__init__.py": "",
            "pkg/speed.pyx": "x",
            "README.md": python("from pkg import speed, _version\nimport pkg.speed\nimport pkg_extra"),
        },
    )
    assert imports(repo) == []


def test_a_sub_path_of_a_javascript_package(tmp_path: Path) -> None:
    repo = Repository(
        tmp_path,
        {
            "package.json": '{"name": "app"}',
            "lib/util.js": "exports.go = 1\n",
            "README.md": "```js\nconst u = require('app/lib/util')\nconst x = require('other/lib')\n```\n",
        },
    )
    assert imports(repo) == []
    repo.move("lib/util.js", "lib/tools.js").commit()
    assert [(f.mentions[0].line, f.claim) for f in imports(repo)] == [(2, "app/lib/util")]


def test_a_go_package_that_was_removed(tmp_path: Path) -> None:
    repo = Repository(
        tmp_path,
        {
            "go.mod": "module example.org/tool\n\ngo 1.21\n", "server/a.go": "package server\n", "client/a.go": "package client\n",
            "README.md": '```go\nimport (\n\t"fmt"\n\t"example.org/tool/server"\n\t"example.org/tool/client"\n)\n```\n',
        },
    )  # fmt: skip
    repo.move("server/a.go", "daemon/a.go").commit()
    assert [(f.mentions[0].line, f.claim) for f in imports(repo)] == [(4, "example.org/tool/server")]


def test_a_java_class_that_was_renamed(tmp_path: Path) -> None:
    folder = "src/main/java/org/app"
    repo = Repository(
        tmp_path,
        {f"{folder}/Tool.java": "package org.app;\npublic class Tool {}\n", f"{folder}/Other.java": "package org.app;\npublic class Other {}\n",
         "README.md": "```java\nimport org.app.Tool;\nimport java.util.List;\n```\n"},
    )  # fmt: skip
    repo.delete(f"{folder}/Tool.java").write(
        {f"{folder}/Thing.java": "package org.app;\npublic class Thing {}\n"}
    ).commit()
    assert [f.claim for f in imports(repo)] == ["org.app.Tool"]


def test_a_rust_name_that_was_renamed(tmp_path: Path) -> None:
    repo = Repository(
        tmp_path,
        {"Cargo.toml": '[package]\nname = "my-tool"\nversion = "0.1.0"\n', "src/lib.rs": "pub struct FastReader;\npub fn go() {}\n",
         "README.md": "```rust\nuse my_tool::{FastReader, go};\nuse std::io;\n```\n"},
    )  # fmt: skip
    assert imports(repo) == []
    repo.replace("FastReader", "QuickReader", "src/lib.rs").commit()
    assert [f.claim for f in imports(repo)] == ["FastReader"]


def test_a_folder_without_init_inside_a_package_is_a_part_of_it(tmp_path: Path) -> None:
    files = {
        "tool/__init__.py": "",
        "tool/text.py": "class Fonts: ...\n",
        "README.md": "```python\nfrom tool.text.fonts import Fonts\n```\n",
    }
    repo = Repository(tmp_path, {**files, "pyproject.toml": '[project]\nname = "tool"\nversion = "1"\n'})
    repo.delete("tool/text.py").write({"tool/text/fonts.py": "class Fonts: ...\n"}).commit()
    report = repo.scan()
    assert report.drifted == []
    repo.move("tool/text/fonts.py", "tool/text/faces.py").commit()
    assert [f.rule for f in repo.drifted()] == ["wrong-import"]


def test_what_a_package_imports_under_the_name_of_a_module_hides_the_module(tmp_path: Path) -> None:
    text = "```python\nfrom tool import signals\n\nsignals.started.connect(f)\n```\n"
    files = {"tool/__init__.py": "", "tool/signals.py": "started = make()\n", "README.md": text}
    repo = Repository(tmp_path, {**files, "pyproject.toml": '[project]\nname = "tool"\nversion = "1"\n'})
    now = {"tool/__init__.py": "from tool.plugins import signals\n", "tool/signals.py": "raise ImportError\n"}
    repo.write({**now, "tool/plugins/signals.py": "started = make()\n"}).commit()
    assert repo.drifted() == []


def test_a_name_that_a_module_answers_to_by_getattr_is_not_missing(tmp_path: Path) -> None:
    files = {"pyproject.toml": '[project]\nname = "tool"\nversion = "1"\n', "tool/core.py": "class Scope: ...\n"}
    text = {"README.md": "```python\nfrom tool import Scope\n```\n", "tool/__init__.py": "from .core import Scope\n"}
    repo = Repository(tmp_path, {**files, **text})
    now = 'OLD = {"Scope": "tool.core.Scope"}\n\n\ndef __getattr__(name):\n    return load(OLD[name])\n'
    repo.write({"tool/__init__.py": now}).commit()
    assert imports(repo) == []


def test_a_name_in_angles_is_whatever_the_reader_puts_there(tmp_path: Path) -> None:
    listing = python("from pkg.part import run, <BaseClass>\nfrom pkg.part import Lost")
    files: dict[str, str | bytes] = {"pkg/__init__.py": "", "pkg/part.py": "def run(): ...\n", "README.md": listing}
    assert [finding.claim for finding in imports(Repository(tmp_path, files))] == ["Lost"]
