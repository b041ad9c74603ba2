"""Compares a documented value with a value in code: by what it means, not by how it is written.

`30`, `30.0`, `30s`, `30 * time.Second`, `Duration::from_secs(30)` and "30 seconds" are one value; so are `10MB`,
`10 * 1024 * 1024` and `10 << 20`. Two values that cannot be compared are neither equal nor different.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable
from functools import lru_cache

from msgspec import Struct

_LONGEST = 200
_BIGGEST = 1e30


class Value(Struct, frozen=True):
    """What a literal means. kind: number, flag, nothing, text, list. dimension: s (seconds), B (bytes), % or "" (none said)."""

    kind: str
    number: float = 0.0
    text: str = ""
    dimension: str = ""
    items: tuple[Value, ...] = ()


_TRUE = frozenset({"true", "yes", "on", "enabled", "enable"})
_FALSE = frozenset({"false", "no", "off", "disabled", "disable"})
_NOTHING = frozenset(
    {"none", "null", "nil", "undefined", "", "empty", "unset", "not set", "empty string", "nothing", "n/a"}
)
_TIME = {
    "ns": 1e-9, "us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0, "w": 604800.0,
    "nanosecond": 1e-9, "microsecond": 1e-6, "millisecond": 1e-3, "msec": 1e-3, "milli": 1e-3, "sec": 1.0, "second": 1.0,
    "min": 60.0, "minute": 60.0, "hr": 3600.0, "hour": 3600.0, "day": 86400.0, "week": 604800.0,
}  # fmt: skip
_SIZE = {
    "b": 1.0, "byte": 1.0, "k": 1024.0, "kb": 1024.0, "kib": 1024.0, "mb": 1024.0**2, "mib": 1024.0**2, "g": 1024.0**3,
    "gb": 1024.0**3, "gib": 1024.0**3, "tb": 1024.0**4, "tib": 1024.0**4, "megabyte": 1024.0**2, "kilobyte": 1024.0,
    "gigabyte": 1024.0**3,
}  # fmt: skip
_DECIMAL = {
    "k": 1e3,
    "kb": 1e3,
    "mb": 1e6,
    "g": 1e9,
    "gb": 1e9,
    "tb": 1e12,
    "megabyte": 1e6,
    "kilobyte": 1e3,
    "gigabyte": 1e9,
}
_SEPARATED = re.compile(r"[+-]?\d{1,3}(?:,\d{3}){1,4}(?:\.\d+)?")
_MOST_THOUSANDS = 4
_QUANTITY = re.compile(r"^([+-]?(?:\d[\d_,]*(?:\.\d+)?|\.\d+)(?:e[+-]?\d{1,3})?)\s*([a-zµ%]{1,12})$", re.IGNORECASE)
_COMPOUND = re.compile(r"(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h)")
_SUFFIX = re.compile(
    r"^(0x[\da-f_]+|-?\d[\d_]*(?:\.\d+)?)(?:_?(?:[ui](?:8|16|32|64|128|size)|f32|f64)|[lLfFdDn])$", re.IGNORECASE
)
_DURATION_CALL = re.compile(
    r"(?:from_|of)(secs|millis|micros|nanos|mins|hours|seconds|minutes|days)(?:_f64)?\((\d[\d_.]*)L?\)", re.IGNORECASE
)
_TIMEDELTA = re.compile(r"timedelta\(\s*(\w+)\s*=\s*([\d_.* ]{1,40})\)")
_GO_DURATION = re.compile(r"(?:time\.)(Nanosecond|Microsecond|Millisecond|Second|Minute|Hour)")
_CALL_UNITS = {
    "secs": 1.0, "seconds": 1.0, "millis": 1e-3, "micros": 1e-6, "nanos": 1e-9, "mins": 60.0, "minutes": 60.0,
    "hours": 3600.0, "days": 86400.0, "milliseconds": 1e-3, "weeks": 604800.0, "microseconds": 1e-6,
}  # fmt: skip
_OPERATORS: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
}


@lru_cache(maxsize=16_384)
def parse(text: str) -> Value:
    """What a literal means. Text that is nothing else is text."""
    text = " ".join(text.strip().split())[:_LONGEST]
    quoted = len(text) >= 2 and text[0] in "\"'`" and text[-1] == text[0]
    inner = text[1:-1] if quoted else text
    lower = inner.strip().lower()
    if lower in _TRUE or lower in _FALSE:
        return Value("flag", 1.0 if lower in _TRUE else 0.0)
    if lower in _NOTHING or re.fullmatch(
        r"(?:\[\s*\]|\{\s*\}|\(\s*\)|none\(\)|list\(\)|dict\(\)|set\(\)|vec!\[\])", lower
    ):
        return Value("nothing", text=lower)
    return _number(inner.strip()) or _sequence(inner) or Value("text", text=inner.strip())


def _is_list(text: str) -> bool:
    """`200,204,301,302,307`: five codes and more, each higher than the one before, are no number with thousands."""
    parts = [int(part) for part in text.split(",") if part.isdecimal()]
    return len(parts) > _MOST_THOUSANDS and parts == sorted(set(parts))


def _number(text: str) -> Value | None:
    found = _QUANTITY.match(text)
    if found:
        return _quantity(float(found[1].replace("_", "").replace(",", "")), found[2])
    suffix = _SUFFIX.match(text)
    if suffix and not text.lower().startswith("0x"):
        text = suffix[1]
    called = _DURATION_CALL.search(text)
    if called:
        return Value("number", float(called[2].replace("_", "")) * _CALL_UNITS[called[1].lower()], dimension="s")
    delta = _TIMEDELTA.search(text)
    if delta and delta[1] in _CALL_UNITS:
        amount = arithmetic(delta[2])
        return Value("number", amount * _CALL_UNITS[delta[1]], dimension="s") if amount is not None else None
    if _GO_DURATION.search(text):
        amount = arithmetic(_GO_DURATION.sub(lambda unit: repr(_TIME[unit[1].lower()]), text))
        return Value("number", amount, dimension="s") if amount is not None else None
    parts = _COMPOUND.findall(text)
    if len(parts) > 1 and "".join(n + u for n, u in parts) == text:
        return Value("number", sum(float(n) * _TIME[u] for n, u in parts), dimension="s")
    if _SEPARATED.fullmatch(text) and not _is_list(text):
        text = text.replace(",", "")
    amount = arithmetic(text)
    return Value("number", amount) if amount is not None else None


def _quantity(amount: float, unit: str) -> Value | None:
    plain = unit if unit in _TIME else unit.lower()
    single = plain[:-1] if len(plain) > 2 and plain.endswith("s") and plain not in _TIME else plain
    if unit == "%":
        return Value("number", amount, dimension="%")
    if unit in ("M", "MB", "Mb"):
        return Value("number", amount * 1024.0**2, dimension="B", text=unit.lower())
    if single in _TIME:
        return Value("number", amount * _TIME[single], dimension="s")
    if single in _SIZE:
        return Value("number", amount * _SIZE[single], dimension="B", text=single)
    return None


def arithmetic(text: str) -> float | None:
    """The number that an expression of literals gives; None for anything else, and for numbers out of all reason."""
    if not text or len(text) > _LONGEST or not re.fullmatch(r"[\d_a-fA-FxXoObB.eE+\-*/()<> ]+", text):
        return None
    try:
        return _evaluate(ast.parse(text.strip(), mode="eval").body, 0)
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError, ZeroDivisionError):
        return None


def _evaluate(node: ast.expr, depth: int) -> float | None:
    if depth > 20:
        return None
    if isinstance(node, ast.Constant):
        value = node.value
        if isinstance(value, bool) or not isinstance(value, int | float):
            return None
        return float(value) if abs(value) < _BIGGEST else None
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        inner = _evaluate(node.operand, depth + 1)
        return None if inner is None else -inner if isinstance(node.op, ast.USub) else inner
    if not isinstance(node, ast.BinOp):
        return None
    left, right = _evaluate(node.left, depth + 1), _evaluate(node.right, depth + 1)
    if left is None or right is None:
        return None
    if isinstance(node.op, ast.LShift | ast.Pow):
        small = 0 <= right <= 64 and abs(left) <= 1024
        return left * 2**right if small and isinstance(node.op, ast.LShift) else left**right if small else None
    action = _OPERATORS.get(type(node.op))
    result = action(left, right) if action else None
    return result if result is not None and abs(result) < _BIGGEST else None


def _sequence(text: str) -> Value | None:
    text = text.removeprefix("vec!").removeprefix("new ").strip()
    if len(text) < 2 or text[0] + text[-1] not in ("[]", "()", "{}") or ":" in text:
        return None
    parts = [part.strip() for part in text[1:-1].split(",") if part.strip()]
    if any(set(part) & set("[](){}") for part in parts):
        return None
    return Value("list", items=tuple(parse(part) for part in parts))


def same(documented: str, actual: str) -> bool | None:
    """True if they are one value, False if they are two, None if that cannot be told."""
    return _same(parse(documented), parse(actual))


def _same(a: Value, b: Value) -> bool | None:
    if a.kind == b.kind:
        if a.kind == "number":
            return _same_number(a, b)
        if a.kind == "flag":
            return a.number == b.number
        if a.kind == "nothing":
            return True
        return _same_list(a, b) if a.kind == "list" else _same_text(a.text, b.text)
    kinds = {a.kind, b.kind}
    if kinds == {"number", "flag"}:
        return True if a.number == b.number else None
    return None


def _same_number(a: Value, b: Value) -> bool | None:
    if a.dimension == b.dimension:
        if _close(a.number, b.number):
            return True
        return a.dimension == "B" and (_decimal(a, b) or _decimal(b, a))
    if a.dimension and b.dimension:
        return None
    plain, measured = (a, b) if not a.dimension else (b, a)
    if measured.dimension == "%":
        return _close(plain.number, measured.number) or _close(plain.number * 100, measured.number)
    scales = set(_TIME.values()) if measured.dimension == "s" else set(_SIZE.values()) | set(_DECIMAL.values())
    exact = any(_close(plain.number * scale, measured.number) for scale in scales)
    return exact or _decimal(measured, plain)


def _decimal(measured: Value, other: Value) -> bool:
    """Some write MB and mean a million bytes."""
    unit = measured.text
    return unit in _DECIMAL and _close(measured.number / _SIZE.get(unit, 1.0) * _DECIMAL[unit], other.number)


def _close(a: float, b: float) -> bool:
    return abs(a - b) <= 1e-13 * max(1.0, abs(a), abs(b))


def _same_list(a: Value, b: Value) -> bool | None:
    if len(a.items) != len(b.items):
        return False
    verdicts = [_same(x, y) for x, y in zip(a.items, b.items, strict=True)]
    return None if None in verdicts else all(verdicts)


_NAME = re.compile(r"^[\w.:\-]+$")
_ENDING = re.compile(
    r"^[\w-]+\.(?:log|txt|csv|md|html?|xml|json5?|ya?ml|toml|ini|cfg|conf|properties|env|lock|pid|sock|db|sqlite3?|sql|lua"
    r"|py|js|ts|rb|sh|php|tmpl|pem|key|crt|cert|cer|p12|jks|zip|gz|tar|jar|png|svg|ico)$"
)
"""What stands last in the name of a file, whatever it is called: `app.log`. Of names in code, that last part is the name."""
_HERE = frozenset({"", "localhost", "0.0.0.0", "127.0.0.1", "::", "::1", "[::]", "[::1]"})  # noqa: S104 - nothing is bound


def _same_text(a: str, b: str) -> bool | None:
    a, b = (t.strip().strip("\"'`").removeprefix("./").rstrip("/") for t in (a, b))
    if a.casefold() == b.casefold():
        return True
    if ("." in a + b or "::" in a + b or "-" in a + b) and all(_NAME.match(t) for t in (a, b)):
        last = [re.split(r"[.:]+", t)[-1].casefold().replace("-", "_") for t in (a, b)]
        if last[0] == last[1] and not _is_elsewhere(a, b):
            return True
    return False if a and b else None


def _is_elsewhere(a: str, b: str) -> bool:
    """Two that end alike and are not one all the same: files (`app.log`, `tool.log`), versions, a port of two machines."""
    if a.endswith(b) or b.endswith(a):
        return False
    if re.search(r"(?:^|[.:])\d+$", a):
        hosts = {text.rpartition(":")[0] for text in (a, b)}
        return not (":" in a and ":" in b and hosts <= _HERE)
    return _ENDING.match(a) is not None and _ENDING.match(b) is not None


def is_plain(text: str) -> bool:
    """A value that stands for itself: no call, no expansion, no placeholder."""
    return bool(text) and not re.search(r"[$<>{}|…]|\.\.\.|\w\(", text) and len(text) <= 100


def rewritten(documented: str, actual: str) -> str | None:
    """The actual value in the spelling of the documented one: the quotes, case and unit style that the docs use."""
    old, new = parse(documented), parse(actual)
    if old.kind == new.kind == "flag":
        return _flag_like(documented, bool(new.number))
    if old.kind == new.kind == "number":
        return _number_like(documented, old, new, actual)
    if new.kind == "text" and old.kind == "text":
        quote = documented[0] if documented[:1] in "\"'" and documented[:1] == documented[-1:] else ""
        return f"{quote}{actual.strip(chr(34) + chr(39))}{quote}" if is_plain(actual) else None
    return None


def _flag_like(documented: str, value: bool) -> str | None:
    for true, false in (
        ("true", "false"),
        ("yes", "no"),
        ("on", "off"),
        ("enabled", "disabled"),
        ("enable", "disable"),
    ):
        bare = documented.strip("\"'`")
        if bare.lower() in (true, false):
            word = true if value else false
            word = (
                word.upper() if bare.isupper() and len(bare) > 2 else word.capitalize() if bare[:1].isupper() else word
            )
            return documented.replace(bare, word)
    return None


def _number_like(documented: str, old: Value, new: Value, actual: str) -> str | None:
    found = re.search(r"[+-]?\d[\d_,]*(?:\.\d+)?", documented)
    if (
        found is None
        or not re.fullmatch(r"[\s\"'`]*[a-zA-Zµ%\s\"'`]*", documented[: found.start()] + documented[found.end() :])
        or "e" in documented[:2]
    ):
        return None
    if re.match(r"^[xXeE]", documented[found.end() :]):
        return None
    amount = new.number
    if old.dimension and new.dimension and old.dimension == new.dimension:
        before = float(found[0].replace("_", "").replace(",", ""))
        unit = old.number / before if before else 0.0
        amount = new.number / unit if unit else new.number
    elif old.dimension != new.dimension:
        alone = documented.strip("\"'`") == found[0]
        return (
            actual if alone and not re.search(r"[(*<]", actual) else None
        )  # code that works it out is no text of a manual
    if abs(amount - round(amount)) > 1e-9:
        written = repr(round(amount, 6))
    elif "," in found[0]:
        written = f"{round(amount):,}"
    elif "_" in found[0]:
        written = f"{round(amount):_}"
    else:
        written = f"{amount:.1f}" if "." in found[0] else str(round(amount))
    return documented[: found.start()] + written + documented[found.end() :]
