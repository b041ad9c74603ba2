"""A change takes a thing away, and the words that name it tell of a piece of work that is over, or it is there all the same."""

from __future__ import annotations

from collections.abc import Callable

from tests.support.repository import Repository

Make = Callable[[dict[str, str | bytes]], Repository]


def claims(repo: Repository) -> set[tuple[str, int]]:
    return {(mention.file, mention.line) for finding in repo.drifted(since="HEAD~1") for mention in finding.mentions}


def test_an_entry_that_says_which_piece_of_work_is_done_is_not_missed_but_the_list_of_today_is(
    repository: Make,
) -> None:
    page = """# Current work

**Reading the log: complete** (Issue #76 / PR #77)

- Reuses `LogStore.find_by_owner`; no new table

## How it works

The log is read with `LogStore.find_by_owner`.

## Issue 1: the log is closed

Open it with `LogStore.find_by_owner`.
"""
    store = "class LogStore:\n    def find_by_owner(self, owner):\n        return owner\n\n    def put(self):\n        pass\n"
    repo = repository({"docs/current.md": page, "app/store.py": store, "app/__init__.py": ""})
    repo.replace("find_by_owner(self, owner)", "find(self, owner)", "app/store.py").commit()
    assert claims(repo) == {("docs/current.md", 9), ("docs/current.md", 13)}


def test_sections_that_end_with_a_day_tell_of_that_day_but_one_alone_tells_of_today(repository: Make) -> None:
    notes = """# Notes

## Limiter stopped (2026-02-05)

- `app/limiter.py` looked at the clock twice

## Labels overlap (2026-02-09)

- `app/labels.py` had no look at what lies beside
"""
    state = "# State\n\n## Parts (2026-02-05)\n\n- `app/labels.py` draws the labels\n"
    code = "def draw():\n    return 1\n"
    repo = repository({"NOTES.md": notes, "docs/state.md": state, "app/labels.py": code, "app/limiter.py": "X = 1\n"})
    repo.git("rm", "-q", "app/labels.py")
    repo.commit()
    assert claims(repo) == {("docs/state.md", 5)}


def test_what_is_to_be_rewritten_without_a_name_may_do_without_it(repository: Make) -> None:
    page = """# Streams

The answers have to be rewritten without the `call_next` parameter.

`Layer.dispatch` is given `call_next`.
"""
    layer = "class Layer:\n    def dispatch(self, request, call_next):\n        return call_next(request)\n"
    repo = repository({"docs/streams.md": page, "app/layer.py": layer, "app/__init__.py": ""})
    repo.write({"app/layer.py": "class Layer:\n    def dispatch(self, request):\n        return request\n"}).commit()
    assert claims(repo) == {("docs/streams.md", 5)}


def test_a_field_that_moved_to_a_parent_is_still_taken_by_its_children(repository: Make) -> None:
    old = "from dataclasses import dataclass\n\n\n@dataclass\nclass Agent:\n    name: str\n    tools: list\n    budget: int\n"
    new = (
        "from dataclasses import dataclass\n\n\n@dataclass\nclass Base:\n    name: str\n    tools: list\n\n\n"
        "@dataclass\nclass Agent(Base):\n    cost: int\n"
    )
    files: dict[str, str | bytes] = {"README.md": "# App\n", "app/__init__.py": "from app.agent import Agent\n"}
    repo = repository({**files, "app/agent.py": old})
    repo.write({"app/agent.py": new}).commit()
    repo.write(
        {
            "docs/use.md": "# Use\n\n```python\nfrom app import Agent\n\nAgent(name='a', tools=[])\nAgent(budget=1)\n```\n"
        }
    )
    repo.commit()
    assert claims(repo) == {("docs/use.md", 7)}


def test_a_page_that_a_site_makes_of_a_folder_of_code_is_there_but_one_of_a_folder_of_pages_is_not(
    repository: Make,
) -> None:
    files: dict[str, str | bytes] = {
        "website/docusaurus.config.js": "module.exports = {}\n",
        "website/docs/intro.md": "# Intro\n",
        "website/docs/examples/words/index.md": "# Words\n",
        "website/docs/examples/signs/index.md": "# Signs\n",
        "examples/words/words.py": "print(1)\n",
        "examples/signs/signs.py": "print(1)\n",
        "examples/signs/README.md": "# Signs\n",
    }
    repo = repository(files)
    repo.git("rm", "-qr", "website/docs/examples")
    repo.commit()
    for number in range(9):
        repo.write({"examples/words/words.py": f"print({number + 2})\n"}).commit()
    links = ("words", "signs", "words.md")
    repo.write(
        {"website/docs/guide/first.md": "# First\n" + "".join(f"\n[a](../examples/{to})\n" for to in links)}
    ).commit()
    assert claims(repo) == {("website/docs/guide/first.md", 5)}


