"""Which program a documented command runs, and whether it is one of the repository's own."""

from __future__ import annotations

import posixpath
import re
from weakref import WeakKeyDictionary

from msgspec import Struct

from docalign_actors.engine.code.manifests.gomod import package_name
from docalign_actors.engine.code.options.common import FOREIGN_PROGRAMS, PASSTHROUGH, UBIQUITOUS_PROGRAMS
from docalign_actors.engine.code.reader import MANIFESTS, SEARCHED, language_of
from docalign_actors.engine.facts import Option
from docalign_actors.engine.index import Located
from docalign_actors.engine.kinds.shared.shell import Call, Word
from docalign_actors.engine.roles import is_aside, is_example, is_foreign, is_own_code, is_test
from docalign_actors.engine.world import World

_LAUNCHERS: dict[str, tuple[tuple[str, ...], ...]] = {
    "npx": ((),), "bunx": ((),), "uvx": ((),), "pnpx": ((),),
    "pnpm": (("exec",), ("dlx",)), "yarn": (("exec",), ("dlx",)), "npm": (("exec",), ("x",)), "bun": (("x",),),
    "uv": (("run",), ("tool", "run")), "poetry": (("run",),), "pipenv": (("run",),), "pdm": (("run",),), "hatch": (("run",),),
    "rye": (("run",),), "pipx": (("run",),), "bundle": (("exec",),), "mise": (("exec",), ("x",)), "pixi": (("run",),),
}  # fmt: skip
_TAKES_VALUE = frozenset(
    {
        "-p",
        "--package",
        "--with",
        "--from",
        "--python",
        "--extra",
        "--group",
        "--directory",
        "--project",
        "--spec",
        "-e",
        "--env-file",
    }
)
HOSTS = {
    "cargo": frozenset(
        """add b bench build c check clean clippy config d doc fetch fix fmt generate-lockfile help init install locate-project
        login logout metadata miri new owner package pkgid publish r remove report run rustc rustdoc search t test tree
        uninstall update vendor version yank""".split()
    ),
    "kubectl": frozenset(
        """annotate api-resources api-versions apply attach auth autoscale certificate cluster-info completion config cordon cp
        create debug delete describe diff drain edit events exec explain expose get krew kustomize label logs options patch plugin
        port-forward proxy replace rollout run scale set taint top uncordon version wait""".split()
    ),
    "git": frozenset(
        """add am apply archive bisect blame branch bundle checkout cherry-pick clean clone commit config describe diff fetch
        format-patch gc grep help init log merge mv notes pull push range-diff rebase remote reset restore revert rm shortlog show
        sparse-checkout stash status submodule switch tag worktree""".split()
    ),
}
"""Programs that run `host-name` when they are called with a name, and the names that are commands of their own."""
_PLUGIN_MANIFESTS = (".krew.yaml", "krew.yaml", "deploy/krew/plugin.yaml", "plugin.yaml")
_PYTHONS = re.compile(r"(?:python|pypy)[0-9.]*\Z|py\Z")
_SCRIPT_RUNNERS = frozenset(
    {"node", "ts-node", "tsx", "deno", "bun", "bash", "sh", "zsh", "ruby", "perl", "php", "babel-node", "nodemon"}
)
_SCRIPT_FILE = re.compile(r"[\w./@-]+\.(?:py|js|mjs|cjs|ts|mts|sh|bash|rb|pl|php|jsx|tsx)\Z")
_IMAGE = re.compile(r"(?:[a-z0-9][\w.-]*/)+([a-z][\w.-]*)(?::[\w.-]+|@sha256:\w+)?\Z")
_NAME = re.compile(r"[a-z][\w.-]*\Z")


class Invocation(Struct, frozen=True):
    """A command as a program and its arguments.

    kind  name: found by its name; module: `python -m`; file: a script of the repository; cargo, go: `cargo run`, `go run`
    """

    kind: str
    name: str
    word: Word
    arguments: tuple[Word, ...]
    folder: str = ""


