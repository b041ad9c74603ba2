"""What went and is named by documents yet is missed: links, headings and pages of a site."""

from __future__ import annotations

from collections.abc import Callable

from tests.support.changes import BOTH
from tests.support.repository import Repository

Make = Callable[[dict[str, str | bytes]], Repository]


@BOTH
def test_a_title_of_restructuredtext_that_is_referred_to_by_its_words_is_missed(repository: Make, since: str) -> None:
    text = "Tool\n====\n\n* ENDPOINT: see `Choosing the Endpoint`_\n\nChoosing the Endpoint\n---------------------\n\nWords.\n"
    repo = repository({"README.rst": text}).age()
    repo.replace("Choosing the Endpoint\n---------------------", "Endpoints\n---------", "README.rst").commit()
    assert repo.stale_lines(since=since) == {("README.rst", 4)}


def test_a_term_of_a_definition_list_has_an_anchor_on_a_site(repository: Make) -> None:
    links = "[one](#methods), [two](#others), [`AddPage`](#addpage) and [none](#nothing)"
    page = f"# Adapters\n\n{links}\n\n## Methods\n\n## AddPage\n\nAdds one.\n\n## Others\n\n## Nothing\n\nText.\n"
    repo = repository({"docs/hugo.toml": "title = 'Tool'\n", "docs/content/adapters.md": page})
    now = page.replace("## AddPage\n\nAdds one.\n", "`AddPage`\n: Adds one.\n").replace("## Nothing\n\n", "")
    repo.write({"docs/content/adapters.md": now}).commit()
    assert {f.claim for f in repo.drifted(since="HEAD~1")} == {"#nothing"}


@BOTH
def test_a_heading_is_referred_to_by_its_own_words_where_sphinx_makes_labels_of_headings(
    repository: Make, since: str
) -> None:
    text = "Running\n=======\n\nSee the :ref:`section on variables <Supported variables>`.\n\nSupported variables\n-------------------\n\nNone.\n"
    repo = repository({
        "docs/conf.py": "extensions = ['sphinx.ext.autosectionlabel']\n", "docs/run.rst": text, "docs/index.rst": "Tool\n====\n",
    })  # fmt: skip
    repo.replace("Supported variables\n-------------------", "Variables\n---------", "docs/run.rst").commit()
    assert repo.stale_lines(since=since) == {("docs/run.rst", 4)}


@BOTH
def test_a_label_is_missed_although_a_heading_is_called_alike(repository: Make, since: str) -> None:
    page = ".. _moving-paths:\n\nMoving paths\n============\n\nWords.\n"
    repo = repository({"docs/conf.py": "", "docs/a.rst": page, "docs/b.rst": "B\n=\n\nSee :ref:`moving-paths`.\n"})
    repo.replace("_moving-paths", "_moved-paths", "docs/a.rst").commit()
    assert repo.stale_lines(since=since) == {("docs/b.rst", 4)}


def test_an_explicit_id_of_asciidoc_is_missed_from_another_chapter(repository: Make) -> None:
    repo = repository({
        "docs/index.adoc": "= Manual\n\ninclude::examples.adoc[]\n\ninclude::usage.adoc[]\n",
        "docs/examples.adoc": "[[remote-examples]]\n== Examples\n\nText.\n",
        "docs/usage.adoc": "== Usage\n\nSee <<remote-examples,the examples>>.\n",
    })  # fmt: skip
    repo.replace("remote-examples", "remote-samples", "docs/examples.adoc").commit()
    for since in ("", "HEAD~1"):
        assert repo.stale_lines(since=since) == {("docs/usage.adoc", 3)}


def test_a_page_that_an_extension_of_the_documentation_writes_is_there(repository: Make) -> None:
    extension = "import os\n\n\ndef make(app):\n    open(os.path.join(app.srcdir, 'ops', 'commands%s' % '.rst'), 'w')\n"
    index = "Ops\n===\n\n.. toctree::\n\n   commands\n   options\n   setup\n"
    files: dict[str, str | bytes] = {
        "docs/source/conf.py": "extensions = ['tool_ext']  # not autosummary\n",
        "docs/source/ops/setup.rst": "Setup\n=====\n",
        "docs/tool_ext.py": extension,
    }
    repo = repository(files)
    repo.write({"docs/source/ops/index.rst": index}).commit()
    assert [finding.claim for finding in repo.drifted(since="HEAD~1")] == ["options"]


def test_a_link_or_a_path_that_its_line_had_before_is_not_the_change_s(repository: Make) -> None:
    page = "# Tool\n\nSee [this](#never-there) and [that](#start), and `src/old/keys.py`.\n\n## Start\n\nWords.\n"
    repo = repository({"README.md": page, "app.py": "x = 1\n", "src/old/keys.py": "x = 2\n"})
    repo.delete("src/old/keys.py").commit()
    repo.replace("See [this]", "> See [this]", "README.md").replace("## Start", "## Begin", "README.md").commit()
    assert [finding.claim for finding in repo.drifted(since="HEAD~1")] == ["#start"]


@BOTH
def test_a_heading_is_missed_although_another_ends_in_a_placeholder(repository: Make, since: str) -> None:
    page = "# Lists\n\n- [delete](#delete-lists)\n\n## DELETE /lists/{list_id}\n\nOne.\n\n## DELETE /lists\n\nMany.\n"
    repo = repository({"README.md": page})
    repo.replace("## DELETE /lists\n", "## Discard many\n", "README.md").commit()
    assert repo.stale_lines(since=since) == {("README.md", 3)}


@BOTH
def test_a_heading_that_is_a_number_is_missed(repository: Make, since: str) -> None:
    repo = repository({"README.md": "# A\n\nSee [one](#1).\n\n## 1\n\nWords.\n"})
    repo.replace("## 1\n", "## Panel\n", "README.md").commit()
    assert repo.stale_lines(since=since) == {("README.md", 3)}
