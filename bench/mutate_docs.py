"""Mutants of headings that other lines link to, and of configuration keys."""

from __future__ import annotations

import posixpath
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator

from bench.doctext import Page, Place
from bench.files import is_own, is_scored, language_of
from bench.mutants import Mutant, Proposal, Repo, honest
from bench.mutate_symbols import distinctive, loose
from bench.words import affixed, new_name

_LINK = re.compile(r"\]\(<?([^)\s#>]*)#([\w%.-]+)>?(?:\s+\"[^\"]*\")?\)")
_HEADING = re.compile(r"^(#{1,6})\s+(.+?)\s*#*\s*$")
_RST_LABEL = re.compile(r"^\.\. _([\w.:-]+):\s*$")


def slug(text: str) -> str:
    """GitHub's rule: markup dropped, lower case, punctuation dropped, blanks to hyphens."""
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    plain = re.sub(r"[`*]|<[^>]+>|:\w+:", "", plain).strip().lower()
    return re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")


def headings(repo: Repo) -> Iterator[Proposal]:
    """Headings that links point at, and reStructuredText labels that `:ref:` names."""
    links: dict[tuple[str, str], list[Place]] = defaultdict(list)
    for page in repo.docs.pages.values():
        if page.path.endswith((".md", ".mdx")) and is_scored(page.path):
            for number, line in enumerate(page.lines, 1):
                if number not in page.blocks and number not in page.untold:
                    for match in _LINK.finditer(line):
                        if "://" not in match.group(1):
                            target = (
                                posixpath.normpath(posixpath.join(posixpath.dirname(page.path), match.group(1)))
                                if match.group(1)
                                else page.path
                            )
                            links[target, match.group(2)].append((page.path, number))
    for (path, anchor), places in sorted(links.items()):
        if path in repo.docs.pages and is_scored(path):
            yield Proposal("heading", f"{path}#{anchor}", _heading(repo, repo.docs.pages[path], anchor, places))
    yield from _labels(repo)


def _heading(repo: Repo, page: Page, anchor: str, places: list[Place]) -> Callable[[], Mutant | None]:
    def make() -> Mutant | None:
        found = [(n, m) for n, line in enumerate(page.lines, 1) if n not in page.blocks and (m := _HEADING.match(line))]
        slugs = Counter(slug(m.group(2)) for _, m in found)
        at = [(n, m) for n, m in found if slug(m.group(2)) == anchor]
        explicit = re.compile(
            rf"(?:id|name)=[\"']{re.escape(anchor)}[\"']|\{{#{re.escape(anchor)}\}}|\({re.escape(anchor)}\)="
        )
        if (
            len(at) != 1
            or slugs[anchor] != 1
            or any(explicit.search(line) for line in page.lines)
            or "[" in at[0][1].group(2)
        ):
            return None
        number, match = at[0]
        text = match.group(2)
        changed = (affixed if repo.variant == "affix" else new_name)(text, lambda t: slug(t) in slugs)
        whole = repo.snapshot.texts[page.path].splitlines(keepends=True)
        if not changed or slug(changed) == anchor or text not in whole[number - 1] or len(whole) != len(page.lines):
            return None
        whole[number - 1] = whole[number - 1].replace(text, changed, 1)
        stale = tuple(sorted({p for p in places if p != (page.path, number)}))
        near = (*tuple(repo.docs.all_lines(re.compile(re.escape(anchor)))), (page.path, number))
        mutant = Mutant(
            "heading",
            repo.snapshot.language,
            f"{page.path}#{anchor}",
            slug(changed),
            stale,
            near,
            {page.path: "".join(whole)},
        )
        return honest(mutant, repo, None)

    return make


def _labels(repo: Repo) -> Iterator[Proposal]:
    for page in repo.docs.pages.values():
        if page.path.endswith(".rst") and is_scored(page.path):
            for number, line in enumerate(page.lines, 1):
                if (match := _RST_LABEL.match(line)) and len(match.group(1)) > 4:
                    yield Proposal("heading", match.group(1), _label(repo, page, number, match.group(1)))


