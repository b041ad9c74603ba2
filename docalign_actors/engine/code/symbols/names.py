"""Names of functions, types, methods, constants and fields in C, C++, C#, Ruby, PHP, Kotlin, Swift and shell.

One query a language; what a capture is called is the kind of definition that it gives. Two kinds of capture more:
`package` names what the whole file belongs to, and `local` is a body whose variables nobody outside can name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from tree_sitter import Node

from docalign_actors.engine.code.source import Source, holds_any, line_of, text_of
from docalign_actors.engine.code.symbols import declarators
from docalign_actors.engine.code.symbols.nesting import (
    Nesting,
    Scope,
    add,
    bare,
    in_order,
    is_hopeless,
    literal,
    name_of,
    within,
)
from docalign_actors.engine.code.symbols.parameters import parameters
from docalign_actors.engine.code.symbols.recovery import recovered
from docalign_actors.engine.facts import Definition, FileFacts

_QUERIES = {
    "c": declarators.C_QUERY,
    "cpp": declarators.CPP_QUERY,
    "csharp": """
        [(namespace_declaration) (file_scoped_namespace_declaration)] @package
        [(class_declaration) (struct_declaration) (interface_declaration) (record_declaration) (enum_declaration)] @class
        [(method_declaration) (constructor_declaration) (local_function_statement)] @function
        (delegate_declaration) @type
        [(field_declaration) (event_field_declaration) (property_declaration) (event_declaration)] @field
        (record_declaration (parameter_list (parameter) @field))
        (enum_member_declaration) @member
        """,
    "ruby": """
        (module) @module
        (class) @class
        [(method) (singleton_method) (alias)] @function
        (assignment) @constant
        """,
    "php": """
        (namespace_definition) @package
        [(class_declaration) (interface_declaration) (trait_declaration) (enum_declaration)] @class
        [(function_definition) (method_declaration)] @function
        (const_element) @constant
        ((function_call_expression function: (name) @_f) @constant (#eq? @_f "define"))
        [(property_element) (property_promotion_parameter)] @field
        (enum_case) @member
        """,
    "kotlin": """
        (package_header) @package
        [(class_declaration) (object_declaration)] @class
        (function_declaration) @function
        [(property_declaration) (class_parameter)] @field
        (enum_entry) @member
        (type_alias) @type
        [(lambda_literal) (anonymous_initializer) (secondary_constructor)] @local
        """,
    "swift": """
        [(class_declaration) (protocol_declaration)] @class
        [(function_declaration) (protocol_function_declaration) (init_declaration)] @function
        [(property_declaration) (protocol_property_declaration)] @field
        (enum_entry) @member
        (typealias_declaration) @type
        [(lambda_literal) (deinit_declaration)] @local
        """,
    "shell": """
        (function_definition) @function
        (variable_assignment) @constant
        """,
}
_RUBY_CALLS = {
    b"attr_accessor": "field", b"attr_reader": "field", b"attr_writer": "field",
    b"mattr_accessor": "field", b"mattr_reader": "field", b"mattr_writer": "field",
    b"cattr_accessor": "field", b"cattr_reader": "field", b"cattr_writer": "field",
    b"class_attribute": "field", b"config_accessor": "field",
    b"define_method": "function", b"alias_method": "function", b"def_delegators": "function", b"def_delegator": "function",
}  # fmt: skip
"""What a call of these defines. Looked up here: a query that looks into calls takes eight times as long to compile."""
_RUBY_DEFINERS = (b"attr_", b"class_attribute", b"config_accessor", b"define_method", b"alias_method", b"def_delegator")
"""Without one of these the calls of a file define nothing."""
_MODIFIERS = frozenset({"modifier", "modifiers", "visibility_modifier", "storage_class_specifier", "static_modifier"})
_HIDDEN = {
    "c": {"static"}, "cpp": {"static"}, "php": {"private"}, "kotlin": {"private", "internal"}, "swift": {"private", "fileprivate"},
}  # fmt: skip
_BASES = frozenset({
    "base_list", "superclass", "base_clause", "class_interface_clause", "delegation_specifiers",
    "inheritance_specifier", "base_class_clause",
})  # fmt: skip
_SURELY_CPP = re.compile(
    rb"^[ \t]*(namespace[ \t]+\w+|template[ \t]*<|class[ \t]+\w+[ \t]*[{:]|(public|private|protected):)", re.MULTILINE
)
_PERHAPS_CPP = re.compile(rb"^[ \t]*(class|namespace|template|using|constexpr|inline[ \t]+namespace)\b", re.MULTILINE)
_CSHARP_OPEN = frozenset({"enum_member_declaration", "namespace_declaration", "parameter"})
_NAMES_IN_A_FILE = 50_000

Named = tuple[Node, Node | None]
"""The node of a name, and of the value that the named thing starts with."""


def collect(source: Source, facts: FileFacts) -> None:
    """Fills `definitions`."""
    if source.language == "c" and source.path.endswith(".h") and _is_cpp(source):
        source = Source(source.path, "cpp", source.data)
    nesting = Nesting()
    strays = _strays(source)
    for node, capture in in_order(source, _query(source)):
        capture = _defined_by(node) if capture == "call" else capture
        if not capture:
            continue
        scope = nesting.at(node)
        if scope is None or capture.startswith("_") or node.id in strays:
            continue
        if len(facts.definitions) > _NAMES_IN_A_FILE:
            facts.notes.append(f"more than {_NAMES_IN_A_FILE:,} names: the rest not read")
            break
        if capture == "local":
            nesting.open(node, scope.qualname, "function", public=False)
        else:
            facts.definitions.extend(_read(node, capture, scope, nesting, source.language))
    add(facts, recovered(source, facts.definitions))


def _query(source: Source) -> str:
    calls = source.language == "ruby" and holds_any(source.data, _RUBY_DEFINERS)
    return _QUERIES[source.language] + ("(call) @call" if calls else "")


def _defined_by(call: Node) -> str:
    """What a call of Ruby defines, "" for nothing."""
    method = call.child_by_field_name("method")
    return _RUBY_CALLS.get(method.text or b"", "") if method is not None and method.type == "identifier" else ""


def _is_cpp(header: Source) -> bool:
    """A `.h` file may be either: C++ by its words, or because it does not parse as C."""
    return bool(
        _SURELY_CPP.search(header.data) or (_PERHAPS_CPP.search(header.data) and header.tree.root_node.has_error)
    )


def _strays(source: Source) -> frozenset[int]:
    """Local variables of C functions that did not parse. In C++ they might as well be members of a class that did not."""
    if source.language != "c" or is_hopeless(source) or not source.tree.root_node.has_error:
        return frozenset()
    return frozenset(node.id for node, _ in in_order(source, declarators.STRAY_QUERY))


def _read(node: Node, capture: str, scope: Scope, nesting: Nesting, language: str) -> Iterator[Definition]:
    if node.type == "property_promotion_parameter":
        scope = Scope(scope.end, scope.qualname.rpartition(".")[0], "class")
    local = scope.kind == "function"
    public = scope.public and not local and _public(node, scope, language)
    if language in ("c", "cpp"):
        found = declarators.read(node, capture, scope)
    else:
        named_kind = _kind(capture, scope, language)
        found = (
            (named_kind, name, _qualified(name, scope, named_kind), value, node)
            for name, value in _named(node, language)
        )
    opened = capture == "package"
    for kind, name_node, qualname, value, called in found:
        name = qualname.rpartition(".")[2]
        # A local variable is nobody's business; a function or class inside a function can still be spoken of.
        if not name or (local and kind in ("constant", "field", "type", "local")):
            continue
        if not _is_extension(node):
            params = parameters(called, language) if kind in ("function", "method", "macro") else None
            bases = tuple(_bases(node)) if kind == "class" else ()
            text = value if isinstance(value, str) else literal(value) if params is None else None
            yield Definition(name, qualname, kind, line_of(name_node), params, text, bases, public)
        if not opened and (inner := _opens(kind, node)):
            opened = True
            nesting.open(node, qualname, "interface" if "interface" in node.type else inner, public)


def _opens(kind: str, node: Node) -> str:
    """The kind of scope that a definition is, "" if it is none."""
    if kind in ("class", "module"):
        return kind
    if kind in ("function", "method") or node.type == "property_declaration":
        return "function"
    return ""


def _kind(capture: str, scope: Scope, language: str) -> str:
    if capture == "package":
        return "module"
    if capture == "function":
        in_type = scope.kind in ("class", "interface") or (language == "ruby" and scope.kind == "module")
        return "method" if in_type and scope.qualname else "function"
    # What other languages call a property is a constant where nothing owns it.
    return "constant" if capture == "field" and not scope.qualname else capture


def _qualified(name: Node, scope: Scope, kind: str) -> str:
    """`A::B`, `A\\B` and `$x` in the spelling that every language shares: `A.B`, `x`."""
    text = name_of(name).replace("::", ".").replace("\\", ".").lstrip("$:@").strip("'\"`")
    return text if kind == "module" and "." in text else within(scope, text) if text else ""


def _named(node: Node, language: str) -> list[Named]:
    finder = _FINDERS.get((language, node.type))
    if finder is not None:
        return finder(node)
    name = node.child_by_field_name("name")
    value = (
        node.child_by_field_name("value")
        or node.child_by_field_name("default_value")
        or node.child_by_field_name("raw_value")
    )
    return [(name, value)] if name is not None else []


def _public(node: Node, scope: Scope, language: str) -> bool:
    words = {word for child in node.children if child.type in _MODIFIERS for word in text_of(child)[:200].split()}
    if language == "csharp":
        open_by_default = scope.kind == "interface" or node.type in _CSHARP_OPEN
        return open_by_default or node.type.startswith("file_scoped") or bool(words & {"public", "protected"})
    if language == "cpp" and scope.kind == "class":
        return True
    return not words & _HIDDEN.get(language, set())


def _bases(node: Node) -> Iterator[str]:
    for clause in node.named_children:
        if clause.type in _BASES:
            for part in clause.named_children:
                name = bare(name_of(part).split("(", 1)[0]).replace("::", ".").replace("\\", ".").lstrip(".")
                if name and part.type != "access_specifier":
                    yield name


def _is_extension(node: Node) -> bool:
    """Swift's `extension Foo`: a scope named Foo, but not the place where Foo is defined."""
    declared = node.child_by_field_name("declaration_kind") if node.type == "class_declaration" else None
    return declared is not None and declared.type == "extension"


def _below(node: Node, *kinds: str) -> list[Node]:
    return [child for child in node.named_children if child.type in kinds]


def _csharp_fields(node: Node) -> list[Named]:
    found: list[Named] = []
    for declarator in (d for v in _below(node, "variable_declaration") for d in _below(v, "variable_declarator")):
        name, inside = declarator.child_by_field_name("name"), declarator.named_children
        if name is not None:
            found.append((name, inside[-1] if len(inside) > 1 else None))
    return found


def _ruby_constant(node: Node) -> list[Named]:
    left = node.child_by_field_name("left")
    return [(left, node.child_by_field_name("right"))] if left is not None and left.type == "constant" else []


def _ruby_arguments(node: Node) -> list[Named]:
    """`attr_reader :a, :b`, `define_method(:a)`: the symbols are the names."""
    method, listed = name_of(node.child_by_field_name("method")), node.child_by_field_name("arguments")
    symbols = _below(listed, "simple_symbol") if listed is not None else []
    if method in ("define_method", "alias_method"):
        symbols = symbols[:1]
    elif method == "def_delegators":
        symbols = symbols[1:]
    elif method == "def_delegator":
        symbols = symbols[-1:]
    return [(symbol, None) for symbol in symbols]


def _php_constant(node: Node) -> list[Named]:
    """`const A = 1`, `define('A', 1)`."""
    if node.type == "const_element":
        inside = node.named_children
    else:
        listed = node.child_by_field_name("arguments")
        inside = (
            [child for a in _below(listed, "argument") for child in a.named_children[:1]] if listed is not None else []
        )
        if not inside or inside[0].type not in ("string", "encapsed_string"):
            return []
    return [(inside[0], inside[1] if len(inside) > 1 else None)] if inside else []


def _kotlin_property(node: Node) -> list[Named]:
    if node.type == "class_parameter" and not any(child.type in ("val", "var") for child in node.children):
        return []
    holders = _below(node, "variable_declaration") or [node]
    names = [child for holder in holders for child in _below(holder, "identifier")[:1]]
    value = node.named_children[-1] if node.named_children else None
    return [(name, value) for name in names]


def _first_identifier(node: Node) -> list[Named]:
    return [
        (child, None)
        for child in _below(node, "identifier", "qualified_identifier", "type_identifier", "namespace_name")[:1]
    ]


def _swift_names(node: Node) -> list[Named]:
    """`var a = 1, b = 2`, `case a, b`: names and values stand side by side."""
    found: list[Named] = []
    for index, child in enumerate(node.children):
        field = node.field_name_for_child(index)
        if field == "name" and child.type in ("pattern", "simple_identifier"):
            found.append((child.child_by_field_name("bound_identifier") or child, None))
        elif field in ("value", "raw_value") and found:
            found[-1] = (found[-1][0], child)
    return found


def _swift_init(node: Node) -> list[Named]:
    return [(child, None) for child in node.children if child.type == "init"]


def _shell_variable(node: Node) -> list[Named]:
    """`A=1`, but not `A=1 command`."""
    name, parent = node.child_by_field_name("name"), node.parent
    return (
        [(name, node.child_by_field_name("value"))]
        if name is not None and parent is not None and parent.type != "command"
        else []
    )


_FINDERS: dict[tuple[str, str], Callable[[Node], list[Named]]] = {
    ("csharp", "field_declaration"): _csharp_fields,
    ("csharp", "event_field_declaration"): _csharp_fields,
    ("ruby", "assignment"): _ruby_constant,
    ("ruby", "call"): _ruby_arguments,
    ("php", "const_element"): _php_constant,
    ("php", "function_call_expression"): _php_constant,
    ("kotlin", "property_declaration"): _kotlin_property,
    ("kotlin", "class_parameter"): _kotlin_property,
    ("kotlin", "package_header"): _first_identifier,
    ("kotlin", "enum_entry"): _first_identifier,
    ("kotlin", "type_alias"): _first_identifier,
    ("swift", "property_declaration"): _swift_names,
    ("swift", "enum_entry"): _swift_names,
    ("swift", "protocol_property_declaration"): _swift_names,
    ("swift", "init_declaration"): _swift_init,
    ("shell", "variable_assignment"): _shell_variable,
}
