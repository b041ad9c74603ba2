"""Turns findings into the files of a commit, and says what the commit is called. Pure.

Edits are made in the file as it is where the commit goes, not as it was when it was scanned: what is not there any more to
the letter is left alone. Bytes that are no text, and the ends of lines, stay as they are.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence

from msgspec import Struct

from docalign_actors.findings.fixing import Edit, apply_edits
from docalign_actors.findings.model import Finding, Mention
from docalign_actors.github.fixes import Fix, Mended
from docalign_actors.github.words import MOST_CHARACTERS, markdown_line
from docalign_actors.reporting import markdown
from docalign_actors.reporting.style import printable

BRANCHES = "docalign/"
MOST_FILES = 50
"""In one commit. What is left is mended by the next."""
MOST_BYTES = 1_000_000
_LONGEST_PATH = 200
_MOST_NAMED = 100
_FIXES = re.compile(r"<!-- docalign:fixes(?: (\d+))? -->")


class Work(Struct, frozen=True):
    """The files that a commit changes, and what it puts right."""

    files: dict[str, bytes]
    mended: tuple[Mended, ...]


def chosen(findings: Sequence[Finding], ids: Sequence[str]) -> list[Finding]:
    """Those that were asked for and have a certain fix."""
    return [f for f in findings if (not ids or f.id in ids) and any(certain(m) for m in f.mentions)]


def certain(mention: Mention) -> bool:
    """Whether a mention can be put right unasked. A path that leads out of the repository never can."""
    return mention.safe and mention.replacement is not None and bool(mention.text) and inside(mention.file)


def inside(path: str) -> bool:
    """Whether a path stays within the repository, and out of git's own folder."""
    parts = path.split("/")
    plain = all(part not in ("", ".", "..") and part.lower() != ".git" for part in parts)
    return plain and "\0" not in path and "\\" not in path


def paths_of(findings: Sequence[Finding]) -> list[str]:
    """The files that these findings would change, in order."""
    found = dict.fromkeys(m.file for f in findings for m in f.mentions if certain(m))
    return list(found)[:MOST_FILES]


def mend(findings: Sequence[Finding], files: Mapping[str, bytes]) -> Work:
    """What is to be committed, given the files as they are."""
    changed: dict[str, bytes] = {}
    mended: list[Mended] = []
    for path, data in files.items():
        text = data.decode("utf-8", "surrogateescape")
        lines = text.split("\n")
        edits: list[Edit] = []
        for finding in findings:
            for mention in finding.mentions:
                line = _place(lines, mention) if mention.file == path and certain(mention) else 0
                if line:
                    edits.append(Edit(line, mention.column, mention.text, mention.replacement or ""))
                    mended.append(Mended(finding.id, finding.rule, path, line))
        after, made = apply_edits(text, edits)
        if made and after != text:
            changed[path] = after.encode("utf-8", "surrogateescape")
    return Work(changed, tuple(one for one in dict.fromkeys(mended) if one.file in changed))


def _place(lines: Sequence[str], mention: Mention) -> int:
    """The line on which the mention's text stands: where it stood, or the only other one that is the same; 0 for none."""
    if _stands(lines, mention.line, mention):
        return mention.line
    if not mention.source:
        return 0
    same = [n for n, line in enumerate(lines, 1) if line.rstrip("\r") == mention.source and _stands(lines, n, mention)]
    return same[0] if len(same) == 1 else 0


def _stands(lines: Sequence[str], line: int, mention: Mention) -> bool:
    if not 0 < line <= len(lines):
        return False
    start = mention.column - 1
    return lines[line - 1][start : start + len(mention.text)] == mention.text


# Names and words


def branch_name(base: str, parent: str, work: Work) -> str:
    """The same for the same change of the same commit, so that a second try finds the first."""
    digest = hashlib.sha256(f"{base}\0{parent}".encode("utf-8", "surrogateescape"))
    for path, data in sorted(work.files.items()):
        digest.update(b"\0" + path.encode("utf-8", "surrogateescape") + b"\0" + hashlib.sha256(data).digest())
    return f"{BRANCHES}fixes-{digest.hexdigest()[:16]}"


def title(fix: Fix, mended: Sequence[Mended]) -> str:
    """The first line of a commit, and the title of a pull request."""
    number = len({one.finding for one in mended})
    what = "a statement that is" if number == 1 else f"{number} statements that are"
    where = f" for #{fix.number}" if fix.number is not None and fix.base_ref else ""
    return f"Documentation{where}: put right {what} not true any more"


def message(fix: Fix, mended: Sequence[Mended]) -> str:
    """A commit's message. It refers to nobody and closes nothing, whatever the files are called."""
    lines = [f"- {_plain(one.file)}:{one.line}: {one.rule} ({one.finding})" for one in mended[:_MOST_NAMED]]
    if len(mended) > _MOST_NAMED:
        lines.append(f"- and {len(mended) - _MOST_NAMED} more")
    asked = [f"Asked for by {_plain(fix.asked_by)}."] if fix.asked_by else []
    return "\n".join([title(fix, mended), "", *lines, *(["", *asked] if asked else [])]) + "\n"


def pull_body(fix: Fix, mended: Sequence[Mended]) -> str:
    """What a pull request of our own says; by its marker it is found again."""
    mark = f"<!-- docalign:fixes {fix.number} -->" if fix.number is not None else "<!-- docalign:fixes -->"
    parts = [mark, "These statements of the documentation are not true any more, and what is true is certain."]
    if fix.number is not None:
        parts.append(
            f"They become false with #{fix.number}, whose branch cannot be written to. Merge that first: until then the check "
            "here says so."
        )
    rows = ["| where | what | finding |", "|---|---|---|"]
    for one in mended[:_MOST_NAMED]:
        place = markdown.code(f"{one.file}:{one.line}"[:_LONGEST_PATH])
        rows.append(f"| {place} | {markdown_line(one.rule)} | {markdown.code(one.finding)} |")
    if fix.asked_by:
        rows += ["", f"Asked for by {markdown_line(fix.asked_by[:_LONGEST_PATH])}."]
    return "\n\n".join([*parts, "\n".join(rows)])[:MOST_CHARACTERS]


def is_for(body: str, number: int | None) -> bool:
    """Whether a pull request of ours holds the fixes for this pull request; None: those of the branch itself."""
    found = _FIXES.match(body)
    return found is not None and (found[1] is None if number is None else found[1] == str(number))


def _plain(text: str) -> str:
    """One line of a commit's message in which GitHub finds nothing to refer to."""
    clean = printable(text[:_LONGEST_PATH]).replace("\n", " ").replace("\r", " ")
    return re.sub(r"([@#]|://|GH(?=-))", "\\1\u200b", clean, flags=re.IGNORECASE)
