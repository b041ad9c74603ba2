"""Every page, from hand-made views: as a busy, an empty and a hostile service would show it."""

from __future__ import annotations

import asyncio
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docalign_actors.dashboard.layout import trouble, whole
from docalign_actors.dashboard.page import Page, Problem, Visit
from docalign_actors.dashboard.pages import sign_in, standard
from tests.support.dashboard import Busy, Desk, Empty, Hostile, all_pages
from tests.support.markup import Document
from tests.support.task_pages import task
from tests.support.views import NOW, XSS, uid

BUSY = [
    ("/", {}), ("/repos", {}), *(("/repos/{id}", {"id": str(uid(n))}) for n in range(1, 6)), ("/repos/{id}/remove", {"id": str(uid(2))}),
    ("/scans", {}), *(("/scans/{id}", {"id": str(uid(n))}) for n in (293, 294, 295, 296, 297, 298, 299, 300, 301, 302, 303, 310, 330)),
    ("/actors", {}), ("/actors/{name:path}", {"name": f"repo/{uid(2)}"}), ("/actors/{name:path}", {"name": "worker-pool"}), ("/incidents", {}),
    ("/tasks", {}), *(("/tasks/{id}", {"id": str(uid(n))}) for n in range(501, 509)), ("/tasks/purge", {}), ("/outbound", {}),
]  # fmt: skip
HOSTILE = [
    ("/", {}), ("/repos", {}), ("/repos/{id}", {"id": str(uid(1))}), ("/repos/{id}/remove", {"id": str(uid(1))}), ("/scans", {}),
    *(("/scans/{id}", {"id": str(uid(n))}) for n in range(200, 206)), ("/actors", {}), ("/actors/{name:path}", {"name": XSS}), ("/incidents", {}),
    ("/apps", {}), ("/apps/{id}", {"id": str(uid(701))}), ("/apps/{id}/remove", {"id": str(uid(701))}),
    ("/tasks", {}), ("/tasks/{id}", {"id": str(uid(501))}), ("/tasks/{id}", {"id": str(uid(505))}), ("/outbound", {}),
]  # fmt: skip
EMPTY = [
    ("/tasks", {}),
    ("/outbound", {}),
    ("/", {}),
    ("/repos", {}),
    ("/scans", {}),
    ("/actors", {}),
    ("/incidents", {}),
    ("/apps", {}),
]
CASES = [
    *((Busy, *case) for case in BUSY), *((Empty, *case) for case in EMPTY), *((Hostile, *case) for case in HOSTILE),
]  # fmt: skip


def show(kind: type[Empty], path: str, params: dict[str, str], here: str = "", **changes: object) -> str:
    pages = all_pages(kind(), Desk())
    page = next(p for p in pages if p.path == path)
    visit = Visit(
        **{
            "now": NOW,
            "path": here or path,
            "user": "ada",
            "role": "admin",
            "csrf": "t0ken",
            "params": params,
            **changes,
        }
    )  # type: ignore[arg-type]
    return whole(visit, page, page.render(visit, asyncio.run(page.load(visit))), pages)


@pytest.mark.parametrize(("kind", "path", "params"), CASES)
def test_every_page_is_well_formed_and_keeps_to_the_policy(
    kind: type[Empty], path: str, params: dict[str, str]
) -> None:
    page = Document(show(kind, path, params))
    names = {e.name for e in page.elements}
    assert names <= {
        "html", "head", "meta", "title", "link", "script", "body", "a", "header", "div", "svg", "path", "nav", "ul", "ol", "li", "span", "form",
        "input", "button", "main", "h1", "h2", "h3", "h4", "section", "p", "noscript", "table", "caption", "thead", "tbody", "tr", "th", "td",
        "dl", "dt", "dd", "time", "code", "pre", "mark", "figure", "figcaption", "del", "ins", "details", "summary", "article", "progress",
        "rect", "polyline", "polygon", "circle", "line", "strong", "b", "label", "select", "option",
    }  # fmt: skip
    assert [e.attributes["src"] for e in page.all("script")] == [page.all("script")[0].attributes["src"]]
    assert page.all("script")[0].text == ""
    used = {name for e in page.elements for name in e.attributes}
    assert not {name for name in used if name.startswith("on") or name == "style"}


