"""What a Python file defines, imports and exports."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from docalign_actors.engine.code.source import Source
from docalign_actors.engine.code.symbols.python import collect
from docalign_actors.engine.facts import Definition, FileFacts


def read(text: str, path: str = "pkg/mod.py") -> FileFacts:
    facts = FileFacts()
    collect(Source(path, "python", text.encode()), facts)
    return facts


def named(facts: FileFacts, qualname: str) -> Definition:
    return next(d for d in facts.definitions if d.qualname == qualname)


def test_a_method_is_qualified_by_its_class_and_loses_self() -> None:
    method = named(read("class A:\n    def run(self, x, *, y=3): ...\n"), "A.run")
    assert method.kind == "method"
    assert [(p.name, p.kind, p.default) for p in method.params or ()] == [
        ("x", "positional", None),
        ("y", "keyword", "3"),
    ]


def test_kwargs_and_varargs_are_told_apart() -> None:
    function = named(read("def f(a, *rest, b, **more): ...\n"), "f")
    assert [(p.name, p.kind) for p in function.params or ()] == [
        ("a", "positional"), ("rest", "varargs"), ("b", "keyword"), ("more", "kwargs"),
    ]  # fmt: skip


def test_what_a_method_puts_on_self_is_a_field() -> None:
    assert named(read("class A:\n    def __init__(self):\n        self.size = 4\n"), "A.size").kind == "field"


def test_a_property_is_a_field() -> None:
    assert named(read("class A:\n    @property\n    def size(self): ...\n"), "A.size").kind == "field"


def test_a_dataclass_field_keeps_its_default() -> None:
    facts = read("@dataclass\nclass A:\n    port: int = 80\n    name: str = field(default='x')\n")
    assert (named(facts, "A.port").value, named(facts, "A.name").value) == ("80", "x")
    assert named(facts, "A").decorators == ("dataclass",)


def test_bases_are_kept_without_type_arguments() -> None:
    assert named(read("class A(base.B, Generic[T], metaclass=M): ...\n"), "A").bases == ("base.B", "Generic", "?")


def test_a_package_shows_what_it_imports() -> None:
    facts = read("from .core import run as go\nimport os.path\n", "pkg/__init__.py")
    assert [(i.module, i.name, i.alias, i.exported) for i in facts.imports] == [
        (".core", "run", "go", True), ("os.path", "", "os.path", True),
    ]  # fmt: skip


def test_all_is_the_list_of_exports() -> None:
    assert read("__all__ = ['a', 'b']\n__all__ += ['c']\n").exports == ["a", "b", "c"]


def test_a_module_with_getattr_cannot_be_read_whole() -> None:
    assert "symbols" in read("def __getattr__(name): ...\n").opaque


def test_a_class_with_getattr_does_not_make_its_module_unreadable() -> None:
    assert "symbols" not in read("class A:\n    def __getattr__(self, name): ...\n").opaque


def test_names_inside_conditions_are_found() -> None:
    facts = read("try:\n    import x\nexcept ImportError:\n    def f(): ...\nif A:\n    LIMIT = 3\n")
    assert {d.qualname for d in facts.definitions} == {"f", "LIMIT"}


def test_deep_nesting_does_not_break_the_collector() -> None:
    text = "".join(" " * n + f"class C{n}:\n" for n in range(300)) + " " * 300 + "x = 1\n"
    assert read(text).definitions


@given(st.text(max_size=200))
def test_any_text_can_be_read(text: str) -> None:
    for definition in read(text).definitions:
        assert definition.qualname.endswith(definition.name)
