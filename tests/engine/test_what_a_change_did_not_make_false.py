"""What a change is blamed for: equal lines, blanks, namesakes, others' classes and packages, and what was out of use before."""

from __future__ import annotations

from collections.abc import Callable

from tests.support.repository import Repository

Make = Callable[[dict[str, str | bytes]], Repository]


def claims(repo: Repository, since: str = "HEAD~1") -> set[tuple[str, int]]:
    return {(mention.file, mention.line) for finding in repo.drifted(since=since) for mention in finding.mentions}


_FLAGS = """package main

import "github.com/alecthomas/kingpin/v2"

var noArp = kingpin.Flag("exporter.disable-arp", "Turn off ARP.").Default("false").Bool()
"""


def test_that_a_feature_is_enabled_is_not_said_of_the_flag_that_turns_it_off(repository: Make) -> None:
    page = "# Collectors\n\n| Collector | Default | Flag |\n|---|---|---|\n| ARP | {} | `--exporter.disable-arp` |\n"
    go_mod = "module example.org/app\n\nrequire github.com/alecthomas/kingpin/v2 v2.4.0\n"
    repo = repository({"README.md": "# App\n", "main.go": _FLAGS, "go.mod": go_mod})
    repo.write({"docs/collectors.md": page.format("Enabled")}).commit()
    assert claims(repo) == set()
    repo.write({"docs/collectors.md": page.format("true")}).commit()
    assert claims(repo) == {("docs/collectors.md", 5)}


_SETTINGS = """class Settings:
    def __init__(self, data):
        self.min_conns = data.get("min_conns", {})
"""


def test_a_line_of_which_only_the_blanks_are_new_was_as_false_before(repository: Make) -> None:
    page = "# App\n\nIt requires  Python 3.7+ and a database.\n"
    manifest = '[project]\nname = "app"\nrequires-python = ">=3.10"\n'
    repo = repository({"README.md": page, "pyproject.toml": manifest, "app.py": "x = 1\n"})
    repo.replace("requires  Python", "requires Python", "README.md").commit()
    assert claims(repo) == set()
    repo.replace("and a database", "and two databases", "README.md").commit()
    assert claims(repo) == {("README.md", 3)}


def test_what_a_package_of_go_offers_from_another_folder_is_called_as_before(repository: Make) -> None:
    code = "package telemetry\n\n// TraceHandler hands on.\ntype TraceHandler struct {\n\tinner int\n}\n"
    page = "# Style\n\n- Ids are put in by `telemetry.TraceHandler` for every call.\n"
    files = {"docs/style.md": page, "go.mod": "module example.org/app\n", "internal/telemetry/trace.go": code}
    repo = repository({**files, "internal/telemetry/other.go": "package telemetry\n\nvar x = 1\n"})
    repo.move("internal/telemetry/trace.go", "internal/observe/telemetry/trace.go").commit()
    assert claims(repo) == set()
    repo.replace("TraceHandler", "SpanHandler", "internal/observe/telemetry/trace.go").commit()
    assert claims(repo) == {("docs/style.md", 3)}


def test_a_small_word_of_a_name_does_not_tell_what_a_number_is_of(repository: Make) -> None:
    page = "# Tuning\n\nWith 1000 users, the collector gets many spans a sec per request it sees.\n"
    settings = "load:\n  requests_per_sec: {}\n"
    repo = repository({"docs/tuning.md": page, "app.py": "x = 1\n", "values.yaml": settings.format(1000)})
    repo.write({"values.yaml": settings.format(1500)}).commit()
    assert claims(repo) == set()


def test_the_label_of_a_reference_is_no_key(repository: Make) -> None:
    page = "Config\n======\n\n.. _bind_mounts:\n\nSharing folders\n---------------\n\nAs :ref:`above <bind_mounts>` told.\n"
    code = "def update(docker_compose, bind_mounts):\n    return [docker_compose, bind_mounts]\n"
    repo = repository({"docs/dev.rst": page, "tool/run.py": code, "tool/__init__.py": ""})
    repo.replace("bind_mounts", "mounts", "tool/run.py").commit()
    assert claims(repo) == set()


