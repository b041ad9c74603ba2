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
    example = '# Tool\n\n## Options\n\n```json\n{\n  "case": "camel" "kebab",\n  "other": {}\n}\n```\n'
    repo = repository({**NODE, "README.md": example})
    repo.replace('"camel" "kebab"', '"kebab" "camel"', "README.md").commit()
    assert told(repo) == set()

    repo.write({"README.md": example.replace('"camel" "kebab"', '"kebab"')}).commit()
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


def test_what_an_example_hands_over_by_its_place_is_its_own_variable(repository: Make) -> None:
    page = "# Tool\n\n```python\nnet.fit(X_train, X_valid)\n```\n\n```python\nnet.check(X_valid=rows)\n```\n"
    code = (
        "class Net:\n    def fit(self, *rows):\n        pass\n\n    def check(self, X_valid):\n        return X_valid\n"
    )
    repo = repository({**PYTHON, "README.md": page, "tool/__init__.py": "", "tool/net.py": code})
    repo.replace("X_valid", "dataset_valid", "tool/net.py").commit()
    assert told(repo) == {("README.md", 8)}


def test_what_a_docstrings_example_calls_is_defined_nowhere(repository: Make) -> None:
    page = "# Tool\n\n`user.set_secret_word` of your model is called.\n"
    code = 'def after(user):\n    """Called after.\n\n        user.set_secret_word("x")\n        "set_secret_word": 1\n    """\n    return user\n'
    repo = repository({**PYTHON, "README.md": page, "tool/__init__.py": "", "tool/hooks.py": code})
    repo.replace("set_secret_word", "set_word", "tool/hooks.py").commit()
    assert told(repo) == set()


def test_what_one_run_printed_tells_of_that_run(repository: Make) -> None:
    page = "# Tool\n\n```\nBUILD {'two': <tool.DeclarationWrapper object at 0x1e15610>}\n```\n\nSee `DeclarationWrapper`.\n"
    repo = repository({**PYTHON, "README.md": page, "tool/__init__.py": "class DeclarationWrapper:\n    pass\n"})
    repo.replace("DeclarationWrapper", "Wrapped", "tool/__init__.py").commit()
    assert told(repo) == {("README.md", 7)}


def test_what_code_no_longer_gives_to_an_element_is_the_elements(repository: Make) -> None:
    page = "# Tool\n\n```html\n<iframe\n  allowfullscreen\n  allowtransparency\n  autofocus\n></iframe>\n```\n"
    lines = "".join(
        f"  frame.setAttribute('{name}', '');\n" for name in ("allowfullscreen", "allowtransparency", "autofocus")
    )
    repo = repository({**NODE, "README.md": page, "embed.js": f"export function embed(frame) {{\n{lines}}}\n"})
    repo.replace("  frame.setAttribute('allowtransparency', '');\n", "", "embed.js").commit()
    assert told(repo) == set()


def test_php_finds_a_method_in_whatever_case_it_is_written(repository: Make) -> None:
    page = "# Tool\n\nCall `$factory->setGlobTtl(2)` and `$factory->setRootPath('/')`.\n"
    code = "<?php\nclass Factory {\n  public function setGlobTtl($ttl) {}\n  public function setRootPath($path) {}\n}\n"
    repo = repository({"composer.json": '{"name": "a/tool"}\n', "README.md": page, "src/Factory.php": code})
    repo.replace("setGlobTtl", "setGlobTTL", "src/Factory.php").commit()
    assert told(repo) == set()
    repo.replace("setRootPath", "setRoot", "src/Factory.php").commit()
    assert told(repo) == {("README.md", 3)}


