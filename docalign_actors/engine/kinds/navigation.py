"""Entries of a site's navigation, toctrees, mdBook summaries and Sphinx' references to pages: each must have its page."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Sequence

from docalign_actors.engine.claims import Claim, Judgement, Rule, uncertain, verified
from docalign_actors.engine.code.reader import SOURCE_LIMIT
from docalign_actors.engine.documents.model import Document, Inline
from docalign_actors.engine.facts import FileFacts
from docalign_actors.engine.kinds.shared.filesnow import is_quoted_in_code, names_in_code
from docalign_actors.engine.world import World
from docalign_actors.findings.model import Evidence, Fix, Severity, Verdict

_SUFFIXES = (".rst", ".md", ".txt", ".ipynb", ".mdx", ".myst", ".markdown", ".adoc", ".html")
_NO_PAGE = re.compile(r"^(?:self|genindex|modindex|py-modindex|search|index)$|[*?\[{]|://|^#|^mailto:")
_GENERATED = re.compile(
    r"(^|/)(_?generated|_?auto(?:summary|api|gen)?|_?apidocs?|api/_\w+|gallery|auto_\w+|reference/api|_build)(/|$)"
)

_COPIED = re.compile(
    r"^(index|readme|change(s|log)|history|contributing|licen[sc]e|code[-_]of[-_]conduct|security|authors)\.",
    re.IGNORECASE,
)
"""Pages that builds often copy from the root of the repository."""
_WRITES = re.compile(rb"\bopen\(|\.write|copyfile|copytree")
_MOST_SCRIPTS = 40
_SAYS = ("The navigation lists", "A reference leads to")


class NavigationKind:
    """`nav` of mkdocs.yml, Jupyter Book and Docusaurus; `toctree` of Sphinx; SUMMARY.md of mdBook."""

    name = "navigation"
    rules = (
        Rule(
            "missing-page",
            "navigation",
            "The navigation, or a reference, names a page that is not there.",
            Severity.HIGH,
        ),
    )
    markers = frozenset({"autosummary", "autosummary_generate", "autoapi", "apidoc", "sphinx_gallery"})

    def extract(self, document: Document) -> Iterable[Claim]:
        summary = posixpath.basename(document.path) == "SUMMARY.md"
        for block in document.blocks:
            for inline in block.every_inline():
                target = inline.text.partition("#")[0]
                form = _form(inline, target, summary)
                if form and target and not _NO_PAGE.search(target):
                    subject = _resolve(document.path, target)
                    if subject:
                        yield Claim(
                            self.name,
                            subject,
                            target,
                            document.path,
                            inline.line,
                            inline.column,
                            form=form,
                            group=block.group,
                        )

    def extract_navigation(self, path: str, facts: FileFacts, lines: list[str]) -> Iterable[Claim]:
        """The entries of a navigation file, where they stand in it."""
        for target, line in facts.navigation:
            source = lines[line - 1] if 0 < line <= len(lines) else ""
            written = _as_written(target, source)
            if written:
                form = "sidebar" if path.endswith("sidebars.json") else "nav"
                yield Claim(
                    self.name,
                    target,
                    written,
                    path,
                    line,
                    source.rfind(written) + 1,
                    form=form,
                    context=source.strip()[:200],
                )

    def verify(self, claim: Claim, world: World) -> Judgement:
        candidates = _candidates(claim, world)
        for path in candidates:
            if path in world.files or path in world.directories:
                return verified(Evidence("the page", path))
        if any(world.is_ignored(path) for path in candidates):
            return uncertain(".gitignore names it: it is made at build time")
        for path in candidates:
            removal = world.past.removal(path)
            if removal is not None and not removal.recent and names_in_code(path, world):
                return uncertain("a script names the page: it is made at build time")
            names = (posixpath.basename(candidate) for candidate in candidates)
            if removal is not None and not removal.successor and any(is_quoted_in_code(world, n) for n in names):
                return uncertain("code names a file that is called so: it is made at build time")
            if removal is not None:
                return _missing(
                    claim,
                    f"{path} was {f'renamed to {removal.successor}' if removal.successor else 'deleted'}",
                    _fix(claim, path, removal.successor),
                    removal.commit.sha,
                )
        if claim.form == "doc":
            return uncertain("no such page, and it never was here: it may be another project's, or made at build time")
        if claim.form == "sidebar" or _may_be_generated(claim, candidates, world):
            return uncertain("the page may be made at build time")
        return _missing(claim, f"no such file: {candidates[0]}", None, "")


def _form(inline: Inline, target: str, summary: bool) -> str:
    """How a page is named here; "" if it is none."""
    if inline.kind == "role":
        return "doc" if inline.label == "doc" else ""
    if inline.kind != "link":
        return ""
    return "toctree" if inline.label == "toctree" else "summary" if summary and target.endswith(".md") else ""


def _as_written(target: str, source: str) -> str:
    """The longest end of a resolved path that stands in the source line."""
    parts = target.split("/")
    for start in range(len(parts)):
        written = "/".join(parts[start:])
        if written in source:
            return written
    return ""


def _resolve(document: str, target: str) -> str:
    """A target from a document, as a path of the repository; absolute ones keep their slash until the source root is known."""
    if target.startswith("/"):
        return target
    path = posixpath.normpath(posixpath.join(posixpath.dirname(document), target))
    return "" if path.startswith("..") else path


def _source_root(document: str, world: World) -> str:
    """The nearest folder above with a conf.py: what an absolute toctree entry starts from."""
    folder = posixpath.dirname(document)
    while folder:
        if posixpath.join(folder, "conf.py") in world.files:
            return folder
        folder = posixpath.dirname(folder)
    return ""


def _candidates(claim: Claim, world: World) -> Sequence[str]:
    """The files that would serve as the page, the likeliest first."""
    path = claim.subject
    if path.startswith("/"):
        path = posixpath.normpath(posixpath.join(_source_root(claim.file, world), path.lstrip("/")))
    if claim.form in ("nav", "summary"):
        # Jupyter Book leaves the suffix out; mkdocs does not.
        return (path,) if posixpath.splitext(path)[1] in _SUFFIXES else (path, *(path + suffix for suffix in _SUFFIXES))
    own = posixpath.splitext(claim.file)[1]
    suffixes = sorted(_SUFFIXES, key=lambda suffix: suffix != own)
    return (*(path + suffix for suffix in suffixes), path)


def _root_of(claim: Claim) -> str:
    """The folder that the entries of a navigation file start from; the document's own for all others."""
    if claim.form == "nav":
        return claim.subject.removesuffix(claim.text).rstrip("/")
    return posixpath.dirname(claim.file)


