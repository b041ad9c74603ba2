"""Demands, examples, names and signatures that have been wrong for long."""

from __future__ import annotations

import pytest

from tests.precision.aged import DOUBTFUL_TOO, MANIFEST, told
from tests.support.repository import Repository


def test_a_demand_that_a_manifest_left_behind_long_ago_is_wrong_for_workers_and_visitors_alone(
    repo: Repository,
) -> None:
    says = "## Requirements\n\n- Python 3.10+\n"
    repo.write(
        {
            "CONTRIBUTING.md": says,
            "README.md": says,
            "docs/install.md": says,
            "parts/README.md": says.replace("10", "8"),
        }
    )
    repo.commit("say it").age().replace(">=3.10", ">=3.12", "pyproject.toml").commit("demand more")
    assert repo.age().stale_lines() == {("CONTRIBUTING.md", 3), ("README.md", 3)}


def test_a_page_that_is_called_by_a_version_is_of_that_version(repo: Repository) -> None:
    says = "## Requirements\n\n- Python 3.10+\n"
    repo.write({"development/310.md": says, "development/python-3.10.md": says, "development/setup.md": says})
    repo.write({"README.md": "See [how it is developed](development/).\n"})
    repo.commit("say it").age().replace(">=3.10", ">=3.12", "pyproject.toml").commit("demand more")
    assert repo.age().stale_lines() == {("development/setup.md", 3)}


def test_a_demand_is_plain_though_the_next_sentence_gives_an_instance_of_something_else(repo: Repository) -> None:
    repo.write({"README.md": "Tool requires Python 3.10 or higher. It can be had in other ways, such as by Docker.\n"})
    repo.write({"CONTRIBUTING.md": "A project of yours might look like this, such as one that requires Python 3.10.\n"})
    repo.commit("say it").age().replace(">=3.10", ">=3.12", "pyproject.toml").commit("demand more")
    assert repo.age().stale_lines() == {("README.md", 1)}


def test_a_list_of_requirements_beside_the_manifest_promises_too_much_though_it_never_was_true(
    repo: Repository,
) -> None:
    says = "# Tool\n\n## Prerequisites\n\n- Python 3.8+\n- git\n"
    repo.write({"README.md": says, "CONTRIBUTING.md": says.replace("- Python", "- A shell that runs with Python")})
    repo.write({"docs/install.md": says, "SECURITY.md": says.replace("Prerequisites", "Compatibility")})
    assert repo.commit("say it").age().stale_lines() == {("README.md", 5)}


def test_a_list_of_requirements_may_ask_for_more_than_the_manifest(repo: Repository) -> None:
    repo.write({"README.md": "# Tool\n\n## Requirements\n\n- Python 3.13+\n"})
    assert repo.commit("say it").age().stale_lines() == set()


def test_a_manifest_that_the_last_commit_touched_makes_nothing_new_that_it_never_had(repo: Repository) -> None:
    extras = '\n[project.optional-dependencies]\nfast = ["orjson"]\nweb = ["starlette"]\n'
    says = "Install:\n\n```sh\npip install 'tool[fast]'\npip install 'tool[web]'\npip install 'tool[mail]'\n```\n"
    repo.write({"pyproject.toml": MANIFEST + extras, "README.md": says}).commit("say it").age()
    repo.write({"pyproject.toml": MANIFEST.replace('"1"', '"2"') + extras}).commit("release")
    assert told(repo) == []
    without = extras.replace('web = ["starlette"]\n', "")
    repo.write({"pyproject.toml": MANIFEST.replace('"1"', '"2"') + without}).commit("no web")
    assert told(repo) == [("README.md", "web")]


def test_an_example_that_is_no_python_is_broken_and_one_of_another_language_may_be_a_dialect(repo: Repository) -> None:
    python = "```python\nimport tool\n\ntool.run(\n    'a'\nprint('b')\n```\n"
    rust = "```rust\nfn main() {\n    let a = try!(b.map(|c| c.d()));\n    let e = = 2;\n}\n```\n"
    repo.write({"docs/guide.md": python + "\n" + rust}).commit("say it")
    assert {f.rule for f in repo.age().drifted()} == {"broken-example"}
    assert [f.line for f in repo.drifted()] == [4]


def test_an_example_that_python_only_calls_invalid_may_be_a_notation(repo: Repository) -> None:
    text = "```python\nimport tool\n\nasync def use(app):\n    {}\n    return app\n```\n"
    repo.write({"docs/guide.md": text.format("app.[use]"), "docs/other.md": text.format("app run with it")})
    assert [f.file for f in repo.commit("say it").drifted()] == ["docs/other.md"]
    assert repo.age().drifted() == []


def test_entries_of_a_dictionary_are_a_part_of_a_file(repo: Repository) -> None:
    text = '```python\nimport tool\n\n# In DEFAULTS["models"]:\n"first": "a",\n"second": "b",\n```\n'
    repo.write({"docs/guide.md": text}).commit("say it")
    assert told(repo.age()) == []


