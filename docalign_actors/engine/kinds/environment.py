"""Environment variables that the docs name: does any code still read, set or declare them?"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from docalign_actors.engine.claims import OCCURS, Claim, Judgement, Rule, Why, uncertain, verified
from docalign_actors.engine.code.reader import SEARCHED, SOURCE_LIMIT, language_of
from docalign_actors.engine.documents.model import Block, Document, Inline
from docalign_actors.engine.facts import EnvVar
from docalign_actors.engine.index import Located
from docalign_actors.engine.kinds.shared.filesnow import facts_now, is_ending_in_code, is_key_in_code, occurs_in_unread
from docalign_actors.engine.kinds.shared.spellings import normal
from docalign_actors.engine.ondemand import read_ahead
from docalign_actors.engine.past import PastFile
from docalign_actors.engine.renames import successor
from docalign_actors.engine.roles import is_foreign
from docalign_actors.engine.world import World
from docalign_actors.findings.model import Evidence, Fix, Severity, Verdict

_RULE = "unknown-environment-variable"
_LONGEST = 2000
_BUILT = "and a setting's name"
"""Put together from a start that code has and a setting: a name that was written out until a moment ago was not."""
_NAME = re.compile(r"(?<![\w<])(?:\$\{?)?([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?![\w>(])")
_MARKED = re.compile(
    r"(?:(?<![\w$])\$\{?|\bprocess\.env\.|\bimport\.meta\.env\.|\bexport |(?:^|\s)(?:-e|--env) |^ENV "
    r"|(?:environ|getenv|ENV|env)(?:\.get)?[(\[]\"?'?)"
    r"([A-Z][A-Z0-9_]{2,})\b(?!\()"
)
_READ = re.compile(
    r"(?<![\w.])(?:process\.env\.|import\.meta\.env\.|(?:os\.environ|process\.env|ENV|Deno\.env\.get|os\.getenv|os\.Getenv)[(\[][\"'])"
    r"([A-Z][A-Z0-9_]{2,})\b(?!\()"
)
"""As code reads it: no sentence says it otherwise than of a variable."""
_ARGUMENT = re.compile(r"(?:^|\s)\[\s*([A-Z][A-Z0-9_]*)\s*\]")
"""`tool start [ BASE_DIR ]`: what stands for an argument that may be left out."""
_ASSIGNED = re.compile(r"^\s*(?:\$ |# )?([A-Z][A-Z0-9_]{2,})=")
_ENV_TITLE = re.compile(r"(?i)\benv(?:ironment)?\b[ -]?(?:var|setting|config|option|$)|\benvironment\b|\benv vars?\b")
_ENV_HEADER = re.compile(r"(?i)^(?:environment )?(?:env(?:ironment)?\b.*|variables?(?: name)?)$")
_NAME_HEADER = re.compile(r"(?i)^(?:name|variable|key|setting|option|env.*)")
_ALONE = re.compile(r"^[A-Z][A-Z0-9_]{2,}$")
_PLACEHOLDER = re.compile(
    r"^(?:YOUR|MY|SOME|FOO|BAR|EXAMPLE|XXX|INSERT|REPLACE|CHANGE)_|_(?:HERE|GOES)$|^(?:FOO|BAR|BAZ)\b|__"
)
_FOREIGN = re.compile(
    r"^(?:PATH|HOME|USER|SHELL|TERM|LANG|LC_\w+|TMPDIR|TEMP|TMP|EDITOR|VISUAL|PAGER|LESS|PWD|OLDPWD|HOSTNAME"
    r"|LOGNAME|DISPLAY|TZ|CI|COLUMNS|LINES"
    r"|(?:HTTPS?|NO|ALL|FTP)_PROXY|NO_COLOR|FORCE_COLOR|CLICOLOR\w*|COLORTERM|XDG_\w+|LD_\w+|DYLD_\w+"
    r"|SSL_CERT_\w+|REQUESTS_CA_BUNDLE|SSH_\w+|DBUS_\w+"
    r"|GITHUB_\w+|GITLAB_\w+|GH_TOKEN|RUNNER_\w+|CIRCLE\w*|TRAVIS\w*|BUILDKITE\w*|JENKINS_\w+|AWS_\w+|AZURE_\w+"
    r"|GOOGLE_\w+|GCP_\w+|GCLOUD_\w+"
    r"|PYTHON\w*|PIP_\w+|UV_\w+|VIRTUAL_ENV|CONDA_\w+|POETRY_\w+|TOX_\w+|PYTEST_\w+|NODE_\w+|NPM_\w+|YARN_\w+"
    r"|PNPM_\w+|DJANGO_SETTINGS_MODULE"
    r"|CARGO\w*|RUST\w*|GO(?:PATH|ROOT|BIN|OS|ARCH|PROXY|FLAGS|PRIVATE|MAXPROCS|GC|DEBUG)|CGO_\w+|JAVA_\w+"
    r"|JDK_\w+|MAVEN_\w+|GRADLE_\w+|ANDROID_\w+"
    r"|CC|CXX|CFLAGS|CXXFLAGS|LDFLAGS|CPPFLAGS|MAKEFLAGS|CMAKE_\w+|PKG_CONFIG\w*|DESTDIR|PREFIX|DOCKER_\w+"
    r"|COMPOSE_\w+|BUILDKIT_\w+|KUBE\w+|HELM_\w+"
    r"|BASH\w*|ZSH\w*|PS[1-4]|PROMPT\w*|IFS|PG(?:HOST|PORT|USER|PASSWORD|DATABASE|SSLMODE)|POSTGRES_\w+"
    r"|MYSQL_\w+|OTEL_\w+|SOURCE_DATE_EPOCH|MSYS\w*|WSL\w*)$"
)
_PIPELINE = re.compile(
    r"^(?:\.github|\.circleci|\.gitlab|\.buildkite)/|(?:^|/)(?:\.gitlab-ci|\.travis|azure-pipelines|appveyor)\.yml$"
)
"""What only the project's own pipeline set tells nothing about the variables that readers are to set."""
_CODE_BLOCKS_SKIPPED = frozenset({"diff", "patch", "sql"})

