"""Facts that a mutator took away from ten repositories, and that were not missed."""

from __future__ import annotations

import pytest

from tests.support.changes import NODE, Make

WASM = '{"name": "wasm", "scripts": {"pack": "wasm-pack"}}\n'
BOTH = pytest.mark.parametrize("since", ["", "HEAD~1"], ids=["whole", "change"])


@BOTH
def test_two_manifests_that_write_one_version_in_two_ways_agree(repository: Make, since: str) -> None:
    project = '[project]\nname = "tool"\nversion = "1"\nrequires-python = ">=3.10"\n'
    setup = "from setuptools import setup\n\nsetup(name='tool', python_requires='>=3.10.0')\n"
    repo = repository(
        {"README.md": "# Tool\n\nTool requires Python 3.10 or later.\n", "pyproject.toml": project, "setup.py": setup}
    )
    repo.replace("3.10", "3.12", "pyproject.toml").replace("3.10", "3.12", "setup.py").commit()
    assert repo.stale_lines(since=since) == {("README.md", 3)}


@BOTH
@pytest.mark.parametrize(("entered", "reported"), [("cd crates/napi", True), ("cd crates/other", False)])
def test_a_script_is_that_of_the_folder_that_its_section_enters(
    repository: Make, since: str, entered: str, *, reported: bool
) -> None:
    page = f"# Tool\n\n## Bindings\n\n- Go to it: `{entered}`\n- Install: `yarn install`\n- Debug build: `yarn build:debug`\n"
    manifest = '{"name": "napi", "scripts": {"build": "napi build", "build:debug": "napi build --debug"}}\n'
    repo = repository(
        {
            ".github/instructions.md": page,
            "crates/napi/package.json": manifest,
            "crates/wasm/package.json": WASM,
        }
    )
    repo.replace("build:debug", "build:debug-new", "crates/napi/package.json").commit()
    assert repo.stale_lines(since=since) == ({(".github/instructions.md", 7)} if reported else set())


@BOTH
@pytest.mark.parametrize("srcset", ["img/dark.png", "img/dark.png 1x, img/dark2.png 2x"])
def test_the_picture_of_a_source_is_an_image(repository: Make, since: str, srcset: str) -> None:
    page = f'<picture>\n  <source media="(prefers-color-scheme: dark)" srcset="{srcset}">\n  <img src="img/plain.png">\n</picture>\n'
    images: dict[str, str | bytes] = {"img/dark.png": "one", "img/plain.png": "two", "img/dark2.png": "three"}
    repo = repository({**NODE, "README.md": page, **images})
    repo.move("img/dark.png", "img/night.png").commit()
    assert repo.stale_lines(since=since) == {("README.md", 2)}


@BOTH
def test_a_default_after_a_word_in_bold_with_underscores_is_one(repository: Make, since: str) -> None:
    page = "# Tool\n\n- `queueLimit` `<number>` how many wait. __Default__: `42`\n- `topicLevels` how deep. __Default__: `100`\n"
    code = "const defaultOptions = {\n  queueLimit: 42,\n  topicLevels: 100\n}\nmodule.exports = { defaultOptions }\n"
    repo = repository({**NODE, "README.md": page, "tool.js": code})
    repo.replace("queueLimit: 42", "queueLimit: 84", "tool.js").commit()
    assert repo.stale_lines(since=since) == {("README.md", 3)}
