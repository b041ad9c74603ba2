"""A page that was put away, a module that became a package, a name in another's address, a method of an example's own variable."""

from __future__ import annotations

from collections.abc import Callable

from tests.support.repository import Repository

Make = Callable[[dict[str, str | bytes]], Repository]


def claims(repo: Repository, since: str = "HEAD~1") -> set[tuple[str, int]]:
    return {(mention.file, mention.line) for finding in repo.drifted(since=since) for mention in finding.mentions}


def test_a_page_that_the_navigation_has_in_a_comment_only_and_nothing_leads_to_was_put_away(repository: Make) -> None:
    files: dict[str, str | bytes] = {
        "mkdocs.yml": "site_name: x\nnav:\n  - Home: index.md\n  - Tracks: more/tracks.md\n  - Steps: steps.md\n",
        "docs/index.md": "# Home\n\nSee [steps](steps.md).\n",
        "docs/more/tracks.md": "# Tracks\n\nCall `track_this()` for it.\n",
        "docs/steps.md": "# Steps\n\nCall `track_this()` too.\n",
        "tool/api.py": "def track_this():\n    pass\n\n\ndef other():\n    pass\n",
    }
    repo = repository(files)
    repo.replace("def track_this():\n    pass\n\n\n", "", "tool/api.py").commit()
    assert claims(repo) == {("docs/more/tracks.md", 3), ("docs/steps.md", 3)}
    settings = "site_name: x\nnav:\n  - Home: index.md\n  # - Tracks: more/tracks.md\nplugins:\n"
    repo.write({"mkdocs.yml": settings}).commit()
    assert claims(repo, "HEAD~2") == {("docs/steps.md", 3)}  # the home page leads there
    repo.write({"docs/index.md": "# Home\n\n<!-- See [steps](steps.md). -->\n"}).commit()
    assert claims(repo, "HEAD~3") == set()


def test_what_a_module_had_that_became_a_package_of_its_own_is_in_that_package(repository: Make) -> None:
    field = "class MediaField:\n    pass\n"
    files: dict[str, str | bytes] = {
        "docs/plugins.md": "# Plugins\n\nMake a `MediaField` of it:\n\n```python\nmediafile.MediaField('foo')\n```\n",
        "setup.py": "from setuptools import setup\n\nsetup(name='tool', install_requires=['six>=1.9'])\n",
        "tool/__init__.py": "",
        "tool/mediafile.py": field,
    }
    repo = repository(files)
    repo.write({"tool/mediafile.py": "import mediafile\n\nglobals().update(vars(mediafile))\n"}).commit()
    assert claims(repo) == {("docs/plugins.md", 3), ("docs/plugins.md", 6)}
    repo.replace("'six>=1.9'", "'six>=1.9', 'mediafile>=0.1.0'", "setup.py").commit()
    assert claims(repo, "HEAD~2") == set()


def test_a_name_in_the_address_of_another_project_s_page_is_not_ours(repository: Make) -> None:
    page = "# Tool\n\nWe log [a metric](https://flow.example.org/api/flow.html#flow.log_metric).\n"
    ours = "And [ours](https://docs.example.org/tool/api.html#tool.log_metric).\n"
    files: dict[str, str | bytes] = {
        "README.md": page + ours,
        "pyproject.toml": '[project]\nname = "tool"\nversion = "1"\n',
        "tool/api.py": "def log_metric():\n    pass\n\n\ndef other():\n    pass\n",
    }
    repo = repository(files)
    repo.replace("def log_metric():\n    pass\n\n\n", "", "tool/api.py").commit()
    assert claims(repo) == {("README.md", 4)}