_LEAST_START, _LEAST_PREFIX = 4, 3
"""Letters of a string that names may be built from, and of one that the code calls their prefix."""
_LONGEST_LINE = 400


class EnvironmentKind:
    """`APP_PORT` in a span, a table, a shell line or a dotenv block."""

    name = "environment"
    rules = (Rule(_RULE, "environment", "The docs name an environment variable that no code reads.", Severity.HIGH),)
    markers = frozenset(
        {"auto_envvar_prefix", "envvar_prefix", "env_prefix", "SetEnvPrefix", "BaseSettings", "envconfig", "prefixed"}
    )

    def extract(self, document: Document) -> Iterable[Claim]:
        """Every mention of a name that can be nothing but a variable, or that stands where variables are listed."""
        for position, block in enumerate(document.blocks, 1):
            if block.language in _CODE_BLOCKS_SKIPPED:
                continue
            listed = _is_list_of_variables(block)
            group = block.group or -position
            for name, inline, offset, form in _mentions(block, listed):
                if _PLACEHOLDER.search(name):
                    continue
                yield Claim(
                    kind=self.name, subject=name, text=name, file=document.path, line=inline.line, column=inline.column + offset,
                    form=form, value="listed" if listed else "", section=block.section, words=_words(name), group=group,
                    hypothetical=block.hypothetical,
                )  # fmt: skip

    def verify(self, claim: Claim, world: World) -> Judgement:
        """The code reads it, or something near to it; or once did."""
        name = claim.subject
        known = _present(name, world)
        built = known is not None and known.evidence[0].text.endswith(_BUILT)
        if known is not None and known.evidence[0].text != OCCURS and not (built or _is_of_pipelines(name, world)):
            return known
        past = _in_the_past(name, world)
        if known is not None and world.past.awaits(name):
            return uncertain("the past is asked first")
        if built and past is not None and not (past[0].is_fresh or world.past.differential):
            past = None  # it may have been written out before names were built from their start
        if built and past is None and (replaced := _written_out(name, world)) is not None:
            return replaced
        if known is not None:
            renamed = past is not None and not occurs_in_unread(world, (name,)) and _fix(name, past[0], world)
            told = self._drifted(claim, past, world) if past is not None and renamed and renamed.safe else known
            return told if told.verdict is Verdict.DRIFTED else known
        if past is not None:
            return self._drifted(claim, past, world)
        start = _lost_start(name, world)
        if start is not None:
            return start
        if claim.value == "listed" and not claim.hypothetical and not _FOREIGN.match(name):
            return self._by_neighbours(claim, world)
        return uncertain("nothing shows that it is this project's variable", Why.UNSHOWN)

    def _drifted(self, claim: Claim, found: tuple[PastFile, int], world: World) -> Judgement:
        file, line = found
        unread = occurs_in_unread(world, (claim.subject,))
        if unread:
            return verified(Evidence(OCCURS, unread))
        if not file.is_fresh and claim.form not in ("span", "table") and claim.value != "listed":
            return uncertain("an example that names what went long ago may mean a variable of its own")
        if not (file.is_fresh or world.past.differential or _is_akin(claim.subject, world)):
            return uncertain("it went long ago, and no variable of this project begins like it")
        fix = _fix(claim.subject, file, world)
        known_start = bool(_prefixes(claim.subject, world)) and not (fix and fix.safe)
        # What was written out until a moment ago, and has another name in its place, was not built out of parts.
        replaced = file.is_fresh and fix is not None and not claim.subject.endswith(fix.replacement)
        if not replaced and (known_start or _is_composed(claim.subject, world)):
            return uncertain("code may build it out of parts", Why.BUILT)
        if _FOREIGN.match(claim.subject) and not (fix and fix.safe):
            return uncertain("other programs read it too", Why.SHARED)
        if not replaced and is_key_in_code(world, claim.subject):
            return uncertain("code may build it out of a key", Why.BUILT_OF_KEY)
        return Judgement(
            Verdict.DRIFTED, _RULE, f"No code uses the environment variable `{claim.subject}` any more",
            evidence=(Evidence("used until then", file.path, line, file.blob.after),), confidence=0.97, fix=fix,
        )  # fmt: skip

    def _by_neighbours(self, claim: Claim, world: World) -> Judgement:
        """The others of the list are ours and share the first part of the name; this one is nowhere."""
        if any(
            fact.prefix and claim.subject.startswith(name)
            for name, facts in world.index.environment.items()
            for fact in _facts(facts)
        ):
            return uncertain("code builds names that begin like this one", Why.BUILT)
        others = sorted({c.subject for c in world.neighbours(claim) if c.value == "listed"} - {claim.subject})
        prefix = claim.subject.split("_")[0] + "_"
        present = [name for name in others if _is_ours(name, world)]
        akin = [name for name in present if name.startswith(prefix)]
        if (
            len(akin) < 3
            or len(present) < 0.75 * len(others)
            or world.index.is_opaque("env")
            or occurs_in_unread(world, (claim.subject,))
        ):
            return uncertain("nothing shows that it is this project's variable", Why.UNSHOWN)
        witness = world.index.environment[akin[0]][0]
        return Judgement(
            Verdict.DRIFTED, _RULE, f"No code uses the environment variable `{claim.subject}`; the others listed with it are used",
            evidence=(Evidence(f"`{akin[0]}` of the same list is used here", witness.path, witness.fact.line),), confidence=0.9,
        )  # fmt: skip


