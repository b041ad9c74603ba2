"""Markdown as sites write it, brought to what CommonMark reads, line by line and without moving a line.

Front matter, imports and components are blanked; what admonitions and tabs indent is brought back to the margin, so that
it is read as documentation and not as code. Columns are found again in the untouched source.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from docalign_actors.engine.documents.model import Cell, Inline

_FENCE = re.compile(
    r"^(?P<indent>[ \t]*(?:>[ \t]?)*(?:[-*+][ \t]+|\d{1,9}[.)][ \t]+)?)(?P<marker>`{3,}|~{3,})(?P<info>[^`]*)$"
)
_ADMONITION = re.compile(
    r'^(?:!!!|\?\?\?\+?)\s+[\w-]+[^"]{0,80}(?:"(?P<title>[^"]*)")?\s*$|^===[+!]*\s+"(?P<tab>[^"]*)"\s*$'
)
_DEFINITION = re.compile(r"^ {0,3}:[ \t]{1,3}\S")
"""`:   words` below a term: a list of definitions, as mkdocs and others read it."""
_CONTAINER = re.compile(r"^:{3,}\s*\{?(?P<kind>[A-Za-z][\w-]*)?\}?\s*(?:\[(?P<boxed>[^\]]*)\]|(?P<title>[^\[{].*))?$")
_GENERATED = re.compile(r"^:::\s+(?P<name>[A-Za-z_]\w*(?:\.\w+)*)\s*$", re.ASCII)
_CONTAINERS = frozenset(
    {
        "note", "tip", "info", "warning", "danger", "caution", "important", "hint", "details", "success", "question", "failure",
        "bug", "example", "quote", "abstract", "seealso", "attention", "error", "admonition", "code-group", "tabs", "tab", "col",
        "columns", "card", "grid", "warn", "dropdown", "tab-set", "tab-item", "grid-item", "card-group",
    }
)  # fmt: skip
_DIRECTIVE = re.compile(r"^\{(?P<name>[A-Za-z][\w:.-]*)\}\s*(?P<rest>.*)$")
_PROSE_DIRECTIVES = frozenset(
    {
        "note", "tip", "info", "warning", "danger", "caution", "important", "hint", "seealso", "attention", "error", "admonition",
        "dropdown", "tab-set", "tab-item", "card", "grid", "grid-item", "grid-item-card", "margin", "sidebar", "topic",
        "versionadded", "versionchanged", "deprecated", "tab", "tabbed",
    }
)  # fmt: skip
_PAST_DIRECTIVES = frozenset({"versionadded", "versionchanged", "deprecated", "versionremoved"})
_MDX_STATEMENT = re.compile(r"^(?:import\s|export\s)")
_COMPONENT = re.compile(r"^\s*</?[A-Z][\w.]*(?P<rest>\s[^<>]*|\s*/?)?>\s*$")
_COMPONENT_OPEN = re.compile(r"^\s*<[A-Z][\w.]*(?:\s[^<>]*)?$")
_KNOWN_COMPONENT = re.compile(
    r"</?(?:Tabs|TabItem|TabPanel|Tab|Details|Admonition|Note|Tip|Warning|Info|CodeBlock|CodeGroup|Card|Cards|Steps|Step)\b"
)
_FIELD = re.compile(r"\s*<(?:\w{0,20}Field|Param(?:eter)?|Property|Prop|Option|Flag|Setting|Arg(?:ument)?)(?=\s|$)")
"""A component that describes one setting, with what other pages tell in a row of a table: Mintlify's `<ParamField path="…">`."""
_ATTRIBUTE = re.compile(
    r"""(?<![\w-])(?P<name>path|query|body|header|name|env|default|prop|flag|option|key)=["'](?P<value>[^"'<>{}]{1,200})["']"""
)
_MEMBER = re.compile(r"\s+-\s+(?P<name>[A-Za-z_]\w*)\s*$")
_LIQUID = re.compile(r"^\s*\{%-?\s*(?P<word>\w+)(?P<rest>[^%]*)%\}\s*$")
_FRONT_MATTER_LIMIT = 400


