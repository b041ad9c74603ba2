"""A value of the code changes that a manual tells in a way of its own: as a product, within code, below a title with a sign in it."""

from __future__ import annotations

import pytest

from docalign_actors.engine.roles import is_test
from tests.support.changes import JAVA, NODE, PYTHON, Case, Make, check

_COOKIE = "var Cookie = module.exports = function Cookie(options) {\n  this.path = '/';\n  this.secret = true;\n  this.httpOnly = true;\n};\n"
_LIMITER = "const defaultWindow = 60000\nconst defaultSubnet = 64\n\nfunction limiter (settings) {\n  return settings.window || defaultWindow || settings.subnet || defaultSubnet\n}\n\nmodule.exports = limiter\n"
_TYPES = "import { limiter } from '..'\n\nexpect(limiter).type.toBeCallableWith({ subnet: 64 })\n"
_MOJO = '@Mojo(name = "run")\npublic class RunMojo {\n  /** What properties begin with. */\n  @Parameter(defaultValue = "git")\n  String prefix;\n}\n'

CASES = [
    Case("a number told as a product", ("```js", "limiter({", "  window: 5000, // default 1000 * 60!", "})", "```"),
         {**NODE, "index.js": _LIMITER}, "60000", "30000"),
    Case("of two that are alike the one that is called the default", ("```js", "limiter({", "  subnet: 64, // default 64!", "})", "```"),
         {**NODE, "index.js": _LIMITER, "types/index.tst.ts": _TYPES}, "Subnet = 64", "Subnet = 56"),
    Case("a key of an object in a sentence", ("The default value is", "`{ path: '/', httpOnly: true, secret: true }`.!"),
         {**NODE, "cookie.js": _COOKIE}, "httpOnly = true", "httpOnly = false"),
    Case("the same value of another key", ("The default value is `{ path: '/', secure: true }`.",),
         {**NODE, "cookie.js": _COOKIE}, "httpOnly = true", "httpOnly = false"),
    Case("a word with a mark behind it", ("All of them have the configurable prefix (`git.` by default).!",),
         {**JAVA, "src/main/java/RunMojo.java": _MOJO}, '"git"', '"scm"'),
    Case("below a title that gives it something", ("## `quality=NN`", "", "How good it is. Defaults to `85`.!"),
         {**PYTHON, "tool/conf.py": "class Settings:\n    TOOL_QUALITY = 85\n    quality = TOOL_QUALITY\n"}, "TOOL_QUALITY = 85", "TOOL_QUALITY = 90"),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_line_that_tells_it_is_found(repository: Make, case: Case) -> None:
    check(repository, case)


def test_what_is_asserted_of_types_is_a_test() -> None:
    assert is_test("types/index.tst.ts")
