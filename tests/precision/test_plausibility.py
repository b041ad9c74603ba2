"""Documentation that seems broken throughout is not understood; what the history shows is certain all the same."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from docalign_actors.engine.settings import ScanSettings
from tests.support.repository import Repository

Make = Callable[[dict[str, str | bytes]], Repository]
LINKS = ScanSettings(jobs=1, claim_types=("anchor", "path"))


def page(*fragments: str) -> str:
    return "# A\n\n" + "".join(f"- [x](#{name})\n" for name in fragments) + "\n## One\n\nText.\n\n## Two\n\nText.\n"


def reported(repo: Repository) -> list[str]:
    return [finding.claim for finding in repo.drifted(settings=LINKS)]


def test_one_broken_anchor_among_sound_ones_is_reported(repository: Make) -> None:
    assert reported(repository({"README.md": page("one", "two", "three")})) == ["#three"]


def test_a_page_most_of_whose_anchors_seem_broken_follows_rules_of_its_own(repository: Make) -> None:
    assert reported(repository({"README.md": page("one", "a-b", "c-d", "e-f", "g-h")})) == []


@pytest.mark.parametrize(("broken", "told"), [(11, 11), (12, 0)])
def test_a_dozen_anchors_of_one_page_that_never_were_there_are_a_programs_doing(
    repository: Make, broken: int, told: int
) -> None:
    sound = "".join(f"## Part {n}\n\nSee [x](#part-{n}).\n\n" for n in range(200))
    links = "".join(f"[y](#type{n}value) " for n in range(broken))
    assert len(reported(repository({"README.md": f"# A\n\n{links}\n\n{sound}"}))) == told


def test_links_that_seem_broken_all_over_the_site_follow_rules_of_its_own(repository: Make) -> None:
    files: dict[str, str | bytes] = {f"d{n}/a.md": f"[x](gone{n}.md) [y](b.md)\n" for n in range(8)}
    assert reported(repository({**files, **{f"d{n}/b.md": "# B\n" for n in range(8)}})) == []


def test_what_an_earlier_version_offered_is_reported_all_the_same(repository: Make) -> None:
    repo = repository({"README.md": page("one", "two", "a-b", "c-d", "e-f", "g-h")})
    repo.replace("## Two", "## Second", "README.md").commit("rename")
    assert reported(repo) == ["#two"]


def test_a_file_that_went_is_reported_all_the_same(repository: Make) -> None:
    files: dict[str, str | bytes] = {f"d{n}/a.md": f"[x](gone{n}.md) [y](b.md)\n" for n in range(8)}
    repo = repository({**files, **{f"d{n}/b.md": f"# B{n}\n" for n in range(8)}})
    repo.delete("d3/b.md").commit("drop")
    assert reported(repo) == ["b.md"]


@pytest.mark.parametrize(("written", "told"), [(7, 7), (8, 0)])
def test_so_many_addresses_that_never_were_there_are_written_by_a_rule_of_their_own(
    repository: Make, written: int, told: int
) -> None:
    there: dict[str, str | bytes] = {f"b{n}.md": "# B\n" for n in range(60)}
    links = "".join(f"[x](b{n}.md) " for n in range(60)) + "".join(f"[y](gone{n}.md) " for n in range(written))
    assert len(reported(repository({**there, "README.md": f"{links}\n"}))) == told


def test_the_same_few_addresses_in_many_documents_are_an_oversight(repository: Make) -> None:
    there: dict[str, str | bytes] = {f"packages/b{n}.md": "# B\n" for n in range(8)}
    text = "".join(f"[x](../b{n}.md) " for n in range(8)) + "[y](gone.md)\n"
    readmes: dict[str, str | bytes] = {f"packages/p{n}/README.md": text for n in range(10)}
    found = repository({**there, **readmes}).drifted(settings=LINKS)
    assert {mention.file for finding in found for mention in finding.mentions} == set(readmes)


def test_a_few_addresses_that_never_were_there_among_a_thousand_that_are_stay_oversights(repository: Make) -> None:
    there: dict[str, str | bytes] = {f"b{n}.md": "# B\n" for n in range(30)}
    sound = "".join(f"[x](../../b{n}.md) " for n in range(30))
    readmes: dict[str, str | bytes] = {
        f"packages/p{n}/README.md": sound + (f"[y](gone{n}.md)\n" if n < 9 else "\n") for n in range(40)
    }
    assert len(reported(repository({**there, **readmes}))) == 9
