"""What a path is for, told by its name alone: documentation or code, our own or somebody else's, present or past."""

from __future__ import annotations

import posixpath
import re
from functools import lru_cache

from docalign_actors.engine.reports import is_called_report

DOC_SUFFIXES = {
    ".md": "markdown",
    ".markdown": "markdown",
    ".mdown": "markdown",
    ".mkd": "markdown",
    ".mkdn": "markdown",
    ".mkdown": "markdown",
    ".mdx": "mdx",
    ".rst": "rst",
    ".adoc": "asciidoc",
    ".asciidoc": "asciidoc",
    ".asc": "asciidoc",
    ".txt": "text",
}
_DOC_NAMES = {".cursorrules": "markdown", ".windsurfrules": "markdown", ".clinerules": "markdown"}
_TEXT_DOC_STEM = re.compile(
    r"^(readme|install|usage|contributing|hacking|getting[-_]?started|guide|manual|building)", re.IGNORECASE
)
_DOC_DIRECTORIES = frozenset({"doc", "docs", "documentation", "guide", "guides", "manual", "website", "site", "wiki"})
_BARE_DOCS = ("README", "Readme", "readme", "INSTALL", "CONTRIBUTING", "HACKING", "USAGE", "BUILDING")
DOCUMENT_PATTERNS = (
    *(f":(icase)*{suffix}" for suffix in DOC_SUFFIXES),
    *(f"*{name}" for name in (*_DOC_NAMES, *_BARE_DOCS)),
)
"""By these git finds every path that may be a document, and few others."""

