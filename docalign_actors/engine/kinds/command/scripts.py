"""Scripts, targets and services: whether the manifest that a documented command means defines them."""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from collections.abc import Iterator
from weakref import WeakKeyDictionary

from docalign_actors.engine.claims import Claim, Judgement, Why, uncertain, verified
from docalign_actors.engine.code.reader import SOURCE_LIMIT
from docalign_actors.engine.facts import FileFacts, Script
from docalign_actors.engine.index import Located
from docalign_actors.engine.kinds.command.targets import verify_target
from docalign_actors.engine.kinds.shared.programs import own_programs
from docalign_actors.engine.kinds.shared.shell import UNKNOWN_FOLDER
from docalign_actors.engine.past import PastFile
from docalign_actors.engine.renames import share_a_word, successor
from docalign_actors.engine.roles import is_example, is_fixture, is_foreign, is_test
from docalign_actors.engine.world import World
from docalign_actors.findings.model import Evidence, Fix, Verdict

_INCLUDED = re.compile(rb"(?m):[ \t]*[\"']?([\w./-]{1,200}\.ya?ml)\b")
_NOUNS = {
    "npm": "a script", "make": "a target", "just": "a recipe", "task": "a task", "tox": "an environment", "nox": "a session",
    "compose": "a service", "gradle": "a task", "rake": "a task", "poe": "a task",
    "invoke": "a task", "turbo": "a task", "cargo": "a target", "extra": "an extra",
}  # fmt: skip
_IMPLICIT = {
    "npm": frozenset({"install", "restart"}),
    "tox": frozenset({"py", "python"}),
    "make": frozenset({"all", "install"}),
}
_TOX_FACTOR = re.compile(r"(py|pypy|cpython|python)[\d.]*t?\Z")
"""tox makes an environment of this name for itself."""
_CONVENTIONAL = frozenset(
    "prepare prepublish prepublishOnly prepack preinstall install postinstall test pretest posttest start prestart stop build dev "
    "serve watch lint format deploy preview clean all run check".split()
)
"""Names that readers' own manifests have as well: what went long ago under one of them is hardly meant."""
_LEAST_NEIGHBOURS = 2
_SHORTEST = 3
_OF_SEVERAL_WORDS = re.compile(r"[a-z]\w*(?:[:_-]\w{2,}){2,4}")
_LONGEST_TEXT = 2_000
_SHARE = 0.6

_MANIFESTS: WeakKeyDictionary[World, dict[tuple[str, str], list[str]]] = WeakKeyDictionary()


def _manifests(world: World) -> dict[tuple[str, str], list[str]]:
    """The manifests by (runner, folder)."""
    known = _MANIFESTS.get(world)
    if known is None:
        known = _MANIFESTS[world] = defaultdict(list)
        for path, facts in world.index.files.items():
            if not (is_foreign(path) or is_fixture(path)):
                for runner in {script.runner for script in facts.scripts} | (
                    {"npm"} if path.endswith("package.json") else set()
                ):
                    known[runner, posixpath.dirname(path)].append(path)
    return known


def _chain(claim: Claim, world: World) -> list[str]:
    """The folders that may hold the manifest, nearest first: where `cd` led to, or the document's own folder, and upwards."""
    here = posixpath.dirname(claim.file)
    start = [here]
    if claim.context and claim.context != UNKNOWN_FOLDER:
        start = next((there for led in _led(claim.context) if (there := _existing(here, led, world))), [here])
    found: list[str] = []
    for folder in start:
        while True:
            found.append("" if folder == "." else folder)
            if not folder or folder == ".":
                break
            folder = posixpath.dirname(folder)
    return list(dict.fromkeys(found))


def _led(context: str) -> Iterator[str]:
    """Where the `cd` of all lines lead to, and of the last alone: each may begin at the root anew."""
    parts = context.split("/")
    return ("/".join(parts[at:]) for at in range(len(parts)))


def _existing(here: str, led: str, world: World) -> list[str]:
    return [folder for folder in (posixpath.normpath(posixpath.join(here, led)), led) if world.exists(folder)]


