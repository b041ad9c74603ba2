"""Defaults, whole names and files of languages that are read for names only: what one commit changes is found where it is told."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.engine.test_a_rename_in_every_framework import Case, check, readme
from tests.support.repository import Repository

Make = Callable[[dict[str, str | bytes]], Repository]

GEM = {"blazer.gemspec": "Gem::Specification.new { |s| s.name = 'blazer' }\n"}

CASES = [
    Case(
        "default of a Gradle property in a table",
        {**readme("| Property | Default value |", "|---|---|", "| `baseImage` | `openjdk:11.0.16-jre` |", "| `ports` | `[8080]` |"),
         "src/main/java/o/Extension.java": 'package o;\n\npublic class Extension {\n    Extension() {\n        baseImage.convention("openjdk:11.0.16-jre");\n        ports.convention(List.of(8080));\n    }\n}\n'},
        "openjdk:11.0.16-jre", "temurin:17-jre",
    ),
    Case(
        "default of a link in a chain of calls",
        {**readme("```yaml", "acme:", "  token_ttl: 3600 # default is 3600", "  clock: 1", "```"),
         "composer.json": '{"name": "acme/bundle"}\n',
         "src/Configuration.php": "<?php\nclass Configuration\n{\n    function tree($root)\n    {\n        $root->children()\n"
         "                ->scalarNode('token_ttl')\n                    ->defaultValue(3600)\n                ->end()\n"
         "                ->scalarNode('clock')\n                    ->defaultValue(1)\n                ->end();\n    }\n}\n"},
        "3600", "7200", "3600",
    ),
    Case(
        "value below a title that speaks of defaults",
        {**readme("## Full default configuration", "", "```yaml", "acme:", "  algorithm: RS256", "```", "", "## Other", "", "```yaml", "acme:", "  algorithm: 'RS256'", "```"),
         "composer.json": '{"name": "acme/bundle"}\n',
         "src/Configuration.php": "<?php\nclass Configuration\n{\n    function tree($root)\n    {\n        $root->children()\n"
         "                ->scalarNode('algorithm')\n                    ->defaultValue('RS256')\n                ->end();\n    }\n}\n"},
        "'RS256'", "'ES256'", "algorithm: RS256",
    ),
    Case(
        "default in an item below its option, though the code compares with it",
        {**readme("- `--data-source`/`-d`: where records are", "   - available values: `files`, `settings`", "   - default value: `files`"),
         "tool.gemspec": "Gem::Specification.new { |s| s.name = 'tool' }\n",
         "lib/cli.rb": 'class CLI < Thor\n  method_option :data_source, aliases: "-d",\n    enum: ["files", "settings"], default: "files",\n    desc: "x"\n'
         '  def status\n    puts 1 if data_source == "files"\n  end\nend\n'},
        'default: "files"', 'default: "settings"', "default value",
    ),
    Case(
        "default of a shell's variable that is a word",
        {**readme("##### `LOG_FACILITY`", "", "String (Default: local0)", "", "What it is."),
         "bin/tool": '#!/bin/bash\nfacility="${LOG_FACILITY:-local0}";\n'},
        ":-local0", ":-user", "local0",
    ),
    Case(
        "file that a program writes",
        {**readme("It writes `_ide_helper_models.php`."), "composer.json": '{"name": "acme/helper"}\n',
         "config/helper.php": "<?php\nreturn [\n    'models_filename' => '_ide_helper_models.php',\n];\n"},
        "_ide_helper_models", "_ide_models", "_ide_helper_models",
    ),
    Case(
        "file that an interpreter is told to run",
        {"README.md": "# Shop\n", "src/email/README.md": "# Email\n\nRun it with `bundle exec ruby email_server.rb`.\n",
         "src/email/email_server.rb": "puts 1\n", "src/email/Gemfile": "source 'https://rubygems.org'\n"},
        "nothing", "", "email_server", (("src/email/email_server.rb", "src/email/server.rb"),),
    ),
    Case(
        "folder that moved below another",
        {**readme("Run `theme/install.sh` then."), "theme/install.sh": "#!/bin/sh\necho 1\n", "src/main/java/A.java": "class A {}\n"},
        "nothing", "", "theme/install.sh", (("theme/install.sh", "src/main/theme/install.sh"),),
    ),
    Case(
        "property that Spring puts in, as an argument",
        {**readme("```", "--mail.sendEnabled=true", "```"),
         "pom.xml": "<project><groupId>o</groupId><artifactId>tool</artifactId><version>1</version></project>\n",
         "src/main/java/o/P.java": 'package o;\n\npublic class P {\n    P(@Value("${mail.sendEnabled:false}") boolean sendEnabled) {}\n}\n'},
        "mail.sendEnabled", "mail.sending", "mail.sendEnabled",
    ),
    Case(
        "keys that a variable joins",
        {**readme("```yaml", "Metrics__RetainedPoints: 6", "```"), "src/Tool.csproj": '<Project Sdk="Microsoft.NET.Sdk"></Project>\n',
         "src/MetricsOptions.cs": "namespace Tool;\n\npublic class MetricsOptions\n{\n    public int? RetainedPoints { get; set; }\n}\n"},
        "RetainedPoints", "KeptPoints", "RetainedPoints",
    ),
    Case(
        "option of CMake",
        {**readme("- doctest (disable with `-D", "  ENABLE_CHECKS=OFF`)"), "main.cpp": "int main() {}\n",
         "CMakeLists.txt": 'option(ENABLE_CHECKS "Enable checks" ON)\nif(ENABLE_CHECKS)\nendif()\n'},
        "ENABLE_CHECKS", "TOOL_CHECKS", "ENABLE_CHECKS",
    ),
    Case(
        "method by its owner, though a task keeps its name",
        {**readme("```yaml", "job:", '  command: "Blazer.run_checks(schedule: 1)"', "```", "", "Call `Blazer.run_checks`."), **GEM,
         "lib/tasks/blazer.rake": "task :run_checks do\n  Blazer.run_all\nend\n",
         "lib/blazer.rb": "module Blazer\n  def self.run_checks(schedule: nil)\n    schedule\n  end\nend\n"},
        "self.run_checks", "self.perform_checks", "Blazer.run_checks",
    ),
    Case(
        "keyword argument of Ruby",
        {**readme("```ruby", "Blazer.run_checks(", "  schedule: '1 day'", ")", "other(schedule: 1)", "```"), **GEM,
         "lib/blazer.rb": "module Blazer\n  def self.run_checks(schedule: nil)\n    where(schedule: 1)\n  end\nend\n"},
        "(schedule: nil)", "(interval: nil)", "schedule: '1 day'",
    ),
    Case(
        "keyword argument of a function that nothing owns",
        {**readme("```ruby", "make_report(", "  every: '1 day'", ")", "```"), **GEM,
         "lib/blazer.rb": "def make_report(every: nil)\n  every\nend\n\ndef other(every: 1)\n  every\nend\n"},
        "make_report(every: nil)", "make_report(interval: nil)", "every: '1 day'",
    ),
    Case(
        "address in a file of routes",
        {**readme("Images are at `/media/cache/resolve`, so `https://localhost/media/cache/resolve/thumb/cats.jpeg`."), "composer.json": '{"name": "acme/bundle"}\n',
         "config/routing.yaml": "one:\n    path: /media/cache/resolve/{filter}/rc/{path}\ntwo:\n    path: /media/cache/resolve/{filter}/{path}\n"},
        "/media/cache/resolve", "/media/images", "/media/cache",
    ),
    Case(
        "settings that the sentence above calls the defaults",
        {**readme("The default configuration looks like this:", "", "```yaml", "acme:", "  driver:    magick", "```"),
         "composer.json": '{"name": "acme/bundle"}\n',
         "src/Configuration.php": "<?php\nclass Configuration\n{\n    function tree($root)\n    {\n        $root->scalarNode('driver')->defaultValue('magick')->end();\n    }\n}\n"},
        "'magick'", "'vips'", "magick",
    ),
    Case(
        "namespace of PHP",
        {**readme("```php", "use Acme\\Security\\Authenticator\\TokenAuthenticator;", "```"), "composer.json": '{"name": "acme/bundle"}\n',
         "src/Authenticator/TokenAuthenticator.php": "<?php\nnamespace Acme\\Security\\Authenticator;\n\nclass TokenAuthenticator\n{\n}\n",
         "src/Guard/TokenAuthenticator.php": ""},
        "Acme\\Security\\Authenticator", "Acme\\Security\\Guard", "Acme\\Security",
        (("src/Authenticator/TokenAuthenticator.php", "src/Guard/TokenAuthenticator.php"),),
    ),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_every_mention_is_found(repository: Make, case: Case) -> None:
    check(repository, case)


def test_an_explicit_id_of_asciidoc_is_missed_from_another_chapter(repository: Make) -> None:
    repo = repository({
        "docs/index.adoc": "= Manual\n\ninclude::examples.adoc[]\n\ninclude::usage.adoc[]\n",
        "docs/examples.adoc": "[[remote-examples]]\n== Examples\n\nText.\n",
        "docs/usage.adoc": "== Usage\n\nSee <<remote-examples,the examples>>.\n",
    })  # fmt: skip
    repo.replace("remote-examples", "remote-samples", "docs/examples.adoc").commit()
    for since in ("", "HEAD~1"):
        assert repo.stale_lines(since=since) == {("docs/usage.adoc", 3)}


@pytest.mark.parametrize(("name", "missed"), [("QUERY_STAGE_VERSION", []), ("QUERY_STAGE_SIZE", ["1"])])
def test_how_often_a_form_was_changed_is_no_default(repository: Make, name: str, missed: list[str]) -> None:
    told = "# Settings\n\nDefaults: memory 1 GB, and a query waits in its stage.\n"
    code = "export const OTHER = 7;\nexport const {} = {};\n"
    repo = repository({"README.md": told, "src/cache.ts": code.format(name, '"1"')})
    repo.write({"src/cache.ts": code.format(name, '"3"')}).commit("another form")
    assert [f.claim for f in repo.drifted()] == missed