def _is_list_of_variables(block: Block) -> bool:
    if block.kind == "row":
        titled = bool(block.cells) and bool(_ENV_HEADER.match(block.cells[0].header.strip()))
        return titled or (
            _about_environment(block) and bool(block.cells) and bool(_NAME_HEADER.match(block.cells[0].header.strip()))
        )
    if block.kind == "item":
        return _about_environment(block)
    return block.kind == "code" and block.language in ("dotenv", "env") and bool(block.lines)


def _about_environment(block: Block) -> bool:
    return any(_ENV_TITLE.search(title) for title in block.section[-2:])


def _mentions(block: Block, listed: bool) -> Iterator[tuple[str, Inline, int, str]]:
    """(name, inline, offset in it, form)."""
    if block.lines:
        form = "shell" if block.language in ("sh", "bash", "shell", "console", "zsh", "shell-session") else "block"
        for line in block.lines:
            for name, offset in _names(line.text[:_LONGEST], code=True):
                yield name, line, offset, form
        return
    form = {"row": "table", "heading": "heading"}.get(block.kind, "span")
    first = block.cells[0].inlines if block.cells else block.inlines[:1]
    for inline in block.every_inline():
        if inline.kind not in ("text", "code"):
            continue
        text = inline.text[:_LONGEST]
        if listed and inline in first and _ALONE.match(text.strip()) and "_" not in text:
            yield text.strip(), inline, len(text) - len(text.lstrip()), form
            continue
        for name, offset in _names(text, code=inline.kind == "code"):
            yield name, inline, offset, form


