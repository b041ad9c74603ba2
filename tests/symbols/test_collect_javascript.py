"""What a JavaScript or TypeScript file defines, imports and exports."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docalign_actors.engine.code.source import Source
from docalign_actors.engine.code.symbols.javascript import collect
from docalign_actors.engine.facts import FileFacts


def read(text: str, language: str = "javascript") -> FileFacts:
    facts = FileFacts()
    collect(Source("lib/a.js", language, text.encode()), facts)
    return facts


def kinds(facts: FileFacts) -> dict[str, str]:
    return {d.qualname: d.kind for d in facts.definitions}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("function f(a) {}", {"f": "function"}),
        ("const f = (a) => a", {"f": "function"}),
        (
            "class A { run() {} get size() { return 1 } static x = 1 }",
            {"A": "class", "A.run": "method", "A.size": "field", "A.x": "field"},
        ),
        ("A.prototype.run = function () {}", {"A.run": "method"}),
        ("app.use = function use(fn) {}", {"app.use": "method"}),
        ("exports.go = function () {}", {"go": "function"}),
        ("module.exports = { go() {}, get size() { return 1 } }", {"go": "function", "size": "field"}),
        (
            "const o = { run() {}, deep: { x: 1 } }",
            {"o": "constant", "o.run": "method", "o.deep": "field", "o.deep.x": "field"},
        ),
        ("defineGetter(req, 'host', function () { var x = 1 })", {"req.host": "field"}),
        ("function Foo() { this.size = 1 }", {"Foo": "function", "Foo.size": "field"}),
        ("list.map(function (x) { const local = 1; })", {}),
    ],
)
def test_definitions(text: str, expected: dict[str, str]) -> None:
    assert kinds(read(text)) == expected


def test_typescript_members_are_found() -> None:
    facts = read(
        "interface O { port: number; run(a: string): void }\nenum C { Red = 'r', Blue }\ntype T = { x: 1 }",
        "typescript",
    )
    assert kinds(facts) == {
        "O": "type", "O.port": "field", "O.run": "method", "C": "class", "C.Red": "member", "C.Blue": "member", "T": "type", "T.x": "field",
    }  # fmt: skip


def test_the_keys_of_a_destructured_parameter_are_keywords() -> None:
    (definition,) = read("function f({ a, b = 2, ...rest }, c) {}").definitions
    assert [(p.name, p.kind, p.default) for p in definition.params or ()] == [
        ("a", "keyword", None), ("b", "keyword", "2"), ("rest", "kwargs", None), ("c", "positional", None),
    ]  # fmt: skip


def test_exports_of_both_module_systems() -> None:
    assert read("module.exports = { a, b: 1 }").exports == ["a", "b"]
    assert read("export function a() {}\nexport { b as c }\nexport default 1").exports == ["a", "c", "default"]


def test_requires_and_imports_are_imports() -> None:
    facts = read("const { a, b: c } = require('m')\nimport d, { e } from './n'\nexport * from './o'")
    assert [(i.module, i.name, i.alias) for i in facts.imports] == [
        ("m", "a", "a"), ("m", "b", "c"), ("./n", "default", "d"), ("./n", "e", "e"), ("./o", "*", "*"),
    ]  # fmt: skip


def test_exports_made_at_run_time_cannot_be_read() -> None:
    assert "symbols" in read("Object.assign(module.exports, other)").opaque


@given(st.text(max_size=200))
def test_any_text_can_be_read(text: str) -> None:
    read(text)
    read(text, "typescript")
