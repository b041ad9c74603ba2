"""Mutants of paths: a file or a directory is renamed, a module is moved; everything in code that names it follows."""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from urllib.parse import unquote

from bench.doctext import Place
from bench.files import is_document, is_foreign, is_own, is_scored, language_of
from bench.keepers import is_key_of_settings, is_output, outside
from bench.mutants import Mutant, Proposal, Repo, honest, whole_word
from bench.words import parts_of

_PATHISH = re.compile(
    r"[\w@.+%~-]*(?:/[\w@.+%-]+)+/?|[\w@+-][\w@.+-]*\.(?:py|js|mjs|cjs|ts|tsx|go|rs|java|json|ya?ml|toml|ini|cfg|sh|md|rst|txt|html|xml|sql|proto|lua|vim|ps1|env|conf)\b"
)
_READERS = re.compile(r"\b(create|your|save|new file|might look|looks like)\b", re.IGNORECASE)
_FIXED = frozenset(
    [
        "docker-compose", "compose", "readme", "license", "licence", "copying", "notice", "contributing", "changelog",
        "changes", "makefile", "dockerfile", "package", "pyproject", "setup", "cargo", "go", "pom", "main", "index",
        "__init__", "lib", "mod", "conftest", "tox", "noxfile", "justfile", "authors", "security", "code_of_conduct",
        "manifest", "tsconfig", "build", "settings", "gradlew", "mvnw", "conf", "requirements", "app", "server", "config",
    ]
)  # fmt: skip


_PLATFORM = re.compile(r"_(test|amd64|arm64|other|linux|windows|darwin|unix)\.go$")


def mentions(repo: Repo) -> dict[str, set[Place]]:
    """Path of the tree -> the doc lines that name it, from the root or from the document's own folder."""
    found: dict[str, set[Place]] = defaultdict(set)
    known = repo.snapshot.paths | repo.snapshot.directories
    for page in repo.docs.pages.values():
        for number, parts in page.code.items():
            for part in parts:
                for match in _PATHISH.finditer(part):
                    if part[max(0, match.start() - 3) : match.start()].endswith(("//", ":", "}")):
                        continue
                    rooted = match.group().startswith("/")
                    if rooted and f"]({match.group()}" not in page.lines[number - 1]:
                        continue  # a path of the reader's machine, or a route
                    if number in page.blocks and "/" not in match.group():
                        continue  # an argument of an example, or a line of a listing
                    for path in _resolved(unquote(match.group()), page.path, known):
                        found[path].add((page.path, number))
    return found


def _resolved(text: str, document: str, known: frozenset[str]) -> Iterator[str]:
    folder = posixpath.dirname(document)
    for base in dict.fromkeys(("", folder)):
        path = posixpath.normpath(posixpath.join(base, text.lstrip("/") if base == "" else text))
        if path in known:
            yield path
            return


def files(repo: Repo) -> Iterator[Proposal]:
    """Files that docs name."""
    for path, places in sorted(mentions(repo).items()):
        odd = path.rpartition("/")[2].count(".") > 1 or re.search(_PLATFORM, path)
        stem = path.rpartition("/")[2].split(".")[0].lower()
        if (
            path in repo.snapshot.paths
            and not odd
            and stem not in _FIXED
            and not path.startswith(".git")
            and len(stem) > 2
            and not is_foreign(path)
        ):
            rank = 1 if is_document(path) or not language_of(path) else 0
            yield Proposal("file", path, _file(repo, path, places), rank)


def _file(repo: Repo, path: str, places: set[Place]) -> Callable[[], Mutant | None]:
    def make() -> Mutant | None:
        folder, base = posixpath.split(path)
        stem, dot, suffix = base.partition(".")
        renamed = repo.rename_token(stem, keep=1 if stem.startswith("test_") else 0)
        if not renamed or sum(1 for p in repo.snapshot.paths if posixpath.basename(p) == base) > 1:
            return None
        if repo.variant == "moved":
            return _elsewhere(repo, path, places)
        target = posixpath.join(folder, renamed + dot + suffix)
        token = base if dot else path  # a name without a suffix is a word like any other
        named = re.compile(rf"(?<![\w.-]){re.escape(token)}(?![\w-])")
        changes = _code_follows(repo, path, named, renamed + dot + suffix if dot else target, stem, renamed)
        if changes is None:
            return None
        stale = _told(repo, places | {p for p in repo.docs.stale(named) if _by_name(repo, p, path)})
        near = repo.docs.all_lines(re.compile(re.escape(stem), re.IGNORECASE))
        language = language_of(path) or repo.snapshot.language
        return honest(Mutant("file", language, path, target, stale, tuple(near), changes, {path: target}), repo, named)

    return make


