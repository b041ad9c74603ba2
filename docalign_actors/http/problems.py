"""Errors as clients see them: RFC 9457 problem documents, with our code and what to do. Never a stack trace."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec import Struct
from starlette.responses import Response

from docalign_actors import errors as base
from docalign_actors.applications import errors as apps
from docalign_actors.errors import DocAlignError
from docalign_actors.http import errors
from docalign_actors.watch.errors import BadCredentialsError, BadScheduleError

MEDIA_TYPE = "application/problem+json"
RETRY_SECONDS = 2


class Problem(Struct, frozen=True):
    """What went wrong. `code` is for programs, `detail` and `hint` are for people, `trace` finds it in the log."""

    code: str
    title: str
    detail: str
    hint: str
    status: int
    trace: str
    type: str = "about:blank"


_STATUS: dict[type[DocAlignError], int] = {
    base.UsageError: 400,
    base.UnknownRepositoryError: 404,
    base.UnknownScanError: 404,
    base.StateConflictError: 409,
    base.ScanLimitError: 429,
    base.BadRepositoryUrlError: 422,
    base.BadRevisionError: 422,
    base.BadSuppressionError: 422,
    BadScheduleError: 422,
    BadCredentialsError: 422,
    base.DatabaseError: 503,
    base.ConstraintError: 409,
    apps.BadApplicationError: 422,
    apps.BadSubscriptionError: 422,
    errors.BadRequestError: 400,
    errors.BadBodyError: 422,
    errors.NotSignedInError: 401,
    errors.NotAllowedError: 403,
    errors.NotSignedError: 401,
    errors.ForgedRequestError: 403,
    errors.TooLargeError: 413,
    errors.AddressTooLongError: 414,
    errors.HeadTooLargeError: 431,
    errors.NotHttpError: 400,
    errors.WrongMediaTypeError: 415,
    errors.WrongMethodError: 405,
    errors.TooManyAttemptsError: 429,
    errors.WrongHostError: 421,
    errors.SlowRequestError: 408,
    errors.UnknownAddressError: 404,
    errors.UnknownActorError: 404,
    errors.UnknownSuppressionError: 404,
    errors.UnknownPauseError: 404,
    errors.BusyError: 503,
    errors.NoAnswerError: 503,
    errors.NoKeysError: 503,
}

_STATUS_OF_CODE = {
    "DOCALIGN_E404": 404,
    "DOCALIGN_E407": 503,
    **dict.fromkeys((f"DOCALIGN_E60{n}" for n in (1, 2, 3)), 503),
}
"""For errors of parts that this one does not import."""


def status_of(error: DocAlignError | type[DocAlignError]) -> int:
    """The HTTP status of an error: that of its nearest class in the table."""
    kind = error if isinstance(error, type) else type(error)
    for one in kind.__mro__:
        if one in _STATUS:
            return _STATUS[one]
    return _STATUS_OF_CODE.get(kind.code, 500)


def problem_of(error: DocAlignError, trace: str) -> Problem:
    """The document of an error."""
    title = (type(error).__doc__ or "").strip().splitlines()[0]
    # What the database said may name files and addresses of this machine: it goes to the log.
    detail = title if isinstance(error, base.DatabaseError) else str(error)
    return Problem(error.code, title, detail, error.hint, status_of(error), trace)


def respond(error: DocAlignError, trace: str, headers: Mapping[str, str] | None = None) -> Response:
    """The response that says so."""
    problem = problem_of(error, trace)
    sent = dict(headers or {})
    if problem.status == 401:
        sent["WWW-Authenticate"] = 'Bearer realm="docalign"'
    if problem.status == 503:
        sent.setdefault("Retry-After", str(RETRY_SECONDS))
    if problem.status == 429:
        sent.setdefault("Retry-After", "60")
    if problem.status in (408, 413):  # the rest of the body may never end
        sent["Connection"] = "close"
    return Response(msgspec.json.encode(problem), problem.status, sent, MEDIA_TYPE)
