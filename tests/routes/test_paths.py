"""Paths in one form, however they are written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docalign_actors.engine.code.routes.paths import join, rank, segments
from docalign_actors.engine.kinds.route.spelling import claim_segments, is_path, local_url, readings_of, rewritten

_STYLES = [
    "{id}",
    ":id",
    "<id>",
    "<int:id>",
    "[id]",
    "{id:[0-9]+}",
    r"(?P<id>\d+)",
    r"([^/]+)",
    "{id:int}",
    r":id(\d+)",
]


@pytest.mark.parametrize("style", _STYLES)
def test_every_style_of_placeholder_is_one_segment(style: str) -> None:
    assert segments(f"/users/{style}/posts") == ("users", "{}", "posts")


@pytest.mark.parametrize(
    "style", ["{path:path}", "<path:rest>", "*", "*rest", "{rest...}", "{*rest}", "(.*)", "[...slug]", "<rest..>"]
)
def test_what_may_be_several_segments_is_a_run(style: str) -> None:
    assert segments(f"/files/{style}") == ("files", "*")


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("users/", ("users",)),
        ("/", ()),
        ("/users?limit=1", ("users",)),
        (r"^users/(?P<id>\d+)/$", ("users", "{}")),
        (r"/-/settings(\.json)?$", ("-", "settings")),
        ("${API}/users", ("**", "users")),
        (r"/users/?", ("users",)),
        ("/a//b", ("a", "b")),
    ],
)
def test_paths_are_brought_into_one_form(path: str, expected: tuple[str, ...]) -> None:
    assert segments(path) == expected


@given(st.text(alphabet="/{}<>:()[]*?+\\.^$ab1-_", max_size=60))
def test_any_text_has_a_form_without_an_error(path: str) -> None:
    assert all(part and "/" not in part for part in segments(path))


@given(st.lists(st.sampled_from(["users", "{id}", "v1", "*"]), max_size=6))
def test_a_path_fits_itself(parts: list[str]) -> None:
    path = segments("/" + "/".join(parts))
    assert rank(path, path) == 2


@pytest.mark.parametrize(
    ("route", "claim", "expected"),
    [
        ("/users/{id}", "/users/:id", 2),
        ("/users/{id}", "/users/42", 2),
        ("/users/{id}", "/users/anna", 1),
        ("/users/{id}", "/users", 0),
        ("/users", "/members", 0),
        ("/files/{p:path}", "/files/a/b/c", 1),
        ("${X}/users", "/api/v1/users", 1),
        ("${X}/users", "/api/v1/users/{id}", 0),
        ("/static/(.*)", "/static", 1),
    ],
)
def test_a_claim_fits_a_route_or_does_not(route: str, claim: str, expected: int) -> None:
    assert rank(segments(route), claim_segments(claim)) == expected


def test_prefixes_are_joined_by_one_slash() -> None:
    assert join("/api/", "/users") == "/api/users"
    assert join("", "users") == "/users"
    assert join("api/", "^users$") == "api/users$"
    assert join("/api", "") == "/api"


@pytest.mark.parametrize(
    ("url", "path"),
    [
        ("http://localhost:8000/users", "/users"),
        ("http://127.0.0.1/users?x=1", "/users"),
        ("$BASE_URL/users", "/users"),
        ("https://<host>/users", "/users"),
        ("https://api.github.com/users", ""),
        ("https://docs.python.org/3/library", ""),
    ],
)
def test_only_urls_of_our_own_server_have_a_path(url: str, path: str) -> None:
    assert local_url(url) == path


def test_a_place_in_a_file_system_is_no_route_unless_a_method_says_so() -> None:
    assert not is_path("/etc/hosts", False)
    assert is_path("/etc/hosts", True)
    assert not is_path("//comment", True)
    assert not is_path("/1", True)


def test_a_rewritten_path_keeps_what_stood_in_the_placeholders() -> None:
    assert (
        rewritten("/users/42/posts/:post", ("users", "{}", "posts", "{}"), "/members/{m}/posts/{p}")
        == "/members/42/posts/:post"
    )
    assert rewritten("/users/", ("users",), "/members") == "/members/"
    assert rewritten("/users/42", ("users", "{}"), "/members") is None


def test_a_suffix_that_asks_for_a_format_may_be_left_out() -> None:
    assert readings_of("/users.json") == [("users.json",), ("users",)]