def _names(text: str, *, code: bool) -> Iterator[tuple[str, int]]:
    if "_" not in text and "$" not in text and "=" not in text and "env" not in text.lower():
        return
    arguments = {match.start(1) for match in _ARGUMENT.finditer(text)}
    found = {match.start(1): match[1] for match in _NAME.finditer(text) if match.start(1) not in arguments}
    found.update({match.start(1): match[1] for match in _READ.finditer(text)} if "env" in text.lower() else {})
    if code:
        found.update({match.start(1): match[1] for match in _MARKED.finditer(text)})
        assigned = _ASSIGNED.match(text)
        if assigned:
            found[assigned.start(1)] = assigned[1]
    for offset, name in sorted(found.items()):
        if not name.endswith("_"):
            yield name, offset


def _words(name: str) -> tuple[str, ...]:
    """The name, what a settings class would call it, and the beginnings that code may build names from."""
    parts = name.split("_")
    lower = ["_".join(parts[i:]).lower() for i in range(min(3, len(parts)))]
    starts = ["_".join(parts[:i]) + "_" for i in range(1, min(3, len(parts)))]
    ends = ["_".join(parts[i:]) for i in range(1, min(3, len(parts)))]
    return tuple(dict.fromkeys([name, *(word for word in (*lower, *ends) if len(word) > 2), *starts]))


def _facts(found: Iterable[Located[EnvVar]]) -> Iterator[EnvVar]:
    return (located.fact for located in found)


def _is_ours(name: str, world: World) -> bool:
    return any(not located.fact.prefix for located in world.index.environment.get(name, ()))


def _present(name: str, world: World) -> Judgement | None:
    index = world.index
    for located in index.environment.get(name, ()):
        if not located.fact.prefix:
            return verified(Evidence("used here", located.path, located.fact.line))
    for place in index.definitions.get(name, ()):
        return verified(Evidence("defined here", place.path, place.fact.line))
    where = sorted(path for path in index.occurs(name) if not is_foreign(path))
    if where:
        unparsed = next((path for path in where if language_of(path) == SEARCHED), "")
        return verified(Evidence("stands here", unparsed) if unparsed else Evidence(OCCURS, where[0]))
    for start in _prefixes(name, world):
        rest = name[len(start) :].lower()
        if index.occurs_in_code(rest) or index.occurs_in_code(rest.rpartition("__")[2]) or _key_like(rest, world):
            return verified(Evidence(f"`{start}` {_BUILT}"))
    return None


def _is_of_pipelines(name: str, world: World) -> bool:
    """Only pipelines have the variable: they set it for whatever they run, and a token of that name for each of their tools."""
    paths = [located.path for located in world.index.environment.get(name, ()) if not located.fact.prefix]
    return bool(paths) and all(map(_PIPELINE.search, paths)) and name not in world.index.definitions


def _is_composed(name: str, world: World) -> bool:
    """The end of the name is a string of the code by itself: `PREFIX + "_" + "ACTIVE_HELP"`."""
    ends = [name[at + 1 :] for at, letter in enumerate(name) if letter == "_"]
    return any("_" in end and (_is_ours(end, world) or is_ending_in_code(world, end)) for end in ends)


def _is_akin(name: str, world: World) -> bool:
    """Another variable of this project, or one of its packages, begins with the same word."""
    first = name.partition("_")[0]
    if any(normal(package).startswith(first.lower()) for package in world.index.package_names):
        return True
    demands = world.index.versions.get(first.lower(), ())
    if any(demand.fact.origin in ("dependency", "optional") for demand in demands):
        return False  # the library of that name may read it
    return any(other != name and other.startswith(f"{first}_") for other in world.index.environment)


def _ends(name: str, world: World) -> list[str]:
    """What is left of a name after a start that code puts before names."""
    return [name[len(start) :] for start in _prefixes(name, world)]


def _prefixes(name: str, world: World) -> list[str]:
    starts = {name[: i + 1] for i, letter in enumerate(name) if letter == "_"}
    return [start for start in starts if any(fact.prefix for fact in _facts(world.index.environment.get(start, ())))]


