"""Commands: scripts of manifests, targets, console scripts, modules and sub-commands that the documentation tells one to run."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable
from weakref import WeakKeyDictionary

from docalign_actors.engine.claims import Claim, Judgement, Rule, Why, uncertain, verified
from docalign_actors.engine.documents.model import Document
from docalign_actors.engine.facts import Command, FileFacts, Script
from docalign_actors.engine.index import Located
from docalign_actors.engine.kinds.command import scripts as command_scripts
from docalign_actors.engine.kinds.command.groups import LEAST_COMMANDS, homes
from docalign_actors.engine.kinds.command.startfiles import files_of_others
from docalign_actors.engine.kinds.command.targets import program_of_files
from docalign_actors.engine.kinds.command.text import command_claims
from docalign_actors.engine.kinds.option.kind import OptionKind, find_option
from docalign_actors.engine.kinds.option.text import kind_and_name
from docalign_actors.engine.kinds.shared.filesnow import (
    is_given_by_key,
    is_told_in_code,
    may_take_command,
    present_facts,
    stands_quoted,
)
from docalign_actors.engine.kinds.shared.programs import Program, own_program, own_programs
from docalign_actors.engine.kinds.shared.spellings import identifiers
from docalign_actors.engine.ondemand import read_ahead
from docalign_actors.engine.past import PastFile
from docalign_actors.engine.renames import Named, successor
from docalign_actors.engine.roles import is_example, is_own_code
from docalign_actors.engine.world import World
from docalign_actors.findings.model import Evidence, Fix, Severity, Verdict

_MOST_FOLDERS = 40
_OF_DJANGO = frozenset({"manage.py", "./manage.py", "django-admin"})
_BUILT_IN = frozenset({"help", "version", "completion"})
"""Sub-commands that parsers add by themselves."""
_SURROUNDINGS = frozenset({"tox", "nox"})


class CommandKind:
    """What a reader is told to run can be run."""

    name = "command"
    rules = (
        Rule("unknown-script", "command", "The docs run a script or target that no manifest defines.", Severity.HIGH),
        Rule("unknown-command", "command", "The docs run a program or sub-command that does not exist.", Severity.HIGH),
        Rule("unknown-module", "command", "The docs run a module with `python -m` that does not exist.", Severity.HIGH),
    )
    markers = OptionKind.markers | {"add_command", "add_typer", "Subcommand"}

    def extract(self, document: Document) -> Iterable[Claim]:
        claims = command_claims(document)
        # An example's document speaks of the example's own programs, but of targets that stand beside it.
        return (c for c in claims if c.value == "script") if is_example(document.path) else claims

    def verify(self, claim: Claim, world: World) -> Judgement:
        match claim.value:
            case "script" | "weak":
                return command_scripts.verify(claim, world)
            case "module":
                return _verify_module(claim, world)
            case "program":
                return _verify_program(claim, world)
            case "bare" | "word":
                return _verify_bare(claim, world)
            case _:
                return _verify_sub_command(claim, world)


def _verify_module(claim: Claim, world: World) -> Judgement:
    path = claim.subject.replace(".", "/")
    packages = [f"{package.root}/" for package in world.index.packages if package.root]
    roots = dict.fromkeys(["", "src/", *packages, *(f"{root}src/" for root in packages)])
    places = [f"{root}{path}{end}" for root in roots for end in (".py", "/__main__.py")]
    for place in places:
        if place in world.files:
            return verified(Evidence("module", place))
    for place in places[:24]:
        removal = world.past.removal(place)
        if removal is not None and is_own_code(place):
            new = _module_of(removal.successor) if removal.successor.endswith(".py") else ""
            text = f"moved to {removal.successor}" if removal.successor else "removed"
            return Judgement(
                Verdict.DRIFTED, "unknown-module", f"there is no module `{claim.subject}` to run any more",
                (Evidence(text, place, 0, removal.commit.sha),), 0.97, None, Fix(new, True) if new else None,
            )  # fmt: skip
    return uncertain("the module is not one of this repository's", Why.OF_ANOTHER_PROGRAM)


def _module_of(path: str) -> str:
    plain = path.removeprefix("src/").removesuffix(".py").removesuffix("/__main__")
    return plain.replace("/", ".")


def _verify_program(claim: Claim, world: World) -> Judgement:
    """A console script that went, while its package stayed."""
    name = claim.subject
    for script in world.index.scripts.get(name, ()):
        if script.fact.runner in ("console", "cargo"):
            return verified(Evidence("console script", script.path, script.fact.line))
    if (found := program_of_files(name, world)) is not None:
        return found
    held = world.past.files(name)
    read_ahead((past.facts for past in held), "scripts")
    for past in held:
        then = next((s for s in past.facts.scripts if s.name == name and s.runner == "console"), None)
        current = world.index.files.get(past.path)
        if then is None or current is None:
            continue
        if any(command.program == name for _, facts in world.index.own_files() for command in facts.commands):
            continue
        before: list[Named] = [(s.name, s.command) for s in past.facts.scripts if s.runner == "console"]
        after: list[Named] = [(s.name, s.command) for s in current.scripts if s.runner == "console"]
        if not after and not world.past.differential:
            return uncertain("the package has no programs any more: another package may have this one")
        new = successor(name, before, after)
        return Judgement(
            Verdict.DRIFTED, "unknown-command", f"`{name}` is not a command of this package any more",
            (Evidence("a console script until then", past.path, then.line, past.blob.after),), 0.97, None,
            Fix(*new) if new else None, subject=name,
        )  # fmt: skip
    if world.past.awaits(name) or name not in own_programs(world):
        return uncertain("the program is not one of this repository's", Why.OF_ANOTHER_PROGRAM)
    return verified()


def _verify_sub_command(claim: Claim, world: World) -> Judgement:
    kind, name = kind_and_name(claim.owner)
    program = own_program(kind, name, claim.context, claim.file, world)
    parents = claim.subject.removeprefix(claim.owner).split()[:-1]
    hosted = program is None and bool(parents)
    if hosted:
        # `manage.py tool serve`: ours is a command of somebody else's program.
        program, parents = own_programs(world).get(parents[0]), parents[1:]
    of_django = name in _OF_DJANGO or name.endswith("/manage.py")
    if program is None and of_django and any("/management/commands/" in f"/{path}" for path in world.files):
        # An application has no `manage.py`: its commands are run by that of the reader's project.
        program, hosted = Program(name), True
    if program is None:
        return uncertain(f"`{claim.owner}` is not a program of this repository", Why.OF_ANOTHER_PROGRAM)
    known = _find_command(claim.text, parents, program, world)
    if known is not None:
        return verified(Evidence("sub-command", known.path, known.fact.line))
    if claim.value.startswith("after ") and _takes_value(claim.value[6:], world):
        return uncertain("it may be the value of the flag before it")
    gone = _by_history(claim, program, parents, world)
    if gone is not None or hosted:
        return gone or uncertain("it may be a command of the program that runs ours")
    return _by_neighbours(claim, program, world)


def _takes_value(flag: str, world: World) -> bool:
    known = find_option(flag, world)
    return known is None or known.fact.takes_value is not False


def _find_command(name: str, parents: list[str], program: Program | None, world: World) -> Located[Command] | None:
    root = f"{program.root}/" if program is not None and program.root else ""
    at = homes(parents, world)
    others = files_of_others(program.name, world) if program is not None else frozenset[str]()
    for entry in world.index.commands.get(name, ()):
        at_home = bool(entry.fact.parent) or not at or entry.path in at
        if entry.path in others and entry.fact.program != name:
            continue
        if entry.path.startswith(root) and at_home and _fits(entry.fact, parents, world):
            return entry
    return None


def _fits(command: Command, parents: list[str], world: World) -> bool:
    """A command that is known to hang below another is meant only where that one stands before it, by whichever of its names."""
    if not command.parent:
        return True
    parent = command.parent.split()[-1]
    groups = world.index.commands.get(parent, ())
    return parent in parents or any(alias in parents for group in groups for alias in group.fact.aliases)


_holding: WeakKeyDictionary[World, dict[str, list[PastFile]]] = WeakKeyDictionary()


def _past_files(name: str, world: World) -> list[PastFile]:
    """Earlier versions that hold a command's name. Documents name the same few commands again and again."""
    texts = dict.fromkeys([name, *identifiers(name)[:4]])
    answers = [world.past.files(text) for text in texts]
    known = _holding.setdefault(world, {})
    if name in known:
        return known[name]
    found = {(past.path, past.blob.oid): past for files in answers for past in files}
    spellings = [name, *identifiers(name)]
    holding = [past for past in sorted(found.values(), key=lambda past: past.blob.age) if past.holds(spellings)]
    read_ahead((past.facts for past in holding), "commands")
    if not world.past.awaits(*texts):
        known[name] = holding
    return holding


