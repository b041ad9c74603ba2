"""Names that documentation takes from other projects are not this one's, though it once had one like it."""

from __future__ import annotations

from pathlib import Path

from tests.support.repository import Repository

PACKAGE = '{"name": "store", "main": "src/index.ts"}'
THEN = "export function createContext() {}\nexport function create() {}\n"
NOW = "export function create() {}\n"


def test_a_name_that_examples_import_from_elsewhere_is_not_ours(tmp_path: Path) -> None:
    text = "Use `createContext`.\n\n```ts\nimport { createContext } from 'react'\n\nconst x = createContext<Y>(null)\n```\n"
    repo = Repository(tmp_path, {"package.json": PACKAGE, "src/index.ts": THEN, "README.md": text})
    repo.write({"src/index.ts": NOW}).commit()
    assert repo.drifted() == []


def test_a_name_that_examples_import_from_us_is_ours(tmp_path: Path) -> None:
    text = "Use `createContext`.\n\n```ts\nimport { createContext } from 'store'\n\nconst x = createContext<Y>(null)\n```\n"
    repo = Repository(tmp_path, {"package.json": PACKAGE, "src/index.ts": THEN, "README.md": text})
    repo.write({"src/index.ts": NOW}).commit()
    assert {m.line for f in repo.drifted() for m in f.mentions} == {1, 4, 6}


def test_a_member_of_something_that_never_was_ours_is_not_missing_for_long(tmp_path: Path) -> None:
    repo = Repository(
        tmp_path, {"package.json": PACKAGE, "src/index.ts": THEN, "README.md": "See `React.createContext`.\n"}
    )
    repo.write({"src/index.ts": NOW}).commit()
    repo.age()
    assert repo.drifted() == []


_PORT = "class Queue:\n    def __init__(self, name: str):\n        pass\n\n    def add(self, name: str, data: dict):\n        pass\n"
_SCRIPTS = {"package.json": '{"name": "line", "main": "src/queue.ts"}', "python/line/queue.py": _PORT}
_CLASS = "export class Queue {\n  constructor(name: string, opts?: object) {}\n  add(name: string, { delayMillis }: Opts) {}\n}\n"


def _document(fence: str, call: str, imported: str) -> str:
    return f"# Line\n\n```{fence}\n{imported}\n\n{call}\n```\n"


def test_an_example_is_not_held_against_a_port_of_the_library_in_another_language(tmp_path: Path) -> None:
    call = "const queue = new Queue('a', { connection });\nawait queue.add('b', { color: 'white' });"
    files = _SCRIPTS | {
        "python/line/__init__.py": "from .queue import Queue\n",
        "src/queue.ts": _CLASS,
        "README.md": _document("ts", call, "import { Queue } from 'line';"),
    }
    assert Repository(tmp_path, files).drifted() == []


def test_an_example_in_the_ports_own_language_is_held_against_it(tmp_path: Path) -> None:
    call = "queue = Queue('a')\nqueue.add('b', color='white')"
    files = _SCRIPTS | {
        "python/line/__init__.py": "from .queue import Queue\n",
        "src/queue.ts": _CLASS,
        "README.md": _document("python", call, "from line import Queue"),
    }
    assert [f.claim for f in Repository(tmp_path, files).drifted()] == ["color"]


def test_a_parameter_that_went_from_the_code_of_the_examples_language_is_missed_beside_a_port(tmp_path: Path) -> None:
    call = "const queue = new Queue('a');\nawait queue.add('b', { delayMillis: 3 });"
    files = _SCRIPTS | {
        "python/line/__init__.py": "from .queue import Queue\n",
        "src/queue.ts": _CLASS,
        "README.md": _document("ts", call, "import { Queue } from 'line';"),
    }
    repo = Repository(tmp_path, files)
    repo.write({"src/queue.ts": _CLASS.replace("delayMillis", "waitMillis")}).commit()
    assert "delayMillis" in [f.claim for f in repo.drifted()]


def test_a_name_of_the_stub_beside_a_module_can_be_imported_for_its_type(tmp_path: Path) -> None:
    stub = "class Logger:\n    def info(self) -> None: ...\n\nlogger: Logger\n"
    example = "import typing\n\nif typing.TYPE_CHECKING:\n    from noise import Logger\n"
    files: dict[str, str | bytes] = {
        "noise/__init__.py": "from ._core import Logger as _Logger\n\nlogger = _Logger()\n",
        "noise/__init__.pyi": stub,
        "noise/_core.py": "class Logger:\n    def info(self):\n        pass\n",
        "README.md": f"# Noise\n\n```python\n{example}```\n",
    }
    repo = Repository(tmp_path, files)
    repo.write({"noise/__init__.pyi": "import typing\n\n" + stub}).commit()
    assert repo.drifted() == []