def test_a_version_in_brackets_says_what_the_thing_before_it_came_with(repo: Repository) -> None:
    repo.write({"CONTRIBUTING.md": "## Tests\n\n- **Run them**: use `tool --fast` (Python 3.8+) or by hand.\n"})
    repo.write({"docs/development.md": "We use the modules that are built into Python 3.8 to build.\n"})
    assert told(repo.commit("say it")) == []


def test_a_type_in_a_documented_signature_is_no_keyword(repo: Repository) -> None:
    text = "Parameters\n==========\n\n.. code-block:: python\n\n    from tool import run\n\n    run(path: str=None, tick: bool=False)\n"
    assert "bool" not in [claim for _, claim in told(repo.write({"README.rst": text}).commit("say it"))]


def test_an_import_of_one_plain_word_that_was_wrong_for_long_is_uncertain_and_a_parameter_is_not(
    repo: Repository,
) -> None:
    repo.write({"docs/a.md": "```python\nfrom tool import feature\n```\n"})
    repo.write({"docs/b.md": "```python\nfrom tool import run\n\nrun(folder=1)\n```\n"}).commit("say it")
    fresh = told(repo)
    assert [file for file, _ in fresh] == ["docs/a.md", "docs/b.md"]
    assert told(repo.age()) == fresh[1:]
    assert told(repo, DOUBTFUL_TOO) == fresh


def test_an_example_that_imports_what_a_module_of_ours_does_not_have_is_wrong_however_old(repo: Repository) -> None:
    says = "# {}\n\n```python\nfrom tool import {}\n```\n"
    repo.write({"tool/parts/reader.py": "def read_all():\n    pass\n", "tool/parts/__init__.py": ""})
    repo.write({"docs/a.md": says.format("Use", "Reader"), "docs/b.md": says.format("Use", "read_all")})
    repo.write({"docs/c.md": says.format("Before 2.0", "Reader"), ".skills/d.md": says.format("Use", "Reader")})
    supposed = "# Test it\n\nLet's say you write a module called `Reader`.\n" + says.format("Use", "Reader")
    repo.write({"docs/e.md": says.format("Use", "run"), "docs/f.md": supposed}).commit("say it")
    assert told(repo.age()) == [("docs/a.md", "Reader"), ("docs/b.md", "read_all")]


def test_a_cross_reference_to_what_a_module_of_ours_does_not_have_is_wrong_however_old(repo: Repository) -> None:
    says = (
        "Guide\n=====\n\n:func:`tool.runn`, :func:`tool.run`, :func:`other.runn`, :class:`tool.Base`, ``tool.lost``\n"
    )
    described = "Base\n====\n\n.. class:: Base\n\n   What the reader writes.\n"
    repo.write({"docs/guide.rst": says, "docs/base.rst": described}).commit("say it")
    assert told(repo.age()) == [("docs/guide.rst", "tool.runn")]


@pytest.mark.parametrize(
    ("sentence", "wrong"),
    [
        ("Tool supports Python 3.6 and newer.", True),
        ("The tool library requires Python 3.6 or later.", True),
        ("Pytest supports Python 3.6 and newer.", False),
        ("This supports Python 3.6 and newer.", False),
        ("Tool supports Python 3.12 and newer.", False),
    ],
)
def test_a_demand_that_no_manifest_ever_made_is_wrong_if_the_sentence_names_the_package(
    repo: Repository, sentence: str, wrong: bool
) -> None:
    repo.write({"CONTRIBUTING.md": f"# Help\n\n## Versions\n\n{sentence}\n", "docs/a.md": f"# A\n\n{sentence}\n"})
    assert repo.commit("say it").age().stale_lines() == ({("CONTRIBUTING.md", 5)} if wrong else set())


def test_what_a_crate_is_said_to_compile_with_can_be_no_other_program(repo: Repository) -> None:
    repo.write({"Cargo.toml": '[package]\nname = "krate"\nversion = "1.0.0"\nrust-version = "1.89.0"\n'})
    repo.write({"README.md": "# Krate\n\nMinimum supported Rust version: 1.86.0\n"}).commit("say it")
    assert repo.age().stale_lines() == {("README.md", 3)}


def test_a_readme_that_came_with_a_tool_tells_what_the_tool_demands(repo: Repository) -> None:
    says = "## Requirements\n\n- Python 3.10+\n"
    repo.write({".tool/README.md": says, "parts/README.md": says}).commit("say it").age()
    repo.replace(">=3.10", ">=3.12", "pyproject.toml").commit("demand more")
    assert told(repo.age()) == [("parts/README.md", "Python 3.10+")]


