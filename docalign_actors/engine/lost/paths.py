"""Files and folders that the last commits took away, or the change under scan: where no kind reads a path.

By name: `create_user` and `.valgrind.suppressions` are no paths by their looks. That a file of just this name went, and that none
is called so any more, says that it was one. By the whole path: a folder in the midst of a sentence, a file that the title of an
example names (```` ```python title="src/app.py" ````), a Go package in a flag of the linker.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Container, Iterator, Sequence

from docalign_actors.engine.claims import Claim, Judgement
from docalign_actors.engine.documents.model import Block, Document, Inline
from docalign_actors.engine.judging import Judged, PastAsker
from docalign_actors.engine.kinds.path.fixes import gone, respell
from docalign_actors.engine.kinds.path.text import KNOWN_ENDING, TRACE
from docalign_actors.engine.kinds.shared.names import is_installed
from docalign_actors.engine.kinds.shared.prompts import is_typed
from docalign_actors.engine.lost.beside import Beside
from docalign_actors.engine.lost.commands import programs_of
from docalign_actors.engine.lost.lines import LONGEST_LINE, code_in
from docalign_actors.engine.ports import History, Removal
from docalign_actors.engine.roles import is_fixture, is_foreign
from docalign_actors.engine.world import World
from docalign_actors.findings.model import Verdict

_NAME = re.compile(r"\.?[A-Za-z][\w+]*(?:[._-][\w+]+){1,8}")
_WORD = re.compile(r"(?<![^\s\"'`])(?:\./)?(?P<name>\.?[A-Za-z][\w+]*(?:[._-][\w+]+){1,8})(?![^\s\"'`;)])")
_SHELLS = frozenset(("sh", "bash", "shell", "console", "zsh", "powershell", "ps1", "cmd", "bat", ""))
_LEAST = 6
_INTO = re.compile(r"\b(?:in|under|below|at|from|into|inside|within|see|folder|directory)\W{1,3}$", re.IGNORECASE)
_FOLDER = re.compile(r"\W{1,3}(?:folder|directory|sub-?directory|package|crate)\b", re.IGNORECASE)
_PLAIN = re.compile(r"(?:\./)?([A-Za-z]{3,40})/?")
_GIVEN_FILE = re.compile(
    r"^\s*(?:\$ |> )?(?:sudo )?[\w./-]{2,40}(?: [\w./:=@-]{1,60}){0,6}"
    r" (?:-r|-f|-c|--requirement|--file|--filename|--config)[ =](?:\./)?$"
)
_OF_TWO_WORDS = re.compile(r"[A-Za-z]\w*[-_]\w{2,}")
_HUMPS = re.compile(r"[a-z]{2,40}[A-Z]\w{2,40}\.")
_SEE = re.compile(r"\b[Ss]ee (?:also )?(?:the )?(?:file )?[\"']?(?:\./)?$")
"""What a text of help sends its reader to."""
_CALLED = re.compile(r"\W{0,3}(?:folder|directory|sub-?directory)\b", re.IGNORECASE)
_CALLS = re.compile(r"\b(?:folder|directory|sub-?directory),?(?: called| named)? ?$", re.IGNORECASE)
_TAG = re.compile(r"\{[{%](?![^{}]{0,200}[}%]\})[^{}]{0,200}$")
_ANSWER = frozenset({"path", "imports", "anchor", "navigation", "route"})
_MOST = 600
"""Of a commit that takes more away than that, nobody tells path by path."""
_LEAST_WHOLE = 7
"""Letters of a path that nobody writes by chance."""
_AND_OR = re.compile(r"[a-z]+/[a-z]+")
"""`client/server` in a sentence may be two words."""

_Place = tuple[Document, Block, Inline, int]
_HANDED = r"(?:(?<=[ ='\"]@)|(?<=^@)|(?<=\$PWD/)|(?<=\$\(pwd\)/)|(?<=\$\{PWD\}/))"
"""Before a file that a command sends (`--data @items.json`), or that it mounts from the folder it is run in."""


def lost_paths(judged: Sequence[Judged], world: World, history: History) -> list[Judged]:
    """Claims that no kind made: names of files that have just gone."""
    named: dict[str, list[_Place]] = defaultdict(list)
    lately = {path.rpartition("/")[2] for path in history.lately_removed()}
    lately = {name for name in lately if len(name) >= _LEAST and name not in world.by_name}
    plain = {name for name in lately if not KNOWN_ENDING.search(name)}
    for document in world.documents.values() if lately else ():
        for block in document.blocks if not document.history else ():
            for name, inline, start in (*_names(block, lately), *_called_folders(block, lately, world)):
                spoken = name in plain and inline.kind != "text" and not _is_imported(name, document)
                if spoken or _is_read(name, block, inline, start):
                    named[name].append((document, block, inline, start))
    asked = {f"**/{name}": name for name in named}
    removals = (
        {asked[key]: removal for key, removal in history.removed(asked).items() if removal.recent} if asked else {}
    )
    went = {name: removal for name, removal in removals.items() if _is_ours(removal.path)}
    if went:  # a completion or a service's file is called like its program
        called = programs_of(world) | world.index.package_names
        for name in called & went.keys():
            named[name] = [place for place in named[name] if _is_called_folder(*place[1:3])]
    beside = Beside(judged if went else ())
    found: list[Judged] = []
    for name, removal in went.items():
        heir = removal.successor.rpartition("/")[2] if "/" in removal.path else removal.successor
        told = gone(removal, "missing-path", 0.9, heir)
        for place in named[name]:
            claim = _claim(name, *place)
            if not any(_settles_name(*said) for said in beside.of(claim)):
                found.append((claim, told))
    return found


def _names(block: Block, lately: Container[str]) -> Iterator[tuple[str, Inline, int]]:
    """Spans of nothing but the name of something that went, and the words of commands."""
    for inline in code_in(block):
        if inline.kind == "code" and _NAME.fullmatch(inline.text):
            if inline.text in lately:
                yield inline.text, inline, 0
        elif block.kind == "code" and block.language.lower() in _SHELLS:
            text = inline.text[:LONGEST_LINE]
            for match in _WORD.finditer(text):
                if match["name"] not in lately:
                    continue
                if text.lstrip().startswith("#") and not re.search(r"[./]", match.group()):
                    continue  # English: `# Run all pre-commit checks`
                if is_installed(text, match) and not _GIVEN_FILE.match(text[: match.start("name")]):
                    continue
                yield match["name"], inline, match.start("name")
    for inline in block.every_inline() if not (block.lines or block.historical) else ():
        if inline.kind == "text" and inline.text in lately and _NAME.fullmatch(inline.text):
            yield inline.text, inline, 0


def _is_imported(name: str, document: Document) -> bool:
    """An example of the document takes a module of this name in: the name alone is the module, whatever folder went."""
    takes = re.compile(rf"\s*(?:from|import|use|using|require)\b.{{0,40}}?(?<![\w-]){re.escape(name)}(?![\w-])")
    return any(
        takes.match(line.text[:LONGEST_LINE]) for block in document.blocks for line in block.lines if name in line.text
    )


def _is_read(name: str, block: Block, inline: Inline, start: int) -> bool:
    """A command is given a file that is there: `pip install -r dev-requirements.txt`, `kubectl apply -f peering-crd.yaml`.

    Or it stands by itself, in bold or as a term, and has a name of two words: `- **build-all.sh**: builds everything`.
    """
    if inline.kind == "text":
        return _OF_TWO_WORDS.match(name) is not None
    before = inline.text[:start] if block.kind == "code" else ""
    if _SEE.search(before):
        return _OF_TWO_WORDS.match(name) is not None or _HUMPS.match(name) is not None
    return _GIVEN_FILE.match(before) is not None and _OF_TWO_WORDS.match(name) is not None


def _is_called_folder(block: Block, inline: Inline) -> bool:
    """The words beside a span call it a folder."""
    at = next((number for number, other in enumerate(block.inlines) if other is inline), -1)
    before = block.inlines[at - 1].text[-40:] if at > 0 else ""
    after = block.inlines[at + 1].text[:40] if 0 <= at < len(block.inlines) - 1 else ""
    return at >= 0 and (_CALLED.match(after) is not None or _CALLS.search(before) is not None)


def _called_folders(block: Block, lately: Container[str], world: World) -> Iterator[tuple[str, Inline, int]]:
    """``the `plugins` folder``: a plain word that the words beside it call a folder, if one went and none is called so now."""
    for inline in block.inlines if not block.historical else ():
        match = _PLAIN.fullmatch(inline.text) if inline.kind == "code" else None
        if match is None or match[1] not in lately or match[1] in world.folder_names:
            continue
        if _is_called_folder(block, inline):
            yield match[1], inline, match.start(1)


def _claim(name: str, document: Document, block: Block, inline: Inline, start: int) -> Claim:
    form = "shell" if block.kind == "code" else "span"
    return Claim(
        "path",
        name,
        name,
        document.path,
        inline.line,
        inline.column + start,
        form=form,
        words=(),
        section=block.section,
    )


def _settles_name(other: Claim, judgement: Judgement) -> bool:
    """A claim on the same text has an answer, or the kind that reads paths has its doubts."""
    return judgement.verdict is not Verdict.UNCERTAIN or other.kind in ("path", "environment")


def lost_whole_paths(judged: Sequence[Judged], world: World, asker: PastAsker) -> list[Judged]:
    """Claims that no kind made: places that have the whole path of what has just gone."""
    went = _went(world, asker)
    found = list(_places(went, world)) if 0 < len(went) <= _MOST else []
    if not found:
        return []
    removals = asker.history.removed(sorted({claim.subject for claim in found}))
    beside = Beside(judged)
    return [
        (claim, gone(removal, "missing-path", 0.9, _respelled(claim, removal)))
        for claim in found
        if (removal := removals.get(claim.subject)) is not None
        and removal.recent
        and not any(_settles_path(*said) for said in beside.of(claim))
    ]


def _respelled(claim: Claim, removal: Removal) -> str:
    """What the path is called now, as the document writes it: within its package only if it lies there still."""
    above = removal.path.removesuffix(claim.text)
    inside = removal.successor.startswith(above)
    whole = respell(claim, removal) if removal.successor and not above else ""
    return removal.successor[len(above) :] if above and inside else whole


def _went(world: World, asker: PastAsker) -> list[str]:
    """What the last commits took away, and whose whole path is not written by chance."""
    return [
        path
        for path in asker.history.lately_removed()
        if "/" in path and len(path) >= _LEAST_WHOLE and _is_ours(f"{path}/x") and not world.is_ignored(path)
    ]


def _is_ours(path: str) -> bool:
    """A file that is written here, be it an example or a test: whoever names it by its path, or as a folder, means it."""
    return not (is_foreign(path) or is_fixture(path))


def _places(paths: Sequence[str], world: World) -> Iterator[Claim]:
    modules = [package.name for package in world.index.packages if package.language == "go" and package.name]
    prefix = f"(?:(?:{'|'.join(map(re.escape, modules))})/)?" if modules else ""
    whole_paths = {**_within_packages(paths, world), **{path: path for path in paths}}
    names = "|".join(map(re.escape, sorted(whole_paths, key=len, reverse=True)))
    whole = re.compile(rf"(?:(?<![\w./@-])|{_HANDED})(?:\./)?{prefix}(?P<path>{names})/?(?![\w/-])(?!\.[a-z0-9_]|:\d)")
    installed = re.compile(rf"(?P<root>(?:/[\w.-]{{2,40}}){{1,4}})/(?P<path>{names})/?")
    for document in world.documents.values():
        for block in document.blocks if not document.history else ():
            for inline in _texts(block) if not block.historical else ():
                alone = installed.fullmatch(inline.text) if inline.kind == "code" and inline.text[:1] == "/" else None
                found = (
                    (alone,)
                    if alone and _is_a_copy(alone["root"], world)
                    else whole.finditer(inline.text[:LONGEST_LINE])
                )
                for match in found if "/" in inline.text else ():
                    path = match["path"]
                    if _TAG.search(inline.text[: match.start()]):
                        continue  # a template's tag, which is filled in later
                    if inline.kind == "text" and not _is_a_place(inline.text, match):
                        continue
                    yield Claim(
                        "path", whole_paths[path], path, document.path, inline.line, inline.column + match.start("path"),
                        form="prose" if inline.kind == "text" else "span", section=block.section,
                    )  # fmt: skip


def _is_a_copy(root: str, world: World) -> bool:
    """Documents name a file of the repository below this folder of the reader's machine: `/opt/tool/bin/control.sh`."""
    below = re.compile(rf"(?<![\w./-]){re.escape(root)}/(?P<path>[\w-]+(?:/[\w.-]+){{1,6}})")
    texts = (b.text[: 20 * LONGEST_LINE] for d in world.documents.values() for b in d.blocks if root in b.text)
    return any(match["path"] in world.files for text in texts for match in below.finditer(text))