def _is_run_by(script: Script, runner: str) -> bool:
    if runner in ("pdm", "hatch", "rye", "pipenv", "cargo"):
        return script.runner in (runner, "console")
    return script.runner == runner


def verify(claim: Claim, world: World) -> Judgement:
    """Verified by the nearest manifest or, where that never had it, by any other."""
    runner, name = claim.owner, claim.text
    known = [s for s in world.index.scripts.get(name, ()) if _is_run_by(s.fact, runner)]
    chain = _chain(claim, world)
    near = next((s for s in known if posixpath.dirname(s.path) in chain), None)
    if near is None and known and claim.context == UNKNOWN_FOLDER:
        near = known[0]  # run in another package, or in all of them
    if near is not None:
        return verified(Evidence(f"{runner} {name}", near.path, near.fact.line))
    if runner == "make" and (path := _made_by_pattern(name, chain, world)):
        return verified(Evidence("a rule for files of such names", path))
    judgement = by_history(claim, world, chain if claim.context != UNKNOWN_FOLDER else None)
    if judgement is None and runner == "cargo":
        judgement = verify_target(claim, chain, world)
    if judgement is not None:
        return judgement
    if world.past.awaits(name):
        return uncertain("the past is asked first")
    if known:
        return verified(Evidence(f"{runner} {name}", known[0].path, known[0].fact.line))
    if name in world.files or name in world.directories:
        return uncertain("it names a file")
    return _by_neighbours(claim, chain, world)


def _made_by_pattern(name: str, chain: list[str], world: World) -> str:
    """The Makefile in one of these folders that has a rule for names like this one: `data/%`, `%.pdf`; "" if none has."""
    for path in (path for folder in chain for path in _manifests(world).get(("make", folder), ())):
        for known in world.index.files[path].opaque:
            before, found, after = known.removeprefix("scripts ").partition("%")
            fits = name.startswith(before) and name.endswith(after) and len(name) > len(before + after)
            if found and known.startswith("scripts ") and fits:
                return path
    return ""


def by_history(claim: Claim, world: World, chain: list[str] | None = None) -> Judgement | None:
    """It was defined, and is not any more. `chain`: only manifests in these folders count."""
    runner, name = claim.owner, claim.text
    if runner in own_programs(world):
        # The documents of a task runner speak of its users' files.
        return None
    implicit = _is_implicit(runner, name, world)
    if (implicit and runner != "make") or (runner == "tox" and _TOX_FACTOR.match(name)):
        return None
    for past in world.past.files(name, beside=True):
        if implicit and not (past.is_fresh or world.past.differential):
            continue  # `make all` may be said of any Makefile
        then = next(
            (
                s
                for s in past.facts.scripts
                if s.name == name
                and (_is_run_by(s, runner) if runner else not s.runner.startswith(("console", "extra ")))
            ),
            None,
        )
        if then is None or not _is_meant(past.path, claim.file):
            continue
        # Rake loads the tasks of every folder, wherever it is run, and those of gems too.
        loaded = past.path.endswith(".rake") and name not in world.index.scripts
        away = chain is not None and posixpath.dirname(past.path) not in chain and not loaded
        if away and not _sole(runner, past, world) and not _is_sent_to(past, claim, world):
            continue
        current = world.index.files.get(past.path)
        parts = (s for s in world.index.scripts.get(name, ()) if s.path.endswith((".mk", ".mak", ".make")))
        if runner == "make" and any(_is_run_by(s.fact, runner) for s in parts):
            continue  # a part of a Makefile has it, in whatever folder the parts are kept
        if past.path not in world.files and any(_is_run_by(s.fact, runner) for s in world.index.scripts.get(name, ())):
            # The whole manifest went, and another one has the script: it may have moved with it.
            continue
        if current is not None and any(s.name == name and s.runner == then.runner for s in current.scripts):
            continue
        if past.path.endswith(".py") and past.path in world.index.occurs(name):
            continue
        if then.runner == "rake" and _is_named_by_code(name, past, world):
            continue
        if then.runner == "task" and _is_in_an_included_file(name, past.path, world):
            continue
        if current is not None and "scripts" in current.opaque and "scripts" not in past.facts.opaque:
            continue
        if current is not None and "every script" in current.opaque and not _is_renamed(past, then, current, world):
            continue  # a rule for `%` makes whatever it is asked for
        if not (past.is_fresh or world.past.differential) and (name in _CONVENTIONAL or not _runs_any(runner, current)):
            continue  # a reader's own manifest may be meant
        return _gone(claim, past, then, current)
    return None


