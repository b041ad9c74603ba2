"""The repository's own configuration: `.docalign.yml`, or `[tool.docalign]` in pyproject.toml. Pure: takes text, gives settings.

An unknown key or a bad value is an error that names the line and, where there is one, the nearest right key. Nothing is
ever replaced by a default in silence.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

import msgspec
from msgspec import Struct

from docalign_actors.engine.kinds.names_of_kinds import RULE_NAMES
from docalign_actors.engine.settings import ScanSettings, Suppress
from docalign_actors.errors import ConfigurationError
from docalign_actors.findings.model import Severity

_LIMIT = 200_000
_SEVERITIES = tuple(severity.value for severity in Severity)
_MOST_CLAIMS = 200
_DEEPEST = 50


_TABLE = re.compile(r"^\s*\[+\s*tool\s*\.\s*[\"']?docalign\b|\bdocalign\s*[.=]", re.MULTILINE)


class Configuration(Struct, frozen=True):
    """What the configuration says, ready for a scan.

    fail_on        findings of this severity and above make the command fail
    max_claims_per_pr  how many findings a scan of a change shows
    comment_when_clean  whether a pull request with nothing false gets a comment; None: as the service is set
    """

    settings: ScanSettings = ScanSettings()
    fail_on: Severity = Severity.LOW
    max_claims_per_pr: int = 50
    comment_when_clean: bool | None = None
    baseline: str = ".docalign-baseline.json"
    source: str = ""


class _Where:
    """A value in the file, for errors."""

    def __init__(self, source: str, line_of: Callable[[tuple[str, ...]], int]) -> None:
        self.source = source
        self.line_of = line_of

    def error(self, path: tuple[str, ...], text: str, hint: str | None = None) -> ConfigurationError:
        line = self.line_of(path)
        return ConfigurationError(f"{self.source}:{line}: {text}" if line else f"{self.source}: {text}", hint=hint)


def parse_yaml(text: str, source: str, kinds: frozenset[str]) -> Configuration:
    """Reads `.docalign.yml`."""
    import yaml  # only where there is such a file

    _check_size(text, source)
    try:
        depth = 0
        for event in yaml.parse(text, Loader=yaml.SafeLoader):
            if isinstance(event, yaml.AliasEvent):
                raise ConfigurationError(
                    f"{source}: aliases are not allowed here.", hint="Write the value out instead of `*name`."
                )
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
            if depth > _DEEPEST:
                # The parser takes time in the square of the depth: what nobody would write must not hold up a scan.
                raise ConfigurationError(f"{source}:{event.start_mark.line + 1}: nested more than {_DEEPEST} deep.")
        node = yaml.compose(text, Loader=yaml.SafeLoader)
        data = yaml.safe_load(text)
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        mark = getattr(error, "problem_mark", None)
        place = f"{source}:{mark.line + 1}" if mark else source
        problem = getattr(error, "problem", None) or "it cannot be read"
        raise ConfigurationError(f"{place}: this is not valid YAML: {problem}.") from None
    lines: dict[tuple[str, ...], int] = {}
    where = _Where(source, lambda path: _nearest_line(lines, path))
    _yaml_lines(node, (), lines, where)
    return _build(data or {}, where, kinds)


def parse_pyproject(text: str, source: str, kinds: frozenset[str]) -> Configuration | None:
    """Reads `[tool.docalign]`; None if there is no such table."""
    import tomllib  # only where there is such a file

    if len(text) > _LIMIT and not _TABLE.search(text):
        return None  # however long it is, nothing in it is meant for docalign
    _check_size(text, source)
    try:
        data = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        if not _TABLE.search(text):
            return None  # its own tool will say so; nothing here is meant for docalign
        raise ConfigurationError(f"{source}: this is not valid TOML: {error}.") from None
    table = data.get("tool", {}).get("docalign")
    return None if table is None else _build(table, _Where(source, lambda path: _toml_line(text, path)), kinds)


def _check_size(text: str, source: str) -> None:
    if len(text) > _LIMIT:
        raise ConfigurationError(
            f"{source}: larger than {_LIMIT:,} characters.", hint="A configuration this long is a mistake."
        )


def _yaml_lines(
    node: Any, path: tuple[str, ...], lines: dict[tuple[str, ...], int], where: _Where, depth: int = 0
) -> None:
    if depth > 20 or node is None:
        return
    lines.setdefault(path, node.start_mark.line + 1)
    if node.id == "mapping":
        for key, value in node.value:
            below, known = (*path, str(key.value)), lines.get((*path, str(key.value)))
            lines[below] = key.start_mark.line + 1
            if known is not None:  # YAML would take the last and say nothing
                raise where.error(below, f"`{'.'.join(below)}` is here twice, in line {known} too.", "Join them.")
            _yaml_lines(value, below, lines, where, depth + 1)
    elif node.id == "sequence":
        for number, value in enumerate(node.value):
            _yaml_lines(value, (*path, str(number)), lines, where, depth + 1)


def _nearest_line(lines: Mapping[tuple[str, ...], int], path: tuple[str, ...]) -> int:
    while path and path not in lines:
        path = path[:-1]
    return lines.get(path, 0)


def _toml_line(text: str, path: tuple[str, ...]) -> int:
    """The line of a key below [tool.docalign]: the last part that is a key, looked for by name."""
    names = [part for part in path if not part.isdigit()]
    start = text.find("[tool.docalign")
    for name in reversed(names):
        match = re.search(
            rf"^[ \t]*[\"']?{re.escape(name)}[\"']?[ \t]*=|\[[^\]\n]*\b{re.escape(name)}\][ \t]*$",
            text[max(start, 0) :],
            re.MULTILINE,
        )
        if match:
            return text.count("\n", 0, max(start, 0) + match.start()) + 1
    return text.count("\n", 0, start) + 1 if start >= 0 else 0


# From plain values to settings

_VERIFICATION = ("min_severity", "min_confidence", "max_claims_per_pr")
_TOP = (
    "doc_patterns",
    "code_patterns",
    "exclude",
    "verification",
    "claim_types",
    "suppress",
    "check",
    "baseline",
    "jobs",
)


def _build(data: object, where: _Where, kinds: frozenset[str]) -> Configuration:
    top = _table(data, (), _TOP, where)
    verification = _table(
        top.get("verification", {}), ("verification",), ("min_severity", "min_confidence", "max_claims_per_pr"), where
    )
    check = _table(top.get("check", {}), ("check",), ("min_severity_to_block", "comment_when_clean"), where)
    documents, not_documents = _patterns(top, "doc_patterns", where)
    code, not_code = _patterns(top, "code_patterns", where)
    settings = ScanSettings(
        doc_patterns=documents,
        code_patterns=(*code, *(f"!{glob}" for glob in not_code)) if code else (),
        exclude=(*_strings(top.get("exclude", []), ("exclude",), where), *not_documents, *(() if code else not_code)),
        claim_types=_claim_types(top.get("claim_types"), where, kinds),
        min_severity=_severity(verification, ("verification", "min_severity"), where, Severity.LOW),
        min_confidence=_number(verification, ("verification", "min_confidence"), where, 0.75, 0.0, 1.0),
        suppress=_suppressions(top.get("suppress", []), where, kinds),
        jobs=int(_number(top, ("jobs",), where, 0, 0, 256)),
    )
    return Configuration(
        settings=settings,
        fail_on=_severity(check, ("check", "min_severity_to_block"), where, Severity.LOW),
        max_claims_per_pr=int(_number(verification, ("verification", "max_claims_per_pr"), where, 50, 1, _MOST_CLAIMS)),
        comment_when_clean=_flag(check, ("check", "comment_when_clean"), where),
        baseline=_inside(top.get("baseline", ".docalign-baseline.json"), ("baseline",), where),
        source=where.source,
    )


def _table(data: object, path: tuple[str, ...], allowed: tuple[str, ...], where: _Where) -> Mapping[str, Any]:
    name = ".".join(path) or "the configuration"
    if not isinstance(data, dict):
        raise where.error(
            path, f"{name} must hold keys and values, not {_told(data)}.", f"It takes {', '.join(allowed)}."
        )
    for key in data:
        if key not in allowed:
            near = _close(str(key), allowed)
            hint = f"Did you mean `{near[0]}`?" if near else f"{name} takes {', '.join(allowed)}."
            raise where.error(
                (*path, str(key)), f"`{'.'.join((*path, str(key)))}` is no key of the configuration.", hint
            )
    return data


def _patterns(top: Mapping[str, Any], key: str, where: _Where) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """A list of globs, or `include` and `exclude` lists."""
    value = top.get(key, [])
    if isinstance(value, dict):
        table = _table(value, (key,), ("include", "exclude"), where)
        return _strings(table.get("include", []), (key, "include"), where), _strings(
            table.get("exclude", []), (key, "exclude"), where
        )
    return _strings(value, (key,), where), ()


def _strings(value: object, path: tuple[str, ...], where: _Where) -> tuple[str, ...]:
    if isinstance(value, str):
        value = [value]
    if not isinstance(value, list) or not all(isinstance(item, str) and item.strip() for item in value):
        raise where.error(
            path,
            f"{'.'.join(path)} must be a list of globs, not {_told(value)}.",
            'For example ["docs/**/*.md", "README.md"].',
        )
    return tuple(value)


def _inside(value: Any, path: tuple[str, ...], where: _Where) -> str:
    """A file of the repository: one that somebody else wrote a configuration for must not choose what is written over."""
    text = _string(value, path, where)
    if PurePosixPath(text).is_absolute() or ".." in PurePosixPath(text).parts:
        raise where.error(path, f"{'.'.join(path)} must lie in the repository, not at {text}.")
    return text


def _string(value: object, path: tuple[str, ...], where: _Where) -> str:
    if not isinstance(value, str):
        raise where.error(path, f"{'.'.join(path)} must be text, not {_told(value)}.")
    return value


def _severity(table: Mapping[str, Any], path: tuple[str, ...], where: _Where, default: Severity) -> Severity:
    value = table.get(path[-1])
    if value is None:
        return default
    if value not in _SEVERITIES:
        raise where.error(
            path,
            f"{'.'.join(path)} must be one of {', '.join(_SEVERITIES)}, not {_told(value)}.",
            _nearest(value, _SEVERITIES),
        )
    return Severity(value)


def _number(
    table: Mapping[str, Any], path: tuple[str, ...], where: _Where, default: float, low: float, high: float
) -> float:
    value = table.get(path[-1], default)
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        raise where.error(path, f"{'.'.join(path)} must be a number from {low:g} to {high:g}, not {_told(value)}.")
    return value


def _flag(table: Mapping[str, Any], path: tuple[str, ...], where: _Where) -> bool | None:
    value = table.get(path[-1])
    if value is None or isinstance(value, bool):
        return value
    raise where.error(path, f"{'.'.join(path)} must be true or false, not {_told(value)}.")


def _claim_types(value: object, where: _Where, kinds: frozenset[str]) -> tuple[str, ...]:
    """A list of kinds to check, or a table of kind: true or false. Empty means every kind."""
    if value is None:
        return ()
    if isinstance(value, dict):
        for kind, wanted in value.items():
            _known_kind(kind, ("claim_types", str(kind)), where, kinds)
            if not isinstance(wanted, bool):
                raise where.error(
                    ("claim_types", str(kind)), f"claim_types.{kind} must be true or false, not {_told(wanted)}."
                )
        chosen = [kind for kind in sorted(kinds) if value.get(kind, True)]
        return () if len(chosen) == len(kinds) else tuple(chosen)
    if not isinstance(value, list):
        raise where.error(("claim_types",), f"claim_types must be a list of kinds, not {_told(value)}.")
    return tuple(_known_kind(kind, ("claim_types", str(number)), where, kinds) for number, kind in enumerate(value))


def _known_kind(kind: object, path: tuple[str, ...], where: _Where, kinds: frozenset[str]) -> str:
    if not isinstance(kind, str) or kind not in kinds:
        raise where.error(path, f"There is no kind of claim called {_told(kind)}.", _nearest(kind, sorted(kinds)))
    return kind


def _suppressions(value: object, where: _Where, kinds: frozenset[str]) -> tuple[Suppress, ...]:
    if not isinstance(value, list):
        raise where.error(
            ("suppress",),
            f"suppress must be a list, not {_told(value)}.",
            'For example [{file: "docs/old/**", reason: "archived"}].',
        )
    found: list[Suppress] = []
    for number, item in enumerate(value):
        path = ("suppress", str(number))
        table = _table(item, path, ("file", "rule", "kind", "claim", "reason"), where)
        entry = Suppress(
            **{key: _string(text, (*path, key), where) for key, text in table.items()}, line=where.line_of(path)
        )
        if not (entry.file or entry.rule or entry.kind or entry.claim):
            raise where.error(
                path, "A suppression must say what it suppresses.", "Give it a file, a rule, a kind or a claim."
            )
        if entry.kind:
            _known_kind(entry.kind, (*path, "kind"), where, kinds)
        if entry.rule and entry.rule not in RULE_NAMES:
            raise where.error(
                (*path, "rule"),
                f"There is no rule called {_told(entry.rule)}.",
                _nearest(entry.rule, sorted(RULE_NAMES)),
            )
        found.append(entry)
    return tuple(found)


def _nearest(value: object, allowed: object) -> str:
    options = list(allowed)  # type: ignore[call-overload]
    near = _close(str(value), options)
    return f"Did you mean `{near[0]}`?" if near else f"It can be {', '.join(options)}."


def _close(word: str, options: Sequence[str]) -> list[str]:
    import difflib  # only where there is a mistake

    return difflib.get_close_matches(word, options, 1)


def _told(value: object) -> str:
    try:
        return msgspec.json.encode(value).decode()[:80]
    except (TypeError, ValueError):
        return type(value).__name__
