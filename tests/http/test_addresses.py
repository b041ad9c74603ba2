from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from docalign_actors.errors import BadRepositoryUrlError, BadRevisionError
from docalign_actors.scans.addresses import check_revision, parse_repository_url


@pytest.mark.parametrize(
    ("given", "url", "name", "organisation"),
    [
        ("/srv/git/project", "/srv/git/project", "project", ""),
        ("//srv/./git/x/../project/", "/srv/git/project", "project", ""),
        ("/srv/with space/été", "/srv/with space/été", "été", ""),
        ("file:///srv/with%20space/x", "/srv/with space/x", "x", ""),
        ("https://github.com/owner/name", "https://github.com/owner/name", "owner/name", "owner"),
        ("HTTPS://GitHub.com/owner/name.git/", "https://github.com/owner/name", "owner/name", "owner"),
        ("git@github.com:owner/name.git", "git@github.com:owner/name", "owner/name", "owner"),
        ("ssh://git@github.com/owner/name", "ssh://git@github.com/owner/name", "owner/name", "owner"),
        ("https://gitlab.com/g/sub/x.git", "https://gitlab.com/g/sub/x.git", "g/sub/x", "gitlab.com/g"),
        ("https://example.org:8443/x.git", "https://example.org:8443/x.git", "x", ""),
        ("git://example.org/a/b", "git://example.org/a/b", "a/b", "example.org/a"),
        ("http://[::1]:80/a/b", "http://[::1]:80/a/b", "a/b", "[::1]/a"),
        ("host:path/to", "host:path/to", "path/to", "host/path"),
        ("me@host:/abs/to", "me@host:/abs/to", "abs/to", "host/abs"),
    ],
)
def test_an_address_has_one_form_a_name_and_an_organisation(given: str, url: str, name: str, organisation: str) -> None:
    found = parse_repository_url(given)
    assert (found.url, found.name, found.organisation) == (url, name, organisation)
    assert parse_repository_url(found.url) == found


@pytest.mark.parametrize(
    "given",
    [
        *["", ".", "..", "project", "./project", "../project", "~/project", "a/b:c"],
        *["-upload-pack=x", "--help", "ext::sh -c id", "fd::17", "foo::bar", "ext::sh%20-c://x"],
        *["https://user:secret@h/x", "https://secret@h/x", "ssh://git:secret@h/x", "git://secret@h/x", "a:secret@h:x"],
        *["https://h/x?token=secret", "https://h/x#secret", "https://h/x?", "https://h/x#"],
        *["ssh://-oProxyCommand=id/x", "ssh://git@-oProxyCommand=id/x", "git@-oProxyCommand=id:x", "host:-x"],
        *[
            "file://h/etc",
            "file:///",
            "file:///srv/%0a",
            "file:///srv?x",
            "file://[/x",
            "ftp://h/x",
            "javascript://h/x",
            "://h/x",
            "https:///x",
            "https://h",
            "https://h/",
            "https://",
        ],
        *["https://h/a\nb", "https://h/%0a", "https://h/%00", "/srv/\0", "/srv/\x7f", "/srv/\u2028x", "/srv/\ud800"],
        *[
            "https://h:99999/x",
            "https://h:x/x",
            "https://[::1/x",
            "https://h/../x",
            "https://h/%2e%2e/x",
            "https://h//x//y",
        ],
        *["/", "//", "/..", "host:", "host:/", "https://h ost/x", "https://hö/x", "/" + "x" * 3_000],
    ],
)
def test_what_is_no_address_or_a_dangerous_one_is_refused_without_being_repeated(given: str) -> None:
    with pytest.raises(BadRepositoryUrlError) as refused:
        parse_repository_url(given)
    assert "secret" not in str(refused.value)
    assert "secret" not in refused.value.hint


PIECES = st.lists(
    st.sampled_from(
        [
            *"https:// ssh:// git@ user:pw@ github.com host / // : :: - -- .. . a b %00 %2e ? # @ [::1] .git ext:: é ~ \\ :80".split(),
            *"\0\n \ud800\u202e",
        ]
    ),
    max_size=10,
).map("".join)


@given(st.one_of(PIECES, st.text(max_size=60)))
@example("a::b")
@example("https://https://::")
@example("[::1]:a")
def test_whatever_is_taken_is_safe_to_give_to_git_and_stays_as_it_is(text: str) -> None:
    try:
        found = parse_repository_url(text)
    except BadRepositoryUrlError:
        return
    assert parse_repository_url(found.url) == found
    assert not found.url.startswith("-")
    assert all(ord(c) > 31 for c in found.url)
    found.url.encode("utf-8")
    assert found.name
    assert len(found.url) <= 2_000
    assert len(found.name) <= 400
    if not found.local:
        rest = found.url.partition("://")[2] or found.url
        assert not rest.startswith("-")
        assert not re.match(r"[A-Za-z0-9+.-]*::", found.url)  # git would take it for the name of a program
        userinfo = rest.partition("/")[0].rpartition("@")[0]
        assert ":" not in userinfo
        assert not (userinfo and found.url.startswith("http"))


@pytest.mark.parametrize(
    "text", ["main", "feature/x", "v1.2.3", "a" * 40, "release-1", "übung", "a@b", "x#1", "refs/heads/main"]
)
def test_names_of_branches_tags_and_commits_are_taken(text: str) -> None:
    assert check_revision(text, "head") == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "-x",
        "--all",
        "a..b",
        "HEAD~1",
        "HEAD^",
        "a:b",
        "@{u}",
        "a b",
        "a\0",
        "a\n",
        "x.lock",
        "/x",
        "x/",
        "x//y",
        ".x",
        "a" * 256,
        "\ud800",
    ],
)
def test_what_git_would_read_as_something_else_is_refused(text: str) -> None:
    with pytest.raises(BadRevisionError, match="`head`"):
        check_revision(text, "head")
