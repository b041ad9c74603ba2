"""Bars, diffs, lines, trees and words: each says what it should."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docalign_actors.dashboard.actors import in_order, spoken, tree_table
from docalign_actors.dashboard.assets import asset, url
from docalign_actors.dashboard.charts import health_tone, history, sparkline
from docalign_actors.dashboard.findings import article, parted
from docalign_actors.dashboard.page import Visit
from docalign_actors.dashboard.parts import prose
from docalign_actors.dashboard.paths import local
from docalign_actors.dashboard.runs import cancel, stage_bars
from docalign_actors.dashboard.views import Tree
from docalign_actors.dashboard.words import ago, length, short
from tests.support.markup import Document
from tests.support.views import NOW, SHA, actor, failed, finding, health, queued, run, running, uid

OPERATOR = Visit(now=NOW, user="ada", role="operator", csrf="t")


def stages(view: object) -> list[tuple[str, str | None, str | None]]:
    page = Document(str(stage_bars(view)))  # type: ignore[arg-type]
    return [(bar.text, bar.attributes.get("value"), bar.attributes.get("max")) for bar in page.all("progress")]


def test_a_running_scan_shows_how_far_each_stage_is() -> None:
    assert stages(running(1, "index", 88, 412)) == [
        ("done", "1", "1"), ("done", "1", "1"), ("88 of 412", "88", "412"), ("to come", "0", "1"), ("to come", "0", "1"), ("to come", "0", "1"),
    ]  # fmt: skip


def test_a_stage_of_unknown_length_has_a_bar_without_a_value() -> None:
    assert stages(running(1, "fetch"))[0] == ("under way", None, "1")


def test_a_failed_scan_shows_where_it_stopped() -> None:
    assert [told for told, _, _ in stages(failed(1))] == ["stopped here", *["not reached"] * 5]


def test_a_completed_scan_has_done_every_stage() -> None:
    assert {told for told, _, _ in stages(run(1))} == {"done"}


def test_an_unknown_stage_is_no_reason_to_show_nothing() -> None:
    assert len(stages(running(1, "teleportation", 1, 2))) == 6


def test_a_scan_that_was_told_to_stop_cannot_be_told_again() -> None:
    told = cancel(OPERATOR, running(1, "index", cancel_requested_at=NOW), "/")
    assert told is not None
    assert Document(str(told)).text == "stopping"


def test_a_scan_that_has_ended_has_no_cancel_button() -> None:
    assert cancel(OPERATOR, run(1), "/") is None


def test_a_waiting_scan_can_be_cancelled_without_script() -> None:
    page = Document(str(cancel(OPERATOR, queued(7), "/")))
    assert page.all("form")[0].attributes == {"method": "post", "action": f"/scans/{uid(7)}/cancel"}
    assert page.all("input", name="back")[0].attributes["value"] == "/"


def test_a_finding_shows_claim_evidence_fix_and_every_place() -> None:
    page = Document(str(article(finding())))
    assert [m.text for m in page.all("mark")] == ["make lint-all"] * 3
    assert "Makefile:12" in page.text
    assert page.all("del")[0].text == "make lint-all"
    assert page.all("ins")[0].text == "make lint"
    assert [p.text for p in page.all("span", class_="place")] == [
        "docs/contributing.md:31",
        "docs/contributing.md:31",
        "README.md:88",
    ]


def test_the_second_mention_on_a_line_is_marked_at_its_own_column() -> None:
    source = finding().mentions[1]["source"]
    before, marked, _ = parted(source, "make lint-all", 39)
    assert (before.count("make lint-all"), marked) == (1, "make lint-all")


@given(st.text(max_size=900), st.text(max_size=30), st.integers(-5, 1000))
def test_a_line_is_parted_without_making_anything_up(source: str, text: str, column: int) -> None:
    before, marked, after = parted(source, text, column)
    assert before.removeprefix("…") in source
    assert marked in ("", text)
    assert after.removesuffix("…") in source
    assert len(before) + len(after) <= 810


def test_a_fix_that_is_not_certain_says_so() -> None:
    shown = finding(
        fix={"replacement": "x", "safe": False},
        mentions=[{"file": "a", "line": 1, "column": 1, "text": "y", "source": "y"}],
    )
    assert "not certain" in Document(str(article(shown))).text


def test_a_finding_without_mentions_or_fix_is_shown_all_the_same() -> None:
    page = Document(str(article(finding(mentions=[], fix=None, evidence=[]))))
    assert page.all("mark")[0].text == "make lint-all"
    assert page.all("ins") == []


@pytest.mark.parametrize(
    ("text", "codes"), [("`a` and `b`", ["a", "b"]), ("a ` b", []), ("`a` and `b", ["a"]), ("```", [""]), ("", [])]
)
def test_backticks_set_code_apart_only_in_pairs(text: str, codes: list[str]) -> None:
    page = Document(str(prose(text)))
    assert [e.text for e in page.all("code")] == codes
    assert page.text.count("`") == (text.count("`") % 2)


def test_a_line_of_scores_says_in_words_what_it_draws() -> None:
    svg = Document(str(sparkline([88, None, 96], "improving"))).all("svg")[0]
    assert svg.attributes["aria-label"] == "improving: 88 to 96 over 2 scans"


def test_one_score_makes_no_line() -> None:
    assert Document(str(sparkline([90], "steady"))).all("svg") == []
    assert history(health([90]).history) is None


@given(st.lists(st.none() | st.integers(0, 100), max_size=30))
def test_a_history_stays_inside_its_drawing(scores: list[int | None]) -> None:
    drawn = history(health(scores).history)
    for pair in re.findall(r"points=\"([^\"]*)\"", str(drawn)):
        for x, y in (point.split(",") for point in pair.split()):
            assert 0 <= float(x) <= 1000
            assert 0 <= float(y) <= 100


@pytest.mark.parametrize(
    ("score", "tone"),
    [(None, "quiet"), (100, "good"), (95, "good"), (94, "warn"), (80, "warn"), (79, "bad"), (0, "bad")],
)
def test_health_has_a_tone(score: int | None, tone: str) -> None:
    assert health_tone(score) == tone


def test_children_stand_below_their_parents_whatever_the_order() -> None:
    shown = in_order([actor("repo/1/scan/2", "repo/1"), actor("b"), actor("repo/1"), actor("a", "b")])
    assert [(depth, a.name) for depth, a in shown] == [(0, "b"), (1, "a"), (0, "repo/1"), (1, "repo/1/scan/2")]


@given(
    st.lists(
        st.tuples(st.sampled_from("abcdef"), st.sampled_from("abcdef")), max_size=12, unique_by=lambda pair: pair[0]
    )
)
def test_a_tree_that_is_none_neither_loops_nor_repeats(pairs: list[tuple[str, str]]) -> None:
    shown = [a.name for _, a in in_order([actor(name, parent) for name, parent in pairs])]
    assert len(shown) == len(set(shown)) <= len(pairs)


def test_of_many_actors_the_permanent_and_the_busy_ones_are_shown() -> None:
    many = [actor(f"repo/{uid(n)}", depth=3 if n == 77 else 0) for n in range(100)]
    page = Document(str(tree_table(Tree(actors=[actor("worker-pool"), *many]), 10)))
    assert [row.attributes["data-key"] for row in page.all("tr") if "data-key" in row.attributes] == [
        "worker-pool",
        f"repo/{uid(77)}",
    ]


def test_an_actor_that_was_given_up_and_its_successor_are_told_apart() -> None:
    page = Document(str(tree_table(Tree(actors=[actor("sweeper"), actor("sweeper", state="fenced")]))))
    keys = [row.attributes["data-key"] for row in page.all("tr") if "data-key" in row.attributes]
    assert len(set(keys)) == 2


def test_an_actor_is_called_by_its_repositorys_name() -> None:
    names = {str(uid(1)): "payments"}
    assert spoken(f"repo/{uid(1)}/scan/{uid(0x2F)}", names) == "payments / scan 0000002f"
    assert spoken(f"repo/{uid(2)}", names) == "repo 00000002"
    assert spoken("worker-pool", names) == "worker-pool"


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "0 ms"), (0.0042, "4 ms"), (0.9999, "1.0 s"), (42.06, "42.1 s"), (59.99, "1 min"), (75.2, "1 min 15 s"), (3600, "1 h"),
     (5400, "1 h 30 min"), (47 * 3600 + 1800, "47 h 30 min"), (50 * 3600, "2 d 2 h"), (-1, "0 ms")],
)  # fmt: skip
def test_lengths_of_time_are_read_at_a_glance(seconds: float, text: str) -> None:
    assert length(seconds) == text


@pytest.mark.parametrize(
    ("passed", "text"),
    [({"seconds": 3}, "just now"), ({"seconds": 42}, "42 seconds ago"), ({"minutes": 1}, "1 minute ago"), ({"hours": 5.5}, "5 hours ago"),
     ({"days": 40}, "40 days ago"), ({"seconds": -9}, "just now")],
)  # fmt: skip
def test_ages_are_told_in_one_unit(passed: dict[str, float], text: str) -> None:
    assert ago(NOW - timedelta(**passed), NOW) == text


def test_commits_are_cut_and_names_are_not() -> None:
    assert short(SHA) == SHA[:10]
    assert short("feature/" + "long" * 20) == "feature/" + "long" * 20


@pytest.mark.parametrize(
    "path",
    ["https://evil.example", "//evil.example", "/\\evil.example", "javascript:x", "", "/a b", "/\r\nSet-Cookie: x"],
)
def test_a_form_leads_nobody_elsewhere(path: str) -> None:
    assert local(path, "/here") == "/here"


def test_a_form_may_lead_to_a_page_of_ours() -> None:
    assert local("/scans?status=queued&after=WyJz", "/") == "/scans?status=queued&after=WyJz"


def test_files_have_addresses_that_change_with_them() -> None:
    found = asset("app.js")
    assert found is not None
    assert url("app.js") == f"/static/app.js?v={found.mark}"


@pytest.mark.parametrize("name", ["../html.py", "html.py", "", "app.css/..", "/etc/passwd"])
def test_no_other_file_is_given_away(name: str) -> None:
    assert asset(name) is None
