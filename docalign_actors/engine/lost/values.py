"""Places where documents state a value as a default, or as a port, that own code has just changed to another.

The kinds read defaults where a collector knows how a language gives them. What a change did is plainer: a line of own code is
the same but for one value, and a sentence, a row or an option's help has the old value beside the name on that line.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from docalign_actors.engine.claims import Claim, Judgement
from docalign_actors.engine.code.reader import language_of
from docalign_actors.engine.judging import Judged
from docalign_actors.engine.kinds.default import ports as defaultports
from docalign_actors.engine.kinds.shared.programs import own_programs
from docalign_actors.engine.kinds.shared.spellings import normal
from docalign_actors.engine.kinds.shared.values import rewritten
from docalign_actors.engine.lost.beside import Beside
from docalign_actors.engine.lost.changed import ChangedValue, changed_values
from docalign_actors.engine.lost.constants import changed_constants
from docalign_actors.engine.lost.copied import copied, shown_lines
from docalign_actors.engine.lost.lines import LONGEST_LINE, Edit, alike_languages
from docalign_actors.engine.lost.listed import listed, listings
from docalign_actors.engine.lost.nodefaults import is_no_default
from docalign_actors.engine.lost.offered import choices, offered
from docalign_actors.engine.lost.stated import (
    OLD_PORT,
    Stated,
    named_in,
    otherwise_told,
    speaking,
)
from docalign_actors.engine.lost.still import gives_beside, is_given, of_package, still_given, still_written, tells_of
from docalign_actors.engine.lost.subjects import (
    begins_with_another,
    spelled,
)
from docalign_actors.engine.lost.telling import DISTINCT, is_port, stated_places, telling_blocks
from docalign_actors.engine.lost.untold import unsaid, untold
from docalign_actors.engine.world import World
from docalign_actors.findings.model import Evidence, Fix, Verdict

_RULE = "wrong-default"
_DOTTED = re.compile(r"(?P<owner>(?:[A-Za-z][\w-]{0,40}\.){1,6})(?P<name>[A-Za-z][\w-]{1,60})(?![\w.-])")
_LISTENS = re.compile(r"port$|listen|bind|expose|addr|^serve")
_REPORTS = re.compile(r"(?i)\b(?:listening|running|started|serving|available)\b")
"""What a program prints of itself: nobody chose the port there."""
_ANOTHERS = re.compile(r"\b(?P<who>[A-Z][\w-]{2,40})['’]s (?:own )?default\b[^.;]{0,60}$")


def lost_values(judged: Sequence[Judged], edits: Sequence[Edit], world: World) -> list[Judged]:
    """Claims that no kind made, or could not decide: old values beside the names that had them."""
    found: list[Judged] = []
    taken: set[tuple[str, int, int]] = set()
    given = [*changed_values(edits), *changed_constants(edits)]
    changes = [c for c in given if not is_no_default(c)]
    telling = telling_blocks(world) if changes else []
    undecided: dict[str, list[Claim]] = defaultdict(list)
    beside = Beside(judged if changes else ())
    for claim, judgement in judged if changes else ():
        if claim.form == "port" and judgement.verdict is Verdict.UNCERTAIN and not claim.hypothetical:
            told = any(said.verdict is Verdict.DRIFTED for _, said in beside.of(claim))  # `:8080` whole, say
            undecided[claim.value].extend([] if told else [claim])
    plain = speaking(changes, world)
    blocks = listings(world.documents) if changes else []
    code = shown_lines(world.documents) if changes else {}
    entries, silent = choices(world.documents) if changes else [], unsaid(world.documents if changes else {})
    for change in changes:
        shown = [Stated(*place) for place in listed(change, blocks, edits)]
        copies = [Stated(*place) for place in copied(change, code, edits)]
        whole = set(map(id, copies))  # a copy of the file is false with the file, whatever other code gives
        stated = (
            *copies, *stated_places(change, telling), *otherwise_told(change, plain, world.documents), *shown,
            *offered(change, entries), *untold(change, silent),
        )  # fmt: skip
        places = [p for p in stated if not any(_settles(change, p, *said, world) for said in beside.of(_claim(p)))]
        open_ports = [
            claim
            for claim in undecided.get(_port_of(change), ())
            if not (_is_chosen(claim, world) or _is_of_another(claim, change, world))
        ]
        still = still_given(change, world) if places or open_ports else None
        if still is not None and "" not in still:
            places += [place for claim in open_ports for place in _place(claim, world)]
        for place in places:
            givers = still and of_package(still, place.document.path, change.path, world)
            kept = givers is None or is_given(place.names, _titles(place), change, givers)
            if kept and id(place) not in whole:
                continue
            if not place.names and DISTINCT.fullmatch(place.text) and still_written({place.text}, world):
                continue
            if gives_beside(place.document.path, place.names, change, world) or _is_anothers(place, world):
                continue
            if not any(map(str.isalnum, place.text)) and place.inline.kind != "code":
                continue  # a mark of punctuation in a sentence ends a part of it
            at = (place.document.path, place.inline.line, place.inline.column + place.start)
            if at not in taken:
                taken.add(at)
                found.append(_judged(place, change))
    return found


def _is_anothers(place: Stated, world: World) -> bool:
    """`Bun's default of 10 seconds`: what another program does, of which no code of ours is called."""
    match = _ANOTHERS.search(place.inline.text[:LONGEST_LINE], 0, place.start)
    if match is None:
        return False
    who = normal(match["who"])
    own = {normal(name) for name in (*own_programs(world), *(package.name for package in world.index.packages))}
    return who not in own and match["who"] not in world.index.definitions


def _port_of(change: ChangedValue) -> str:
    """The port that a server of ours listened on by default, "" if the line does not tell so much."""
    found = OLD_PORT.search(change.old) if change.port else None
    listens = any(_LISTENS.search(name) for name in change.names or change.around) or change.old.startswith(
        (":", "0.0.0.0:", "127.0.0.1:")
    )
    return found[1] if found and listens else ""


def _is_of_another(claim: Claim, change: ChangedValue, world: World) -> bool:
    """The row or the item that has the port is about a setting of its own: `auth_local` asks another program there."""
    for place in _place(claim, world):
        first = (place.block.cells[0].inlines if place.block.cells else place.block.inlines)[:1]
        if begins_with_another(place.block, claim.text) and not named_in(change, set(spelled([first[0].text.strip()]))):
            return True
    return False


def _is_chosen(claim: Claim, world: World) -> bool:
    """The document gives the port to a program itself, in the same chapter."""
    chosen = re.compile(
        # Published under its own number it is the program's; under another, the reader's.
        rf"(?i)port\W{{1,3}}{claim.value}\b|-[pl][= ]?{claim.value}\b(?!:)|{claim.value}:(?!{claim.value}\b)\d"
        rf"|(?<!\d)(?!{claim.value}:)\d{{2,5}}:{claim.value}\b"
    )
    document = world.documents[claim.file]
    blocks = [block for block in document.blocks if claim.value in block.text]
    own = next((b for b in blocks if any(i.line == claim.line for i in (*b.every_inline(), *b.lines))), None)
    depth = 1 if len({block.section[:1] for block in document.blocks if block.section}) == 1 else 0  # below the title
    chapter = own.section[depth : depth + 1] if own is not None else ()
    return any(
        chosen.search(line.text[:LONGEST_LINE]) and not _REPORTS.search(line.text[:LONGEST_LINE])
        for block in blocks
        if not chapter or block.section[depth : depth + 1] in ((), chapter)
        for line in block.lines
    )


def _place(claim: Claim, world: World) -> Iterator[Stated]:
    """Where a claim stands in its document, unless that tells of the past."""
    document = world.documents[claim.file]
    for block in document.blocks if not document.history else ():
        for inline in (*block.every_inline(), *block.lines) if not block.historical else ():
            start = claim.column - inline.column
            if inline.line == claim.line and start >= 0 and inline.text[start : start + len(claim.text)] == claim.text:
                yield Stated(document, block, inline, start, claim.text, frozenset())
                return


def _settles(change: ChangedValue, place: Stated, claim: Claim, judgement: Judgement, world: World) -> bool:
    """A kind has read this very value and says the same, or has found it in code of the same sort."""
    if judgement.verdict is Verdict.VERIFIED and claim.kind in ("default", "version"):
        told = {item.file for item in judgement.evidence if language_of(item.file) in alike_languages(change.path)}
        own = of_package({"": told}, place.document.path, change.path, world)[""]
        return bool(tells_of(own, _titles(place), change.path))
    return judgement.verdict is Verdict.DRIFTED


def _titles(place: Stated) -> tuple[str, ...]:
    """What the place is below: its headings, and what the names beside it are told to belong to, with a dot (`store.cache.`)."""
    texts = (i.text[:LONGEST_LINE] for i in (*place.block.every_inline(), *place.block.lines) if i.kind != "link")
    dotted = (match for text in texts for match in _DOTTED.finditer(text))
    return (*place.block.section, *(match["owner"] for match in dotted if normal(match["name"]) in place.names))


def _judged(place: Stated, change: ChangedValue) -> Judged:
    port = is_port(change, place.text)
    now = OLD_PORT.search(change.new) if port else None
    written = dict(change.written).get(place.text, "")
    new = now[1] if now else written or change.new
    rule = defaultports.RULE if port else _RULE
    evidence = Evidence(f"was `{change.old}` until then, is `{change.new}` now", change.path, 0, change.commit)
    replacement = written or rewritten(place.text, new) or (new if re.fullmatch(r"[\w.:/-]{1,80}", new) else "")
    message = f"The code gives `{new}` where it gave `{place.text if place.to_be_mended else change.old}`"
    fix = Fix(replacement, bool(place.names)) if replacement and place.to_be_mended else None
    told = Judgement(Verdict.DRIFTED, rule, message, (evidence,), 0.85, fix=fix, subject=f"{place.text} {new}")
    return _claim(place), told


def _claim(place: Stated) -> Claim:
    return Claim(
        "default", place.text, place.text, place.document.path, place.inline.line, place.inline.column + place.start,
        form="example" if place.block.kind == "code" else "prose", value=place.text, section=place.block.section,
    )  # fmt: skip