def test_a_word_of_a_comment_is_not_the_hook_that_went(repository: Make) -> None:
    page = "# Work\n\n```bash\n# Run all pre-commit checks\ncomposer check\n```\n"
    repo = repository({"docs/work.md": page, ".husky/pre-commit": "composer check\n", "a.php": "<?php\n"})
    repo.delete(".husky/pre-commit").commit()
    assert claims(repo) == set()


_OPTIONS = """class Options
{
    static Options()
    {
        AddOption(Pooling = new(
            keys: new[] { "Pooling" },
            defaultValue: true));

        AddOption(AutoEnlist = new(
            keys: new[] { "AutoEnlist" },
            defaultValue: true));

        AddOption(IgnorePrepare = new(
            keys: new[] { "IgnorePrepare" },
            defaultValue: true));
        int last = 1;
    }
}
"""


def test_of_equal_lines_the_one_went_whose_neighbours_have_it_no_more(repository: Make) -> None:
    page = "# Options\n\n| Name | Default |\n|---|---|\n| Pooling | true |\n| AutoEnlist | true |\n| IgnorePrepare | {} |\n"
    repo = repository({"docs/options.md": page.format("true"), "src/Options.cs": _OPTIONS})
    changed = _OPTIONS.replace("class Options\n", "class  Options\n").replace("int last = 1", "int last = 2")
    head, _, tail = changed.rpartition("defaultValue: true")
    repo.write({"src/Options.cs": f"{head}defaultValue: false{tail}"}).commit()
    assert claims(repo) == {("docs/options.md", 7)}


_VIEW = "public class View {\n    public void onRender() {\n        draw();\n    }\n}\n"
_PLUGIN = (
    "public class Tool extends JavaPlugin {\n    @Override\n    public void onEnable() {\n        start();\n    }\n}\n"
)


def test_a_method_that_an_example_has_from_anothers_class_is_not_ours(repository: Make) -> None:
    page = (
        "# Use\n\n```java\npublic final class MyPlugin extends JavaPlugin {\n    @Override\n    public void onEnable() {\n"
        "        frame.register();\n    }\n}\n```\n"
    )
    repo = repository({"README.md": page, "src/main/java/Tool.java": _PLUGIN, "src/main/java/View.java": _VIEW})
    repo.replace(
        "    @Override\n    public void onEnable() {\n        start();\n    }\n", "", "src/main/java/Tool.java"
    )
    assert claims(repo.commit()) == set()


def test_a_method_that_an_example_has_from_a_class_of_ours_is_missed(repository: Make) -> None:
    page = "# Use\n\n```java\npublic class MyView extends View {\n    @Override\n    public void onRender() {\n    }\n}\n```\n"
    repo = repository({"README.md": page, "src/main/java/View.java": _VIEW})
    repo.replace("onRender", "onDraw", "src/main/java/View.java").commit()
    assert claims(repo) == {("README.md", 6)}


def test_what_a_file_imported_is_not_missed_when_its_strings_go(repository: Make) -> None:
    code = 'from time import process_time\n\nTIMERS = {"process_time": process_time}\n'
    page = "# Settings\n\n- `timer`: what counts, such as `time.process_time`.\n"
    repo = repository({"docs/settings.md": page, "tool/run.py": code, "tool/__init__.py": ""})
    repo.write({"tool/run.py": "TIMERS = {}\n"}).commit()
    assert claims(repo) == set()


def test_what_a_package_that_is_demanded_from_now_on_took_over_is_there_still(repository: Make) -> None:
    rest = "".join(f"def step_{n}(given):\n    return given + {n}\n\n\n" for n in range(20))
    code = 'def settings(attrs):\n    return attrs.get("min_run_count", 2)\n\n\n' + rest
    page = "# Attributes\n\n- `min_run_count`: how often it is run at least.\n"
    manifest = '[project]\nname = "tool"\ndependencies = ["json5>=1"{}]\n'
    files = {"docs/attributes.md": page, "tool/run.py": code, "tool/__init__.py": ""}
    repo = repository({**files, "pyproject.toml": manifest.format("")})
    repo.write({"tool/run.py": "import tool_runner\n\ntool_runner.main()\n"})
    repo.write({"pyproject.toml": manifest.format(', "tool_runner>=0.1"')}).commit()
    assert claims(repo) == set()
    repo.git("reset", "-q", "--hard", "HEAD~1")
    repo.write({"tool/run.py": "import json\n\njson.loads('1')\n"}).commit()
    assert claims(repo) == {("docs/attributes.md", 3)}


