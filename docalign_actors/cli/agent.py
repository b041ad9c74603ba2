"""`docalign agent`: the other side of the task queue, and the workflow that runs it at GitHub."""

from __future__ import annotations

import argparse
import os
import shlex
import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from docalign_actors import __version__
from docalign_actors.errors import UsageError

if TYPE_CHECKING:
    from docalign_actors.agent.models import Model

TOKEN, GIT_TOKEN = "DOCALIGN_AGENT_TOKEN", "DOCALIGN_GIT_TOKEN"


def add_agent_commands(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """What can be said to it."""
    about = "Do agent tasks: what code cannot decide, a model does."
    agent = commands.add_parser("agent", help="do agent tasks with a model", description=about)
    actions = agent.add_subparsers(dest="action", metavar="ACTION", required=True)
    _run(actions.add_parser(
        "run", help="claim tasks, have a model answer them, hand the answers in", epilog=_EXIT_CODES,
        description="Claim tasks, have a model answer them, check the answers and hand them in. The token comes from "
        f"${TOKEN} or --token-file; a token for git, if the repositories ask for one, from ${GIT_TOKEN}.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    ))  # fmt: skip
    actions.add_parser(
        "workflow", help="print a GitHub workflow that runs an agent",
        description="Print a GitHub workflow that runs an agent when the service says that there is work.",
    )  # fmt: skip


_EXIT_CODES = """\
exit codes:
  0  what was claimed is done, or there was nothing to do
  1  a task could not be done; it was given back with the reason
  2  misuse, or the service refuses the token
  3  the service cannot be reached (with --once)
"""


def _run(run: argparse.ArgumentParser) -> None:
    run.add_argument("--server", required=True, metavar="URL", help="the service's address")
    model = run.add_mutually_exclusive_group(required=True)
    model.add_argument(
        "--command",
        dest="model_command",
        metavar="COMMAND",
        help="reads the prompt on standard input, writes the answer",
    )
    model.add_argument(
        "--endpoint", metavar="URL", help="an OpenAI-compatible endpoint, such as http://127.0.0.1:11434/v1"
    )
    run.add_argument("--model", default="", metavar="NAME", help="the endpoint's model")
    run.add_argument(
        "--key-variable",
        default="OPENAI_API_KEY",
        metavar="NAME",
        help="where the endpoint's key is (default: OPENAI_API_KEY)",
    )
    run.add_argument(
        "--env",
        action="append",
        default=[],
        metavar="NAME",
        help="a variable that the command is to see; may be repeated",
    )
    run.add_argument("--token-file", type=Path, metavar="FILE", help=f"where the token is (default: ${TOKEN})")
    run.add_argument(
        "--task", action="append", default=[], metavar="COMMAND", help="only tasks of this command; may be repeated"
    )
    run.add_argument("--worker", default="", metavar="NAME", help="who this is (default: host and process)")
    run.add_argument("--once", action="store_true", help="stop when there is nothing left to do")
    run.add_argument("--concurrency", type=int, default=1, metavar="N", help="tasks at once, 1 to 32 (default: 1)")
    run.add_argument(
        "--lease",
        type=int,
        default=120,
        metavar="SECONDS",
        help="after which a task of an agent that died is free (default: 120)",
    )
    run.add_argument("--timeout", type=float, default=300.0, metavar="SECONDS", help="for one answer (default: 300)")
    run.add_argument("--max-tasks", type=int, default=0, metavar="N", help="stop after so many")
    run.add_argument("--max-tokens", type=int, default=0, metavar="N", help="claim nothing more after about so many")
    run.add_argument(
        "--max-answer", type=int, default=4_000, metavar="TOKENS", help="of an endpoint's answer (default: 4000)"
    )
    run.add_argument(
        "--max-prompt", type=int, default=80_000, metavar="CHARACTERS", help="of a prompt (default: 80000)"
    )
    run.add_argument(
        "--max-failures",
        type=int,
        default=5,
        metavar="N",
        help="stop when the model fails so often in a row (default: 5)",
    )
    run.add_argument(
        "--work-dir",
        type=Path,
        metavar="DIR",
        help="where repositories are put for the time being (default: the system's)",
    )
    run.add_argument(
        "--no-checkout", action="store_true", help="fetch no repository; the model sees what stands in the task"
    )


def run_agent(given: argparse.Namespace) -> int:
    if given.action == "workflow":
        from docalign_actors.agent.workflow import workflow

        sys.stdout.write(workflow(__version__))
        return 0
    return _work(given)


def _work(given: argparse.Namespace) -> int:
    import socket

    from docalign_actors.agent.checkout import Checkouts
    from docalign_actors.agent.running import Agent, Limits, say_to_stderr
    from docalign_actors.agent.work import Worker
    from docalign_actors.client import TaskClient
    from docalign_actors.contracts import COMMANDS

    _check(given, COMMANDS)
    model = _model(given)
    worker = given.worker or f"{socket.gethostname()[:60]}:{os.getpid()}"
    try:
        client = TaskClient(given.server, _token(given), worker=worker)
    except ValueError as error:
        raise UsageError(f"--server: {error}.") from None
    if given.work_dir is not None and not given.work_dir.is_dir():
        raise UsageError(f"--work-dir: there is no folder {given.work_dir}.")
    checkouts = Checkouts(given.work_dir, os.environ.get(GIT_TOKEN, ""))
    limits = Limits(given.concurrency, given.lease, given.once, given.max_tasks, given.max_tokens, given.max_failures)
    try:
        hands = Worker(client, model, checkouts, fetch=not given.no_checkout, most_prompt=given.max_prompt)
        agent = Agent(client, hands, given.task or COMMANDS, limits, say_to_stderr)
        _heed_signals(agent.stop)
        say_to_stderr(f"claiming {', '.join(given.task or COMMANDS)} at {_shown(given.server)} as {worker}")
        return agent.run()
    finally:
        checkouts.close()


def _check(given: argparse.Namespace, commands: tuple[str, ...]) -> None:
    bounds = {
        "concurrency": (1, 32), "lease": (3, 3_600), "timeout": (1, 3_600), "max_tasks": (0, 10**9), "max_tokens": (0, 10**12),
        "max_answer": (1, 10**6), "max_prompt": (8_000, 10**7), "max_failures": (0, 10**6),
    }  # fmt: skip
    for name, (least, most) in bounds.items():
        if not least <= getattr(given, name) <= most:
            raise UsageError(f"--{name.replace('_', '-')} must be from {least:,} to {most:,}.")
    for task in given.task:
        if task not in commands:
            raise UsageError(f"--task: this agent does {' and '.join(commands)}, not {task!r}.")
    if given.endpoint and not given.model:
        raise UsageError("--endpoint needs --model.")
    for name in given.env:
        if name.startswith("DOCALIGN_"):
            raise UsageError(f"--env: {name} is not for the model.")


def _model(given: argparse.Namespace) -> Model:
    from docalign_actors.agent.models import CommandModel, EndpointModel
    from docalign_actors.agent.processes import environment_for

    most = 4 * 2**20
    if given.endpoint:
        if urlsplit(given.endpoint).scheme not in ("http", "https"):
            raise UsageError("--endpoint must be an http or https address.")
        key = os.environ.get(given.key_variable, "")
        return EndpointModel(
            given.endpoint, given.model, key, seconds=given.timeout, most=most, most_tokens=given.max_answer
        )  # fmt: skip
    try:
        command = shlex.split(given.model_command)
    except ValueError as error:
        raise UsageError(f"--command cannot be read: {error}.") from None
    program = shutil.which(command[0]) if command else None
    if program is None:
        raise UsageError(f"--command: there is no program {command[0] if command else ''!r}.")
    # It runs in the repository's folder: a path of ours must not lead to a file of the repository's.
    absolute = [os.path.abspath(program), *command[1:]]
    return CommandModel(absolute, environment_for(os.environ, given.env), seconds=given.timeout, most=most)


def _token(given: argparse.Namespace) -> str:
    if given.token_file is None:
        token = os.environ.get(TOKEN, "").strip()
    else:
        try:
            token = given.token_file.read_text(encoding="ascii").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(
                f"--token-file cannot be read: {getattr(error, 'strerror', None) or 'it is not text'}."
            ) from None
    if not token or not token.isascii() or not token.isprintable() or " " in token:
        raise UsageError(
            f"There is no token in ${TOKEN} or --token-file.", hint="`docalign token create --role worker` makes one."
        )
    return token


def _heed_signals(stop: Callable[[str], None]) -> None:
    """The first time it gives back what it is at; the second time it ends at once."""
    seen: list[int] = []

    def told(number: int, frame: FrameType | None) -> None:
        if seen:
            os._exit(128 + number)
        seen.append(number)
        stop(signal.Signals(number).name)

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, told)


def _shown(server: str) -> str:
    parts = urlsplit(server)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"
