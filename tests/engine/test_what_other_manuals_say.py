"""One documented fact changes, where manuals of other habits tell it: beside what it belongs to, as a link, in a builder's comment."""

from __future__ import annotations

import pytest

from tests.support.changes import GO, JAVA, Case, Make, check

RUBY = {"shop.gemspec": "Gem::Specification.new do |spec|\n  spec.name = 'shop'\nend\n"}
PHP = {"composer.json": '{"name": "acme/shop"}\n'}
TABLE = ("| Option | Description | Default |", "|---|---|---|")

CASES = [
    Case("a constant that is the value of an option", ("The default value of `numworkers` is 256.!", "", "The default value of `depth` is 256."),
         {**GO, "main.go": 'package main\n\nconst (\n\tdefaultWorkerCount = 256\n\tdefaultDepth = 256\n)\n\nvar flags = []cli.Flag{\n\t&cli.IntFlag{\n\t\tName:  "numworkers",\n\t\tValue: defaultWorkerCount,\n\t},\n\t&cli.IntFlag{\n\t\tName:  "depth",\n\t\tValue: defaultDepth,\n\t},\n}\n'},
         "defaultWorkerCount = 256", "defaultWorkerCount = 128"),
    Case("a value that is a link to the line that gives it", ("The default value of `num-workers` is [256](https://github.com/o/tool/blob/main/main.go#L5).!",),
         {**GO, "main.go": 'package main\n\nimport "flag"\n\nvar n = flag.Int("num-workers", 256, "how many")\n'}, "256", "128"),
    Case("a builder's comment", ("```java", "Client client = ClientBuilder.client(sender)", "    .withRetries(...) // how often to try again, default: 3!", "    .withDepth(...) // how deep, default: 3", "    .build();", "```"),
         {**JAVA, "src/main/java/o/ClientBuilder.java": "package o;\n\npublic class ClientBuilder {\n    private int retries = 3;\n    private int depth = 3;\n}\n"},
         "retries = 3", "retries = 5"),
    Case("a key with what it belongs to", (*TABLE, "| schema.repository.timeoutMillis | how long | 1000 |!", "| monitoring.client.timeoutMillis | how long | 1000 |"),
         {**JAVA, "src/main/java/o/SchemaRepositoryProperties.java": "package o;\n\npublic class SchemaRepositoryProperties {\n    private int timeoutMillis =  1000;\n}\n",
          "src/main/java/o/MonitoringClientProperties.java": "package o;\n\npublic class MonitoringClientProperties {\n    private int timeoutMillis = 1000;\n}\n"},
         "=  1000", "=  2000"),
    Case("an option with dots whose last word is another option", ("`-f.diff.strip`: strip so many components (default 1)!", "", "`-strip`: strip so many (default 1)"),
         {**GO, "main.go": 'package main\n\nimport "flag"\n\nfunc main() {\n\tflag.IntVar(&a, "f.diff.strip", 1, fDoc)\n\tflag.IntVar(&b, "strip", 1, doc)\n\tflag.Parse()\n}\n'},
         '"f.diff.strip", 1', '"f.diff.strip", 0'),
    Case("an address that is a link by itself", (*TABLE, "| prometheus.client.url | where it is | http://localhost:18090 |!"),
         {**JAVA, "src/main/java/o/ClientProperties.java": 'package o;\n\npublic class ClientProperties {\n    private String url = "http://localhost:18090";\n}\n'},
         "18090", "19090"),
    Case("a port of a command that a Makefile runs", ("The feeds are at `http://localhost:8090`.!",),
         {**PHP, "Makefile": "feed-server:\n\tphp -S 127.0.0.1:8090 -t tests/feeds\n", "src/a.php": "<?php\nfunction fetch() {}\n"}, "8090", "8099"),
    Case("a symbol of Ruby", ("The default job queue is `:shop`.!",),
         {**RUBY, "lib/shop.rb": "module Shop\n  mattr_accessor :job_queue\n  self.job_queue = :shop\nend\n"}, ":shop\n", ":low\n"),
    Case("an accessor of a module", ("```ruby", "Shop.track_bots = true!", "```"),
         {**RUBY, "lib/shop.rb": "module Shop\n  mattr_accessor :track_bots\n  self.track_bots = false\nend\n"}, "track_bots", "include_bots"),
    Case("a word that the text calls a flag", ("Just pass the flag `guess`:!", "", "```sh", "tool -guess!", "```", "", "Then guess."),
         {**GO, "main.go": 'package main\n\nimport "flag"\n\nfunc main() {\n\tflag.BoolVar(&a, "guess", false, "x")\n\tflag.BoolVar(&b, "tee", false, "x")\n\tflag.Parse()\n}\n'},
         '"guess"', '"guess-pr"'),
    Case("a route without what all of them lie below", ("* **Method**: POST", "* **Route**: /feeds/{feedId}/move!", "* **Route**: /feeds/{feedId}/read"),
         {**PHP, "appinfo/routes.php": "<?php\nreturn ['routes' => [\n['name' => 'feed#move', 'url' => '/api/{version}/feeds/{feedId}/move', 'verb' => 'POST'],\n['name' => 'feed#read', 'url' => '/api/{version}/feeds/{feedId}/read', 'verb' => 'POST'],\n]];\n"},
         "{feedId}/move", "{feedId}/folder"),
    Case("a key that a shell writes without quotes", ("    $ git config --global --add extras.get.clone-path ~/src!",),
         {"bin/extras-get": "#!/usr/bin/env bash\nroot=$(git config --get extras.get.clone-path)\necho \"$root\"\n"}, "extras.get.clone-path", "extras.get.root"),
    Case("a parameter of a declaration, of one of two signatures", ("- `jsonTopic(String topic, int statusCode)` answers with it.!", "- `jsonTopic(String topic, Response response)` answers with that.", "", "```java", "mock.jsonTopic(topic, statusCode);", "```"),
         {**JAVA, "src/main/java/o/Mock.java": "package o;\n\npublic class Mock {\n    public void jsonTopic(String topic, int statusCode) {}\n    public void jsonTopic(String topic, Response response) {}\n}\n",
          "src/main/java/o/Response.java": "package o;\n\npublic class Response {\n    private int  statusCode;\n}\n"},
         "int statusCode", "int status"),
    Case("a macro in an example", ("Just add `visitable` to the model.!", "", "```ruby", "class Order", "  visitable :ahoy_visit!", "end", "```"),
         {**RUBY, "lib/shop/model.rb": "module Shop\n  module Model\n    def visitable(name)\n      name\n    end\n  end\nend\n"}, "visitable", "with_visit"),
    Case("a name with dots in a plain cell", ("| Name | What it is |", "|---|---|", "| chart.homepageLine | a line |!", "| chart.header | a title |", "", "```", '{{ template "chart.homepageLine" . }}!', "```"),
         {**GO, "template.go": 'package main\n\nconst t = `{{ define "chart.homepageLine" }}x{{ end }}`\nconst h = `{{ define "chart.header" }}x{{ end }}`\n'}, "chart.homepageLine", "chart.homepageText"),
    Case("a file of two words in plain words", ("Values come from the config_defaults.yml file and from the module.!",),
         {**RUBY, "lib/shop.rb": "module Shop\n  CONF_FILE = 'config_defaults.yml'\nend\n"}, "config_defaults.yml", "defaults.yml"),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_every_line_that_is_false_then_is_found(repository: Make, case: Case) -> None:
    check(repository, case)


def test_a_page_made_of_a_document_does_not_keep_what_the_document_names(repository: Make) -> None:
    text = "Set `extras.get.clone-path` first.\n"
    repo = repository({
        "man/extras-get.md": text, "man/extras-get.html": f"<p>{text}</p>\n",
        "bin/extras-get": "#!/usr/bin/env bash\nroot=$(git config --get extras.get.clone-path)\necho \"$root\"\n",
    })  # fmt: skip
    repo.replace("get.clone-path", "get.root", "bin/extras-get").commit()
    assert repo.stale_lines() == {("man/extras-get.md", 1)}


def test_what_is_deleted_if_a_setting_is_off_is_not_the_setting(repository: Make) -> None:
    repo = repository({
        "README.md": "# Tool\n\n- will delete files if `use_trash` is `false`\n- if `use_trash` is `true`, keeps them\n",
        "Cargo.toml": '[package]\nname = "tool"\nversion = "0.1.0"\n', "src/lib.rs": "pub struct Config {\n    pub use_trash: bool,\n}\n",
    })  # fmt: skip
    repo.replace("use_trash", "trash_can", "src/lib.rs").commit()
    assert repo.stale_lines() == {("README.md", 3), ("README.md", 4)}


def test_a_command_that_git_runs_by_its_file_is_gone_with_it(repository: Make) -> None:
    repo = repository({
        "README.md": "# Tool\n\n## git sweep-branches\n\n```sh\n$ git sweep-branches --dry-run\n$ git status\n```\n",
        "bin/git-sweep-branches": "#!/usr/bin/env bash\necho sweep\n", "bin/git-tidy": "#!/usr/bin/env bash\necho tidy\n",
    })  # fmt: skip
    repo.move("bin/git-sweep-branches", "bin/git-prune-all").commit()
    for since in ("", "HEAD~1"):
        assert repo.stale_lines(since=since) == {("README.md", 3), ("README.md", 6)}


@pytest.mark.parametrize("folder", ["shop", "shop/install"])
def test_a_generator_of_rails_is_called_by_its_file(repository: Make, folder: str) -> None:
    repo = repository({
        "README.md": "# Shop\n\n```sh\nrails generate shop:install\nrails db:migrate\n```\n", **RUBY,
        f"lib/generators/{folder}/install_generator.rb": "module Shop\n  class InstallGenerator < Rails::Generators::Base\n  end\nend\n",
    })  # fmt: skip
    new = folder.replace("install", "setup")
    repo.move(f"lib/generators/{folder}/install_generator.rb", f"lib/generators/{new}/setup_generator.rb")
    repo.replace("InstallGenerator", "SetupGenerator", f"lib/generators/{new}/setup_generator.rb").commit()
    for since in ("", "HEAD~1"):
        assert repo.stale_lines(since=since) == {("README.md", 4)}


def test_a_file_in_bold_is_missed_when_it_goes(repository: Make) -> None:
    repo = repository({
        "docs/scoping.md": "# Scoping\n\n- **vendor-organizer.php**: moves the code\n- **index.php**: the entry\n", **PHP,
        "vendor-organizer.php": "<?php\necho 'organize';\n", "index.php": "<?php\necho 'index';\n",
    })  # fmt: skip
    repo.move("vendor-organizer.php", "bin/organize.php").move("index.php", "public/start.php").commit()
    for since in ("", "HEAD~1"):
        assert repo.stale_lines(since=since) == {("docs/scoping.md", 3)}


def test_a_module_of_three_words_is_gone_from_its_coordinates_too(repository: Make) -> None:
    repo = repository({
        "README.md": "# Tool\n\nImport the `tool-tracker-elastic` module:\n\n```groovy\ncompile group: 'o', name: 'tool-tracker-elastic'\n```\n",
        "settings.gradle": "include 'tool-tracker-elastic'\n", "tool-tracker-elastic/src/main/java/o/A.java": "package o;\n\npublic class A {}\n",
        "tool-tracker-elastic/build.gradle": "plugins { id 'java' }\n",
    })  # fmt: skip
    repo.move("tool-tracker-elastic", "tool-tracker-open").replace(
        "tracker-elastic", "tracker-open", "settings.gradle"
    ).commit()
    assert repo.stale_lines() == {("README.md", 3), ("README.md", 6)}


def test_a_chart_that_became_an_example_has_its_values_still(repository: Make) -> None:
    values = "controller:\n  replicas: 2\n  image:\n    tag: latest\n"
    row = "| controller.replicas | int | `2` |\n| controller.image.tag | string | `latest` |\n"
    repo = repository({
        "charts/web/Chart.yaml": "name: web\nversion: 1.0.0\n", "charts/web/values.yaml": values,
        "charts/web/README.md": f"# web\n\n| Key | Type | Default |\n|---|---|---|\n{row}", "main.go": "package main\n",
    })  # fmt: skip
    repo.move("charts", "examples").commit()
    assert repo.stale_lines(since="HEAD~1") == set()


def test_a_class_that_takes_its_file_along_is_gone_although_a_remark_elsewhere_has_it(repository: Make) -> None:
    more = "".join(f"    public int step{number}() {{{{\n        return {number};\n    }}}}\n" for number in range(9))
    body = (
        "package o;\n\npublic class {name} {{\n    public static {name} create() {{ return null; }}\n" + more + "}}\n"
    )
    repo = repository({
        "README.md": "# Tool\n\nThe rule `TemporaryJobs` starts it:\n\n```java\nTemporaryJobs jobs = TemporaryJobs.create();\n```\n", **JAVA,
        "src/main/java/o/TemporaryJobs.java": body.format(name="TemporaryJobs"), "start.sh": "#!/bin/sh\n# TemporaryJobs reads this\nrun\n",
    })  # fmt: skip
    repo.move("src/main/java/o/TemporaryJobs.java", "src/main/java/o/JobsRule.java")
    repo.write({"src/main/java/o/JobsRule.java": body.format(name="JobsRule")}).commit()
    for since in ("", "HEAD~1"):
        assert repo.stale_lines(since=since) == {("README.md", 3), ("README.md", 6)}


def test_a_command_that_a_launcher_takes_is_gone_wherever_it_stands(repository: Make) -> None:
    lines = (
        "# Tool",
        "",
        "Run `deployer rolling-update` first.",
        "",
        "Then `rolling-update --migrate`, after `rolling-update`.",
        "",
        "An update rolls.",
    )
    repo = repository({
        "README.md": "\n".join(lines) + "\n", **JAVA, "bin/deployer": "#!/bin/sh\nexec java -jar tool.jar \"$@\"\n",
        "src/main/java/o/Cli.java": 'package o;\n\nclass Cli {\n    Cli() {\n        new RollingUpdateCommand(parse("rolling-update"));\n        new ListCommand(parse("list"));\n    }\n}\n',
        "src/main/java/o/Log.java": 'package o;\n\nclass Log {\n    String text = "A rolling-update of the group was stopped";\n}\n',
    })  # fmt: skip
    repo.replace('"rolling-update"', '"roll"', "src/main/java/o/Cli.java").commit()
    for since in ("", "HEAD~1"):
        assert repo.stale_lines(since=since) == {("README.md", 3), ("README.md", 5)}


def test_a_command_that_a_file_of_its_folder_was_is_gone_with_the_word(repository: Make) -> None:
    repo = repository({
        "README.md": "# Shop\n\n    $ shop createkeys\n    $ shop encrypt -f file\n", **RUBY, "bin/shop": "#!/usr/bin/env ruby\nrequire 'shop'\n",
        "lib/shop/subcommands/createkeys.rb": "class Createkeys < Subcommand\n  def run; end\nend\n",
        "lib/shop/subcommands/encrypt.rb": "class Encrypt < Subcommand\n  def run; end\nend\n",
    })  # fmt: skip
    repo.move("lib/shop/subcommands/createkeys.rb", "lib/shop/subcommands/keygen.rb")
    repo.replace("Createkeys", "Keygen", "lib/shop/subcommands/keygen.rb").commit()
    for since in ("", "HEAD~1"):
        assert repo.stale_lines(since=since) == {("README.md", 3)}