def _within_packages(paths: Sequence[str], world: World) -> dict[str, str]:
    """What went by its path within its package: `lib/outputs` of `packages/tool/lib/outputs`, if nothing ends so any more."""
    found: dict[str, str] = {}
    for path in paths:
        root = world.package_of(path).root
        inner = path[len(root) + 1 :] if root and path.startswith(f"{root}/") else ""
        if "/" in inner and len(inner) >= _LEAST_WHOLE and path not in world.directories:
            found[inner] = path
    ends = tuple(f"/{inner}" for inner in found)
    there = {one for one in (*world.directories, *world.files) if f"/{one}".endswith(ends)} if ends else set()
    return {inner: path for inner, path in found.items() if not any(f"/{one}".endswith(f"/{inner}") for one in there)}


def _is_a_place(text: str, match: re.Match[str]) -> bool:
    """No two words of a sentence: the path stands for itself, or the words around it call it a place."""
    if not _AND_OR.fullmatch(match["path"]) or match.group().endswith("/") or match.group() == text.strip():
        return True
    before, after = text[max(0, match.start() - 40) : match.start()], text[match.end() : match.end() + 40]
    return _INTO.search(before) is not None or _FOLDER.match(after) is not None


def _texts(block: Block) -> Iterator[Inline]:
    """All that a block says, with what stands behind the language of a code block.

    Not what was printed when somebody ran something, nor what a link is called: that is the link's.
    """
    inlines = list(block.every_inline())
    labels = {inline.label for inline in inlines if inline.kind == "link"}
    yield from (i for i in inlines if i.kind in ("text", "code") and i.text.strip() not in labels)
    if block.kind == "code":
        if block.info:
            yield Inline("code", block.info.replace(":", " "), block.line, 1)
        prompted = any(is_typed(line.text) for line in block.lines)
        yield from (
            line for line in block.lines if not (TRACE.match(line.text[:300]) or (prompted and not is_typed(line.text)))
        )


def _settles_path(other: Claim, judgement: Judgement) -> bool:
    """A claim on the same text has an answer, or its kind knows why there is none."""
    return other.kind in _ANSWER or judgement.verdict is Verdict.DRIFTED