class Prepared:
    """The lines for the CommonMark parser, and what was noticed on the way."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.source = lines
        self.lines = list(lines)
        self.fences: dict[int, str] = {}
        self.past: list[tuple[int, int]] = []
        self.generated: list[Inline] = []
        self.fields: list[tuple[Cell, ...]] = []
        self.comments: list[tuple[str, int]] = []
        self.open_anchors = False


_INCLUDES = re.compile(r"includes?:\s*(?:\[|$)")
_DATA = re.compile(r"\s|- |[\w-]{1,60}:(?:\s|$)|#")


def prepare(lines: Sequence[str], *, mdx: bool) -> Prepared:
    """Brings the lines of a Markdown or MDX file to CommonMark."""
    prepared = Prepared(lines)
    start = _blank_front_matter(prepared.lines)
    # Slate: the page goes on with the files that its front matter lists.
    prepared.open_anchors = any(_INCLUDES.match(line) for line in lines[:start])
    _Walk(prepared, mdx).run(start)
    return prepared


def _blank_front_matter(lines: list[str]) -> int:
    """Blanks `---` or `+++` front matter; returns the first line after it."""
    marker = lines[0].strip() if lines else ""
    if marker not in ("---", "+++"):
        return 0
    for end in range(1, len(lines)):
        if lines[end].rstrip() in (marker, "..."):
            if (end > 1 and not lines[1].strip()) or (end >= _FRONT_MATTER_LIMIT and not _is_data(lines[1:end])):
                return 0
            lines[: end + 1] = [""] * (end + 1)
            return end + 1
    return 0


def _is_data(lines: Sequence[str]) -> bool:
    """Nearly all are keys, items of a list or what is indented below them: a board of tasks, say, that is all front matter."""
    told = [line for line in lines if line.strip()]
    return sum(1 for line in told if _DATA.match(line)) >= 0.9 * len(told)


class _Walk:
    """One pass over the lines. `margins` are the columns that open admonitions have moved the margin to."""

    def __init__(self, prepared: Prepared, mdx: bool) -> None:
        self.prepared = prepared
        self.lines = prepared.lines
        self.mdx = mdx
        self.margins: list[int] = []
        self.fence = ""
        self.shows_markdown = False
        self.directives: list[tuple[str, int, bool]] = []
        self.skipping = ""
        self.field: list[Cell] | None = None
        self.lists_members = False

    def run(self, start: int) -> None:
        for index in range(start, len(self.lines)):
            line = self.lines[index]
            if not line.strip():
                if self.skipping == "statement":
                    self.skipping = ""
                continue
            self.lines[index] = self._line(index, self._dedented(line))

    def _dedented(self, line: str) -> str:
        """The line without the margin of the admonitions that it is in; a line left of it ends them."""
        if not self.margins:
            return line
        expanded = line.expandtabs(4) if "\t" in line[:40] else line
        indent = len(expanded) - len(expanded.lstrip(" "))
        while self.margins and indent < self.margins[-1]:
            self.margins.pop()
        if not self.margins:
            return line
        # An admonition within a list item stays within it: its content goes to the margin of the admonition itself.
        return expanded[4 * len(self.margins) :]

    def _line(self, index: int, line: str) -> str:
        if self.fence:
            return self._in_fence(line)
        if self.skipping:
            return self._skip(index, line)
        stripped = line.strip()
        first = stripped[0]
        if self.directives and first in "`~:" and self._closes_directive(index, stripped):
            return ""
        fence = _FENCE.match(line)
        if fence:
            return self._open_fence(index, line, fence)
        if first in "!?=":
            return self._admonition(line, stripped)
        if first == ":" and stripped.startswith(":::"):
            return self._container(index, line, stripped)
        if first == ":" and _DEFINITION.match(line) and self.lines[index - 1].strip():
            # What follows indented belongs to the definition, and is no code.
            self._move_margin(line)
            return line
        if first == "{":
            return self._braces(index, line)
        if first == "<" and (stripped[1:2].isalpha() or stripped[1:2] == "/"):
            return self._component(index, line)
        if self.mdx and _MDX_STATEMENT.match(line):
            self.skipping = "statement"
            return ""
        return self._inner_comments(index, line)

    def _in_fence(self, line: str) -> str:
        stripped = line.strip().lstrip("> ")
        if stripped.startswith(self.fence):
            info = stripped.strip(self.fence[0])
            if not info:
                self.fence = ""
            elif self.shows_markdown and info[0].isalnum():
                # A fence within a fence of the same length ends the outer one: from here on it is anybody's guess what is shown.
                self.prepared.open_anchors = True
        return line

    def _open_fence(self, index: int, line: str, fence: re.Match[str]) -> str:
        directive = _DIRECTIVE.match(fence["info"].strip())
        if directive and directive["name"] in _PROSE_DIRECTIVES:
            return self._open_directive(index, line, fence["marker"], directive)
        self.fence = fence["marker"]
        self.shows_markdown = fence["info"].strip().partition(" ")[0].lower() in ("markdown", "md", "mdx")
        self.prepared.fences[index + 1] = fence["info"].strip()
        return line

    def _open_directive(self, index: int, line: str, marker: str, directive: re.Match[str]) -> str:
        """MyST: a directive whose content is documentation. Its title or argument stays, as words."""
        self.directives.append((marker, index + 1, directive["name"] in _PAST_DIRECTIVES))
        return "" if directive["name"].startswith("version") else directive["rest"]

    def _closes_directive(self, index: int, stripped: str) -> bool:
        marker, opened, past = self.directives[-1]
        if stripped.strip(marker[0]) or len(stripped) < len(marker):
            return False
        self.directives.pop()
        if past:
            self.prepared.past.append((opened, index + 1))
        return True

    def _admonition(self, line: str, stripped: str) -> str:
        match = _ADMONITION.match(stripped)
        if not match:
            return line
        indent = self._move_margin(line)
        title = match["title"] or ""
        return " " * indent + title if title else ""

    def _move_margin(self, line: str) -> int:
        """What comes below and is indented further is content. Returns the line's own indent."""
        indent = len(line) - len(line.lstrip(" "))
        if len(self.margins) < 20:
            self.margins.append(4 * len(self.margins) + indent + 4)
        return indent

    def _container(self, index: int, line: str, stripped: str) -> str:
        generated = _GENERATED.match(stripped)
        if generated and generated["name"].lower() not in _CONTAINERS:
            # mkdocstrings: the page of a module is generated here, with ids of its own.
            source = self.prepared.lines[index]
            self.prepared.generated.append(
                Inline("role", generated["name"], index + 1, source.index(generated["name"]) + 1, "obj")
            )
            self.prepared.open_anchors = True
            self.skipping = "options"
            self.lists_members = False
            return ""
        match = _CONTAINER.match(stripped)
        if not match:
            return line
        if match["kind"] and stripped.lstrip(":").lstrip().startswith("{"):
            marker = stripped[: len(stripped) - len(stripped.lstrip(":"))]
            self.directives.append((marker, index + 1, match["kind"] in _PAST_DIRECTIVES))
        return (match["boxed"] or match["title"] or "").strip() if match["kind"] else ""

    def _braces(self, index: int, line: str) -> str:
        liquid = _LIQUID.match(line)
        if liquid:
            if liquid["word"] == "highlight":
                return "```" + liquid["rest"].split("linenos")[0].strip()
            if liquid["word"] in ("include", "include_relative", "import", "render", "macro", "for"):
                self.prepared.open_anchors = True
            return "```" if liquid["word"] == "endhighlight" else ""
        if line.lstrip().startswith("{{"):
            self.prepared.open_anchors = True
        return self._inner_comments(index, line)

    def _inner_comments(self, index: int, line: str) -> str:
        """MDX comments are blanked, character for character; but for those in a code span, which show how one is written."""
        if "{/*" not in line:
            return line
        start = line.find("{/*")
        while start >= 0:
            close = line.find("*/}", start)
            if close < 0:
                break
            if not (line.count("`", 0, start) % 2 and "`" in line[close:]):
                self.prepared.comments.append((line[start : close + 3], index + 1))
                line = line[:start] + " " * (close + 3 - start) + line[close + 3 :]
            start = line.find("{/*", close)
        return line

    def _component(self, index: int, line: str) -> str:
        """A line that is only a component's tag goes, so that what it wraps is read; of a field its attributes are kept."""
        cut = line[:2_000]
        whole, opened = _COMPONENT.match(cut), self.mdx and _COMPONENT_OPEN.match(cut)
        if not (whole or opened):
            return line
        if not _KNOWN_COMPONENT.match(cut.lstrip()):
            self.prepared.open_anchors = True
        self.field = [] if _FIELD.match(cut) else None
        if opened:
            self.skipping = "tag"
        self._attributes(index, closed=bool(whole))
        return ""

    def _attributes(self, index: int, *, closed: bool) -> None:
        """What a line of a field's tag says, as cells of a row."""
        if self.field is None:
            return
        for match in _ATTRIBUTE.finditer(self.prepared.source[index][:2_000]):
            inline = Inline("code", match["value"], index + 1, match.start("value") + 1)
            header = (
                match["name"] if match["name"] in ("env", "default") else "name"
            )  # what the others name is the setting
            self.field.append(Cell(header, (inline,)))
        if closed and self.field:
            self.prepared.fields.append(tuple(self.field))
        self.field = None if closed else self.field

    def _skip(self, index: int, line: str) -> str:
        if self.skipping == "tag":
            closed = line.rstrip().endswith(">")
            self._attributes(index, closed=closed)
            if closed:
                self.skipping = ""
            return ""
        if self.skipping == "options":
            if not line.startswith((" ", "\t")):
                self.skipping = ""
                return line
            self._member(index, line)
        return ""

    def _member(self, index: int, line: str) -> None:
        """`members:` of a page that mkdocstrings makes, and the names below it."""
        match = _MEMBER.match(line)
        if match is None:
            self.lists_members = line.strip() == "members:"
        elif self.lists_members:
            column = self.prepared.source[index].index(match["name"]) + 1
            self.prepared.generated.append(Inline("code", match["name"], index + 1, column))
