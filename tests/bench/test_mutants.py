"""A mutant is honest: the fact is gone from all of the code and stands in the docs as before."""

from __future__ import annotations

import pytest

from bench.files import Snapshot, is_document
from bench.mutants import KINDS, Mutant, Repo
from bench.mutate import mutants
from tests.bench.small import FILES, small_repo


@pytest.fixture(scope="module")
def made() -> dict[str, list[Mutant]]:
    found: dict[str, list[Mutant]] = {kind: [] for kind in KINDS}
    for mutant in mutants(small_repo(), seed=1, most=9):
        found[mutant.kind].append(mutant)
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_a_mutant(made: dict[str, list[Mutant]], kind: str) -> None:
    assert made[kind]


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "heading"])
def test_no_document_is_edited(made: dict[str, list[Mutant]], kind: str) -> None:
    assert not any(is_document(path) for mutant in made[kind] for path in mutant.changes)


@pytest.mark.parametrize("kind", ["function", "method", "class", "parameter", "option", "env", "config-key", "module"])
def test_the_old_name_is_nowhere_left_in_code(made: dict[str, list[Mutant]], kind: str) -> None:
    for mutant in made[kind]:
        for path, text in FILES.items():
            if not is_document(path):
                assert mutant.old not in mutant.changes.get(path, text).replace(f"{mutant.old}_", "")


@pytest.mark.parametrize("kind", KINDS)
def test_every_stale_line_is_in_a_document_about_the_present(made: dict[str, list[Mutant]], kind: str) -> None:
    for mutant in made[kind]:
        assert mutant.stale
        assert all(path in FILES and is_document(path) and path != "CHANGELOG.md" for path, _ in mutant.stale)


def test_all_mentions_of_a_function_are_stale_but_those_that_tell_of_the_past(made: dict[str, list[Mutant]]) -> None:
    [mutant] = [m for m in made["function"] if m.old == "load_items"]
    assert set(mutant.stale) == {("README.md", 9), ("README.md", 10), ("docs/guide.md", 3), ("docs/old.rst", 7)}
    assert ("CHANGELOG.md", 3) in mutant.tolerated


def test_a_renamed_option_keeps_the_attribute_that_the_program_reads(made: dict[str, list[Mutant]]) -> None:
    [mutant] = [m for m in made["option"] if m.old == "--dry-run"]
    assert 'dest="dry_run"' in mutant.changes["tool/cli.py"]
    assert "args.dry_run" in mutant.changes["tool/cli.py"]


def test_a_changed_default_changes_the_literal_and_nothing_else(made: dict[str, list[Mutant]]) -> None:
    [mutant] = [m for m in made["default"] if m.old == "max_items=250"]
    assert mutant.new == "max_items=500"
    assert mutant.changes == {"tool/cli.py": FILES["tool/cli.py"].replace("default=250", "default=500")}


def test_a_changed_prefix_makes_the_whole_path_stale(made: dict[str, list[Mutant]]) -> None:
    [mutant] = [m for m in made["prefix"] if m.old == "/api/v1"]
    assert mutant.stale == (("README.md", 20),)


def test_a_renamed_heading_makes_the_links_to_it_stale_and_not_itself(made: dict[str, list[Mutant]]) -> None:
    [mutant] = made["heading"]
    assert mutant.stale == (("README.md", 3),)
    assert "[Quick start](#quick-start-here)" in mutant.changes["README.md"]


def test_a_moved_file_is_moved_and_its_users_follow(made: dict[str, list[Mutant]]) -> None:
    [mutant] = [m for m in made["module"] if m.old == "tool.parse_items"]
    assert set(mutant.moves) == {"tool/parse_items.py"}
    assert "parse_items" not in mutant.changes["tests/test_items.py"]


def test_a_name_that_the_docs_define_themselves_is_left_alone() -> None:
    repo = small_repo(docs__own_md="```python\ndef load_items():\n    ...\n```\n")
    assert not [m for m in mutants(repo, seed=1, most=9) if m.kind == "function" and m.old == "load_items"]


def test_a_name_that_is_defined_twice_is_left_alone() -> None:
    repo = small_repo()
    files = {**FILES, "tool/other.py": "def load_items():\n    pass\n"}
    repo = type(repo)(type(repo.snapshot)(files, frozenset(files)), "own/tool")
    assert not [m for m in mutants(repo, seed=1, most=9) if m.kind == "function" and m.old == "load_items"]


def test_the_same_seed_gives_the_same_mutants() -> None:
    first = [(m.kind, m.old, m.new) for m in mutants(small_repo(), seed=7, most=1)]
    assert first == [(m.kind, m.old, m.new) for m in mutants(small_repo(), seed=7, most=1)]


def test_a_new_name_never_contains_the_old_one_as_a_word(made: dict[str, list[Mutant]]) -> None:
    for mutant in (m for kind in ("function", "class", "env", "option") for m in made[kind]):
        assert mutant.old not in mutant.new


def test_a_script_that_a_website_has_too_is_left_alone() -> None:
    scripts = '{"name": "x", "scripts": {"build-it": "make"}}'
    both = {"package.json": scripts, "README.md": "Run `npm run build-it`.\n"}
    for files, expected in ((both, 1), ({**both, "website/package.json": scripts}, 0)):
        repo = Repo(Snapshot(files, frozenset(files)), "own/tool")
        assert len([m for m in mutants(repo, seed=1, most=9) if m.kind == "script"]) == expected


