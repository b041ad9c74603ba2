"""A variable of a function, a test's own stub, a file among samples: what goes for itself alone takes nothing from the reader."""

from __future__ import annotations

import pytest

from tests.support.changes import NODE, PYTHON, Make
from tests.support.repository import Repository


def told(repo: Repository) -> set[tuple[str, int]]:
    return {(mention.file, mention.line) for finding in repo.drifted(since="HEAD~1") for mention in finding.mentions}


TABLE = """# Tool

```json
{
  "allowlist": [],
  "attributes": [],
  "directives": []
}
```
"""
RULE = """const LIST = []
module.exports = (opts) => {
  const allowlist = opts.allowlist || LIST
  const attributes = opts.attributes || LIST
  const directives = opts.directives || LIST
  return check(allowlist, attributes, directives)
}
"""


def test_a_variable_that_is_renamed_leaves_the_key_that_it_is_read_from(repository: Make) -> None:
    repo = repository({**NODE, "README.md": TABLE, "rule.js": RULE})
    repo.replace("const allowlist", "const raw", "rule.js").replace("check(allowlist", "check(raw", "rule.js").commit()
    assert told(repo) == set()

    repo.replace("opts.allowlist", "opts.allowed", "rule.js").commit()
    assert told(repo) == {("README.md", 5)}


def test_a_key_of_several_words_that_other_code_takes_is_there_though_one_place_gives_another(repository: Make) -> None:
    given = "const options = {\n  Client: S,\n  clientOptions: {},\n  clientCapture: c,\n  disablePrefetch: true\n}\n"
    listed = "- `Client`: one\n- `clientOptions`: two\n- `clientCapture`: three\n- `disablePrefetch`: four\n"
    other = "export const take = (options) => ({ ...options.clientOptions })\n"
    repo = repository({**NODE, "README.md": f"# Tool\n\n{listed}", "use.js": given, "take.js": other})
    repo.replace("clientOptions", "credentials", "use.js").commit()
    assert told(repo) == set()

    repo.replace("clientOptions", "credentials", "take.js").commit()
    assert told(repo) == {("README.md", 4)}


def test_a_test_of_a_package_does_not_define_what_its_readme_names(repository: Make) -> None:
    page = "# Sts\n\n```js\nsts({\n  fetchData: {\n    assumeRole: {}\n  }\n})\n```\n"
    code = "import { STS } from 'aws'\n\nexport const sts = (client, role) => client.assumeRole(role)\n"
    stub = "import { STS } from 'aws'\n\nSTS.prototype.assumeRole = () => {}\n"
    files: dict[str, str | bytes] = {"packages/sts/README.md": page, "packages/sts/package.json": '{"name": "sts"}\n'}
    repo = repository({
        **NODE, **files, "packages/sts/index.js": code,
        "packages/sts/__tests__/index.js": stub,
    })  # fmt: skip
    repo.replace("assumeRole", "send", "packages/sts/index.js")
    repo.replace("assumeRole", "send", "packages/sts/__tests__/index.js").commit()
    assert told(repo) == set()


def test_the_readme_of_a_suite_speaks_of_its_tests(repository: Make) -> None:
    helper = "def start_the_server(port):\n    return port\n"
    repo = repository(
        {**PYTHON, "tests/e2e/README.md": "# Suite\n\n`start_the_server` starts it.\n", "tests/e2e/test_all.py": helper}
    )
    repo.replace("start_the_server", "begin", "tests/e2e/test_all.py").commit()
    assert told(repo) == {("tests/e2e/README.md", 3)}


@pytest.mark.parametrize("own", [True, False])
def test_what_an_example_gives_to_a_function_of_its_own_is_the_examples(repository: Make, *, own: bool) -> None:
    declared = "const cached = options => options.storage\n" if own else "\n"
    example = "const storage = []\n\nuse(cached({\n    cacheKeyOf,\n    storage\n}))\n"
    page = f"# Tool\n\n```js\n{declared}{example}```\n"
    code = "export const cached = (opts) => opts.storage[opts.cacheKeyOf()]\n"
    repo = repository({**NODE, "README.md": page, "index.js": code})
    repo.replace("cacheKeyOf", "keyOf", "index.js").commit()
    assert told(repo) == (set() if own else {("README.md", 8)})


def test_a_variable_that_a_script_gives_itself_is_no_setting_of_it(repository: Make) -> None:
    page = "# Tool\n\nTags are called:\n\n- `$RELEASE` (default)\n- `$STAGE` (where to)\n"
    script = "export RELEASE=$(cat version.txt)\ntag $RELEASE ${STAGE:-test}\n"
    repo = repository({**NODE, "README.md": page, "release.sh": script, "version.txt": "1\n"})
    repo.write({"release.sh": "tag\n"}).commit()
    assert told(repo) == {("README.md", 6)}


def test_a_file_that_code_looks_for_by_its_name_is_the_readers_though_samples_had_one(repository: Make) -> None:
    page = "# Tool\n\nReads `.tool-version` files.\n"
    code = "def find(folder):\n    return folder / '.tool-version'\n"
    repo = repository(
        {**PYTHON, "README.md": page, "tool/find.py": code, "features/one/.tool-version": "1\n", "features/a": ""}
    )
    repo.delete("features/one/.tool-version").commit()
    assert told(repo) == set()

    repo.write({"features/one/.tool-version": "1\n"}).commit()
    repo.delete("features/one/.tool-version").replace(".tool-version", ".tool", "tool/find.py").commit()
    assert told(repo) == {("README.md", 3)}


def test_an_example_that_did_not_parse_before_is_not_broken_by_who_rewrites_a_line_of_it(repository: Make) -> None:
    example = '# Tool\n\n## Options\n\n```json\n{\n  "case": "camel" | "kebab",\n  "other": {}\n}\n```\n'
    repo = repository({**NODE, "README.md": example})
    repo.replace('"camel" | "kebab"', '"kebab" | "camel"', "README.md").commit()
    assert told(repo) == set()

    repo.write({"README.md": example.replace('"camel" | "kebab"', '"kebab"')}).commit()
    repo.write({"README.md": example}).commit()
    assert told(repo) == {("README.md", 7)}


def test_a_name_that_its_file_still_has_was_not_taken_from_a_package_that_never_had_it(repository: Make) -> None:
    page = "# Tool\n\n```python\nfrom tool.search import ProductIndex\n```\n"
    code = "class ProductIndex:\n    size = 1\n"
    files: dict[str, str | bytes] = {"tool/__init__.py": "", "tool/search/__init__.py": ""}
    repo = repository({**PYTHON, **files, "README.md": page, "tool/search/indexes.py": code})
    repo.replace("size = 1", "size = 2", "tool/search/indexes.py").commit()
    assert told(repo) == set()


def test_how_often_a_file_of_data_was_saved_is_no_default(repository: Make) -> None:
    page = "# Tool\n\nThe interval defaults to 10 minutes, the limit to 20.\n"
    data = '{\n  "version": 10,\n  "limit": 20\n}\n'
    repo = repository({**NODE, "README.md": page, "dashboard.json": data})
    repo.replace('"version": 10', '"version": 11', "dashboard.json").commit()
    assert told(repo) == set()
