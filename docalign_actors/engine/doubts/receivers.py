"""What an example asks of things of its own, or of a library in another language.

`configuration.get_run_log()`, where the example's function is given `configuration`: a variable of its own.
A function that went from a module is called by its name or behind the module's. Behind a variable that the example itself makes
stands a method of whatever that is, and that a function of the same name went says nothing of it. What is given up: a function
that readers reach through a variable which holds the module. `self._headers` is what an object of the reader's has, unless the
example shows a class of this repository. And what an example in Java calls is not what a repository without a file of Java lost.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from docalign_actors.engine.claims import Claim, Judgement, uncertain
from docalign_actors.engine.documents.model import Block, Document
from docalign_actors.engine.facts import FileFacts
from docalign_actors.engine.judging import Judged
from docalign_actors.engine.ondemand import FactsOnDemand
from docalign_actors.engine.ports import Tree
from docalign_actors.engine.world import World
from docalign_actors.findings.model import Verdict

_MADE = (
    r"\b(?:def|function|fn|func|fun)\s+\w{{0,80}}\s*\([^()\n]{{0,200}}(?<![\w.]){name}(?![\w.(])"
    r"|^\s*(?:(?:const|let|var|final|auto) )?{name}(?:\s*:\s*[\w.]{{1,60}})?\s*:?=(?!=)"
)
"""A function is given it, or a line gives it a value."""
_TAKEN = re.compile(r"\brequire\b|\bimport\b|\bdynamic_import\b|\bimportlib\b")
_LONGEST = 600
_FAMILIES = (
    ({"python", "py", "python3"}, (".py", ".pyi", ".pyx")),
    (
        {"javascript", "js", "jsx", "typescript", "ts", "tsx"},
        (".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".vue", ".svelte", ".coffee"),
    ),
    ({"java", "kotlin", "kt", "scala", "groovy"}, (".java", ".kt", ".kts", ".scala", ".groovy", ".clj")),
    ({"go", "golang"}, (".go",)),
    ({"ruby", "rb"}, (".rb",)),
    ({"php"}, (".php",)),
    ({"csharp", "cs", "c#"}, (".cs", ".fs", ".vb")),
)
"""Languages that call each other's code as their own, by what blocks are marked with, and how their files end."""
_GIVEN_TO_OTHERS = (".c", ".h", ".cc", ".cpp", ".hpp", ".rs", ".pyx", ".zig", ".proto", ".thrift")
"""What C, Rust or a description of an interface define, any other language may be given."""
_OWN = frozenset({"self", "this", "cls"})
_CLASS = re.compile(r"\bclass\s+\w{1,80}[^:{\n]{0,200}")
_NAME = re.compile(r"[A-Za-z_]\w*")
_ANOTHERS = uncertain("an example in a language that the repository has no file of: what it calls is another's")
_OF_AN_OBJECT = uncertain("the example asks it of an object of its own")
_OF_THE_EXAMPLE = uncertain("the example asks it of a variable of its own, and what went was a function")


def doubt_own_variables(judged: Sequence[Judged], base: Tree, facts: FactsOnDemand, world: World) -> list[Judged]:
    """The judgements, in doubt where an example asks something of what is its own, or another library's.

    `facts` are those of the base.
    """
    return [(c, _doubt(c, j, base, facts, world) or j) for c, j in judged]


def _doubt(claim: Claim, judgement: Judgement, base: Tree, facts: FactsOnDemand, world: World) -> Judgement | None:
    if (
        judgement.verdict is not Verdict.DRIFTED
        or claim.kind not in ("symbol", "signature")
        or judgement.fix is not None
    ):
        return None
    block = _block(claim, world.documents[claim.file]) if claim.file in world.documents else None
    if block is None:
        return None
    if _is_in_another_language(block, base):
        return _ANOTHERS
    if claim.kind != "symbol":
        return None
    name = (judgement.subject or claim.subject).rpartition(".")[2]
    receiver = _receiver(name, claim, block)
    if receiver in _OWN and name.startswith("_") and not _shows_own_class(block, world):
        return _OF_AN_OBJECT
    return _OF_THE_EXAMPLE if _is_of_the_example(name, receiver, block, judgement, base, facts) else None


def _is_in_another_language(block: Block, base: Tree) -> bool:
    """The example is a program in a language of which the repository has not one file, and had none."""
    endings = next((endings for marks, endings in _FAMILIES if block.language.lower() in marks), ())
    return bool(endings) and not any(path.endswith((*endings, *_GIVEN_TO_OTHERS)) for path in base.entries)


def _shows_own_class(block: Block, world: World) -> bool:
    """The example has a class of this repository, or one that extends such a class."""
    named = {
        name
        for line in block.lines
        for match in _CLASS.finditer(line.text[:_LONGEST])
        for name in _NAME.findall(match[0])
    }
    return any(where.fact.kind == "class" for name in named for where in world.index.definitions.get(name, ()))


def _is_of_the_example(
    name: str, receiver: str, block: Block, judgement: Judgement, base: Tree, facts: FactsOnDemand
) -> bool:
    if not receiver or not _makes(receiver, block):
        return False
    paths = [item.file for item in judgement.evidence if item.file in base.entries]
    return bool(paths) and all(_is_mere_function(name, facts.of((path, base.entries[path].oid))) for path in paths)


def _block(claim: Claim, document: Document) -> Block | None:
    """The example that holds the claim's line."""
    return next((b for b in document.blocks if b.lines and b.lines[0].line <= claim.line <= b.lines[-1].line), None)


def _receiver(name: str, claim: Claim, block: Block) -> str:
    """What stands before the name on its line, everywhere the same; "" if it stands alone somewhere."""
    texts = [line.text[:_LONGEST] for line in block.lines if line.line == claim.line]
    used = re.compile(rf"(?:(?<![\w.])([A-Za-z_]\w*)\.)?(?<!\w){re.escape(name)}(?!\w)")
    found = {match[1] or "" for text in texts for match in used.finditer(text)}
    return found.pop() if len(found) == 1 else ""


def _makes(name: str, block: Block) -> bool:
    made = re.compile(_MADE.format(name=re.escape(name)))
    lines = [line.text[:_LONGEST] for line in block.lines if name in line.text]
    return any(made.search(line) and not _TAKEN.search(line) for line in lines)


def _is_mere_function(name: str, facts: FileFacts) -> bool:
    """The file defined functions of this name, and nothing that belongs to a class."""
    kinds = {definition.kind for definition in facts.definitions if definition.name == name}
    return kinds == {"function"} or (not kinds and any(name in (i.name, i.alias) for i in facts.imports))