def test_a_module_that_its_package_still_shows_is_left_alone() -> None:
    files = {
        "README.md": "Call `tool.helpers.run()`.\n", "tool/helpers.py": "def run():\n    pass\n",
        "tool/__init__.py": "from tool import helpers\n",
    }  # fmt: skip
    repo = Repo(Snapshot(files, frozenset(files)), "own/tool")
    assert not [m for m in mutants(repo, seed=1, most=9) if m.kind == "module"]


def test_a_folder_with_a_symbolic_link_is_left_alone() -> None:
    files = {"README.md": "Look into `data/lists/`.\n", "data/lists/one.txt": "a\n", "tool.py": "x = 1\n"}
    for links, expected in ((frozenset[str](), 1), (frozenset({"data/lists/two.txt"}), 0)):
        repo = Repo(Snapshot(files, frozenset(files), links), "own/tool")
        assert len([m for m in mutants(repo, seed=1, most=9) if m.kind == "directory" and "lists" in m.old]) == expected


def test_a_package_of_java_that_two_modules_share_is_left_alone() -> None:
    code = "package org.tool.text;\n\npublic class A {\n}\n"
    one = {"README.md": "Use `org.tool.text.A`.\n", "a/src/main/java/org/tool/text/A.java": code}
    for files, expected in ((one, 1), ({**one, "b/src/main/java/org/tool/text/B.java": code.replace("A", "B")}, 0)):
        repo = Repo(Snapshot(files, frozenset(files)), "own/tool")
        assert len([m for m in mutants(repo, seed=1, most=9) if m.kind == "module"]) == expected


def test_a_parameter_with_a_common_name_is_renamed_in_its_function_and_in_the_calls_of_it_alone() -> None:
    code = "def fetch_page(url, timeout=3):\n    return url, timeout\n\n\ndef wait(timeout):\n    return timeout\n\n\nfetch_page('x', timeout=4)\nwait(timeout=5)\n"
    page = "# Tool\n\n```python\nfetch_page(\n    'x',\n    timeout=9,\n)\nwait(timeout=5)\n```\n"
    repo = Repo(Snapshot({"tool/a.py": code, "README.md": page}, frozenset({"tool/a.py", "README.md"})))
    [mutant] = [m for m in mutants(repo, seed=1, most=9) if m.old == "fetch_page(timeout)"]
    changed = mutant.changes["tool/a.py"]
    assert changed.count("timeout") == code.count("timeout") - 3
    assert "wait(timeout=5)" in changed
    assert mutant.stale == (("README.md", 6),)


def test_npm_run_calls_no_script_of_that_name() -> None:
    files = {"package.json": '{"scripts": {"run": "x", "build": "y"}}\n', "README.md": "Call `npm run build`.\n"}
    repo = Repo(Snapshot(files, frozenset(files)))
    assert {m.old for m in mutants(repo, seed=1, most=9)} == {"npm build"}


def test_every_removable_kind_is_also_taken_out_without_replacement() -> None:
    taken_out = [m for kind in KINDS for m in mutants(small_repo(), 1, 2, frozenset([kind]), ("removal",))]
    assert {m.kind for m in taken_out} >= {
        "function",
        "method",
        "class",
        "parameter",
        "option",
        "subcommand",
        "env",
        "script",
        "file",
    }
    assert all(m.new in ("", "/", "/api") and m.variant == "removal" and m.stale for m in taken_out)


def test_a_function_that_is_taken_out_leaves_code_that_can_be_read() -> None:
    [mutant] = [m for m in mutants(small_repo(), 1, 9, frozenset(["function"]), ("removal",)) if m.old == "load_items"]
    assert "load_items" not in "".join(mutant.changes.values())
    for path, text in mutant.changes.items():
        compile(text, path, "exec")
    assert "class ItemStore" in mutant.changes["tool/parse_items.py"]


def test_a_parameter_that_is_taken_out_leaves_its_default_in_its_place() -> None:
    repo = small_repo()
    found = [m for m in mutants(repo, 1, 9, frozenset(["parameter"]), ("removal",)) if m.old == "load_items(page_size)"]
    assert "def load_items(path):" in found[0].changes["tool/parse_items.py"]
    assert "return path, 10" in found[0].changes["tool/parse_items.py"]


def test_a_target_that_is_taken_out_is_called_by_no_other_target() -> None:
    [mutant] = mutants(small_repo(), 1, 1, frozenset(["script"]), ("removal",))
    assert mutant.changes["Makefile"] == "all:\n"


def test_a_name_with_a_word_more_is_a_new_name() -> None:
    affixes = {m.old: m.new for m in mutants(small_repo(), 1, 9, variants=("affix",))}
    assert affixes["load_items"] != "load_items"
    assert "load_items" in affixes["load_items"]
    assert affixes["max_items=250"] == "max_items=251"
    assert affixes["8123"] == "8124"


def test_a_module_that_moves_keeps_its_name() -> None:
    [mutant] = mutants(small_repo(), 1, 1, frozenset(["module"]), ("moved",))
    assert mutant.new.startswith("tool.")
    assert mutant.new.endswith(".parse_items")
    assert mutant.changes["tests/test_items.py"].startswith(f"from {mutant.new} import load_items")
