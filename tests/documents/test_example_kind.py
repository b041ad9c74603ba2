from __future__ import annotations

import pytest

from docalign_actors.engine.kinds.example.kind import ExampleKind
from tests.documents.reading import read


def _flaws(code: str, language: str = "python", before: str = "Run this:") -> list[tuple[str, int]]:
    document = read(f"{before}\n\n```{language}\n{code}\n```\n")
    return [(claim.text, claim.line) for claim in ExampleKind().extract(document) if claim.value]


@pytest.mark.parametrize(
    ("language", "code", "line"),
    [
        ("python", "import x\n\nx.run(1 2)\nx.stop()", "x.run(1 2)"),
        ("python", "import x\n\ns = {a for a in x}\nx.run(1 2)", "x.run(1 2)"),
        ("python", "import x\n\nprint(x)\nx.go()\nx.run(1 2)", "x.run(1 2)"),
        ("json", '{\n  "a": 1\n  "b": 2\n}', '"b": 2'),
        ("toml", "[a]\nb = 1\nc = [1 2]", "c = [1 2]"),
        ("yaml", "a: b\nc: d: e\nf: g", "c: d: e"),
        ("go", "package main\n\nfunc main() {\n\tx := := 1\n}", "x := := 1"),
    ],
)
def test_a_whole_example_that_does_not_parse_is_broken(language: str, code: str, line: str) -> None:
    assert [text for text, _ in _flaws(code, language)] == [line]


@pytest.mark.parametrize(
    ("language", "code"),
    [
        ("python", "import x\n\nprint(x)\nData(\n  user={ size=610 },\n)"), ("python", "import x\n\nprint(x)\n[1 2]"),
        ("python", "import x\n\nx.run(1, 2)"), ("python", "import x\n\nawait x.run()\nreturn 1"), ("python", "import x\n...\nx.run(1 2)"),
        ("python", "import x\nx.run(<your name>)\nx.go(1 2)"), ("python", "$ python\nimport x\n1 2"), ("python", "x.run(1 2)\na\nb"),
        ("python", "import x\nprint 'a'\nx"), ("python", "def f(a):\n\ndef g(b):\n"), ("python", "    import x\n    x.run()\n    x.go()"),
        ("json", '{\n  "a": 1,\n}'), ("json", '{\n  "a": "in" | "out",\n  "b": 1\n}'), ("json", '{\n  // note\n  "a" 1\n}'), ("json", '"a": 1\n"b": 2\n"c": 3'), ("json", '{"a": 1}\n{"b": 2}\n{}'),
        ("yaml", "a: {{ b }}\nc: d: e\nf: g"), ("python", "import x\n1 2"), ("sh", "a\nb (\nc"), ("text", "import x\n1 2\n3"),
        ("python", "# Flip it:\n\npython3 -c \"\nfrom x import y\ny(1)\n\""),
        ("python", "DB=/tmp/x.db python -c \"\nfrom x import y\ny(1)\n\""),
        ("python", "from x import Task\n\nfirst = Task(name: str, command: str,\n    retry: int = 1)"),
        ("python", "class tool.notebook.Bar(tool.Bar):\n    def run(self):\n        pass"),
        ("python", "import x\n\nclass A(x.B):\n    def run(self):\n        {write your own code}"),
        ("python", "import x\n\nx.run()\n\u200e"), ("python", "import x\n$PROMPT = x.y(1 2)\nx"), ("python", "import x\n\nme@home ~ ! @  # a prompt"), ("python", "def f(x):\n    (Very time-consuming computation)\n\nf(1)"), ("rust", "fn f() {\nlet x = ;\n}"), ("toml", "# no binary\nNO_BINARY=flask tool add flask\nA=:all: tool lock"),
    ],
)  # fmt: skip
def test_what_is_right_or_not_whole_is_not_broken(language: str, code: str) -> None:
    assert _flaws(code, language) == []


@pytest.mark.parametrize(
    "before", ["This is wrong:", "This does not work:", "An invalid example:", "It raises an error:"]
)
def test_an_example_of_a_mistake_is_not_broken(before: str) -> None:
    assert _flaws("import x\n\nx.run(1 2)\n", before=before) == []


def test_a_right_example_is_a_claim_that_holds() -> None:
    document = read("```python\nimport x\n\nx.run()\nx.stop()\n```\n")
    assert [claim.value for claim in ExampleKind().extract(document)] == [""]
