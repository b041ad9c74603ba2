"""Mutants of the command line: option, sub-command, script or target."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator

from bench.files import is_own, language_of
from bench.keepers import (
    declares_option,
    is_dependency,
    is_interpreter,
    is_told,
    keeps_target,
    others_program,
)
from bench.manifests import scripts
from bench.mutants import Mutant, Proposal, Repo, honest
from bench.registrations import Edit, Registration, apply

_FOREIGN_COMMAND = re.compile(
    r"(?:^|[\s`$;&|(])(pip3?|docker|docker-compose|git|npm|npx|yarn|pnpm|curl|wget|cargo|go|brew|apt|apt-get|pytest|conda|snap|choco|scoop|winget|openssl|tmux|find|grep|sed|ls"
    r"|kubectl|helm|gcloud|heroku|fly|ssh|sudo|systemctl|make|cmake|rustup|gpg|tar|java|mvn|node|black|ruff|mypy|coverage|sphinx-build|mkdocs)\s"
)
_COMMON_OPTION = frozenset([
    "help", "version", "verbose", "quiet", "debug", "force", "output", "config", "color", "port", "host",
])  # fmt: skip


def option_token(name: str) -> re.Pattern[str]:
    """`--name`, and not a longer option."""
    return re.compile(rf"(?<![\w-])--{re.escape(name)}(?![\w-]|\.\w)")


def options(repo: Repo) -> Iterator[Proposal]:
    """Long options that own code registers and docs name."""
    table: dict[str, list[Registration]] = defaultdict(list)
    for registration in repo.registrations:
        table[registration.name].append(registration)
    for name in sorted(table):
        if len(name) >= 4 and name not in _COMMON_OPTION and re.split(r"\W", name)[0] in repo.docs.code_words:
            yield Proposal("option", f"--{name}", _option(repo, name, table[name]))


def _option(repo: Repo, name: str, found: list[Registration]) -> Callable[[], Mutant | None]:
    def make() -> Mutant | None:
        token = option_token(name)
        new = repo.rename_token(f"--{name}", keep=name.count("."))[2:]
        if new.startswith(name) and language_of(found[0].path) == "python":
            new = f"next-{name}"  # argparse takes the beginning of a name for the whole of it
        stale = repo.docs.stale(token)
        foreign = any(
            _foreign(repo, repo.docs.line((path, line))) or others_program(repo.docs.pages[path], line, repo.commands)
            for path, line in stale
        )
        if not new or foreign:
            return None
        changes = _option_changes(repo, name, new, found, token)
        if all(one.read for one in found) and _still_declared(repo, name, changes):
            return None
        tolerated = repo.docs.all_lines(re.compile(rf"(?<![\w]){re.escape(name)}(?![\w])", re.IGNORECASE))
        language = language_of(found[0].path)
        return honest(
            Mutant("option", language, f"--{name}", f"--{new}", tuple(stale), tuple(tolerated), changes), repo, token
        )

    return make


def _still_declared(repo: Repo, name: str, changes: dict[str, str]) -> bool:
    """Only what reads the option was renamed, and a parser takes it still."""
    own = {path: text for path, text in repo.snapshot.own.items() if language_of(path).endswith("script")}
    if any(True for text in own.values() for _ in _declared(text, name)):
        return False  # it was renamed where it is declared
    return any(declares_option(changes.get(path, text), name) for path, text in own.items())


def _foreign(repo: Repo, line: str) -> bool:
    """The line passes the option to somebody else's program."""
    own = any(re.search(rf"(?<![\w-]){re.escape(command)}(?![\w-])", line) for command in repo.commands)
    return bool(_FOREIGN_COMMAND.search(line)) and not own