SITE_MARKERS = frozenset(
    "mkdocs.yml mkdocs.yaml docusaurus.config.js docusaurus.config.ts _config.yml hugo.toml conf.py book.toml antora.yml".split()
)
"""Files that tell how a site is made of documents."""
_LOCK_FILES = frozenset(
    "package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock deno.lock poetry.lock uv.lock pdm.lock Pipfile.lock"
    " conda-lock.yml Cargo.lock go.sum composer.lock Gemfile.lock pubspec.lock Chart.lock".split()
)
"""What a package manager writes down: the words in it are the names of others."""
_FOREIGN = frozenset(
    [
        "node_modules",
        "vendor",
        "vendored",
        "_vendor",
        "third_party",
        "third-party",
        "thirdparty",
        "bower_components",
        "external",
        "extern",
        "dist",
        "build",
        ".venv",
        "venv",
        "site-packages",
        ".tox",
        ".nox",
        "__pycache__",
        "target",
        ".git",
        "deps",
        "Godeps",
        ".yarn",
    ]
)
_SCRIPTS = (".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".vue")
"""What tools build of scripts are scripts again: only below or above a `src` are these somebody's own."""
_PACKAGES = {
    suffix: names
    for suffixes, names in (
        ((".go", ".rs"), frozenset({"build", "target", "dist", "deps", "external", "extern"})),
        ((".py", ".rb", ".php", ".cs", ".swift", *_SCRIPTS), frozenset({"build", "target"})),
    )
    for suffix in suffixes
}
"""Names of folders that are packages like any other if they hold sources of these languages, and are not at the top."""
_TAKEN_SCRIPT = re.compile(
    r"(?:^|/)(?:static|assets|public|webapp|wwwroot|js)/(?:[^/]+/){0,3}vendors/"
    r"|/jquery(?:[-.](?:ui(?:\.\w{1,30})?|slim|custom|core|migrate|v?\d[\w.]{0,20}))*\.js$"
)
"""A copy of a library, among what a site serves."""
_BUILD_PAGE = re.compile(r"(?:^|/)(?:src|docs|guide|guides|content|pages)/build/[^/]+\.(?:md|mdx|adoc)$")
"""A page about building: what tools build is seldom written in these formats."""
_SPHINX_PAGE = re.compile(r"(?:^|/)(?:docs?|documentation)/(?:build/(?:[^/]+/)*)[^/]+\.rst$")
"""A source of a manual that is written where others build theirs: no builder writes reStructuredText."""
_FIXTURE = frozenset(
    [
        "fixtures",
        "fixture",
        "testdata",
        "test-data",
        "test_data",
        "__fixtures__",
        "snapshots",
        "__snapshots__",
        "golden",
        "goldens",
        "cassettes",
        "mocks",
    ]
)
_TEST = frozenset(
    [
        "test",
        "tests",
        "testing",
        "__tests__",
        "__benchmarks__",
        "__mocks__",
        "spec",
        "specs",
        "e2e",
        "integration_tests",
        "unittests",
        "testsuite",
    ]
)
_EXAMPLE = frozenset(
    [
        "example",
        "examples",
        "sample",
        "samples",
        "demo",
        "demos",
        "tutorial",
        "tutorials",
        "playground",
        "playgrounds",
        "docs_src",
        "docs_snippets",
        "snippets",
    ]
)
_MEASURED = re.compile(
    r"(?:^|/)(?:bench(?:es|marks?|marking)?|perf(?:ormance)?)/(?:[^/]+/)*(?:samples?|data|inputs?|corpus|corpora|assets)/",
    re.IGNORECASE,
)
"""What a benchmark is fed with."""
_OFFERS_TESTING = (".py", ".java", ".kt")
"""Languages in which a package called `testing` inside another is what a library offers to those who test with it."""
_TEST_FOLDER = re.compile(
    r"[a-z0-9._-](?:Unit|Integration|Acceptance|Functional)?(?:Tests?|Specs?)$"
    r"|^(?:acceptance|integration|functional|e2e|end-to-end|unit|smoke|system|regression|conformance|browser)[-_]tests?$"
)
_EXAMPLE_FOLDER = re.compile(r"[a-z0-9._-](?:Samples?|Examples?|Demos?)$")
"""`AutoMapper.UnitTests`, `acceptance-tests`, `AutoMapperSamples`: the last word of a folder's name says what it is for."""
_TEMPLATE = re.compile(r"\{\{|\{%|cookiecutter|^templates?$|scaffold", re.IGNORECASE)
_TEST_FILE = re.compile(r"(_test\.|\.test(?:-d)?\.|\.spec\.|_spec\.|\.tst\.|^conftest\.|Tests?\.(java|kt|cs|swift)$)")
_OTHER_TOOLS = re.compile(
    r"(?:^|/)(?:setup|conftest|noxfile|fabfile|wscript)\.py$|^(?:conf|tasks)\.py$"
    r"|(?:^|/)(?:docs?|documentation|manual|sphinx|source|website|userguide)/(?:[^/]+/)?conf\.py$|\.config\.[cm]?[jt]s$|(?:^|/)(?:[gG]ulp|[gG]runt|Jake)file\b"
    r"|(?:^|/)(?:kustomization|skaffold|Chart|mkdocs|_config|codecov|renovate|lerna|nx|turbo|vercel|netlify|buf(?:\.gen)?|nfpm)\.(?:ya?ml|json|toml)$"
    r"|(?:^|/)(?:Homebrew)?Formula/[\w@.-]+\.rb$"
)
_OWN_SETTINGS = re.compile(r"(?:^|/)src/(?:[^/]+/){1,8}[\w.-]{1,80}\.config\.[cm]?[jt]s$")
"""`src/config/note.config.ts`: tools look for theirs beside the manifest, not in a folder of the sources."""
_HIDDEN_SETTINGS = re.compile(r"(?:^|/)\.[\w-]+\.(?:ya?ml|json|toml)$")
_ASIDE = frozenset(
    (
        "scripts",
        "script",
        "tools",
        "bench",
        "benchmark",
        "benchmarks",
        "benches",
        "ci",
        "hack",
        "misc",
        "docs",
        "doc",
        ".github",
    )
)
_NOTES = re.compile(
    r"(?:^|/)(?:(?:change[-_]?logs?|changes|changelog\.d|changes\.d|news|newsfragments|release[-_]?notes?)/.+"
    r"|(?:change[-_]?log|changes|news|history|release[-_]?notes)(?:[-_.]v?\d[\w.]*)?)$",
    re.IGNORECASE,
)


_SKILL = re.compile(r"^(?:.*/)?\.[a-z]+/(?:skills|commands|prompts|agents)/", re.IGNORECASE)


def is_skill(path: str) -> bool:
    """What an agent is told to do, in a folder of its tool's: often the same in many repositories."""
    return _SKILL.match(path) is not None


@lru_cache(maxsize=65536)
def document_format(path: str) -> str:
    """The document format a path has, or "" if it is no documentation."""
    name = path.rsplit("/", 1)[-1]
    if name in _DOC_NAMES:
        return _DOC_NAMES[name]
    stem, dot, suffix = name.rpartition(".")
    if not dot:
        return "text" if name in _BARE_DOCS else ""
    kind = DOC_SUFFIXES.get("." + suffix.lower(), "")
    if kind == "text":
        in_docs = any(part in _DOC_DIRECTORIES for part in path.lower().split("/")[:-1])
        return (
            kind
            if _TEXT_DOC_STEM.match(stem) or (in_docs and "require" not in stem.lower() and stem != "CMakeLists")
            else ""
        )
    return kind


def is_foreign(path: str) -> bool:
    """Somebody else's file, or a built one: neither its claims nor its code are this repository's."""
    folder, _, name = path.rpartition("/")
    if folder.endswith("/build") and _BUILD_PAGE.search(path):
        folder = folder.removesuffix("/build")
    if name in _LOCK_FILES or is_called_report(name) or (name.endswith(".js") and _TAKEN_SCRIPT.search(path)):
        return True
    if name.endswith(".rst") and _SPHINX_PAGE.search(path):
        folder = folder.replace("/build", "", 1)
    return _is_foreign_folder(folder) and not _is_package(folder, posixpath.splitext(name)[1])


def is_fixture(path: str) -> bool:
    """Data for tests and measurements, or a template for projects that do not exist yet."""
    folder, _, name = path.rpartition("/")
    if name.endswith(
        ".go"
    ):  # what is to be filled in ends otherwise, or it would be compiled: `templates/` is a package here
        folder = "/".join(part for part in folder.split("/") if part not in ("template", "templates"))
    return _is_fixture_folder(folder) or "{{" in name


def is_test(path: str) -> bool:
    """Test code: it may use a name, but defines nothing that documentation speaks of."""
    folder, _, name = path.rpartition("/")
    if "/testing" in folder and name.endswith(_OFFERS_TESTING):
        first, *below = folder.split("/")
        folder = "/".join((first, *(part for part in below if part != "testing")))
    if _is_test_folder(folder):
        return True
    return bool(_TEST_FILE.search(name)) or (name.startswith("test_") and name.endswith(".py"))


def is_example(path: str) -> bool:
    """Example code: projects within the project, with names and manifests of their own."""
    return _is_example_folder(path.rpartition("/")[0])


# A repository has far fewer folders than files, and every file is asked about.


@lru_cache(maxsize=65536)
def _is_foreign_folder(folder: str) -> bool:
    return not _FOREIGN.isdisjoint(folder.split("/"))


@lru_cache(maxsize=65536)
def _is_package(folder: str, suffix: str) -> bool:
    """Sources in a folder that is called as those are that tools write to: `internal/build`, `pyocd/target`, `src/deps`."""
    first, *rest = _above_packages(folder.split("/")) or [""]
    if suffix in _SCRIPTS and "src" not in (first, *rest):
        return False
    return first not in _FOREIGN and _FOREIGN.isdisjoint(set(rest) - _PACKAGES.get(suffix, frozenset()))


@lru_cache(maxsize=65536)
def _is_fixture_folder(folder: str) -> bool:
    parts = folder.lower().split("/")
    if any(part in _FIXTURE or _TEMPLATE.search(part) for part in parts):
        return True
    if "data" in parts[1:-1] and not _TEST.isdisjoint(parts[: parts.index("data", 1)]):
        return True  # `spec/data/tracing/`: data for one test each, often copied from elsewhere
    return _MEASURED.search(folder + "/") is not None


@lru_cache(maxsize=65536)
def _is_test_folder(folder: str) -> bool:
    return any(
        part.lower() in _TEST or part.lower() in _FIXTURE or _TEST_FOLDER.search(part) for part in folder.split("/")
    )


@lru_cache(maxsize=65536)
def _is_example_folder(folder: str) -> bool:
    return any(part.lower() in _EXAMPLE or _EXAMPLE_FOLDER.search(part) for part in _above_packages(folder.split("/")))


def _above_packages(parts: list[str]) -> list[str]:
    """In Java, Kotlin and Groovy `com/example` and `cloud/tools` are packages like any other: their names tell nothing."""
    return parts[
        : next((n for n, part in enumerate(parts) if part in ("java", "kotlin", "scala", "groovy")), len(parts))
    ]


def is_aside(path: str) -> bool:
    """Code for those who work on the repository: readers of the documentation are not offered it."""
    return any(part in _ASIDE for part in _above_packages(path.split("/")[:-1]))


@lru_cache(maxsize=65536)
def is_for_other_tools(path: str) -> bool:
    """Written for another tool, such as a build script or a linter's settings: its keys and names are that tool's."""
    return _OTHER_TOOLS.search(path) is not None and _OWN_SETTINGS.search(path) is None


def is_hidden_settings(path: str) -> bool:
    """`.travis.yml`: settings of a tool or service that looks for them, whose keys are its own."""
    return _HIDDEN_SETTINGS.search(path) is not None


@lru_cache(maxsize=65536)
def is_own_code(path: str) -> bool:
    """Code that defines what the documentation speaks of."""
    return not (is_foreign(path) or is_test(path) or is_example(path) or is_fixture(path))


@lru_cache(maxsize=65536)
def is_release_note(path: str) -> bool:
    """A note on releases in a file without a suffix: `changelog/1.2/issue-7`, `NEWS`. A word in it says nothing of today."""
    return "." not in path.rpartition("/")[2].lstrip(".") and _NOTES.search(path) is not None