def test_an_owner_and_a_name_are_an_image_where_images_are_spoken_of(repo: Repository) -> None:
    says = "The default image `tool/parts` is pulled.\n\nWhat is built is in `tool/parts`.\n"
    repo.write({"deploy/README.md": says}).commit("say it").delete("tool/parts/reader.py").commit("remove it")
    assert repo.age().stale_lines() == {("deploy/README.md", 3)}


def test_what_a_program_once_printed_names_the_files_of_that_day(repo: Repository) -> None:
    printed = "```sh\nthread panicked at tool/parts/reader.py:185:5: left is not right\n```\n"
    repo.write({"CONTRIBUTING.md": f"{printed}\nThe reader is `tool/parts/reader.py`.\n"}).commit("say it")
    repo.delete("tool/parts/reader.py").commit("remove it")
    assert repo.age().stale_lines() == {("CONTRIBUTING.md", 5)}


def test_the_manifest_of_a_site_says_what_the_site_needs_and_its_pages_what_the_project_does(repo: Repository) -> None:
    says = "## Requirements\n\n- Node.js 22.15.0 or greater\n- pnpm 10.10.0 or greater\n"
    web, site = (f'{{"engines": {{"node": ">={node}", "pnpm": ">=11"}}}}\n' for node in ("22.13.1", "24.13.0"))
    repo.write({"web/package.json": web, "docs/package.json": site, "docs/contributing/setup.md": says})
    assert {line for _, line in repo.commit("say it").stale_lines()} == {4}


def test_a_manifest_beside_says_nothing_of_what_a_readme_needs(repo: Repository) -> None:
    says = "## Requirements\n\n- Node.js 18 or later\n"
    repo.write(
        {"docs/site/package.json": '{"engines": {"node": ">=24"}}\n', "app/README.md": says, "lib/README.md": says}
    )
    repo.write({"lib/core/package.json": '{"engines": {"node": ">=22"}}\n'}).commit("say it")
    assert told(repo) == [("lib/README.md", "Node.js 18 or later")]


def test_an_example_that_shows_what_python_says_of_it_is_wrong_on_purpose(repo: Repository) -> None:
    text = "```python\nimport tool\n\ndef use(a=0, *, **more):\n                ^\nSyntaxError: named arguments must follow bare *\n```\n"
    repo.write(
        {"docs/guide.md": text, "docs/other.md": "```python\nimport tool\n\ntool.run(\n    'a'\nprint('b')\n```\n"}
    )
    assert [f.file for f in repo.commit("say it").drifted()] == ["docs/other.md"]


def test_a_part_may_need_less_than_the_whole_does_now(repo: Repository) -> None:
    says = (
        "# Tool\n\nBoth of the bundled providers expect at least Python 3.10.\n\nTool expects at least Python 3.10.\n"
    )
    repo.write({"README.md": says}).commit("say it").age()
    repo.replace(">=3.10", ">=3.12", "pyproject.toml").commit("demand more")
    assert repo.stale_lines() == repo.age().stale_lines() == {("README.md", 5)}


def test_a_badge_of_a_readme_promises_too_much_though_it_never_was_true(repo: Repository) -> None:
    badge = "[![Python](https://img.shields.io/badge/python-3.{}+-blue.svg)](https://www.python.org)\n"
    lower, higher = f"# Tool\n\n{badge.format(8)}", f"# Tool\n\n{badge.format(13)}"
    repo.write({"README.md": lower, "docs/install.md": lower, "tool/README.md": higher})
    assert repo.commit("say it").age().stale_lines() == {("README.md", 3)}


def test_a_licence_is_told_wrong_by_the_readme_beside_it(repo: Repository) -> None:
    mit = (
        "MIT License\n\nPermission is hereby granted, free of charge, to any person obtaining a copy of this software\n"
    )
    says = "# Tool\n\n## License\n\nBSD 3-Clause\n"
    repo.write({"LICENSE": mit, "README.md": says, "docs/index.md": says, "parts/README.md": says})
    assert repo.commit("say it").age().stale_lines() == {("README.md", 5)}


def test_a_licence_that_only_a_manifest_tells_otherwise_may_be_of_a_part(repo: Repository) -> None:
    repo.write(
        {"pyproject.toml": f'{MANIFEST}license = "MIT"\n', "README.md": "# Tool\n\n## License\n\nBSD 3-Clause\n"}
    )
    assert repo.commit("say it").age().stale_lines() == set()


def test_a_licence_that_a_manifest_tells_as_the_readme_does_is_told_wrong_by_one_of_them(repo: Repository) -> None:
    mit = (
        "MIT License\n\nPermission is hereby granted, free of charge, to any person obtaining a copy of this software\n"
    )
    part = '[project]\nname = "part"\nlicense = "ISC"\n'
    repo.write({"LICENSE": mit, "README.md": "# Tool\n\n## License\n\nISC\n", "parts/pyproject.toml": part})
    assert repo.commit("say it").age().stale_lines() == set()