def _option_changes(
    repo: Repo, name: str, new: str, found: list[Registration], token: re.Pattern[str]
) -> dict[str, str]:
    edits: dict[str, dict[tuple[int, int], Edit]] = defaultdict(dict)
    for registration in found:
        start, end = registration.literal
        edits[registration.path][start, end] = Edit(start, end, registration.written.format(new))
        if registration.keep:
            edits[registration.path][registration.keep.start, registration.keep.end] = registration.keep
    for path, text in repo.snapshot.code.items():
        for match in token.finditer(text):
            start, end = match.start() + 2, match.end()
            edits[path].setdefault((start, end), Edit(start, end, new))
    scripted = {one.path for one in found if language_of(one.path).endswith("script")}
    if all(one.read for one in found):
        scripted |= {path for path in repo.snapshot.own if language_of(path).endswith("script")}
    for path in sorted(scripted):
        for span in _declared(repo.snapshot.code[path], name):
            edits[path].setdefault(
                span, Edit(*span, new if re.match(r"[\"']", repo.snapshot.code[path][span[1]]) else f'"{new}"')
            )
    if re.search(r"[-.]", name):  # `viper.Get("log-level")`: a name with a hyphen is no common word
        for path in {registration.path for registration in found}:
            for match in re.finditer(rf"(?<=[\"']){re.escape(name)}(?=[\"'])", repo.snapshot.code[path]):
                edits[path].setdefault(match.span(), Edit(*match.span(), new))
    return {path: apply(repo.snapshot.code[path], list(given.values())) for path, given in edits.items()}


def _declared(text: str, name: str) -> Iterator[tuple[int, int]]:
    """Where yargs and its like are told of the option, by its name or as an alias of a letter."""
    word = re.escape(name)
    form = re.compile(
        rf"\.option\(\s*[\"']({word})[\"']|(?m:^\s+[\"']?({word})[\"']?:\s*\{{)"
        rf"|\balias(?:es)?:\s*(?:\[[^\]\n]*?)?[\"']({word})[\"']"
        rf"|\.alias\(\s*[\"'][\w-]+[\"']\s*,\s*(?:\[[^\]\n]*?)?[\"']({word})[\"']"
    )
    yield from (match.span(match.lastindex or 1) for match in form.finditer(text))


_SUBCOMMANDS = (
    ("python", re.compile(r"add_parser\(\s*[\"']([a-z][\w-]+)[\"']")),
    ("python", re.compile(r"@\w+\.(?:command|group)\(\s*(?:name\s*=\s*)?[\"']([a-z][\w-]+)[\"']")),
    ("go", re.compile(r"\bUse:\s*\"([a-z][\w-]+)[ \"]")),
    ("go", re.compile(r"\.Command\(\"([a-z][\w-]+)\",\s*\"")),
    ("go", re.compile(r"cli\.Command\{\s*Name:\s*\"([a-z][\w-]+)\"")),
    ("javascript", re.compile(r"\.command\(\s*['\"]([a-z][\w-]+)[ '\"]")),
    ("javascript", re.compile(r"\bcommand:\s*['\"]([a-z][\w-]+)[ '\"]")),
    ("rust", re.compile(r"(?:Command|App)::new\(\s*\"([a-z][\w-]+)\"\)\s*\.(?:about|arg|subcommand)")),
    ("kotlin", re.compile(r"CliktCommand\((?:[^()]|\([^()]*\))*?\bname\s*=\s*\"([a-z][\w-]+)\"")),
    ("ruby", re.compile(r"(?m)^\s+desc\s+[\"']([a-z][\w-]+)[ \"']")),
    ("php", re.compile(r"#\[AsCommand\((?:\s*name:)?\s*'([a-z][\w:-]+)'|->setName\('([a-z][\w:-]+)'\)")),
    ("csharp", re.compile(r"new (?:Cli)?Command\(\s*\"([a-z][\w-]+)\"")),
    ("python", re.compile(r"@\w*\.?(?:command|subcommand|cli_command)\(\s*(?:name\s*=\s*)?[\"']([a-z][\w-]+)[\"']")),
    ("java", re.compile(r"@(?:CommandLine\.)?Command\((?:[^()]|\([^()]*\))*?\bname\s*=\s*\"([a-z][\w-]+)\"")),
)
_CLICK_BARE = re.compile(r"@(\w+)\.command\(()(\)|cls=)(?:[^\n]*\n)(?:(?:@|\s|\))[^\n]*\n)*?(?:async )?def (\w+)\(")
_CLAP_VARIANT = re.compile(r"(?m)^(    )()([A-Z][a-z]\w*)(?=[ ,({])")