def _elsewhere(repo: Repo, path: str, places: set[Place]) -> Mutant | None:
    """The file lies in another folder under its old name. Only what names the folder too becomes false."""
    folder, base = posixpath.split(path)
    target = posixpath.join(repo.rename_token(folder) or "parts", base) if folder else posixpath.join("parts", base)
    if any(p.startswith(posixpath.dirname(target) + "/") for p in repo.snapshot.paths) or is_document(path):
        return None
    if language_of(path) in ("python", "rust", "javascript", "typescript", "java", "go") and _is_imported(repo, path):
        return None
    named = re.compile(rf"(?<![\w./-])((?:\.{{0,2}}/)*){re.escape(path)}(?![\w-])")
    changes = repo.replaced(named, target, repo.with_text(path))
    with_folder = {
        p
        for p in places
        if re.search(
            rf"(?<![\w-]){re.escape(folder.rpartition('/')[2])}/{re.escape(base)}"
            if folder
            else rf"(?:\]\(|\./){re.escape(base)}",  # the name alone does not say where it lies
            repo.docs.line(p),
        )
    }
    near = repo.docs.all_lines(re.compile(re.escape(base.partition(".")[0]), re.IGNORECASE))
    language = language_of(path) or repo.snapshot.language
    return honest(
        Mutant(
            "file",
            language,
            path,
            target,
            _told(repo, with_folder),
            tuple(near),
            changes,
            {path: target},
            variant="moved",
        ),
        repo,
        named,
    )


def _is_imported(repo: Repo, path: str) -> bool:
    stem = posixpath.basename(path).partition(".")[0]
    word = re.compile(rf"(?<![\w-]){re.escape(stem)}(?![\w-])")
    return any(word.search(text) for other, text in repo.snapshot.code.items() if other != path)


def _by_name(repo: Repo, place: Place, path: str) -> bool:
    """The line names the file by the end of its path, and not a file of that name elsewhere."""
    base = posixpath.basename(path)
    if place[1] in repo.docs.pages[place[0]].blocks or _READERS.search(repo.docs.line(place)):
        return False
    tokens = (
        t.lstrip("./")
        for part in repo.docs.pages[place[0]].code[place[1]]
        for t in re.findall(r"[^\s`'\"()<>:=,\[\]]+", part)
    )
    return any(t.endswith(base) and (t == base or path.endswith("/" + t) or path == t) for t in tokens)


def _code_follows(
    repo: Repo, path: str, named: re.Pattern[str], new: str, stem: str, renamed: str
) -> dict[str, str] | None:
    """Code that names the file, or imports it by its stem; None if the stem is too common to be followed."""
    changes = repo.replaced(named, new, repo.with_text(posixpath.basename(path)))
    if language_of(path) in ("python", "rust", "javascript", "typescript") and not is_document(path):
        imports = re.compile(rf"(?<![\w-]){re.escape(stem)}(?![\w-])")
        users = [p for p in repo.snapshot.code if p != path and imports.search(repo.snapshot.code[p])]
        if users and (len(parts_of(stem)) < 2 or stem in repo.defined):
            return None
        for user in users:
            changes[user] = imports.sub(renamed, changes.get(user, repo.snapshot.code[user]))
    elif language_of(path) == "java":
        return None
    return changes


def _told(repo: Repo, places: set[Place]) -> tuple[Place, ...]:
    """The places that speak of the present; what a run printed tells of that run."""
    pages = repo.docs.pages
    return tuple(
        sorted(
            p for p in places if is_scored(p[0]) and p[1] not in pages[p[0]].untold and not is_output(pages[p[0]], p[1])
        )
    )


