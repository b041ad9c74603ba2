"""What can be wrong with a request about applications. Each says what to do."""

from __future__ import annotations

from docalign_actors.errors import ConfigurationError, DocAlignError, StateConflictError


class UnknownApplicationError(DocAlignError):
    """There is no such application."""

    code = "DOCALIGN_E404"
    hint = "List the applications with GET /api/apps or `docalign app list`."


class UnknownSubscriptionError(DocAlignError):
    """There is no such subscription."""

    code = "DOCALIGN_E404"
    hint = "List the subscriptions with GET /api/apps/{id}/subscriptions."


class UnknownDeliveryError(DocAlignError):
    """There is no such delivery, or it is not kept any more."""

    code = "DOCALIGN_E404"
    hint = "List the deliveries with GET /api/deliveries; a resync sends everything again."


class NoContentError(DocAlignError):
    """The content of this file is not to be had just now."""

    code = "DOCALIGN_E404"
    hint = "Ask again after the repository's next scan, or ask for one; a deleted file has no content."


class BadApplicationError(DocAlignError):
    """This application cannot be onboarded."""

    code = "DOCALIGN_E460"
    hint = "Give a name of 1 to 100 printable characters and an http or https address without a user name."


class BadSubscriptionError(DocAlignError):
    """This subscription makes no sense."""

    code = "DOCALIGN_E461"
    hint = "docs/applications.md says what a subscription takes."


class ApplicationExistsError(StateConflictError):
    """There is an application of that name."""

    code = "DOCALIGN_E462"
    hint = "Choose another name, or remove the application that has it."


class SubscriptionExistsError(StateConflictError):
    """This application subscribes to that branch of the repository already."""

    code = "DOCALIGN_E463"
    hint = "Remove that subscription first; one subscription may have many paths and events."


class MasterKeyError(ConfigurationError):
    """The key that application secrets are made of cannot be used."""

    code = "DOCALIGN_E464"
    hint = "Restore the file from a backup. If it is lost, delete it, start the service and rotate every application's secret."
