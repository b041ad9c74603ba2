"""What can be wrong with a request. Each says what to do, none repeats what the client sent in full."""

from __future__ import annotations

from docalign_actors.errors import DocAlignError


class BadRequestError(DocAlignError):
    """The request is malformed."""

    code = "DOCALIGN_E420"
    hint = "GET /openapi.json says what each route takes."


class BadBodyError(BadRequestError):
    """The body does not fit what this route takes."""

    code = "DOCALIGN_E421"


class NotSignedInError(DocAlignError):
    """This needs a token."""

    code = "DOCALIGN_E422"
    hint = "Send `Authorization: Bearer <token>`; `docalign token create` makes one."


class NotAllowedError(DocAlignError):
    """The role of this token does not allow that."""

    code = "DOCALIGN_E423"
    hint = "Use a token with a role that does; `docalign token create --role ROLE` makes one."


class ForgedRequestError(DocAlignError):
    """This request does not come from a page of this service."""

    code = "DOCALIGN_E424"
    hint = "Load the page again and repeat what you did there; programs use a bearer token."


class TooLargeError(DocAlignError):
    """The body is larger than this route takes."""

    code = "DOCALIGN_E425"
    hint = "Send less at once."


class HeadTooLargeError(DocAlignError):
    """The address and the headers of this request are larger than any that this service needs."""

    code = "DOCALIGN_E425"
    hint = "Send fewer or shorter headers."


class NotHttpError(DocAlignError):
    """This is no request of HTTP/1.1."""

    code = "DOCALIGN_E420"
    hint = "Speak plain HTTP to this address; https is the business of a proxy before it."


class AddressTooLongError(TooLargeError):
    """The address of this request is longer than any that this service has."""


class WrongMediaTypeError(DocAlignError):
    """The body is not of a type that this route takes."""

    code = "DOCALIGN_E426"
    hint = "Send JSON, uncompressed, with `Content-Type: application/json`."


class WrongMethodError(DocAlignError):
    """This address does not know that method."""

    code = "DOCALIGN_E427"
    hint = "The `Allow` header says which ones it knows."


class TooManyAttemptsError(DocAlignError):
    """Too many attempts to sign in have failed."""

    code = "DOCALIGN_E428"
    hint = "Wait for a minute, then use a token that is right."
    retryable = True


class WrongHostError(DocAlignError):
    """This service does not go by that name."""

    code = "DOCALIGN_E429"
    hint = "Add the name to http.allowed_hosts in the settings, if it is right."


class SlowRequestError(DocAlignError):
    """The body did not arrive in time."""

    code = "DOCALIGN_E430"
    hint = "Send the request again on a better connection."
    retryable = True


class UnknownAddressError(DocAlignError):
    """There is nothing at this address."""

    code = "DOCALIGN_E404"
    hint = "GET /openapi.json lists all addresses."


class UnknownActorError(DocAlignError):
    """There is no such actor just now."""

    code = "DOCALIGN_E404"
    hint = "GET /actors lists those that are alive; idle repositories have none."


class UnknownSuppressionError(DocAlignError):
    """There is no such suppression, or it was taken back already."""

    code = "DOCALIGN_E404"
    hint = "GET /api/repos/{id}/suppressions lists those that hold."


class UnknownPauseError(DocAlignError):
    """This is not paused."""

    code = "DOCALIGN_E404"
    hint = "GET /api/repos/{id}/pauses lists what is."


class NotPublicError(DocAlignError):
    """Without a token, this service is reachable from this machine only."""

    code = "DOCALIGN_E431"
    hint = "Make a token first (`docalign token create --role admin`), or leave --host at 127.0.0.1."


class CannotListenError(DocAlignError):
    """The address cannot be listened on."""

    code = "DOCALIGN_E432"
    hint = "Stop whatever listens there already, or choose another --port."


class BusyError(DocAlignError):
    """More is being asked of this service than it can answer at once."""

    code = "DOCALIGN_E601"
    hint = "Try again in a few seconds."
    retryable = True


class NoAnswerError(DocAlignError):
    """The request was handed on, but no answer came in time. Whether it took effect is not known."""

    code = "DOCALIGN_E601"
    hint = "Ask again; with the same X-Delivery-Id header nothing is done twice."
    retryable = True


class InternalError(DocAlignError):
    """Something went wrong in this service."""

    code = "DOCALIGN_E000"
    hint = "Look for the trace id in the service's log."


class NotSignedError(DocAlignError):
    """This request is not signed by the GitHub App of this service."""

    code = "DOCALIGN_E433"
    hint = "Set the same secret in the App's webhook and in github.webhook_secret."


class NoKeysError(DocAlignError):
    """The keys that tokens are signed with cannot be had just now."""

    code = "DOCALIGN_E434"
    hint = "Ask again in a moment; the operator looks at tasks.jwks_url or tasks.jwks_file."
    retryable = True