def _by_history(claim: Claim, program: Program | None, parents: list[str] | None, world: World) -> Judgement | None:
    name = claim.text
    if name in _BUILT_IN:
        return None
    moved = _by_file(claim, parents, world)
    if moved is not None:
        return moved
    folders = {posixpath.dirname(path) for path in homes(parents or [], world)}
    for past in _past_files(name, world):
        then = next((c for c in past.facts.commands if name in (c.name, *c.aliases)), None)
        if folders and posixpath.dirname(past.path) not in folders:
            continue
        if then is None or (parents is not None and not _fits(then, parents, world)) or then.program == name:
            continue
        current = present_facts(past, world)
        if (
            (current is None and program is None)
            or _hides_commands(name, past, current, world)
            or _kept(name, past.facts, current)
        ):
            continue
        new = successor(name, _named(past.facts), _named(current)) if current is not None else None
        fewer = current is not None and len(current.commands) < len(past.facts.commands)
        quoted = fewer and not (new and new[1]) and stands_quoted(name, past.path, world)
        if quoted or is_given_by_key(name, past.path, world):
            continue
        if not (new and new[1]) and may_take_command(
            world, name, _registered(current, past), by_path=not _is_called_so(past.path, name)
        ):
            continue  # code has the very string: another parser, or one that is not read, may compare arguments with it
        if past.path.endswith(".rs") and not (new and new[1]) and _is_a_variant(name, world):
            continue
        of = f" of `{claim.owner}`" if claim.owner else ""
        return Judgement(
            Verdict.DRIFTED, "unknown-command",
            f"`{name}` is not a command{of} any more" + (f": it is `{new[0]}` now" if new and new[1] else ""),
            (Evidence("a command until then", past.path, then.line, past.blob.after),), 0.96, None,
            Fix(*new) if new else None, subject=name,
        )  # fmt: skip
    return None


