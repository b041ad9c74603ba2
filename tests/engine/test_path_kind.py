"""Paths in documentation, judged by the tree and by what became of them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from docalign_actors.engine.settings import ScanSettings
from docalign_actors.findings.model import Finding, Fix, Verdict
from docalign_actors.hosts.localgit.successors import successor
from tests.support.repository import Repository

Make = Callable[[dict[str, str | bytes]], Repository]
ONLY_PATHS = ScanSettings(jobs=1, claim_types=("path",))


def drifted(repo: Repository, since: str = "") -> list[Finding]:
    return repo.drifted(since=since, settings=ONLY_PATHS)


def test_a_link_to_a_file_that_is_there_is_verified(repository: Make) -> None:
    repo = repository({"README.md": "See [the guide](docs/guide.md#start).\n", "docs/guide.md": "# Start\n"})
    report = repo.scan(settings=ONLY_PATHS)
    assert (report.summary.verified, report.summary.drifted) == (1, 0)


def test_a_link_to_a_renamed_file_names_the_commit_and_the_new_path(repository: Make) -> None:
    repo = repository(
        {"docs/README.md": "See [the guide](guides/guide.md).\n", "docs/guides/guide.md": "# Start\n\nwords\n"}
    )
    repo.move("docs/guides/guide.md", "docs/guides/start.md").commit("rename the guide")
    (finding,) = drifted(repo)
    assert finding.rule == "missing-link-target"
    assert finding.fix is not None
    assert finding.fix.replacement == "guides/start.md"
    assert finding.fix.safe
    assert "rename the guide" in finding.evidence[0].text
    assert finding.evidence[0].commit == repo.git("rev-parse", "HEAD").strip()


def test_of_copies_that_moved_together_each_is_followed_to_its_own_place(repository: Make) -> None:
    page = "# Options\n\nThe same words in every version.\n"
    versions = ["main", "v1", "v2", "v3"]
    repo = repository(
        {"README.md": "See [options](docs/main/options.md).\n"} | {f"docs/{v}/options.md": page for v in versions}
    )
    for version in versions:
        repo.move(f"docs/{version}/options.md", f"site/docs/{version}/options.md")
    repo.commit("move the pages")
    (finding,) = drifted(repo)
    assert finding.fix is not None
    assert finding.fix.replacement == "site/docs/main/options.md"
    swapped = {"docs/main/a.md": "site/docs/v1/a.md", "docs/v1/a.md": "site/docs/main/a.md", "src/x.py": "lib/x.py"}
    assert [successor(path, swapped, set(swapped.values()), swapped) for path in swapped] == [
        "site/docs/main/a.md", "site/docs/v1/a.md", "lib/x.py",
    ]  # fmt: skip


def test_a_folder_went_where_its_own_files_went_not_where_some_manifest_is_alike() -> None:
    renames = {
        "examples/eos/go.mod": "examples/rest/go.mod",
        "examples/eos/go.sum": "examples/rest/go.sum",
        "examples/eos/main.go": "examples/all/main.go",
        "examples/old/go.sum": "examples/all/go.sum",
    }
    gone = ("examples/eos", "examples/old")
    within = {path: [old for old in renames if old.startswith(f"{path}/")] for path in gone}
    assert [successor(path, renames, set(renames.values()), within[path]) for path in gone] == ["examples/all", ""]


@pytest.mark.parametrize(
    ("name", "shown"), [("test_mytest.py", 0), ("test_parser.py", 1), ("one-three", 0), ("one-four", 1)]
)
def test_a_drawing_may_show_a_file_that_stands_for_any(repository: Make, name: str, shown: int) -> None:
    there = ("conftest.py", "a/test_one.py", "a/test_two.py", "b/test_three.py")
    entries = "├── conftest.py\n├── a\n│   ├── test_one.py\n│   └── test_two.py\n└── b\n    ├── test_three.py\n"
    drawing = f"```\ntests\n{entries}    └── {name}\n```\n"
    there = (*there, "b/one/x.py", "b/three/x.py")
    repo = repository({"tests/README.md": drawing} | {f"tests/{path}": "x = 1\n" for path in there})
    assert len(drifted(repo)) == shown


def test_a_link_that_never_led_anywhere_is_drifted_in_a_plain_readme(repository: Make) -> None:
    repo = repository({"README.md": "See [the guide](docs/nowhere.md).\n", "docs/guide.md": "# Start\n"})
    assert [f.rule for f in drifted(repo)] == ["missing-link-target"]


@pytest.mark.parametrize(
    "target",
    [
        "https://example.org/x.md",
        "mailto:a@b.c",
        "#start",
        "//cdn/x.md",
        "{{ url }}.md",
        "<path>.md",
        "../../outside.md",
    ],
)
def test_links_that_leave_the_repository_are_not_judged(repository: Make, target: str) -> None:
    assert drifted(repository({"README.md": f"See [it]({target}).\n"})) == []


def test_a_path_in_a_code_span_is_drifted_only_if_it_once_was_there(repository: Make) -> None:
    repo = repository({"README.md": "Edit `src/app/core.py` and `src/never/was.py`.\n", "src/app/core.py": "x = 1\n"})
    repo.move("src/app/core.py", "src/app/kernel.py").commit()
    (finding,) = drifted(repo)
    assert finding.claim == "src/app/core.py"
    assert finding.fix is not None
    assert finding.fix.replacement == "src/app/kernel.py"


def test_every_mention_of_a_removed_file_is_pointed_at(repository: Make) -> None:
    text = "The file `lib/loader.py` loads.\n\n- `lib/loader.py`\n\n```sh\npython lib/loader.py\n```\n\nSee [it](lib/loader.py), or lib/loader.py.\n"
    repo = repository({"README.md": text, "docs/other.md": "Also `lib/loader.py`.\n", "lib/loader.py": "x = 1\n"})
    repo.delete("lib/loader.py").commit("drop the loader")
    assert {(m.file, m.line) for f in drifted(repo) for m in f.mentions} == {
        ("README.md", 1), ("README.md", 3), ("README.md", 6), ("README.md", 9), ("docs/other.md", 1),
    }  # fmt: skip


def test_a_renamed_directory_is_found_with_its_new_name(repository: Make) -> None:
    repo = repository(
        {"README.md": "Plugins live in `plugins/`.\n", "plugins/a.py": "x = 1\n", "plugins/b.py": "y = 2\n"}
    )
    repo.move("plugins", "extensions").commit()
    (finding,) = drifted(repo)
    assert finding.fix is not None
    assert finding.fix.replacement == "extensions/"


def test_a_path_is_understood_from_the_documents_folder_or_the_root(repository: Make) -> None:
    repo = repository(
        {"docs/guide.md": "See `examples/run.py` and `src/app.py`.\n", "docs/examples/run.py": "", "src/app.py": ""}
    )
    assert repo.scan(settings=ONLY_PATHS).summary.verified == 2


def test_what_gitignore_names_is_made_at_run_time(repository: Make) -> None:
    repo = repository(
        {"README.md": "The build writes [the page](dist/index.html) and `dist/app.js`.\n", ".gitignore": "dist/\n"}
    )
    assert drifted(repo) == []


def test_lines_anchors_and_tests_behind_a_path_are_not_part_of_it(repository: Make) -> None:
    files = {
        "README.md": "See `src/app.py:42`, `src/app.py#L10-L20` and `src/app.py::test_it`.\n",
        "src/app.py": "x = 1\n",
    }
    assert repository(files).scan(settings=ONLY_PATHS).summary.verified == 3


def test_a_drawing_of_the_tree_is_read_with_its_nesting(repository: Make) -> None:
    drawing = "```\nproject/\n├── src/\n│   ├── app.py\n│   └── gone.py\n└── docs/\n    └── guide.md\n```\n"
    repo = repository({"README.md": drawing, "src/app.py": "", "src/gone.py": "x = 1\n", "docs/guide.md": "# G\n"})
    repo.delete("src/gone.py").commit()
    (finding,) = drifted(repo)
    assert (finding.line, finding.claim) == (5, "gone.py")


def test_names_that_every_project_has_are_not_judged_by_history_alone(repository: Make) -> None:
    repo = repository({"README.md": "Put it into your `setup.py`.\n", "setup.py": "x = 1\n"})
    repo.delete("setup.py").commit()
    assert drifted(repo) == []


def test_a_symbolic_link_is_not_followed(repository: Make) -> None:
    repo = repository({"README.md": "See [x](link/inner.md).\n"})
    (repo.root / "link").symlink_to("/etc")
    repo.commit()
    assert drifted(repo) == []


def test_a_scan_of_the_change_reports_what_the_change_removed_and_counts_the_rest(repository: Make) -> None:
    repo = repository({"README.md": "See `lib/a.py` and `lib/b.py`.\n", "lib/a.py": "x = 1\n", "lib/b.py": "y = 1\n"})
    repo.delete("lib/a.py").commit("older drift")
    repo.delete("lib/b.py").commit("newer drift")
    report = repo.scan(since="HEAD~1", settings=ONLY_PATHS)
    assert [f.claim for f in report.drifted] == ["lib/b.py"]
    assert len(drifted(repo)) == 2


def test_a_false_link_that_the_change_itself_wrote_is_reported(repository: Make) -> None:
    repo = repository({"README.md": "# Hello\n", "docs/guide.md": "# G\n"})
    repo.write({"README.md": "# Hello\n\nSee [it](docs/guid.md).\n"}).commit()
    assert [f.line for f in drifted(repo, since="HEAD~1")] == [3]


def test_uncommitted_removals_count(repository: Make) -> None:
    repo = repository({"README.md": "See `lib/loader.py`.\n", "lib/loader.py": "x = 1\n"})
    (repo.root / "lib/loader.py").rename(repo.root / "lib/reader.py")
    (finding,) = drifted(repo)
    assert finding.fix is not None
    assert finding.fix.replacement == "lib/reader.py"


def test_uncertain_claims_are_counted_and_hidden(repository: Make) -> None:
    repo = repository({"README.md": "Create `lib/yours.py`.\n"})
    report = repo.scan(settings=ONLY_PATHS, show=frozenset({Verdict.UNCERTAIN}))
    assert report.summary.uncertain == 1
    assert report.drifted == []
    assert [f.verdict for f in report.findings] == [Verdict.UNCERTAIN]


def test_the_words_of_a_link_to_another_site_are_not_judged(repository: Make) -> None:
    text = "See [lib/loader.py](https://example.org/blob/94ea67e/lib/loader.py#L2) and [`lib/loader.py`](https://example.org/x).\n"
    repo = repository({"README.md": text, "lib/loader.py": "x = 1\n"})
    repo.delete("lib/loader.py").commit()
    assert drifted(repo) == []


def test_the_output_of_a_command_in_a_session_is_not_judged(repository: Make) -> None:
    repo = repository(
        {
            "README.md": "```console\n$ ls lib/other.py\nlib/loader.py\n```\n",
            "lib/loader.py": "x = 1\n",
            "lib/other.py": "",
        }
    )
    repo.delete("lib/loader.py").commit()
    assert drifted(repo) == []


def test_a_path_with_an_unusual_ending_is_found_in_commands(repository: Make) -> None:
    repo = repository({"README.md": "```sh\ndraw charts/state1.mmd\n```\n", "charts/state1.mmd": "x\n"})
    repo.move("charts/state1.mmd", "charts/status1.mmd").commit()
    assert [f.claim for f in drifted(repo)] == ["charts/state1.mmd"]


def test_old_drift_in_a_renamed_document_is_not_called_new(repository: Make) -> None:
    repo = repository({"docs/guide.md": "# Guide\n\nSee [x](gone.md).\n\nMore words.\n", "docs/other.md": "# Other\n"})
    repo.move("docs/guide.md", "docs/manual.md").commit()
    assert drifted(repo, since="HEAD~1") == []


@pytest.mark.parametrize("code", ['open(root / "state.json")\n', "path = f'{root}/state.json'\n"])
def test_a_removed_file_that_code_writes_at_run_time_is_not_missing(repository: Make, code: str) -> None:
    text = "The tool keeps `.tool/state.json`; delete it to start again.\n"
    repo = repository({"README.md": text, ".tool/state.json": "{}", "tool/core.py": code})
    repo.delete(".tool/state.json").commit()
    assert drifted(repo) == []
    repo.write({"tool/core.py": "pass\n"}).commit()
    assert [f.claim for f in drifted(repo)] == [".tool/state.json"]


def test_a_removed_file_that_a_template_makes_is_not_missing(repository: Make) -> None:
    files = {"README.md": "It makes `my_pipelines.py`.\n", "src/my_pipelines.py": "", "src/kept.py": ""}
    repo = repository({**files, "templates/my_pipelines.py.tmpl": ""})
    repo.delete("src/my_pipelines.py").commit()
    assert drifted(repo) == []


def test_a_link_from_the_root_of_a_site_finds_what_the_site_serves(repository: Make) -> None:
    repo = repository({"docs/src/index.mdx": "![shot](/shot.png)\n", "docs/shot.png": b"x"})
    repo.move("docs/shot.png", "docs/public/shot.png").commit()
    assert drifted(repo) == []
    repo.delete("docs/public/shot.png").commit()
    assert [f.claim for f in drifted(repo)] == ["/shot.png"]


def test_a_file_that_the_reader_generated_is_the_readers_own(repository: Make) -> None:
    repo = repository({"README.md": "See the `PLANS_OF.rst` file that you generated.\n", "PLANS_OF.rst": "x"})
    assert drifted(repo.delete("PLANS_OF.rst").commit()) == []


def later(repo: Repository) -> Repository:
    return repo.age(10)


@pytest.mark.parametrize(
    "text",
    ["```js\n// test/fixture_setup.js\n\nsetUp()\n```\n", '```sh\nrunner --file "./test/fixture_setup.js" x\n```\n'],
)
def test_a_sample_that_is_called_like_a_file_of_ours_is_missing_only_for_a_while(repository: Make, text: str) -> None:
    package = '{"name": "runner", "bin": {"runner": "bin/runner.js"}}'
    files = {"README.md": text, "test/fixture_setup.js": "x\n", "package.json": package, "bin/runner.js": "x"}
    repo = repository(files)
    repo.move("test/fixture_setup.js", "test/fixture_setup.cjs").commit()
    assert [f.claim for f in drifted(repo)] != []
    assert drifted(later(repo)) == []


@pytest.mark.parametrize(
    "name", ["poetry.lock", "AUTHORS.rst", "package-lock.json", "vite.config.ts", ".eslintrc.json"]
)
def test_files_that_most_projects_have_may_be_the_readers(repository: Make, name: str) -> None:
    repo = repository({"README.md": f"It writes `{name}`.\n", name: "x"})
    assert drifted(repo.delete(name).commit()) == []


def test_a_page_of_a_site_need_not_be_a_file(repository: Make) -> None:
    repo = repository({"docs/index.md": "See [the API](/api).\n", "docs/api/index.html": "x"})
    repo.delete("docs/api/index.html").commit()
    assert drifted(later(repo)) == []


def test_a_name_alone_of_a_file_elsewhere_is_missing_only_for_a_while(repository: Make) -> None:
    text = "It writes `list_of_names.py`.\n"
    repo = repository({"README.md": text, "src/README.md": text, "src/list_of_names.py": "x", "src/kept.py": "x"})
    repo.delete("src/list_of_names.py").commit()
    assert [m.file for f in drifted(repo) for m in f.mentions] == ["README.md", "src/README.md"]
    assert [m.file for f in drifted(later(repo)) for m in f.mentions] == ["src/README.md"]


def test_a_path_in_a_stack_trace_is_not_judged(repository: Make) -> None:
    trace = '```\nTraceback (most recent call last):\n  File "src/settings_of.py", line 839, in run\n    run()\n```\n'
    repo = repository({"README.md": trace, "src/settings_of.py": "x", "src/kept.py": "x"})
    assert drifted(repo.delete("src/settings_of.py").commit()) == []


def test_a_drawing_of_something_else_is_false_only_for_a_while(repository: Make) -> None:
    drawing = "```\n.\n├── one_form.html\n├── two_form.html\n├── base_form.html\n└── any_form.html\n```\n"
    repo = repository({"docs/a.md": f"Make this:\n\n{drawing}", "docs/one_form.html": "x", "docs/two_form.html": "y"})
    repo.delete("docs/one_form.html").commit()
    assert [f.claim for f in drifted(repo)] == ["one_form.html"]
    assert drifted(later(repo)) == []


@pytest.mark.parametrize(
    ("link", "fix"),
    [
        ("tool/parts/notes.md", Fix("../parts/notes.md", safe=True)),
        ("parts/notes.md", Fix("../parts/notes.md", safe=True)),
        ("../../parts/notes.md", Fix("../parts/notes.md", safe=True)),
        ("../COPYING.txt", Fix("../../COPYING.txt", safe=False)),
        ("../CREDITS.txt", None),
    ],
)
def test_a_link_that_is_written_as_if_from_another_folder_is_mended_from_its_own(
    repository: Make, link: str, fix: Fix | None
) -> None:
    text = f"See [this]({link}).\n"
    repo = repository(
        {"tool/a/README.md": text, "tool/parts/notes.md": "x", "COPYING.txt": "x", "lib/CREDITS.txt": "x"}
    )
    (finding,) = repo.drifted()
    assert finding.fix == fix


def test_a_link_in_other_capitals_is_mended_to_those_of_the_file(repository: Make) -> None:
    text = "See [a](../b/README.MD#part) and [c](../b/NOTES.md).\n"
    repo = repository(
        {"docs/a/README.md": text, "docs/b/README.md": "# Part\n", "docs/b/Notes.md": "", "docs/b/notes.md": ""}
    )
    fixes = {f.claim: f.fix and (f.fix.replacement, f.fix.safe) for f in drifted(repo)}
    assert fixes == {"../b/README.MD": ("../b/README.md", True), "../b/NOTES.md": None}


def test_the_fix_of_a_path_that_climbs_out_of_its_folder_climbs_as_well(repository: Make) -> None:
    page = "# Code\n\nSee `../../examples/acme.py`.\n"
    repo = repository({"docs/dev/code.md": page, "examples/acme.py": "a = 1\nb = 2\nc = 3\n"})
    repo.move("examples/acme.py", "examples/sample.py").commit()
    (finding,) = drifted(repo, since="HEAD~1")
    assert finding.fix is not None
    assert finding.fix.replacement == "../../examples/sample.py"


def test_the_fix_of_an_antora_page_is_written_from_its_module(repository: Make) -> None:
    pages = "docs/modules/ROOT/pages"
    repo = repository({
        "docs/antora.yml": "name: a\n",
        f"{pages}/server/health-indicator.adoc": "= Health\n\nSome words.\n",
        f"{pages}/server/git/git.adoc": "= Git\n\nSee xref:server/health-indicator.adoc[Health].\n",
    })  # fmt: skip
    repo.move(f"{pages}/server/health-indicator.adoc", f"{pages}/server/health.adoc").commit()
    (finding,) = drifted(repo, since="HEAD~1")
    assert finding.fix is not None
    assert finding.fix.replacement == "server/health.adoc"


def test_what_ruby_loads_is_missed_when_its_file_moves(repository: Make) -> None:
    page = "# Task\n\n```ruby\nrequire 'tool/rake/task'\nrequire 'other/task'\n```\n"
    repo = repository({"docs/task.md": page, "lib/tool/rake/task.rb": "module Tool\n  A = 1\n  B = 2\nend\n"})
    repo.move("lib/tool/rake/task.rb", "lib/tool/rake_task.rb").commit()
    for since in ("", "HEAD~1"):
        (finding,) = drifted(repo, since=since)
        assert (finding.file, finding.line) == ("docs/task.md", 4)
        assert finding.fix is not None
        assert finding.fix.replacement == "tool/rake_task"


def test_where_the_only_file_of_the_same_name_is_now_is_told_though_it_is_not_certain(repository: Make) -> None:
    page = "# Work\n\nSee `old/mails/welcome_mail.txt` and `old/setup.cfg`.\n"
    files: dict[str, str | bytes] = {
        "CONTRIBUTING.md": page,
        "old/mails/welcome_mail.txt": "a\n" * 9,
        "old/setup.cfg": "x\n",
    }
    repo = repository(files)
    repo.delete("old/mails/welcome_mail.txt").delete("old/setup.cfg").commit()
    repo.write({"new/welcome_mail.txt": "other\nwords\n"}).commit()
    first, second = sorted(drifted(repo), key=lambda finding: finding.claim)
    assert first.fix == Fix("new/welcome_mail.txt", safe=False)
    assert second.fix is None


def test_a_namesake_does_not_make_a_claim_of_what_was_written_after_the_file_went(repository: Make) -> None:
    repo = repository({"apps/acme_flow.json": "{}\n", "src/catalog/other.json": "[]\n"})
    repo.delete("apps/acme_flow.json").write({"src/catalog/acme_flow.json": "[1, 2]\n"}).commit()
    later(repo)
    repo.write({"CONTRIBUTING.md": "# Work\n\n**State** (apps/acme_flow.json):\n"}).commit()
    assert drifted(later(repo)) == []


def test_a_file_in_other_capitals_is_no_certain_fix_where_it_lacks_the_heading_that_is_linked_to(
    repository: Make,
) -> None:
    page = "# Work\n\n[a](readme.md#reference), [b](readme.md#usage)\n"
    repo = repository({"CONTRIBUTING.md": page, "README.md": "# Tool\n\n## Usage\n"})
    (finding,) = [f for f in drifted(repo) if f.rule == "missing-link-target"]
    assert [(mention.replacement, mention.safe) for mention in finding.mentions] == [
        ("README.md", False),
        ("README.md", True),
    ]


def test_a_link_with_a_blank_for_a_number_leads_nowhere_by_design(repository: Make) -> None:
    page = "# Decisions\n\n- [ADR-XXX](ADR-XXX-title.md)\n- [ADR-1](ADR-1-title.md)\n"
    assert [f.claim for f in drifted(repository({"dev/README.md": page}))] == ["ADR-1-title.md"]
