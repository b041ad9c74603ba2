"""Whether a document is read where it lies, on the forge, by the links that are written in it.

What a path tells (`audience.py`) is told for all repositories: a page below `docs/` may be one of a site, which has its own idea of
where a link leads. A repository that shows no sign of a site has no such pages: its manual is read as it lies.
"""

from __future__ import annotations

import re
from weakref import WeakKeyDictionary

from docalign_actors.engine.audience import Audience, audience, is_in_manual, is_read_in_place
from docalign_actors.engine.roles import SITE_MARKERS, is_example
from docalign_actors.engine.world import World

_FORMS = (".md", ".markdown", ".adoc")
"""What a forge shows as a page; `.mdx` is read by a site alone, and `.rst` nearly always."""
_MAKERS = (
    "mkdocs docusaurus vitepress vuepress docsify gitbook honkit mintlify nextra fumadocs starlight rspress dumi hugo jekyll"
    " gatsby astro nuxt eleventy zola antora quartz quarto bookdown pkgdown docfx doxygen doxyfile typedoc readthedocs zensical"
    " contentlayer velite"
)
_SIGN = re.compile(
    rf"(?:^|/)[._]?(?:{_MAKERS.replace(' ', '|')})(?![a-z])"
    r"|(?:^|/)(?:_layouts|_includes|_sidebar\.md|_category_\.(?:json|ya?ml)|sidebars?\.\w{2,4}|(?:source|theme)\.config\.\w{2,4})(?:/|$)"
    r"|(?:^|/)(?:docs?|site|website|www|documentation|public)/index\.html?$|(?:^|/)docs?/source/|\.mdx$",
    re.IGNORECASE,
)
"""Settings, folders and pages of whatever makes sites of documents."""
_FILES = SITE_MARKERS | {
    "SUMMARY.md", "_toctree.yml", "_toc.yml", "toc.yml", "toc.yaml", "nav.yml", "nav.adoc", ".pages", "_meta.json", "_meta.js",
    "_meta.ts", "mint.json", "docs.json", "book.json", "make.jl", ".nojekyll", "CNAME",
}  # fmt: skip
_SITES = frozenset({"website", "site", "www", "gh-pages", "content", "pages", "book"})
"""Folders that say what they are: a site, whatever makes it."""
_HEAD = 4
_no_site: WeakKeyDictionary[World, bool] = WeakKeyDictionary()


def is_shown_in_place(path: str, world: World) -> bool:
    """By its path, or because nothing in the repository makes a site of its documents and nothing in the page asks for one."""
    return is_read_in_place(path) or _is_plain_page(path, world)


def audience_in(path: str, world: World) -> Audience:
    """Whom the document is written for: a manual that is read on the forge stands beside the code, as a README does."""
    told = audience(path)
    return Audience.VISITORS if told is Audience.USERS and _is_plain_page(path, world) else told


def _is_plain_page(path: str, world: World) -> bool:
    *folders, name = path.split("/")
    if name.startswith((".", "_")) or not name.lower().endswith(_FORMS) or is_example(path):
        return False
    if not is_in_manual(path) or not _SITES.isdisjoint(map(str.lower, folders)) or not _makes_no_site(world):
        return False
    return world.tree.read(path, _HEAD)[:3] not in (b"---", b"+++")  # front matter is for a site


def _makes_no_site(world: World) -> bool:
    if world not in _no_site:
        _no_site[world] = _FILES.isdisjoint(world.by_name) and not any(map(_SIGN.search, world.files))
    return _no_site[world]
