"""What is there all the same, or was never meant, is left alone: files and folders."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

from docalign_actors.engine.claims import Claim, Judgement
from docalign_actors.engine.code.reader import read_facts
from docalign_actors.engine.doubts.unread import doubt_unread
from docalign_actors.engine.facts import FileFacts
from docalign_actors.engine.lost.lines import Edit
from docalign_actors.engine.lost.siblings import renamed_words
from docalign_actors.engine.ports import PastBlob
from docalign_actors.engine.world import World
from docalign_actors.findings.model import Evidence, Verdict
from tests.support.changes import BOTH, PYTHON, Make

CONFIG_PHP = (
    "<?php\n\nreturn [\n    /*\n     * Whether it is on.\n     */\n    'enabled' => env('CACHE_ENABLED', true),\n\n    'cache' => [\n"
    "        'store' => env('CACHE_DRIVER', 'file'),\n        'lifetime' => (int) env('CACHE_LIFETIME', 60 * 60 * 24 * 7),\n"
    "        'tag' => env('CACHE_TAG', ''),\n    ],\n];\n"
)


@BOTH
def test_a_line_among_others_than_those_of_the_file_is_somebodys_choice(repository: Make, since: str) -> None:
    text = "# Tool\n\n```php\nreturn [\n    'enabled' => false,\n    'cache' => [\n        'store' => env('CACHE_DRIVER', 'file'),\n        'ttl' => 5,\n        'x' => 7,\n    ],\n];\n```\n"
    repo = repository({"README.md": text, "config/cache.php": CONFIG_PHP, "src/A.php": "<?php\n\nclass A\n{\n}\n"})
    repo.replace("'file'", "'array'", "config/cache.php").commit()
    assert repo.stale_lines(since=since) == set()


def test_what_a_file_of_declarations_takes_from_elsewhere_is_not_defined_there() -> None:
    declared = (
        b"declare global {\n  const isDefined: typeof import('@others/core')['isDefined']\n  const ours: number\n}\n"
    )
    facts = read_facts("src/auto.d.ts", declared)
    assert [definition.name for definition in facts.definitions] == ["ours"]
    assert [(entry.module, entry.name) for entry in facts.imports] == [("@others/core", "isDefined")]


def test_what_a_file_of_go_imports_is_none_of_several_of_ours() -> None:
    def renamed(line: str) -> list[tuple[str, str]]:
        then, now = line, line.replace("context", "reflect")
        edit = Edit(PastBlob("main.go", "1", "a", "b"), [then], [now], frozenset(), before=["x (", then, ")"])
        return [(one.old, one.new) for one in renamed_words(edit)]

    assert renamed('\t"context"') == []
    assert renamed('\tregister("context")') == [("context", "reflect")]


def test_what_configure_may_add_to_a_makefile_is_not_missed(repository: Make) -> None:
    text = "Run `make tool`, `make docs`, `make pages` and `make distcheck`.\n"
    repo = repository({"README.md": text, "Makefile.in": "tool:\n\techo\n\ndocs:\n\techo\n\npages:\n\techo\n"})
    assert repo.stale_lines() == set()


def test_a_name_that_its_file_still_has_was_not_taken_from_a_package_that_never_had_it(repository: Make) -> None:
    page = "# Tool\n\n```python\nfrom tool.search import ProductIndex\n```\n"
    code = "class ProductIndex:\n    size = 1\n"
    files: dict[str, str | bytes] = {"tool/__init__.py": "", "tool/search/__init__.py": ""}
    repo = repository({**PYTHON, **files, "README.md": page, "tool/search/indexes.py": code})
    repo.replace("size = 1", "size = 2", "tool/search/indexes.py").commit()
    assert repo.stale_lines(since="HEAD~1") == set()


def test_the_name_of_a_file_is_not_that_of_a_function(repository: Make) -> None:
    page = "# Work\n\n```sh\ncd core; python3 run_all_tests.py --debug\n```\n\nCall `run_all_tests`.\n"
    script = "run_all_tests() {\n  echo 1\n}\nrun_all_tests\n"
    repo = repository({**PYTHON, "CONTRIBUTING.md": page, "core/run_all_tests.py": "x = 1\n", "scripts/ci.sh": script})
    repo.replace("run_all_tests", "run_tests", "scripts/ci.sh").commit()
    assert ("CONTRIBUTING.md", 4) not in repo.stale_lines(since="HEAD~1")


def test_what_a_file_had_that_is_not_read_any_more_is_in_doubt_and_what_another_had_is_not() -> None:
    read, unread = FileFacts("javascript"), FileFacts("javascript", notes=["minified or generated: not parsed"])
    files = {"a.js": unread, "b.js": read}
    world = SimpleNamespace(files=files, tree=SimpleNamespace(entries=files), facts=files.get, doors=frozenset())
    claim = Claim("option", "-r", "-r", "README.md", 3, 1)
    told = {path: Judgement(Verdict.DRIFTED, "unknown-option", "gone", (Evidence("it was", path),)) for path in files}
    judged = doubt_unread([(claim, told["a.js"]), (claim, told["b.js"])], cast(World, world))
    assert [judgement.verdict for _, judgement in judged] == [Verdict.UNCERTAIN, Verdict.DRIFTED]


def test_what_a_file_imported_is_not_missed_when_its_strings_go(repository: Make) -> None:
    code = 'from time import process_time\n\nTIMERS = {"process_time": process_time}\n'
    page = "# Settings\n\n- `timer`: what counts, such as `time.process_time`.\n"
    repo = repository({"docs/settings.md": page, "tool/run.py": code, "tool/__init__.py": ""})
    repo.write({"tool/run.py": "TIMERS = {}\n"}).commit()
    assert repo.stale_lines(since="HEAD~1") == set()


def test_a_function_in_a_profile_was_printed_then(repository: Make) -> None:
    page = "# Profile\n\n```\n   1    0.000    6.844 tool/run.py:171(method_caller)\n   1    0.000    6.844 run.py:197(run)\n```\n"
    code = "def method_caller():\n    return 1\n"
    repo = repository({"docs/profile.md": page, "tool/run.py": code, "tool/__init__.py": ""})
    repo.replace("method_caller", "call_method", "tool/run.py").commit()
    assert repo.stale_lines(since="HEAD~1") == set()


def test_a_file_of_a_sample_project_is_not_the_reader_s(repository: Make) -> None:
    page = "# Run it\n\n```sh\ngo run ./main.go\n```\n\nThe types are in `./api` of your project.\n"
    sample = "testdata/v2/operator/"
    repo = repository(
        {"docs/run.md": page, f"{sample}main.go": "package main\n", f"{sample}api/a.go": "package api\n", "a.go": ""}
    )
    repo.git("rm", "-rq", "testdata")
    repo.git("commit", "-qm", "no samples")
    assert repo.stale_lines(since="HEAD~1") == set()


@BOTH
def test_a_type_that_only_its_file_was_named_after_is_still_there(repository: Make, since: str) -> None:
    code = "package org.acme\n\nclass Extension {\n    val color = 1\n}\n"
    page = "# Tool\n\n```kotlin\nconfigure<org.acme.Extension> { color }\n```\n"
    repo = repository({"README.md": page, "src/main/kotlin/org/acme/Extension.kt": code})
    repo.move("src/main/kotlin/org/acme/Extension.kt", "src/main/kotlin/org/acme/Settings.kt").commit()
    assert repo.stale_lines(since=since) == set()