def _is_in_an_included_file(name: str, taskfile: str, world: World) -> bool:
    """A file that the Taskfile includes, whatever it is called, has the task, or has it as another name of one."""
    text = world.tree.read(taskfile, SOURCE_LIMIT) if taskfile in world.files else b""
    if b"includes:" not in text:
        return False
    folder = posixpath.dirname(taskfile)
    paths = (posixpath.normpath(posixpath.join(folder, told.decode())) for told in _INCLUDED.findall(text))
    whole = re.compile(rb"(?<![\w:-])" + re.escape(name.encode()) + rb"(?![\w:-]*\w)")
    return any(path in world.files and whole.search(world.tree.read(path, SOURCE_LIMIT)) for path in paths)


def _is_named_by_code(name: str, past: PastFile, world: World) -> bool:
    """Code gives the tasks of this namespace their names now: `namespace :paths do … task(name.to_sym)`."""
    pattern = f"scripts {name.rpartition(':')[0]}:%"
    files = [path for path in world.files if path.endswith((".rake", "Rakefile")) and not is_foreign(path)]
    if pattern not in past.facts.opaque and any(pattern in world.facts(path).opaque for path in files):
        return True
    # Another task still needs it: `task default: %i[codespell spec]`.
    needs = re.compile(rb"(?m)^\s*(?:multi)?task\b[^\n]{0,200}[\[\s:\"']" + re.escape(name.encode()) + rb"[\]\s,\"']")
    return any(needs.search(world.tree.read(path, SOURCE_LIMIT)) for path in files)


def _runs_any(runner: str, current: FileFacts | None) -> bool:
    return current is None or any(not runner or _is_run_by(s, runner) for s in current.scripts)


def _is_meant(manifest: str, document: str) -> bool:
    """A manifest of tests or of an example is meant by the documents of its own folder only."""
    folder = posixpath.dirname(manifest)
    return not is_fixture(manifest) and (
        not (is_test(manifest) or is_example(manifest)) or (folder != "" and document.startswith(folder + "/"))
    )


def _is_implicit(runner: str, name: str, world: World) -> bool:
    """The runner takes it although no manifest defines it; `npm start` runs the `server.js` beside a manifest."""
    if runner == "npm" and name == "start":
        folders = (posixpath.dirname(path) for path in world.by_name.get("server.js", ()) if not is_foreign(path))
        return any(posixpath.join(folder, "package.json") in world.files for folder in folders)
    return name in _IMPLICIT.get(runner, ())


def _sole(runner: str, past: PastFile, world: World) -> bool:
    """It is still there and no other folder has a manifest of this runner: wherever the document stands, it means this one."""
    folders = {folder for kind, folder in _manifests(world) if kind == runner}
    return past.path in world.files and folders <= {posixpath.dirname(past.path)}


def _is_renamed(past: PastFile, then: Script, current: FileFacts, world: World) -> bool:
    """It has just got another name, beside the rule for everything: that one does not do what it did."""
    if "every script" not in past.facts.opaque or not (past.is_fresh or world.past.differential):
        return False
    new = successor(then.name, _by_runner(past.facts, then.runner), _by_runner(current, then.runner))
    return new is not None and new[1]


def _by_runner(facts: FileFacts, runner: str) -> list[tuple[str, object]]:
    return [(s.name, s.command or s.runner) for s in facts.scripts if s.runner == runner]


