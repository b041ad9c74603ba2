"""Notes, designs, archives and finished work; examples with types of their own; pages made of something else."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.support.repository import Repository

Make = Callable[[dict[str, str | bytes]], Repository]
CODE = "def load_items():\n    pass\n\n\ndef send_items():\n    pass\n"
TOLD = "`load_items()` reads them.\n"


def missed(repo: Repository) -> set[str]:
    """The documents that a scan finds false after a function of the code got another name."""
    repo.replace("load_items", "fetch_all", "tool/items.py").commit()
    return {mention.file for finding in repo.drifted() for mention in finding.mentions}


def with_code(repository: Make, documents: dict[str, str | bytes]) -> Repository:
    return repository({**documents, "tool/__init__.py": "", "tool/items.py": CODE})


def test_what_an_archive_says_is_of_its_time_though_the_folder_is_hidden(repository: Make) -> None:
    page = f"# Items\n\n{TOLD}"
    assert missed(with_code(repository, {"docs/.archive/items.md": page, "docs/items.md": page})) == {"docs/items.md"}


@pytest.mark.parametrize(
    "lead",
    [
        "Design pass for the items.",
        "Design note. Captures what we want.",
        "No code is written here.",
        "> This file preserves\n> the #12 audit of it.",
    ],
)
def test_a_design_says_so_with_its_first_words(repository: Make, lead: str) -> None:
    page = f"# Items\n\n{{lead}}\n\n## How\n\n{TOLD}"
    documents: dict[str, str | bytes] = {
        "a.md": page.format(lead=lead),
        "b.md": page.format(lead="How items are read."),
    }
    assert missed(with_code(repository, documents)) == {"b.md"}


def test_a_document_whose_front_matter_says_that_the_work_is_over_is_of_its_time(repository: Make) -> None:
    page = f"---\ntitle: Items\nstatus: '{{}}'\n---\n\n# Items\n\n{TOLD}"
    assert missed(with_code(repository, {"a.md": page.format("done"), "b.md": page.format("active")})) == {"b.md"}


def test_a_note_that_nobody_came_back_to_does_not_miss_what_has_just_gone(repository: Make) -> None:
    page = f"# Items\n\n{TOLD}"
    repo = with_code(repository, {"notes/items.md": page, "manual/items.md": page}).age(40)
    assert missed(repo) == {"manual/items.md"}


def test_the_fields_of_a_type_that_an_example_declares_are_its_own(repository: Make) -> None:
    rust = "pub struct Store {\n    pub field_one: u32,\n    pub inner: Inner,\n}\npub struct Inner {}\npub struct Kept {}\n"
    page = "# Guide\n\n```rust\nstruct {} {{\n    field_one: i32,\n    inner: Inner,\n}}\n```\n"
    manifest = '[package]\nname = "tool"\nversion = "1.0.0"\n'
    documents: dict[str, str | bytes] = {"a.md": page.format("MyStruct"), "b.md": page.format("Store")}
    repo = repository({**documents, "Cargo.toml": manifest, "src/lib.rs": rust})
    repo.write({"src/lib.rs": rust.replace("field_one", "first").replace("Inner", "Heart")}).commit()
    assert {mention.file for finding in repo.drifted() for mention in finding.mentions} == {"b.md"}


def test_a_sentence_in_an_outline_and_an_entry_that_is_optional_are_no_files(repository: Make) -> None:
    names = ["app.py", "auth.py", "blog.py", "db.py", "forms.py", "views.py"]
    drawing = "".join(f"├── {name}\n" for name in names)
    outline = "├── Session lifecycle, routines, memory\n├── after-upgrade/   # OPTIONAL: tasks for later\n└── wsgi.py\n"
    repo = repository({name: f"# {name}\n" for name in names})
    repo.write({"AGENTS.md": f"# Layout\n\n```text\n{drawing}{outline}```\n"}).commit()
    assert [f.claim for f in repo.drifted()] == ["wsgi.py"]


def test_a_page_that_is_made_of_a_notebook_is_not_missed(repository: Make) -> None:
    page = "# Manual\n\nSee the [tutorial](tutorial.md) and the [tour](tour.md).\n"
    files: dict[str, str | bytes] = {"docs/index.md": page, "docs/tutorial.md": "# T\n", "docs/tour.md": "# T\n"}
    repo = repository({**files, "nb/tutorial.ipynb": "{}", "mkdocs.yml": "site_name: Tool\n"})
    repo.delete("docs/tutorial.md", "docs/tour.md").commit()
    assert [f.claim for f in repo.drifted()] == ["tour.md"]


def test_a_readme_is_read_where_it_lies_so_a_folders_own_page_is_no_page_of_that_name(repository: Make) -> None:
    page = "# Dashboards\n\nSee [how it is built](../../docs/architecture.md) and [why](../../docs/reasons.md).\n"
    files: dict[str, str | bytes] = {"config/grafana/README.md": page, "docs/architecture.md": "# A\n"}
    repo = repository({**files, "docs/reasons.md": "# R\n"})
    repo.delete("docs/architecture.md").write({"docs/architecture/index.md": "# Architecture\n\nMuch more.\n"}).commit()
    assert [f.claim for f in repo.drifted()] == ["../../docs/architecture.md"]


def test_the_readme_of_a_piece_of_work_is_of_its_days(repository: Make) -> None:
    page = "# Platform\n\n## Progress\n\nRun `scripts/check.py` then.\n"
    repo = repository({"README.md": page, "scripts/check.py": "", "src/a.py": ""})
    repo.age(20)
    repo.write({"spec/platform/README.md": page}).commit(on="2024-06-01T12:00:00Z")
    repo.write({"README.md": page + "\nMore.\n"}).commit(on="2024-06-02T12:00:00Z")
    repo.delete("scripts/check.py").commit(on="2024-06-08T12:00:00Z")
    assert {m.file for f in repo.drifted() for m in f.mentions} == {"README.md"}


def test_a_group_of_routes_in_brackets_is_a_folder_of_a_drawing(repository: Make) -> None:
    names = ["app/api/a.ts", "app/(auth)/b.ts", "app/layout.tsx", "lib/c.ts", "lib/d.ts", "styles/e.css"]
    drawing = (
        "src/\n├── app/\n│   ├── (auth)/        # Signing in\n│   ├── (gone)/\n│   ├── api/\n│   └── layout.tsx\n"
        "├── lib/\n│   ├── c.ts\n│   └── d.ts\n├── styles/\n└── nowhere.ts\n"
    )
    repo = repository({f"src/{name}": "x\n" for name in names})
    repo.write({"AGENTS.md": f"# Layout\n\n```text\n{drawing}```\n"}).commit()
    assert [f.claim for f in repo.drifted()] == ["nowhere.ts"]


def test_what_lies_in_the_data_of_tests_is_often_a_copy(repository: Make) -> None:
    page = "# Data\n\nSee [the format](../format/format.md).\n"
    repo = repository({"spec/data/tracing/README.md": page, "spec/README.md": page, "lib/a.rb": ""})
    assert {m.file for f in repo.drifted() for m in f.mentions} == {"spec/README.md"}


@pytest.mark.parametrize("banner", ["歷史紀錄——已於 #25 移除。", "This section preserves what was."])
def test_a_banner_of_the_past_is_understood_in_chinese(repository: Make, banner: str) -> None:
    page = f"# Stages\n\n## One\n\n> **{banner}** `load_items()` 讀取。\n"
    missing = missed(with_code(repository, {"a.md": page}))
    assert missing == (set() if banner.startswith("歷") else {"a.md"})