def test_a_method_that_an_example_calls_of_its_own_variable_is_no_function_that_went(repository: Make) -> None:
    page = """# Tool

```python
def execute(settings, step_name):
    log = settings.get_run_log()
    step = log.find(step_name)
    catalog(step.get_from_catalog)
```
"""
    functions = "def get_run_log():\n    pass\n\n\ndef get_from_catalog():\n    pass\n\n\n"
    methods = "class Settings:\n    def get_run_log(self):\n        pass\n\n    def get_from_catalog(self):\n        pass\n\n\n"
    rest = "def other():\n    pass\n"
    repo = repository({"README.md": page, "tool/__init__.py": "", "tool/api.py": functions + rest})
    repo.write({"tool/api.py": rest}).commit()
    assert claims(repo) == set()
    repo.write({"tool/api.py": methods + rest}).commit()
    repo.write({"tool/api.py": rest}).commit()
    assert claims(repo) == {("README.md", 5), ("README.md", 7)}


def test_options_that_libraries_put_into_the_standard_set_of_go_are_there(repository: Make) -> None:
    main = """package main

import (
	"flag"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

var rootCmd = &cobra.Command{Use: "tool"}

func main() {
	rootCmd.PersistentFlags().String("config", "", "which")
	rootCmd.PersistentFlags().String("format", "", "how")
	rootCmd.PersistentFlags().String("severity", "", "what")
	pflag.CommandLine.AddGoFlagSet(flag.CommandLine)
	rootCmd.Execute()
}
"""
    files: dict[str, str | bytes] = {
        "README.md": "# Tool\n",
        "go.mod": "module example.org/tool\n\ngo 1.20\n",
        "main.go": main,
    }
    repo = repository(files)
    page = "# Tool\n\n```sh\ntool --config a --format b --kubeconfig c\n```\n"
    repo.write({"README.md": page}).commit()
    assert claims(repo) == set()
    repo.replace("	pflag.CommandLine.AddGoFlagSet(flag.CommandLine)\n", "", "main.go").commit()
    assert claims(repo, "HEAD~2") == {("README.md", 4)}


def test_a_task_of_a_namespace_whose_tasks_code_names_is_there(repository: Make) -> None:
    old = "namespace :paths do\n  task :include do\n    puts 1\n  end\n  task :source do\n    puts 2\n  end\nend\n"
    new = "namespace :paths do\n  names.each do |name|\n    task(name.to_sym) { puts name }\n  end\nend\n"
    repo = repository({"README.md": "# Tool\n\nRun `rake paths:include` for it.\n", "Rakefile": old})
    repo.write({"Rakefile": new}).commit()
    assert claims(repo) == set()
    repo.write({"Rakefile": old}).commit()
    repo.replace("  task :include do\n    puts 1\n  end\n", "", "Rakefile").commit()
    assert claims(repo) == {("README.md", 3)}


def test_a_setting_of_go_whose_field_only_changed_its_case_is_found_as_before(repository: Make) -> None:
    fields = "package config\n\ntype Encryption struct {\n\tDomain   string\n\tHttpPort int\n\tKeyFile  string\n}\n"
    table = "| Parameter | Type |\n|---|---|\n| Domain | string |\n| `HttpPort` | int |\n| `KeyFile` | string |\n"
    code = "\n```go\nconf := config.Encryption{HttpPort: 80}\n```\n"
    repo = repository({"docs/configuration.md": f"# Settings\n\n{table}{code}", "config/config.go": fields})
    repo.replace("HttpPort", "HTTPPort", "config/config.go").commit()
    assert claims(repo) == {("docs/configuration.md", 10)}
    repo.replace("HTTPPort", "PlainPort", "config/config.go").commit()
    assert claims(repo, "HEAD~2") == {("docs/configuration.md", 6), ("docs/configuration.md", 10)}


def test_a_setting_of_go_whose_tag_has_another_name_is_gone_though_its_field_is_there(repository: Make) -> None:
    fields = 'package mock\n\ntype Config struct {\n\tFailMode string `json:"failMode"`\n\tFailStatus int `json:"failStatus,omitempty"`\n}\n'
    table = "| Key | |\n|---|---|\n| `failMode` | how |\n| `failStatus` | which |\n"
    repo = repository({"docs/mock.md": f"# Settings\n\n{table}", "mock/config.go": fields})
    repo.replace('"failStatus', '"failCode', "mock/config.go").commit()
    assert claims(repo) == {("docs/mock.md", 6)}


