"""What is asked of each claim is answered from what was worked out once: the work follows the answers, not the repository."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import SimpleNamespace
from typing import Any, cast

import pytest

from docalign_actors.engine import difference
from docalign_actors.engine.documents.model import Document
from docalign_actors.engine.facts import Definition, FileFacts, Port, Route
from docalign_actors.engine.index import CodeIndex
from docalign_actors.engine.kinds.anchor import kind as anchor
from docalign_actors.engine.kinds.command import kind as command
from docalign_actors.engine.kinds.configkey import kind as configkey
from docalign_actors.engine.kinds.default import code as defaultcode
from docalign_actors.engine.kinds.default import ports as defaultports
from docalign_actors.engine.kinds.default.code import Wanted, in_index
from docalign_actors.engine.kinds.shared.modules import Modules
from docalign_actors.engine.lost import listed, literals, parsed, paths
from docalign_actors.engine.roles import DOCUMENT_PATTERNS, document_format
from docalign_actors.engine.routing import Routing
from docalign_actors.engine.stakes import TakenAway
from docalign_actors.engine.world import World
from docalign_actors.findings.model import Verdict
from docalign_actors.hosts.localgit.git import Git
from docalign_actors.hosts.localgit.history import GitHistory
from docalign_actors.hosts.localgit.trees import WorkingTree
from tests.support.repository import Repository

Make = Callable[[dict[str, str | bytes]], Repository]
_README = "# Tool\n\nText.\n"


class _Counted:
    """Passes calls on, and counts them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, owner: object, name: str) -> None:
        self.calls: list[tuple[Any, ...]] = []
        real = getattr(owner, name)

        def call(*arguments: Any, **named: Any) -> Any:
            self.calls.append(arguments)
            return real(*arguments, **named)

        monkeypatch.setattr(owner, name, call)


class _Facts:
    """Facts that tell whether somebody looked at them."""

    def __init__(self, **fields: object) -> None:
        self._facts = FileFacts(**cast(Any, fields))
        self.looked_at = 0

    def __getattr__(self, name: str) -> object:
        self.looked_at += 1
        return getattr(self._facts, name)


def _function(name: str) -> Definition:
    return Definition(name, name, "function", 1)


def _index(files: dict[str, _Facts], words: dict[str, Iterable[str]]) -> CodeIndex:
    known = {word: frozenset(found) for word, found in words.items()}
    return CodeIndex(cast(Any, files), known, tuple(files), frozenset(words))


def test_a_test_is_not_read_for_a_name_that_one_read_before_defines() -> None:
    files = {f"tests/test_{n}.py": _Facts(definitions=[_function("helper")]) for n in range(9)}
    first = files["tests/test_4.py"] = _Facts(definitions=[_function("helper"), _function("only_here")])
    index = _index(files, {"only_here": ["tests/test_4.py"], "helper": files})
    assert "only_here" in index.test_names
    assert "helper" in index.test_names
    assert [facts for facts in files.values() if facts.looked_at] == [first]


def test_described_routes_are_found_by_their_words() -> None:
    routes = [Route("GET", f"/items{n}/{{id}}", n) for n in range(50)] + [Route("GET", "/users/{id}", 99)]
    routing = Routing({"openapi.json": FileFacts(routes=routes)})
    assert [route.line for route in routing.described_with(["users", "items7", "nothing"])] == [7, 99]


def test_of_a_large_file_only_what_has_the_name_is_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    many = [Definition(f"FIELD_{n}", f"FIELD_{n}", "constant", n, value="1") for n in range(300)]
    facts = FileFacts(definitions=[*many, Definition("DEFAULT_PORT", "DEFAULT_PORT", "constant", 301, value="80")])
    index = CodeIndex({"tool/settings.py": facts}, {"port": frozenset({"tool/settings.py"})}, (), frozenset({"port"}))
    looked = _Counted(monkeypatch, defaultcode, "in_file")
    found = in_index(Wanted.of("port", ""), cast(World, SimpleNamespace(index=index)))
    assert [candidate.line for candidate in found] == [301]
    assert [len(part.definitions) for _, part, _ in looked.calls] == [1]