def directories(repo: Repo) -> Iterator[Proposal]:
    """Folders that docs name, themselves or through a file in them, and that no language imports by name."""
    every = mentions(repo)
    for path in sorted(repo.snapshot.directories):
        if (
            path in every
            and len(path.rpartition("/")[2]) > 2
            and not path.startswith(".")
            and not is_foreign(path + "/")
        ):
            yield Proposal("directory", path, _directory(repo, path, every))


def _directory(repo: Repo, path: str, every: dict[str, set[Place]]) -> Callable[[], Mutant | None]:
    def make() -> Mutant | None:
        inside = sorted(p for p in repo.snapshot.paths if p.startswith(path + "/"))
        head, _, last = path.rpartition("/")
        renamed = repo.rename_token(last)
        packaged = any(p.endswith(("__init__.py", ".go", ".java", ".rs", ".kt")) for p in inside)
        if (
            not renamed
            or packaged
            or any(link.startswith(path + "/") for link in repo.snapshot.links)
            or len(inside) > 400
            or any(is_document(p) and "](" in repo.snapshot.texts.get(p, "") for p in inside)
        ):
            return None
        target = f"{head}/{renamed}" if head else renamed
        bounded = r"(?=/|[\"'\s`),:;]|$)" if head else r"(?=/)"
        word = re.escape(path)
        token = re.compile(rf"(?<![\w.-])((?:\.{{0,2}}/)*){word}{bounded}|(?<=[\"']){word}(?=[\"'])", re.MULTILINE)
        changes = {}
        for other in repo.with_text(path):
            text = repo.snapshot.code[other]
            result = token.sub(lambda m: (m.group(1) or "") + target, text)
            if result != text:
                changes[other] = result
        below = set().union(*(every.get(p, set()) for p in [*inside, *_below(repo, path)]))
        linked = {p for p in every[path] if re.search(rf"\]\([./]*{re.escape(path)}/?[)#]", repo.docs.line(p))}
        places = below | (every[path] if head and is_own(path + "/") else linked)
        places = outside(places, path, {p: repo.docs.line(p) for p in places})
        # A tree drawing names what lies below by its base name: those lines are false as well, but few tools could know.
        names = "|".join(sorted({re.escape(posixpath.basename(p)) for p in inside} | {re.escape(last)}))
        near = repo.docs.all_lines(re.compile(rf"(?<![\w-])(?:{names})(?![\w-])"))
        left = re.compile(rf"(?<![\w./-]){re.escape(path)}/")
        moves = {p: target + p[len(path) :] for p in inside}
        return honest(
            Mutant(
                "directory",
                repo.snapshot.language,
                path + "/",
                target + "/",
                _told(repo, places),
                tuple(near),
                changes,
                moves,
            ),
            repo,
            left,
        )

    return make


def _below(repo: Repo, path: str) -> list[str]:
    return [d for d in repo.snapshot.directories if d.startswith(path + "/")]


def modules(repo: Repo) -> Iterator[Proposal]:
    """Python modules that docs name by their dotted path; Go and Java packages by their import path."""
    for path in sorted(repo.snapshot.own):
        if path.endswith(".py") and not path.endswith("__init__.py"):
            dotted = path.removeprefix("src/").removesuffix(".py").replace("/", ".")
            named = dotted.count(".") >= 1 and dotted.rpartition(".")[2] in repo.docs.code_words
            if named and not is_key_of_settings(repo.snapshot, dotted):
                yield Proposal("module", dotted, _python_module(repo, path, dotted))
    packages = {p.rpartition("/")[0] for p in repo.snapshot.own if p.endswith((".java", ".go")) and "/" in p}
    for folder in sorted(packages):
        if folder.rpartition("/")[2] in repo.docs.code_words:
            yield Proposal("module", folder, _package(repo, folder))


