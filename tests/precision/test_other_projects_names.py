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
    for number in range(20):
        repo.write({"src/other.ts": f"export const n = {number}\n"}).commit()
    assert repo.drifted() == []