def test_a_function_in_a_profile_was_printed_then(repository: Make) -> None:
    page = "# Profile\n\n```\n   1    0.000    6.844 tool/run.py:171(method_caller)\n   1    0.000    6.844 run.py:197(run)\n```\n"
    code = "def method_caller():\n    return 1\n"
    repo = repository({"docs/profile.md": page, "tool/run.py": code, "tool/__init__.py": ""})
    repo.replace("method_caller", "call_method", "tool/run.py").commit()
    assert claims(repo) == set()


def test_a_variable_of_a_script_is_no_key_of_an_editors_settings(repository: Make) -> None:
    page = '# Editor\n\n```json\n{\n    "go.gopath": "${root}:${root}/vendor",\n    "go.lintTool": "x"\n}\n```\n'
    script = "#!/bin/bash\nexport GOPATH=`pwd`/.gopath\ngb build\n"
    repo = repository({"STYLE.md": page, "jenkins/prepare.sh": script, "main.go": "package main\n"})
    repo.write({"jenkins/prepare.sh": "#!/bin/bash\ngo build\n"}).commit()
    assert claims(repo) == set()


def test_the_sample_of_a_file_is_no_key(repository: Make) -> None:
    page = "# Proxy settings\n\nRename `app.subdomain.conf.sample` in the folder of the proxy.\n"
    code = "class Word:\n    text: str\n    conf: float = 0.0\n"
    repo = repository({"docs/proxy.md": page, "tool/ocr.py": code, "tool/__init__.py": ""})
    repo.replace("    conf: float = 0.0\n", "", "tool/ocr.py").commit()
    assert claims(repo) == set()


def test_a_constant_that_nothing_used_was_out_of_use_before_it_went(repository: Make) -> None:
    code = 'package app\n\nimport "os"\n\nconst (\n\tapiKey = "CORTEX_API_KEY"\n\turl = "CORTEX_URL"\n)\n\nvar u = os.Getenv(url)\n'
    page = (
        "# Set up\n\n| Name | Description |\n|---|---|\n| `CORTEX_API_KEY` | a key |\n| `CORTEX_URL` | an address |\n"
    )
    repo = repository({"docs/setup.md": page, "go.mod": "module example.org/app\n", "app.go": code})
    repo.write({"app.go": "package app\n"}).commit()
    assert claims(repo) == {("docs/setup.md", 6)}


def test_the_links_of_a_template_lead_on_from_what_is_made_of_it(repository: Make) -> None:
    page = "# Write the index\n\n- [Overview](./project-overview.md)\n\n{{#if found}}\n\n- [Guide](./guide.md)\n\n{{/if}}\n"
    repo = repository({"README.md": "# App\n", "app.py": "x = 1\n"})
    repo.write({".claude/skills/write/steps.md": page}).commit()
    assert claims(repo) == set()


def test_a_key_in_another_spelling_is_that_of_the_class_which_still_has_it(repository: Make) -> None:
    task = 'public class HttpTask {\n    private String contentType = "application/json";\n}\n'
    queue = 'public class QueueSettings {\n    @ConfigurationProperties\n    private String contentType = "text";\n}\n'
    page = '# Settings\n\n```json\n{\n  "uri": "x",\n  "method": "GET",\n  "content-Type": "application/json"\n}\n```\n'
    repo = repository({"docs/task.md": page, "src/HttpTask.java": task, "src/QueueSettings.java": queue})
    repo.delete("src/QueueSettings.java").commit()
    assert claims(repo) == set()


def test_what_a_script_only_gave_and_no_program_looked_at_is_not_missed(repository: Make) -> None:
    script = "#!/bin/bash\ncat > .env << EOF\nCACHE_TTL=300\nPAGE_SIZE=20\nEOF\ndocker build .\n"
    page = "# Deploy\n\nCreate `.env`:\n\n```bash\nCACHE_TTL=300\nPAGE_SIZE=20\n```\n"
    code = 'import os\n\nSIZE = os.environ["PAGE_SIZE"]\n'
    repo = repository({"docs/deploy.md": page, "deploy/deploy.sh": script, "app.py": code})
    repo.delete("deploy/deploy.sh").write({"app.py": "SIZE = 20\n"}).commit()
    assert claims(repo) == {("docs/deploy.md", 7)}