def test_the_summary_of_one_session_tells_of_its_day_but_a_page_about_sessions_of_today(repository: Make) -> None:
    told = "## Tests\n\n- `tests/test_history.py`\n"
    files: dict[str, str | bytes] = {
        "notes/260206-evening.md": f"# Session Summary - 2026-02-07\n\n{told}",
        "docs/sessions.md": f"# Session Logs\n\n{told}",
        "tests/test_history.py": "def test_it():\n    pass\n",
        "app/__init__.py": "",
    }
    repo = repository(files)
    repo.git("rm", "-q", "tests/test_history.py")
    repo.commit()
    assert claims(repo) == {("docs/sessions.md", 5)}


def test_what_tools_read_in_every_project_is_the_reader_s_in_a_manual_and_ours_for_those_who_work_here(
    repository: Make,
) -> None:
    told = "The options of `pytest.ini` are set for you.\n"
    repo = repository(
        {
            "docs/plugin.md": f"# Plugin\n\n{told}",
            "CONTRIBUTING.md": f"# Working here\n\n{told}",
            "pytest.ini": "[pytest]\n",
        }
    )
    repo.git("rm", "-q", "pytest.ini")
    repo.commit()
    assert claims(repo) == {("CONTRIBUTING.md", 3)}


def test_a_file_that_the_reader_is_told_to_create_by_its_name_is_not_the_one_that_went(repository: Make) -> None:
    page = """# Searching

Create a new Python file called `query_all.py` and add the following code.

`query_all.py` finds all rows.
"""
    other = "# Parts\n\nThe rows come from `query_all.py`.\n"
    repo = repository({"docs/search.md": page, "docs/parts.md": other, "app/blocks/query_all.py": "X = 1\n"})
    repo.git("rm", "-q", "app/blocks/query_all.py")
    repo.commit()
    assert claims(repo) == {("docs/parts.md", 3)}


def test_a_module_that_an_example_of_the_page_imports_is_not_the_folder_of_that_name_that_went(
    repository: Make,
) -> None:
    table = "| what | from |\n|---|---|\n| the context | `tool_plus` |\n"
    example = "\n```python\nfrom tool_plus.project import Project\n```\n"
    repo = repository(
        {
            "docs/kit.md": f"# Kit\n\n{table}{example}",
            "docs/parts.md": f"# Parts\n\n{table}",
            "tests/runtime/tool_plus/version.py": "V = 1\n",
            "tests/runtime/other.py": "X = 1\n",
        }
    )
    repo.git("rm", "-qr", "tests/runtime/tool_plus")
    repo.commit()
    assert claims(repo) == {("docs/parts.md", 5)}


def test_a_term_in_another_spelling_is_there_while_code_makes_longer_names_of_it(repository: Make) -> None:
    page = "# Terms\n\n- `particle_layer_id`: a layer\n- `raster_tile_id`: a tile\n"
    old = (
        "export type ParticleLayerId = string\nexport type RasterTileId = string\nexport const PARTICLE_LAYER_ID = 1\n"
    )
    use = "export const selectedParticleLayerId = 1\n"
    repo = repository({"docs/terms.md": page, "src/ids.ts": old, "src/use.ts": use})
    repo.write({"src/ids.ts": "export const ids = 1\n"}).commit()
    assert claims(repo) == {("docs/terms.md", 4)}


def test_what_lies_in_a_submodule_that_took_the_place_of_a_folder_is_there(repository: Make) -> None:
    page = "# Tools\n\n- `fetch_clean_page` of `web_fetch.py` cleans a page.\n- `list_all_pages` lists them.\n"
    files: dict[str, str | bytes] = {
        "docs/tools.md": page,
        "tools/web/web_fetch.py": "def fetch_clean_page(url):\n    return url\n",
        "app/pages.py": "def list_all_pages():\n    return []\n",
    }
    repo = repository(files)
    repo.git("rm", "-qr", "tools", "app")
    repo.git("update-index", "--add", "--cacheinfo", "160000,362d34d2fabb96e1029b395d680d4e7ab254305f,tools")
    repo.git("commit", "-qm", "a submodule")
    assert claims(repo) == {("docs/tools.md", 4)}


def test_an_audit_of_one_month_tells_of_it_but_a_page_about_audits_of_today(repository: Make) -> None:
    told = "\n| id | where |\n|---|---|\n| 1 | `gate/config/router.yaml` |\n"
    repo = repository(
        {
            "docs/audit.md": f"# Consistency Audit — 2026-03\n{told}",
            "docs/audits.md": f"# Audit of configuration\n{told}",
            "gate/config/router.yaml": "a: 1\n",
        }
    )
    repo.git("rm", "-q", "gate/config/router.yaml")
    repo.commit()
    assert claims(repo) == {("docs/audits.md", 5)}


