"""What went and is named by documents yet is missed: parameters."""

from __future__ import annotations

import pytest

from tests.support.changes import BOTH, NODE, PYTHON, Make

PROJECT = '[project]\nname = "tool"\nversion = "1"\n\n[project.scripts]\ntool = "tool.cli:main"\n'


@BOTH
def test_a_parameter_of_one_word_that_is_nowhere_any_more_is_missed_as_an_argument(
    repository: Make, since: str
) -> None:
    code = "class Wall:\n    def strings(self, jsonformat=False, verbose=False):\n        return jsonformat\n\n    def poll(self, api, jsonformat=False):\n        return api\n"
    text = (
        "# Tool\n\n* pw.strings(jsonformat=True)\n\nIt is a string if `jsonformat=True`, and jsonformat is a word.\n\n```\nFunctions\n"
        "    poll(api, jsonformat)   # Returns data\n    other(jsonformat)\n```\n"
    )
    repo = repository({"README.md": text, "tool/__init__.py": "", "tool/wall.py": code})
    repo.replace("jsonformat", "as_json", "tool/wall.py").commit()
    assert repo.stale_lines(since=since) == {("README.md", 3), ("README.md", 5), ("README.md", 9)}


@BOTH
def test_a_parameter_of_a_signature_with_types_and_defaults_is_one(repository: Make, since: str) -> None:
    page = (
        "Tool\n====\n\n.. class:: CallTrace(func: Callable, arg_types: Dict[str, type], "
        "return_type: Optional[type] = None, yield_type: Optional[type] = None)\n\n  One call.\n"
    )
    code = (
        "class CallTrace:\n    def __init__(self, func: Callable, arg_types: dict, return_type: type = None, yield_type: type = None):\n"
        "        self.return_type = return_type\n        self.yield_type = yield_type\n"
    )
    repo = repository({"doc/tool.rst": page, "tool/trace.py": code, "pyproject.toml": PROJECT})
    repo.replace("return_type: type = None, ", "", "tool/trace.py")
    repo.replace("self.return_type = return_type", "self.return_type = None", "tool/trace.py").commit()
    assert repo.stale_lines(since=since) == {("doc/tool.rst", 4)}


def test_what_is_to_be_rewritten_without_a_name_may_do_without_it(repository: Make) -> None:
    page = """# Streams

The answers have to be rewritten without the `call_next` parameter.

`Layer.dispatch` is given `call_next`.
"""
    layer = "class Layer:\n    def dispatch(self, request, call_next):\n        return call_next(request)\n"
    repo = repository({"docs/streams.md": page, "app/layer.py": layer, "app/__init__.py": ""})
    repo.write({"app/layer.py": "class Layer:\n    def dispatch(self, request):\n        return request\n"}).commit()
    assert repo.stale_lines(since="HEAD~1") == {("docs/streams.md", 5)}


def test_a_field_that_moved_to_a_parent_is_still_taken_by_its_children(repository: Make) -> None:
    old = "from dataclasses import dataclass\n\n\n@dataclass\nclass Agent:\n    name: str\n    tools: list\n    budget: int\n"
    new = (
        "from dataclasses import dataclass\n\n\n@dataclass\nclass Base:\n    name: str\n    tools: list\n\n\n"
        "@dataclass\nclass Agent(Base):\n    cost: int\n"
    )
    files: dict[str, str | bytes] = {"README.md": "# App\n", "app/__init__.py": "from app.agent import Agent\n"}
    repo = repository({**files, "app/agent.py": old})
    repo.write({"app/agent.py": new}).commit()
    repo.write(
        {
            "docs/use.md": "# Use\n\n```python\nfrom app import Agent\n\nAgent(name='a', tools=[])\nAgent(budget=1)\n```\n"
        }
    )
    repo.commit()
    assert repo.stale_lines(since="HEAD~1") == {("docs/use.md", 7)}


@pytest.mark.parametrize("own", [True, False])
def test_what_an_example_gives_to_a_function_of_its_own_is_the_examples(repository: Make, *, own: bool) -> None:
    declared = "const cached = options => options.storage\n" if own else "\n"
    example = "const storage = []\n\nuse(cached({\n    cacheKeyOf,\n    storage\n}))\n"
    page = f"# Tool\n\n```js\n{declared}{example}```\n"
    code = "export const cached = (opts) => opts.storage[opts.cacheKeyOf()]\n"
    repo = repository({**NODE, "README.md": page, "index.js": code})
    repo.replace("cacheKeyOf", "keyOf", "index.js").commit()
    assert repo.stale_lines(since="HEAD~1") == (set() if own else {("README.md", 8)})


def test_what_an_example_hands_over_by_its_place_is_its_own_variable(repository: Make) -> None:
    page = "# Tool\n\n```python\nnet.fit(X_train, X_valid)\n```\n\n```python\nnet.check(X_valid=rows)\n```\n"
    code = (
        "class Net:\n    def fit(self, *rows):\n        pass\n\n    def check(self, X_valid):\n        return X_valid\n"
    )
    repo = repository({**PYTHON, "README.md": page, "tool/__init__.py": "", "tool/net.py": code})
    repo.replace("X_valid", "dataset_valid", "tool/net.py").commit()
    assert repo.stale_lines(since="HEAD~1") == {("README.md", 8)}
