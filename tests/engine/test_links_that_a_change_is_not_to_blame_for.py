"""A broken link is the change's only if it led somewhere before, or the change wrote it."""

from __future__ import annotations

from collections.abc import Callable

from tests.support.repository import Repository

Make = Callable[[dict[str, str | bytes]], Repository]


def test_a_link_that_led_nowhere_before_is_not_the_change_s(repository: Make) -> None:
    pages: dict[str, str | bytes] = {
        "docs/mkdocs.yml": "site_name: x\n",
        "docs/a.md": "# A\n\nSee [it](b.md#plugin-versions).\n",
        "docs/b.md": "# B\n\nWords.\n",
        "docs/more/c.md": "# C\n\n## Plugin versions\n\nWords.\n",
        "app.py": "plugin = 1\nversions = 2\nrest = 3\n",
    }
    repo = repository(pages)
    repo.replace("plugin = 1\nversions = 2\n", "", "app.py").commit()
    assert repo.stale_lines(since="HEAD~1") == set()


def test_a_link_to_a_file_of_one_commit_holds_for_good(repository: Make) -> None:
    link = "https://example.org/o/app/blob/550dc1e99224e386516877450320f694947332d4/src/database_view.py"
    repo = repository({"README.md": f"# App\n\nSee [how]({link}).\n", "src/a.py": "def database_view():\n    pass\n"})
    repo.replace("database_view", "view", "src/a.py").commit()
    assert repo.stale_lines(since="HEAD~1") == set()


def test_a_link_that_led_nowhere_before_its_document_was_moved_is_not_the_change_s(repository: Make) -> None:
    lines = "".join(f"Line {number} of the page.\n" for number in range(12))
    files: dict[str, str | bytes] = {
        "docs6/src/diving.md": f"# Diving\n\n{lines}\nMade by [it](../data/make).\n",
        "docs/data/make": "#!/bin/sh\n",
        "app.go": "package app\n",
    }
    repo = repository(files)
    repo.git("rm", "-q", "docs/data/make")
    (repo.root / "docs/src").mkdir(parents=True)
    repo.git("mv", "docs6/src/diving.md", "docs/src/diving.md")
    repo.git("commit", "-qam", "move")
    assert repo.stale_lines(since="HEAD~1") == set()


def test_a_link_that_its_document_s_move_broke_is_the_change_s(repository: Make) -> None:
    lines = "".join(f"Line {number} of the page.\n" for number in range(12))
    files: dict[str, str | bytes] = {
        "guide/src/diving.md": f"# Diving\n\n{lines}\nMade by [it](../data/make.sh).\n",
        "guide/data/make.sh": "#!/bin/sh\n",
        "app.go": "package app\n",
    }
    repo = repository(files)
    repo.git("rm", "-q", "guide/data/make.sh")
    (repo.root / "docs/src").mkdir(parents=True)
    repo.git("mv", "guide/src/diving.md", "docs/src/diving.md")
    repo.git("commit", "-qam", "move")
    assert repo.stale_lines(since="HEAD~1") == {("docs/src/diving.md", 16)}


def test_a_broken_link_on_a_line_that_is_only_broken_anew_was_there_before(repository: Make) -> None:
    page = "# App\n\nSee the tables for [this](./tabels/one.sql), and [that](./tables/two.sql).\n"
    repo = repository({"README.md": page, "tables/two.sql": "x\n", "app.go": "package app\n"})
    repo.write({"README.md": page.replace(", and", ",\nand")}).commit()
    report = repo.scan(since="HEAD~1")
    assert report.findings == []
    assert report.summary.older == 1


def test_a_broken_link_that_the_change_wrote_is_the_change_s(repository: Make) -> None:
    page = "# App\n\nSee the tables for [that](./tables/two.sql).\n"
    repo = repository({"README.md": page, "tables/two.sql": "x\n", "app.go": "package app\n"})
    repo.replace("[that]", "[this](./tabels/one.sql) and [that]", "README.md").commit()
    assert repo.stale_lines(since="HEAD~1") == {("README.md", 3)}