def _label(repo: Repo, page: Page, number: int, label: str) -> Callable[[], Mutant | None]:
    def make() -> Mutant | None:
        used = re.compile(rf":ref:`(?:[^`<]*<)?{re.escape(label)}>?`")
        stale = tuple(repo.docs.told_lines(used))
        whole = repo.snapshot.texts[page.path].splitlines(keepends=True)
        new = repo.rename_token(label)
        if not new or f"_{label}:" not in whole[number - 1]:
            return None
        whole[number - 1] = whole[number - 1].replace(label, new, 1)
        near = tuple(repo.docs.all_lines(re.compile(re.escape(label))))
        mutant = Mutant(
            "heading", repo.snapshot.language, f"{page.path}#{label}", new, stale, near, {page.path: "".join(whole)}
        )
        return honest(mutant, repo, None)

    return make


_KEY_LINE = re.compile(r"^\s*(?:#\s*|-\s+)?[\"']?([A-Za-z][\w-]*)[\"']?\s*[:=](?!=)")
_CONFIG_BLOCK = frozenset(["yaml", "yml", "toml", "ini", "cfg", "conf", "properties"])
_READ = (
    r"(?:yaml|json|toml|mapstructure|koanf):\"{key}[,\"]"
    r"|\b(?:opts|options|config|settings|conf|cfg|params)\??(?:\.{key}\b|\[[\"']{key}[\"'])"
    r"|^\s+{key}\s*=\s*(?:Unicode|Bool|Integer|Float|List|Dict|Any|Set|Callable|Field)\b"
)
_READ_LOOSELY = (
    _READ + r"|(?:\[|get\w*\(|pop\(|has\(|getattr\([^,\n]+,|keys\s*=\s*\[|name\s*=)\s*[\"'`]{key}[\"'`]"
    r"|^\s+[\"']?{key}[\"']?\s*:\s|^\s+pub {key}:"
)


_SPAN_KEY = re.compile(r"[a-z][a-zA-Z0-9]*(?:_[a-z0-9]+|[A-Z][a-z]+)+")


def config_keys(repo: Repo) -> Iterator[Proposal]:
    """Keys of configuration blocks in docs, or of option lists, that own code reads by name."""
    names: dict[str, str] = {}
    for page in repo.docs.pages.values():
        if is_scored(page.path):
            for number, parts in page.code.items():
                if page.blocks.get(number, "") in _CONFIG_BLOCK and (match := _KEY_LINE.match(page.lines[number - 1])):
                    names[match.group(1)] = _READ_LOOSELY
                elif number not in page.blocks:
                    for part in parts:
                        if _SPAN_KEY.fullmatch(part) and _is_entry(page.lines[number - 1], part):
                            names.setdefault(part, _READ)
    for name in sorted(names):
        if name not in repo.defined and not name.isupper() and distinctive(name, repo):
            path = _reader(repo, name, names[name])
            if path:
                yield Proposal("config-key", name, _key(repo, name, path))


def _is_entry(line: str, name: str) -> bool:
    """The line lists or heads the key: a list item, a table row, a heading or a definition that begins with it."""
    return bool(re.match(rf"\s*(?:[-*+|]|#{{1,6}}|:)?\s*(?:\*\*)?`+(?:[\w.-]+\.)?{re.escape(name)}`", line))


def _reader(repo: Repo, name: str, read: str) -> str:
    pattern = re.compile(read.replace("{key}", re.escape(name)), re.MULTILINE)
    for path in repo.snapshot.files_with(name.split("-")[0]):
        if is_own(path) and language_of(path) and pattern.search(repo.snapshot.code[path]):
            return path
    return ""


def _key(repo: Repo, name: str, path: str) -> Callable[[], Mutant | None]:
    def make() -> Mutant | None:
        token = (
            re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])")
            if "-" in name
            else re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
        )
        new = repo.rename_token(name)
        given = re.compile(
            rf"^\s*(?:const|let|var|def|fn|function|class)\s+{re.escape(name)}\b|^\s*{re.escape(name)}\s+=\s.*\("
        )
        if not new or repo.docs.all_lines(given):
            return None
        changes = repo.replaced(token, new, repo.with_text(name))
        stale = tuple(repo.docs.stale(token))
        return honest(
            Mutant("config-key", language_of(path), name, new, stale, tuple(repo.docs.all_lines(loose(name))), changes),
            repo,
            token,
        )

    return make
