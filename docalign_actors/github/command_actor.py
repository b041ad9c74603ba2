"""The commander: carries out what people ask for in comments. Decides nothing: `deciding.decide` does.

It never speaks to GitHub. What has to be known of it is in the row before a command comes here, and what is to be told is in
the row when it leaves; the installation's actor does both. Every command may be carried out twice: what follows from it is done
once, under the command's own name.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from loguru import logger
from msgspec import Struct
from msgspec.structs import replace

from docalign_actors.clock import Clock
from docalign_actors.errors import DocAlignError, ScanLimitError, UnknownRepositoryError, UnknownScanError
from docalign_actors.github import commands, replies
from docalign_actors.github.answering import Given
from docalign_actors.github.book import CommandBook, Ended, Stored
from docalign_actors.github.deciding import AskFix, Decision, Facts, StartFull, StartScan, decide
from docalign_actors.github.messages import INSTALLATIONS, Tell
from docalign_actors.github.ports import FixDesk, PullToRescan
from docalign_actors.github.pull_scans import PullScans
from docalign_actors.github.telemetry import CommandAnswered
from docalign_actors.scans.model import RunId
from docalign_actors.scans.triggers import TriggerService
from docalign_actors.supervision.actor import Actor
from docalign_actors.telemetry.stream import EventStream

NAME = "github-commands"
_AT_ONCE = 20
_ANSWER = 10.0
_ATTEMPTS = 8
_LOOK_AGAIN = 15.0
"""Seconds: the net under every message that could have been lost."""


class CarryOut(Struct, frozen=True, tag="github.carry_out"):
    """A command may be ready, or a scan that one waits for may have ended."""


class CommandParts(Struct, frozen=True):
    """What the commander works with."""

    book: CommandBook
    triggers: TriggerService
    scans: PullScans
    clock: Clock
    events: EventStream
    fixes: FixDesk | None = None
    """None: `fix` is not available."""
    rule_summary: Callable[[str], str] = lambda rule: ""
    public_url: str = ""


class CommandActor(Actor):
    """One command after another."""

    def __init__(self, parts: CommandParts) -> None:
        super().__init__()
        self._parts = parts
        self._book = parts.book

    def started(self) -> None:
        self.context.tell_self(CarryOut())

    def receive(self, message: object) -> None:
        if not isinstance(message, CarryOut) or self.context.draining:
            return
        ready = self._book.ready(_AT_ONCE)
        for given in ready:
            self._safely(given, self._carry_out)
        for ended in self._book.ended(_AT_ONCE):
            self._say_how_it_ended(ended)
        for given in self._book.to_rescan(_AT_ONCE):
            self._safely(given, self._rescan)
        for pull in self._book.pulls_to_rescan(_AT_ONCE):
            self._look_again(pull)
        if ready:  # the next of the same repository may be ready now
            self.context.tell_self(CarryOut())
        else:
            self.context.after(_LOOK_AGAIN, CarryOut(), key="look")

    def _safely(self, given: Given, work: Callable[[Given], None]) -> None:
        self.context.check()
        try:
            work(given)
        except (DocAlignError, TimeoutError) as error:
            said = f"{error}" or "There was no answer in time."
            logger.warning("{} of {}#{}: {}", given.source_name, given.full_name, given.number, said)
            delay = timedelta(seconds=2.0**given.attempts) if given.attempts + 1 < _ATTEMPTS else None
            self._book.put_off(given, said, delay)
            self.context.after(2.0**given.attempts, CarryOut(), key="again")

    def _carry_out(self, given: Given) -> None:
        decision = decide(given, self._facts(given))
        match decision.effect:
            case StartScan(base=base, head=head):
                self._start(
                    given,
                    lambda: self._parts.scans.ask(given.repo_id, given.number, base, head, _once(given), _user(given)),
                )
            case StartFull():
                self._start(given, lambda: self._full(given))
            case AskFix(findings=findings):
                self._ask_fix(given, findings)
            case stored:
                for run in self._answer(given, decision, stored):
                    self._end_scan(run, given)

    def _facts(self, given: Given) -> Facts:
        asked = given.asked
        ids: tuple[str, ...] = ()
        match asked:
            case commands.Fix(ids=several):
                ids = several
            case (
                commands.Ignore(id=one)
                | commands.Unignore(id=one)
                | commands.Explain(id=one)
                | commands.Dismiss(id=one)
            ):
                ids = (one,)
        facts = self._book.facts(given, ids, self._parts.clock.now())
        rule = facts.findings[0].rule if facts.findings and isinstance(asked, commands.Explain) else ""
        summary = self._parts.rule_summary(rule) if rule else ""
        return replace(facts, can_fix=self._parts.fixes is not None, rule_summary=summary)

    def _start(self, given: Given, ask: Callable[[], RunId | None]) -> None:
        try:
            run = ask()
        except ScanLimitError as refused:
            self._answer(given, Decision("refused", replies.limited(f"{refused} {refused.hint}")))
            return
        except UnknownRepositoryError:
            self._answer(given, Decision("refused"))
            return
        if run is None:  # somebody paused it just now: its check says so
            self._answer(given, Decision("refused"))
            return
        self._book.wait_for(given, run)

    def _full(self, given: Given) -> RunId:
        return self._parts.triggers.enqueue_full_scan(given.repo_id, delivery=_once(given), user=_user(given)).result(
            _ANSWER
        )

    def _ask_fix(self, given: Given, findings: tuple[str, ...]) -> None:
        if self._parts.fixes is not None:
            # Asked before under this name: then this is the second time round after a crash.
            number = given.number if given.pull else None
            self._parts.fixes.ask_fix(given.repo_id, number, findings, given.author, given.source_name)
        self._book.wait_for(given, None)

    def _end_scan(self, run: RunId, given: Given) -> None:
        try:
            self._parts.triggers.cancel_scan(run, f"paused by {given.author}")
        except UnknownScanError:
            return

    def _say_how_it_ended(self, ended: Ended) -> None:
        given = ended.given
        if isinstance(given.asked, commands.Fix):
            failed = ended.fix in ("nothing", "failed")
            reply = replies.fixed(ended.fix, ended.error, ended.pull)
            self._answer(given, Decision("refused" if failed else "started", reply))
        elif ended.status in ("completed", "partial") or ended.superseded:
            link = f"{self._parts.public_url}/scans/{ended.run}" if self._parts.public_url and ended.run else ""
            full = isinstance(given.asked, commands.Full)
            reply = replies.full_done(ended.findings, ended.checked, link) if full else ""
            self._answer(given, Decision("started", reply))
        else:
            self._answer(given, Decision("refused", replies.failed(ended.status, ended.code, ended.error)))

    def _rescan(self, given: Given) -> None:
        """What a command changed is seen in the checks at once. A limit is what the check says then."""
        asked, user = given.asked, _user(given)
        try:
            if isinstance(asked, commands.Resume) and asked.repository:
                self._full(given)
                for pull in self._book.open_pulls(given.repo_id):
                    once = (_once(given)[0], f"{given.source_name}/{pull.number}")
                    self._parts.scans.ask(given.repo_id, pull.number, pull.base_ref, pull.head_sha, once, user)
            elif given.head_sha:
                self._parts.scans.ask(given.repo_id, given.number, given.base_ref, given.head_sha, _once(given), user)
        except (ScanLimitError, UnknownRepositoryError) as error:
            logger.info("{} of {}: {}", given.source_name, given.full_name, error)
        self._book.rescanned(given)
        self.context.tell(f"{INSTALLATIONS}/{given.installation}", Tell())

    def _look_again(self, pull: PullToRescan) -> None:
        """What was changed on the pages or over the API is seen in the checks at once, as after a command."""
        self.context.check()
        try:
            if pull.open:
                self._parts.scans.ask(pull.repo_id, pull.number, pull.base_ref, pull.head_sha, user=pull.author)
        except (ScanLimitError, UnknownRepositoryError) as error:
            logger.info("pull request {} of repository {}: {}", pull.number, pull.repo_id, error)
        except (DocAlignError, TimeoutError) as error:  # it is tried again at the next look
            logger.warning("pull request {} of repository {}: {}", pull.number, pull.repo_id, error)
            return
        self._book.pull_rescanned(pull)
        self.context.tell(f"{INSTALLATIONS}/{pull.installation}", Tell())

    def _answer(self, given: Given, decision: Decision, effect: Stored | None = None) -> list[RunId]:
        stopped = self._book.answer(given, decision.result, decision.reply, effect, rescan=decision.rescan)
        self._parts.events.publish(CommandAnswered(_name(given), decision.result))
        self.context.tell(f"{INSTALLATIONS}/{given.installation}", Tell())
        return stopped


def _once(given: Given) -> tuple[str, str]:
    """Under which a scan that a command asks for is asked for once."""
    return ("github-command", f"{given.repo_id}/{given.source_name}")


def _user(given: Given) -> str:
    return f"github:{given.author}"


def _name(given: Given) -> str:
    return str(type(given.asked).__struct_config__.tag)
