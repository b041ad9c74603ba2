"""Log lines through loguru: one JSON object a line for machines, or plain text for people. What libraries log ends here too."""

import logging
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Literal, TextIO

import msgspec
from loguru import logger

from docalign_actors.telemetry import events
from docalign_actors.telemetry.stream import EventStream
from docalign_actors.telemetry.trace import stamp

if TYPE_CHECKING:
    from loguru import Message, Record

Format = Literal["json", "console"]

_CONSOLE = "{time:HH:mm:ss.SSS} {level: <7} {extra[actor]: <24} {message} {extra[trace]}"


class _Redirect(logging.Handler):
    """Passes what libraries log through the standard library on to loguru."""

    def emit(self, record: logging.LogRecord) -> None:
        try:
            level: str | int = logger.level(record.levelname).name
        except ValueError:
            level = record.levelno
        logger.opt(exception=record.exc_info).bind(logger=record.name).log(level, "{}", record.getMessage())


def json_line(record: "Record") -> str:
    """The record as one line of JSON: fixed fields first, then everything that was bound."""
    line: dict[str, object] = {
        "at": record["time"].isoformat(),
        "level": record["level"].name,
        "message": record["message"],
        "module": record["name"],
    }
    line.update({str(key): value for key, value in record["extra"].items() if value != ""})
    if (failure := record["exception"]) is not None and failure.value is not None:
        line["error"] = f"{type(failure.value).__name__}: {failure.value}"
    return msgspec.json.encode(line, enc_hook=repr).decode()


def configure(form: Format = "console", level: str = "INFO", sink: TextIO | None = None) -> None:
    """Send all log lines of the process to `sink` (standard error unless told otherwise), and nowhere else."""
    out = sink or sys.stderr

    def write_json(message: "Message") -> None:
        out.write(json_line(message.record) + "\n")
        out.flush()

    logger.remove()
    logger.configure(extra={"trace": "", "actor": ""}, patcher=stamp)
    if form == "json":
        logger.add(write_json, level=level, format="{message}", backtrace=False, diagnose=False)
    else:
        logger.add(out, level=level, format=_CONSOLE, backtrace=False, diagnose=False)
    logging.basicConfig(handlers=[_Redirect()], level=level, force=True)


def log_events(stream: EventStream) -> Callable[[], None]:
    """Write a line for each event that an operator wants to read; returns what ends it."""
    return stream.subscribe(_log, events.Event)


def _log(event: msgspec.Struct) -> None:
    match event:
        case events.ActorFailed(name=name, kind=kind, error=error, trace=trace, stack=stack):
            bound = logger.bind(actor=name, trace=trace, stack=stack)
            bound.error("{} failed on {}: {}", name, kind or "no message", error)
        case events.ActorRestarted(name=name, delay=delay, restarts=restarts):
            logger.bind(actor=name).warning("{} is restarted in {:.1f} s (restart {})", name, delay, restarts)
        case events.ActorFenced(name=name, kind=kind, seconds=seconds, stack=stack):
            logger.bind(actor=name, stack=stack).error("{} was given up: {} ran for {:.0f} s", name, kind, seconds)
        case events.MessageQuarantined(name=name, kind=kind, times=times, error=error):
            logger.bind(actor=name).error("{} failed {} times and is quarantined: {}", kind, times, error)
        case events.DeadLetter(name=name, kind=kind, reason=reason, trace=trace):
            logger.bind(actor=name, trace=trace).debug("nobody handled {} for {}: {}", kind, name, reason)
        case events.Escalated(name=name, reason=reason):
            logger.bind(actor=name).critical("{} is given up: {}", name, reason)
        case events.SystemStopped(left=left) if left:
            logger.error("stopped, but {} did not end in time", ", ".join(left))
        case _:
            pass
