"""What goes wrong in the demo."""

from __future__ import annotations

from docalign_actors.errors import DocAlignError


class DemoError(DocAlignError):
    """A step of the demo did not come."""

    code = "DOCALIGN_E606"
    hint = "Try again; if it happens again, `docalign doctor` says what this machine lacks."