def test_what_the_text_says_is_not_there_is_not_missed(repository: Make) -> None:
    page = "# Core\n\n- `kinds.py` has `DeviceType` (no `UpdateTier`, gone with the tiers).\n- `UpdateOrder` \u2014 removed with it.\n- `UpdateSpeed` stays.\n"
    code = "class UpdateTier:\n    a = 1\n\n\nclass UpdateOrder:\n    a = 1\n\n\nclass UpdateSpeed:\n    a = 1\n\n\nclass DeviceType:\n    b = 2\n"
    repo = repository({"docs/core.md": page, "tool/kinds.py": code, "tool/__init__.py": ""})
    repo.write({"tool/kinds.py": "class DeviceType:\n    b = 2\n"}).commit()
    assert claims(repo) == {("docs/core.md", 5)}


def test_a_report_that_says_when_it_was_produced_is_of_that_day(repository: Make) -> None:
    page = "# Metric audit\n\nProduced 2026-07-02 by the assessment.\n\n## Table\n\n- `avg_latency_ms` is a gauge.\n"
    code = "class Metrics:\n    def avg_latency_ms(self):\n        return 1\n"
    repo = repository({"evidence/audit.md": page, "tool/run.py": code, "tool/__init__.py": ""})
    repo.replace("avg_latency_ms", "avg_latency_seconds", "tool/run.py").commit()
    assert claims(repo) == set()


def test_a_sample_of_the_environment_does_not_tell_a_default(repository: Make) -> None:
    page = "# Settings\n\n| Variable | Default |\n|---|---|\n| `TOOL_API__MAX_RETRIES` | `3` |\n"
    repo = repository({"README.md": "# Tool\n", ".env.example": "TOOL_API__MAX_RETRIES=4\n", "tool/run.py": "x = 1\n"})
    repo.write({"docs/settings.md": page}).commit()
    assert claims(repo) == set()


_WEB = """package web

import (
	"fmt"

	"github.com/go-martini/martini"
)

func Register(m *martini.ClassicMartini) {
	m.Get(prefix+"/web/home", home)
	m.Get(prefix+"/web/discover", discover)
	m.Get(prefix+"/web/audit", audit)
}
"""
_WEB_BY_NAME = """package web

import (
	"fmt"

	"github.com/go-martini/martini"
)

func add(m *martini.ClassicMartini, path string, handler martini.Handler) {
	m.Get(fmt.Sprintf("%s/web/%s", prefix, path), handler)
}

func Register(m *martini.ClassicMartini) {
	add(m, "home", home)
	add(m, "discover", discover)
}
"""


def test_a_route_that_a_function_of_the_file_s_own_puts_together_now_is_there_still(repository: Make) -> None:
    page = "# App\n\nGo to `http://localhost:3000/web/discover`.\n\nSee `/web/audit`.\n"
    repo = repository({"README.md": page, "web.go": _WEB, "go.mod": "module example.org/app\n"})
    repo.write({"web.go": _WEB_BY_NAME}).commit()
    assert claims(repo) == {("README.md", 5)}


def test_an_example_of_a_commit_s_message_does_not_say_that_the_code_has_it(repository: Make) -> None:
    page = "# Contributing\n\nWrite messages so:\n\n```\nfeat(tools): add get_next_task for work\n```\n\nCall `get_next_task`.\n"
    repo = repository(
        {"CONTRIBUTING.md": page, "app.py": "def get_next_task():\n    pass\n\n\ndef other():\n    pass\n"}
    )
    repo.write({"app.py": "def other():\n    pass\n"}).commit()
    assert claims(repo) == {("CONTRIBUTING.md", 9)}


def test_a_flag_that_is_said_to_have_another_name_later_is_history(repository: Make) -> None:
    page = (
        "# App\n\nIt came behind the `future.unstable_fetchOnce` flag in 2.9.0 (later stabilized as `future.v3_fetchOnce`).\n\n"
        "Set `future.unstable_fetchOnce`.\n"
    )
    code = "export interface FutureConfig {\n  %s: boolean;\n  other: boolean;\n}\n"
    repo = repository(
        {"README.md": page, "config.ts": code % "unstable_fetchOnce", "package.json": '{"name": "app"}\n'}
    )
    repo.write({"config.ts": code % "v3_fetchOnce"}).commit()
    assert claims(repo) == {("README.md", 5)}
