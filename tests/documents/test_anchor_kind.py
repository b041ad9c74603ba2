from __future__ import annotations

from collections.abc import Callable

import pytest

from docalign_actors.findings.model import Finding
from tests.support.repository import Repository

Make = Callable[[dict[str, str | bytes]], Repository]


def _missing(repo: Repository, **options: str) -> list[Finding]:
    return [finding for finding in repo.drifted(**options) if finding.rule == "missing-anchor"]


def test_a_renamed_heading_is_found_at_every_link_to_it(repository: Make) -> None:
    repo = repository(
        {
            "README.md": "# Tool\n\n[install](#installing-it) and [again](#installing-it)\n\n## Installing it\n\nText.\n",
            "docs/guide.md": "# Guide\n\nSee [how](../README.md#installing-it).\n",
        }
    )
    assert _missing(repo) == []
    repo.replace("## Installing it", "## Installing the tool", "README.md").commit("rename the heading")
    [finding] = _missing(repo)
    assert [(m.file, m.line, m.text) for m in finding.mentions] == [
        ("README.md", 3, "#installing-it"),
        ("README.md", 3, "#installing-it"),
        ("docs/guide.md", 3, "#installing-it"),
    ]


@pytest.mark.parametrize(
    ("link", "text"),
    [
        ("#what-is-new", "## What is new"), ("#Usage", "## Usage"), ("#usage-1", "## Usage\n\n## Usage"), ("#caf%C3%A9", "## Café"),
        ("#top", ""), ("#_top", ""), ('#x', '<a href="#maintenance-ada" title="Maintenance">🚧</a> <a id="x"></a>'), ("#here", '<a name="here"></a>'), ("#user-content-usage", "## Usage"), ("#content-usage", "## Usage"), ("#foo-bar", "## Foo & Bar"),
        ("#foo--bar", "## Foo & Bar"), ("#x", "{% include x.md %}"), ("#pkg.Class", "## API"), ("#L10", "x"), ("#/route", "x"),
        ("https://a.example/#nope", "x"), ("/docs/#nope", "x"), ("src/app.py#L3", "x"), ("gone.md#x", "x"), ("{{ url }}#x", "x"),
        ("#derived", "## Derived properties :id=derived"), ("#+type:note", "<!-- md:option type:note -->"), ("#usage--on-linux", '## Usage\n\n=== "On Linux"\n\n    x\n'),
    ],
)  # fmt: skip
def test_a_link_that_some_site_accepts_or_that_nobody_can_judge_is_not_reported(
    repository: Make, link: str, text: str
) -> None:
    repo = repository({"README.md": f"# Tool\n\n[a]({link})\n\n{text}\n", "src/app.py": "x = 1\n"})
    assert _missing(repo) == []


def test_a_missing_anchor_is_reported_with_the_heading_that_took_its_place(repository: Make) -> None:
    repo = repository({"README.md": "# Tool\n\n[a](#installation-guide)\n\n## Installation guides\n"})
    [finding] = _missing(repo)
    assert finding.fix is not None
    assert (finding.fix.replacement, finding.fix.safe) == ("#installation-guides", True)
    assert finding.message == "This document has no heading or id `#installation-guide`."


def test_the_heading_that_the_link_is_called_by_is_the_one_that_is_meant(repository: Make) -> None:
    repo = repository({"README.md": "# Tool\n\n[Definition of the API](#public)\n\n## Definition of the API\n"})
    [finding] = _missing(repo)
    assert finding.fix is not None
    assert (finding.fix.replacement, finding.fix.safe) == ("#definition-of-the-api", True)


def test_a_heading_that_was_only_written_in_fewer_words_is_the_same(repository: Make) -> None:
    repo = repository(
        {"README.md": "# A\n\n[here](#complete-data-provider-sample)\n\n## Complete data-provider sample\n"}
    )
    repo.replace("data-provider sample", "DataProvider sample", "README.md").commit()
    (finding,) = _missing(repo)
    assert finding.fix is not None
    assert (finding.fix.replacement, finding.fix.safe) == ("#complete-dataprovider-sample", True)


