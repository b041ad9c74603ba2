"""Words that the code defined once and has nowhere now, wherever in the documentation they stand."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.repository import Repository
from tests.symbols.test_symbol_claims import lines, of_mine

PACKAGE = {
    "pyproject.toml": '[project]\nname = "tool"\nversion = "1"\n',
    "tool/__init__.py": "",
    "tool/http.py": (
        "class Request:\n    @property\n    def query_params(self): ...\n    def body(self): ...\n\n\n"
        "class Base:\n    def dispatch(self, request, call_next): ...\n"
    ),
    "tool/workers.py": "class Worker: ...\n",
}


def with_text(tmp_path: Path, text: str) -> Repository:
    return Repository(tmp_path, {**PACKAGE, "README.md": f"# Tool\n\n{text}\n"})


@pytest.mark.parametrize("since", ["", "HEAD~1"])
@pytest.mark.parametrize(
    "text",
    [
        "Read `conn.query_params['q']` first.",
        "Read `conn.query_params.get('q')` first.",
        '```python\nnext_url = conn.query_params.get("next")\n```',
        "```text\nconn.query_params[0]\n```",
    ],
)
def test_an_attribute_of_an_object_of_unknown_class_is_found_gone(tmp_path: Path, text: str, since: str) -> None:
    repo = with_text(tmp_path, text)
    assert of_mine(repo.drifted()) == []
    repo.replace("query_params", "lookup_arguments", "tool/http.py").commit()
    (finding,) = of_mine(repo.drifted(since=since))
    assert finding.rule == "missing-symbol"
    assert len(finding.mentions) == 1


def test_a_word_that_own_code_still_uses_is_not_called_gone(tmp_path: Path) -> None:
    repo = with_text(tmp_path, "Read `conn.query_params['q']` first.")
    repo.replace("def query_params", "def lookup_arguments", "tool/http.py")
    repo.write({"tool/other.py": "def read(conn):\n    return conn.query_params\n"}).commit()
    assert of_mine(repo.drifted()) == []


@pytest.mark.parametrize(
    "text",
    [
        "May raise `tool.workers.Worker`.",
        "See tool.workers for more.",
        "```shell\ngunicorn -k tool.workers.Worker app:app\n```",
        '```toml\nworker_class = "tool.workers.Worker"\n```',
    ],
)
def test_a_renamed_module_is_found_wherever_it_is_written(tmp_path: Path, text: str) -> None:
    repo = with_text(tmp_path, text)
    assert of_mine(repo.drifted()) == []
    repo.move("tool/workers.py", "tool/laborers.py").commit()
    (finding,) = of_mine(repo.drifted())
    assert (finding.mentions[0].replacement or "").startswith("tool.laborers")


def test_a_parameter_of_an_overridden_method_is_found_in_its_body_too(tmp_path: Path) -> None:
    text = (
        "Write `async def dispatch(request, call_next)`.\n\n```python\nfrom tool.http import Base\n\n\n"
        "class Mine(Base):\n    async def dispatch(self, request, call_next):\n        return await call_next(request)\n```"
    )
    repo = with_text(tmp_path, text)
    repo.replace("call_next", "invoke_following", "tool/http.py").commit()
    assert lines(repo.drifted()) == {"wrong-signature": [3, 10, 11]}


def test_an_overriding_method_may_name_its_parameters_freely(tmp_path: Path) -> None:
    text = (
        "```python\nfrom tool.http import Base\n\n\n"
        "class Mine(Base):\n    async def dispatch(self, request, next_handler): ...\n```"
    )
    repo = with_text(tmp_path, text)
    assert of_mine(repo.drifted()) == []


def test_a_sentence_that_names_a_class_does_not_own_the_methods_in_it(tmp_path: Path) -> None:
    repo = with_text(tmp_path, "Gson calls `serialize()` when it meets one.")
    repo.write(
        {"tool/gson.py": "class Gson:\n    def serialize(self): ...\n\n\nclass Writer:\n    def serialize(self): ...\n"}
    )
    repo.commit()
    repo.write(
        {"tool/gson.py": "class Gson:\n    def put(self): ...\n\n\nclass Writer:\n    def serialize(self): ...\n"}
    )
    repo.commit()
    assert of_mine(repo.drifted()) == []


def test_an_example_that_wraps_a_function_under_its_own_name_still_calls_it(tmp_path: Path) -> None:
    text = "```python\ndef make_server():\n    return helpers.make_server(\n        keep_alive=1,\n    )\n```"
    repo = with_text(tmp_path, text)
    repo.write({"tool/helpers.py": "def make_server(*, keep_alive=0): ...\n"}).commit()
    repo.replace("keep_alive", "stay_open", "tool/helpers.py").commit()
    assert lines(repo.drifted()) == {"wrong-signature": [6]}


def test_a_package_that_answers_to_a_name_at_run_time_has_it_still(tmp_path: Path) -> None:
    repo = with_text(tmp_path, "Call `tool.open_stream` for it.")
    repo.write(
        {"tool/http.py": "def open_stream(): ...\n", "tool/__init__.py": "from .http import open_stream\n"}
    ).commit()
    lazy = "def __getattr__(name):\n    if name == 'open_stream':\n        from .http import _open_stream\n        return _open_stream\n    raise AttributeError(name)\n"
    repo.write({"tool/http.py": "def _open_stream(): ...\n", "tool/__init__.py": lazy}).commit()
    assert of_mine(repo.drifted()) == []


JAVA = {
    "pom.xml": "<project><groupId>org.tool</groupId><artifactId>tool</artifactId><version>1</version></project>\n",
    "src/main/java/org/tool/Main.java": "package org.tool;\npublic class Main { }\n",
    "src/main/java/org/tool/reflect/TypeToken.java": "package org.tool.reflect;\npublic class TypeToken { }\n",
}


@pytest.mark.parametrize(
    "text", ["Use `org.tool.reflect.TypeToken`.", "```\n-keep class org.tool.reflect.TypeToken\n```"]
)
def test_a_renamed_java_package_is_found(tmp_path: Path, text: str) -> None:
    repo = Repository(tmp_path, {**JAVA, "README.md": f"# Tool\n\n{text}\n"})
    assert of_mine(repo.drifted()) == []
    repo.replace("org.tool.reflect", "org.tool.shard", "src/main/java/org/tool/reflect/TypeToken.java")
    repo.move("src/main/java/org/tool/reflect/TypeToken.java", "src/main/java/org/tool/shard/TypeToken.java").commit()
    assert "missing-symbol" in lines(repo.drifted())


def test_the_page_of_a_go_package_that_is_gone_is_found(tmp_path: Path) -> None:
    files = {
        "go.mod": "module example.org/tool\n\ngo 1.22\n",
        "main.go": "package main\n",
        "hooks/hooks.go": "package hooks\n\ntype Observer struct{}\n",
        "README.md": "# Tool\n\nSee [Observer](https://pkg.go.dev/example.org/tool/hooks#Observer).\n",
    }
    repo = Repository(tmp_path, dict(files))
    assert of_mine(repo.drifted()) == []
    repo.move("hooks/hooks.go", "panel/hooks.go").commit()
    assert lines(repo.drifted()) == {"wrong-import": [3]}


def test_a_variable_of_an_example_in_no_known_language_is_its_own(tmp_path: Path) -> None:
    repo = with_text(tmp_path, "```\nquery_params = make(1)\nquery_params.defer()\n```")
    repo.replace("query_params", "lookup_arguments", "tool/http.py").commit()
    assert of_mine(repo.drifted()) == []


def test_a_keyword_that_one_overload_of_a_constructor_takes_is_taken(tmp_path: Path) -> None:
    repo = with_text(tmp_path, "```python\nfrom tool.retry import Decision\n\nDecision(retry_in=1)\n```")
    overloads = (
        "from typing import overload\n\n\nclass Decision:\n    @overload\n    def __init__(self, *, retry_at=None): ...\n"
        "    @overload\n    def __init__(self, *, retry_in=None): ...\n    def __init__(self, *, retry_at=None, retry_in=None): ...\n"
    )
    repo.write({"tool/retry.py": "class Decision:\n    def __init__(self, *, retry_in=None): ...\n"}).commit()
    repo.write({"tool/retry.py": overloads}).commit()
    assert of_mine(repo.drifted()) == []
