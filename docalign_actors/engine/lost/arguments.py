"""Parameters of one plain word that no code has any more, wherever documents give them something or list them in a call.

`strings(jsonformat=True)` in plain text, `poll(api, jsonformat, raw)` in a list of what there is: the word alone might be
anybody's, but no file of the repository has it, a function of ours took it until then, and here it stands as an argument does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from docalign_actors.engine.claims import Claim, Judgement
from docalign_actors.engine.code.reader import language_of
from docalign_actors.engine.documents.model import Block, Document, Inline
from docalign_actors.engine.judging import Judged, PastAsker
from docalign_actors.engine.lost.lines import LONGEST_LINE, TOKEN, Edit, renamed_to
from docalign_actors.engine.lost.mentions import is_defined_in
from docalign_actors.engine.lost.still import still_written
from docalign_actors.engine.world import World
from docalign_actors.findings.model import Evidence, Fix, Verdict

_NAMING = frozenset({"python", "ruby", "php", "kotlin", "csharp", "swift"})
"""Languages whose calls name their arguments."""
_WORD = re.compile(r"[a-z]{6,40}")
_CALL = re.compile(r"(?<!\w)(?P<function>[A-Za-z_]\w{2,60})\((?P<list>[^()]{1,200})\)")
_MOST = 40


def lost_arguments(judged: Sequence[Judged], edits: Sequence[Edit], world: World, asker: PastAsker) -> list[Judged]:
    """Claims that no kind made: such words as arguments."""
    lost = _lost(edits, world, asker)
    taken = {(c.file, c.line, c.column) for c, j in judged if j.verdict is Verdict.DRIFTED} if lost else set()
    found = [told for name in lost for told in _places(name, lost[name], world)]
    return [(c, j) for c, j in found if (c.file, c.line, c.column) not in taken]


def _lost(edits: Sequence[Edit], world: World, asker: PastAsker) -> Mapping[str, Edit]:
    """The parameters that went with their words from all files, and that no example gives to something of its own."""
    edits = [edit for edit in edits if language_of(edit.blob.path) in _NAMING]
    if not edits:
        return {}
    told = {w for d in world.documents.values() for b in d.blocks for w in TOKEN.findall(b.text) if _WORD.fullmatch(w)}
    telling = [e for e in edits if not told.isdisjoint(_words(e))]
    facts = asker.reader.on_demand(asker.history.source)
    facts.expect((edit.blob.path, edit.blob.oid) for edit in telling)
    found: dict[str, Edit] = {}
    for edit in telling:
        words = _words(edit) & told
        for definition in facts.of((edit.blob.path, edit.blob.oid)).definitions:
            for param in definition.params or ():
                if param.name in words and len(found) < _MOST:
                    found.setdefault(param.name, edit)
    there = still_written(found.keys(), world) if found else set[str]()
    return {n: e for n, e in found.items() if n not in there and not is_defined_in(world.documents.values(), n)}


def _words(edit: Edit) -> set[str]:
    return {word for line in edit.gone for word in TOKEN.findall(line) if _WORD.fullmatch(word)}


def _places(name: str, edit: Edit, world: World) -> Iterator[Judged]:
    given = re.compile(rf"(?<![\w.$-]){name}(?==(?!=))")
    for document in world.documents_with(name):
        for block in document.blocks if not document.history else ():
            for inline in (*block.every_inline(), *block.lines) if name in block.text and not block.historical else ():
                text = inline.text[:LONGEST_LINE] if inline.kind in ("text", "code") or block.lines else ""
                starts = {match.start() for match in given.finditer(text)} | set(_listed(name, text, world))
                yield from (_judged(name, edit, document, block, inline, start) for start in sorted(starts))


def _listed(name: str, text: str, world: World) -> Iterator[int]:
    """Where it stands between the brackets of a call of a function of ours."""
    for call in _CALL.finditer(text) if name in text else ():
        if call["function"] in world.index.definitions:
            word = re.search(rf"(?<![\w.\"'$-]){name}(?=\s?(?:,|$))", call["list"])
            if word is not None:
                yield call.start("list") + word.start()


def _judged(name: str, edit: Edit, document: Document, block: Block, inline: Inline, start: int) -> Judged:
    claim = Claim(
        "signature", name, name, document.path, inline.line, inline.column + start, words=(name,), section=block.section,
        form="example" if block.kind == "code" else "span",
    )  # fmt: skip
    new = renamed_to(name, edit.gone, edit.come)
    became = f": it is `{new}` now" if new else ""
    evidence = Evidence(f"a function took `{name}` until then", edit.blob.path, 0, edit.blob.after)
    return claim, Judgement(
        Verdict.DRIFTED, "wrong-signature", f"No function takes `{name}` any more{became}", (evidence,), 0.85,
        fix=Fix(new, True) if new else None, subject=name,
    )  # fmt: skip
