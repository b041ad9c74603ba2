from __future__ import annotations

from docalign_actors.persistence.tokens import Role
from docalign_actors.supervision.policy import Policy
from tests.http.house import House, Listener


def test_the_tree_of_actors_is_shown_with_families_and_dead_letters(house: House) -> None:
    house.system.supervise("ingest", Listener, Policy())
    tree = house.get("/actors").json()
    assert "ingest" in [actor["name"] for actor in tree["actors"]]
    assert [family["prefix"] for family in tree["families"]] == ["repo"]
    assert tree["dead_letters"] == len(tree["last_dead_letters"])


def test_an_actor_is_shown_with_the_stack_of_its_thread(house: House) -> None:
    house.system.tell("repo/7", "hello")
    with Listener.rung:
        assert Listener.rung.wait_for(lambda: ("repo/7", "hello") in Listener.heard, 5)
    shown = house.get("/actors/repo/7").json()
    assert shown["actor"]["name"] == "repo/7"
    assert "File" in shown["stack"]


def test_an_actor_that_is_not_there_is_not_found(house: House) -> None:
    answer = house.get("/actors/repo/nobody")
    assert (answer.status_code, answer.json()["code"]) == (404, "DOCALIGN_E404")


def test_the_figures_are_in_the_format_of_prometheus(house: House) -> None:
    answer = house.get("/metrics", Role.VIEWER)
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    assert "# TYPE docalign_message_seconds histogram" in answer.text


def test_incidents_are_shown_newest_first_a_page_at_a_time(house: House) -> None:
    for n in range(3):
        house.execute(
            "INSERT INTO actor_incidents (actor, kind, error) VALUES (%(actor)s, 'failed', 'x')", actor=f"a{n}"
        )
    first = house.get("/api/incidents?limit=2").json()
    rest = house.get(f"/api/incidents?limit=2&cursor={first['next_cursor']}").json()
    assert [item["actor"] for item in first["items"] + rest["items"]] == ["a2", "a1", "a0"]
