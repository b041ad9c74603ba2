"""The pages over HTTP: who sees what, what forms do, and under which policy. Views are made by hand."""

from __future__ import annotations

import httpx2
import pytest
from starlette.testclient import TestClient

from docalign_actors.dashboard.assets import url
from docalign_actors.dashboard.parts import CSRF_FIELD
from docalign_actors.errors import ScanLimitError
from docalign_actors.http.csrf import FIELD, csrf_token
from docalign_actors.http.page_answers import HEADERS, POLICY
from tests.support.dashboard import Busy, Desk
from tests.support.markup import Document
from tests.support.page_server import Feed, People, application
from tests.support.views import uid

HTML = {"Accept": "text/html,application/xhtml+xml"}
PAGES = [
    "/",
    "/repos",
    f"/repos/{uid(1)}",
    f"/repos/{uid(1)}/remove",
    "/scans",
    f"/scans/{uid(300)}",
    "/actors",
    "/actors/worker-pool",
    "/incidents",
]


class Visitor:
    """A browser of a person, as far as HTTP goes."""

    def __init__(self, role: str = "") -> None:
        self.people = People()
        self.desk = Desk()
        self.reader = Busy()
        app = application(self.reader, self.desk, self.people, Feed())
        self.client = TestClient(app, base_url="http://127.0.0.1:8080", headers=HTML, follow_redirects=False)
        self.session = ""
        if role:
            assert self.post("/sign-in", token=role, csrf=csrf_token("")).status_code == 303
            self.session = self.client.cookies["docalign"]

    def get(self, path: str, **headers: str) -> httpx2.Response:
        return self.client.get(path, headers=headers)

    def post(
        self, path: str, csrf: str | None = None, origin: str = "http://127.0.0.1:8080", **fields: str
    ) -> httpx2.Response:
        token = csrf_token(self.session) if csrf is None else csrf
        return self.client.post(path, data={FIELD: token, **fields}, headers={"Origin": origin})


@pytest.fixture
def operator() -> Visitor:
    return Visitor("operator")


@pytest.fixture
def stranger() -> Visitor:
    return Visitor()


def test_forms_and_the_check_of_forgery_call_the_field_alike() -> None:
    assert CSRF_FIELD == FIELD


@pytest.mark.parametrize("path", PAGES)
def test_every_page_is_shown_to_whoever_is_signed_in(operator: Visitor, path: str) -> None:
    answer = operator.get(path)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    Document(answer.text)


@pytest.mark.parametrize("path", [*PAGES, "/nothing", "/sign-in", "/fragments/overview", "/repos/no-id"])
def test_every_answer_is_under_the_strict_policy(operator: Visitor, path: str) -> None:
    headers = operator.get(path).headers
    assert headers["content-security-policy"] == POLICY
    assert headers["cache-control"] == "no-store"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] in ("same-origin", "strict-origin")


@pytest.mark.parametrize("path", PAGES)
def test_a_stranger_is_led_to_the_sign_in_and_back(stranger: Visitor, path: str) -> None:
    answer = stranger.get(path)
    assert answer.status_code == 303
    shown = Document(stranger.get(answer.headers["location"]).text)
    assert shown.all("input", name="back")[0].attributes["value"] == path
    signed_in = stranger.post("/sign-in", csrf=csrf_token(""), token="viewer", back=path)
    assert signed_in.headers["location"] == path


def test_a_page_that_is_linked_from_elsewhere_is_reached_by_a_step_of_our_own(stranger: Visitor) -> None:
    answer = stranger.get("/scans?status=failed", **{"Sec-Fetch-Site": "cross-site"})
    assert answer.status_code == 200
    refresh = Document(answer.text).all("meta", http_equiv="refresh")[0]
    assert refresh.attributes["content"] == "0; url=/scans?status=failed"


@pytest.mark.parametrize("back", ["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)"])
def test_signing_in_leads_nobody_elsewhere(stranger: Visitor, back: str) -> None:
    assert stranger.post("/sign-in", csrf=csrf_token(""), token="viewer", back=back).headers["location"] == "/"


def test_a_wrong_token_is_told_so_and_not_repeated(stranger: Visitor) -> None:
    answer = stranger.post("/sign-in", csrf=csrf_token(""), token="docalign_a_wrong")
    assert answer.status_code == 401
    assert "docalign_a_wrong" not in answer.text
    assert "used up" in Document(answer.text).all("div", role="alert")[0].text