@pytest.mark.parametrize(("kind", "path", "params"), CASES)
def test_every_page_can_be_found_ones_way_in(kind: type[Empty], path: str, params: dict[str, str]) -> None:
    page = Document(show(kind, path, params))
    assert page.all("html")[0].attributes["lang"] == "en"
    assert len(page.all("h1")) == 1
    assert len(page.all("main")) == 1
    assert page.all("a")[0].attributes["href"] == "#main"
    ids = page.values("id")
    assert len(ids) == len(set(ids))
    assert set(page.values("aria-labelledby")) | set(page.values("aria-describedby")) | set(page.values("for")) <= set(
        ids
    )
    assert all(b.text.strip() or b.attributes.get("aria-label") for b in page.all("button"))
    assert all(svg.attributes.get("aria-label") or svg.attributes.get("aria-hidden") for svg in page.all("svg"))
    assert all(bar.attributes.get("aria-label") for bar in page.all("progress"))


@pytest.mark.parametrize(("kind", "path", "params"), CASES)
def test_every_form_shows_that_it_is_ours(kind: type[Empty], path: str, params: dict[str, str]) -> None:
    html = show(kind, path, params)
    forms = re.findall(r"<form[^>]*>.*?</form>", html, re.DOTALL)
    assert forms
    for form in forms:
        found = Document(form)
        assert found.all("form")[0].attributes["method"] == "post"
        assert found.all("input", name="csrf_token")[0].attributes["value"] == "t0ken"


@pytest.mark.parametrize(("path", "params"), HOSTILE)
def test_hostile_text_is_shown_and_does_nothing(path: str, params: dict[str, str]) -> None:
    html = show(Hostile, path, params)
    page = Document(html)
    assert "<script>alert" not in html
    assert "<img" not in html
    assert "\x00" not in html
    assert "\u202e" not in html
    assert all(not href.lower().startswith("javascript") for href in page.values("href"))
    assert "<script>alert(1)</script>" in page.text


@pytest.mark.parametrize(("kind", "path", "params"), [case for case in CASES if case[0] is Busy])
def test_a_viewer_is_offered_nothing_that_changes_anything(
    kind: type[Empty], path: str, params: dict[str, str]
) -> None:
    page = Document(show(kind, path, params, role="viewer"))
    assert [form.attributes["action"] for form in page.all("form")] == ["/sign-out"]


@settings(max_examples=40, deadline=None)
@given(st.text(max_size=200))
def test_no_error_breaks_out_of_its_page(text: str) -> None:
    problem = Problem(text, text, text)
    shown = [trouble(Visit(now=NOW, user=text, role=text, path="/" + text), [], "Not found", problem),
             trouble(Visit(now=NOW), [], text, problem), sign_in.render(text, token=text, back=text, problem=problem)]  # fmt: skip
    for html in shown:
        assert len(Document(html).all("script")) == 1


def test_the_menu_marks_where_one_is() -> None:
    page = Document(show(Busy, "/scans/{id}", {"id": str(uid(300))}, here=f"/scans/{uid(300)}"))
    assert [
        (a.attributes["href"], a.text) for a in page.elements if a.attributes.get("aria-current") in ("page", "true")
    ] == [("/scans", "Scans")]


def test_a_live_page_says_where_its_contents_are_and_what_concerns_it() -> None:
    main = Document(show(Busy, "/scans", {}, query={"status": "running", "after": "x y"})).all("main")[0]
    assert main.attributes["data-live"] == "/fragments/scans?status=running&after=x+y"
    assert main.attributes["data-topics"] == "scan"


