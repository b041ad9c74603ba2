"""Names that somebody else has, too: a token that pipelines set, an annotation in an example's own type, a hook with an id."""

from __future__ import annotations

from tests.support.changes import GO, JAVA, RUST, Make

_WORKFLOW = "on: push\njobs:\n  test:\n    runs-on: x\n    steps:\n      - run: make\n        env:\n          GITHUB_TOKEN: ${{ secrets.GITHUB_TOKEN }}\n"


def test_a_variable_that_only_pipelines_set_is_read_by_nobody(repository: Make) -> None:
    main = (
        'fn main() {\n    if let Ok(token) = std::env::var("GITHUB_TOKEN") {\n        println!("{token}");\n    }\n}\n'
    )
    text = "# Tool\n\nSet the `GITHUB_TOKEN` environment variable.\n"
    repo = repository({**RUST, "src/main.rs": main, ".github/workflows/ci.yml": _WORKFLOW, "README.md": text})
    assert not repo.drifted()
    repo.replace("GITHUB_TOKEN", "TOOL_GITHUB_TOKEN", "src/main.rs")
    repo.commit()
    assert [(f.rule, f.line) for f in repo.drifted()] == [("unknown-environment-variable", 3)]


def test_what_an_example_marks_a_member_of_its_own_type_with_is_not_its_own(repository: Make) -> None:
    annotation = "package acme;\n\npublic @interface CacheProtect {\n}\n"
    text = (
        "# Tool\n\n```java\npublic interface SummaryService {\n    @CacheProtect\n    long summary(long id);\n}\n```\n"
    )
    repo = repository({**JAVA, "src/main/java/acme/CacheProtect.java": annotation, "README.md": text})
    repo.replace("CacheProtect", "CacheGuard", "src/main/java/acme/CacheProtect.java")
    repo.move("src/main/java/acme/CacheProtect.java", "src/main/java/acme/CacheGuard.java")
    repo.commit()
    assert {f.line for f in repo.drifted()} == {5}


def test_an_option_of_three_words_with_dots_is_no_sentence(repository: Make) -> None:
    main = 'package main\n\nfunc flags(app *kingpin.Application) {\n\tapp.Flag(\n\t\t"collector.update.online",\n\t\t"Whether to search online.",\n\t).Bool()\n}\n'
    text = "# Tool\n\nTurn it on with `--collector.update.online`.\n"
    repo = repository({**GO, "main.go": main, "README.md": text})
    repo.replace("collector.update.online", "collector.update.search", "main.go")
    repo.commit()
    assert {f.line for f in repo.drifted(since="HEAD~1")} == {3}


def test_a_hook_that_is_offered_to_pre_commit_has_another_id(repository: Make) -> None:
    hooks = "- id: tool\n  entry: tool\n  language: python\n\n- id: tool-src\n  entry: tool\n  language: rust\n"
    text = "# Tool\n\nOr use `tool-src` as the hook id.\n"
    repo = repository({**RUST, ".pre-commit-hooks.yaml": hooks, "README.md": text})
    repo.replace("tool-src", "tool-source", ".pre-commit-hooks.yaml")
    repo.commit()
    assert {f.line for f in repo.drifted()} == {3}
