"""What can go wrong between actors, as the sender sees it."""

from docalign_actors.errors import DocAlignError


class NotAccepting(DocAlignError):  # noqa: N818 - the name says what the system does, as the other sides use it
    """The service takes no more work at this moment."""

    code = "DOCALIGN_E601"
    hint = "Try again in a few seconds; if it goes on, look at `docalign ps` for the mailbox that is full."


class AskTimeout(DocAlignError):  # noqa: N818
    """The answer did not come in time."""

    code = "DOCALIGN_E602"
    hint = "Try again; `docalign ps` shows what the actor is busy with."


class ActorEnded(DocAlignError):  # noqa: N818
    """The actor ended before it answered."""

    code = "DOCALIGN_E603"
    hint = "Try again in a few seconds: it is started anew unless the service is stopping."


class UnknownActor(DocAlignError):  # noqa: N818
    """There is no actor of this name."""

    code = "DOCALIGN_E604"
    hint = "`docalign ps` lists the actors that there are."


class Fenced(DocAlignError):  # noqa: N818
    """This incarnation was given up: another one has taken its place, so it must not touch anything any more."""

    code = "DOCALIGN_E605"
    hint = "Look at the incident for the handler that ran past its deadline."


class AskRefused(RuntimeError):  # noqa: N818
    """A question that would wait for one who may be waiting for the asker: a mistake in the program."""


class NameTaken(RuntimeError):  # noqa: N818
    """There is an actor of this name already: a mistake in the program."""


class ActorFailure(RuntimeError):  # noqa: N818
    """Carries a handler's error out to Pykka, which ends the actor's loop. Also stands for what must not reach
    Pykka as it is: a CancelledError, SystemExit or KeyboardInterrupt would make it stop every actor."""


def describe(error: BaseException) -> str:
    """The error in one line."""
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}"[:500] if text else type(error).__name__
