"""The first page: is everything well, what is being done, how do the repositories stand."""

from __future__ import annotations

from docalign_actors.dashboard.actors import tree_table
from docalign_actors.dashboard.html import Markup, Node, h, join
from docalign_actors.dashboard.page import Page, Shown, Visit
from docalign_actors.dashboard.pages.incidents import incident_list
from docalign_actors.dashboard.pages.repos import repo_table
from docalign_actors.dashboard.parts import chip, empty, figures, link, prose, region
from docalign_actors.dashboard.runs import under_way, waiting_table
from docalign_actors.dashboard.views import Overview, Reader
from docalign_actors.dashboard.watching import troubled_region
from docalign_actors.reporting.style import plural

MOST_ACTORS = 14


def page(reader: Reader) -> Page:
    async def load(visit: Visit) -> Overview:
        return await reader.overview()

    return Page(
        path="/", title="Overview", load=load, render=render, nav=10, topics=("scan", "repo", "actors", "incident")
    )


def render(visit: Visit, view: Overview) -> Shown:
    body = join(
        h("div", h("h1", "Overview"), _verdict(view), class_="title", id="verdict", data_region=True),
        _reasons(view),
        troubled_region(visit, view.troubled),
        _figures(view),
        _scans(visit, view),
        _repos(visit, view),
        _actors(visit, view),
        _incidents(visit, view),
    )
    return Shown("Overview", body)


def _verdict(view: Overview) -> Markup:
    return chip("not healthy", "bad") if view.reasons else chip("healthy", "good")


def _reasons(view: Overview) -> Markup:
    told = h("ul", [h("li", prose(reason)) for reason in view.reasons], class_="alert") if view.reasons else None
    return h("div", told, id="reasons", data_region=True, aria_live="polite")


def _figures(view: Overview) -> Markup:
    drifted = view.drifted_total
    waiting = sum(actor.depth for actor in view.tree.actors)
    return h("div", figures([
        ("Running", len(view.running), ""),
        ("Waiting", view.waiting_total, ""),
        ("Repositories", view.repos_total, ""),
        ("False claims", drifted, "bad" if drifted else ""),
        ("Messages in mailboxes", waiting, ""),
        ("Dead letters", view.tree.dead_letters, "warn" if view.tree.dead_letters else ""),
    ]), id="figures", data_region=True)  # fmt: skip


def _scans(visit: Visit, view: Overview) -> Markup:
    running = h("ul", [under_way(visit, run, "/") for run in view.running], class_="runs") if view.running else None
    rest = view.waiting_total - len(view.waiting)
    waiting: Node = None
    if view.waiting:
        more = (
            h("p", link("/scans?status=queued", f"{plural(rest, 'more scan waits', 'more scans wait')}"))
            if rest > 0
            else None
        )
        waiting = join(
            h("h3", f"{plural(view.waiting_total, 'scan waits', 'scans wait')}"),
            waiting_table(visit, view.waiting, "/"),
            more,
        )
    nothing = None if running or waiting else empty("Nothing is being scanned, and nothing waits.")
    return region("scans", "Scans", running, waiting, nothing, aside=link("/scans", "All scans"))


def _repos(visit: Visit, view: Overview) -> Markup:
    aside = link("/repos", f"All {view.repos_total:,}" if view.repos_total > len(view.repos) else "All repositories")
    if not view.repos:
        add = link("/repos", "Add the first one") if visit.may("operator") else None
        return region("repos", "Repositories", empty("No repository is registered yet.", add))
    return region("repos", "Repositories", repo_table(visit, view.repos), aside=aside)


def _actors(visit: Visit, view: Overview) -> Markup:
    number = len(view.tree.actors)
    aside = link("/actors", f"All {number:,}" if number > MOST_ACTORS else "All actors")
    count = h("p", plural(number, "actor"), "; repositories without work have none.", class_="soft")
    return region("actors", "Actors", count, tree_table(view.tree, MOST_ACTORS), aside=aside)


def _incidents(visit: Visit, view: Overview) -> Markup:
    aside = link("/incidents", "All incidents") if view.incidents else None
    return region("incidents", "Last incidents", incident_list(visit, view.incidents, view.tree.names), aside=aside)