def _by_file(claim: Claim, parents: list[str] | None, world: World) -> Judgement | None:
    """A command that is named by its file, as Django's and oclif's are: the file beside those of other commands went."""
    name = claim.text
    if world not in _folders:
        _folders[world] = _folders_of_commands(world)
    for (folder, suffix), parent in _folders[world]:
        path = f"{folder}/{name}.{suffix}"
        if path in world.files or (
            parents is not None and parent.split() != parents[-len(parent.split()) :][: len(parent.split())]
        ):
            continue
        removal = world.past.removal(path)
        if removal is not None:
            heir = posixpath.basename(removal.successor).rpartition(".")[0]
            same = posixpath.dirname(removal.successor) == folder and heir != name
            became = f": it is `{heir}` now" if same else ""
            return Judgement(
                Verdict.DRIFTED, "unknown-command", f"`{name}` is not a command any more{became}",
                (Evidence("the file that was the command went", path, 0, removal.commit.sha),), 0.96, None,
                Fix(heir, True) if same else None, subject=name,
            )  # fmt: skip
    return None


def _is_a_variant(name: str, world: World) -> bool:
    """clap makes the values of an option of an enum's variants as it does commands: `non-fungible` of `NonFungible`."""
    variant = "".join(part.capitalize() for part in name.split("-"))
    return "-" in name and is_told_in_code(world, variant)


_folders: WeakKeyDictionary[World, list[tuple[tuple[str, str], str]]] = WeakKeyDictionary()


def _folders_of_commands(world: World) -> list[tuple[tuple[str, str], str]]:
    """The folders of files that are commands, with the files' suffix, and the command that theirs belong to."""
    folders: dict[tuple[str, str], str] = {}
    for name, entries in world.index.commands.items():
        for entry in entries:
            folder, _, file = entry.path.rpartition("/")
            if file.rpartition(".")[0] == name and "/commands" in f"/{folder}" and entry.fact.line == 1:
                folders.setdefault((folder, file.rpartition(".")[2]), entry.fact.parent)
    return list(folders.items())[:_MOST_FOLDERS]


def _kept(name: str, then: FileFacts, now: FileFacts | None) -> bool:
    """The file registers the name as often as it did: it may only hang elsewhere now."""
    counts = [sum(name in (c.name, *c.aliases) for c in facts.commands) for facts in (then, now or FileFacts())]
    return counts[1] >= counts[0]


def _registered(current: FileFacts | None, past: PastFile) -> frozenset[str]:
    """The commands that stood beside it and that the same file registers still."""
    now = {command.name for command in current.commands} if current is not None else set[str]()
    return frozenset(command.name for command in past.facts.commands if command.name in now)


