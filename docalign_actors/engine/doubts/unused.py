"""What was out of use before it went: scripts that nothing took in, and constants that nothing looked at.

What was said of them was false before.

A module of JavaScript or TypeScript is there for those who can import it. If all that led to it went with it, the change took
away what was out of use already. So it is with `const apiKey = "API_KEY"` where no other line has `apiKey`,
and with `CACHE_TTL=300` that a script wrote into a file of settings while no program looked at it.
What is given up: a module that readers import by a path which no document and no manifest tells.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Sequence

from docalign_actors.engine.claims import uncertain
from docalign_actors.engine.code.reader import SEARCHED, SOURCE_LIMIT, language_of
from docalign_actors.engine.doubts.madeof import MAKER, field_of
from docalign_actors.engine.judging import LINKS, Judged
from docalign_actors.engine.lost.lines import MOST_SEARCHED
from docalign_actors.engine.ports import Change
from docalign_actors.engine.roles import document_format, is_foreign
from docalign_actors.findings.model import Verdict

_SCRIPTS = frozenset({"javascript", "typescript", "tsx"})
_STANDS_FOR_FOLDER = frozenset({"index", "main"})
_NAMING = frozenset({*_SCRIPTS, "json", "yaml", "shell", "makefile", SEARCHED})
_CONSTANT = re.compile(
    rb"(?:(?:export|public|private|internal|protected|static|final|readonly|const|let|var|val|pub)\s+){0,5}(?:[A-Z]\w{0,40}\s+)?"
    rb"(?P<name>[A-Za-z_]\w{2,80})\s*(?::\s*[\w&' ]{1,40})?\s*=\s*[\"'`](?P<value>[A-Z][A-Z0-9_]{2,80})[\"'`]\s*[;,]?"
)
_LONGEST = 400
_VARIABLE = re.compile(rb"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")
_SETTING_UP = frozenset({"shell", "dockerfile", "dotenv"})
_GIVEN = uncertain("it was only ever given a value here: no program looked at it")
_UNREAD = uncertain("nothing looked at the constant that held its name: it was out of use before")
_UNUSED = uncertain("nothing that stayed took in the file that had it: it was out of use before")


def doubt_unused(judged: Sequence[Judged], change: Change) -> list[Judged]:
    """The judgements, in doubt where all that speaks against a claim are scripts that were out of use before they went."""
    known: dict[str, bool] = {}
    result: list[Judged] = []
    for claim, judgement in judged:
        # A command that is called like its file is found by its folder: nothing need name it.
        if judgement.verdict is Verdict.DRIFTED and claim.kind not in ("path", "command") and claim.form not in LINKS:
            paths = {item.file for item in judgement.evidence if item.file}
            if paths and all(_went(path, change) for path in paths):
                for path in paths - known.keys():
                    known[path] = not _is_named(path, change)
                judgement = _UNUSED if all(known[path] for path in paths) else judgement
            elif (
                claim.kind == "environment"
                and paths
                and all(_is_mere_constant(claim.subject, p, change) for p in paths)
            ):
                judgement = _UNREAD
            elif claim.kind in ("environment", "symbol") and paths and _is_only_given(claim.text, paths, change):
                judgement = _GIVEN
        result.append((claim, judgement))
    return result


def _went(path: str, change: Change) -> bool:
    return path in change.base.entries and path not in change.head.entries and language_of(path) in _SCRIPTS


def _is_named(path: str, change: Change) -> bool:
    """A file that stayed had the script's path, or that of its folder, from which it may be taken by a name made at run time."""
    stayed = [p for p in change.base.entries if p in change.head.entries and _may_name(p)]
    if len(stayed) > MOST_SEARCHED:
        return True
    folder, stem = posixpath.split(posixpath.splitext(path)[0])
    above = re.escape(posixpath.basename(folder).encode())
    own = re.escape(stem.encode())
    forms = [rb"/" + own + rb"(?:\.\w{1,5})?[\"'`)\s]", rb"(?<![\w-])" + own + rb"\.[cm]?[jt]sx?\b"]
    forms += [rb"[\"'`/]" + above + rb"/?[\"'`$*{]"] if above else []
    named = re.compile(b"|".join(forms))
    whole = stem in _STANDS_FOR_FOLDER and not folder
    return whole or any(named.search(change.base.read(p, SOURCE_LIMIT)) for p in stayed)


def _is_only_given(text: str, paths: Collection[str], change: Change) -> bool:
    """Scripts and files of containers gave the variable a value, and no program of the base looked at it.

    What head has not at all, only a file that differs can have had.
    """
    name = text.strip("$`{} ").encode()
    if not _VARIABLE.fullmatch(name) or not all(_gives(path) and path in change.base.entries for path in paths):
        return False
    put_in = re.compile(rb"\$\{?" + name + rb"\b")
    kept = re.compile(rb"\$\{" + name + rb"(?::?[-=?+]|\})")
    made = re.compile(rb"(?m)^\s*(?:export\s+)?" + name + rb"=")
    for path, entry in change.base.entries.items():
        if path in change.head.entries and change.head.entries[path].oid == entry.oid:
            continue
        if not language_of(path) or is_foreign(path) or document_format(path):
            continue
        data = change.base.read(path, SOURCE_LIMIT)
        now = change.head.read(path, SOURCE_LIMIT) if path in change.head.entries else b""
        if language_of(path) == "go" and _is_made_of(name.decode(), data, now):
            return False
        if name not in data:
            continue
        own = language_of(path) == "shell" and made.search(data) and not kept.search(data)
        if not _gives(path) or (put_in.search(data) and not own):
            return False
    return True


def _is_made_of(variable: str, then: bytes, now: bytes) -> bool:
    """envconfig makes `MAIL_SMTP_MAXRECIPIENTS` of the field `MaxRecipients` of a struct, and the struct has it no more."""
    field = field_of(variable)
    return MAKER in then and field.search(then) is not None and field.search(now) is None


def _gives(path: str) -> bool:
    """A file that sets up a machine or a container, and is not the program."""
    return language_of(path) in _SETTING_UP or "compose" in posixpath.basename(path)


def _is_mere_constant(variable: str, path: str, change: Change) -> bool:
    """All that the file had of the variable was a constant with its name, and no line of the same language used that one."""
    if path not in change.base.entries or not variable.isidentifier():
        return False
    text = change.base.read(path, SOURCE_LIMIT)
    lines = [line[:_LONGEST] for line in text.split(b"\n") if variable.encode() in line]
    match = _CONSTANT.fullmatch(lines[0].strip()) if len(lines) == 1 else None
    if match is None or match["value"].decode("utf-8", "replace") != variable or match["name"] == match["value"]:
        return False
    language, folder = language_of(path), posixpath.dirname(path)
    # What Go writes with a small letter only its package sees.
    private = language == "go" and match["name"][:1].islower()
    others = [
        p
        for p in change.base.entries
        if p != path and language_of(p) == language and (not private or posixpath.dirname(p) == folder)
    ]
    used = re.compile(rb"(?<!\w)" + match["name"] + rb"(?!\w)")
    return (
        len(others) <= MOST_SEARCHED
        and len(used.findall(text)) == 1
        and not any(used.search(change.base.read(p, SOURCE_LIMIT)) for p in others)
    )


def _may_name(path: str) -> bool:
    return (language_of(path) in _NAMING or document_format(path) != "") and not is_foreign(path)