def subcommands(repo: Repo) -> Iterator[Proposal]:
    """Sub-commands of the repository's own programs that docs call."""
    found: dict[str, list[tuple[str, Edit | None, tuple[int, int]]]] = defaultdict(list)
    written: dict[str, str] = {}
    for path, text in sorted(repo.snapshot.own.items()):
        for name, span, form in _registered(path, text):
            if not is_told(path, text, span[0]):
                found[name].append((path, None, span))
                written[name] = form
    for name, places in sorted(found.items()):
        if len(set(places)) == 1 and len(name) >= 3:
            yield Proposal("subcommand", name, _subcommand(repo, name, places[0][0], places[0][2], written[name]))


def _registered(path: str, text: str) -> Iterator[tuple[str, tuple[int, int], str]]:
    language = language_of(path).replace("typescript", "javascript")
    for wanted, pattern in _SUBCOMMANDS:
        if wanted == language:
            yield from ((m.group(m.lastindex or 1), m.span(m.lastindex or 1), "{}") for m in pattern.finditer(text))
    if language == "python" and re.search(r"\b(?:click|typer|cyclopts)\b", text):
        for m in _CLICK_BARE.finditer(text):
            yield m.group(4).replace("_", "-"), m.span(2), '"{}", ' if m.group(3) != ")" else '"{}"'
    if language == "rust" and re.search(r"derive\([^)]*Subcommand", text):
        start = text.index("Subcommand")
        end = text.find("\n}", start)
        for m in _CLAP_VARIANT.finditer(text, start, end):
            yield re.sub(r"(?<!^)(?=[A-Z])", "-", m.group(3)).lower(), m.span(2), '#[command(name = "{}")]\n    '


def called(repo: Repo, name: str) -> re.Pattern[str]:
    """`tool name` or `tool group name`, with options between."""
    tools = "|".join(sorted(map(re.escape, repo.commands)))
    return re.compile(rf"((?<![\w./-])(?:{tools})\s+(?:-\S+\s+)*(?:[a-z][\w-]*\s+)?){re.escape(name)}(?![\w./-])")


