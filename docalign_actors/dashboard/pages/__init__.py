"""The pages, one module each. `standard` lists those of the spine; a capability puts its own beside them."""

from __future__ import annotations

from docalign_actors.dashboard.page import Page
from docalign_actors.dashboard.pages import actors, incidents, overview, repos, scans
from docalign_actors.dashboard.views import Desk, Reader


def standard(reader: Reader, desk: Desk) -> list[Page]:
    """The pages that every service has."""
    return [
        overview.page(reader),
        *repos.pages(reader, desk),
        *scans.pages(reader, desk),
        *actors.pages(reader),
        incidents.page(reader),
    ]