def invocation(call: Call) -> Invocation | None:
    """What a command runs, launchers such as `poetry run` and `npx` looked through; None if nothing can be told."""
    words = _after_launchers(call.words)
    if not words:
        return None
    first = words[0]
    name = first.text.removesuffix(".exe")
    if _PYTHONS.match(name):
        return _python(words, call.folder)
    if name in _SCRIPT_RUNNERS:
        at = 1
        while at < len(words) and (words[at].text.startswith("-") or words[at].text == "run"):
            at += 1
        if at < len(words) and _SCRIPT_FILE.match(words[at].text):
            return Invocation("file", words[at].text, words[at], words[at + 1 :], call.folder)
        return None
    if name in HOSTS and (plugin := _plugin(name, words, call.folder)) is not None:
        return plugin
    if name == "cargo":
        return _cargo(words, call.folder)
    if name == "go":
        return _go(words, call.folder)
    if name in ("docker", "podman", "docker-compose"):
        inner = inside_container(Call(words, call.folder))
        return invocation(inner) if inner is not None else _container(words, call.folder)
    if "/" in name or (_SCRIPT_FILE.match(name) and first.plain):
        return Invocation("file", name, first, words[1:], call.folder)
    return Invocation("name", name, first, words[1:], call.folder) if _NAME.match(name) else None


def launched(call: Call) -> Call | None:
    """What a launcher such as `uv run` or `bundle exec` is told to run; None if the call is no launcher's."""
    words = _after_launchers(call.words)
    return Call(words, call.folder) if words and len(words) < len(call.words) else None


_CONTAINER_VALUES = frozenset(
    {
        "-e",
        "--env",
        "-u",
        "--user",
        "-w",
        "--workdir",
        "-v",
        "--volume",
        "--name",
        "-p",
        "--publish",
        "--index",
        "-f",
        "--file",
    }
)


def inside_container(call: Call) -> Call | None:
    """What `docker compose run service …` and `docker exec container …` run in there."""
    texts = [word.text for word in call.words]
    verbs: tuple[str, ...]
    if texts[0] in ("docker", "podman") and texts[1:2] == ["compose"]:
        verbs, at = ("run", "exec"), 2
    elif texts[0] == "docker-compose":
        verbs, at = ("run", "exec"), 1
    elif texts[0] in ("docker", "podman"):
        verbs, at = ("exec",), 1
    else:
        return None
    for wanted in (verbs, ()):
        while at < len(texts) and texts[at].startswith("-"):
            at += 2 if texts[at] in _CONTAINER_VALUES else 1
        if at >= len(texts) or (wanted and texts[at] not in wanted):
            return None
        at += 1
    return Call(call.words[at:], call.folder) if at < len(texts) else None


def _after_launchers(words: tuple[Word, ...]) -> tuple[Word, ...]:
    for _ in range(4):
        if not words:
            return ()
        chains = _LAUNCHERS.get(words[0].text)
        chain = next((c for c in chains or () if tuple(w.text for w in words[1 : 1 + len(c)]) == c), None)
        if chain is None:
            return words
        at = 1 + len(chain)
        while at < len(words) and words[at].text.startswith("-"):
            at += 2 if words[at].text in _TAKES_VALUE else 1
        words = words[at:]
    return words


def _python(words: tuple[Word, ...], folder: str) -> Invocation | None:
    at = 1
    while at < len(words) and words[at].text.startswith("-") and words[at].text not in ("-m", "-c", "-"):
        at += 2 if words[at].text in ("-W", "-X") else 1
    if at + 1 < len(words) and words[at].text == "-m":
        return Invocation("module", words[at + 1].text, words[at + 1], words[at + 2 :], folder)
    if at < len(words) and _SCRIPT_FILE.match(words[at].text):
        return Invocation("file", words[at].text, words[at], words[at + 1 :], folder)
    return None


def _cargo(words: tuple[Word, ...], folder: str) -> Invocation | None:
    texts = [word.text for word in words]
    if len(words) < 2 or texts[1] not in ("run", "r") or "--" not in texts:
        return None
    at = texts.index("--")
    named = [texts[i + 1] for i, text in enumerate(texts[:at]) if text in ("--bin", "-p", "--package") and i + 1 < at]
    return Invocation("cargo", named[0] if named else "", words[0], words[at + 1 :], folder)