def _key_like(rest: str, world: World) -> bool:
    """A key or an option that this part of a name stands for: `server_port` for `server.port` and `--server-port`."""
    wanted = normal(rest)
    last = rest.rpartition("_")[2]
    if any(normal(located.fact.name) == wanted for located in world.index.keys.get(last, ())):
        return True
    return "--" + rest.replace("_", "-") in world.index.options


def _in_the_past(name: str, world: World) -> tuple[PastFile, int] | None:
    parts = name.split("_")
    starts = ["_".join(parts[:i]) + "_" for i in range(1, min(3, len(parts)))]
    ends = _ends(name, world)
    covered = [end.lower() for end in ends]
    for text in (name, name.lower(), *starts, *covered, *ends):
        files = [file for file in world.past.files(text) if not _PIPELINE.search(file.path)]
        read_ahead((file.facts for file in files), "env")
        for file in files:
            for variable in file.facts.env:
                if variable.name == name and not variable.prefix:
                    return file, variable.line
                if variable.name in ends and not variable.prefix and not _is_ours(variable.name, world):
                    return file, variable.line  # `read("PORT")`, where `read` puts the start before it
            if text in covered:
                for key in file.facts.keys:
                    if key.name == text and key.origin in ("settings", "schema"):
                        return file, key.line
    return None


def _written_out(name: str, world: World) -> Judgement | None:
    """A table of own code had the whole name until a moment ago, and has another on the same line: it was not built of parts."""
    for file in world.past.files(name):
        if not (file.is_fresh or world.past.differential) or file.data is None or file.path not in world.files:
            continue
        now = world.tree.read(file.path, SOURCE_LIMIT).decode("utf-8", "replace").split("\n")
        for number, line in enumerate(file.data().decode("utf-8", "replace").split("\n"), 1):
            if name not in line or len(line) > _LONGEST_LINE:
                continue
            before, _, after = line.partition(name)
            heirs = {
                text[len(before) : len(text) - len(after)]
                for text in now
                if text.startswith(before) and text.endswith(after)
            }
            heir = heirs.pop() if len(heirs) == 1 else ""
            if heir != name and re.fullmatch(r"[A-Z][A-Z0-9_]+", heir) and len(before + after) > len(name) // 2:
                return Judgement(
                    Verdict.DRIFTED, _RULE, f"No code uses the environment variable `{name}` any more: it is `{heir}` now",
                    evidence=(Evidence("it stood here until then", file.path, number, file.blob.after),), confidence=0.95,
                    fix=Fix(heir, True), subject=name,
                )  # fmt: skip
    return None


def _lost_start(name: str, world: World) -> Judgement | None:
    """`"APP_" + "PORT"`: the string that names were built from is gone from the code, together with this name."""
    parts = name.split("_")
    for start in ("_".join(parts[:i]) + "_" for i in range(1, min(3, len(parts)))):
        if len(start) < _LEAST_PREFIX or any(not is_foreign(path) for path in world.index.occurs(start)):
            continue
        if any(fact.prefix for fact in _facts(world.index.environment.get(start, ()))):
            continue
        for file in (*world.past.files(start), *world.past.files(start[:-1])):
            given = [d.line for d in file.facts.definitions if d.value == start and len(start) >= _LEAST_START]
            given += [v.line for v in file.facts.env if v.prefix and v.name == start]
            if given and file.is_fresh:
                evidence = Evidence(f"variables began with `{start}` until then", file.path, given[0], file.blob.after)
                message = f"No code uses environment variables that begin with `{start}` any more"
                return Judgement(Verdict.DRIFTED, _RULE, message, (evidence,), 0.93, subject=start, why=Why.START_GONE)
    return None


def _fix(name: str, file: PastFile, world: World) -> Fix | None:
    now = facts_now(world, file.path)
    if now is None:
        return None
    before = [(v.name, (v.default, v.prefix)) for v in sorted(file.facts.env, key=lambda v: v.line) if not v.prefix]
    after = [(v.name, (v.default, v.prefix)) for v in sorted(now.env, key=lambda v: v.line) if not v.prefix]
    found = successor(name, before, after)
    if found:
        return Fix(found[0], found[1])
    for end in _ends(name, world):
        if heir := successor(end, before, after):
            return Fix(name[: -len(end)] + heir[0], heir[1])
    return None
