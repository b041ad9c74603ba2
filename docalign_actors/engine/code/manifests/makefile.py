"""Makefiles: targets that can be made by name, and the variables that a call may set."""

from __future__ import annotations

import re

from docalign_actors.engine.code.manifests.lines import logical
from docalign_actors.engine.code.source import Source
from docalign_actors.engine.facts import EnvVar, FileFacts, Script

_ASSIGNMENT = re.compile(r"^\s*(?:export\s+|override\s+)*([A-Za-z_][\w.-]*)\s*(\?|:{1,3}|\+|!)?=\s*(.*)$")
_REFERENCE = re.compile(r"\$[({]([\w.-]+)[)}]")
_DIRECTIVE = re.compile(
    r"^\s*(ifn?eq|ifn?def|else|endif|define|endef|export|unexport|override|vpath|undefine|private)\b"
)
_INCLUDE = re.compile(r"^\s*[-s]?include\s+(.*)$")
_NAME = re.compile(r"^[\w./%+@-]+$")


def collect(source: Source, facts: FileFacts) -> None:
    """Targets with their lines. Included files and computed names may define others: then scripts are opaque."""
    variables: dict[str, str] = {}
    targets: dict[str, int] = {}
    in_define = False
    for number, line in logical(source.text):
        if line.startswith("\t"):
            continue
        line = line.partition("#")[0]
        if _DIRECTIVE.match(line) and not _is_rule(line):
            in_define = line.strip().startswith("define") or (in_define and not line.strip().startswith("endef"))
        if in_define or not line.strip():
            continue
        if match := _INCLUDE.match(line):
            _include(match[1], facts)
        elif match := _ASSIGNMENT.match(line):
            _assign(match, number, variables, facts)
        elif _is_rule(line):
            _rule(line, number, variables, targets, facts)
    facts.scripts.extend(Script(name, "make", number) for name, number in targets.items())


def _is_rule(line: str) -> bool:
    head, colon, tail = line.partition(":")
    return (
        bool(colon) and "=" not in head and not tail.startswith(("=", ":=", "::=")) and not line.startswith((" ", "\t"))
    )


def _include(files: str, facts: FileFacts) -> None:
    # Dependency files of a compiler and `.env` define no targets that people call.
    if any(not name.endswith((".d", ".env", "env", ".dep")) for name in files.split()):
        facts.opaque.append("scripts")


def _assign(match: re.Match[str], number: int, variables: dict[str, str], facts: FileFacts) -> None:
    name, operator, value = match[1], match[2], match[3].strip()
    variables[name] = f"{variables.get(name, '')} {value}".strip() if operator == "+" else value
    if operator == "?" and name.isupper():
        facts.env.append(EnvVar(name, number, None if "$" in value else value))


def _rule(line: str, number: int, variables: dict[str, str], targets: dict[str, int], facts: FileFacts) -> None:
    head = line.partition(":")[0].removesuffix("&")
    for target in _resolve(head, variables).split()[:500]:
        if target.startswith(".") and target.isupper():
            continue
        if "$" in target or not _NAME.match(target) or ("%" in target and "." not in target and "/" not in target):
            if "/" not in target:
                facts.opaque.append("every script" if target == "%" else "scripts")
        elif "%" in target:
            facts.opaque.append(f"scripts {target}")  # `data/%`: makes every file of that folder
        else:
            targets.setdefault(target, number)


def _resolve(text: str, variables: dict[str, str]) -> str:
    """References to plain variables put in place, three levels deep, at most 10,000 characters."""
    for _ in range(3):
        if "$" not in text:
            break
        text = _REFERENCE.sub(lambda match: variables.get(match[1], match[0]), text)[:10_000]
    return text