def test_routes_that_several_services_have_tell_nothing_of_what_is_listed_beside_them(repository: Make) -> None:
    head = "from fastapi import FastAPI\n\napp = FastAPI()\n\n"
    common = "".join(
        f'@app.get("/v1/{name}")\ndef {name}():\n    return 1\n\n' for name in ("models", "health", "voices")
    )
    own = '@app.get("/v1/pages")\ndef pages():\n    return 1\n\n@app.get("/v1/books")\ndef books():\n    return 1\n'
    many = "# Gateway\n\n- `GET /v1/models`\n- `GET /v1/health`\n- `GET /v1/voices`\n- `GET /v1/search`\n"
    few = "# Pages\n\n- `GET /v1/pages`\n- `GET /v1/books`\n- `GET /v1/shelves`\n"
    files: dict[str, str | bytes] = {
        "services/voice/main.py": head + common,
        "services/model/main.py": head + common,
        "services/page/main.py": head + own,
        "README.md": "# Services\n",
    }
    repo = repository(files)
    repo.write({"docs/gateway.md": many, "docs/pages.md": few}).commit()
    assert claims(repo) == {("docs/pages.md", 5)}


def test_what_goes_out_of_a_backup_was_not_where_the_text_says_before(repository: Make) -> None:
    page = "# Running\n\n- `scripts/deploy-all.sh` deploys\n- `scripts/start-all.sh` starts\n"
    script = "#!/bin/sh\necho 1\n"
    repo = repository(
        {
            "docs/run.md": page,
            "backup/scripts/deploy-all.sh": script,
            "scripts/start-all.sh": script,
            "app/a.py": "A = 1\n",
        }
    )
    repo.git("rm", "-qr", "backup", "scripts")
    repo.commit()
    assert claims(repo) == {("docs/run.md", 4)}


def test_a_list_that_begins_with_old_scripts_names_what_went(repository: Make) -> None:
    page = (
        "# Running\n\n- Old scripts: `scripts/deploy-all.sh`, `scripts/deploy-one.sh`\n- New: `scripts/deploy-one.sh`\n"
    )
    script = "#!/bin/sh\necho 1\n"
    repo = repository(
        {"docs/run.md": page, "scripts/deploy-all.sh": script, "scripts/deploy-one.sh": script, "app/a.py": "A = 1\n"}
    )
    repo.git("rm", "-qr", "scripts")
    repo.commit()
    assert claims(repo) == {("docs/run.md", 4)}


def test_a_colon_in_a_sentence_about_a_default_is_not_the_one_that_code_changed(repository: Make) -> None:
    page = "# Logs\n\n- **Log Location**: `/home/app/pg_log/*.log` (default log path)\n"
    code = "export function show(orderId, result) {\n  console.log('[API] GET /orders/' + orderId + ':', result)\n}\n"
    repo = repository({"docs/logs.md": page, "src/show.js": code})
    repo.write({"docs/logs.md": f"{page}\nMore is to come.\n"})
    repo.replace("':'", "'/details:'", "src/show.js").commit()
    assert claims(repo) == set()


def test_a_path_of_another_program_under_a_prefix_that_ours_had_too_is_not_missed(repository: Make) -> None:
    head = 'package main\n\nimport "github.com/gin-gonic/gin"\n\nfunc main() {\n\tr := gin.Default()\n'
    first = '\tone := r.Group("/api/v1")\n\tone.POST("/login", login)\n'
    second = '\ttwo := r.Group("/api/v2")\n\ttwo.POST("/login", login)\n'
    page = "# Alerts\n\n```sh\ncurl http://localhost:9093/api/v2/alerts\n```\n\n`POST /api/v2/login` lets one in.\n"
    repo = repository({"docs/alerts.md": page, "cmd/main.go": f"{head}{first}{second}}}\n"})
    repo.write({"cmd/main.go": f"{head}{first}}}\n"}).commit()
    assert claims(repo) == {("docs/alerts.md", 7)}


def test_a_key_below_another_is_not_the_parameter_of_its_name_that_went(repository: Make) -> None:
    page = """# Configuration

Settings of the engine:

- `search.languages` or `search.language`
- `server.limiter`
"""
    code = "def choose(fetcher, languages):\n    return fetcher(languages)\n"
    repo = repository({"services/search/README.md": page, "services/guard/choose.py": code})
    repo.write({"services/guard/choose.py": "def choose(fetcher, codes):\n    return fetcher(codes)\n"}).commit()
    assert claims(repo) == set()