def test_a_page_shown_again_because_of_a_problem_does_not_renew_itself() -> None:
    html = show(
        Busy,
        "/repos",
        {},
        problem=Problem("DOCALIGN_E408", "No repository there.", "Give a path."),
        form={"url": "relative"},
    )
    page = Document(html)
    assert "data-live" not in page.all("main")[0].attributes
    assert page.all("input", id="url")[0].attributes["value"] == "relative"
    assert page.all("div", role="alert")[0].text == "No repository there. DOCALIGN_E408Give a path."


def test_without_script_a_page_offers_to_load_itself_again_but_does_not_force_it() -> None:
    assert Document(show(Busy, "/", {})).all("meta", http_equiv="refresh") == []
    assert "/?refresh=10" in Document(show(Busy, "/", {})).values("href")
    assert len(Document(show(Busy, "/", {}, query={"refresh": "10"})).all("meta", http_equiv="refresh")) == 1
    assert (
        Document(show(Busy, "/", {}, query={"refresh": "0;url=https://evil.example"})).all("meta", http_equiv="refresh")
        == []
    )


def test_a_later_capability_adds_a_page_by_one_module() -> None:
    async def load(visit: Visit) -> str:
        return "seven"

    def render(visit: Visit, view: str) -> object:
        from docalign_actors.dashboard.html import h
        from docalign_actors.dashboard.page import Shown

        return Shown("Watches", h("h1", view))

    pages = [*standard(Busy(), Desk()), Page(path="/watches", title="Watches", load=load, render=render, nav=33)]  # type: ignore[arg-type]
    visit = Visit(now=NOW, path="/watches", user="ada", role="viewer")
    page = Document(whole(visit, pages[-1], pages[-1].render(visit, "seven"), pages))
    assert [a.text for a in page.elements if a.name == "a" and a.attributes["href"] in [p.path for p in pages if p.nav]][1:7] == [
        "Overview", "Repositories", "Scans", "Watches", "Actors", "Incidents",
    ]  # fmt: skip
    assert page.all("h1")[0].text == "seven"


def test_the_dead_letters_of_a_command_are_purged_after_a_question() -> None:
    page = Document(show(Busy, "/tasks", {}))
    ways = [href for href in page.values("href") if href.startswith("/tasks/purge")]
    assert ways[0] == "/tasks/purge?command=docalign.verification"
    asked = Document(show(Busy, "/tasks/purge", {}, query={"command": "docalign.verification"}))
    assert "12 tasks that nobody could do" in asked.text
    assert asked.all("input", name="command")[0].attributes["value"] == "docalign.verification"
    assert "There are none." in Document(show(Busy, "/tasks/purge", {}, query={"command": "nonsense"})).text
    assert not [href for href in Document(show(Busy, "/tasks", {}, role="operator")).values("href") if "purge" in href]


def test_a_task_shows_what_became_of_each_delivery() -> None:
    page = Document(show(Busy, "/tasks/{id}", {"id": str(uid(505))}))
    told = [e.text for e in page.all("tr") if (e.attributes.get("data-key") or "").startswith("event-")]
    words = ("created", "expired", "nacked", "abandoned", "requeued", "dead letter")
    assert len(told) == len(words)
    assert all(word in line for word, line in zip(words, told, strict=True))
    assert page.all("form", action=f"/tasks/{uid(505)}/requeue")
    assert not Document(show(Busy, "/tasks/{id}", {"id": str(uid(507))})).all(
        "form", action=f"/tasks/{uid(507)}/requeue"
    )


def test_a_payload_is_shown_up_to_a_bound() -> None:
    class Long(Busy):
        queued_tasks = (task(501, payload='"' + "x" * 100_000 + '"'),)

    html = show(Long, "/tasks/{id}", {"id": str(uid(501))})
    assert "The first 20,000 of 100,002 characters" in html
    assert len(html) < 30_000
