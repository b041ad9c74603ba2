"""Names in documentation, judged over real repositories with a past."""

from __future__ import annotations

from pathlib import Path

import pytest

from docalign_actors.findings.model import Finding
from tests.support.repository import Repository

PACKAGE = {
    "pyproject.toml": '[project]\nname = "tool"\nversion = "1"\n',
    "tool/__init__.py": "from .core import Server, make_server\n",
    "tool/core.py": (
        "class Base:\n    def close(self): ...\n\n\nclass Server(Base):\n    def add_route(self, path, *, name=None): ...\n"
        "    def run_forever(self): ...\n\n\ndef make_server(port=80): ...\n"
    ),
}
README = """# Tool

Call `make_server()` first, then `Server.add_route()`; `.run_forever()` blocks.

```python
from tool import Server, make_server

server = Server()
server.add_route("/x", name="x")
server.close()
make_server(port=1)
```
"""


@pytest.fixture
def repo(tmp_path: Path) -> Repository:
    return Repository(tmp_path, {**PACKAGE, "README.md": README})


def of_mine(findings: list[Finding]) -> list[Finding]:
    return [f for f in findings if f.kind in ("symbol", "signature", "imports")]


def lines(findings: list[Finding]) -> dict[str, list[int]]:
    return {f.rule: sorted({m.line for m in f.mentions}) for f in of_mine(findings)}


def test_documentation_that_is_right_has_no_findings(repo: Repository) -> None:
    assert of_mine(repo.drifted()) == []


@pytest.mark.parametrize("since", ["", "HEAD~1"])
def test_every_mention_of_a_renamed_method_is_found(repo: Repository, since: str) -> None:
    repo.replace("add_route", "route", "tool/core.py").commit()
    (finding,) = of_mine(repo.drifted(since=since))
    assert finding.rule == "missing-symbol"
    assert [m.line for m in finding.mentions] == [3, 9]
    assert {m.replacement for m in finding.mentions} == {"Server.route", "server.route"}


@pytest.mark.parametrize("since", ["", "HEAD~1"])
def test_a_renamed_function_is_found_in_spans_examples_and_imports(repo: Repository, since: str) -> None:
    repo.replace("make_server", "create_server", "tool/core.py", "tool/__init__.py").commit()
    assert lines(repo.drifted(since=since)) == {"missing-symbol": [3, 11], "wrong-import": [6]}


def test_a_renamed_class_is_found_and_its_methods_are_not_blamed(repo: Repository) -> None:
    repo.replace("Server(Base)", "Daemon(Base)", "tool/core.py").replace(
        "Server,", "Daemon,", "tool/__init__.py"
    ).commit()
    assert lines(repo.drifted()) == {"missing-symbol": [3, 8], "wrong-import": [6]}


def test_a_method_that_moved_to_a_parent_is_still_there(repo: Repository) -> None:
    core = (repo.root / "tool/core.py").read_text()
    core = core.replace("    def run_forever(self): ...\n", "").replace(
        "close(self): ...\n", "close(self): ...\n    def run_forever(self): ...\n"
    )
    repo.write({"tool/core.py": core}).commit()
    assert of_mine(repo.drifted()) == []


def test_a_method_that_others_still_have_is_decided_by_its_class(tmp_path: Path) -> None:
    repo = Repository(
        tmp_path,
        {
            "pkg/__init__.py": "",
            "pkg/a.py": "class Reader:\n    def flush(self): ...\n\n\nclass Writer:\n    def flush(self, hard=False): ...\n",
            "README.md": "## Reader\n\nUse `flush()` on a `Reader`.\n\n## Other\n\n`Writer.flush()` and `Reader.flush()`.\n",
        },
    )
    repo.replace("class Reader:\n    def flush", "class Reader:\n    def sync", "pkg/a.py").commit()
    (finding,) = of_mine(repo.drifted())
    assert [(m.line, m.text) for m in finding.mentions] == [(3, "flush"), (7, "Reader.flush")]


def test_a_removed_word_that_the_code_still_uses_is_uncertain(tmp_path: Path) -> None:
    repo = Repository(tmp_path, {"pkg/__init__.py": "def send_mail(): ...\n", "README.md": "Use `send_mail`.\n"})
    repo.write({"pkg/__init__.py": "from mailer import send_mail\n"}).commit()
    assert of_mine(repo.drifted()) == []


def test_a_name_that_remains_in_a_comment_only_is_gone(tmp_path: Path) -> None:
    repo = Repository(tmp_path, {"pkg/__init__.py": "def send_mail(): ...\n", "README.md": "Use `send_mail()`.\n"})
    repo.write({"pkg/__init__.py": "# send_mail went away\nx = 1\n"}).commit()
    assert [f.claim for f in of_mine(repo.drifted())] == ["send_mail"]


def test_third_party_names_are_not_judged(tmp_path: Path) -> None:
    repo = Repository(
        tmp_path,
        {"pkg/db.py": "class Database:\n    def fetch_rows(self): ...\n", "pkg/__init__.py": "", "README.md": "x\n"},
    )
    text = "```python\nimport databases\n\ndb = databases.Database()\ndb.fetch_rows()\n```\n\nUse `DatabaseURL` from `databases`.\n"
    repo.write({"pkg/db.py": "x = 1\n", "README.md": text}).commit()
    assert of_mine(repo.drifted()) == []


