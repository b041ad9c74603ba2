"""The command line: what can be said, and where it is carried out. Nothing heavy is imported before it is needed."""

from __future__ import annotations

import argparse
import atexit
import errno
import gc
import importlib
import os
import signal
import sys
from collections.abc import Callable, Sequence
from types import FrameType, ModuleType
from typing import NoReturn, cast

from docalign_actors.errors import DocAlignError, NothingToScanError, UsageError

_MODULES = {
    "scan": "scan", "fix": "fix", "baseline": "baseline", "explain": "rules", "rules": "rules", "doctor": "doctor", "init": "init",
    "github": "service.github", "demo": "demo", "agent": "agent", "app": "service.apps",
    "scans": "service.scans", "request": "service.scans", "cancel": "service.scans",
}  # fmt: skip
_SERVICE = "service.commands"
_SCANNING = frozenset({"scan", "fix", "baseline"})
"""Commands that load the engine."""
_NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EIO})


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs a command and exits: 0 clean, 1 findings, 2 misuse or an error of ours, 3 nothing to scan, 130 interrupted."""
    said = list(sys.argv[1:] if arguments is None else arguments)
    try:
        _main(said)
    except SystemExit as leaving:
        if arguments is None and said and said[0] in _SCANNING and isinstance(leaving.code, int):
            _leave(leaving.code)
        raise


def _leave(code: int) -> NoReturn:
    """Ends the process without taking apart, object by object, what the kernel takes back at once."""
    atexit._run_exitfuncs()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:
        code = code or 2  # as the interpreter would say it
    os._exit(code)


def _main(said: list[str]) -> NoReturn:
    _open_what_is_closed()
    signal.signal(signal.SIGINT, _interrupter(os.getpid()))  # before anything that takes a while
    from docalign_actors.cli.arguments import parser, request_parser

    if not said:
        parser().print_help(sys.stderr)
        sys.exit(2)
    try:
        asks = said[:2] == ["scan", "request"]
        given = request_parser().parse_args(said[2:]) if asks else parser(said[0]).parse_args(said)
        sys.exit(_run(given))
    except NothingToScanError as error:
        _tell(error)
        sys.exit(3)
    except DocAlignError as error:
        _tell(error)
        sys.exit(2)
    except BrokenPipeError:
        _forget_output()  # whoever read it has seen enough
        sys.exit(128 + signal.SIGPIPE)
    except Exception as error:
        if os.environ.get("DOCALIGN_DEBUG"):
            raise
        if isinstance(error, OSError) and error.errno in _NO_ROOM and error.filename is None:
            _forget_output()
            error = UsageError(
                f"Standard output cannot be written: {error.strerror}.", hint="Make room, or use --output."
            )
        _tell(error if isinstance(error, DocAlignError) else _internal(error))
        sys.exit(2)


def _open_what_is_closed() -> None:
    """Whoever starts us may have closed standard output or error: what is said there is said to nobody."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115 - as long as the process lives


def _forget_output() -> None:
    """Python would complain once more when it closes standard output."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _interrupter(main: int) -> Callable[[int, FrameType | None], None]:
    """Ctrl-C ends everything at once. Raised as an exception it could be lost: in a destructor, or in the midst of a fork."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        if os.getpid() == main:
            # Whoever started a process has loaded what it takes.
            if "docalign_actors.engine.helper" in sys.modules:
                sys.modules["docalign_actors.engine.helper"].end_all()
            if "multiprocessing" in sys.modules:
                for child in sys.modules["multiprocessing"].active_children():
                    child.kill()
            os.write(sys.stderr.fileno(), b"\ninterrupted\n")
        os._exit(130)

    return interrupt


def _run(given: argparse.Namespace) -> int:
    if given.command not in _SCANNING:
        return _carry_out(given)
    if given.command == "scan":
        from docalign_actors.cli.printouts import print_again, printout_of

        given.printout = printout_of(given)
        known = given.printout and print_again(given.printout)
        if known is not None:
            return known
    from docalign_actors.persistence.diskcache import default_directory
    from docalign_actors.persistence.patterns import kept_patterns

    # A scan makes many objects, keeps nearly all of them to its end, and makes hardly a cycle.
    gc.set_threshold(200_000, 50, 50)
    with kept_patterns("" if given.no_cache else os.fspath(default_directory())):
        _load_structs()
        return _carry_out(given)


def _load_structs() -> None:
    """Loads msgspec without `typing_extensions`, which it prefers where it is there: a long module, and nothing in it is needed."""
    name = "typing_extensions"
    if name in sys.modules:
        return
    sys.modules[name] = cast(ModuleType, None)  # this is how an import is told to fail
    try:
        import msgspec  # noqa: F401
    finally:
        del sys.modules[name]


def _carry_out(given: argparse.Namespace) -> int:
    module = importlib.import_module(f"docalign_actors.cli.{_MODULES.get(given.command, _SERVICE)}")
    code: int = getattr(module, f"run_{given.command}")(given)
    sys.stdout.flush()
    return code


def _internal(error: Exception) -> DocAlignError:
    where = error.__traceback__
    while where and where.tb_next:
        where = where.tb_next
    place = f"{os.path.basename(where.tb_frame.f_code.co_filename)}:{where.tb_lineno}" if where else "?"
    return UsageError(
        f"docalign itself failed: {type(error).__name__} at {place}: {str(error)[:200]}",
        hint="This is a defect of docalign. Set DOCALIGN_DEBUG=1 to see where, and report it.",
    )


def _tell(error: DocAlignError) -> None:
    print(f"error[{error.code}]: {error}\n  help: {error.hint}", file=sys.stderr)