def test_what_one_feature_needs_is_not_what_the_package_demands(repository: Make) -> None:
    page = "# Tool\n\n- `tool.config.ts` (requires Node 22.6+ for native TS support)\n- Tool requires Node 22.6+\n"
    package = '{"name": "tool", "version": "1.0.0", "engines": {"node": ">=22.6.0"}}\n'
    repo = repository({"README.md": page, "package.json": package})
    repo.replace("22.6.0", "22.22.1", "package.json").commit()
    assert claims(repo) == {("README.md", 4)}


def test_a_task_that_an_included_file_has_is_there_whatever_that_file_is_called(repository: Make) -> None:
    old = (
        "version: '3'\nincludes:\n  db:\n    taskfile: ci/db.yml\n    flatten: true\ntasks:\n  start:\n    cmds: [go]\n"
    )
    task = "  deploy-db:\n    cmds: [go]\n"
    repo = repository({"README.md": "# Tool\n\nRun `task deploy-db`.\n", "Taskfile.yml": old + task})
    repo.write({"Taskfile.yml": old, "ci/db.yml": "version: '3'\ntasks:\n  db:k8s:deploy:\n    aliases: [deploy-db]\n"})
    repo.commit()
    assert claims(repo) == set()
    repo.write({"ci/db.yml": "version: '3'\ntasks:\n  db:k8s:deploy:\n    aliases: [deploy-db-now]\n"}).commit()
    assert claims(repo, "HEAD~2") == {("README.md", 3)}


def test_the_compose_file_of_a_manual_and_the_variables_that_it_puts_in_are_the_reader_s(repository: Make) -> None:
    services = "services:\n  db:\n    image: postgres\n    environment:\n      POSTGRES_DB: ${TOOL_DB_NAME}\n"
    page = f"# Docker\n\nWrite a `docker-compose.yml`:\n\n```yaml\n{services}```\n\n```ini\nTOOL_DB_NAME=tool\n```\n"
    files: dict[str, str | bytes] = {
        "docs/self-hosting/docker.md": page,
        "docs/self-hosting/plain.md": "# Plain\n\nSet `TOOL_DB_NAME` to its name.\n",
        "docker-compose.yml": services,
        "app.py": "one = 1\n",
    }
    repo = repository(files).delete("docker-compose.yml").commit()
    assert claims(repo) <= {("docs/self-hosting/plain.md", 3)}


def test_a_key_that_another_file_declares_is_still_taken(repository: Make) -> None:
    lane = 'package p\n\ntype Lane struct {\n\tName   string `yaml:"name"`\n\tFilter string `yaml:"filter"`\n}\n'
    view = (
        'package p\n\ntype View struct {\n\tKind   string `yaml:"kind"`\n\tColor string `yaml:"color"`\n'
        '\tLabel string `yaml:"label"`\n\tFilter string `yaml:"filter"`\n}\n'
    )
    page = "# Views\n\n```yaml\nkind: a\ncolor: red\nlabel: x\nfilter: all\n```\n"
    repo = repository({"docs/views.md": page, "p/lane.go": lane, "p/view.go": view})
    repo.replace('\tFilter string `yaml:"filter"`\n', "", "p/view.go").commit()
    assert claims(repo) == set()
    repo.replace('\tFilter string `yaml:"filter"`\n', "", "p/lane.go").commit()
    assert claims(repo, "HEAD~2") == {("docs/views.md", 7)}


def test_a_word_of_the_language_is_none_of_several_of_a_kind(repository: Make) -> None:
    code = "def kinds(name):\n    add(None)\n    add(FlowKind)\n    add(FileKind)\n    add(HostKind)\n"
    page = "# Kinds\n\n- `None`: nothing\n- `FlowKind`: a flow\n- `FileKind`: a file\n- `HostKind`: a host\n"
    repo = repository({"docs/kinds.md": page, "tool/kinds.py": code})
    repo.replace("add(None)", "add(AnyKind)", "tool/kinds.py").commit()
    assert claims(repo) == set()
    repo.replace("add(FileKind)", "add(PathKind)", "tool/kinds.py").commit()
    assert claims(repo) == {("docs/kinds.md", 5)}


