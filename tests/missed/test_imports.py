"""What went and is named by documents yet is missed: imports and modules."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.support.changes import BOTH
from tests.support.renames import readme
from tests.support.repository import Repository

Make = Callable[[dict[str, str | bytes]], Repository]


@BOTH
def test_an_import_of_a_class_that_got_another_name_is_missed_although_its_module_sets_attributes(
    repository: Make, since: str
) -> None:
    code = (
        "class Struct:\n    def __init__(self, **entries):\n        self.__dict__.update(entries)\n\n\nclass Service:\n"
        '    """What plugins are given."""\n\n    def __init__(self, name):\n        self.name = name\n'
    )
    main = 'from tool.model import Service\n\nlabel = "Service"\n\n\ndef run():\n    return Service("x")\n'
    text = "# Tool\n\n```python\nfrom tool.model import Service\n\ndef pinger(srv: Service):\n    srv.name\n```\n"
    project = '[project]\nname = "tool"\n'
    repo = repository(
        {
            "README.md": text,
            "tool/__init__.py": "",
            "tool/model.py": code,
            "tool/main.py": main,
            "pyproject.toml": project,
        }
    )
    repo.replace("class Service", "class PluginService", "tool/model.py")
    repo.replace("import Service", "import PluginService", "tool/main.py").replace(
        'Service("x', 'PluginService("x', "tool/main.py"
    ).commit()
    assert ("README.md", 4) in repo.stale_lines(since=since)


def test_a_name_that_a_crate_has_too_is_the_package_that_scripts_take_it_from(repository: Make) -> None:
    repo = repository({
        **readme("```ts", "import { findClones } from 'tool';", "```"),
        "app/package.json": '{"name": "tool", "version": "1.0.0"}\n',
        "app/index.ts": "export function findClones() {}\n",
        "a/b/c/Cargo.toml": '[package]\nname = "tool"\nversion = "0.1.0"\n', "a/b/c/src/main.rs": "fn main() {}\n",
    })  # fmt: skip
    repo.replace("findClones", "detectAll", "app/index.ts").commit()
    for since in ("", "HEAD~1"):
        assert repo.stale_lines(since=since) == {("README.md", 4)}


def test_a_module_of_cython_and_a_decorator_in_another_module_are_there_though_an_import_is_wrong(
    repository: Make,
) -> None:
    page = """# App

`@inject` marks what is to be given.

```python
import app.boxes
from app.injections import inject
```

`app.boxes` holds them.
"""
    inject = "def inject(wrapped):\n    return wrapped\n"
    files: dict[str, str | bytes] = {
        "README.md": page,
        "app/__init__.py": "",
        "app/boxes.py": "class Box:\n    pass\n",
        "app/injections.py": f"{inject}\n\ndef other():\n    pass\n",
        "app/decorators.py": "",
    }
    repo = repository(files)
    repo.write({"app/boxes.pyx": "cdef class Box:\n    pass\n", "app/decorators.py": inject})
    repo.git("rm", "-q", "app/boxes.py")
    repo.replace(f"{inject}\n\n", "", "app/injections.py").commit()
    assert repo.stale_lines(since="HEAD~1") == {("README.md", 7)}


@BOTH
def test_a_module_is_missed_although_its_package_has_an_object_of_its_name(repository: Make, since: str) -> None:
    repo = repository({
        "pkg/__init__.py": "from pkg.logger import logger\n", "pkg/logger.py": "logger = object()\n",
        "README.md": "# pkg\n\n```python\nfrom pkg.logger import logger\n```\n\nor\n\n```python\nfrom pkg import logger\n```\n",
    })  # fmt: skip
    repo.move("pkg/logger.py", "pkg/journal.py").replace("pkg.logger", "pkg.journal", "pkg/__init__.py").commit()
    assert repo.stale_lines(since=since) == {("README.md", 4)}


@BOTH
@pytest.mark.parametrize(
    "line",
    ["Import `example.org/own/tool/v2/cmd/tool`.", "```sh\ngo install example.org/own/tool/v2/cmd/tool@latest\n```"],
)
def test_a_package_of_go_is_missed_in_a_span_and_in_the_command_that_fetches_it(
    repository: Make, line: str, since: str
) -> None:
    files: dict[str, str | bytes] = {"go.mod": "module example.org/own/tool/v2\n", "README.md": f"# Tool\n\n{line}\n"}
    repo = repository(
        {**files, "cmd/tool/main.go": "package main\n\nfunc main() {\n\trun()\n}\n", "t.go": "package tool\n"}
    )
    repo.move("cmd/tool/main.go", "cmd/other/main.go").commit()
    assert {number for _, number in repo.stale_lines(since=since)} == {3 if line.startswith("I") else 4}
