"""The ids that a link may point at: a heading's slug by the rule of each site generator, and ids written out.

A link that is right on one of the sites that show a document is right; so a heading has several slugs.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

from docalign_actors.engine.documents.tone import holds_any

_DROPPED = re.compile(r"[^\w\- ]", re.ASCII)
_VITEPRESS_BREAK = dict.fromkeys(map(ord, "~`!@#$%^&*()_+=[]{}|\\;:\"'“”‘’<>,.?/"), "-")
_IDS = re.compile(
    r"""[\s{:](?:id|name|:name|anchor)\s{0,4}=\s{0,4}\{?["']?([^\s"'>}]+)"""
    r"""|\{:?[^{}#]{0,80}#([^\s{}]{1,200})[^{}]{0,80}\}|^\(([\w.:-]{1,200})\)=\s*$|\{/\*\s*#([^\s*]+)\s*\*/\}""",
    re.ASCII,
)
_MARKS = ("=", "{")
"""Without one of these there is no id in a line."""
_SIGNS = ("id", "name", "anchor", "#", ")=", "===")
_RST_IDS = re.compile(
    r"^\s*(?:[-*+#]\s+|\d{1,3}[.)]\s+|#\.\s+)?\.\. _(?:`([^`]{1,200})`:|((?:[^`:\\]|\\.|:(?=\S)){1,200}):(?:\s|$))"
    r"|_`([^`]{1,200})`|^\s*:name:\s*(\S+)"
)
_RST_MARKS = (".. _", "_`", ":name:")
_ASCIIDOC_MARKS = ("[", "anchor:")
_ASCIIDOC_IDS = re.compile(
    r"\[\[([^\],]{1,200})(?:,[^\]]{0,200})?\]\]|^\[[^\]#]{0,80}#([^\],.%]{1,200})[^\]]{0,200}\]"
    r"|\banchor:([^\[\s]{1,200})\[|^\[id=[\"']?([^\"'\],]{1,200})"
)
_MARK = re.compile(r"(?<=\S)\s+[\[{(][^\[\]{}()]{1,60}[\]})]\s*$")
"""A mark at the end of a heading, `returning [-MY]`, which some sites show as a badge and leave out of the slug."""
_GIVEN = re.compile(r"\s:id=([\w-]{1,100})\s*$")
"""docsify: `Derived properties :id=derived`."""
_TAG = re.compile(r"</?[A-Za-z][^<>]{0,200}>")
"""A badge or another component in a heading."""
_BADGE = re.compile(r"(?<=\S)\s+<[A-Za-z][\w-]*\s[^<>]{0,200}>\s*$")
"""A component with attributes behind a title: no site makes it a part of the slug."""
_SHORTCODE = re.compile(r":[a-z0-9_+-]{1,40}:")
"""An emoji by its name, which GitHub puts into the slug and sites that draw it do not."""
_NO_WORDS = re.compile(r"</?[A-Za-z][^<>\n]{0,200}>|\]\([^()\n]{0,300}\)|&#?\w{1,20};|:[\w:-]{1,40}:(?=`)")
"""What stands in a heading and is no part of its slug: tags, addresses, entities, roles."""
_NO_LETTERS = re.compile(r"[\W_]+")
_NOT_ASCII = re.compile(r"[^\x00-\x7f]+")
_NUMBER = re.compile(r"\d{1,3}$")
_TAB = re.compile(r"^\s*===[!+]{0,2}\s+[\"']([^\"']{1,100})[\"']\s*$")
"""mkdocs: the name of a tab is an anchor as well."""
_PLAIN_TAGS = (
    r"end\w*|hint|tabs?|highlight|raw|code|comment|callout|content-ref|embed|if|else|elsif|elif|unless|case|when|capture|assign|set"
    r"|note|tip|warning|info|link|post_url|step\w*|columns?|file|updates?|admonition|details|quote|table|img|image|figure|verbatim"
)
"""Tags of templates that lay out what the source shows, or choose from it."""
_MARKDOWN_MORE = re.compile(
    rf"\{{\{{|--8<--|\{{%=|\{{%-?\s*(?!(?:{_PLAIN_TAGS})\b)\w"
    r"|^\s{0,3}</?[a-z]+-[a-z][\w-]*[\s/>]|^\s*(?:`{3,}|:{3,})\s*\{(?:include|eval-rst|auto\w*|click)|\{!"
    r"|^\s{0,3}#include|<!--\s*[@#]?include|^\[\[include|^\s{0,3}@(?:include|import|/|\./)|^\s{0,3}\[filename\]|^\s*<<<\s"
    r"|^:::\s+(?!(?:tip|note|info|warning|danger|details|caution|important|code-group|raw|example|success|v-pre)\b)[A-Za-z]"
    r"|^<[A-Z]\w*[^>]{0,400}/>\s*$|^==- \S"
    r"|<(?:xi:)?include\s|\[!INCLUDE|^snippet: |^\s{0,3}[^\w\s]{1,6}include\b|^[a-z]+:\s+[\w./-]{1,200}\.(?:mdx?|rst|adoc)\s*$"
)
_MORE = {
    "markdown": _MARKDOWN_MORE,
    "mdx": re.compile(_MARKDOWN_MORE.pattern + r"|^\s*<[A-Z]\w*[^>]{0,400}/>\s*$|^\s*\{[A-Za-z]\w*[.(\[]"),
    "rst": re.compile(
        r"^\s*\.\. (?:include|auto\w+|(?:py|c|js|cpp|click|http|std):\w|argparse|glossary|productionlist|raw|jinja|program|option"
        r"|envvar|describe|object|function|class|method|module|data|exception|attribute)"
    ),
    "asciidoc": re.compile(r"^include::|^ifdef::|^ifeval::"),
}
_ENDS = (".md", ".rst", ".adoc")
_MORE_WORDS = {
    "markdown": (
        "{{", "--8<--", "{%", "{include", "{eval-rst", "{auto", "{click", "{!", "include", "@import", "@/", "@./", "[filename]",
        "<<<", ":::", "/>", "</", "[!INCLUDE", "snippet: ", "==- ", *_ENDS,
    ),
    "mdx": (
        "{", "--8<--", "include", "@import", "@/", "@./", "[filename]", "<<<", ":::", "/>", "</", "[!INCLUDE", "snippet: ", *_ENDS,
    ),
    "rst": (".. ",),
    "asciidoc": ("include::", "ifdef::", "ifeval::"),
}  # fmt: skip
"""A line without one of these does not match. Looking for them is many times faster."""


def github_slug(title: str) -> str:
    """GitHub's rule: lower case, punctuation dropped except hyphens and underscores, each blank a hyphen."""
    lowered = title.lower()
    if lowered.isascii():
        return _DROPPED.sub("", lowered).replace(" ", "-")
    return "".join(c for c in lowered if c in "-_ " or c.isalnum() or unicodedata.category(c)[0] == "M").replace(
        " ", "-"
    )


def python_markdown_slug(title: str) -> str:
    """mkdocs: letters folded to ASCII, other characters dropped, blanks and hyphens collapsed."""
    folded = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode("ascii")
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", folded).strip().lower())


def unicode_slug(title: str) -> str:
    """pymdownx and GitLab: as mkdocs, with other scripts' letters kept."""
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", unicodedata.normalize("NFC", title)).strip().lower())


def docutils_slug(title: str) -> str:
    """Sphinx: letters folded to ASCII, every run of anything else one hyphen."""
    folded = unicodedata.normalize("NFKD", title.lower()).encode("ascii", "ignore").decode("ascii")
    return re.sub(r"^[-0-9]+|-+$", "", re.sub(r"[^a-z0-9]+", "-", " ".join(folded.split())))


def asciidoctor_slug(title: str) -> str:
    """Asciidoctor: `_section_title`."""
    kept = re.sub(r"<[^<>]+>|&(?:[a-z]+|#\d+);|[^ \w\-.]", "", title.lower())
    return "_" + re.sub(r"_+", "_", re.sub(r"[ .\-]", "_", kept)).strip("_")


def _vitepress_slug(title: str) -> str:
    """VitePress: like GitHub, with punctuation turned into hyphens, which are collapsed."""
    return "-".join(filter(None, "-".join(title.lower().split()).translate(_VITEPRESS_BREAK).split("-")))


def _kramdown_slug(title: str) -> str:
    """Jekyll: everything before the first letter goes."""
    kept = re.sub(r"[^\w -]", "", re.sub(r"^[^a-zA-Z]+", "", title)).replace("_", "")
    return kept.replace(" ", "-").lower()


def _pandoc_slug(title: str) -> str:
    """Pandoc: dots stay, everything before the first letter goes."""
    kept = re.sub(r"[^\w\s.-]", "", title.lower())
    return re.sub(r"^[^a-z]+", "", re.sub(r"\s+", "-", kept))


_MARKDOWN_RULES = (
    github_slug,
    python_markdown_slug,
    unicode_slug,
    docutils_slug,
    _vitepress_slug,
    _kramdown_slug,
    _pandoc_slug,
)
_RULES: dict[str, tuple[Callable[[str], str], ...]] = {
    "markdown": _MARKDOWN_RULES,
    "mdx": _MARKDOWN_RULES,
    "rst": (github_slug, docutils_slug),
    "asciidoc": (github_slug, asciidoctor_slug, docutils_slug),
    "text": (github_slug,),
}


def _escaped(title: str) -> str:
    """As `html.escape` has it, whose module loads HTML's table of names."""
    return title.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def heading_slugs(titles: Sequence[str], format: str) -> set[str]:
    """Every slug under which one of the headings may be linked to. Repeated titles are numbered."""
    found: set[str] = set()
    shown = [_SHORTCODE.sub("", _TAG.sub("", title)).strip() for title in titles]
    bare = [_MARK.sub("", title) for title in shown]
    # One without the other as well: `Protocol (KIP-848) <Badge text="6.21" />`.
    readings = {tuple(titles): None, tuple(shown): None, tuple(bare): None}
    for rule in _RULES[format]:
        for reading in readings:
            found |= numbered([rule(title) for title in reading])
    for rule in _RULES[format][:1]:
        # `__init__` is a dunder to its author and bold print to GitHub.
        found |= {rule(title.replace("__", "")) for title in titles if "__" in title}
    if any("л" in title for title in titles):
        # VuePress takes accents away with a table in which this letter of Cyrillic is an `n`.
        found |= numbered([_vitepress_slug(title.replace("л", "n")) for title in shown])
    if escaped := [_escaped(title) for title in titles if any(sign in title for sign in "<>&")]:
        # A site that makes the slug from the HTML (omd) reads `<name>.config` as `&lt;name&gt;.config`: `lt-name-gt-config`.
        found |= numbered([_vitepress_slug(title) for title in escaped])
    found.discard("")
    return found


def usual_slug(title: str, format: str) -> str:
    """The slug that a link to a heading is usually written with."""
    if given := _GIVEN.search(title):
        return given[1]
    if format in ("markdown", "mdx"):
        title = _BADGE.sub("", title).strip() or title
    return {"rst": docutils_slug, "asciidoc": asciidoctor_slug}.get(format, github_slug)(title)


def numbered(slugs: Iterable[str]) -> set[str]:
    """The slugs with repeats numbered: `-1` as GitHub does, `_1` or `_2` as mkdocs and asciidoctor do, `id1` as Sphinx does."""
    used: dict[str, int] = {}
    found: set[str] = set()
    for slug in slugs:
        name = slug
        while name in used:
            used[slug] += 1
            name = f"{slug}-{used[slug]}"
        used[name] = 0
        found.add(name)
        if name != slug:
            found.update((f"{slug}_{used[slug]}", f"{slug}_{used[slug] + 1}", f"id{used[slug]}"))
    return found


_NO_SLUG = re.compile(r"[^a-z0-9]+")


def explicit_ids(lines: Sequence[str], format: str) -> set[str]:
    """The ids that a document writes out."""
    pattern = _RST_IDS if format == "rst" else _ASCIIDOC_IDS if format == "asciidoc" else _IDS
    found: set[str] = set()
    marks = _RST_MARKS if format == "rst" else _ASCIIDOC_MARKS if format == "asciidoc" else _MARKS
    for line in lines:
        if holds_any(line, marks) and (marks is not _MARKS or holds_any(line, _SIGNS)):
            for match in pattern.finditer(line[:4_000]):
                name = next(group for group in match.groups() if group)
                found.add(name)
                if format == "rst":
                    found.add(docutils_slug(name))
            if format == "markdown" and (tab := _TAB.match(line)):
                found.add(python_markdown_slug(tab[1]))
        if line.startswith("==- ") and format == "markdown":  # a panel that opens, as a site's generator makes one
            found.add(_NO_SLUG.sub("-", line[4:400].lower()).strip("-"))
    return found


def may_have_more(lines: Sequence[str], format: str) -> bool:
    """Something in the document can add ids that its source does not show: an include, a template, generated pages."""
    pattern = _MORE.get(format)
    if pattern is None:
        return False
    return any(pattern.search(line[:2_000]) for line in _lines_with(lines, _MORE_WORDS[format]))


def _lines_with(lines: Sequence[str], words: Iterable[str]) -> Iterator[str]:
    """The lines that hold one of these, each once, word by word."""
    whole = "\n".join(lines)
    seen: set[int] = set()
    for word in words:
        at = whole.find(word)
        while at >= 0:
            start, end = whole.rfind("\n", 0, at) + 1, whole.find("\n", at)
            end = len(whole) if end < 0 else end
            if start not in seen:
                seen.add(start)
                yield whole[start:end]
            at = whole.find(word, end)


def may_have_offered(then: bytes, now: bytes, names: Iterable[str]) -> bool:
    """A line that an earlier version has and this one has not may hold a heading, or an id, of one of these names.

    Far quicker than to read the document: most versions hold none.
    """
    gone = Counter(then.split(b"\n")) - Counter(now.split(b"\n"))
    lines = [line.decode("utf-8", "replace") for line in gone]
    # A table of contents names what it links to, whether it is there or not.
    plain = "\n".join(line for line in lines if "](#" not in line or line.lstrip().startswith("#"))
    held = _squeezed(plain), _squeezed(_NO_WORDS.sub("", plain))
    texts = (*held, *(_NOT_ASCII.sub("", text) for text in held if not text.isascii()))
    for name in map(_squeezed, names):
        unnumbered = _NUMBER.sub("", name)
        # A repeated heading is numbered, and `id3` may be any of them.
        if unnumbered == "id" or any(name in text or (unnumbered != name and unnumbered in text) for text in texts):
            return True
    return False


def _squeezed(text: str) -> str:
    """Its letters and digits alone, accents left out."""
    return _NO_LETTERS.sub("", unicodedata.normalize("NFKD", text).lower())
