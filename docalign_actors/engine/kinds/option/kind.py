"""Command-line options: flags that the documentation names, against what the repository's own parsers take."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from docalign_actors.engine.claims import Claim, Judgement, Rule, Why, uncertain, verified
from docalign_actors.engine.documents.model import Document
from docalign_actors.engine.facts import FileFacts, Option
from docalign_actors.engine.index import Located
from docalign_actors.engine.kinds.option.text import kind_and_name, option_claims
from docalign_actors.engine.kinds.shared.filesnow import is_quoted_in_code, is_told_in_code, present_facts
from docalign_actors.engine.kinds.shared.programs import Program, is_readable, options_of, own_program, own_programs
from docalign_actors.engine.kinds.shared.spellings import identifiers
from docalign_actors.engine.ondemand import read_ahead
from docalign_actors.engine.past import PastFile
from docalign_actors.engine.renames import Named, successor
from docalign_actors.engine.roles import is_example
from docalign_actors.engine.world import World
from docalign_actors.findings.model import Evidence, Fix, Severity, Verdict

_BUILT_IN = frozenset(
    {"--help", "--version", "-h", "-V", "-v", "--completion", "--install-completion", "--show-completion"}
)
_BUILT_IN_STARTS = (
    "--help-",
    "--completion-",
    "--generate-completion",
    "--generate-bash-completion",
    "--generate-shell-completion",
    "--install-completion",
    "--show-completion",
    "--version-",
)
_DJANGO = frozenset(
    {"--settings", "--pythonpath", "--verbosity", "--traceback", "--no-color", "--force-color", "--skip-checks"}
)
_OWNED_FORMS = frozenset({"shell", "command"})
_UNGROUPED = _OWNED_FORMS | {"passing"}
_WORD_BEHIND_DASH = re.compile(r"-[A-Za-z][A-Za-z][\w-]*")
_LEAST_OPTIONS = 3
_LEAST_NEIGHBOURS = 2
_SHARE = 0.6


class OptionKind:
    """`--dry-run` is an option of our program, or it is not."""

    name = "option"
    rules = (
        Rule("unknown-option", "option", "The docs name an option that the program does not take.", Severity.HIGH),
    )
    markers = frozenset(
        [
            "argparse", "optparse", "getopt", "click", "typer", "cyclopts", "docopt", "absl", "fire", "add_argument",
            "add_option", "addoption", "add_parser", "BaseCommand", "commander", "yargs", "oclif", "meow", "minimist", "mri",
            "parseArgs", "cac", "citty", "clipanion", "optimist", "sade", "pflag", "cobra", "urfave", "kingpin", "kong", "flag",
            "ffcli", "go_flags", "clap", "structopt", "StructOpt", "lexopt", "pico_args", "argh", "bpaf", "getopts", "picocli",
            "jcommander", "args4j", "joptsimple", "addOption", "longOpt"
        ]
    )  # fmt: skip

    def extract(self, document: Document) -> Iterable[Claim]:
        claims = option_claims(document)
        if not is_example(document.path):
            return claims
        # The document of an example speaks of its own programs, and where it calls ours, only the past can convict it.
        return (replace(claim, hypothetical=True) for claim in claims if claim.form in _OWNED_FORMS)

    def verify(self, claim: Claim, world: World) -> Judgement:
        program: Program | None = None
        hosted = False
        if claim.form in _OWNED_FORMS:
            kind, name = kind_and_name(claim.owner)
            program = own_program(kind, name, claim.context, claim.file, world)
            if program is None:
                # `celery flower --port`: ours is the first argument of a program that takes plug-ins.
                program, hosted = _hosted_program(claim, world), True
            if program is None:
                return uncertain(f"`{claim.owner}` is not a program of this repository", Why.OF_ANOTHER_PROGRAM)
        now = find_option(claim.subject, world)
        if now is not None and not self._was_its_own(claim, program, now, world):
            return verified(Evidence("option", now.path, now.fact.line))
        if claim.subject in _BUILT_IN or claim.subject.startswith(_BUILT_IN_STARTS) or _is_of_django(claim, world):
            return uncertain("parsers take it by themselves")
        gone = self._by_history(claim, program, world)
        if gone is not None or hosted:
            return gone or uncertain("it may be an option of the program that runs ours")
        if claim.subject == "--no-help":
            return uncertain("parsers may take it by themselves")
        return self._by_neighbours(claim, program, world)

    def _was_its_own(self, claim: Claim, program: Program | None, now: Located[Option], world: World) -> bool:
        """`--no-cmd` beside `--cmd`, `--dry_run` beside `--dry-run`: an option of its own until it was renamed."""
        if claim.subject in now.fact.names:
            return False
        if not claim.subject.startswith("--no-"):
            return any(
                (past.is_fresh or world.past.differential) and _registered(claim.subject, past.facts) is not None
                for past in _past_files(claim.subject, world)
            )
        gone = self._by_history(claim, program, world)
        if claim.subject.lstrip("-") in world.past.open_texts:
            return True  # to be asked again when the past has answered
        return gone is not None and gone.fix is not None and gone.fix.safe

    def _by_history(self, claim: Claim, program: Program | None, world: World) -> Judgement | None:
        """It was registered, and is not any more."""
        for past in _past_files(claim.subject, world):
            then = _registered(claim.subject, past.facts)
            if then is None or not _speaks_of(claim, program, past, world):
                continue
            # One letter, no program beside it, and gone for long: it may be any tool's.
            if program is None and len(claim.subject) == 2 and not past.is_fresh and not world.past.differential:
                continue
            current = present_facts(past, world)
            if current is not None and "options" in current.opaque and "options" not in past.facts.opaque:
                return None
            if not (past.is_fresh or world.past.differential) and _is_doubtful(claim, then, past, current, world):
                return None
            if current is None and not world.past.differential and _is_still_named(claim.subject, world):
                return (
                    None  # its file went, and a string has the name: it is taken elsewhere, in a way that is not read
                )
            new = successor(claim.subject, _named(past.facts), _named(current)) if current is not None else None
            if program is None and _names_other(claim, world) and not (new and new[1]):
                return None  # what an older version would say of it tells less
            return _drifted(
                claim, program, Evidence("an option until then", past.path, then.line, past.blob.after),
                Fix(new[0], new[1]) if new else None, 0.97, gone=True,
            )  # fmt: skip
        return None

    def _by_neighbours(self, claim: Claim, program: Program | None, world: World) -> Judgement:
        """Closed world: the program's parser is read in full and does not take it."""
        if claim.hypothetical or claim.form == "passing" or not claim.subject.startswith("--"):
            return uncertain("no parser of this repository is seen to take it")
        if any(world.index.occurs(word) for word in claim.words):
            return uncertain("the name occurs in code")
        if program is None and not _among_ours(claim, world):
            return uncertain("nothing says that it is an option of this repository's program")
        owner = program or next(iter(own_programs(world).values()), Program(""))
        options = options_of(owner, world)
        names = sorted({name for option in options for name in option.fact.names})
        if len(options) < _LEAST_OPTIONS or not is_readable(owner, world):
            return uncertain("the program's options cannot all be read")
        if any(name.startswith(claim.subject) for name in names):
            return uncertain("it may stand for a longer option")
        from difflib import get_close_matches  # only where something is missing

        near = get_close_matches(claim.subject, names, 1, 0.75)
        place = Evidence(
            f"the parser takes {len(names)} options, and not this one", options[0].path, options[0].fact.line
        )
        return _drifted(claim, program, place, Fix(near[0], False) if near else None, 0.9, gone=False)