def test_looking_at_a_one_time_link_does_not_use_it_up(stranger: Visitor) -> None:
    for _ in range(3):
        shown = stranger.get("/sign-in?token=once")
        assert shown.status_code == 200
        assert shown.headers["referrer-policy"] == "strict-origin"
        assert "set-cookie" not in shown.headers
    token = Document(shown.text).all("input", name="token")[0].attributes
    assert (token["type"], token["value"]) == ("hidden", "once")
    assert stranger.post("/sign-in", csrf=csrf_token(""), token="once").status_code == 303
    assert stranger.post("/sign-in", csrf=csrf_token(""), token="once").status_code == 401


def test_the_cookie_is_for_this_service_only(stranger: Visitor) -> None:
    cookie = stranger.post("/sign-in", csrf=csrf_token(""), token="viewer").headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie


def test_signing_out_ends_the_session(operator: Visitor) -> None:
    assert operator.post("/sign-out").headers["location"] == "/sign-in"
    assert operator.people.sessions == {}
    assert operator.get("/").status_code == 303


def test_a_worker_sees_no_page(stranger: Visitor) -> None:
    stranger.post("/sign-in", csrf=csrf_token(""), token="worker")
    assert stranger.get("/").status_code == 303


@pytest.mark.parametrize(
    "path",
    [
        "/sign-in",
        "/sign-out",
        "/repos",
        f"/repos/{uid(1)}/scan",
        f"/repos/{uid(1)}/remove",
        f"/scans/{uid(300)}/cancel",
    ],
)
@pytest.mark.parametrize("forgery", ["elsewhere", "token", "null", "unsaid"])
def test_a_form_of_somebody_else_does_nothing(operator: Visitor, path: str, forgery: str) -> None:
    if forgery == "token":
        answer = operator.post(path, csrf="guessed", url="/srv/git/x", token="admin")
    elif forgery == "unsaid":
        answer = operator.client.post(path, data={FIELD: csrf_token(operator.session), "url": "/srv/git/x"})
    else:
        answer = operator.post(path, origin="null" if forgery == "null" else "https://evil.example", url="/srv/git/x")
    assert answer.status_code == 403
    assert "DOCALIGN_E424" in answer.text
    assert operator.desk.asked == []
    assert operator.session in operator.people.sessions


def test_a_repository_is_added_and_shown(operator: Visitor) -> None:
    answer = operator.post("/repos", url="  /srv/git/project ")
    assert (answer.status_code, answer.headers["location"]) == (303, f"/repos/{uid(1)}")
    assert operator.desk.asked == [("add", "/srv/git/project", "ada-operator")]


def test_an_address_that_is_none_is_refused_in_the_page_with_what_was_typed(operator: Visitor) -> None:
    answer = operator.post("/repos", url="<b>relative")
    assert answer.status_code == 422
    page = Document(answer.text)
    assert page.all("input", id="url")[0].attributes["value"] == "<b>relative"
    alert = page.all("div", role="alert")[0].text
    assert "DOCALIGN_E408" in alert
    assert "Give an absolute path" in alert


def test_a_scan_is_asked_for_and_shown(operator: Visitor) -> None:
    assert operator.post(f"/repos/{uid(1)}/scan").headers["location"] == f"/scans/{uid(100)}"


