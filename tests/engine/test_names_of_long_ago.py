"""Names that code had long ago: where a whole scan misses them, and where it leaves them alone."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.support.repository import Repository

Make = Callable[[dict[str, str | bytes]], Repository]

CODE = "def load_items(path, strict=False):\n    return path\n\n\ndef send_items(path):\n    return path\n"


def _with(repository: Make, page: str, *, name: str = "docs/guide.md", code: str = CODE) -> Repository:
    """A repository whose function `load_items` was renamed long ago."""
    others = {"tool/__init__.py": "from tool.items import send_items\n", "tool/items.py": code}
    repo = repository({name: page, **others})
    return repo.replace("load_items", "fetch_all", "tool/items.py").commit().age()


def _told(repo: Repository) -> set[tuple[str, str]]:
    return {(finding.rule, finding.claim) for finding in repo.drifted()}


def test_a_function_that_went_long_ago_is_missed_in_a_manual(repository: Make) -> None:
    repo = _with(repository, "# Guide\n\nCall `load_items()` first, then `send_items()`.\n")
    assert _told(repo) == {("missing-symbol", "load_items")}


@pytest.mark.parametrize(
    ("name", "page"),
    [
        ("docs/guide.md", "# Guide\n\n## Migrating from 1.x\n\nCall `load_items()` first.\n"),
        ("docs/guide.md", "# Loading\n\nThis function was removed in 2.0.\n\n## Usage\n\nCall `load_items()` first.\n"),
        ("docs/guide.md", "# Loading\n\nVersions of it older than 2.1 have this as `load_items()`.\n"),
        ("docs/plan.md", "# Loader and Sender Integration Roadmap\n\nCall `load_items()` first.\n"),
        ("docs/research/items.md", "# Items\n\nCall `load_items()` first.\n"),
        ("docs/guide.md", "# Guide\n\n## Future roadmap\n\nCall `load_items()` first.\n"),
        ("docs/guide.md", "# Guide\n\n## 6. Métodos y APIs propuestos\n\nCall `load_items()` first.\n"),
        (
            "docs/guide.md",
            "# Guide\n\n**Status:** ⚠️ LEGACY, see the other page\n\n## Usage\n\nCall `load_items()` first.\n",
        ),
        ("docs/phase-3-future-work/guide.md", "# Guide\n\nCall `load_items()` first.\n"),
        ("joss-paper/paper.md", "# Tool: loads and sends\n\nCall `load_items()` first.\n"),
    ],
    ids=["section", "page", "sentence", "title", "folder", "future", "proposed", "legacy", "later", "paper"],
)
def test_it_is_not_missed_where_the_document_does_not_speak_of_today(repository: Make, name: str, page: str) -> None:
    assert _told(_with(repository, page, name=name)) == set()


def test_a_page_of_the_gone_keeps_what_is_there_verified_and_misses_what_went_with_the_last_commit(
    repository: Make,
) -> None:
    page = "# Loading\n\nThis function was removed in 2.0.\n\n## Usage\n\nSee `send_items()`.\n"
    repo = _with(repository, page)
    repo.replace("send_items", "push_all", "tool/items.py").replace("send_items", "push_all", "tool/__init__.py")
    assert _told(repo.commit()) == {("missing-symbol", "send_items")}


def test_a_parameter_that_went_long_ago_is_missed(repository: Make) -> None:
    page = "# Guide\n\n```python\nfrom tool.items import send_items\n\nsend_items('x', retries=3)\n```\n"
    code = CODE.replace("send_items(path)", "send_items(path, retries=1)")
    repo = _with(repository, page, name="README.md", code=code)
    repo.replace("path, retries=1", "path", "tool/items.py").commit().age()
    assert _told(repo) == {("wrong-signature", "retries")}


def test_an_import_of_what_went_long_ago_is_missed(repository: Make) -> None:
    repo = _with(repository, "# Guide\n\n```python\nfrom tool.items import load_items\n```\n")
    assert {rule for rule, _ in _told(repo)} == {"wrong-import"}


def test_a_package_that_takes_everything_from_a_module_gets_what_that_module_lists(repository: Make) -> None:
    helper = "def _single_path(graph, start):\n    return graph\n"
    inner = (
        "from tool.helper import _single_path as shortest_path\n\n__all__ = ['centre']\n\n\ndef centre(graph): ...\n"
    )
    repo = repository(
        {
            "README.md": "# Tool\n\n```python\nimport tool\n\ntool.shortest_path(graph, weight='x')\n```\n",
            "tool/__init__.py": "from tool.centre import *\nfrom tool.paths import *\n",
            "tool/helper.py": helper,
            "tool/centre.py": inner,
            "tool/paths.py": "def shortest_path(graph, weight=None):\n    return graph\n",
        }
    )
    assert _told(repo.age()) == set()


def test_a_new_name_is_no_certainty_where_much_came_and_went_since(repository: Make) -> None:
    repo = _with(repository, "# Guide\n\nCall `load_items()` first.\n")
    (finding,) = repo.drifted()
    assert finding.fix is not None
    assert (finding.fix.replacement, finding.fix.safe) == ("fetch_all", False)


@pytest.mark.parametrize(("name", "now"), [("Items", ""), ("Other", "tool.things.Other")])
def test_a_module_that_was_renamed_is_a_fix_only_for_what_it_still_has(repository: Make, name: str, now: str) -> None:
    page = f"Backends\n========\n\n.. autoclass:: tool.items.{name}\n"
    code = "class Items:\n    pass\n\n\nclass Other:\n    pass\n\n\ndef some_function(of_items):\n    return of_items\n"
    repo = repository({"docs/api.rst": page, "tool/__init__.py": "", "tool/items.py": code})
    repo.move("tool/items.py", "tool/things.py").replace("class Items", "class Things", "tool/things.py").commit()
    (finding,) = repo.drifted()
    assert (finding.fix.replacement if finding.fix else "") == now


def _since(repo: Repository, files: dict[str, str | bytes]) -> Repository:
    return repo.write(files).commit().age()


def test_what_a_module_takes_from_another_project_as_a_whole_may_be_there_still(repository: Make) -> None:
    page = "# Search\n\nUse `FuzzyQuery()` or `LooseQuery()`.\n"
    code = "class FuzzyQuery:\n    pass\n\n\nclass Other:\n    pass\n"
    repo = repository(
        {"README.md": page, "tool/__init__.py": "", "tool/query.py": code, "tool/loose.py": "class LooseQuery: ...\n"}
    )
    now = "from modelsearch.query import *\n"
    assert _told(_since(repo, {"tool/query.py": now, "tool/loose.py": "x = 1\n"})) == {("missing-symbol", "LooseQuery")}


def test_a_module_that_hands_its_names_to_somebody_may_have_any(repository: Make) -> None:
    page = (
        "# Tool\n\n```python\nfrom tool import op, other\n\nop.create_sequence('x')\nother.create_sequence('x')\n```\n"
    )
    code = "from tool.base import Operations\n\nOperations.create_proxies(globals(), locals())\n"
    base = "class Operations:\n    @classmethod\n    def create_proxies(cls, names, local): ...\n"
    files: dict[str, str | bytes] = {
        "tool/__init__.py": "",
        "tool/op.py": code,
        "tool/other.py": "x = 1\n",
        "tool/base.py": base,
    }
    assert _told(repository({"README.md": page, **files}).age()) == {("missing-symbol", "other.create_sequence")}


def test_the_type_of_a_parameter_is_known_within_its_function_alone(repository: Make) -> None:
    inside = "def process(context: Migration):\n    context.configure(depth=1)\n\n"
    page = f"# Tool\n\n```python\nfrom tool.run import Migration\n\n{inside}context.configure(level=2)\n```\n"
    code = "class Migration:\n    def configure(self, width):\n        pass\n"
    repo = repository({"README.md": page, "tool/__init__.py": "", "tool/run.py": code}).age()
    assert _told(repo) == {("wrong-signature", "depth")}


def test_what_an_example_of_go_calls_a_package_is_its_own_choice(repository: Make) -> None:
    example = 'import (\n  old_syslog "example.org/tool/hooks/syslog"\n)\n\nhook := old_syslog.NewHook()\n'
    repo = repository(
        {
            "README.md": f"# Tool\n\n```go\n{example}```\n",
            "go.mod": "module example.org/tool\n\ngo 1.20\n",
            "hooks/syslog/syslog.go": "package old_syslog\n\nfunc NewHook() int { return 1 }\n",
        }
    )
    repo.replace("package old_syslog", "package syslog", "hooks/syslog/syslog.go").commit().age()
    assert _told(repo) == set()


def test_what_takes_anything_may_hand_on_what_it_took_long_ago(repository: Make) -> None:
    page = "# Tool\n\n```python\nfrom tool.app import Blueprint, Other\n\nBlueprint('x', url_prefix='/')\nOther('x', url_prefix='/')\n```\n"
    taking = "    def __init__(self, name, url_prefix=None):\n        self.name = name\n"
    code = f"class Blueprint:\n{taking}\n\nclass Other:\n{taking}"
    handing = "    def __init__(self, *args, **kwargs):\n        super().__init__(*args, **kwargs)\n"
    now = f"from flask import Base\n\n\nclass Blueprint(Base):\n{handing}\n\nclass Other:\n    def __init__(self, name): ...\n"
    repo = repository({"README.md": page, "tool/__init__.py": "", "tool/app.py": code})
    told = {(f.rule, m.line) for f in _since(repo, {"tool/app.py": now}).drifted() for m in f.mentions}
    assert told == {("wrong-signature", 7)}


def test_what_is_told_of_long_ago_does_not_depend_on_the_files_that_the_last_commit_touched(repository: Make) -> None:
    page = "# Tool\n\n.. code-block:: python\n\n   load(task_id=1)\n\n.. py:function:: load(task_id)\n"
    code = "def load(task_id):\n    return task_id\n\n\ndef send(path):\n    return path\n"
    repo = repository(
        {"README.rst": page, "tool/__init__.py": "", "tool/run.py": code, "tool/more.py": "task_id = 1\n"}
    )
    repo.replace("task_id", "id", "tool/run.py").commit().age()
    repo.git("reset", "-q", "--hard")
    before = _told(repo)
    repo.replace("def send(path)", "def send(place)", "tool/run.py").commit()
    assert _told(repo) == before