def _is_of_django(claim: Claim, world: World) -> bool:
    """Django gives every command of an application some options, whatever the application declares."""
    return claim.subject in _DJANGO and any("/management/commands/" in f"/{path}" for path in world.files)


def _hosted_program(claim: Claim, world: World) -> Program | None:
    """Our program among another's arguments, or one of our sub-commands run by its own name."""
    programs = own_programs(world)
    if claim.owner in world.index.commands:
        return Program(claim.owner)
    return next((programs[word] for word in claim.value.split() if word in programs), None)


def find_option(flag: str, world: World) -> Located[Option] | None:
    """The option that a flag as written stands for: itself, its negation, a cluster of short flags, another spelling."""
    options = world.index.options
    for name in _equivalents(flag):
        found = [one for one in options.get(name, ()) if not (_is_negation(flag, name) and one.path.endswith(".rs"))]
        if found:
            return found[0]
    short = options.get(flag[:2]) if re.fullmatch(r"-[A-Za-z][\w.-]+", flag) else None
    if not short or _has_words_behind_one_dash(short[0].path, world):
        return None
    if re.fullmatch(r"-[A-Za-z]{2,4}", flag) and all(options.get(f"-{letter}") for letter in flag[1:]):
        return short[0]
    return short[0] if short[0].fact.takes_value else None


def _has_words_behind_one_dash(path: str, world: World) -> bool:
    """`-ad` and `-dn` beside `-a` and `-d`: a parser that takes such words takes no letters in a row."""
    ending = path.rpartition(".")[2]
    words = (found for name, found in world.index.options.items() if _WORD_BEHIND_DASH.fullmatch(name))
    return any(one.path.endswith(f".{ending}") and not one.fact.literal for found in words for one in found)


def _equivalents(flag: str) -> Iterator[str]:
    yield flag
    if not flag.startswith("--"):
        return
    yield flag.replace("_", "-")
    yield "--" + flag[2:].replace("-", "_")
    if flag.startswith("--no-"):
        yield f"--{flag[5:]}"


