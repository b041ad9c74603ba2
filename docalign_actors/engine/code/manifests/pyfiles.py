"""Python files that are manifests: setup.py, noxfile.py, tasks.py, dodo.py, conf.py. Only what is written out is read."""

from __future__ import annotations

import re

from tree_sitter import Node

from docalign_actors.engine.code.manifests.requirement import extra_of, requirement
from docalign_actors.engine.code.reader import PYTHON_MANIFESTS
from docalign_actors.engine.code.source import Source, line_of, text_of
from docalign_actors.engine.facts import FileFacts, Script, Version

_CALLS = "(call function: [(identifier) (attribute)] @function arguments: (argument_list) @arguments)"
_ASSIGNMENTS = "(module (expression_statement (assignment left: (identifier) @name right: (_) @value)))"
_DECORATED = (
    "(decorated_definition (decorator) @decorator definition: (function_definition name: (identifier) @name)) @whole"
)
_GENERATED_PAGES = re.compile(
    rb"autosummary|autoapi|apidoc|sphinx_gallery|breathe|exhale|automodapi|sphinx_autodoc_typehints_gen|nbsphinx_gallery"
)


def collect(source: Source, facts: FileFacts) -> None:
    """The facts of such a file; nothing for any other."""
    name = source.path.rpartition("/")[2]
    if name not in PYTHON_MANIFESTS:
        return
    if name == "setup.py" and b"setup" in source.data:
        _setup(source, facts)
    elif name == "noxfile.py":
        _nox(source, facts)
    elif name == "tasks.py" and b"invoke" in source.data:
        _invoke(source, facts)
    elif name == "dodo.py":
        for definition in source.captures("(function_definition name: (identifier) @name)").get("name", []):
            if text_of(definition).startswith("task_"):
                facts.scripts.append(Script(text_of(definition)[5:], "doit", line_of(definition)))
    elif name == "conf.py" and _GENERATED_PAGES.search(source.data):
        facts.opaque.append("navigation")


def _literal(node: Node | None) -> str | None:
    """The text of a plain string; None for anything else."""
    if node is None or node.type not in ("string", "concatenated_string") or b"{" in (node.text or b"")[:2]:
        return None
    if node.type == "concatenated_string":
        parts = [_literal(child) for child in node.named_children]
        return None if None in parts else "".join(part or "" for part in parts)
    if any(child.type == "interpolation" for child in node.children):
        return None
    return "".join(text_of(child) for child in node.children if child.type == "string_content")


def _arguments(arguments: Node) -> dict[str, Node]:
    """Keyword arguments by name."""
    found: dict[str, Node] = {}
    for child in arguments.named_children:
        if child.type == "keyword_argument":
            name, value = child.child_by_field_name("name"), child.child_by_field_name("value")
            if name is not None and value is not None:
                found[text_of(name)] = value
    return found


def _setup(source: Source, facts: FileFacts) -> None:
    constants: dict[str, Node] = {}
    for _, match in source.matches(_ASSIGNMENTS):
        constants[text_of(match["name"][0])] = match["value"][0]
    for _, match in source.matches(_CALLS):
        if text_of(match["function"][0]).rpartition(".")[2] != "setup":
            continue
        given = _arguments(match["arguments"][0])
        values = {
            key: constants.get(text_of(node), node) if node.type == "identifier" else node
            for key, node in given.items()
        }
        _setup_values(values, facts)


def _setup_values(values: dict[str, Node], facts: FileFacts) -> None:
    facts.package = _literal(values.get("name")) or facts.package
    facts.licence = _literal(values.get("license")) or facts.licence
    for key, subject, origin in (("version", "self", "self"), ("python_requires", "python", "requires")):
        text = _literal(values.get(key))
        if text:
            facts.versions.append(Version(subject, text, line_of(values[key]), origin))
    _requirements(values.get("install_requires"), "dependency", facts)
    extras = values.get("extras_require")
    for group in extras.named_children if extras is not None else ():
        _requirements(group.child_by_field_name("value"), "optional", facts)
        name = _literal(group.child_by_field_name("key"))
        if name:
            facts.scripts.append(Script(name, extra_of(facts.package), line_of(group)))
    _entry_points(values.get("entry_points"), facts)
    for node in _strings(values.get("classifiers")):
        _, _, version = (_literal(node) or "").partition("Programming Language :: Python :: ")
        if re.fullmatch(r"\d+\.\d+", version):
            facts.versions.append(Version("python", version, line_of(node), "classifier"))


def _strings(node: Node | None) -> list[Node]:
    """The strings of a list, a tuple, or a single one."""
    if node is None:
        return []
    return [node] if node.type == "string" else [child for child in node.named_children if child.type == "string"]


def _requirements(node: Node | None, origin: str, facts: FileFacts) -> None:
    for child in _strings(node):
        if found := requirement(_literal(child) or ""):
            facts.versions.append(Version(found[0], found[1], line_of(child), origin))


def _entry_points(node: Node | None, facts: FileFacts) -> None:
    if node is None:
        return
    if (text := _literal(node)) is not None:
        _written_points(text, line_of(node), facts)
        return
    if node.type != "dictionary":
        facts.opaque.append("scripts")
        return
    for pair in node.named_children:
        group, value = _literal(pair.child_by_field_name("key")), pair.child_by_field_name("value")
        if group not in ("console_scripts", "gui_scripts"):
            continue
        for child in _strings(value):
            name, _, target = (_literal(child) or "").partition("=")
            if name.strip():
                facts.scripts.append(Script(name.strip(), "console", line_of(child), target.strip()))


def _written_points(text: str, first: int, facts: FileFacts) -> None:
    """Entry points as the text of an ini file: `[console_scripts]` and a line for each program."""
    group = ""
    for number, line in enumerate(text.split("\n")):
        stripped = line.strip()
        name, given, target = stripped.partition("=")
        if stripped.startswith("["):
            group = stripped.strip("[]")
        elif given and group in ("console_scripts", "gui_scripts"):
            facts.scripts.append(Script(name.strip(), "console", first + number, target.strip()))


def _nox(source: Source, facts: FileFacts) -> None:
    for _, match in source.matches(_DECORATED):
        name = text_of(match["name"][0])
        line = line_of(match["name"][0])
        for decorator in match["decorator"]:
            head = text_of(decorator)
            if re.match(r"@(nox\.)?session\b", head):
                _session(decorator, name, line, facts)


def _session(decorator: Node, name: str, line: int, facts: FileFacts) -> None:
    """A session by its name, and by its name with each Python that is written out."""
    call = next((child for child in decorator.named_children if child.type == "call"), None)
    arguments = call.child_by_field_name("arguments") if call else None
    given = _arguments(arguments) if arguments is not None else {}
    if "name" in given:
        literal = _literal(given["name"])
        if literal is None:
            facts.opaque.append("scripts")
            return
        name = literal
    facts.scripts.append(Script(name, "nox", line))
    for child in _strings(given.get("python")):
        facts.scripts.append(Script(f"{name}-{_literal(child)}", "nox", line))


def _invoke(source: Source, facts: FileFacts) -> None:
    for _, match in source.matches(_DECORATED):
        if any(re.match(r"@(invoke\.)?task\b", text_of(decorator)) for decorator in match["decorator"]):
            name = text_of(match["name"][0])
            line = line_of(match["name"][0])
            facts.scripts.append(Script(name.replace("_", "-"), "invoke", line))
            facts.scripts.append(Script(name, "invoke", line))