def _is_sent_to(past: PastFile, claim: Claim, world: World) -> bool:
    """The manifest lost it of late, no other one has it, and its name is of three words (`start:dev:mock`), or the text around
    the command names the manifest's folder, or its section enters it."""
    folder = posixpath.basename(posixpath.dirname(past.path))
    if not (past.is_fresh or world.past.differential) or claim.text in world.index.scripts or len(folder) < _SHORTEST:
        return False
    if _OF_SEVERAL_WORDS.fullmatch(claim.text):
        return True  # no project of the reader's happens to have it
    document = world.documents.get(claim.file)
    beside = [b for b in document.blocks if b.kind != "code" and b.line <= claim.line] if document else []
    named = re.compile(rf"(?<![\w-]){re.escape(folder)}(?:/|\W{{0,3}}(?:folder|directory|package)\b)")
    if any(named.search(block.text[:_LONGEST_TEXT]) for block in beside[-1:]):
        return True
    entered = re.compile(rf"\bcd [\w./-]{{0,100}}{re.escape(folder)}(?![\w-])")
    return any(entered.search(block.text[:_LONGEST_TEXT]) for block in beside if block.section == claim.section)


def _noun(runner: str) -> str:
    return _NOUNS.get(runner.partition(" ")[0], "a script")


def _gone(claim: Claim, past: PastFile, then: Script, current: FileFacts | None) -> Judgement:
    after = _by_runner(current, then.runner) if current is not None else []
    new = successor(claim.text, _by_runner(past.facts, then.runner), after)
    if new and not (past.is_fresh or share_a_word(new[0], claim.text)):
        new = None  # since then much came and went: what came need not have come in its place
    noun = _noun(then.runner)
    message = f"`{claim.text}` is not {noun} of `{past.path}` any more"
    if new and new[1]:
        message += f": it is `{new[0]}` now"
    evidence = Evidence(f"{noun} until then", past.path, then.line, past.blob.after)
    return Judgement(
        Verdict.DRIFTED, "unknown-script", message, (evidence,), 0.97, None, Fix(*new) if new else None,
        subject=f"{then.runner} {claim.text}",
    )  # fmt: skip


def _by_neighbours(claim: Claim, chain: list[str], world: World) -> Judgement:
    """Closed world: the commands around it run scripts of a manifest that is read in full, and this one it does not have."""
    runner, name = claim.owner, claim.text
    manifests = [path for folder in chain for path in _manifests(world).get((runner, folder), ())]
    if not manifests:
        return uncertain("there is no manifest that could define it")
    facts = world.index.files[manifests[0]]
    if (
        claim.value == "weak"
        or runner in own_programs(world)
        or claim.hypothetical
        or not {"scripts", "every script"}.isdisjoint(facts.opaque)
        or _is_implicit(runner, name, world)
        or (runner == "tox" and _TOX_FACTOR.match(name))
        or "%" in name
        or "::" in name  # a recipe of a module, which is a manifest elsewhere
        or manifests[0].endswith(".in")  # what `configure` makes of it may have more
    ):
        return uncertain("the manifest may define it in a way that cannot be read", Why.UNREAD)
    others = {o.text for o in world.neighbours(claim) if o.owner == runner}
    ours = {text for text in others if any(_is_near(s, runner, chain) for s in world.index.scripts.get(text, ()))}
    if len(ours) < _LEAST_NEIGHBOURS or len(ours) < _SHARE * len(others) or ours <= _CONVENTIONAL:
        return uncertain("nothing says that this repository's manifest is meant")
    noun = _noun(runner)
    return Judgement(
        Verdict.DRIFTED, "unknown-script", f"`{name}` is not {noun} of `{manifests[0]}`",
        (Evidence(f"{noun} of this name is not defined here", manifests[0]),), 0.9, None, None, subject=f"{runner} {name}",
    )  # fmt: skip


def _is_near(script: Located[Script], runner: str, chain: list[str]) -> bool:
    return _is_run_by(script.fact, runner) and posixpath.dirname(script.path) in chain