def test_a_heading_that_is_only_alike_in_letters_is_not_suggested(repository: Make) -> None:
    repo = repository(
        {"README.md": "# A\n\n[here](#pagination) [there](#scalar-types)\n\n## Validation\n\n## Scalar kinds\n"}
    )
    fixes = {f.claim: f.fix and f.fix.replacement for f in _missing(repo)}
    assert fixes == {"#pagination": None, "#scalar-types": "#scalar-kinds"}


@pytest.mark.parametrize(
    "taking",
    ["import Part from '../parts/part.mdx'\n", '--8<-- "docs/parts/part.mdx"\n', '{% include "parts/part.mdx" %}\n'],
)
def test_the_anchors_of_a_part_are_those_of_the_pages_that_take_it_in(repository: Make, taking: str) -> None:
    part = {"docs/parts/part.mdx": "See [the default](#default).\n", "docs/parts/other.mdx": "See [it](#default).\n"}
    repo = repository({"docs/pages/page.mdx": f"{taking}\n# Page\n\n### Default\n", **part})
    assert [(f.file, f.claim) for f in _missing(repo)] == [("docs/parts/other.mdx", "#default")]


def test_the_title_of_another_page_is_no_safe_fix_for_one_of_its_sections(repository: Make) -> None:
    repo = repository(
        {"README.md": "# Tool\n\n[a](INSTALL.md#windows-installation)\n", "INSTALL.md": "# Installation\n\nText.\n"}
    )
    [finding] = _missing(repo)
    assert finding.fix is None or not finding.fix.safe


@pytest.mark.parametrize(("beside", "safe"), [("- [Serializers](#serializers)\n", False), ("", True)])
def test_a_heading_that_the_page_links_to_besides_is_no_safe_fix_for_another(
    repository: Make, beside: str, *, safe: bool
) -> None:
    page = f"# Tool\n\n{beside}- [Standard ones](#standard-serializers)\n\n## Serializers\n\nText.\n"
    [finding] = _missing(repository({"README.md": page}))
    assert finding.fix is not None
    assert finding.fix.safe is safe


@pytest.mark.parametrize(
    ("fragment", "expected"), [("anchor", 0), ("section-name", 0), ("my-heading", 0), ("anchors", 1), ("my-page", 1)]
)
def test_a_fragment_that_stands_for_any_is_a_sample(repository: Make, fragment: str, expected: int) -> None:
    assert len(_missing(repository({"README.md": f"# A\n\nWrite [text](#{fragment}).\n"}))) == expected


def test_a_component_behind_a_title_in_brackets_is_no_part_of_its_anchor(repository: Make) -> None:
    title = '## Protocol (KIP-848) <Badge type="tip" text="6.21" />'
    page = f"# Kafka\n\n[a](#protocol-kip-848), [b](#protocols-kip-848), [c](#protocol)\n\n{title}\n\nText.\n"
    [finding] = _missing(repository({"docs/kafka.md": page}))
    assert finding.fix is not None
    assert (finding.claim, finding.fix.replacement) == ("#protocols-kip-848", "#protocol-kip-848")


def test_who_calls_another_page_by_its_title_does_not_tell_which_section_was_meant(repository: Make) -> None:
    page = "# The guide\n\nText.\n\n## Building\n\nText.\n"
    repo = repository(
        {"README.md": "# Tool\n\n[the guide](GUIDE.md#work), [Building](GUIDE.md#make)\n", "GUIDE.md": page}
    )
    fixes = {f.claim: f.fix and (f.fix.replacement, f.fix.safe) for f in _missing(repo)}
    assert fixes == {"#work": ("#the-guide", False), "#make": ("#building", True)}


def test_a_heading_that_is_unlike_is_no_safe_fix(repository: Make) -> None:
    repo = repository({"README.md": "# Tool\n\n[a](#installation)\n\n## Setting up\n"})
    [finding] = _missing(repo)
    assert finding.fix is None or not finding.fix.safe


