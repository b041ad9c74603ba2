"""A site's navigation: mkdocs.yml, Jupyter Book's _toc.yml, mdBook's book.toml, Docusaurus' sidebars.json.

Entries become paths of the repository. `opaque` holds "navigation" where pages may be made at build time.
"""

from __future__ import annotations

import posixpath

from docalign_actors.engine.code.manifests.tree import DEEPEST, Node, collect_keys
from docalign_actors.engine.facts import FileFacts

_GENERATORS = (
    "gen-files", "literate-nav", "awesome-pages", "awesome-nav", "section-index", "monorepo", "multirepo", "autoapi",
    "api-autonav", "gallery", "blog", "simple", "include_dir_to_nav", "import_code", "techdocs", "exec", "same-dir",
    "external-files", "nav-weight",
)  # fmt: skip
_MOST = 5000


def collect_navigation(path: str, root: Node, facts: FileFacts) -> None:
    """`nav` of mkdocs.yml, or a Jupyter Book's table of contents."""
    folder, _, name = path.rpartition("/")
    if name == "_toc.yml":
        _jupyter_book(folder, root, facts)
        return
    if not name.startswith("mkdocs") and not root.get("nav"):
        collect_keys(path, 0, root, facts)
        return
    source = posixpath.normpath(posixpath.join(folder, root.get("docs_dir").string or "docs"))
    for entry in _leaves(root.get("nav")):
        _add(source, entry, facts)
    plugins = [p.string or next(iter(p.table or {}), "") for p in root.get("plugins").elements()]
    plugins += [plugin for plugin, _ in root.get("plugins").pairs()]
    if root.get("hooks") or any(word in plugin for plugin in plugins for word in _GENERATORS):
        facts.opaque.append("navigation")


def _leaves(nav: Node) -> list[Node]:
    """Scalars of a nested list of tables, in order."""
    found: list[Node] = []
    stack: list[tuple[Node, int]] = [(nav, 0)]
    while stack and len(found) < _MOST:
        node, depth = stack.pop()
        if node.text is not None:
            found.append(node)
        elif depth < DEEPEST:
            below = [*node.elements(), *(value for _, value in node.pairs())]
            stack.extend((child, depth + 1) for child in reversed(below))
    return found


def _add(folder: str, entry: Node, facts: FileFacts) -> None:
    target = entry.string.strip()
    if (
        not target
        or "://" in target
        or target.startswith(("#", "!", "mailto:", "<"))
        or "*" in target
        or "\n" in target
        or "{" in target
    ):
        return
    if target.endswith("/"):
        # A folder: some plugin fills it in.
        return
    path = posixpath.normpath(posixpath.join(folder, target.partition("#")[0].lstrip("/")))
    if not path.startswith(".."):
        facts.navigation.append((path.lstrip("/"), entry.line))


def _jupyter_book(folder: str, root: Node, facts: FileFacts) -> None:
    stack: list[tuple[Node, int]] = [(root, 0)]
    while stack and len(facts.navigation) < _MOST:
        node, depth = stack.pop()
        for name in ("root", "file"):
            if node.get(name).text:
                _add(folder, node.get(name), facts)
        if depth < DEEPEST:
            below = [
                child
                for name in ("parts", "chapters", "sections", "subtrees", "entries")
                for child in node.get(name).elements()
            ]
            stack.extend((child, depth + 1) for child in reversed((*below, *node.elements())))


def collect_book(path: str, root: Node, facts: FileFacts) -> None:
    """mdBook keeps its navigation in SUMMARY.md; the book names only the folder."""
    folder = path.rpartition("/")[0]
    source = posixpath.normpath(posixpath.join(folder, root.get("book", "src").string or "src"))
    facts.navigation.append((f"{source}/SUMMARY.md", (root.get("book", "src") or root.get("book")).line or 1))
    if root.get("preprocessor"):
        facts.opaque.append("navigation")


def collect_sidebars(path: str, root: Node, facts: FileFacts) -> None:
    """Docusaurus sidebars kept as JSON: document ids, which are paths without a suffix."""
    folder = path.rpartition("/")[0]
    stack: list[tuple[Node, int]] = [(root, 0)]
    while stack and len(facts.navigation) < _MOST:
        node, depth = stack.pop()
        if node.text is not None:
            _add(posixpath.join(folder, "docs"), node, facts)
        elif depth < DEEPEST:
            stack.extend((child, depth + 1) for child in reversed(node.elements()))
            kind = node.get("type").string
            if kind == "doc" or (not kind and depth > 1 and node.get("id")):
                _add(posixpath.join(folder, "docs"), node.get("id"), facts)
            elif kind == "category":
                stack.append((node.get("items"), depth + 1))
            elif not kind:
                stack.extend((child, depth + 1) for _, child in reversed(node.pairs()))
    facts.opaque.append("navigation")
