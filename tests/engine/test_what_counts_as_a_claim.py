"""A claim is counted once, and what claims nothing of this repository is no claim."""

from __future__ import annotations

from collections.abc import Callable

from docalign_actors.engine.claims import Claim, Judgement, Why, uncertain, verified
from docalign_actors.engine.gathering import count, put_aside
from docalign_actors.findings.model import Verdict
from tests.support.repository import Repository

Make = Callable[[dict[str, str | bytes]], Repository]
FALSE = Judgement(Verdict.DRIFTED, "missing-symbol", "it is gone")


def claim(kind: str = "symbol", line: int = 1, column: int = 1) -> Claim:
    return Claim(kind, "load_items", "load_items", "README.md", line, column)


def test_what_several_kinds_read_at_one_place_is_counted_once() -> None:
    counts = count([(claim("symbol"), uncertain("no")), (claim("configkey"), uncertain("no"))])
    assert counts == {Verdict.UNCERTAIN: 1}


def test_two_places_are_two_claims_although_they_say_the_same() -> None:
    assert count([(claim(line=1), verified()), (claim(line=2), verified())]) == {Verdict.VERIFIED: 2}
    assert count([(claim(column=1), verified()), (claim(column=20), verified())]) == {Verdict.VERIFIED: 2}


def test_a_place_has_the_strongest_verdict_whatever_the_order() -> None:
    aside = Judgement(Verdict.ASIDE)
    for weaker, stronger in ((aside, uncertain("no")), (uncertain("no"), verified()), (verified(), FALSE)):
        one, other = (claim("option"), weaker), (claim("symbol"), stronger)
        assert count([one, other]) == count([other, one]) == {stronger.verdict: 1}


def test_only_doubts_that_are_sure_of_another_owner_put_a_claim_aside() -> None:
    def verdict_of(judgement: Judgement) -> Verdict:
        ((_, judged),) = put_aside([(claim(), judgement)])
        return judged.verdict

    assert verdict_of(uncertain("not this repository's", Why.ANOTHERS)) is Verdict.ASIDE
    assert (
        verdict_of(uncertain("`kubectl` is not a program of this repository", Why.OF_ANOTHER_PROGRAM)) is Verdict.ASIDE
    )
    assert verdict_of(uncertain("it may be another project's", Why.PERHAPS_ANOTHERS)) is Verdict.UNCERTAIN
    assert verdict_of(uncertain("no")) is Verdict.UNCERTAIN
    assert verdict_of(FALSE) is Verdict.DRIFTED


def test_a_scan_counts_what_is_of_another_program_apart(repository: Make) -> None:
    code = "import argparse\n\nparser = argparse.ArgumentParser('tool')\nparser.add_argument('--port')\n"
    text = "# Tool\n\n```sh\ntool --port 80\nkubectl --namespace web\n```\n"
    settings = '[project]\nname = "tool"\nversion = "1"\nscripts = {tool = "tool:main"}\n'
    report = repository({"README.md": text, "tool.py": code, "pyproject.toml": settings}).scan()
    assert report.summary.aside > 0
    assert report.summary.claims == report.summary.verified + report.summary.drifted + report.summary.uncertain
