"""Values that an option or a key took until a moment ago, by a name that no code has any more: `-d classic`, `mode = "classic"`.

A value is a plain word more often than not, so that the word alone tells nothing. That the code had it as a string or as one of an
enumeration, that another word stands in its place, and that nothing is called so now says that nobody can choose it; a document
means it where it gives it to a program of ours, or to a key that the code has.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from docalign_actors.engine.claims import Claim, Judgement
from docalign_actors.engine.documents.model import Block, Document, Inline
from docalign_actors.engine.judging import Judged
from docalign_actors.engine.lost.beside import Beside
from docalign_actors.engine.lost.commands import programs_of
from docalign_actors.engine.lost.lines import LONGEST_LINE, Edit, code_in
from docalign_actors.engine.lost.siblings import Renamed, renamed_words
from docalign_actors.engine.lost.still import still_named
from docalign_actors.engine.roles import is_foreign, is_release_note
from docalign_actors.engine.world import World
from docalign_actors.findings.model import Evidence, Fix, Verdict

_CHOSEN = (
    r"\bcase\s+[\"'`]{name}[\"'`]|[\"'`]{name}[\"'`]\s*(?:=>|->|:)|[=!]==?\s*[\"'`]{name}[\"'`]"
    r"|[\"'`]\s*,\s*[\"'`]{name}[\"'`]|[\"'`]{name}[\"'`]\s*,\s*[\"'`]|^\s*(?:case )?{name}(?:\(.{{0,200}})?\s*[,;|]?\s*$"
)
"""What is compared, looked up or listed with others as a whole string, or one of an enumeration on a line of its own."""
_DEFAULT = re.compile(r"(?i)default")
"""What is given if nobody chooses may still be chosen when something else is given instead."""
_GIVEN = r"(?<!\S)(?P<option>--?[A-Za-z][\w-]{{0,60}})[= ][\"']?(?P<name>{name})(?![\w-])"
_SET = r"(?<![\w-])[\"']?(?P<key>[A-Za-z][\w.-]{{2,60}})[\"']?\s{{0,4}}[:=]\s{{0,4}}[\"'](?P<name>{name})[\"']"
_CODED = re.compile(r"[a-z]+\d+|\d+[a-z]+\w*")
"""Letters and digits in one: hardly a word of English."""
_LEAST = 4
_MOST = 40

_Place = tuple[Document, Block, Inline, int, str]


def lost_choices(judged: Sequence[Judged], edits: Sequence[Edit], world: World) -> list[Judged]:
    """Claims that no kind made: places that give what nobody can choose any more."""
    renamed: dict[str, Renamed] = {}
    for edit in edits:
        for one in renamed_words(edit) if not edit.data else ():
            name = one.old.casefold()
            if len(name) >= _LEAST and name not in renamed and _was_chosen(one):
                renamed[name] = one
    named = {name: places for name in list(renamed)[:_MOST] if (places := list(_places(name, world)))}
    if not named:
        return []
    there = still_named(named, world)
    beside = Beside(judged)
    found: list[Judged] = []
    for name, places in named.items():
        for place in places if name not in there else ():
            claim = _claim(place)
            if not any(told.verdict is Verdict.DRIFTED for _, told in beside.of(claim)):
                found.append((claim, _told(claim, renamed[name])))
    return found


def _was_chosen(one: Renamed) -> bool:
    chosen = re.search(_CHOSEN.format(name=re.escape(one.old)), one.line) is not None
    return chosen and not _DEFAULT.search(one.line)


def _places(name: str, world: World) -> Iterator[_Place]:
    given, given_to_key = (re.compile(form.format(name=re.escape(name)), re.IGNORECASE) for form in (_GIVEN, _SET))
    coded = re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])") if _CODED.fullmatch(name) else None
    programs = programs_of(world)
    for document in world.documents.values():
        for block in document.blocks if not document.history else ():
            for inline in code_in(block):
                text = inline.text[:LONGEST_LINE]
                if name not in text.casefold():
                    continue
                for match in given.finditer(text):
                    if not programs.isdisjoint(re.findall(r"[\w.-]+", text[: match.start()])):
                        yield document, block, inline, match.start("name"), match["name"]
                for match in given_to_key.finditer(text):
                    if _has(match["key"].rpartition(".")[2], world):
                        yield document, block, inline, match.start("name"), match["name"]
                for match in coded.finditer(text) if coded is not None else ():
                    yield document, block, inline, match.start(), match.group()


def _has(key: str, world: World) -> bool:
    """Some file of the repository has the key."""
    return any(not (is_foreign(path) or is_release_note(path)) for path in world.index.occurs(key))


def _claim(place: _Place) -> Claim:
    document, block, inline, start, written = place
    form = "example" if block.kind == "code" else "span"
    return Claim(
        "configkey", written, written, document.path, inline.line, inline.column + start, form=form, words=(written,),
        section=block.section,
    )  # fmt: skip


def _told(claim: Claim, one: Renamed) -> Judgement:
    new = one.new.lower() if claim.text.islower() else one.new
    evidence = Evidence("it stood here until then", one.edit.blob.path, 0, one.edit.blob.after)
    message = f"nothing is called `{claim.text}` any more: it is `{new}` now"
    return Judgement(
        Verdict.DRIFTED,
        "unknown-config-key",
        message,
        (evidence,),
        0.85,
        fix=Fix(new, False),
        subject=claim.text.casefold(),
    )
