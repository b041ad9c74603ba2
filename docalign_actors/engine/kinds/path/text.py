"""Finds paths in documents: links, code spans, tree drawings, code blocks and prose."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import unquote

import msgspec

from docalign_actors.engine.claims import Claim
from docalign_actors.engine.documents.model import Block, Document, Inline
from docalign_actors.engine.kinds.path.drawings import (
    ANY,
    is_drawn_file,
    is_readers_own,
    is_yet_to_come,
    stands_for_itself,
    words_in,
)
from docalign_actors.engine.kinds.path.hosted import addresses
from docalign_actors.engine.kinds.path.runs import files_run
from docalign_actors.engine.kinds.shared.languages import PROGRAMS
from docalign_actors.engine.kinds.shared.prompts import is_typed

_EXTENSIONS = """
    py pyi pyx js mjs cjs jsx ts mts tsx go rs java kt kts c h cc cpp hpp cs rb php swift sh bash zsh fish ps1 bat
    toml yaml yml json json5 ini cfg conf env md mdx rst adoc txt html css scss less sql proto graphql xml gradle lock
    mk mod sum png jpg jpeg gif svg webp ico pdf ipynb csv tf hcl vue svelte astro lua pl r jl ex exs erl hs ml clj
    scala groovy dart zig nix service timer plist properties tmpl tpl j2 in