def test_examples_are_parsed_for_a_port_only_if_they_hold_its_digits() -> None:
    files = {f"examples/e{n}.py": _Facts(ports=[Port(8000 + n, 1)]) for n in range(5)}
    files["tool/serve.py"] = _Facts(ports=[Port(8003, 2)])
    data = {path: b"port = %d" % (8000 + n) for n, path in enumerate(files)}
    world = SimpleNamespace(
        index=SimpleNamespace(files=files), tree=SimpleNamespace(read=lambda path, limit: data[path])
    )
    ports = defaultports._Ports(cast(World, world))
    assert ports.find(8003) == ("examples/e3.py", 1)
    assert ports.find(9999) is None
    assert [path for path, facts in files.items() if facts.looked_at] == ["examples/e3.py", "tool/serve.py"]


@pytest.mark.parametrize("mentions", [1, 20])
def test_a_qualified_name_is_resolved_once(repository: Make, monkeypatch: pytest.MonkeyPatch, mentions: int) -> None:
    text = "`tool.core.make_item` and `tool.core.lose_item` are here.\n\n" * mentions
    repo = repository({"README.md": text, "tool/__init__.py": "", "tool/core.py": "def make_item(): ...\n"})
    resolved = _Counted(monkeypatch, Modules, "_resolve")
    repo.scan()
    assert len(resolved.calls) == len({parts for _, parts, _ in resolved.calls})


@pytest.mark.parametrize("mentions", [1, 20])
def test_the_past_of_a_command_is_looked_through_once(
    repository: Make, monkeypatch: pytest.MonkeyPatch, mentions: int
) -> None:
    code = "import click\n\n@click.group()\ndef cli(): ...\n\n@cli.command()\ndef serve(): ...\n\n@cli.command()\ndef stop(): ...\n"
    listed = "\n".join(["## Commands", "", *["- `serve`: serves", "- `stop`: stops"] * mentions])
    repo = repository({"README.md": f"# Tool\n\n{listed}\n", "tool/cli.py": code})
    repo.replace("def serve()", "def offer()", "tool/cli.py").commit("renamed")
    looked = _Counted(monkeypatch, command, "read_ahead")
    assert [finding.rule for finding in repo.drifted()] == ["unknown-command"]
    assert len(looked.calls) <= mentions + 1  # for each while the past has not answered, and then once for all


