"""Finds the names that a document claims: in code spans, cross-references, headings, the text, and examples."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from functools import cached_property

from docalign_actors.engine.claims import Claim
from docalign_actors.engine.documents.model import Block, Document, Inline
from docalign_actors.engine.kinds.shared.examples import Examples, Place, Use, read_examples
from docalign_actors.engine.kinds.shared.lookup import words_in
from docalign_actors.engine.kinds.shared.names import (
    is_argument,
    is_constant,
    is_distinctive,
    is_keyword,
    may_hold_names,
    parse_name,
)

_ROLES = frozenset((
    "func", "function", "class", "meth", "method", "attr", "attribute", "data", "const", "exc", "exception", "obj", "mod",
    "module", "currentmodule", "property", "decorator", "deco", "staticmethod", "classmethod", "py", "any",
))  # fmt: skip
_MODULES = frozenset(("mod", "module", "currentmodule"))
_DIRECTIVES = frozenset(("module-directive", "currentmodule-directive"))
_PROSE = re.compile(r"(?<![\w`./:#$%&?=\-])(?<!\w@)[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*(?:\(\))?(?![\w/`]|\.\w|-\w)")
_CALLS = re.compile(r"(?<![\w.$])[A-Za-z_$][\w$]*(?:(?:\.|::)[A-Za-z_$][\w$]*)*(?=!?\()")
_HEADING = re.compile(r"\.?[A-Za-z_$][\w$]*(?:(?:\.|::|#)[A-Za-z_$][\w$]*)*(?=\s?\(|$)")
_CLASS = re.compile(r"\b[A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*\b(?=[`.(:\])]|$)")
_WORD = re.compile(r"(?<![\w/\-$@])[A-Za-z_]\w{4,}(?![\w/]|-\w)")
_DOTTED = re.compile(r"(?<![\w/\-$@.:])[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*(?![\w/]|-\w)")
_ARGUMENT = re.compile(r"(?<![\w/\-$@\"'])[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*(?![\w/\"']|-\w)")
_PATH = re.compile(r"(?<![\w/\-$@.])[A-Za-z_]\w{2,}(?:\.[A-Za-z_]\w*)+(?![\w/]|-\w)")
_ASSIGNED = re.compile(r"\s*(?:(?:const|let|var|val|auto|my|>>>) +)?([A-Za-z_]\w*)\s+:?=\s")
_NAMESPACED = re.compile(r"\\?[A-Za-z_]\w*(?:\\[A-Za-z_]\w*)+(?:(?:::|->)[A-Za-z_]\w*)?(?=\(|$)")
"""PHP: `Monolog\\Handler\\StreamHandler::handle()`."""
_SEPARATOR = re.compile(r"\.prototype\.|\.|::|#")


def extract(document: Document) -> Iterator[Claim]:
    """Every name that a document claims, with the way it is written in `value`.

    name, call, member (`.bar()`), role, module, prose: as written; import, typed: as the document's examples tell;
    path: a dotted name that is a claim only if it begins with a package of ours; namespace: a module that what follows
    is said to be in, which need not be where it is defined.
    """
    examples = read_examples(document)
    for block in document.blocks:
        if block.kind != "code":
            yield from _Block(document.path, block, examples).claims()
    for use in examples.uses:
        if _is_claim(use, examples):
            how = {"free": "call" if use.call else "name"}.get(use.how, use.how)
            writer = _Block(document.path, use.block, examples)
            yield writer.claim(use.parts, use.place, "example", how, use.origin, use.language)
    yield from _other_words(document, examples)


class _Block:
    """The claims of one block."""

    def __init__(self, file: str, block: Block, examples: Examples) -> None:
        self.file = file
        self.block = block
        self.examples = examples

    @cached_property
    def context(self) -> str:
        return self.block.text[:600] if self.block.kind != "code" else ""

    @cached_property
    def owners(self) -> tuple[str, ...]:
        """Classes that are named nearby: a method may be theirs."""
        return tuple(dict.fromkeys(_CLASS.findall(" ".join((*self.block.section[-2:], self.context)))))[:6]

    def claims(self) -> Iterator[Claim]:
        for inline in self.block.every_inline():
            if inline.kind == "code":
                yield from self._span(inline)
            elif inline.kind == "role":
                yield from self._role(inline)
            elif inline.kind == "text" and self.block.kind == "heading":
                yield from self._heading(inline)
            elif inline.kind == "text":
                yield from self._text(inline)

    def claim(
        self,
        parts: Sequence[str],
        place: Place,
        form: str,
        how: str,
        origin: str = "",
        language: str = "",
        line: str = "",
    ) -> Claim:
        words = (*words_in(parts), *(self.owners if how in ("call", "member") and len(parts) == 1 else ()))
        return Claim(
            "symbol", ".".join(parts), place.text, self.file, place.line, place.column, form, how, origin, language,
            self.block.section, line or self.context, words, self.block.group, self.block.hypothetical,
        )  # fmt: skip

    def _meant(self, parts: tuple[str, ...], place: Place, how: str) -> Claim:
        """The claim, with what the document's examples say the first part stands for."""
        origin = self.examples.origins.get(parts[0], "")
        meaning = self.examples.meanings.get(parts[0])
        if meaning is not None and origin and len(parts) > 1:
            return self.claim((*meaning, parts[1]), place, "span", "typed", origin)
        if meaning is not None and parts[0] not in self.examples.origins:
            return self.claim((*meaning, *parts[1:]), place, "span", "import")
        return self.claim(parts, place, "span", how, origin)

    def _span(self, inline: Inline) -> Iterator[Claim]:
        spaced = _NAMESPACED.match(inline.text[:300])
        if spaced is not None:
            parts = [part for part in re.split(r"\\|::|->", spaced.group()) if part]
            yield self.claim(parts, Place(spaced.group(), inline.line, inline.column), "span", "call")
            return
        name = parse_name(inline.text)
        if name is not None:
            if len(name.parts) > 1 or not self.examples.invents(name.parts[0]):
                place = Place(name.text, inline.line, inline.column + name.start)
                how = "call" if name.call else "name"
                yield (
                    self.claim(name.parts, place, "span", "member")
                    if name.member
                    else self._meant(name.parts, place, how)
                )
            if name.arguments and len(inline.text) < 400:
                yield from self._types(inline, inline.text.index(name.arguments))
        elif len(inline.text) < 400:
            yield from self._parts(inline)

    def _types(self, inline: Inline, start: int) -> Iterator[Claim]:
        """The types and qualified names among the arguments of a call: `MatchAll(checks ...PositionalArgs)`."""
        for match in _ARGUMENT.finditer(inline.text, start):
            word = match.group()
            telling = is_distinctive(word.rpartition(".")[2]) and (word[0].isupper() or "." in word)
            if telling and not is_constant(word) and not self.examples.invents(word) and parse_name(word):
                place = Place(word, inline.line, inline.column + match.start())
                yield self.claim(word.split("."), place, "span", "prose")

    def _parts(self, inline: Inline) -> Iterator[Claim]:
        """The names in a code span that is more than a name: `request.query_params["q"]`, `x = foo(bar_baz)`."""
        calls: set[int] = set()
        for match in _CALLS.finditer(inline.text):
            parts = tuple(_SEPARATOR.split(match.group()))
            if not is_keyword(parts[-1]) and parts[0] not in self.examples.defined:
                calls.add(match.start())
                yield self._meant(parts, Place(match.group(), inline.line, inline.column + match.start()), "call")
        for match in _DOTTED.finditer(inline.text):
            word = match.group()
            telling = any(is_distinctive(part) and not is_constant(part) for part in word.split("."))
            if match.start() in calls or not telling or word in self.examples.defined or parse_name(word) is None:
                continue
            yield self.claim(word.split("."), Place(word, inline.line, inline.column + match.start()), "span", "prose")

    def _role(self, inline: Inline) -> Iterator[Claim]:
        role = inline.label.rpartition(":")[2].lower().removeprefix("auto")
        text = inline.text.partition("[")[0].removesuffix("()")
        stripped = text.lstrip("~!.")
        if role in _DIRECTIVES and "." in stripped and re.fullmatch(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)+", stripped):
            yield self.claim(
                stripped.split("."), Place(stripped, inline.line, inline.column), "role", "namespace", language="python"
            )
        if role in _ROLES and re.fullmatch(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*", stripped):
            place = Place(stripped, inline.line, inline.column + len(text) - len(stripped))
            yield self.claim(
                stripped.split("."), place, "role", "module" if role in _MODULES else "role", language="python"
            )

    def _heading(self, inline: Inline) -> Iterator[Claim]:
        stripped = inline.text[:300].strip()
        match = _HEADING.match(stripped)
        name = match.group().lstrip(".") if match else ""
        parts = _SEPARATOR.split(name)
        # `run(x)` is called; in `Cheatpath (the folders)` the bracket explains a word.
        called = match is not None and stripped[match.end() : match.end() + 1] == "("
        telling = match is not None and (called or is_distinctive(parts[-1]) or len(parts) > 1)
        if match is None or not telling or not parse_name(name):
            yield from self._text(inline)
            return
        member = name != match.group()
        column = inline.column + inline.text.index(stripped) + len(match.group()) - len(name)
        yield self.claim(parts, Place(name, inline.line, column), "heading", "member" if member else "call")

    def _text(self, inline: Inline) -> Iterator[Claim]:
        for match in _PROSE.finditer(inline.text[:2000]) if may_hold_names(inline.text) else ():
            word = match.group().removesuffix("()")
            called = word != match.group()
            if inline.text[: match.start()].endswith("@") and not word[0].isupper():
                continue  # a person, or a package's scope; `@SerializedName` is an annotation
            wanted = (called and len(word) > 2) or (is_distinctive(word.rpartition(".")[2]) and not is_constant(word))
            if wanted and word not in self.examples.defined and parse_name(word):
                place = Place(word, inline.line, inline.column + match.start())
                yield self.claim(word.split("."), place, "prose", "call" if called else "prose")
            elif "." in word and len(word) > 5 and parse_name(word):
                yield self.claim(
                    word.split("."), Place(word, inline.line, inline.column + match.start()), "prose", "path"
                )


def _other_words(document: Document, examples: Examples) -> Iterator[Claim]:
    """Distinctive words of code blocks that nothing else reads: in comments, output, literals, unknown languages."""
    taken: dict[int, list[tuple[int, int]]] = {}
    assigned: set[str] = set()
    places = [use.place for use in examples.uses] + [argument.place for argument in examples.arguments]
    for place in (*places, *(entry.place for entry in examples.imports)):
        taken.setdefault(place.line, []).append((place.column, place.column + len(place.text)))
    for block in document.blocks:
        if not block.lines:
            continue
        writer = _Block(document.path, block, examples)
        assigned.update(match[1] for inline in block.lines if (match := _ASSIGNED.match(inline.text[:200])))
        for inline in block.lines if block.kind == "code" else ():
            for match in _PATH.finditer(inline.text[:1000]) if "." in inline.text else ():
                place = Place(match.group(), inline.line, inline.column + match.start())
                is_taken = any(start <= place.column < end for start, end in taken.get(inline.line, ()))
                if not is_taken and parse_name(match.group()):
                    yield writer.claim(match.group().split("."), place, "example", "path")
            for match in _WORD.finditer(inline.text[:1000]):
                word, column = match.group(), inline.column + match.start()
                own = word in assigned or word in examples.defined or word in examples.bound
                if not is_distinctive(word) or is_constant(word) or own or is_argument(inline.text, match):
                    continue
                if not any(start <= column < end for start, end in taken.get(inline.line, ())):
                    place = Place(word, inline.line, column)
                    how = "member" if inline.text[: match.start()].endswith(".") else "prose"
                    yield writer.claim((word,), place, "example", how, language=block.language, line=inline.text[:600])


def _is_claim(use: Use, examples: Examples) -> bool:
    last = use.parts[-1]
    if (is_keyword(last) and len(use.parts) == 1) or last.startswith("__") or len(last) < 2:
        return False
    if use.how == "free" and (use.parts[0] in examples.defined or (len(use.parts) == 1 and not use.call)):
        return False
    if use.how == "import" and use.language == "python" and use.parts[0] in sys.stdlib_module_names:
        return False
    if use.parts[0].startswith((".", "/")) or (
        use.language != "python" and use.how == "import" and len(use.parts) == 1
    ):
        return False
    return use.how != "member" or use.call or is_distinctive(last)