def test_what_a_section_calls_a_future_enhancement_is_not_missed(repository: Make) -> None:
    page = (
        "# Actions\n\nUse `batch_update_facts`.\n\n## Future Enhancements\n\n- **`batch_update_facts`**: many at once\n"
    )
    code = "def batch_update_facts():\n    pass\n\n\n"
    repo = repository({"docs/actions.md": page, "tool/api.py": f"{code}def other():\n    pass\n"})
    repo.replace(code, "", "tool/api.py").commit()
    assert claims(repo) == {("docs/actions.md", 3)}


def test_a_value_that_clap_makes_of_a_variant_is_no_command_that_went(repository: Make) -> None:
    cli = """use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(name = "tool")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    PlainFaucet { name: String },
    NonFungibleFaucet { name: String },
    NewWallet { name: String },
}
"""
    page = "# Tool\n\nThe account type is one of:\n\n- `plain-faucet`\n- `non-fungible-faucet`\n- `new-wallet`\n"
    files: dict[str, str | bytes] = {
        "README.md": page + "\n```sh\ntool new-wallet a\ntool non-fungible-faucet a\n```\n",
        "Cargo.toml": '[package]\nname = "tool"\nversion = "1.0.0"\n',
        "src/main.rs": cli,
    }
    repo = repository(files)
    gone = "    NonFungibleFaucet { name: String },\n"
    repo.replace(gone, "", "src/main.rs").commit()
    assert ("README.md", 11) in claims(repo)
    repo.write(
        {"src/kinds.rs": "#[derive(ValueEnum)]\npub enum Kind {\n    Plain,\n    NonFungibleFaucet,\n}\n"}
    ).commit()
    assert claims(repo, "HEAD~2") == set()


def test_a_variable_that_a_sample_of_settings_puts_in_is_called_as_the_reader_likes(repository: Make) -> None:
    settings = """from pydantic_settings import BaseSettings, SettingsConfigDict


class Hub(BaseSettings):
    model_config = SettingsConfigDict(env_prefix="HUB_")
    token: str = ""
    host: str = ""
"""
    sample = '[hub]\ntoken = "${HUB_ENTERPRISE_TOKEN}"\nhost = "example.org"\n'
    page = f"# Settings\n\n```toml\n{sample}```\n\nSet `HUB_TOKEN` otherwise.\n"
    repo = repository({"docs/settings.md": page, "tool/settings.py": settings, "tool/other.py": "x = 1\n"})
    repo.replace('    model_config = SettingsConfigDict(env_prefix="HUB_")\n', "", "tool/settings.py").commit()
    assert claims(repo) == {("docs/settings.md", 9)}


def test_a_command_that_code_still_compares_arguments_with_is_there(repository: Make) -> None:
    cli = """import argparse


def main():
    parser = argparse.ArgumentParser(prog="tool")
    commands = parser.add_subparsers()
    commands.add_parser("show")
    commands.add_parser("replay")
    commands.add_parser("sync")
"""
    files: dict[str, str | bytes] = {
        "README.md": "# Tool\n\n```sh\ntool show a\ntool replay a\ntool sync a\n```\n",
        "pyproject.toml": '[project]\nname = "tool"\nversion = "1"\n[project.scripts]\ntool = "tool.cli:main"\n',
        "tool/cli.py": cli,
    }
    repo = repository(files)
    repo.replace('    commands.add_parser("replay")\n', "", "tool/cli.py").commit()
    assert claims(repo) == {("README.md", 5)}
    repo.write({"tool/ops.py": 'def run(words):\n    if words[0] == "replay":\n        return 1\n'}).commit()
    assert claims(repo, "HEAD~2") == set()
