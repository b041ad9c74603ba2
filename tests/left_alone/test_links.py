"""What is there all the same, or was never meant, is left alone: links, headings and pages of a site."""

from __future__ import annotations

from collections.abc import Callable

from tests.support.repository import Repository

Make = Callable[[dict[str, str | bytes]], Repository]


def test_the_label_of_a_reference_is_no_key(repository: Make) -> None:
    page = "Config\n======\n\n.. _bind_mounts:\n\nSharing folders\n---------------\n\nAs :ref:`above <bind_mounts>` told.\n"
    code = "def update(docker_compose, bind_mounts):\n    return [docker_compose, bind_mounts]\n"
    repo = repository({"docs/dev.rst": page, "tool/run.py": code, "tool/__init__.py": ""})
    repo.replace("bind_mounts", "mounts", "tool/run.py").commit()
    assert repo.stale_lines(since="HEAD~1") == set()


def test_the_links_of_a_template_lead_on_from_what_is_made_of_it(repository: Make) -> None:
    page = "# Write the index\n\n- [Overview](./project-overview.md)\n\n{{#if found}}\n\n- [Guide](./guide.md)\n\n{{/if}}\n"
    repo = repository({"README.md": "# App\n", "app.py": "x = 1\n"})
    repo.write({".claude/skills/write/steps.md": page}).commit()
    assert repo.stale_lines(since="HEAD~1") == set()


def test_a_version_that_says_again_what_its_title_is_demands_nothing(repository: Make) -> None:
    manifest = '{"name": "app", "engines": {"node": ">=14"}}\n'
    page = "# API\n\n### `NODEJS_14_X`\n\nNode.js 14.x.\n"
    repo = repository({"API.md": page, "package.json": manifest, "src/index.js": "x = 1\n"})
    repo.replace(">=14", ">=16", "package.json").commit()
    assert repo.stale_lines(since="HEAD~1") == set()


def test_the_slug_of_a_heading_elsewhere_is_no_key(repository: Make) -> None:
    code = 'fn app() {\n    Arg::new("schema-repository").long("schema-repository");\n}\n'
    page = "# App\n\nMore [here](https://app.example.org/configuration/#schema-repository).\n"
    repo = repository({"README.md": page, "Cargo.toml": '[package]\nname = "app"\n', "src/lib.rs": code})
    repo.replace("schema-repository", "schema-index", "src/lib.rs").commit()
    assert repo.stale_lines(since="HEAD~1") == set()