""".split()
KNOWN_ENDING = re.compile(r"\.(" + "|".join(_EXTENSIONS) + r")$", re.IGNORECASE)
_ANY_EXTENSION = re.compile(r"\.[A-Za-z][A-Za-z0-9]{0,7}$")
"""Where a path has a folder in front, and only the history decides, any ending will do."""
_PATH = re.compile(r"^(?:\./|\.\./)*[\w.@+-]+(?:/[\w.@+-]+)*/?$")
_SUFFIX = re.compile(r"(?::\d+(?:[:-]\d+)?|#L\d+(?:-L?\d+)?|::[\w:.\[\]-]+)$")
_IN_TEXT = re.compile(r"(?<![\w./@:~$%{}<>*+-])((?:\./|\.\./)?[\w.+-]+(?:/[\w.@+-]+)+/?)(?![\w/*{}<>$])")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])", re.ASCII)
"""Markdown: a mark that is escaped in an address stands for itself, an underscore above all."""
_REQUIRE = re.compile(r"""^\s*require\s*\(?\s*["'](?P<path>[a-z][\w-]*(?:/[\w-]+)+)["']""")
_SCHEME = re.compile(r"^[A-Za-z][A-Za-z0-9+.-]*:|^//")
_PLACEHOLDER = re.compile(
    r"(?:^|/)(?:path|your|my|foo|bar|baz|some|example|xxx|owner|repo|org|user(?:name)?)(?:[-_./]|$)|path/to|\.\.\.",
    re.IGNORECASE,
)
_TREE_BRANCH = re.compile(
    r"^(?P<lead>[\s│|]*)(?:[├└+`|][─\-—]++|[├└])\s*"
    r"(?P<name>\([\w.-]+\)/?(?=\s|$)|[^\s#(←<]+|<[^>\s]*>)(?P<rest>.*)"
)
"""A name may stand in brackets, as the groups of routes of Next.js do: `├── (auth)/`."""
_GOES_ON = re.compile(r" (?:[\w'&()-]{1,40} ){0,5}[\w'&()-]{1,40}\.[A-Za-z]\w{1,4}(?:\s*$|\s+(?:#|//|←|—|–|--|\())")
"""Behind the first word of a file's name with blanks: `Breathing Idle.fbx`."""
_MEASURED = re.compile(
    r"\d ?(?:[kmg]?i?b|bytes|ops|req(?:uest)?s?|iter(?:ation)?s|calls|messages|items|rows)/(?:s|sec|second)\b|\d ns/op\b",
    re.IGNORECASE,
)
"""What a measurement printed: the session is a record of its day, its command included."""
_RUN = re.compile(
    r"^\s*(?:[$%>#] )?\s*$|(?:[;&|]|\b(?:sudo|sh|bash|source|exec|nohup|time|python3?|node|ruby|php|perl))\s*$"
)
"""Before a path that is run: nothing but a prompt, or what runs scripts."""
_CONFIGURATIONS = frozenset(
    ("yaml", "yml", "json", "json5", "jsonc", "toml", "ini", "xml", "hcl", "properties", "nginx")
)
_YOURS = re.compile(r"\b(?:your|their|an?|any)(?: own| local| new)?\s*$", re.IGNORECASE)
_YOURS_ENDS = ("your", "their", "a", "an", "any", "own", "local", "new")
_RESOURCE = re.compile(r"^(?:page|partial|image|attachment|example)\$")
"""Antora names the family of a file before it."""
_ON_BRANCH = re.compile(r"/(?:blob|tree)/(?:main|master|HEAD|trunk|develop)/(?P<path>[^?#]+)")
_MEDIA_TYPE = re.compile(r"^(?:application|text|image|audio|video|multipart)/[\w.+-]+$")
TRACE = re.compile(r"""^\s*(?:File ["']|at .{0,200}:\d+\)?\s*$)""")
"""A line of a stack trace: what it shows was so when somebody ran it."""
_TAG_OPEN = re.compile(r"\{[%{](?:(?![%}]\}).)*$")
_FROM_HERE = re.compile(r"\.{1,2}/[\w-]{3,}/[\w-]{3,}/?$")
"""A folder of a folder, written from where one stands: `./deploy/common`."""
_GLOB = re.compile(r"(?P<folder>(?:[\w.@+-]+/)*[\w.@+-]+)/[\w.-]*\*[\w.*/{},-]*$")
"""`src/test/*.spec.ts` names the folder too, by the way."""
_COMMITTED = re.compile(r"\s*(?:[$%>#] )?\s*git (?:-\S+ )?(?:add|rm|mv|restore|commit)\b")
"""`git add docs/plan.md`: what goes into one commit, on the day that it is made."""
_MOST_IN_BLOCK = 300
_LONGEST = 200


_PRINTED = re.compile(
    r"(?:^|[\s>])(?:(?:sample|example|resulting|following) )?outputs?\b\W*(?:</\w{1,10}>\s*)*$", re.IGNORECASE
)
"""What stands above a block that shows what a program printed."""


def claims_in(document: Document) -> Iterator[Claim]:
    """Every path that a document names, once for each place."""
    previous: Block | None = None
    for block in document.blocks:
        above, previous = previous, block
        if block.kind == "code":
            printed = not block.language and above is not None and _PRINTED.search(above.text[-80:]) is not None
            if not _is_drawing(block):
                yield from (claim for line in block.lines for claim in _hosted(document, block, line))
                yield from _code_claims(document, block, printed)
                yield from _required(document, block)
            elif not any(is_typed(line.text) for line in block.lines[:2]):
                yield from _tree_claims(document, block, printed)
            continue
        # The words of a link to another site speak of what is there, often at a commit of long ago.
        elsewhere = {
            i.label for i in block.every_inline() if i.kind == "link" and _SCHEME.match(i.text) and not _shows_branch(i)
        }
        before = ""
        for inline in block.every_inline():
            yours = before[-40:].rstrip().lower().endswith(_YOURS_ENDS) and bool(_YOURS.search(before[-40:]))
            before = inline.text if inline.kind == "text" else ""
            if inline.kind in ("text", "code") and any(inline.text.strip() in label for label in elsewhere if label):
                continue
            yield from _inline_claims(document, block, inline, yours)


def _required(document: Document, block: Block) -> Iterator[Claim]:
    """Ruby: `require 'tool/task'` loads `lib/tool/task.rb`."""
    for line in block.lines if block.language in ("ruby", "rb") else ():
        match = _REQUIRE.match(line.text[:300])
        if match is not None:
            path, column = match["path"], line.column + match.start("path")
            yield _claim(document, block, path, line.line, column, "required", f"lib/{path}.rb")


def _hosted(document: Document, block: Block, inline: Inline) -> Iterator[Claim]:
    """Files by their addresses on GitHub, in a link as in a command: `curl https://raw.githubusercontent.com/…/install.sh`."""
    for slug, path, start in addresses(inline.text[:500]):
        claim = _claim(document, block, path, inline.line, inline.column + start, "hosted", path)
        yield msgspec.structs.replace(claim, owner=slug)


def _shows_branch(link: Inline) -> bool:
    """The label is a path, and the link leads to that path on a branch: what is there is what is here."""
    found = _ON_BRANCH.search(link.text)
    return found is not None and bool(link.label) and found["path"] == link.label.strip("` /")


def _inline_claims(document: Document, block: Block, inline: Inline, yours: bool) -> Iterator[Claim]:
    if inline.kind in ("link", "image"):
        claim = _link_claim(document, block, inline)
        if claim:
            yield claim
    elif inline.kind == "code" or (inline.kind == "role" and inline.label in ("file", "download", "source", "src")):
        yield from _hosted(document, block, inline)
        yield from _span_claims(document, block, inline, yours)
    elif inline.kind == "text":
        for match in _paths_in(inline.text[:2000]):
            text = match.group(1).rstrip(".")
            if _is_told(text) and _is_path(text) and not _looks_like_host(text):
                yield _claim(document, block, text, inline.line, inline.column + match.start(1), "prose", text)


def _link_claim(document: Document, block: Block, inline: Inline) -> Claim | None:
    if (hosted := next(_hosted(document, block, inline), None)) is not None:
        return hosted
    if inline.label == "toctree" or _SCHEME.match(inline.text) or len(inline.text) > 500:
        return None
    text = re.split(r"[?#]", inline.text, maxsplit=1)[0]
    escaped = _ESCAPED.sub(r"\1", text) if document.format in ("markdown", "mdx") else text
    subject = unquote(escaped).replace("\\", "/")
    if (
        not text.strip()
        or subject.startswith(("@", "~"))  # `~/notes.md`: on somebody's own machine
        or any(c in subject for c in "{}<>*|`\n\0")
        or "::" in subject
        or ("$" in subject and not _RESOURCE.match(subject))
        or "@" in subject.split("/")[0]
    ):
        return None
    form = "image" if inline.kind == "image" else "link"
    return _claim(document, block, text, inline.line, inline.column, form, subject)


def _span_claims(document: Document, block: Block, inline: Inline, yours: bool) -> Iterator[Claim]:
    text = inline.text
    if " " in text.strip():
        for match in (*_paths_in(text[:500]), *files_run(text[:500])):
            inner = match.group(1).rstrip(".,;")
            if _is_told(inner) and _is_path(inner) and not _looks_like_host(inner):
                yield _claim(document, block, inner, inline.line, inline.column + match.start(1), "span", inner)
        return
    if glob := _GLOB.match(text.strip()):
        folder = glob["folder"]
        if _is_path(folder) and "/" in folder:
            at = inline.column + text.find(folder)
            yield _claim(document, block, folder, inline.line, at, "span", folder, value="output")
        return
    trimmed = _SUFFIX.sub("", text.strip())
    offset = text.find(trimmed)
    if not _is_path(trimmed) or _MEDIA_TYPE.match(trimmed):
        return
    if (
        "/" in trimmed
        or KNOWN_ENDING.search(trimmed)
        or trimmed in ("Makefile", "Dockerfile", "Justfile", "Rakefile", "Gemfile")
    ):
        at = inline.column + offset
        yield _claim(document, block, trimmed, inline.line, at, "span", trimmed, value="yours" if yours else "")


def _code_claims(document: Document, block: Block, printed: bool) -> Iterator[Claim]:
    found = 0
    # In a session with prompts the other lines are output: whatever was there when somebody ran it, unless it is renamed.
    session = any(is_typed(line.text) for line in block.lines)
    record = session and any(_MEASURED.search(line.text[:300]) for line in block.lines)
    for line in block.lines:
        if TRACE.match(line.text[:300]) or _is_taken_away(block.language, line.text):
            continue
        shown = record or (session and not is_typed(line.text))
        for match in (*_paths_in(line.text[:2000]), *files_run(line.text[:2000])):
            text = match.group(1).rstrip(".")
            loose = not _is_told(text)
            if (loose and not _FROM_HERE.match(text)) or not _is_path(text) or _looks_like_host(text):
                continue
            found += 1
            if found > _MOST_IN_BLOCK:
                return
            own = block.language in PROGRAMS or block.language in _CONFIGURATIONS
            run = "run" if _RUN.search(line.text[: match.start(1)]) and not own else "program" if own else ""
            run = "committed" if _COMMITTED.match(line.text[:300]) else run
            run = "printed" if printed else "output" if shown or loose else run
            column = line.column + match.start(1)
            yield _claim(document, block, text, line.line, column, "shell", text, line.text[:300].strip(), run)


def _is_taken_away(language: str, line: str) -> bool:
    """A line that a diff shows as the one that goes: what it names was so before."""
    return (language.startswith(("diff", "patch")) and line.startswith("-")) or "[!code --]" in line


def _is_told(text: str) -> bool:
    """In running text and in code a path is told by a file's ending, or by two folders in front of its last name."""
    return bool(_ANY_EXTENSION.search(text)) or text.strip("./").count("/") >= 2


def _paths_in(text: str) -> list[re.Match[str]]:
    """What looks like a path, but for what stands in a template's tag: `{% link news/index.html %}` is filled in later."""
    if "/" not in text:
        return []
    found = list(_IN_TEXT.finditer(text))[:_MOST_IN_BLOCK]
    if "{%" not in text and "{{" not in text:
        return found
    return [match for match in found if not is_in_tag(text[: match.start(1)])]


def is_in_tag(before: str) -> bool:
    """What stands before a place ends within a template's tag."""
    return _TAG_OPEN.search(before) is not None


def _below_examples(text: str) -> str:
    """The path without the word that a file in a folder of examples may well begin with: `examples/example_rule.yaml`."""
    return text.replace("/example_", "/").replace("/example-", "/") if text.startswith("examples/") else text


def _is_path(text: str) -> bool:
    if (
        not 2 < len(text) <= _LONGEST
        or not _PATH.match(text)
        or text.startswith(("-", "@", "..."))
        or text.endswith("...")
    ):
        return False
    return (
        not _PLACEHOLDER.search(_below_examples(text))
        and any(c.isalpha() for c in text)
        and not re.fullmatch(r"[\d./v-]+", text)
    )


def _looks_like_host(text: str) -> bool:
    first = text.split("/")[0]
    return "." in first.strip(".") and not first.startswith(".") and not KNOWN_ENDING.search(first)


def _claim(
    document: Document,
    block: Block,
    text: str,
    line: int,
    column: int,
    form: str,
    subject: str,
    context: str = "",
    value: str = "",
) -> Claim:
    return Claim(
        "path",
        subject,
        text,
        document.path,
        line,
        column,
        form=form,
        value=value,
        section=block.section,
        context=context,
        group=block.group,
        hypothetical=block.hypothetical,
    )


# Drawings of a tree of files


def _is_drawing(block: Block) -> bool:
    return (
        sum(
            1
            for line in block.lines[:200]
            if "├" in line.text or "└" in line.text or ("--" in line.text and re.match(r"^\s*[|`+]--\s", line.text))
        )
        >= 2
    )


def _tree_claims(document: Document, block: Block, printed: bool) -> Iterator[Claim]:
    stack: list[tuple[int, str]] = []
    entries: list[tuple[str, str, int, int]] = []
    drawn: list[tuple[str, str, str]] = []
    root = ""
    for line in block.lines[:1000]:
        match = _TREE_BRANCH.match(line.text[:400])
        if not match:
            first = line.text.strip().split(" ")[0].rstrip("/")
            if not entries and is_readers_own(first):
                return
            if not entries and first and _is_path(first + "/"):
                root = first
            continue
        depth, name = match.start("name"), match.group("name").rstrip(",;:")
        # Nothing lies below a file: a line that is indented too far stands beside it.
        while stack and (stack[-1][0] >= depth or is_drawn_file(stack[-1][1])):
            stack.pop()
        stack.append((depth, name.strip("/") if stands_for_itself(name, match.group("rest")) else ANY))
        path = "/".join(part for _, part in stack)
        drawn.append((path, match.group("name"), match.group("rest")))
        is_there = (
            ANY not in path and not is_yet_to_come(match.group("rest")) and not _GOES_ON.match(match.group("rest"))
        )
        if is_there and _PATH.match(name) and not _PLACEHOLDER.search(name) and len(path) <= _LONGEST:
            entries.append((path, name, line.line, line.column + depth))
    words = words_in(drawn)
    entries = [entry for entry in entries if entry[0] not in words]
    listing = "\n".join(path for path, *_ in entries)
    for path, name, number, column in entries:
        yield Claim(
            "path", path, name, document.path, number, column, form="tree", owner="" if root in (".", "") else root, value=listing,
            section=block.section, hypothetical=block.hypothetical or printed,
        )  # fmt: skip
