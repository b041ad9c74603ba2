"""Trees and history, read from real repositories."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from docalign_actors.engine.ports import Dropped, PastBlob
from docalign_actors.errors import NotARepositoryError, UnknownRevisionError
from docalign_actors.hosts.localgit.blobs import blob_id
from docalign_actors.hosts.localgit.changes import GitChange
from docalign_actors.hosts.localgit.git import Git, find_repository
from docalign_actors.hosts.localgit.history import GitHistory
from docalign_actors.hosts.localgit.listing import list_repository
from docalign_actors.hosts.localgit.trees import CommitTree, IndexTree, WorkingTree
from tests.support.repository import Repository

Make = Callable[[dict[str, str | bytes]], Repository]


def test_the_three_trees_show_what_is_committed_staged_and_on_disk(repository: Make) -> None:
    repo = repository({"a.txt": "one\n"})
    repo.write({"a.txt": "two\n"}).git("add", "a.txt")
    repo.write({"a.txt": "three\n", "new.txt": "new\n"})
    git = Git(repo.root)
    assert CommitTree(git, "HEAD").read("a.txt", 100) == b"one\n"
    assert IndexTree(git).read("a.txt", 100) == b"two\n"
    working = WorkingTree(git)
    assert working.read("a.txt", 100) == b"three\n"
    assert set(working.entries) == {"a.txt", "new.txt"}
    assert working.entries["a.txt"].oid == blob_id(b"three\n")


def test_reading_stops_at_the_limit(repository: Make) -> None:
    repo = repository({"big.bin": b"x" * 5_000_000, "after.txt": "fine"})
    tree = CommitTree(Git(repo.root), "HEAD")
    assert tree.read("big.bin", 10) == b"x" * 10
    assert tree.read("after.txt", 100) == b"fine"


def test_a_symbolic_link_is_read_as_its_target_and_never_followed(repository: Make, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("secret")
    repo = repository({"a.txt": "a"})
    (repo.root / "link").symlink_to(secret)
    repo.commit()
    tree = WorkingTree(Git(repo.root))
    assert tree.entries["link"].mode == "symlink"
    assert b"secret" not in tree.read("link", 1000).replace(str(secret).encode(), b"")


def test_a_file_that_became_a_link_after_it_was_listed_is_not_followed(repository: Make, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    repo = repository({"a.txt": "a"})
    tree = WorkingTree(Git(repo.root))
    assert "a.txt" in tree.entries
    (repo.root / "a.txt").unlink()
    (repo.root / "a.txt").symlink_to(tmp_path / "secret")
    assert tree.read("a.txt", 100) != b"secret"


def test_samples_reach_from_the_last_commit_to_the_first_in_doubling_steps(repository: Make) -> None:
    repo = repository({"a.txt": "0"})
    for number in range(1, 20):
        repo.write({"a.txt": str(number)}).commit()
    line = repo.git("log", "--first-parent", "--format=%H").split()
    history = GitHistory(Git(repo.root), WorkingTree(Git(repo.root)))
    assert [commit for commit, _ in history.samples()] == [line[i] for i in (0, 1, 2, 4, 8, 16, 19)]


def test_earlier_versions_come_newest_first_and_never_the_current_one(repository: Make) -> None:
    repo = repository({"a.py": "one"})
    repo.write({"a.py": "two"}).commit()
    repo.write({"a.py": "three"}).commit()
    history = GitHistory(Git(repo.root), WorkingTree(Git(repo.root)))
    found = history.blobs(lambda path: path.endswith(".py"))
    assert [history.source.read("", blob.oid, 100) for blob in found] == [b"two", b"one"]


def test_many_versions_are_read_as_each_of_them_would_be(repository: Make) -> None:
    repo = repository({f"{n}.txt": f"{n}" * n for n in range(1, 150)})
    tree = WorkingTree(Git(repo.root))
    items = [(path, entry.oid) for path, entry in tree.entries.items()]
    items.insert(70, ("gone.txt", "1" * 40))
    source = GitHistory(Git(repo.root), tree).source
    assert source.read_many(items, 200) == [source.read(path, oid, 200) for path, oid in items]
    assert source.read_many(items, 200)[70] == b""
    assert tree.source.read_many([("3.txt", ""), ("gone.txt", "")], 100) == [b"333", b""]


def test_a_folder_that_only_looks_like_a_repository_is_a_part_of_the_one_around_it(repository: Make) -> None:
    repo = repository({"a.txt": "a", "inner/b.txt": "b"})
    (repo.root / "inner/.git").mkdir()
    listed = list_repository(repo.root / "inner")
    assert (listed.git.root, listed.head) == (repo.root, repo.git("rev-parse", "HEAD").strip())
    assert not listed.is_shallow
    assert set(WorkingTree(listed.git, listed).entries) == {"a.txt", "inner/b.txt"}


def test_the_commit_that_took_a_word_away_is_named(repository: Make) -> None:
    repo = repository({"a.py": "def loader(): pass\n"})
    for number in range(5):
        repo.write({"other.py": f"x = {number}\n"}).commit()
    repo.write({"a.py": "def reader(): pass\n"}).commit("rename loader")
    culprit = repo.git("rev-parse", "HEAD").strip()
    for number in range(5, 10):
        repo.write({"other.py": f"x = {number}\n"}).commit()
    history = GitHistory(Git(repo.root), WorkingTree(Git(repo.root)))
    (blob,) = history.blobs(lambda path: path == "a.py")
    commit = history.remover("loader", blob)
    assert commit is not None
    assert (commit.sha, commit.subject) == (culprit, "rename loader")


def _past(repo: Repository) -> GitHistory:
    git = Git(repo.root)
    return GitHistory(git, WorkingTree(git))


def test_commits_that_only_add_files_shift_no_earlier_version_to_another_commit(repository: Make) -> None:
    repo = repository({"a.py": "def loader(): pass\n"})
    repo.write({"a.py": "def reader(): pass\n"}).commit("rename loader")
    for number in range(6):
        repo.write({f"more{number}.py": "x = 1\n"}).commit("add a file")
        (blob,) = _past(repo).blobs(lambda path: path == "a.py")
        assert "loader" in repo.git("show", f"{blob.before}:a.py")
        assert "loader" not in repo.git("show", f"{blob.after}:a.py")


def test_the_commit_that_took_a_thing_away_is_named_though_its_word_stands_in_the_file_still(repository: Make) -> None:
    code = "class Store:\n    # save_all is slow\n    def save_all(self): pass\n"
    repo = repository({"a.py": code})
    repo.write({"a.py": code + "\nx = 1\n"}).commit("add a line")
    repo.write({"a.py": code.replace("    def save_all(self): pass\n", "") + "\nx = 1\n"}).commit("drop it")
    culprit = repo.git("rev-parse", "HEAD").strip()
    repo.replace("x = 1", "x = 2", "a.py").commit("change another line")
    for number in range(5):
        repo.write({f"more{number}.py": "x = 1\n"}).commit("add a file")
        history = _past(repo)
        asked = [
            Dropped(blob.path, blob.after, ("save_all",))
            for blob in history.blobs(lambda path: path == "a.py")
            if "def save_all" in repo.git("show", f"{blob.before}:a.py")
            and "def save_all" not in repo.git("show", f"{blob.after}:a.py")
        ]
        assert [commit.sha for commit in history.droppers(asked).values()] == [culprit]


def test_what_no_commit_can_be_told_of_has_none(repository: Make) -> None:
    repo = repository({"a.py": "x = 1\n"})
    for number in range(2, 8):
        repo.write({"a.py": f"x = {number}\n"}).commit()
    history = _past(repo)
    far = history.samples()[2][0]
    assert history.droppers([Dropped("a.py", far, ("loader",))]) == {}
    assert history.droppers([]) == {}


def test_what_became_of_a_removed_path_is_told_for_files_folders_and_names(repository: Make) -> None:
    repo = repository({"a/b/one.py": "x = 1\ny = 2\n", "a/b/two.py": "z = 3\nw = 4\n", "keep.py": ""})
    repo.move("a/b", "a/c").commit("move the folder")
    history = GitHistory(Git(repo.root), WorkingTree(Git(repo.root)))
    found = history.removed(["a/b/one.py", "a/b", "**/two.py", "keep.py", "never.py"])
    assert {path: removal.successor for path, removal in found.items()} == {
        "a/b/one.py": "a/c/one.py",
        "a/b": "a/c",
        "**/two.py": "a/c/two.py",
    }
    assert found["a/b"].commit.subject == "move the folder"


@pytest.mark.parametrize(("deleted", "now"), [(1, "lib"), (2, "lib"), (3, "")])
def test_a_folder_went_where_half_of_its_files_went_and_otherwise_nowhere(
    repository: Make, deleted: int, now: str
) -> None:
    moved, went = ["one", "two"], ["three", "four", "five", "six", "seven"][:deleted]
    repo = repository({"keep.py": "", **{f"src/parts/{name}.py": f"{name} = 1\n" * 5 for name in moved + went}})
    for name in moved:
        repo.move(f"src/parts/{name}.py", f"lib/{name}.py")
    repo.delete(*(f"src/parts/{name}.py" for name in went)).commit("split the folder")
    tree = WorkingTree(Git(repo.root))
    assert GitHistory(Git(repo.root), tree).removed(["src/parts"])["src/parts"].successor == now
    assert GitChange(Git(repo.root), "HEAD~1", tree).past.removed(["src/parts"])["src/parts"].successor == now


def test_a_log_that_was_begun_early_tells_the_same(repository: Make) -> None:
    repo = repository({"a.py": "one"})
    repo.delete("a.py").commit("drop a")
    early, late = (GitHistory(Git(repo.root), WorkingTree(Git(repo.root))) for _ in range(2))
    early.begin()
    early.begin()
    assert early.removed(["a.py"]) == late.removed(["a.py"])
    assert early.removed(["a.py"])["a.py"].commit.subject == "drop a"


def test_a_log_that_nobody_asks_for_is_ended(repository: Make) -> None:
    repo = repository({"a.py": "one"})
    begun = Git(repo.root).begin("cat-file", "--batch", "--batch-all-objects")
    process = begun._process
    del begun
    assert process.returncode is not None


def test_a_repository_without_a_commit_has_no_past(repository: Make, tmp_path: Path) -> None:
    root = tmp_path / "empty"
    root.mkdir()
    Repository(root).write({"README.md": "# Hello\n"})
    tree = WorkingTree(Git(root))
    history = GitHistory(Git(root), tree)
    assert set(tree.entries) == {"README.md"}
    assert history.removed(["x"]) == {}
    assert list(history.blobs(lambda path: True)) == []


def test_a_folder_outside_any_repository_is_refused_with_a_reason(tmp_path: Path) -> None:
    with pytest.raises(NotARepositoryError):
        find_repository(tmp_path)
    with pytest.raises(NotARepositoryError):
        find_repository(tmp_path / "nowhere")


def test_an_unknown_revision_is_refused_even_if_it_looks_like_an_option(repository: Make) -> None:
    repo = repository({"a.txt": "a"})
    for revision in ("no-such-branch", "--output=x", "-h"):
        with pytest.raises(UnknownRevisionError):
            Git(repo.root).resolve(revision)


def test_a_hostile_configuration_of_the_repository_runs_nothing(repository: Make, tmp_path: Path) -> None:
    repo = repository({"a.txt": "a"})
    marker = tmp_path / "ran"
    repo.git("config", "core.fsmonitor", f"touch {marker}; false")
    repo.git("config", "diff.external", f"touch {marker}; false")
    repo.write({"a.txt": "b"})
    tree = WorkingTree(Git(repo.root))
    assert tree.entries
    GitHistory(Git(repo.root), tree).removed(["x"])
    assert not marker.exists()


def test_a_past_blob_knows_between_which_commits_it_changed(repository: Make) -> None:
    repo = repository({"a.py": "one"})
    repo.write({"a.py": "two"}).commit()
    before, after = repo.git("rev-parse", "HEAD~1", "HEAD").split()
    history = GitHistory(Git(repo.root), WorkingTree(Git(repo.root)))
    assert list(history.blobs(lambda path: True)) == [PastBlob("a.py", blob_id(b"one"), before, after, 1)]