def _plugin(host: str, words: tuple[Word, ...], folder: str) -> Invocation | None:
    """`cargo deny check`: what `cargo-deny` is told to do."""
    at = 2 if len(words) > 1 and words[1].text.startswith("+") else 1
    name = words[at].text if at < len(words) and words[at].plain else ""
    if not _NAME.match(name) or name in HOSTS[host]:
        return None
    return Invocation("name", f"{host}-{name}", words[at], words[at + 1 :], folder)


def _container(words: tuple[Word, ...], folder: str) -> Invocation | None:
    """`docker run -p 80:80 owner/tool --flag`: the image's name is the program's."""
    if len(words) < 3 or words[1].text != "run":
        return None
    for at, word in enumerate(words[2:], 2):
        match = _IMAGE.match(word.text)
        if match is not None:
            return Invocation("name", match[1], word, words[at + 1 :], folder)
    return None


def _go(words: tuple[Word, ...], folder: str) -> Invocation | None:
    if len(words) < 3 or words[1].text != "run":
        return None
    at = 2
    while at < len(words) and words[at].text.startswith("-"):
        at += 1
    if at < len(words) and (words[at].text.startswith(".") or words[at].text.endswith(".go")):
        while at + 1 < len(words) and words[at + 1].text.endswith(".go"):
            at += 1
        return Invocation("go", words[at].text, words[at], words[at + 1 :], folder)
    return None


class Program(Struct, frozen=True):
    """A program of the repository: the folder whose code it is made of, and its file if it is a single one."""

    name: str
    root: str = ""
    file: str = ""


_OWN: WeakKeyDictionary[World, dict[str, Program]] = WeakKeyDictionary()


BINSTUBS = frozenset("console setup test tests rspec rake rails bundle irb lint build release ci update".split())


def own_programs(world: World) -> dict[str, Program]:
    """The repository's programs by name: console scripts, binaries, packages, roots of command trees."""
    known = _OWN.get(world)
    if known is None:
        known = _OWN[world] = _find_programs(world)
    return known


def stands_aside(path: str, world: World) -> bool:
    """Code for those who work on the repository, unless its folder is the package of the program itself: `bench/` of `bench`."""
    if not is_aside(path) or _is_all_aside(world):
        return False
    folders = path.split("/")[:-1]
    packages = (name for at, name in enumerate(folders, 1) if "/".join((*folders[:at], "__init__.py")) in world.files)
    return not any(name in own_programs(world) for name in packages)


_all_aside: WeakKeyDictionary[World, bool] = WeakKeyDictionary()


def _is_all_aside(world: World) -> bool:
    """The repository is nothing but scripts, all in such folders: `scripts/` of an image is what the image is for."""
    if world not in _all_aside:
        code = (p for p in world.files if language_of(p) not in (*MANIFESTS, SEARCHED, "") and is_own_code(p))
        _all_aside[world] = all(language_of(path) == "shell" and is_aside(path) for path in code)
    return _all_aside[world]


def _find_programs(world: World) -> dict[str, Program]:
    found: dict[str, Program] = {}
    for package in world.index.packages:
        if package.name and is_own_code(package.manifest):
            plain = package_name(package.name) if package.language == "go" else package.name.rpartition("/")[2]
            for name in (plain, plain.replace("_", "-"), plain.replace("-", "_")):
                found.setdefault(name, Program(name, package.root))
    for path, facts in world.index.own_files():
        for command in facts.commands:
            if command.program:
                found.setdefault(command.program, Program(command.program, world.package_of(path).root))
    for directory in world.directories:
        parent, name = posixpath.split(directory)
        if posixpath.basename(parent) == "cmd" and is_own_code(directory + "/x"):
            found.setdefault(name, Program(name, ""))
    for name, scripts in world.index.scripts.items():
        for script in scripts:
            if script.fact.runner == "console" and is_own_code(script.path):
                found[name] = Program(name, posixpath.dirname(script.path))
    return {name: program for name, program in found.items() if name not in UBIQUITOUS_PROGRAMS}


def shipped_programs(world: World) -> frozenset[str]:
    """What a gem or a Composer package installs by its files: `exe/reek` and `bin/phpbench` beside their manifest."""
    manifests = [p for p in world.files if p.endswith((".gemspec", "composer.json")) and is_own_code(p)]
    roots = {posixpath.dirname(path) for path in manifests}
    folders = {posixpath.join(root, folder) for root in roots for folder in ("bin", "exe")}
    found = {posixpath.basename(path) for path in world.files if posixpath.dirname(path) in folders}
    return frozenset(name for name in found if "." not in name and name not in BINSTUBS | UBIQUITOUS_PROGRAMS)


