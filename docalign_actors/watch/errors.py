"""What can be wrong with what people ask of the watcher."""

from __future__ import annotations

from docalign_actors.errors import DocAlignError


class BadScheduleError(DocAlignError):
    """This does not say when."""

    code = "DOCALIGN_E455"
    hint = "Write `every 10 minutes`, `daily at 03:00`, `weekdays at 06:15`, `weekly on sunday at 04:30` or `never`. Times are UTC."


class BadCredentialsError(DocAlignError):
    """These credentials cannot be used."""

    code = "DOCALIGN_E456"
    hint = "A name and a password are for http and https addresses; for ssh, give the service's user a key."