def _is_negation(flag: str, name: str) -> bool:
    """`--no-cache` for `--cache`: many parsers take it, none of those for Rust does by itself."""
    return flag.startswith("--no-") and not name.startswith(("--no-", "--no_"))


def _past_files(flag: str, world: World) -> Iterator[PastFile]:
    """Earlier files that may have registered a flag, in any of the ways that parsers spell it."""
    name = flag.lstrip("-")
    names = [name, *identifiers(name)[:4]]
    if name.startswith("no-"):
        names += [name[3:], *identifiers(name[3:])[:4]]
    texts = list(dict.fromkeys(names))
    spellings = [*texts, *identifiers(name), *identifiers(name.removeprefix("no-"))]
    found = {(past.path, past.blob.oid): past for text in texts for past in world.past.files(text)}
    # Whatever it was spelled like: what went last tells most.
    holding = [past for past in sorted(found.values(), key=lambda past: past.blob.age) if past.holds(spellings)]
    read_ahead((past.facts for past in holding), "options")
    yield from holding


def _registered(flag: str, facts: FileFacts) -> Option | None:
    return next((option for option in facts.options if not option.literal and flag in option.names), None)


def _is_doubtful(claim: Claim, then: Option, past: PastFile, current: FileFacts | None, world: World) -> bool:
    """It went long ago as far as can be seen, but may be taken in a way that is not read, or may be another program's."""
    taken = [option for option in (current.options if current is not None else ()) if not option.literal]
    if world.index.is_opaque("options"):
        return True  # some parser is fed with what is not read
    if not taken:
        return True  # the file is gone, or took options that were read, and takes none now: they are declared in another way
    if claim.subject.startswith("--"):
        return _is_still_named(claim.subject, world)
    if claim.form == "passing":
        return True
    longs = [name for name in then.names if name.startswith("--")]
    if not longs:
        return True  # a letter alone, which any program may take
    # The letter of an option that is still there, but where its letters cannot be seen.
    found = [option for name in longs if (option := find_option(name, world)) is not None]
    if found:
        return any(option.fact.literal for option in found)
    return claim.form not in _OWNED_FORMS or any(_is_still_named(name, world) for name in longs)


def _is_still_named(flag: str, world: World) -> bool:
    """Some text of the code has the flag, or a string its name in any spelling: a wrapper may make an option of it."""
    names = (flag[2:], *identifiers(flag[2:]))
    return is_told_in_code(world, flag) or any(is_quoted_in_code(world, name) for name in names)


def _speaks_of(claim: Claim, program: Program | None, past: PastFile, world: World) -> bool:
    """A flag alone may be another tool's: the file that took it must still be here."""
    if program is not None:
        return not program.file or past.path == program.file or present_facts(past, world) is not None
    return present_facts(past, world) is not None


def _names_other(claim: Claim, world: World) -> bool:
    """Another tool is named beside the flag: then only a flag of ours that has a new name now is surely meant."""
    return bool(claim.context) and claim.context not in own_programs(world)


def _named(facts: FileFacts) -> list[Named]:
    """The options' names with what a rename leaves alone: the other names, the default, the command."""
    found: list[Named] = []
    for option in facts.options:
        if option.literal:
            continue
        for name in option.names:
            if name.startswith("--"):
                others = tuple(n for n in option.names if len(n) == 2)
                found.append(
                    (
                        name,
                        (
                            name.startswith("--no-"),
                            others,
                            option.default,
                            option.command,
                            option.takes_value,
                            option.env,
                        ),
                    )
                )
            else:
                longs = tuple(n for n in option.names if n.startswith("--"))
                found.append((name, ("short", longs, option.default, option.command)))
    return found


def _among_ours(claim: Claim, world: World) -> bool:
    """The flags around it, in the same list, table or help output, are ours for the most part."""
    if not claim.group:
        return False
    flags = {other.subject for other in world.neighbours(claim) if other.form not in _UNGROUPED} - _BUILT_IN
    ours = [flag for flag in flags if (found := find_option(flag, world)) is not None and not found.fact.literal]
    return len(ours) >= _LEAST_NEIGHBOURS and len(ours) >= _SHARE * len(flags)


def _drifted(
    claim: Claim, program: Program | None, evidence: Evidence, fix: Fix | None, confidence: float, *, gone: bool
) -> Judgement:
    of = f" of `{claim.owner}`" if program is not None and claim.owner else ""
    message = f"`{claim.subject}` is not an option{of}" + (" any more" if gone else "")
    if fix is not None and fix.safe:
        message += f": it is `{fix.replacement}` now"
    return Judgement(
        Verdict.DRIFTED, "unknown-option", message, (evidence,), confidence, Severity.HIGH, fix, subject=claim.subject,
    )  # fmt: skip