def _subcommand(repo: Repo, name: str, path: str, span: tuple[int, int], form: str) -> Callable[[], Mutant | None]:
    def make() -> Mutant | None:
        call = called(repo, name)
        new = repo.rename_token(name)
        stale = [p for p in repo.docs.stale(call) if not _foreign(repo, repo.docs.line(p).split(name)[0])]
        if not new or not stale:
            return None
        text = repo.snapshot.code[path]
        changed = text[: span[0]] + form.format(new) + text[span[1] :]
        changes = {path: call.sub(lambda m: m.group(1) + new, changed)}
        listed = re.compile(rf"(?<=\[)(\s*[\"']){re.escape(name)}(?=[\"'])")
        for other, content in repo.snapshot.code.items():
            if other != path:
                result = call.sub(lambda m: m.group(1) + new, content)
                result = result if is_own(other) else listed.sub(lambda m: m.group(1) + new, result)
                if result != content:
                    changes[other] = result
        tolerated = repo.docs.all_lines(re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", re.IGNORECASE))
        return honest(
            Mutant("subcommand", language_of(path), name, new, tuple(stale), tuple(tolerated), changes), repo, call
        )

    return make


_RUNNERS = {
    "npm": r"(?:npm|yarn|pnpm|bun)(?: run(?:-script)?)?\s+",
    "make": r"make\s+(?:-\S+\s+)*(?:[A-Z_]+=\S+\s+)*",
    "just": r"just\s+",
    "tox": r"tox\s+(?:run\s+|r\s+)?-e(?:nv)?[ =]?",
    "nox": r"nox\s+-s\s*",
    "poe": r"poe\s+",
    "pdm": r"pdm run\s+",
    "hatch": r"hatch run\s+(?:[\w-]+:)?",
}


_BUILT_IN = frozenset(["run", "install", "ci", "add", "exec", "publish", "pack", "link", "init", "version"])
"""`npm run build` does not call a script `run`."""


def targets(repo: Repo) -> Iterator[Proposal]:
    """Scripts and targets that docs tell the reader to run."""
    table: dict[tuple[str, str], list[str]] = defaultdict(list)
    for runner, name, path in scripts(repo.snapshot):
        table[runner, name].append(path)
    for (runner, name), paths in sorted(table.items()):
        own = runner != "npm" or is_own(paths[0])
        if len(set(paths)) == 1 and own and runner not in repo.commands and name not in _BUILT_IN:
            yield Proposal("script", f"{runner} {name}", _target(repo, runner, name, paths[0]))


def _target(repo: Repo, runner: str, name: str, path: str) -> Callable[[], Mutant | None]:
    def make() -> Mutant | None:
        call = re.compile(rf"((?<![\w./-]){_RUNNERS[runner]}){re.escape(name)}(?![\w.:/-])")
        new = repo.rename(name) if runner == "nox" else repo.rename_token(name)
        stale = [p for p in repo.docs.stale(call) if not _runs_a_program(repo, runner, name, path, repo.docs.line(p))]
        if not new or not stale or (runner == "make" and keeps_target(repo.snapshot, name)):
            return None
        if (runner == "tox" and is_interpreter(name)) or (runner == "nox" and not new.isidentifier()):
            return None
        changes = {}
        for other, content in repo.snapshot.code.items():
            result = call.sub(lambda m: m.group(1) + new, content)
            if other == path:
                result = _redefined(runner, result, name, new)
            if result != content:
                changes[other] = result
        if path not in changes:
            return None
        tolerated = repo.docs.all_lines(re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", re.IGNORECASE))
        old, fresh = f"{runner} {name}", f"{runner} {new}"
        return honest(
            Mutant("script", repo.snapshot.language, old, fresh, tuple(stale), tuple(tolerated), changes), repo, call
        )

    return make


def _runs_a_program(repo: Repo, runner: str, name: str, manifest: str, line: str) -> bool:
    """Without the script, the same line runs the program of a dependency."""
    if runner not in ("npm", "pdm", "hatch") or (runner == "npm" and re.search(rf"npm |run(?:-script)? {name}", line)):
        return False
    return is_dependency(repo.snapshot, manifest, name)


_ENV_LISTS = re.compile(r"(?m)^\s*(?:env_?list|depends)\s*=\s*(?:\[[^\]]*\]|[^\n]*(?:\n[ \t]+[^\n]*)*)")


def _redefined(runner: str, text: str, name: str, new: str) -> str:
    """The manifest with the script or target under its new name."""
    word = re.escape(name)
    if runner in ("make", "just"):
        token = re.compile(rf"(?<![\w.$(/-]){word}(?![\w./=-])")
        rule = re.compile(
            r"^(\.PHONY|@?[A-Za-z][\w. %-]*:(?!=))"
            if runner == "make"
            else rf"^@?{word}\b|:(?!=)[^=]*\b{word}\b|\bjust {word}"
        )
        return "\n".join(
            token.sub(new, line) if rule.match(line) or (runner == "just" and rule.search(line)) else line
            for line in text.split("\n")
        )
    if runner == "npm":
        return re.sub(rf"\"{word}\"(?=\s*:\s*\")", f'"{new}"', text, count=1)
    if runner == "nox":
        text = re.sub(rf"(?m)^def {word}\(", f"def {new}(", text)
        named = re.compile(r"(?:options\.sessions\s*=\s*\[[^\]]*\]|notify\([^)\n]*\))")
        return named.sub(lambda m: re.sub(rf"(?<=[\"']){word}(?=[\"'])", new, m.group()), text)
    if runner == "tox":
        text = re.sub(rf"(?<=\[testenv:){word}(?=\])|(?<=env\.){word}(?=\])", new, text)
        return _ENV_LISTS.sub(lambda m: re.sub(rf"(?<![\w.-]){word}(?![\w.-])", new, m.group()), text)
    return re.sub(rf"(?m)^(\s*\"?){word}(?=\"?\s*=)|(?<=tasks\.){word}(?=\])", lambda m: (m.group(1) or "") + new, text)
