"""Programs that run things by name (npm, make, tox …): which words of their command lines are the names.

A runner with a question mark after its name also runs other things by that word: only the past can say that a name is gone.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Iterator

from docalign_actors.engine.kinds.shared.shell import UNKNOWN_FOLDER, Call, Word

Named = tuple[Word, str, str]
"""(the word, its runner, the folder)"""

_NPM_BUILT_IN = frozenset(
    [
        "install", "i", "ci", "add", "remove", "rm", "uninstall", "update", "upgrade", "up", "outdated", "audit", "publish",
        "pack", "link", "unlink", "login", "logout", "init", "create", "config", "cache", "version", "view", "info", "search",
        "exec", "x", "dlx", "why", "list", "ls", "prune", "rebuild", "doctor", "fund", "set", "get", "help", "import", "store",
        "patch", "workspace", "workspaces", "run", "test", "start", "stop", "restart", "t", "it", "node", "dedupe", "global",
        "bin", "dir", "plugin", "constraints", "whoami", "owner", "team", "tag", "unpublish", "pm", "deploy", "fetch", "root",
        "env", "server", "self", "setup", "policies", "generate-lock-entry", "licenses", "autoclean", "check", "integrity",
        "tsx", "tsc", "build"
    ]
)  # fmt: skip
_COMPOSER_BUILT_IN = frozenset(
    [
        "about", "archive", "audit", "browse", "bump", "check-platform-reqs", "clear-cache", "config", "create-project", "depends",
        "diagnose", "dump-autoload", "dumpautoload", "exec", "fund", "global", "help", "home", "i", "info", "init", "install",
        "licenses", "list", "outdated", "prohibits", "reinstall", "remove", "require", "search", "self-update", "selfupdate",
        "show", "status", "suggests", "u", "update", "upgrade", "validate", "why", "why-not"
    ]
)  # fmt: skip
_LIFECYCLE = {"test": "test", "t": "test", "tst": "test", "start": "start", "stop": "stop", "restart": "restart"}
_VALUE_FLAGS = frozenset(
    [
        "-C", "--directory", "--prefix", "-w", "--workspace", "--filter", "-F", "-f", "--file", "-j", "--jobs", "-p",
        "--project", "--cwd", "--profile", "-t", "--taskfile", "-d", "--justfile", "--working-directory"
    ]
)  # fmt: skip
_ALL_PACKAGES = frozenset(["-ws", "--workspaces", "-r", "--recursive", "-A", "--all"])
"""The script is run in the packages of a workspace."""
_COMPOSE_VERBS = frozenset([
    "up", "run", "exec", "build", "logs", "restart", "stop", "start", "rm", "pull", "push", "kill", "create"
])  # fmt: skip


def _arguments(words: Iterable[Word]) -> tuple[list[Word], str]:
    """Positional arguments up to `--`, and the folder that a flag such as `-C` names; "?" if one names another project."""
    found: list[Word] = []
    folder, skip = "", ""
    for word in words:
        if word.text == "--":
            break
        if skip:
            folder = (
                word.text
                if skip in ("-C", "--directory", "--prefix", "--cwd", "-d", "--working-directory")
                else UNKNOWN_FOLDER
            )
            skip = ""
        elif word.text.startswith("-"):
            name, equals, value = word.text.partition("=")
            if name in _ALL_PACKAGES:
                folder = UNKNOWN_FOLDER
            elif name in _VALUE_FLAGS and name not in ("-j", "--jobs"):
                if equals:
                    folder = value if name in ("--directory", "--prefix", "--cwd") else UNKNOWN_FOLDER
                else:
                    skip = name
        else:
            found.append(word)
    return found, folder


def _in(call: Call, folder: str) -> str:
    if UNKNOWN_FOLDER in (folder, call.folder):
        return UNKNOWN_FOLDER
    return posixpath.normpath(posixpath.join(call.folder, folder)) if folder else call.folder


def _npm(call: Call) -> Iterator[Named]:
    words, folder = _arguments(call.words[1:])
    if not words:
        return
    if words[0].text == "workspace" and len(words) > 2:
        words, folder = words[2:], UNKNOWN_FOLDER
    verb, where = words[0].text, _in(call, folder)
    if verb in ("run", "run-script", "rum") and len(words) > 1:
        yield words[1], "npm", where
    elif verb in _LIFECYCLE and call.program != "bun":
        yield Word(words[0].text, words[0].line, words[0].column), "npm?" if verb != _LIFECYCLE[verb] else "npm", where
    elif (call.program in ("yarn", "pnpm", "bun") and verb not in _NPM_BUILT_IN) or (
        call.program in ("yarn", "pnpm") and verb == "build"
    ):
        yield words[0], "npm?", where


def _every(runner: str) -> Callable[[Call], Iterator[Named]]:
    """A runner that takes any number of targets: `make a b VAR=1`."""

    def read(call: Call) -> Iterator[Named]:
        if any(word.text.startswith(("-f", "--file", "--makefile")) for word in call.words):
            return
        words, folder = _arguments(call.words[1:])
        for word in words:
            if "=" not in word.text:
                yield word, runner, _in(call, folder)

    return read


def _first(runner: str, *verbs: str) -> Callable[[Call], Iterator[Named]]:
    """A runner that takes one name, after a verb if it has any: `just fmt x`, `deno task dev`."""

    def read(call: Call) -> Iterator[Named]:
        words, folder = _arguments(call.words[1:])
        if verbs:
            if not words or words[0].text not in verbs:
                return
            words = words[1:]
        if words and "=" not in words[0].text:
            yield words[0], runner, _in(call, folder)

    return read


def _after_flag(runner: str, *flags: str) -> Callable[[Call], Iterator[Named]]:
    """`tox -e py311,lint`, `nox -s lint tests`: names after a flag; several are cut at commas."""

    def read(call: Call) -> Iterator[Named]:
        taking = False
        for word in call.words[1:]:
            if word.text == "--":
                return
            if word.text.startswith("-"):
                taking = word.text in flags
            elif taking:
                column = word.column
                for name in word.text.split(","):
                    yield Word(name, word.line, column, word.plain), runner, call.folder
                    column += len(name) + 1
                taking = runner == "nox"

    return read


def _compose(call: Call) -> Iterator[Named]:
    words = list(call.words[1:])
    if call.program == "docker":
        if not words or words[0].text != "compose":
            return
        words = words[1:]
    if any(word.text in ("-f", "--file", "--project-directory") for word in words):
        return
    names = [word for word in words if not word.text.startswith("-")]
    if len(names) < 2 or names[0].text not in _COMPOSE_VERBS:
        return
    single = names[0].text in ("run", "exec")
    after = words[words.index(names[0]) + 1 :]
    if any(
        word.text.startswith("-")
        and word.text not in ("-d", "--detach", "--rm", "--build", "-f", "--no-deps", "-it", "-T")
        for word in after
    ):
        return
    for word in names[1:2] if single else names[1:]:
        yield word, "compose", call.folder


def _composer(call: Call) -> Iterator[Named]:
    """`composer run lint`, or `composer lint` where composer has no command of that name."""
    words, folder = _arguments(call.words[1:])
    if words and words[0].text in ("run", "run-script"):
        words = words[1:]
    elif words and words[0].text in _COMPOSER_BUILT_IN:
        return
    if words:
        yield words[0], "composer?", _in(call, folder)


def _rails(call: Call) -> Iterator[Named]:
    """`rails shop:seed`: what Rails has no command for is a task of Rake, and a task of our own has a namespace."""
    words, folder = _arguments(call.words[1:])
    if words and ":" in words[0].text.strip(":") and "=" not in words[0].text:
        yield words[0], "rake?", _in(call, folder)


def _cargo(call: Call) -> Iterator[Named]:
    yield from _after_flag("cargo", "--bin", "--example", "--bench", "--test")(call)


RUNNERS: dict[str, Callable[[Call], Iterator[Named]]] = {
    "npm": _npm, "yarn": _npm, "pnpm": _npm, "bun": _npm, "make": _every("make"), "gmake": _every("make"), "just": _first("just"),
    "task": _every("task"), "go-task": _every("task"), "tox": _after_flag("tox", "-e", "--env"),
    "nox": _after_flag("nox", "-s", "-e", "--session", "--sessions"),
    "poe": _first("poe"), "pdm": _first("pdm?", "run"), "hatch": _first("hatch?", "run"), "rye": _first("rye?", "run"),
    "pipenv": _first("pipenv?", "run"), "invoke": _first("invoke"), "inv": _first("invoke"), "rake": _first("rake?"),
    "rails": _rails,
    "composer": _composer, "docker": _compose, "docker-compose": _compose,
    "turbo": _first("turbo", "run"),
    "deno": _first("deno", "task"), "doit": _first("doit?"), "gradle": _every("gradle?"), "gradlew": _every("gradle?"),
    "cargo": _cargo,
    "lerna": _first("npm?", "run"),
}  # fmt: skip