def _is_called_so(path: str, name: str) -> bool:
    """The file or its folder has the name of the command: who takes it in has that for the end of a string."""
    folder, file = posixpath.split(path)
    return name in (posixpath.basename(folder), file.partition(".")[0])


def _hides_commands(name: str, past: PastFile, current: FileFacts | None, world: World) -> bool:
    """The commands are made in a way now that cannot be read, and the name is still in the code."""
    if current is not None and current.commands:
        return "commands" in current.opaque and "commands" not in past.facts.opaque
    return world.index.is_opaque("commands") and world.index.occurs_in_code(name)


def _named(facts: FileFacts) -> list[Named]:
    """Commands with what a rename leaves alone: the parent, and the options that belong to it."""
    found: list[Named] = []
    for command in facts.commands:
        path = f"{command.parent} {command.name}".strip()
        options = tuple(o.names for o in facts.options if o.command == path)
        found.append((command.name, (command.parent, command.aliases if len(command.aliases) == 1 else (), options)))
    return found


def _by_neighbours(claim: Claim, program: Program, world: World) -> Judgement:
    """Closed world: the program's other sub-commands are known, and this is the word that must be one."""
    root = f"{program.root}/" if program.root else ""
    plausible = claim.value == "first" and claim.form == "shell" and not claim.hypothetical
    spoken = {o.text for o in world.neighbours(claim) if o.owner == claim.owner and o.value == "first"}
    known: set[str] = set()
    if plausible and len(spoken) > LEAST_COMMANDS:  # otherwise not worth going through all files
        known = {
            c.name for path, facts in world.index.own_files() if path.startswith(root)
            for c in facts.commands if not c.program and not c.parent
        }  # fmt: skip
    if (
        len(spoken & known) < LEAST_COMMANDS
        or len(spoken - known) != 1
        or any(world.index.is_opaque(s, root) for s in ("commands", "options", "passthrough"))
    ):
        return uncertain("not known as a sub-command, and it may be an argument")
    if world.index.occurs_in_code(claim.text) or any(
        world.index.occurs_in_code(word) for word in identifiers(claim.text)
    ):
        return uncertain("the word occurs in code")
    return Judgement(
        Verdict.DRIFTED, "unknown-command", f"`{claim.text}` is not a command of `{claim.owner}`",
        (Evidence("its commands are " + ", ".join(sorted(known)[:12])),), 0.85, None, None, subject=claim.text,
    )  # fmt: skip


def _verify_bare(claim: Claim, world: World) -> Judgement:
    """`serve` in a list of commands: a sub-command or a script that is there, or that is known to have gone."""
    name = claim.text
    if (known := next(iter(world.index.commands.get(name, ())), None)) is not None:
        return verified(Evidence("command", known.path, known.fact.line))
    if scripts := world.index.scripts.get(name):
        alike = all(map(_is_no_command, scripts))
        gone = _gone_alone(claim, world) if alike else None
        if gone is None and alike and world.past.awaits(name):
            return uncertain("the past may tell of a command of this name")
        return gone or verified(Evidence("command", scripts[0].path, scripts[0].fact.line))
    if "-" in name and name not in world.index.package_names:
        gone = _verify_program(claim, world)
        if gone.verdict is Verdict.DRIFTED and not _is_another(name, claim.file, world):
            return gone
    if claim.value == "word":
        if not world.index.commands:
            return uncertain("there are no sub-commands here")
        return _gone_alone(claim, world) or uncertain("it need not be a command")
    return (
        _gone_alone(claim, world)
        or (uncertain("`.gitignore` names it: a file that is made") if world.is_ignored(name) else None)
        or command_scripts.by_history(claim, world)
        or uncertain("nothing says whose command it is")
    )


def _is_no_command(script: Located[Script]) -> bool:
    """An environment of tox, a session of nox, or an extra of the package."""
    return script.fact.runner in _SURROUNDINGS or script.fact.runner.startswith("extra ")


def _gone_alone(claim: Claim, world: World) -> Judgement | None:
    """What went, unless the document runs another program of this name."""
    gone = _by_history(claim, None, None, world)
    return None if gone is not None and _is_another(claim.text, claim.file, world) else gone


def _is_another(name: str, file: str, world: World) -> bool:
    """The document has a program of this name where systems have theirs: `/usr/sbin/sendmail`."""
    document = world.documents.get(file)
    installed = f"bin/{name}"
    return document is not None and any(
        re.search(rf"/s?{re.escape(installed)}(?![\w-])", block.text)
        for block in document.blocks
        if installed in block.text
    )
