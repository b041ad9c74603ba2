"""Names, options, keys and anchors that look stale and are not, next to the same ones that are."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from docalign_actors.engine.documents import tone
from docalign_actors.engine.owntime import tells_history
from docalign_actors.engine.settings import ScanSettings
from tests.precision.test_paths_and_links import grow_old
from tests.support.repository import Repository

Make = Callable[[dict[str, str | bytes]], Repository]


def reported(repo: Repository, *kinds: str) -> list[str]:
    return [finding.claim for finding in repo.drifted(settings=ScanSettings(jobs=1, claim_types=kinds))]


def test_many_classes_of_one_name_that_extend_each_other_are_each_asked_once(repository: Make) -> None:
    files: dict[str, str | bytes] = {
        f"src/main/java/p{n}/Config.java": f"package p{n};\nclass Config{n} {{ static class Builder extends Builder {{ }} }}\n"
        for n in range(20)
    }
    repo = repository({**files, "README.md": "Call `Builder.build()` and `builder.waitDuration(5)`.\n"})
    assert reported(repo) == []


@pytest.mark.parametrize(
    "sentence",
    [
        "Prior to FluentValidation 11.4, this method was called `ScalePrecision` instead.",
        "Before Spring Boot 2.0 the class had another name.",
        "At first it was called `Foo`.",
    ],
)
def test_a_sentence_that_tells_of_the_past(sentence: str) -> None:
    assert tone.is_historical(sentence)


@pytest.mark.parametrize("sentence", ["The callback was called with `x`.", "Run it before step 2 is done."])
def test_a_sentence_that_tells_of_today(sentence: str) -> None:
    assert not tone.is_historical(sentence)


@pytest.mark.parametrize(
    "title", ["Planned", "Planned features", "Future work", "Wishlist", "Coming soon", "Not yet done"]
)
def test_a_title_of_what_is_not_there_yet(title: str) -> None:
    assert tone.is_history_title(title)


@pytest.mark.parametrize("title", ["The following is from Pyrex:", "Original README", "Upstream README of tool"])
def test_a_title_of_what_another_project_wrote(title: str) -> None:
    assert tone.is_history_title(title)
    assert not tone.is_history_title("The following is needed")


@pytest.mark.parametrize("title", ["Future", "Planned"])
def test_futures_are_a_thing_of_their_own(title: str) -> None:
    assert tone.is_history_title(title)
    assert not tone.is_history_title(f"{title} streams")


def test_an_element_at_the_end_of_a_heading_may_be_left_out_of_its_anchor(repository: Make) -> None:
    text = "# Schema\n\n[config](#config) and [lost](#lost)\n\n### config <span>([root](#schema))</span>\n\nText.\n"
    assert reported(repository({"README.md": text}), "anchor") == ["#lost"]


def test_a_target_with_colons_in_quotes_is_a_target(repository: Make) -> None:
    text = "Title\n=====\n\nUse it with `Server::Starter`_ here.\n\n.. _`Server::Starter`:  https://example.org/x\n"
    assert reported(repository({"docs/manual.rst": text}), "anchor") == []


C_OLD = "void uv_poll(void) {}\nint uv_poll_init(void) { return 0; }\nint uv_poll_start(void) { return 0; }\n"


def test_the_common_part_of_names_is_not_a_function_that_went_long_ago(repository: Make) -> None:
    repo = repository(
        {"README.md": "The `uv_poll` section has `uv_poll_init()` and `uv_poll_start()`.\n", "src/poll.c": C_OLD}
    )
    repo.replace("void uv_poll(void) {}\n", "", "src/poll.c").commit("drop")
    assert reported(repo, "symbol") == ["uv_poll"]
    assert reported(grow_old(repo), "symbol") == []


def test_a_class_of_another_namespace_is_not_the_one_that_went(repository: Make) -> None:
    php = "<?php\nnamespace App\\Util;\nclass MetadataMinifier { static function minifyAll() {} }\n"
    text = (
        "Use `App\\MetadataMinifier\\MetadataMinifier::minifyAll()` and `App\\Util\\MetadataMinifier::minifyAll()`.\n"
    )
    files: dict[str, str | bytes] = {
        "README.md": text,
        "src/App/Util/MetadataMinifier.php": php,
        "src/App/Util/Other.php": "<?php\n",
    }
    repo = repository(files)
    repo.delete("src/App/Util/MetadataMinifier.php").commit("drop")
    assert reported(grow_old(repo), "symbol") == []


def test_a_key_in_data_is_not_a_method_that_went_long_ago(repository: Make) -> None:
    text = '# Scripts\n\n```json\n{"scripts": {"clearCache": "rm -rf cache"}}\n```\n'
    php = "<?php\nclass Downloader { public function clearCache() {} }\n"
    repo = repository({"README.md": text, "src/Downloader.php": php})
    repo.write({"src/Downloader.php": "<?php\nclass Downloader { }\n"}).commit("drop")
    assert reported(grow_old(repo), "symbol") == []


def test_a_short_flag_alone_is_not_one_of_ours_that_went_long_ago(repository: Make) -> None:
    cli = (
        "import argparse\np = argparse.ArgumentParser()\np.add_argument('-t', '--threads')\np.add_argument('--port')\n"
    )
    repo = repository({"README.md": "Note: `-t json` gives the type.\n", "tool/cli.py": cli})
    repo.replace("p.add_argument('-t', '--threads')\n", "", "tool/cli.py").commit("drop")
    assert reported(grow_old(repo), "option") == []


def test_an_id_in_braces_is_an_anchor(repository: Make) -> None:
    text = '# A\n\n[x](#one) [y](#two) [z](#three)\n\n## First {id="one"}\n\nText.\n\n## Second\n{id="two"}\n\nText.\n'
    assert reported(repository({"README.md": text}), "anchor") == ["#three"]


def test_a_type_that_tests_still_use_lives_in_another_library(repository: Make) -> None:
    files: dict[str, str | bytes] = {
        "README.md": "Show a `TextState` in it.\n",
        "Sources/TextState.swift": "public struct TextState {}\n",
        "Sources/Store.swift": "public struct Store {}\n",
        "Tests/AppTests/AppTests.swift": "let x = TextState()\n",
    }
    repo = repository(files)
    repo.delete("Sources/TextState.swift").commit("moved to a library")
    assert reported(grow_old(repo), "symbol") == []


def test_the_edition_of_a_thing_demands_no_version(repository: Make) -> None:
    pom = "<project><properties><java.version>%s</java.version></properties></project>"
    text = "# Glossary\n\n* *Predicate*: This is a Java 8 Function Predicate.\n"
    repo = repository({"README.md": text, "pom.xml": pom % "8"})
    repo.write({"pom.xml": pom % "17"}).commit("raise")
    assert reported(repo, "version") == []


def test_what_a_document_says_to_be_in_a_package_of_its_own_is_not_missing(repository: Make) -> None:
    text = (
        "# Translation\n\nIt supports this in a separate [package](https://example.org).\n\nCall `UseAsDataSource()`.\n"
    )
    code = "namespace A { public static class Ext { public static int UseAsDataSource() { return 1; } } }\n"
    repo = repository({"docs/translation.md": text, "src/Ext.cs": code})
    repo.write({"src/Ext.cs": "namespace A { public static class Ext { } }\n"}).commit("break out")
    assert reported(repo, "symbol") == ["UseAsDataSource"]
    assert reported(grow_old(repo), "symbol") == []


@pytest.mark.parametrize("path", ["doc/licenses/lang.txt", "docs/commons-license.txt", "docs/legal/x.md"])
def test_the_licence_of_another_project_is_not_ours(repository: Make, path: str) -> None:
    mit = "MIT License\n\nPermission is hereby granted, free of charge, to any person obtaining a copy of this software"
    repo = repository({path: "Licensed under the Apache License, Version 2.0 (the License).\n", "LICENSE": mit})
    assert reported(repo, "licence") == []


@pytest.mark.parametrize("line", ['<include from="b.md" element-id="one"/>', "[!INCLUDE [x](y.md)]", "snippet: x"])
def test_a_document_that_includes_others_may_have_their_anchors(repository: Make, line: str) -> None:
    assert reported(repository({"README.md": f"# A\n\n[x](#one)\n\n{line}\n"}), "anchor") == []


def test_chapters_of_a_book_refer_to_each_other_by_ids_alone(repository: Make) -> None:
    files: dict[str, str | bytes] = {
        "book/index.adoc": "= Book\n\ninclude::one.adoc[]\n\ninclude::two.adoc[]\n",
        "book/one.adoc": "== One\n\nSee <<object-factories>> and <<nowhere>>.\n",
        "book/two.adoc": "[[object-factories]]\n== Two\n\nText.\n",
        "alone.adoc": "= Alone\n\nSee <<lost>>.\n",
    }
    assert reported(repository(files), "anchor") == ["lost"]


def test_a_folder_shows_its_readme(repository: Make) -> None:
    text = "# A\n\n[x](examples#readme) [y](examples#lost)\n"
    assert reported(repository({"README.md": text, "examples/README.md": "# Examples\n"}), "anchor") == ["#lost"]


def test_the_hidden_lines_of_a_rust_example_are_part_of_it(repository: Make) -> None:
    text = "# A\n\n```rust\n# #[macro_use] extern crate rocket;\n# fn main() {\nlet x = 1;\n#\n# }\n```\n"
    assert reported(repository({"README.md": text}), "example") == []


def test_a_migration_guide_is_known_by_its_name_in_any_case(repository: Make) -> None:
    kt = "class UnusedImports\nclass Other\n"
    repo = repository({"site/MigrationGuide.mdx": "| Old |\n|---|\n| `UnusedImports` |\n", "src/A.kt": kt})
    repo.replace("class UnusedImports\n", "", "src/A.kt").commit("drop")
    assert reported(repo, "symbol") == []


def test_a_key_whose_file_has_left_as_a_whole_may_live_in_a_library(repository: Make) -> None:
    go = 'package main\n\ntype reply struct {\n\tErrorCode string `json:"error_code"`\n}\n'
    text = "# Protocol\n\n## Configuration\n\n* `error_code`: the type of the error.\n"
    repo = repository({"README.md": text, "cmd/proxy.go": go, "cmd/main.go": "package main\n"})
    repo.delete("cmd/proxy.go").commit("use the library")
    assert reported(grow_old(repo), "configkey") == []


@pytest.mark.parametrize(
    "path",
    [
        "docs/design/020-x.md",
        "docs/enhancements/x.md",
        "docs/design-proposals/x.md",
        "designs/plugins-phase-1.md",
        "docs/issues/135-typed-channels.md",
    ],
)
def test_designs_tell_of_their_own_time(path: str) -> None:
    assert tells_history(path)
    assert not tells_history("docs/design/overview.md")
    assert not tells_history("docs/issues/labels.md")


@pytest.mark.parametrize("path", ["perf-todo.md", "TODO.md", "geps/gep-4359/index.md", "FEATURE_ROADMAP.md"])
def test_what_is_to_be_done_is_told_of_the_code_as_it_was(path: str) -> None:
    assert tells_history(path)
    assert not tells_history("docs/todo-app.md")


def test_a_document_that_is_named_by_a_release_tells_of_it() -> None:
    assert tells_history("notes/coredns-1.0.2.md")
    assert not tells_history("docs/http-2.md")


def test_a_document_that_is_named_by_a_month_or_a_quarter_tells_of_it() -> None:
    assert tells_history("docs/CODE_REVIEW_JUNE_2026.md")
    assert tells_history("docs/goals-2025-Q3.md")
    assert not tells_history("docs/march_madness.md")


def test_a_dialect_that_is_coloured_as_toml_is_not_broken(repository: Make) -> None:
    text = "# A\n\n```toml\na = 1\nb = 2\nvalue = Wow\n```\n\n```toml\na = 1\nb = 2\nlist = [1 2]\n```\n"
    assert reported(repository({"README.md": text}), "example") == ["list = [1 2]"]


@pytest.mark.parametrize("header", ["Old | New", "3.x | 4.x", "Before | After", "Removed | Replacement"])
def test_a_table_that_sets_old_names_against_new_ones_is_not_stale(repository: Make, header: str) -> None:
    code = "def load_items(): ...\n\n\ndef read_items(): ...\n"
    text = f"# A\n\n| {header} |\n|---|---|\n| `load_items` | `read_items` |\n"
    repo = repository({"README.md": text, "tool/a.py": code, "tool/__init__.py": ""})
    repo.replace("def load_items(): ...\n\n\n", "", "tool/a.py").commit("rename")
    assert reported(repo, "symbol") == []


def test_the_documentation_of_a_line_of_releases_tells_of_it() -> None:
    assert tells_history("docs/quartz-3.x/tutorial/a.md")
    assert not tells_history("docs/quartz/tutorial/a.md")


@pytest.mark.parametrize(
    "sentence",
    ["Fall back to it for repos that haven't migrated yet.", "It serves projects migrating from old installs."],
)
def test_what_is_kept_for_those_who_have_not_migrated_is_of_the_past(sentence: str) -> None:
    assert tone.is_historical(sentence)


def test_a_file_that_need_not_exist_is_hypothetical() -> None:
    assert tone.is_hypothetical("See custom/SKILL.md. If that file does not exist, nothing is done.")


def test_a_target_that_moved_to_a_part_of_the_makefile_is_there(repository: Make) -> None:
    make = "include scripts/makefiles/*.mk\n\nbuild:\n\techo\n\nstorage-test:\n\techo\n"
    repo = repository(
        {
            "README.md": "# A\n\n```sh\nmake storage-test\n```\n",
            "Makefile": make,
            "scripts/makefiles/x.mk": "x:\n\techo\n",
        }
    )
    repo.replace("storage-test:\n\techo\n", "", "Makefile")
    repo.write({"scripts/makefiles/x.mk": "storage-test:\n\techo\n"}).commit("move")
    assert reported(repo, "command") == []


def test_a_go_example_may_end_with_a_bracket(repository: Make) -> None:
    text = "# A\n\n```go\npackage main\n\ntype Output struct {\n\tBody struct {\n\t\tText string\n\t}\n}\n```\n"
    assert reported(repository({"README.md": text}), "example") == []


@pytest.mark.parametrize("path", ["benchmarking/samples/spec.md", "benchmarks/md/data/big.md", "bench/corpus/a.md"])
def test_what_a_benchmark_is_fed_with_is_no_documentation(repository: Make, path: str) -> None:
    repo = repository({path: "See [the rule](#no-such-rule).\n", "benchmarks/README.md": "See [that](#nowhere).\n"})
    assert reported(repo) == ["#nowhere"]


@pytest.mark.parametrize(("path", "expected"), [("pnpm-lock.yaml", []), ("src/props.yaml", ["readable-stream"])])
def test_a_word_that_only_a_lock_file_had_is_another_project_s(
    repository: Make, path: str, expected: list[str]
) -> None:
    repo = repository({"README.md": "Set `readable-stream`.\n", path: "packages:\n  readable-stream: 3.6.2\n"})
    repo.write({path: "packages:\n  other-stream: 3.6.2\n"}).commit("update")
    assert [finding.claim for finding in repo.drifted(since="HEAD~1")] == expected


def test_an_item_of_a_list_that_gets_a_neighbour_keeps_its_value(repository: Make) -> None:
    settings = '{\n  "theme": [\n    "plain",\n    "modern"\n  ]\n}\n'
    files: dict[str, str | bytes] = {"site/site.json": settings, "README.md": "The default of `theme` is `modern`.\n"}
    repo = repository(files)
    repo.replace('"modern"\n', '"modern",\n    "extra"\n', "site/site.json").commit("add one")
    assert repo.drifted() == []
    repo.replace('"modern",', '"modest",', "site/site.json").commit("change one")
    assert [finding.claim for finding in repo.drifted()] == ["modern"]


def test_a_variable_of_an_example_is_the_examples_own_though_code_just_lost_one_of_that_name(tmp_path: Path) -> None:
    example = "```typescript\nconst found = parse(manifestJson);\nconst old = parse({ rawManifest: found });\n```\n"
    code = "export function build(manifestJson: string, rawManifest: string) { return [manifestJson, rawManifest] }\n"
    files: dict[str, str | bytes] = {"package.json": '{"name": "tool"}', "src/build.ts": code, "README.md": example}
    repo = Repository(tmp_path, {**files, "src/parse.ts": "export function parse(x: unknown) { return x }\n"}).age()
    repo.write({"src/build.ts": "export function build(a: string, b: string) { return [a, b] }\n"}).commit("change")

    assert [finding.claim for finding in repo.drifted()] == ["rawManifest"]


@pytest.mark.parametrize(
    ("path", "past"),
    [
        ("docs/posts/cli.md", False),
        ("docs/posts/2024-05-01-cli.md", True),
        ("docs/blog/posts/cli.md", True),
        ("content/posts/cli.md", True),
        ("_posts/cli.md", True),
    ],
)
def test_posts_of_a_manual_are_its_pages_and_posts_of_a_blog_are_of_their_day(path: str, past: bool) -> None:
    assert tells_history(path) is past


@pytest.mark.parametrize(
    ("shown", "missed"),
    [("{Type}RowSeeder.create()", False), ("RowSeeder.create()", True), ("if (x) { run() }RowSeeder.create()", True)],
)
def test_the_end_of_a_name_that_stands_for_many_is_none_of_its_own(repository: Make, shown: str, missed: bool) -> None:
    page = f"# Work\n\n```\nOne row? → {shown}\n```\n"
    repo = repository({"CONTRIBUTING.md": page, "tool/seeds.py": "class RowSeeder:\n    pass\n"})
    repo.write({"tool/seeds.py": "class LoginRowMaker:\n    pass\n"}).commit("split")

    assert reported(repo, "symbol") == (["RowSeeder"] if missed else [])


JAVA = "public class Make {\n  public static void main(String[] args) {\n    client.make(MakeBucketArgs.builder());\n  }\n}\n"
GO = "package main\n\nfunc main() {\n\tclient.Make(MakeBucketArgs{})\n}\n"


@pytest.mark.parametrize(
    ("label", "code", "missed"),
    [("", JAVA, False), ("java", JAVA, False), ("", GO, True), ("go", GO, True), ("", "x = MakeBucketArgs()\n", True)],
)
def test_an_example_in_another_language_has_another_clients_names(
    repository: Make, label: str, code: str, missed: bool
) -> None:
    server = "package cmd\n\ntype MakeBucketArgs struct {\n\tName string\n}\n"
    repo = repository(
        {"README.md": f"# Server\n\n```{label}\n{code}```\n", "cmd/web.go": server, "go.mod": "module a\n"}
    )
    repo.write({"cmd/web.go": "package cmd\n\ntype Web struct{}\n"}).commit("no browser")

    assert reported(repo, "symbol") == (["MakeBucketArgs"] if missed else [])


@pytest.mark.parametrize(
    ("line", "missed"),
    [
        ('Bot -->|calls| RowSeeder["Row service"]', False),
        ("Bot --> RowSeeder[RowSeeder]", True),
        ("participant RowSeeder as Seeds", False),
        ("Bot --> RowSeeder", True),
    ],
)
def test_a_box_of_a_diagram_is_what_it_reads(repository: Make, line: str, missed: bool) -> None:
    page = f"# Tool\n\n```mermaid\ngraph TB\n    {line}\n```\n"
    repo = repository({"docs/architecture.md": page, "tool/seeds.py": "class RowSeeder:\n    pass\n"})
    repo.write({"tool/seeds.py": "class LoginRowMaker:\n    pass\n"}).commit("split")

    assert reported(repo, "symbol") == (["RowSeeder"] if missed else [])


@pytest.mark.parametrize(("said", "missed"), [("tests prove it", False), ("argument proves it", True)])
def test_a_word_that_is_said_to_be_tests_is_the_file_of_that_name(repository: Make, said: str, missed: bool) -> None:
    page = f"# Work\n\nIt is `fetch_all(path)` that does. The `public_api` {said}.\n"
    code = "def fetch_all(path, public_api=None):\n    return path, public_api\n"
    repo = repository({"CONTRIBUTING.md": page, "tool/api.py": code, "tests/public_api.rs": "fn a() {}\n"})
    repo.write({"tool/api.py": "def fetch_all(path):\n    return path\n"}).commit("one for all")

    assert reported(repo, "signature") == (["public_api"] if missed else [])