def test_a_refused_scan_is_explained_on_the_repositorys_page(
    operator: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refuse(*_: object) -> None:
        raise ScanLimitError("This user has had its 1,000 scans of today.")

    monkeypatch.setattr(operator.desk, "scan_now", refuse)
    answer = operator.post(f"/repos/{uid(1)}/scan")
    assert answer.status_code == 429
    page = Document(answer.text)
    assert "1,000 scans" in page.all("div", role="alert")[0].text
    assert page.all("h1")[0].text == "docalign-actors"


@pytest.mark.parametrize(
    ("back", "leads"), [("/", "/"), ("", f"/scans/{uid(300)}"), ("https://evil.example", f"/scans/{uid(300)}")]
)
def test_a_scan_is_cancelled_and_one_stays_where_one_was(operator: Visitor, back: str, leads: str) -> None:
    assert operator.post(f"/scans/{uid(300)}/cancel", back=back).headers["location"] == leads
    assert operator.desk.asked == [("cancel", uid(300), "ada-operator")]


def test_removing_asks_first(operator: Visitor) -> None:
    page = Document(operator.get(f"/repos/{uid(1)}/remove").text)
    assert operator.desk.asked == []
    action = page.all("form")[1].attributes["action"]
    assert operator.post(str(action)).headers["location"] == "/repos"
    assert operator.desk.asked == [("remove", uid(1))]


@pytest.mark.parametrize(
    "path", ["/repos", f"/repos/{uid(1)}/scan", f"/repos/{uid(1)}/remove", f"/scans/{uid(300)}/cancel"]
)
def test_a_viewer_may_change_nothing(path: str) -> None:
    viewer = Visitor("viewer")
    answer = viewer.post(path, url="/srv/git/x")
    assert answer.status_code == 403
    assert Document(answer.text).all("h1")[0].text == "Not allowed"
    assert viewer.desk.asked == []


@pytest.mark.parametrize(
    "path", ["/nothing", "/repos/no-id", f"/repos/{uid(999)}", f"/scans/{uid(999)}", "/scans/<script>"]
)
def test_what_is_not_there_is_a_page_too(operator: Visitor, path: str) -> None:
    answer = operator.get(path)
    assert answer.status_code == 404
    page = Document(answer.text)
    assert page.all("h1")[0].text == "Not found"
    assert page.all("nav")


def test_what_goes_wrong_inside_is_a_page_without_its_secrets(
    operator: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail() -> None:
        raise RuntimeError("password=hunter2")

    monkeypatch.setattr(operator.reader, "overview", fail)
    answer = operator.get("/")
    assert answer.status_code == 500
    assert "hunter2" not in answer.text
    assert Document(answer.text).all("h1")[0].text == "Something went wrong"


def test_a_fragment_is_the_contents_of_its_page(operator: Visitor) -> None:
    whole = operator.get("/scans?status=failed").text
    fragment = operator.get("/fragments/scans?status=failed").text
    Document(fragment)
    assert "<html" not in fragment
    assert fragment in whole


@pytest.mark.parametrize(
    "path", ["/fragments/overview", f"/fragments/scans/{uid(300)}", f"/fragments/actors/repo/{uid(2)}"]
)
def test_fragments_are_there_for_live_pages(operator: Visitor, path: str) -> None:
    assert operator.get(path).status_code == 200


def test_a_fragment_for_a_stranger_is_401_so_that_the_script_knows(stranger: Visitor) -> None:
    assert stranger.get("/fragments/overview").status_code == 401


def test_programs_get_the_actors_from_the_api(operator: Visitor) -> None:
    assert (
        operator.client.get("/actors", headers={"Accept": "application/json"}).status_code == 404
    )  # no API in this application
    assert operator.get("/actors").status_code == 200


@pytest.mark.parametrize("name", ["app.css", "app.js", "icon.svg"])
def test_files_are_kept_for_good_under_the_address_of_their_contents(stranger: Visitor, name: str) -> None:
    answer = stranger.get(url(name))
    assert answer.status_code == 200
    assert "immutable" in answer.headers["cache-control"]
    assert stranger.get(f"/static/{name}").headers["cache-control"] == "no-cache"
    assert stranger.get(url(name), **{"If-None-Match": answer.headers["etag"]}).status_code == 304


@pytest.mark.parametrize("name", ["pages.py", "..%2fhtml.py", "%2e%2e/html.py"])
def test_no_other_file_is_served(stranger: Visitor, name: str) -> None:
    assert stranger.get(f"/static/{name}").status_code == 404


def test_a_form_that_is_too_large_is_refused(operator: Visitor) -> None:
    assert operator.post("/repos", url="x" * 20_000).status_code == 413


def test_a_form_of_another_kind_is_refused(operator: Visitor) -> None:
    answer = operator.client.post("/repos", json={"url": "/srv"}, headers={"Origin": "http://127.0.0.1:8080"})
    assert answer.status_code == 422


def test_the_policy_lets_nothing_in_from_elsewhere() -> None:
    assert "unsafe" not in POLICY
    assert "*" not in POLICY
    assert HEADERS["X-Frame-Options"] == "DENY"