def own_program(kind: str, name: str, folder: str, document: str, world: World) -> Program | None:
    """The repository's program that an invocation runs, None if it is somebody else's."""
    if kind == "module":
        return _own_module(name, world)
    if kind == "file":
        return _own_file(name, folder, document, world)
    if kind in ("cargo", "go"):
        return Program(name or kind, world.package_of(document).root)
    own = own_programs(world)
    return own.get(name) or _own_plugin(name, own, world) or (Program(name) if _runs_ours(name, world) else None)


def _own_plugin(name: str, own: dict[str, Program], world: World) -> Program | None:
    """`kubectl login` and `cargo tool` run what this repository calls `login` and `tool`."""
    host, _, plain = name.partition("-")
    if host not in HOSTS or not plain:
        return None
    if plain in own and host != "git":
        return own[plain]
    manifests = [path for path in _PLUGIN_MANIFESTS if path in world.files] if host == "kubectl" else []
    declared = rf"(?m)^\s+name: {re.escape(plain)}$".encode()
    return Program(name) if any(re.search(declared, world.tree.read(path, 100_000)) for path in manifests) else None


def _runs_ours(name: str, world: World) -> bool:
    """Documents run several of our sub-commands under this name, whatever installs it: an alias, a wrapper."""
    return name not in FOREIGN_PROGRAMS and _are_ours(world.spoken.get(name, set()), world)


def _are_ours(words: set[str], world: World) -> bool:
    """Most of the words are sub-commands of this repository's: three at least, or two of which one is hardly English."""
    ours = {word for word in words if word in world.index.commands} if len(words) > 1 else set[str]()
    joined = any(re.search(r"\w[-_:]\w", word) for word in ours)
    return len(ours) >= (2 if joined else 3) and 2 * len(ours) > len(words)


def _own_module(name: str, world: World) -> Program | None:
    path = name.replace(".", "/")
    for candidate in (f"{path}/__main__.py", f"{path}.py", f"src/{path}/__main__.py", f"src/{path}.py"):
        if candidate in world.files and not is_test(candidate):
            return Program(name, world.package_of(candidate).root)
    top = path.split("/")[0]
    for candidate in world.by_name.get("__main__.py", ()):
        if candidate.endswith(f"/{path}/__main__.py") or candidate == f"{path}/__main__.py":
            return Program(name, world.package_of(candidate).root)
    return Program(name, "") if top in own_programs(world) else None


def _own_file(name: str, folder: str, document: str, world: World) -> Program | None:
    for base in (folder, posixpath.join(posixpath.dirname(document), folder)):
        path = posixpath.normpath(posixpath.join(base, name))
        if path in world.files and not is_foreign(path):
            return Program(name, posixpath.dirname(path), "" if path.endswith("manage.py") else path)
    plain = posixpath.basename(name)
    if plain == name and len(named := [p for p in world.by_name.get(plain, ()) if is_own_code(p)]) == 1:
        return Program(name, "", "" if plain == "manage.py" else named[0])
    return (
        own_programs(world).get(plain)
        if name.startswith(("./", "bin/", "target/", "dist/", "build/")) or "/bin/" in name
        else None
    )


def options_of(program: Program, world: World) -> list[Located[Option]]:
    """The options that a program's parser is seen to take."""
    if program.file:
        facts = world.index.files.get(program.file)
        return [Located(program.file, option) for option in facts.options if not option.literal] if facts else []
    prefix = f"{program.root}/" if program.root else ""
    return [
        Located(path, option) for path, facts in world.index.own_files() if path.startswith(prefix)
        for option in facts.options if not option.literal
    ]  # fmt: skip


def is_readable(program: Program, world: World) -> bool:
    """Everything that a program's parser takes can be read: nothing comes from data, nothing is passed through."""
    prefix = f"{program.root}/" if program.root else ""
    return not any(world.index.is_opaque(subject, prefix) for subject in ("options", PASSTHROUGH))


def belongs_to_example(path: str) -> bool:
    """The document stands among examples: their programs are not the repository's."""
    return is_example(path)