def _may_be_generated(claim: Claim, candidates: Sequence[str], world: World) -> bool:
    if any(world.is_ignored(path) for path in candidates) or _GENERATED.search(claim.subject):
        return True
    if _COPIED.match(posixpath.basename(candidates[0])) or _root_of(claim) not in world.directories:
        return True
    if claim.form == "toctree":
        folder = _source_root(claim.file, world)
        if _is_written_by_a_script(posixpath.basename(claim.subject), folder, world):
            return True
        facts = world.index.files.get(posixpath.join(folder, "conf.py"))
        # Whatever conf.py makes, pages beside hand-written ones are hand-written.
        return facts is None or (
            "navigation" in facts.opaque and posixpath.dirname(candidates[0]) not in world.directories
        )
    facts = world.index.files.get(claim.file)
    return facts is not None and "navigation" in facts.opaque


def _is_written_by_a_script(page: str, folder: str, world: World) -> bool:
    """An extension beside the documents, or right above them, has the page's name as a string and writes files."""
    above = tuple(f"{place}/" for place in (folder, posixpath.dirname(folder)) if place)
    scripts = [path for path in world.files if path.endswith(".py") and path.startswith(above)] if above else []
    named = re.compile(rb"[\"'/]" + re.escape(page.encode()) + rb"(?:[\"'%{]|\.(?:rst|md|txt)\b)")
    return any(
        named.search(data) and _WRITES.search(data)
        for path in sorted(scripts)[:_MOST_SCRIPTS]
        if (data := world.tree.read(path, SOURCE_LIMIT))
    )


def _fix(claim: Claim, path: str, successor: str) -> Fix | None:
    """The new place, written the way the old one was: relative to the same folder, with or without a suffix."""
    if not successor or (
        not path.endswith(claim.text.lstrip("/"))
        and posixpath.splitext(path)[0].endswith(claim.text.lstrip("/")) is False
    ):
        return None
    suffix = path[len(posixpath.splitext(path)[0]) :] if not path.endswith(claim.text) else ""
    base = path.removesuffix(suffix).removesuffix(claim.text.lstrip("/")).rstrip("/")
    if suffix and not successor.endswith(suffix):
        return None
    relative = posixpath.relpath(successor.removesuffix(suffix), base or ".")
    return Fix(
        ("/" if claim.text.startswith("/") else "") + relative,
        safe=not relative.startswith("..") or claim.form != "nav",
    )


def _missing(claim: Claim, reason: str, fix: Fix | None, commit: str) -> Judgement:
    return Judgement(
        Verdict.DRIFTED,
        "missing-page",
        f"{_SAYS[claim.form == 'doc']} `{claim.text}`, and there is no such page.",
        (Evidence(reason, claim.subject.lstrip("/") if not commit else "", 0, commit),),
        0.95,
        Severity.HIGH,
        fix,
        claim.subject,
    )