def test_an_anchor_that_the_site_s_own_separator_gives_is_there_without_an_id(repository: Make) -> None:
    settings = "site_name: x\nmarkdown_extensions:\n  - toc:\n      permalink: true\n      separator: {}\n"
    files: dict[str, str | bytes] = {
        "mkdocs.yml": settings.format('"_"'),
        "docs/a.md": "# A\n\nSee [it](b.md#task_groups).\n",
        "docs/b.md": '# B\n\n<a name="task_groups"></a>\n## Task Groups\n\nWords.\n',
        "app.py": "one = 1\n",
    }
    repo = repository(files)
    repo.replace('<a name="task_groups"></a>\n', "", "docs/b.md").commit()
    assert repo.stale_lines(since="HEAD~1") == set()
    repo.write({"mkdocs.yml": settings.format("'-'")}).commit()
    assert repo.stale_lines(since="HEAD~2") == {("docs/a.md", 3)}


_LINES = "".join(f"Line {number} of the page.\n" for number in range(12))


def test_a_heading_that_was_missing_before_the_document_and_its_links_moved_is_not_the_change_s(
    repository: Make,
) -> None:
    page = f"# Client\n\n{_LINES}\nSee [core](%score.md#the-core) and [core](%score.md#core).\n"
    files: dict[str, str | bytes] = {
        "docs/concepts/client.md": page.replace("%s", "../"),
        "docs/core.md": "# Core\n\nWords.\n",
        "app.go": "package app\n",
    }
    repo = repository(files)
    repo.git("rm", "-q", "docs/concepts/client.md")
    repo.write({"docs/concepts/one/client.md": page.replace("%s", "../../")}).commit()
    assert repo.stale_lines(since="HEAD~1") == set()


def test_a_link_that_led_nowhere_before_its_text_was_taken_out_of_another_document_is_not_the_change_s(
    repository: Make,
) -> None:
    text = f"{_LINES}\nSee [the index](.index.md) and [the adapters](docs/adapters.md).\n"
    repo = repository({"GUIDE.md": f"# Guide\n\n{text}", "app.go": "package app\n", "docs/core.md": "# Core\n"})
    repo.write({"GUIDE.md": "# Guide\n\nSee [all](GUIDE-full.md).\n", "GUIDE-full.md": f"# All\n\n{text}"}).commit()
    assert repo.stale_lines(since="HEAD~1") == set()


def test_the_words_of_a_link_that_led_nowhere_before_are_not_the_change_s(repository: Make) -> None:
    page = "# App\n\nFor changes, see [docs/guides/migrations.md](docs/guides/migrations.md).\n"
    files: dict[str, str | bytes] = {
        "CONTRIBUTING.md": page,
        "old/docs/guides/migrations.md": "# Migrations\n",
        "old/app.go": "package app\n",
        "new/app.go": "package app\n",
    }
    repo = repository(files)
    repo.git("rm", "-q", "-r", "old")
    repo.git("commit", "-qm", "remove")
    assert repo.stale_lines(since="HEAD~1") == set()


def test_what_a_drawing_showed_in_vain_before_is_not_the_change_s(repository: Make) -> None:
    names = [f"part{n}.py" for n in range(9)]
    drawing = "\n".join(["src/", *(f"├── {name}" for name in names), "└── accounts/"])
    page = f"# Parts\n\n```text\n{drawing}\n```\n"
    repo = repository({"docs/parts.md": page, "src/part0.py": "accounts = 1\nother = 2\n", "src/part1.py": "x = 1\n"})
    repo.write({f"src/{name}": "x = 1\n" for name in names}).commit()
    repo.replace("x = 1", "y = 1", "src/part0.py").commit()
    assert repo.stale_lines(since="HEAD~2") == set()


def test_what_a_drawing_shows_is_the_change_s_if_it_was_there_before(repository: Make) -> None:
    names = [f"part{n}.py" for n in range(9)]
    drawing = "\n".join(["src/", *(f"├── {name}" for name in names), "└── accounts/"])
    files = {f"src/{name}": "x = 1\n" for name in names} | {"src/accounts/a.py": "y = 1\n"}
    repo = repository({"docs/parts.md": f"# Parts\n\n```text\n{drawing}\n```\n", **files})
    repo.delete("src/accounts/a.py").commit()
    assert repo.stale_lines(since="HEAD~1") == {("docs/parts.md", 14)}
