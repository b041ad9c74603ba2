"""Facts that somebody who has read only the documents would refactor away: told in prose, in brackets, in what a program prints."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.support.repository import Repository

Make = Callable[[dict[str, str | bytes]], Repository]
BOTH = pytest.mark.parametrize("since", ["", "HEAD~1"])

FLAGS = (
    'package main\n\nimport "flag"\n\nfunc main() {\n\tmapping := flag.String("namemapping", "", "comma-separated")\n'
    '\tnames := flag.String("procnames", "", "names")\n\tflag.Parse()\n\t_, _ = mapping, names\n}\n'
)


def lines(repo: Repository, since: str) -> set[tuple[str, int]]:
    return {(mention.file, mention.line) for finding in repo.drifted(since=since) for mention in finding.mentions}


@BOTH
def test_an_option_with_one_dash_is_one_in_plain_words_too(repository: Make, since: str) -> None:
    text = "# Tool\n\nThe -procnames/-namemapping options exist.\n\nIf -namemapping is not given, nothing is mapped.\n"
    repo = repository({"go.mod": "module example.org/tool\n", "README.md": text, "cmd/tool/main.go": FLAGS})
    repo.replace('"namemapping"', '"rename"', "cmd/tool/main.go").commit()
    assert lines(repo, since) == {("README.md", 3), ("README.md", 5)}


@BOTH
def test_commands_of_a_block_that_is_called_cli_are_commands(repository: Make, since: str) -> None:
    repo = repository({
        "CONTRIBUTING.md": "```cli\n# build and publish\nmake image publish\n```\n",
        "Makefile": "image:\n\techo\npublish: image\n\techo\n",
    })  # fmt: skip
    repo.replace("publish:", "upload:", "Makefile").commit()
    assert lines(repo, since) == {("CONTRIBUTING.md", 3)}


@BOTH
def test_a_target_of_a_makefile_that_configure_makes_is_missed(repository: Make, since: str) -> None:
    repo = repository({"doc/INSTALL.md": "Use `make c2s`.\n", "Makefile.in": "all: tool\n\techo\n\nc2s:\n\techo\n"})
    repo.replace("c2s:", "conf:", "Makefile.in").commit()
    assert lines(repo, since) == {("doc/INSTALL.md", 1)}


def test_what_configure_may_add_to_a_makefile_is_not_missed(repository: Make) -> None:
    text = "Run `make tool`, `make docs`, `make pages` and `make distcheck`.\n"
    repo = repository({"README.md": text, "Makefile.in": "tool:\n\techo\n\ndocs:\n\techo\n\npages:\n\techo\n"})
    assert lines(repo, "") == set()


LABELS = (
    'package a\n\nvar one = []string{"groupname"}\n\nvar two = []string{"groupname", "mode"}\n\ntype GroupName string\n'
)


@BOTH
def test_a_word_that_code_had_as_a_string_is_missed_in_a_span(repository: Make, since: str) -> None:
    repo = repository({"README.md": "They have the label `groupname`.\n", "a.go": LABELS})
    repo.replace('"groupname"', '"group"', "a.go").commit()
    assert lines(repo, since) == {("README.md", 1)}


@BOTH
@pytest.mark.parametrize("more", ['package a\n\nvar three = "groupname"\n', "package a\n\nfunc groupname() {}\n"])
def test_a_word_that_code_still_has_is_not_missed(repository: Make, since: str, more: str) -> None:
    repo = repository({"README.md": "They have the label `groupname`.\n", "a.go": LABELS, "b.go": more})
    repo.replace('"groupname"', '"group"', "a.go").commit()
    assert lines(repo, since) == set()


@BOTH
def test_a_word_of_one_line_alone_says_nothing(repository: Make, since: str) -> None:
    repo = repository({"README.md": "Ask `somebody` first.\n", "a.go": 'package a\n\nvar one = "somebody"\n'})
    repo.replace('"somebody"', '"nobody"', "a.go").commit()
    assert lines(repo, since) == set()


@BOTH
@pytest.mark.parametrize(
    ("old", "new", "told"), [("artifacts.json", "report.json", True), ("config.json", "settings.json", False)]
)
def test_a_file_that_a_program_writes_is_missed_unless_everybody_has_it(
    repository: Make, since: str, old: str, new: str, told: bool
) -> None:
    code = f'package a\n\nval output = folder.file("{old}")\n'
    repo = repository({"README.md": f"It writes:\n\n1. `{old}`\n", "src/main/kotlin/Task.kt": code})
    repo.replace(old, new, "src/main/kotlin/Task.kt").commit()
    assert lines(repo, since) == ({("README.md", 3)} if told else set())


@BOTH
def test_what_a_file_is_called_with_a_dot_before_it_is_missed(repository: Make, since: str) -> None:
    code = "<?php\nclass Deployer\n{\n\tpublic string $file = '.htdeployment';\n}\n"
    text = "An `.htdeployment` file is kept.\n\n```ini\n; hashes (defaults to .htdeployment)\n```\n"
    repo = repository({"readme.md": text, "src/Deployer.php": code})
    repo.replace(".htdeployment", ".htsync", "src/Deployer.php").commit()
    assert lines(repo, since) == {("readme.md", 1), ("readme.md", 4)}


@BOTH
def test_what_follows_a_quoted_heading_is_not_below_it(repository: Make, since: str) -> None:
    text = "# Tool\n\n> ## 1.2.5 (2015-01-15)\n>\n> Fixed bugs.\n\n### Token\n\nSet the `TOOL_GITHUB_TOKEN` variable.\n"
    repo = repository({"README.md": text, "lib/a.py": "import os\nTOKEN = os.environ['TOOL_GITHUB_TOKEN']\n"})
    repo.replace("TOOL_GITHUB_TOKEN", "TOOL_TOKEN", "lib/a.py").commit()
    assert lines(repo, since) == {("README.md", 9)}


@BOTH
@pytest.mark.parametrize("title", ["acme-changelog-generator", "Generate changelogs from git", "Changelog generation"])
def test_what_makes_release_notes_tells_of_today(repository: Make, since: str, title: str) -> None:
    text = f"# {title}\n\nSet the `TOOL_GITHUB_TOKEN` variable.\n"
    repo = repository({"README.md": text, "lib/a.py": "import os\nTOKEN = os.environ['TOOL_GITHUB_TOKEN']\n"})
    repo.replace("TOOL_GITHUB_TOKEN", "TOOL_TOKEN", "lib/a.py").commit()
    assert lines(repo, since) == {("README.md", 3)}


@BOTH
def test_a_remark_behind_a_line_does_not_give_a_value(repository: Make, since: str) -> None:
    code = 'class A {\n    int x = config.get("idleTimeout", int.class, 600);  // the pool\'s default: 600\n}\n'
    text = "* idleTimeout (seconds in integer, default: 600)\n"
    repo = repository({"docs/a.md": text, "src/main/java/A.java": code})
    repo.replace("int.class, 600", "int.class, 300", "src/main/java/A.java").commit()
    assert lines(repo, since) == {("docs/a.md", 1)}


@BOTH
def test_a_key_of_an_own_properties_file_is_missed_in_plain_cells(repository: Make, since: str) -> None:
    text = "| Option | Default |\n|---|---|\n| --import.cache.key | `default` |\n| --import.cache.size | `3` |\n"
    repo = repository({
        "README.md": text, "src/main/resources/application.properties": "import.cache.key=default\nimport.cache.size=3\n",
    })  # fmt: skip
    repo.replace("cache.key", "cache.id", "src/main/resources/application.properties").commit()
    assert lines(repo, since) == {("README.md", 3)}


@BOTH
def test_a_profile_of_a_crate_is_missed_where_it_is_chosen_and_called_one(repository: Make, since: str) -> None:
    cargo = '[package]\nname = "tool"\n\n[profile.release]\nlto = true\n\n[profile.minimal]\ninherits = "release"\n'
    text = "The `minimal` profile makes it small.\n\n```sh\ncargo build --profile minimal\n```\n\nThe minimal size.\n"
    repo = repository({"docs/build.md": text, "Cargo.toml": cargo, "src/main.rs": "fn main() {}\n"})
    repo.replace("profile.minimal", "profile.small", "Cargo.toml").commit()
    assert lines(repo, since) == {("docs/build.md", 1), ("docs/build.md", 4)}


@BOTH
def test_a_value_in_brackets_behind_a_typed_key_is_its_default(repository: Make, since: str) -> None:
    code = 'package main\n\nimport "flag"\n\nvar interval = flag.Int("interval", 600, "polling interval")\n'
    text = "* `backend` (string) - The backend.\n* `interval` (int) - The polling interval in seconds. (600)\n"
    repo = repository({"go.mod": "module example.org/t\n", "docs/a.md": text, "main.go": code})
    repo.replace("600", "300", "main.go").commit()
    assert lines(repo, since) == {("docs/a.md", 2)}


@BOTH
def test_a_line_of_help_that_is_printed_otherwise_now_is_missed(repository: Make, since: str) -> None:
    helped = (
        "    -p <path>        Specify the interpreter.\n    -j <num>         Run <num> jobs in parallel (default: 8).\n"
    )
    code = f"<?php\nclass Cli\n{{\n\tfunction usage()\n\t{{\n\t\treturn <<<'XX'\n{helped}XX;\n\t}}\n}}\n"
    repo = repository({"readme.md": f"```\nOptions:\n{helped}```\n", "src/Cli.php": code})
    repo.replace("default: 8", "default: 4", "src/Cli.php").commit()
    assert lines(repo, since) == {("readme.md", 4)}


@BOTH
def test_a_default_that_help_tells_on_the_line_of_its_option_is_missed_below_its_synopsis(
    repository: Make, since: str
) -> None:
    code = (
        "require 'optparse'\nOptionParser.new do |opts|\n"
        '  opts.on("-b", "--base NAME", "Optional base file. Default is PAST.md.") do |last|\n    last\n  end\n'
        '  opts.on("--labels  x,y,z", Array, "Labels to leave out. Default is \'dup,question,bad\'.") do |list|\n'
        "    list\n  end\nend\n"
    )
    text = (
        "## OPTIONS\n\n-b, --base NAME\n\nOptional base file. Default is PAST.md.\n\n"
        "--labels x,y,z\n\nLabels to leave out. Default is 'dup,question,bad'.\n"
    )
    repo = repository({"man/tool.md": text, "lib/tool.rb": code})
    repo.replace("PAST.md", "OLD.md", "lib/tool.rb").replace("dup,question,bad", "dup,bad", "lib/tool.rb").commit()
    assert lines(repo, since) == {("man/tool.md", 5), ("man/tool.md", 9)}


@BOTH
def test_a_folder_of_where_one_is_is_the_repositorys(repository: Make, since: str) -> None:
    text = 'All of `contrib/samples`.\n\n```sh\ndocker run -v "$PWD/contrib/samples":/config tool\n```\n'
    repo = repository({"README.md": text, "contrib/samples/a.json": '{"a": 1,\n"b": 2}\n', "main.py": "x = 1\n"})
    repo.move("contrib/samples", "contrib/examples").replace("x = 1", "x = 2", "main.py").commit()
    assert ("README.md", 4) in lines(repo, since)


@BOTH
def test_a_package_of_groovy_may_be_called_build(repository: Make, since: str) -> None:
    path = "src/main/groovy/org/acme/build/release/Plugin.groovy"
    code = "package org.acme.build.release\n\nclass Plugin {\n    void markNextVersion() {}\n    void show() {}\n}\n"
    repo = repository({"docs/tasks.md": "To mark it use `markNextVersion`.\n", path: code})
    repo.replace("markNextVersion", "tagNextVersion", path).commit()
    assert lines(repo, since) == {("docs/tasks.md", 1)}


@BOTH
def test_where_settings_are_looked_for_may_lie_elsewhere_below_the_home_folder(repository: Make, since: str) -> None:
    code = 'module Tool\n  CONFIG = File.expand_path("~/.tool.rb")\nend\n'
    repo = repository({"README.md": "It reads `~/.tool.rb` first.\n", "lib/tool.rb": code})
    repo.replace("~/.tool.rb", "~/.config/tool.rb", "lib/tool.rb").commit()
    assert lines(repo, since) == {("README.md", 1)}


@BOTH
def test_a_sub_command_in_a_table_with_columns_is_missed(repository: Make, since: str) -> None:
    code = 'COMMANDS = {\n  "stop"   => Stop,\n  "status" => Status,\n}\n'
    gemspec = 'Gem::Specification.new do |s|\n  s.name = "tool"\n  s.executables = ["tool"]\nend\n'
    repo = repository({
        "README.md": "```sh\n$ bin/tool status\n```\n", "lib/tool/client.rb": code, "bin/tool": "#!/usr/bin/env ruby\n",
        "tool.gemspec": gemspec,
    })  # fmt: skip
    repo.replace('"status" =>', '"ps"     =>', "lib/tool/client.rb").commit()
    assert lines(repo, since) == {("README.md", 2)}