def test_a_reference_in_asciidoc_is_checked(repository: Make) -> None:
    repo = repository({"README.adoc": "= Tool\n\nSee <<_usage>> and <<_gone>>.\n\n== Usage\n\nText.\n"})
    assert [m.text for f in _missing(repo) for m in f.mentions] == ["_gone"]


def test_a_reference_to_a_renamed_title_in_restructuredtext_is_found(repository: Make) -> None:
    text = "Tool\n====\n\nSee `Getting started`_ and Usage_ and `the site`_, or `home <https://a.example>`_, home_.\n\n"
    parts = "Getting started\n---------------\n\nText.\n\nUsage\n-----\n\nText.\n\n.. _the site: https://a.example\n"
    repo = repository({"README.rst": text + parts})
    assert _missing(repo) == []
    repo.replace("Usage\n-----", "Running\n-------", "README.rst").commit("rename")
    assert [(m.line, m.text) for f in _missing(repo) for m in f.mentions] == [(4, "Usage")]


def test_targets_that_the_site_s_settings_may_define_are_not_judged(repository: Make) -> None:
    repo = repository({"docs/conf.py": "rst_epilog = '.. _x: y'\n", "docs/a.rst": "A\n=\n\nSee `x`_.\n"})
    assert _missing(repo) == []


def test_a_label_of_a_sphinx_site_may_be_anywhere(repository: Make) -> None:
    repo = repository(
        {"docs/conf.py": "", "docs/a.md": "# A\n\n[x](#Spawner) [y](#b-label)\n", "docs/b.md": "(b-label)=\n# B\n"}
    )
    assert _missing(repo) == []


def test_a_part_of_other_documents_is_not_judged_alone(repository: Make) -> None:
    assert _missing(repository({"docs/_part.md": "# A\n\n[x](#elsewhere)\n"})) == []


def test_a_change_that_renames_a_heading_is_found_by_a_scan_of_the_change(repository: Make) -> None:
    repo = repository(
        {"README.md": "# Tool\n\n## Usage notes\n\nText.\n", "docs/a.md": "# A\n\n[x](../README.md#usage-notes)\n"}
    )
    repo.replace("## Usage notes", "## Running", "README.md").commit("rename the heading")
    assert [m.file for f in _missing(repo, since="HEAD~1") for m in f.mentions] == ["docs/a.md"]


def test_a_heading_that_differs_in_a_word_is_no_safe_fix_however_alike_its_letters(repository: Make) -> None:
    repo = repository({"README.md": "# T\n\n[x](#incoming-acr-webhook)\n\n## Incoming Scalr webhook\n"})
    (finding,) = repo.drifted()
    assert finding.fix is None or not finding.fix.safe


def test_a_page_of_slate_goes_on_with_what_its_front_matter_lists(repository: Make) -> None:
    page = "---\ntitle: Reference\nincludes:\n  - api\n---\n\n# Tool\n\n[insert](#insert-graph)\n"
    repo = repository({"doc/index.md": page, "doc/other.md": page.replace("includes:\n  - api\n", "")})
    assert [f.file for f in _missing(repo)] == ["doc/other.md"]


def test_a_sign_by_its_name_ends_with_a_semicolon(repository: Make) -> None:
    text = "# A\n\n[one](#wait-waitnotify) and [two](#a--b)\n\n## wait wait&notify\n\n## a &amp; b\n\nText.\n"

    assert repository({"README.md": text}).drifted() == []


@pytest.mark.parametrize(("other", "safe"), [("Install", False), ("Usage", True)])
def test_a_heading_of_one_word_that_two_may_have_taken_over_has_no_certain_fix(
    repository: Make, other: str, safe: bool
) -> None:
    text = f"# A\n\n[here](#installation)\n\n## npm installation\n\nText.\n\n## {other}\n\nText.\n"
    (finding,) = repository({"README.md": text}).drifted()

    assert finding.fix is not None
    assert (finding.fix.replacement, finding.fix.safe) == ("#npm-installation", safe)
