"""Files and names of one piece of work: they come and go, are to be made or to be removed, and nobody misses them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from docalign_actors.engine.renames import successor
from tests.support.repository import Repository

Make = Callable[[dict[str, str | bytes]], Repository]
TOLD = "# Work\n\nFind the next task in `pipeline/tasks.md`.\n"


def test_a_file_that_came_and_went_more_than_once_is_not_missed(repository: Make) -> None:
    repo = repository({"CLAUDE.md": TOLD, "pipeline/tasks.md": "one\n", "a.py": ""})
    repo.delete("pipeline/tasks.md").commit("done")
    assert [f.claim for f in repo.drifted()] == ["pipeline/tasks.md"]
    repo.write({"pipeline/tasks.md": "two\n"}).commit("the next piece of work")
    repo.delete("pipeline/tasks.md").commit("done")
    assert repo.drifted() == []


def test_a_link_to_a_home_folder_is_no_link_into_the_repository(repository: Make) -> None:
    told = "# A\n\nSee [notes](~/notes/api.md) and [others](notes/other.md).\n"
    assert [f.claim for f in repository({"README.md": told, "a.py": ""}).drifted()] == ["notes/other.md"]


@pytest.mark.parametrize("told", ["Create `app/model.py`.", "创建 `app/model.py`。", "Create the file `app/model.py`."])
def test_a_file_that_the_text_asks_to_create_is_not_missed(repository: Make, told: str) -> None:
    repo = repository({"docs/guide.md": f"# Guide\n\n{told}\n", "app/model.py": "", "app/b.py": ""})
    repo.delete("app/model.py").commit("drop it")
    assert repo.drifted() == []


def test_a_file_that_the_text_asks_to_read_is_missed(repository: Make) -> None:
    repo = repository({"docs/guide.md": "# Guide\n\nRead `app/model.py`.\n", "app/model.py": "", "app/b.py": ""})
    repo.delete("app/model.py").commit("drop it")
    assert [f.claim for f in repo.drifted()] == ["app/model.py"]


def test_a_name_that_a_list_of_tasks_asks_to_remove_is_not_missed_once_that_is_done(repository: Make) -> None:
    code = "class ArtifactStore:\n    pass\n\n\nclass Other:\n    pass\n"
    tasks = "# Tasks\n\n- Remove the in-memory `ArtifactStore`.\n- `ArtifactStore` keeps what agents say.\n"
    repo = repository({"docs/tasks.md": tasks, "README.md": "# A\n\nUses `ArtifactStore`.\n", "app/store.py": code})
    repo.write({"app/store.py": "class Other:\n    pass\n"}).commit("remove it")
    assert [(f.file, f.claim, [m.file for m in f.mentions]) for f in repo.drifted()] == [
        ("README.md", "ArtifactStore", ["README.md"])
    ]


def test_names_that_changed_their_order_with_their_words_are_not_taken_for_each_other() -> None:
    before = [("artifact_id", 1), ("version_pattern", 1), ("group_id_hint", 1), ("limit", 2)]
    after = [("artifact_id", 1), ("group_prefix", 1), ("version_hint", 1), ("limit", 2)]
    assert successor("version_pattern", before, after) is None
    after = [("artifact_id", 1), ("release", 1), ("group_prefix", 1), ("limit", 2)]
    assert successor("group_id_hint", before, after) == ("group_prefix", True)


@pytest.mark.parametrize("name", [".env.agent", "./requirements.txt"])
def test_a_file_that_everybody_has_is_not_missed_when_ours_goes(repository: Make, name: str) -> None:
    repo = repository({"docs/guide.md": f"# Guide\n\nIt is read from `{name}`.\n", name: "x\n", "app/b.py": ""})
    repo.delete(name).commit("drop ours")
    assert repo.drifted(since="HEAD~1") == []


def test_a_file_of_which_a_template_was_made_is_what_comes_of_it(repository: Make) -> None:
    code = "def make_a_name() -> str:\n    return 'a thread that was named'\n"
    told = "# Guide\n\nWrite it in `graph/thread_names.py`.\n"
    repo = repository({"docs/guide.md": told, "graph/thread_names.py": code, "tool/cli.py": ""})
    repo.move("graph/thread_names.py", "tool/templates/prod/graph/thread_names.py").commit("a template")
    assert repo.drifted(since="HEAD~1") == []


def test_a_page_that_was_put_away_is_missed_and_its_new_place_is_no_certain_fix(repository: Make) -> None:
    told = "# App\n\nSee [the guide](docs/guide.md).\n"
    repo = repository({"README.md": told, "docs/guide.md": "# Guide\n\nHow it is done.\n", "a.py": ""})
    repo.move("docs/guide.md", "docs-old-to-be-deleted/guide.md").commit("put it away")
    assert [(f.claim, f.fix and f.fix.safe) for f in repo.drifted()] == [("docs/guide.md", False)]


def test_a_name_that_stands_for_the_readers_own_is_not_missed(repository: Make) -> None:
    code = "class MyAgentState:\n    pass\n\n\nclass AgentState:\n    pass\n"
    told = "# App\n\nDerive `MyAgentState` from `AgentState`.\n"
    repo = repository({"README.md": told, "app/state.py": code})
    repo.write({"app/state.py": "class Other:\n    pass\n"}).commit("drop both")
    assert [f.claim for f in repo.drifted(since="HEAD~1")] == ["AgentState"]


@pytest.mark.parametrize(
    ("document", "path"), [("AGENTS.md", "PLAN.md"), (".codex/skills/spec/SKILL.md", "specs/all.md")]
)
def test_what_one_works_with_for_a_while_and_what_a_skill_tells_of_any_repository_is_not_missed(
    repository: Make, document: str, path: str
) -> None:
    repo = repository(
        {document: f"# Work\n\nRead `{path}` first.\n", path: "x\n", "app/b.py": "", "README.md": "# A\n"}
    )
    repo.delete(path).commit("done")
    assert repo.age().drifted() == []


def test_a_skill_that_names_what_any_program_has_is_not_missed_a_word_of(repository: Make) -> None:
    told = "# Go\n\n```go\nctx, cancel := context.WithTimeout(ctx, limit)\n```\n"
    code = "package app\n\nfunc run() {\n\tctx, cancel := context.WithTimeout(ctx, limit)\n}\n"
    repo = repository(
        {".agents/skills/go/SKILL.md": told, "docs/go.md": told, "app/run.go": code, "README.md": "# A\n"}
    )
    repo.write({"app/run.go": "package app\n\nfunc run() {\n}\n"}).commit("no limit")
    assert ".agents/skills/go/SKILL.md" not in {f.file for f in repo.drifted()}


def test_what_stands_in_the_place_of_one_of_many_that_went_is_no_certain_successor() -> None:
    before = [("root", 1), ("document", 1), ("interpreter", 1), ("skip_mutations", 1), ("hydration_ids", 1)]
    after = [("root", 1), ("interpreter", 1), ("writing_id", 1), ("hydration_ids", 1)]
    assert successor("skip_mutations", before, after) == ("writing_id", False)
    after[2] = ("omit_mutations", 1)
    assert successor("skip_mutations", before, after) == ("omit_mutations", True)


def test_a_file_that_a_branch_and_its_squashed_commit_took_away_went_once(repository: Make) -> None:
    repo = repository({"CLAUDE.md": TOLD, "pipeline/tasks.md": "one\n", "a.py": ""})
    start = repo.git("rev-parse", "HEAD").strip()
    repo.git("checkout", "-q", "-b", "side")
    repo.delete("pipeline/tasks.md").commit("docs: move the tasks")
    repo.git("checkout", "-q", "-b", "squashed", start)
    repo.delete("pipeline/tasks.md").commit("docs: move the tasks (#7)")
    repo.git("merge", "-q", "--no-edit", "side")

    assert [f.claim for f in repo.drifted()] == ["pipeline/tasks.md"]


def test_a_folder_whose_files_gitignore_names_is_filled_by_a_build(repository: Make) -> None:
    told = "# A\n\nAgents lie in `.tool/agents/`.\n"
    repo = repository({"CLAUDE.md": told, ".tool/agents/a.yml": "a: 1\n", ".tool/agents/b.yml": "b: 1\n", "a.py": ""})
    repo.move(".tool/agents/a.yml", "src/agents/a.yml").move(".tool/agents/b.yml", "src/agents/b.yml")
    repo.commit("move the sources")
    assert [f.claim for f in repo.drifted()] == [".tool/agents/"]
    repo.write({".gitignore": "# made of src/agents\n.tool/agents/*.yml\n"}).commit("ignore what is made")
    assert repo.drifted() == []


def test_a_table_of_what_moves_where_names_what_went_on_purpose(repository: Make) -> None:
    table = "| Today | Target | Status |\n|---|---|---|\n| `core/rows` | `kernel/rows` | done |\n"
    repo = repository({"docs/modules.md": f"# Modules\n\n{table}", "kernel/rows/a.py": "", "a.py": ""})
    assert repo.delete("kernel/rows/a.py").commit("once more").drifted() == []


def test_what_goes_into_one_commit_is_not_missed_later(repository: Make) -> None:
    told = "# Commits\n\n```bash\ngit add docs/old-notes.md app/model.py\ngit commit -m go\ncat app/model.py\n```\n"
    repo = repository({"docs/commits.md": told, "docs/old-notes.md": "", "app/model.py": "", "app/b.py": ""})
    repo.delete("docs/old-notes.md").delete("app/model.py").commit("drop them")
    assert [(f.claim, [m.line for m in f.mentions]) for f in repo.drifted()] == [("app/model.py", [6])]


def test_what_an_example_imports_is_seen_from_its_own_folder(repository: Make) -> None:
    told = '# A\n\n```solidity\nimport { E } from "../errors/Errors.sol";\n```\n\nRead `../errors/Errors.sol`.\n'
    repo = repository({"docs/guide.md": told, "errors/Errors.sol": "one\n", "errors/Other.sol": "", "a.py": ""})
    repo.delete("errors/Errors.sol").write({"src/errors/Errors.sol": "quite another\n" * 9}).commit("move the code")
    assert [(f.claim, [m.line for m in f.mentions]) for f in repo.drifted()] == [("../errors/Errors.sol", [7])]


@pytest.mark.parametrize(
    ("sample", "missed"),
    [("config/settings.example.json", []), ("config/settings-sample.json", []), ("config/options.json", ["config/settings.json"])],
)  # fmt: skip
def test_a_file_of_which_a_sample_is_left_is_the_readers_copy(repository: Make, sample: str, missed: list[str]) -> None:
    files = {"docs/guide.md": "# Guide\n\nSettings live in `config/settings.json`.\n", "a.py": ""}
    repo = repository({**files, "config/settings.json": '{"model": "small", "size": 3}\n'})
    repo.move("config/settings.json", sample).commit("everybody has settings of their own")
    assert [f.claim for f in repo.drifted()] == missed