def test_an_object_called_like_its_package_is_no_module(tmp_path: Path) -> None:
    repo = Repository(
        tmp_path,
        {
            "tool/__init__.py": "from .app import Tool\n",
            "tool/app.py": "class Tool:\n    def create_token(self): ...\n",
            "tool/cli.py": "def create_token(): ...\n",
            "README.md": "```python\ntoken = tool.create_token()\n```\n",
        },
    )
    repo.write({"tool/cli.py": "x = 1\n"}).commit()
    assert of_mine(repo.drifted()) == []


def test_a_class_that_was_only_example_code_is_not_judged(tmp_path: Path) -> None:
    repo = Repository(
        tmp_path, {"scripts/run.py": "class UserA: ...\n", "pkg/__init__.py": "", "README.md": "Use `UserA`.\n"}
    )
    repo.delete("scripts/run.py").commit()
    assert of_mine(repo.drifted()) == []


def test_a_cross_reference_to_a_missing_attribute_is_drifted_without_any_past(tmp_path: Path) -> None:
    repo = Repository(
        tmp_path,
        {
            "pkg/__init__.py": "",
            "pkg/core.py": "class WebServer:\n    def start(self): ...\n",
            "index.rst": "T\n=\n\nSee :meth:`pkg.core.WebServer.stop_now`.\n",
        },
    )
    assert [f.message for f in of_mine(repo.drifted())] == ["`WebServer` has no `stop_now`."]


def test_a_class_with_an_unknown_parent_is_never_judged_closed(tmp_path: Path) -> None:
    repo = Repository(
        tmp_path,
        {
            "pkg/__init__.py": "",
            "pkg/core.py": "from other import Base\n\nclass WebServer(Base): ...\n",
            "index.rst": "T\n=\n\nSee :meth:`pkg.core.WebServer.stop_now`.\n",
        },
    )
    assert of_mine(repo.drifted()) == []


def test_javascript_methods_and_headings(tmp_path: Path) -> None:
    repo = Repository(
        tmp_path,
        {
            "package.json": '{"name": "app", "version": "1.0.0"}',
            "lib/response.js": "var res = module.exports = {}\nres.sendFile = function sendFile(path) {}\nres.json = function () {}\n",
            "docs/api.md": "### res.sendFile(path)\n\nSends it. See `res.json()`.\n\n```js\nres.sendFile('x')\n```\n",
        },
    )
    repo.replace("sendFile", "transmit", "lib/response.js").commit()
    (finding,) = of_mine(repo.drifted())
    assert [m.line for m in finding.mentions] == [1, 6]


def test_a_member_that_may_come_from_a_new_parent_of_another_project_is_not_missing(tmp_path: Path) -> None:
    files = {**PACKAGE, "README.md": "Call `Server.run_forever()`.\n"}
    repo = Repository(tmp_path, files)
    core = "import servers\n\n\nclass Server(servers.Server):\n    def add_route(self, path, *, name=None): ...\n"
    repo.write({"tool/core.py": core, "tool/__init__.py": "from .core import Server\n"}).commit()
    assert of_mine(repo.drifted()) == []


def test_an_interface_that_only_the_documentation_describes_is_not_missing(tmp_path: Path) -> None:
    text = "Plug-ins\n========\n\nSee :meth:`tool.core.Plugin.start`.\n"
    described = (
        ".. module:: tool.core\n\n.. class:: Plugin\n\n   Write one.\n\n   .. method:: start()\n\n      Starts.\n"
    )
    repo = Repository(tmp_path, {**PACKAGE, "docs/a.rst": text})
    assert [f.claim for f in of_mine(repo.drifted())] == ["tool.core.Plugin.start"]
    repo.write({"docs/b.rst": described}).commit()
    assert of_mine(repo.drifted()) == []


def test_a_class_that_moved_is_reported_by_its_import_alone(tmp_path: Path) -> None:
    text = "The `Server` runs.\n\n```python\nfrom tool import Server\n\nServer()\n```\n"
    repo = Repository(tmp_path, {**PACKAGE, "README.md": text})
    classes = {"tool/core/classes.py": PACKAGE["tool/core.py"] + "x = 1\n" * 40}
    package = {"tool/core/__init__.py": "from .classes import Server\n", "tool/__init__.py": ""}
    repo.delete("tool/core.py").write({**classes, **package}).commit()
    assert [f.rule for f in repo.drifted()] == ["wrong-import"]


def test_a_member_of_a_type_that_is_made_of_others_is_not_missing(tmp_path: Path) -> None:
    then = "export type Watcher = {\n  on(event: string): Watcher;\n  reset(): void;\n};\ndeclare const watcher: Watcher;\n"
    now = "export type Events = { on(event: string): void };\nexport type Watcher = { reset(): void } & Wrapped<Events>;\n"
    files = {"package.json": '{"name": "watcher"}', "index.d.ts": then, "README.md": "Call `watcher.on('x')`.\n"}
    repo = Repository(tmp_path, files)
    repo.write({"index.d.ts": now}).commit()
    assert of_mine(repo.drifted()) == []
