"""Sub-commands and options that own code declared until a moment ago, in languages whose declarations no collector reads.

How Thor, Symfony's console, System.CommandLine, getopt or Swift's ArgumentParser declare one is plain on a single line, and so
is what stands on that line now. A program whose sub-commands are files (`libexec/tool-list`) declares them by their names.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple
from weakref import WeakKeyDictionary

from docalign_actors.engine.claims import NOWHERE, Judgement, Why
from docalign_actors.engine.code.options.common import UBIQUITOUS_PROGRAMS
from docalign_actors.engine.code.reader import SOURCE_LIMIT, language_of
from docalign_actors.engine.kinds.shared.programs import BINSTUBS, HOSTS, own_programs, shipped_programs
from docalign_actors.engine.lost.lines import LONGEST_LINE, MOST_SEARCHED, Edit, alike_languages
from docalign_actors.engine.lost.still import still_written
from docalign_actors.engine.ports import History
from docalign_actors.engine.roles import is_own_code
from docalign_actors.engine.world import World
from docalign_actors.findings.model import Evidence, Fix, Verdict

_NAME = r"(?P<text>[A-Za-z][\w-]{1,60})"
_OPTIONS = {
    "ruby": (
        r"^\s*(?:method_option|class_option|option)[\s(]+:" + _NAME,
        r"\.on\b[^#]{0,60}?[\"']--(?:\[no-\])?" + _NAME,
    ),
    "php": (
        r"->addOption\(\s*['\"]" + _NAME + r"['\"]",
        r"(?:^\s*\[|\bnew InputOption\()\s*['\"]" + _NAME + r"['\"],\s*(?:['\"]\w*['\"]|null),\s*InputOption::",
        r"\{--(?:\w\|)?" + _NAME,
    ),
    "csharp": (
        r"\bnew (?:Cli)?Option(?:<[^<>()]{1,60}>)?\(\s*(?:name:\s*)?\"-{1,2}" + _NAME,
        r"\[(?:Cli)?Option\((?:'\w',\s*)?\"(?:-\w\|)?(?:--)?" + _NAME + r"[\"| ]",
        r"\[CommandOption\(\"(?:-\w\|)?--" + _NAME,
    ),
    "c": (r"\{\s*\"" + _NAME + r"\",\s*(?:\w*(?:arg|ARG|required|REQUIRED|optional|OPTIONAL)\w*|[012])\s*,",),
    "cpp": (
        r"\{\s*\"" + _NAME + r"\",\s*(?:\w*(?:arg|ARG|required|REQUIRED|optional|OPTIONAL)\w*|[012])\s*,",
        r"\badd_(?:option|flag)\w*\(\s*\"(?:-\w,)?--" + _NAME,
        r"\(\"(?:\w,\s?)?" + _NAME + r"(?:,\w)?\",\s*(?:\"|\w+::value)",
    ),
    "swift": (r"\.customLong\(\"" + _NAME + r"\"", r"@(?:Option|Flag)\b.{0,200}\bvar " + _NAME + r"\b"),
    "kotlin": (r"\boption\([^)\"]{0,20}(?:\"-\w\",\s*)?\"--" + _NAME, r"\bval " + _NAME + r"\b[^=]{0,60}\bby option\("),
    "shell": (r"^\s*\(?(?:-\w\s*\|\s*)?--" + _NAME + r"(?:=\*|=)?(?:\s*\|[^()]{0,60})?\)",),
}
_CASES = r"^\s*(?:case|when)\s+[\"']" + _NAME + r"[\"']"
_COMPARED = (
    r"\b(?:(?:argv(?:\._)?|[aA]rgs|_|positionals?)\[[012]\]|(?:sub_?)?(?:command|cmd)(?:_?[nN]ame)?)\s*={2,3}\s*[\"']"
    + _NAME + r"[\"']",
    _CASES,
)  # fmt: skip
"""What a program compares its first argument with: `argv._[0] === "init"`, `os.Args[1] == "init"`, `command == "init"`; or
the cases of it, below `switch (command)`."""
_DISPATCHES = re.compile(
    r"^\s*(?:switch|case|match)\b.{0,80}\b(?:(?:sub_?)?(?:command|cmd)(?:_?name)?|[aA]rgs|argv|ARGV)\b"
)
_FAR_ABOVE = 80
_COMMANDS = {
    "ruby": (
        r"^\s*desc\s*\(?(?:[\"']|:)" + _NAME + r"(?=[\"', ])",
        r"^\s*(?:sub_?)?(?:command|cmd)\s*\(?:" + _NAME + r"\b",
        r"\bregister\s*\(?[\"']" + _NAME + r"[\"'],",
        *_COMPARED,
    ),
    "php": (r"\bsetName\(['\"]" + _NAME + r"['\"]\)", r"#\[AsCommand\(\s*(?:name:\s*)?['\"]" + _NAME + r"['\"]"),
    "csharp": (
        r"\bnew (?:Cli)?Command\(\s*(?:name:\s*)?\"" + _NAME + r"\"",
        r"^\s*name:\s*\"" + _NAME + r"\",?\s*$",
        r"\[(?:Verb|Command)\(\"" + _NAME + r"\"",
        r"\bAddCommand<[\w.]{1,80}>\(\"" + _NAME + r"\"",
    ),
    "cpp": (r"\badd_subcommand\(\s*\"" + _NAME + r"\"",),
    "swift": (r"\bcommandName:\s*\"" + _NAME + r"\"",),
    "kotlin": (
        r"CliktCommand\([^)]{0,80}\bname\s*=\s*\"" + _NAME + r"\"", r"@Command\([^)]{0,80}\bname\s*=\s*\"" + _NAME + r"\"",
    ),
    "javascript": _COMPARED,
    "typescript": _COMPARED,
    "python": _COMPARED,
    "go": _COMPARED,
    "java": _COMPARED,
    "shell": (
        r"^\s{0,12}\(?" + _NAME + r"(?:\s*\|\s*[\w-]{1,40})*\)\s*(?:$|[\w;\"$#])",
        r"^\s{0,12}[|(]?\s?[\"']" + _NAME + r"[\"']\s*(?:[|)]|\\$)",
    ),
}  # fmt: skip
_OPENS_COMMAND = re.compile(r"\bCommand\(\s*$")
_CASE = re.compile(r"^\s*case\s+[\"']?\$", re.MULTILINE)
_ATTRIBUTE = re.compile(r"@(?:Option|Flag)\b")
_HEIR = re.compile(r"[\w:./{}<>$~%=*-]{2,200}")
_END = re.compile(r"[/:.][\w{}<>:$=*-]{2,60}$")
"""The last part of a text of several."""
_VARIABLE = re.compile(r"^\s*(?:(?:public|private|internal)\s+)?var " + _NAME + r"\b")
_GRADLE = re.compile(
    r"""(?m)(?:^\s*include\b[^\n]{0,200}?[\"':]|^rootProject\.name\s*=\s*[\"'])([A-Za-z][\w-]{2,60})[\"']"""
)
"""The modules of a build: each may be a program, called by its archive."""
_BUILT = {
    ".csproj": re.compile(r"<(?:ToolCommandName|AssemblyName)>([\w.-]{1,60})</"),
    "CMakeLists.txt": re.compile(r"\badd_executable\(\s*([A-Za-z][\w.-]{1,60})\b"),
    "settings.gradle": _GRADLE,
    "settings.gradle.kts": _GRADLE,
    "Package.swift": re.compile(r"\.executable(?:Target)?\(\s*name:\s*\"([\w.-]{1,60})\""),
}
_HOSTS = (*HOSTS, "dotnet", "gh", "helm")
"""Programs that call `host-name` when they are told `host name`."""
_BIN = frozenset(("bin", "exe", "sbin", ""))
_GENERATOR = re.compile(
    r"(?:[\w.-]+/){0,8}lib/(?:rails/)?generators/(?P<folders>[a-z]\w*(?:/[a-z]\w*){0,3})/(?P<name>[a-z]\w*)_generator\.rb"
)
_OF_A_FOLDER = re.compile(r"(?:^|/)(?:sub_?)?commands?/(?P<name>[A-Za-z][\w-]{2,40})\.[a-z]{1,4}$")
_COMMAND_NAME = re.compile(r"[a-z][a-z0-9-]{3,40}")
_MOST_PROGRAMS = 12
_MOST_RIVALS = 200
_LONGEST_COMPARED = 200
_MOST = 60
_LONGEST_BLOCK = 20_000


class Declared(NamedTuple):
    """A name that a line declared, what stands in its place, and where."""

    old: str
    new: str
    edit: Edit


def lost_options(edits: Sequence[Edit], world: World) -> dict[str, Judgement]:
    """Options by their flags, each with what it is called now."""
    found = {}
    for one in _still_missing(_changed(edits, _OPTIONS), _OPTIONS, world):
        old, new = _flag(one.old, one.edit.blob.path), _flag(one.new, one.edit.blob.path)
        found[old] = gone(old, new, one.edit)
    return found


def lost_commands(edits: Sequence[Edit], world: World) -> dict[str, Judgement]:
    """Sub-commands, each with the program before it."""
    declared = _still_missing(
        _changed([e for e in edits if _has_commands(e)], _COMMANDS, commands=True), _COMMANDS, world
    )
    programs = sorted(programs_of(world)) if declared else []
    found: dict[str, Judgement] = {}
    for one in declared:
        shell = language_of(one.edit.blob.path) not in _COMMANDS or one.edit.blob.path.endswith((".sh", ".bash"))
        script = posixpath.basename(one.edit.blob.path)
        own = list(dict.fromkeys((script.partition(".")[0], script))) if shell else programs
        for program in own:
            old = f"{program} {one.old}"
            found.setdefault(old, gone(old, f"{program} {one.new}", one.edit))
    return found


_programs: WeakKeyDictionary[World, frozenset[str]] = WeakKeyDictionary()


def programs_of(world: World) -> frozenset[str]:
    """The programs that the repository makes, also in languages whose manifests no collector reads."""
    if world not in _programs:
        _programs[world] = _find_programs(world)
    return _programs[world]


def _find_programs(world: World) -> frozenset[str]:
    found = {*own_programs(world), *shipped_programs(world)}
    for path in world.files:
        folder, _, name = path.rpartition("/")
        named = folder in _BIN and "." not in name and name not in BINSTUBS | UBIQUITOUS_PROGRAMS
        if named and (folder or _is_script(path, world)):
            found.add(name)  # a launcher: `bin/tool`, whatever it starts
        suffix = next((suffix for suffix in _BUILT if path.endswith(suffix)), "")
        if suffix and is_own_code(path):
            text = world.tree.read(path, SOURCE_LIMIT).decode("utf-8", "replace")
            found.update(match[1] for match in _BUILT[suffix].finditer(text))
            if suffix == ".csproj":
                found.add(posixpath.basename(path).removesuffix(suffix))
    called = {f"{host} {name[len(host) + 1 :]}" for name in found for host in _HOSTS if name.startswith(f"{host}-")}
    return frozenset(found | called)


def _is_script(path: str, world: World) -> bool:
    """A program that lies at the root of its repository, as its first line tells."""
    return path.islower() and world.tree.read(path, SOURCE_LIMIT)[:2] == b"#!"


def own_names(world: World) -> frozenset[str]:
    """What the repository's programs and packages are called: `tool.yml` is a file that only `tool` looks for."""
    packages = (re.split(r"[/@]", name)[-1] for name in world.index.package_names)
    return frozenset(name.lower() for name in (*programs_of(world), *packages) if len(name) > 2)


def gone(old: str, new: str, edit: Edit) -> Judgement:
    """The judgement on a text that own code does not have any more."""
    return _told(old, new, edit.blob.path, edit.blob.after)


def _told(old: str, new: str, path: str, commit: str) -> Judgement:
    rule = {"/": "unknown-route", "-": "unknown-option"}.get(
        old[0], "unknown-command" if " " in old else "missing-symbol"
    )
    now = f", where `{new}` stands now" if new else ""
    evidence = Evidence(f"it stood here until then{now}", path, 0, commit)
    message = f"`{old}` {NOWHERE}" + (f": it is `{new}` now" if new else "")
    fix = Fix(new, True) if new else None
    return Judgement(Verdict.DRIFTED, rule, message, (evidence,), 0.85, fix=fix, subject=old, why=Why.WORD_GONE)


def successor(line: str, match: re.Match[str], come: Sequence[str]) -> str:
    """The one string that stands in its place on a line that is the same but for it."""
    before, after = line[: match.start("text")], line[match.end("text") :]
    heirs = {
        heir
        for other in come
        if other.startswith(before) and other.endswith(after) and len(other) > len(before) + len(after)
        if _HEIR.fullmatch(heir := other[len(before) : len(other) - len(after)])
    }
    if match["text"] in heirs:
        return ""
    # Where all routes of a file got the same prefix, many lines are alike: the one that ends as the old one did took its place.
    if len(heirs) > 1 and (end := _END.search(match["text"])) is not None:
        heirs = {heir for heir in heirs if heir.endswith(end.group())}
    return heirs.pop() if len(heirs) == 1 else ""


def is_likest(line: str, match: re.Match[str], new: str, gone: Sequence[str]) -> bool:
    """Of several lines that were alike and went, this one is most like the one that came: the others have no successor."""
    before, after = line[: match.start("text")], line[match.end("text") :]
    alike = (
        other for other in gone[:_MOST_RIVALS] if other != line and other.startswith(before) and other.endswith(after)
    )
    rivals = [other[len(before) : len(other) - len(after)] for other in alike]
    return not rivals or _likeness(new, match["text"]) >= max(_likeness(new, rival) for rival in rivals)


def _likeness(one: str, other: str) -> float:
    return SequenceMatcher(None, one[:_LONGEST_COMPARED], other[:_LONGEST_COMPARED]).ratio()


def _language(path: str) -> str:
    """The language of declarations; a file without a suffix is taken for a shell's script."""
    return language_of(path) if "." in posixpath.basename(path) else "shell"


def _has_commands(edit: Edit) -> bool:
    """What the patterns would see anywhere must be declared in a file that speaks of commands."""
    words = {"ruby": "Thor", "shell": "case "}.get(_language(edit.blob.path), "ommand")
    words = "" if _COMMANDS.get(_language(edit.blob.path)) is _COMPARED else words
    return any(words in line or (words == "Thor" and "ommand" in line) for line in edit.before)


def _changed(edits: Sequence[Edit], declares: dict[str, tuple[str, ...]], commands: bool = False) -> Iterator[Declared]:
    count = 0
    for edit in edits:
        language = _language(edit.blob.path)
        patterns = [re.compile(pattern) for pattern in declares.get(language, ())] if edit.come else []
        if language == "shell" and not _CASE.search("\n".join(edit.before)):
            continue
        for number, line in edit.numbered if patterns else ():
            for match in _declarations(line, number, edit, patterns, commands):
                new = successor(line, match, edit.come)
                if new and count < _MOST:
                    count += 1
                    yield Declared(match["text"], new, edit)


def _declarations(
    line: str, number: int, edit: Edit, patterns: Sequence[re.Pattern[str]], commands: bool
) -> Iterator[re.Match[str]]:
    for pattern in patterns:
        match = pattern.search(line)
        if match is None or (pattern.pattern == _CASES and not _is_dispatched(number, edit)):
            continue
        alone = line.lstrip().startswith("name:")
        if not alone or _OPENS_COMMAND.search("\n".join(edit.before[max(0, number - 2) : number])):
            yield match
    if not commands and edit.blob.path.endswith(".swift"):
        match = _VARIABLE.match(line)
        above = edit.before[max(0, number - 8) : number]
        since = next((n for n, text in enumerate(reversed(above)) if _VARIABLE.match(text)), len(above))
        if match is not None and any(_ATTRIBUTE.search(text) for text in above[len(above) - since :]):
            yield match


def _is_dispatched(number: int, edit: Edit) -> bool:
    """The case belongs to what is done for each command."""
    above = edit.before[max(0, number - _FAR_ABOVE) : number]
    margin = len(edit.before[number]) - len(edit.before[number].lstrip())
    heads = (line for line in reversed(above) if len(line) - len(line.lstrip()) <= margin)
    return any(_DISPATCHES.match(line[:LONGEST_LINE]) for line in heads)


def _still_missing(declared: Iterator[Declared], declares: dict[str, tuple[str, ...]], world: World) -> list[Declared]:
    """Those that no file declares any more."""
    found = list(declared)
    if not found:
        return []
    kept: set[tuple[str, str]] = set()
    for language in {_language(one.edit.blob.path) for one in found}:
        names = {one.old for one in found if _language(one.edit.blob.path) == language}
        alike = alike_languages(next(one.edit.blob.path for one in found if _language(one.edit.blob.path) == language))
        paths = [p for p in world.files if (language_of(p) in alike or _language(p) == language) and is_own_code(p)]
        if len(paths) > MOST_SEARCHED:
            return []
        patterns = [re.compile(pattern) for pattern in declares[language]]
        for path in paths:
            text = world.tree.read(path, SOURCE_LIMIT).decode("utf-8", "replace")
            for line in text.split("\n") if any(name in text for name in names) else ():
                matches = (pattern.search(line[:LONGEST_LINE]) for pattern in patterns)
                kept.update((language, match["text"]) for match in matches if match is not None)
    return [one for one in found if (_language(one.edit.blob.path), one.old) not in kept]


def _flag(name: str, path: str) -> str:
    if path.endswith((".swift", ".kt", ".kts")):
        name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", name).lower()
    return "--" + (name.replace("_", "-") if path.endswith(".rb") else name)


def lost_files(world: World, history: History) -> dict[str, Judgement]:
    """`tool list` when `libexec/tool-list` is not there any more, beside others of the kind, and `bin/tool` is."""
    asked: dict[str, str] = {}
    for program, folder in _families(world):
        called = re.compile(rf"(?<![\w./-]){re.escape(program)} ([a-z][\w-]{{1,40}})(?![\w./-])")
        for document in world.documents.values() if program not in UBIQUITOUS_PROGRAMS else ():
            for block in document.blocks if not document.history else ():
                for name in called.findall(block.text[:_LONGEST_BLOCK]) if program in block.text else ():
                    if f"{program}-{name}" not in world.by_name:
                        asked[f"{folder}/{program}-{name}".lstrip("/")] = f"{program} {name}"
    found: dict[str, Judgement] = {}
    for path, removal in history.removed(list(asked)[:_MOST]).items() if asked else ():
        if removal.recent:
            program = asked[path].partition(" ")[0]
            heir = posixpath.basename(removal.successor)
            new = f"{program} {heir[len(program) + 1 :]}" if heir.startswith(program + "-") else ""
            found[asked[path]] = _told(asked[path], new, path, removal.commit.sha)
    return found | _lost_by_convention(world, history)


def _lost_by_convention(world: World, history: History) -> dict[str, Judgement]:
    """What another program runs by a file's place, when the file went: `git sweep` of `bin/git-sweep`, and what Rails calls
    `shop:install` of `lib/generators/shop/install_generator.rb`."""
    went = {path: name for path in history.lately_removed() if (name := _by_convention(path))}
    went = {path: name for path, name in went.items() if posixpath.basename(path) not in world.by_name}
    found: dict[str, Judgement] = {}
    for path, removal in history.removed(list(went)[:_MOST]).items() if went else ():
        found[went[path]] = _told(went[path], _by_convention(removal.successor), path, removal.commit.sha)
    return found | _lost_of_folders(world, history)


def _lost_of_folders(world: World, history: History) -> dict[str, Judgement]:
    """`tool keygen` when `subcommands/keygen.rb` went, and with it the word from the code: a file for each command."""
    went = {path: match["name"] for path in history.lately_removed() if (match := _OF_A_FOLDER.search(path))}
    words = {name for name in went.values() if _COMMAND_NAME.fullmatch(name)} if len(went) <= _MOST else set()
    words -= still_written(words, world) if words else set()
    programs = sorted(programs_of(world))[:_MOST_PROGRAMS] if words else []
    asked = [path for path, name in went.items() if name in words]
    found: dict[str, Judgement] = {}
    for path, removal in history.removed(asked).items() if asked else ():
        heir = _OF_A_FOLDER.search(removal.successor)
        for program in programs:
            new = f"{program} {heir['name']}" if heir is not None else ""
            found[f"{program} {went[path]}"] = _told(f"{program} {went[path]}", new, path, removal.commit.sha)
    return found


def _by_convention(path: str) -> str:
    """What a file is run as, "" if no convention tells."""
    folder, _, name = path.rpartition("/")
    host, _, rest = name.partition("-")
    if rest and "." not in name and host in _HOSTS and posixpath.basename(folder) in _BIN - {""}:
        return f"{host} {rest}"
    generator = _GENERATOR.fullmatch(path)
    if generator is None:
        return ""
    *outer, inner = generator["folders"].split("/")
    return ":".join((*outer, inner) if outer and inner == generator["name"] else (*outer, inner, generator["name"]))


def _families(world: World) -> Iterator[tuple[str, str]]:
    """(program, folder) of programs whose sub-commands are files: `bin/tool`, `libexec/tool-a`, `libexec/tool-b`."""
    families: set[tuple[str, str]] = set()
    for path in world.files:
        folder, _, name = path.rpartition("/")
        if "-" in name and "." not in name and not name.startswith("-"):
            families.add((name.partition("-")[0], folder))
    for program, folder in sorted(families):
        places = world.by_name.get(program, ())
        if any(posixpath.basename(posixpath.dirname(p)) in _BIN and p in world.files for p in places):
            yield program, folder