def test_labels_are_looked_up_and_not_searched_for_in_every_document(
    repository: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = {f"docs/page{n}.rst": f".. _label-{n}:\n\nPage {n}\n======\n\nSee :ref:`gone-{n}`.\n" for n in range(8)}
    repo = repository({**pages, "docs/conf.py": "", "docs/index.rst": "Index\n=====\n\nSee :ref:`label-3`.\n"})
    offers = _Counted(monkeypatch, anchor, "Offer")
    together = _Counted(monkeypatch, anchor, "Offers")
    repo.scan()
    assert not offers.calls
    assert len(together.calls) == 1


def test_only_spans_that_are_called_like_something_that_went_are_looked_at(
    repository: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    spans = "".join(f"The `{'abcdefgh'[n % 8] * 4}{'xyz'[n % 3]}` word.\n\n" for n in range(24))
    readme = f"# Tool\n\nThe `plugins` folder holds plugins.\n\n{spans}"
    repo = repository({"README.md": readme, "plugins/one.txt": "x", "src/app.py": "x = 1\n"})
    repo.move("plugins/one.txt", "extensions/one.txt").commit("moved")
    looked = _Counted(monkeypatch, paths, "_is_called_folder")
    repo.scan()
    assert {inline.text for _, inline in looked.calls} == {"plugins"}


def test_documents_without_a_string_that_went_are_not_gone_through(
    repository: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    others = {f"docs/other{n}.md": "# Other\n\nNothing of `it` here.\n" for n in range(9)}
    code = 'package main\n\nfunc main() { serve("/api/items/list") }\n'
    repo = repository({**others, "README.md": "# Tool\n\nGET `/api/items/list`.\n", "main.go": code})
    repo.replace("/api/items/list", "/api/items/all", "main.go").commit("renamed")
    looked = _Counted(monkeypatch, literals, "words_in")
    assert repo.drifted()
    assert 0 < len(looked.calls) < 9


def test_git_searches_all_that_may_be_a_document_and_no_code(repository: Make) -> None:
    names = [
        "README",
        "INSTALL",
        ".cursorrules",
        "a.md",
        "docs/b.MDX",
        "docs/c.rst",
        "docs/d.txt",
        "e.adoc",
        "src/f.py",
        "g.go",
    ]
    repo = repository(dict.fromkeys(names, "x\n"))
    found = repo.git("ls-files", "--", *DOCUMENT_PATTERNS).split()
    assert found == sorted(name for name in names if document_format(name))
    git = Git(repo.root)
    history = GitHistory(git, WorkingTree(git))
    repo.write({"docs/b.MDX": "`make_item`\n", "g.go": "lose_item\n"}).commit("more")
    assert history.told("make_item", "new.md", "HEAD")
    assert not history.told("make_item", "new.md", "HEAD~1")
    assert not history.told("lose_item", "new.md", "HEAD")


@pytest.mark.parametrize("pages", [4, 12])
def test_documents_that_went_are_read_once_for_all_that_came(
    repository: Make, monkeypatch: pytest.MonkeyPatch, pages: int
) -> None:
    text = {n: f"# Page {n}\n\nWhat page {n} says.\n\nSee [the code](../src/a{n}.py).\n" for n in range(pages)}
    files = {f"src/a{n}.py": f"x = {n}\n" for n in range(pages)}
    repo = repository({**files, **{f"old/page{n}.md": text[n] for n in range(pages)}})
    repo.delete("old").write({f"new/part/page{n}.md": text[n] for n in range(pages)}).commit("moved")
    read = _Counted(monkeypatch, difference, "_lines")
    repo.scan(since="HEAD~1")
    assert len(read.calls) <= 4 * pages


@pytest.mark.parametrize(
    ("told", "taken"),
    [
        ("see getting-started", True),
        ("Started, getting it", True),
        ("starting", False),
        ("the #api", True),
        ("", False),
    ],
)
def test_an_anchor_that_went_is_found_by_its_words(told: str, taken: bool) -> None:
    away = TakenAway.of(frozenset(), frozenset({"getting-started", "api", *(f"part-{n}-of-it" for n in range(9))}))
    assert away.takes_anchor(told) is taken
    assert max(len(alike) for alike in away.titles.values()) < 10


def test_an_anchor_without_words_is_taken_by_every_link() -> None:
    assert TakenAway.of(frozenset(), frozenset({"--"})).takes_anchor("anything")


def test_a_file_of_settings_is_read_once_for_all_blocks_that_list_some(monkeypatch: pytest.MonkeyPatch) -> None:
    read = _Counted(monkeypatch, listed, "values_of")
    lines = [text for n in range(300) for text in (f'"site{n}": {{', '  "retries": 3,', f'  "limit": {n},', "},")]
    for number in range(40):
        given = {"retries": "3", "limit": str(number), "site7.name": "x", "size": "4"}
        settings = [listed._Setting(cast(Any, None), key, value, 0) for key, value in given.items()]
        assert not listed._agree(settings, lines)  # two agree, which is too few
    assert len(read.calls) == len(lines)


def test_a_key_that_a_page_names_again_and_again_is_looked_for_once(
    repository: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = "".join(f"| `cache.max-size` | row {n} |\n" for n in range(30))
    readme = f"# Tool\n\n## Configuration\n\n| Key | Meaning |\n|---|---|\n{rows}"
    repo = repository({"README.md": readme, "src/app.py": 'x = settings["cache.max-size"]\n'})
    looked = _Counted(monkeypatch, configkey, "_stands_in")
    assert len([f for f in repo.scan(show={Verdict.VERIFIED, Verdict.UNCERTAIN}).findings if f.kind == "configkey"])
    assert len(looked.calls) == 1


def test_a_path_belongs_to_the_innermost_of_the_packages_around_it() -> None:
    manifests = ("package.json", "libs/a/package.json", "libs/a/b/package.json", "libs/ab/go.mod")
    index = CodeIndex({}, {}, (*manifests, "libs/a/b/c/d.ts"))
    roots = [
        index.package_of(path).root for path in ("libs/a/b/c/d.ts", "libs/a/x.ts", "libs/x.ts", "libs/ab/x.go", "x")
    ]
    assert roots == ["libs/a/b", "libs/a", "", "libs/ab", ""]
    assert CodeIndex({}, {}, ("docs/a.md",)).package_of("docs/a.md").root == ""


def test_a_sub_command_is_found_behind_its_program_wherever_others_stand_around_it() -> None:
    text = "Run `tool build` or (git sync build), then: foo git sync run; not mytool build, tool/ run, tool builds."
    document = cast(Document, SimpleNamespace(history=False, blocks=[SimpleNamespace(text=text)]))
    called = parsed._called({"tool", "git sync", "git"}, {"build", "run", "sync"}, {"README.md": document})
    assert called == {("tool", "build"), ("git sync", "build"), ("git sync", "run"), ("git", "sync")}