def _python_module(repo: Repo, path: str, dotted: str) -> Callable[[], Mutant | None]:
    """`pkg.mod` becomes `pkg.inner.mod`-like: moved under another name beside it. Relative imports must be few enough to follow."""

    def make() -> Mutant | None:
        parent, _, stem = dotted.rpartition(".")
        renamed = repo.rename(stem)
        inner = repo.variant == "moved"
        new = f"{parent}.{renamed}.{stem}" if inner else f"{parent}.{renamed}"
        target = posixpath.join(posixpath.dirname(path), f"{renamed}/{stem}.py" if inner else f"{renamed}.py")
        token = re.compile(rf"(?<![\w.]){re.escape(dotted)}(?!\w)")
        if not renamed:
            return None
        changes = {}
        for other, text in ((p, t) for p, t in repo.snapshot.code.items() if stem in t):
            result = token.sub(new, text).replace(path, target)
            if other.endswith(".py"):
                together = rf"(?m)^(\s*from\s+(?:\.+|{re.escape(parent)})\s+import\s+.*?)(?<![\w.]){stem}(?!\w)"
                if inner and re.search(together, result):
                    return None
                result = re.sub(together, rf"\g<1>{renamed} as {stem}", result)
                result = re.sub(
                    rf"(?m)^(\s*from\s+\.+){stem}(?=[\s.])",
                    rf"\g<1>{renamed}.{stem}" if inner else rf"\g<1>{renamed}",
                    result,
                )
            if result != text:
                changes[other] = result
        package = posixpath.join(posixpath.dirname(path), "__init__.py")
        if re.search(rf"\bas {stem}\b", changes.get(package, "")):
            return None  # the package shows the module under its old name, so that the docs stay true
        stale = repo.docs.stale(token)
        near = repo.docs.all_lines(re.compile(rf"(?<!\w){re.escape(stem)}(?!\w)", re.IGNORECASE))
        variant = "moved" if inner else "rename"
        moves = {path: target}
        if f"{path}i" in repo.snapshot.paths:
            moves[f"{path}i"] = f"{target}i"  # what it declares to those who check types
        mutant = Mutant("module", "python", dotted, new, tuple(stale), tuple(near), changes, moves, variant=variant)
        return honest(mutant, repo, token)

    return make


def _package(repo: Repo, folder: str) -> Callable[[], Mutant | None]:
    def make() -> Mutant | None:
        inside = sorted(p for p in repo.snapshot.paths if p.startswith(folder + "/"))
        java = any(p.endswith(".java") for p in inside)
        name = _import_path(repo, folder, java)
        head, _, last = folder.rpartition("/")
        renamed = repo.rename_token(last)
        crowded = bool(name) and len(repo.with_text(name)) > 120
        twins = [d for d in repo.snapshot.directories if java and d.endswith(f"src/main/java/{name.replace('.', '/')}")]
        if not name or not renamed or crowded or len(twins) > 1 or any(is_document(p) for p in inside):
            return None
        new = name[: -len(last)] + renamed
        token = re.compile(rf"(?<![\w.]){re.escape(name)}(?![\w])")
        changes = repo.replaced(token, new, repo.with_text(name))
        target = f"{head}/{renamed}" if head else renamed
        for path in inside if not java else ():
            text = changes.get(path, repo.snapshot.code.get(path, ""))
            result = re.sub(rf"(?m)^package {re.escape(last)}\b", f"package {renamed}", text)
            if result != repo.snapshot.code.get(path, result):
                changes[path] = result
        for path in repo.snapshot.code if not java else ():
            text = changes.get(path, repo.snapshot.code[path])
            if new in text and path.endswith(".go"):
                changes[path] = re.sub(rf"(?<![\w.\"/]){re.escape(last)}(?=\.[A-Z])", renamed, text)
        stale = repo.docs.stale(token)
        near = repo.docs.all_lines(whole_word(last))
        moves = {p: target + p[len(folder) :] for p in inside}
        return honest(
            Mutant("module", "java" if java else "go", name, new, tuple(stale), tuple(near), changes, moves),
            repo,
            token,
        )

    return make


def _import_path(repo: Repo, folder: str, java: bool) -> str:
    if java:
        match = re.search(r"(?:src/main/java/)(.*)$", folder)
        return match.group(1).replace("/", ".") if match else ""
    module = re.search(r"(?m)^module (\S+)", repo.snapshot.code.get("go.mod", ""))
    return f"{module.group(1)}/{folder}" if module else ""