def test_a_list_of_codes_is_no_number_with_thousands(repository: Make) -> None:
    page = "# Tool\n\n| Option | Default |\n|---|---|\n| `--codes` | `200,204,301,302,307` |\n"
    code = "import argparse\n\nparser = argparse.ArgumentParser(prog='tool')\nparser.add_argument('--codes', default='200,204,301,302,307')\n"
    repo = repository({**PYTHON, "README.md": page, "tool/__init__.py": "", "tool/cli.py": code})
    repo.replace("302,307", "302,307,401,403", "tool/cli.py").commit()
    (finding,) = repo.drifted(since="HEAD~1")
    assert finding.fix is None or finding.fix.replacement == "200,204,301,302,307,401,403"


def test_a_member_of_another_class_than_the_text_names_is_no_loss_of_it(repository: Make) -> None:
    page = "See `Response::NOTHING` and `Logger::ERRORED`.\n"
    code = (
        "<?php\nclass Response {\n  public function end() {}\n}\n"
        "class Logger {\n  const ERRORED = 1;\n  public function flushAll() {}\n}\nclass Code {\n  const NOTHING = 0;\n}\n"
    )
    repo = repository({"composer.json": '{"name": "a/tool"}\n', "docs/response.md": page, "src/all.php": code})
    repo.write(
        {"src/all.php": "<?php\nclass Response {\n  public function end() {}\n}\nclass Logger {}\nclass Code {}\n"}
    ).commit()
    assert {finding.claim for finding in repo.drifted(since="HEAD~1")} == {"Logger::ERRORED"}


def test_a_class_that_the_document_lets_the_reader_write_is_his(repository: Make) -> None:
    page = (
        "# Tool\n\n```python\nrun(style=DocumentStyle)\n```\n\nFor that, write:\n\n"
        "```python\nclass DocumentStyle(Style):\n    pass\n```\n"
    )
    code = "class DocumentStyle:\n    pass\n\n\ndef run(style):\n    return style\n"
    repo = repository({**PYTHON, "README.md": page, "tool/__init__.py": code})
    repo.replace("class DocumentStyle:\n    pass\n\n\n", "", "tool/__init__.py").commit()
    assert ("README.md", 4) not in told(repo)


def test_the_name_of_a_file_is_not_that_of_a_function(repository: Make) -> None:
    page = "# Work\n\n```sh\ncd core; python3 run_all_tests.py --debug\n```\n\nCall `run_all_tests`.\n"
    script = "run_all_tests() {\n  echo 1\n}\nrun_all_tests\n"
    repo = repository({**PYTHON, "CONTRIBUTING.md": page, "core/run_all_tests.py": "x = 1\n", "scripts/ci.sh": script})
    repo.replace("run_all_tests", "run_tests", "scripts/ci.sh").commit()
    assert ("CONTRIBUTING.md", 4) not in told(repo)


def test_what_an_option_is_given_says_nothing_of_defaults(repository: Make) -> None:
    page = "# Tool\n\n```sh\ntool card create --type default --timeout 10\n```\n\nThe default timeout is 10.\n"
    code = "def ask(url, timeout=10):\n    return url, timeout\n"
    repo = repository({**PYTHON, "README.md": page, "tool/__init__.py": code})
    repo.replace("timeout=10", "timeout=60", "tool/__init__.py").commit()
    assert told(repo) == {("README.md", 7)}


def test_a_key_below_another_one_is_not_of_its_kind(repository: Make) -> None:
    page = '# Tool\n\n```json\n{\n  "patterns": [],\n  "priority": 1,\n  "lifecycle": {\n    "retention": "7d"\n  },\n  "meta": {}\n}\n```\n'
    fields = '    "patterns",\n    "priority",\n    "retention",\n    "meta",\n'
    code = f"FIELDS = [\n{fields}]\n"
    repo = repository({**PYTHON, "README.md": page, "tool/__init__.py": code})
    repo.replace('    "retention",\n', "", "tool/__init__.py").commit()
    assert told(repo) == set()
    repo.replace('    "priority",\n', "", "tool/__init__.py").commit()
    assert told(repo) == {("README.md", 6)}
