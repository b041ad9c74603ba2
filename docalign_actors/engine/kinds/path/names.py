"""Names of files that most projects have, or are told to make."""

from __future__ import annotations

import posixpath
import re

from docalign_actors.engine.ports import Removal

_CONVENTIONAL = re.compile(
    r"(?:setup\.(?:py|cfg)|pyproject\.toml|package\.json|(?:tox|mypy|pytest|alembic)\.ini|requirements[\w.-]*\.txt|[\w.-]*requirements\.txt"
    r"|makefile|dockerfile[\w.-]*|procfile|vagrantfile|jenkinsfile|pipfile|gemfile|rakefile|brewfile|conftest\.py|(?:go|cargo)\.(?:mod|toml|sum)"
    r"|(?:app|main|server|config|settings|utils|models?|urls|views|admin|manage|test|tests|example|hello|script|foo|bar|demo|noxfile|cli|conf|__init__|tasks|wsgi|asgi)\.py"
    r"|(?:app|main|server|index|config|test|example|hello|script|foo|bar|demo|setup)\.(?:[cm]?[jt]s|[jt]sx|html|css|go|rs|java)"
    r"|(?:lib|mod)\.rs|(?:index|readme|style|data|config|docker-compose[\w.-]*|compose|manifest|tsconfig[\w.-]*|jsconfig|values|chart|deployment|nodemon|renovate|vercel|netlify|firebase)\.(?:md|css|json5?|ya?ml|toml|html)"
    r"|manifest\.in|pom\.xml|build\.gradle(?:\.kts)?|[\w.-]*\.lock|[\w.-]+-lock\.(?:json|ya?ml)|bun\.lockb|\.env[\w.-]*|\.git\w+|\.\w+ignore|\.\w+rc(?:\.\w+)?"
    r"|\.(?:travis|pre-commit-config|gitlab-ci|readthedocs|goreleaser|golangci)\.ya?ml|\.editorconfig|\.coveragerc|\.flake8|\.python-version|\.nvmrc|[\w-]+\.config\.[cm]?[jt]s"
    r"|(?:authors|contributing|changelog|changes|history|license|licence|readme|notice|security|code_of_conduct|maintainers|todo)(?:\.\w+)?)",
    re.IGNORECASE,
)
"""Files that most projects have, or are told to make: a name alone does not say whose it is."""


SAMPLES = (".example", ".sample", ".dist", ".template", ".default", ".tmpl", ".in")
_SAMPLE_WITHIN = re.compile(r"[._-](?:example|sample|dist|template|default)(?=\.\w{1,8}$)", re.IGNORECASE)
_WORKING = re.compile(
    r"(?:plan|todo|tasks?|notes?|progress|handoff|scratch(?:pad)?|backlog|memory|journal)\.(?:md|txt)", re.IGNORECASE
)
_TEMPLATES = re.compile(r"(?:^|/)(?:[\w-]*templates?|scaffolds?|skeletons?|boilerplates?)/")


def is_sample_of(successor: str, path: str) -> bool:
    """One file is the other with a word that says that it is to be copied: `.env.example`, `settings.example.json`."""
    return successor in (path + suffix for suffix in SAMPLES) or (
        successor != path and _SAMPLE_WITHIN.sub("", successor) == path
    )


def is_conventional(path: str) -> bool:
    """A name alone that does not say whose file it is."""
    return _CONVENTIONAL.fullmatch(posixpath.basename(path.rstrip("/"))) is not None


def is_readers_own(written: str, bare: str) -> bool:
    """Everybody has one: `.env.local`, or `./requirements.txt` of whatever folder one is in. Ours may go without a word."""
    beside = written.startswith("./") and is_conventional(bare)
    return "/" not in bare and (beside or (bare.startswith(".env") and not bare.endswith(SAMPLES)))


def is_working_file(path: str) -> bool:
    """`PLAN.md`: by its name what one works with for a while."""
    return _WORKING.fullmatch(path) is not None


def became_a_template(removal: Removal) -> bool:
    """What is made of it is the reader's, and lies there where the text says."""
    return _TEMPLATES.search(removal.successor) is not None and not _TEMPLATES.search(removal.path)


_FILE_SUFFIXES = (
    ".md", ".markdown", ".rst", ".adoc", ".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".py", ".pyi", ".js", ".jsx", ".mjs",
    ".cjs", ".ts", ".tsx", ".go", ".rs", ".java", ".kt", ".kts", ".scala", ".swift", ".php", ".cs", ".ex", ".exs", ".lua", ".sh",
    ".ps1", ".yml", ".yaml", ".toml", ".json", ".c", ".cc", ".h", ".hpp", ".cpp", ".proto", ".sql", ".rb", ".txt", ".ipynb",
)  # fmt: skip
_FILES_WITHOUT_SUFFIX = frozenset({"license", "licence", "copying", "notice", "authors", "makefile", "dockerfile"})


def is_file_name(path: str) -> bool:
    """What the path ends with is a file of a repository, not a page that a site may make."""
    name = posixpath.basename(path).lower()
    return name.endswith(_FILE_SUFFIXES) or name in _FILES_WITHOUT_SUFFIX


def is_distinctive(bare: str) -> bool:
    """A name that hardly two projects share: the end of a path may then stand for the whole."""
    name = posixpath.basename(bare)
    stem = name.split(".")[0]
    return not is_conventional(name) and "." in name and ("_" in stem or "-" in stem or len(stem) > 7)
