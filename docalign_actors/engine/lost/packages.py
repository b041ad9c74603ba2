"""Packages that their own manifests call by another name since a moment ago: npm packages with a scope, modules of Go.

`@acme/core` and `example.org/acme/core` are nobody else's names, so every place that writes one as code means the package:
an import, a command that installs it, a row of a table.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence

from docalign_actors.engine.claims import Claim, Judgement
from docalign_actors.engine.code.reader import SOURCE_LIMIT
from docalign_actors.engine.documents.model import Block, Inline
from docalign_actors.engine.documents.tone import is_historical
from docalign_actors.engine.judging import Judged
from docalign_actors.engine.lost.beside import Beside
from docalign_actors.engine.lost.lines import LONGEST_LINE, Edit
from docalign_actors.engine.roles import is_own_code
from docalign_actors.engine.world import World
from docalign_actors.findings.model import Evidence, Fix, Verdict

_NAMES = {
    "package.json": re.compile(
        r"^(?:\{|\s{1,4})\s{0,4}\"name\"\s{0,4}:\s{0,4}\"(?P<name>@[\w.-]{1,80}/[\w.-]{1,80})\"", re.MULTILINE
    ),
    "go.mod": re.compile(r"^module\s{1,8}\"?(?P<name>[\w-]+(?:\.[\w-]+)+/[\w./-]{1,120}\w)\"?\s*$", re.MULTILINE),
}
"""How a manifest, by its file's name, calls its own package; only names that cannot be anything else."""
_MOST_MANIFESTS = 400


def lost_packages(judged: Sequence[Judged], edits: Sequence[Edit], world: World) -> list[Judged]:
    """Claims that no kind made, or could not decide: the old name, wherever documents write it as code."""
    renamed = list(_renamed(edits, world))
    found: list[Judged] = []
    beside = Beside(item for item in (judged if renamed else ()) if item[1].verdict is Verdict.DRIFTED)
    for old, new, edit in renamed:
        for claim in _claims(old, world):
            if not any(beside.of(claim)):
                found.append((claim, _judgement(old, new, edit)))
    return found


def _renamed(edits: Sequence[Edit], world: World) -> Iterator[tuple[str, str, Edit]]:
    """The packages whose manifest is where it was, with another name, and that no manifest of today speaks of."""
    for edit in edits:
        path = edit.blob.path
        pattern = _NAMES.get(posixpath.basename(path))
        if pattern is None or path not in world.files or not is_own_code(path):
            continue
        then, now = pattern.search("\n".join(edit.before)), pattern.search(_text(path, world))
        if then is not None and now is not None and then["name"] != now["name"] and not _is_known(then["name"], world):
            yield then["name"], now["name"], edit


def _is_known(name: str, world: World) -> bool:
    """Some manifest names the package still: as its own, or as what it takes from elsewhere."""
    manifests = [p for p in world.files if posixpath.basename(p) in _NAMES]
    whole = re.compile(_pattern(name))
    return len(manifests) > _MOST_MANIFESTS or any(whole.search(_text(path, world)) for path in manifests)


def _pattern(name: str) -> str:
    """The name as a whole, or what lies below it; not the address of the repository, nor another major version of the module."""
    return rf"(?<![\w@/.-]){re.escape(name)}(?!/v\d)(?![\w-]|\.\w)"


def _claims(old: str, world: World) -> Iterator[Claim]:
    # What is asked for by its version may well have been called so.
    place = re.compile(rf"{_pattern(old)}(?!@v?\d)")
    for document in world.documents_with(old):
        for block in document.blocks:
            if not block.historical and not is_historical(block.text[:LONGEST_LINE]):
                for inline in _code(block):
                    for match in place.finditer(inline.text[:LONGEST_LINE]):
                        column = inline.column + match.start()
                        form = "example" if block.kind == "code" else "span"
                        yield Claim(
                            "imports", old, old, document.path, inline.line, column, form=form, section=block.section
                        )


def _code(block: Block) -> Iterator[Inline]:
    if block.kind == "code":
        yield from block.lines
    else:
        titled = block.kind == "heading"  # the page of a package is called by its name
        yield from (i for i in block.every_inline() if i.kind == "code" or (titled and i.kind == "text"))


def _judgement(old: str, new: str, edit: Edit) -> Judgement:
    evidence = Evidence(f"it was called `{old}` here until then", edit.blob.path, 0, edit.blob.after)
    message = f"the package is not called `{old}` any more: it is `{new}` now"
    return Judgement(Verdict.DRIFTED, "wrong-import", message, (evidence,), 0.92, fix=Fix(new, True), subject=old)


def _text(path: str, world: World) -> str:
    return world.tree.read(path, SOURCE_LIMIT).decode("utf-8", "replace")
