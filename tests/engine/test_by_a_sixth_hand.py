"""Facts that a sixth reader refactored away: told beside code that sets them, below a directive, in copies, and by what a line calls."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.support.repository import Repository

Make = Callable[[dict[str, str | bytes]], Repository]
BOTH = pytest.mark.parametrize("since", ["", "HEAD~1"])

RUBY = (
    "module Tool\n  class Configuration\n    attr_accessor :poll_interval\n    # Late by more than this. Defaults to 60 seconds.\n"
    "    attr_accessor :grace_period\n\n    def initialize\n      @enabled = true\n      @poll_interval = 30\n      @grace_period = 60\n"
    "      # called prior to the rack chain\n      @mode = :single\n      @before = nil\n    end\n  end\nend\n"
)
SETTINGS_PY = (
    'class Defaults:\n    CACHE_THRESHOLD = 500\n    CACHE_COLLECT = "sessions"\n    CACHE_TABLE = "sessions"\n'
)
SERVER_JS = (
    "export function middleware(context) {\n"
    '  const acceptedMethods = context.options.methods || ["GET", "HEAD"];\n'
    "  return acceptedMethods;\n}\n"
)
BUNDLE_PHP = (
    "<?php\n\nclass Configuration\n{\n    private function getSkip(bool $with = false)\n    {\n        $node = new BooleanNodeDefinition('skip_same');\n\n"
    "        if ($with) {\n            $node->defaultTrue();\n        }\n\n        return $node;\n    }\n\n    private function getMaxAge()\n    {\n"
    "        $node = new ScalarNodeDefinition('max_age');\n\n        $node\n            ->defaultValue(10)\n            ->end()\n        ;\n\n"
    "        return $node;\n    }\n}\n"
)
CONFIG_PHP = (
    "<?php\n\nreturn [\n    /*\n     * Whether it is on.\n     */\n    'enabled' => env('CACHE_ENABLED', true),\n\n    'cache' => [\n"
    "        'store' => env('CACHE_DRIVER', 'file'),\n        'lifetime' => (int) env('CACHE_LIFETIME', 60 * 60 * 24 * 7),\n"
    "        'tag' => env('CACHE_TAG', ''),\n    ],\n];\n"
)
SHOWN_PHP = (
    "# Tool\n\nThe published file looks like this.\n\n```php\nreturn [\n    'enabled' => env('CACHE_ENABLED', true),\n\n    'cache' => [\n"
    "        'store' => env('CACHE_DRIVER', 'file'),\n        'lifetime' => (int) env('CACHE_LIFETIME', 60 * 60 * 24 * 7),\n"
    "        'tag' => env('CACHE_TAG', ''),\n    ],\n];\n```\n"
)
EXPORTER_RB = (
    'module Exporter\n  DEFAULT_BIND_ADDRESS = "localhost"\n  DEFAULT_TIMEOUT = 2\n\n  class Client\n    def initialize(\n'
    "      log_level: Logger::WARN,\n      labels: nil\n    )\n      @logger = log_level\n    end\n  end\nend\n"
)
COMMAND_PHP = "<?php\n\nclass ClearCommand extends Command\n{\n    protected $signature = 'cache:clear {--url=}';\n}\n"
DJANGO = "from django.core.management.base import BaseCommand\n\n\nclass Command(BaseCommand):\n    help = 'Cleans'\n"
BACKOFF_TS = (
    "export interface Options {\n  /**\n   * Maximum delay, in milliseconds. Defaults to 30s.\n   */\n  maxDelay: number;\n}\n\n"
    "const defaultOptions: Options = {\n  maxDelay: 30000,\n};\n"
)


@BOTH
@pytest.mark.parametrize(
    ("old", "new", "text", "line"),
    [
        ("= 30", "= 15", "Jobs are looked for every 30s by default, you can change it by setting:\n\n{}\n", 3),
        ("= 30", "= 15", "You may override it:\n\n{}\n\nThe default value at time of writing is 30 seconds.\n", 11),
        ("= :single", "= :strict", "There are two modes.\n\n1. `:single` (default)\n\n{}\n", 5),
        ("= 60\n", "= 90\n", "By default, jobs that are late by 60 seconds go. Change it by setting:\n\n{}\n", 3),
    ],
)
def test_a_default_is_told_of_what_the_code_beside_it_sets(
    repository: Make, since: str, old: str, new: str, text: str, line: int
) -> None:
    key = {"= 30": "poll_interval", "= :single": "mode", "= 60\n": "grace_period"}[old]
    block = f"```ruby\nTool.configure do |config|\n  config.{key} = 10\nend\n```"
    repo = repository({"README.md": "# Tool\n\n" + text.format(block), "lib/tool.rb": RUBY})
    repo.replace(old, new, "lib/tool.rb").commit()
    assert repo.stale_lines(since=since) == {("README.md", line)}


@BOTH
def test_code_that_sets_several_things_tells_of_none_of_them(repository: Make, since: str) -> None:
    text = (
        "# Tool\n\nTasks wait 30s by default, you can change it by setting:\n\n"
        "```ruby\nconfig.wait = 5\nconfig.poll_interval = 10\n```\n"
    )
    repo = repository({"README.md": text, "lib/tool.rb": RUBY})
    repo.replace("= 30", "= 15", "lib/tool.rb").commit()
    assert repo.stale_lines(since=since) == set()


@BOTH
def test_an_amount_of_time_is_told_in_another_unit(repository: Make, since: str) -> None:
    text = "# Tool\n\nBy default, only jobs of the last 1 minute are taken. Change it by setting:\n\n```ruby\nconfig.grace_period = 600\n```\n"
    repo = repository({"README.md": text, "lib/tool.rb": RUBY})
    repo.replace("60", "120", "lib/tool.rb").commit()
    assert repo.stale_lines(since=since) == {("README.md", 3)}
    assert [finding.fix.replacement for finding in repo.drifted(since=since) if finding.fix] == ["2 minutes"]


@BOTH
def test_a_variable_of_ruby_is_no_attribute_of_the_next_line(repository: Make, since: str) -> None:
    text = "# Manual\n\n```ruby\nRack::Tool.config.enabled = false # defaults to true\n```\n"
    other = "module Rack\n  class Other\n    def on\n      Rack::Start.new(true)\n    end\n  end\nend\n"
    code = RUBY.replace("      @poll_interval", "      # ensure that rack may go on\n      @poll_interval")
    repo = repository({"README.md": text, "lib/tool.rb": code, "lib/other.rb": other})
    repo.replace("@enabled = true", "@enabled = false", "lib/tool.rb").commit()
    assert repo.stale_lines(since=since) == {("README.md", 4)}


@BOTH
@pytest.mark.parametrize(
    ("old", "new", "line"), [("= 500", "= 900", 13), ('COLLECT = "sessions"', 'COLLECT = "others"', 19)]
)
def test_a_default_below_a_directive_is_of_what_that_describes(
    repository: Make, since: str, old: str, new: str, line: int
) -> None:
    """And not of the chapter that it stands in, whatever that is called."""
    text = (
        "Settings\n========\n\nFileSystem\n----------\n\nAll of it.\n\n.. py:data:: CACHE_THRESHOLD\n\n   How many.\n\n   Default: ``500``\n\n"
        ".. py:data:: CACHE_COLLECT\n\n   Where.\n\n   Default: ``'sessions'``\n\n.. py:data:: CACHE_TABLE\n\n   Where else.\n\n"
        "   Default: ``'sessions'``\n"
    )
    repo = repository({"docs/settings.rst": text, "tool/defaults.py": SETTINGS_PY})
    repo.replace(old, new, "tool/defaults.py").commit()
    assert repo.stale_lines(since=since) == {("docs/settings.rst", line)}


@BOTH
def test_the_type_of_a_thing_is_not_the_thing(repository: Make, since: str) -> None:
    text = "# Tool\n\n## Options\n\n### methods\n\nType: `Array`\nDefault: `[ 'GET', 'HEAD' ]`\n\nWhat is taken.\n"
    repo = repository(
        {"README.md": text, "src/index.js": SERVER_JS, "package.json": '{"name": "tool", "main": "src/index.js"}'}
    )
    repo.replace('["GET", "HEAD"]', '["GET", "HEAD", "OPTIONS"]', "src/index.js").commit()
    assert repo.stale_lines(since=since) == {("README.md", 8)}


@BOTH
@pytest.mark.parametrize(("old", "new", "line"), [("defaultTrue", "defaultFalse", 10), ("Value(10)", "Value(600)", 9)])
def test_a_default_that_is_given_to_a_variable_is_of_what_that_was_made_for(
    repository: Make, since: str, old: str, new: str, line: int
) -> None:
    text = (
        "# Tool\n\nThis sample has all settings with their default values.\n\n```yaml\ntool:\n    defaults:\n        hosts: []\n"
        "        max_age: 10\n        skip_same: true\n```\n"
    )
    repo = repository({"README.md": text, "src/Configuration.php": BUNDLE_PHP})
    repo.replace(old, new, "src/Configuration.php").commit()
    assert repo.stale_lines(since=since) == {("README.md", line)}


@BOTH
@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("'file'", "'array'", 10),
        ("60 * 60 * 24 * 7", "60 * 60 * 24", 11),
        ("'enabled' => env('CACHE_ENABLED', true)", "'enabled' => env('CACHE_ENABLED', false)", 7),
    ],
)
def test_a_line_of_a_copied_file_is_false_with_the_line_of_the_file(
    repository: Make, since: str, old: str, new: str, line: int
) -> None:
    repo = repository({"README.md": SHOWN_PHP, "config/cache.php": CONFIG_PHP, "src/A.php": "<?php\n\nclass A\n{\n}\n"})
    repo.replace(old, new, "config/cache.php").commit()
    assert repo.stale_lines(since=since) == {("README.md", line)}


@BOTH
def test_a_line_among_others_than_those_of_the_file_is_somebodys_choice(repository: Make, since: str) -> None:
    text = "# Tool\n\n```php\nreturn [\n    'enabled' => false,\n    'cache' => [\n        'store' => env('CACHE_DRIVER', 'file'),\n        'ttl' => 5,\n        'x' => 7,\n    ],\n];\n```\n"
    repo = repository({"README.md": text, "config/cache.php": CONFIG_PHP, "src/A.php": "<?php\n\nclass A\n{\n}\n"})
    repo.replace("'file'", "'array'", "config/cache.php").commit()
    assert repo.stale_lines(since=since) == set()


@BOTH
def test_a_copy_with_a_value_of_its_own_shows_what_somebody_chose(repository: Make, since: str) -> None:
    text = SHOWN_PHP.replace("env('CACHE_TAG', '')", "env('CACHE_TAG', 'mine')")
    repo = repository({"README.md": text, "config/cache.php": CONFIG_PHP, "src/A.php": "<?php\n\nclass A\n{\n}\n"})
    repo.replace("'file'", "'array'", "config/cache.php").commit()
    assert repo.stale_lines(since=since) == set()


@BOTH
def test_a_constant_is_told_with_what_it_belongs_to_and_as_the_words_of_a_link(repository: Make, since: str) -> None:
    text = "# Tool\n\nYou can pass a log level (default is [`Logger::WARN`](https://ruby-doc.org/Logger.html)):\n"
    repo = repository({"README.md": text, "lib/exporter.rb": EXPORTER_RB})
    repo.replace("Logger::WARN", "Logger::ERROR", "lib/exporter.rb").commit()
    assert repo.stale_lines(since=since) == {("README.md", 3)}


@BOTH
def test_the_words_of_a_link_that_does_something_by_default_are_no_value(repository: Make, since: str) -> None:
    text = "# Manual\n\nBy default, the [`Server`](#server) will buffer all of the `http` body.\n\n## Server\n\nIt is there.\n"
    code = "<?php\n\nclass Start\n{\n    public $http = 'Server';\n}\n"
    repo = repository({"README.md": text, "src/Start.php": code})
    repo.replace("'Server'", "'HttpServer'", "src/Start.php").commit()
    assert repo.stale_lines(since=since) == set()


@BOTH
def test_a_line_of_help_says_a_constants_name_in_words(repository: Make, since: str) -> None:
    text = "# Tool\n\n```\nUsage: exporter [options]\n    -b, --bind STRING    IP address to listen on (default: localhost)\n```\n"
    repo = repository({"README.md": text, "lib/exporter.rb": EXPORTER_RB})
    repo.replace('"localhost"', '"0.0.0.0"', "lib/exporter.rb").commit()
    assert repo.stale_lines(since=since) == {("README.md", 5)}


@BOTH
def test_an_item_that_ends_with_the_default_is_about_its_first_word(repository: Make, since: str) -> None:
    text = "# Tool\n\nThis starts it with:\n\n- Timeout in `1 second` for the endpoint (default `2 seconds`)\n- Retries in `5` (default `2`)\n"
    repo = repository({"README.md": text, "lib/exporter.rb": EXPORTER_RB})
    repo.replace("TIMEOUT = 2", "TIMEOUT = 5", "lib/exporter.rb").commit()
    assert repo.stale_lines(since=since) == {("README.md", 5)}


@BOTH
def test_a_comment_of_an_example_says_all_the_defaults(repository: Make, since: str) -> None:
    text = "# Tool\n\n```ts\n// Use all the defaults. 30 seconds max delay, infinite attempts:\nconst backoff = new Backoff();\n```\n"
    repo = repository({"README.md": text, "src/backoff.ts": BACKOFF_TS, "package.json": '{"name": "tool"}'})
    repo.replace("30000", "60000", "src/backoff.ts").replace("30s", "60s", "src/backoff.ts").commit()
    assert repo.stale_lines(since=since) == {("README.md", 4)}


@BOTH
def test_what_another_program_does_by_default_is_left_alone(repository: Make, since: str) -> None:
    text = "# Tool\n\n```ts\n// Set it to below\n// Bun's default idle timeout of ten (10) seconds\nstart({ keepAlive: 8 });\n```\n"
    code = "export const options = {\n  /** Defaults to 10 seconds. */\n  keepAlive: 10,\n};\n"
    repo = repository({"README.md": text, "src/index.ts": code, "package.json": '{"name": "tool"}'})
    repo.replace("10", "15", "src/index.ts").commit()
    assert repo.stale_lines(since=since) == set()


@BOTH
def test_an_option_of_one_word_stands_after_the_command_of_its_file(repository: Make, since: str) -> None:
    text = "# Tool\n\n```bash\nphp artisan cache:clear --url=/some-uri\ncurl --url=/other\n```\n"
    repo = repository({"README.md": text, "src/ClearCommand.php": COMMAND_PHP})
    repo.replace("{--url=}", "{--uri=}", "src/ClearCommand.php").commit()
    assert repo.stale_lines(since=since) == {("README.md", 4)}


@BOTH
def test_a_management_command_is_run_from_the_readers_own_folder(repository: Make, since: str) -> None:
    text = "# Tool\n\n```sh\n/path/manage.py cleanfiles\n```\n"
    repo = repository({"README.md": text, "tool/management/commands/cleanfiles.py": DJANGO, "tool/__init__.py": ""})
    repo.move("tool/management/commands/cleanfiles.py", "tool/management/commands/clean_files.py").commit()
    assert repo.stale_lines(since=since) == {("README.md", 4)}


@BOTH
def test_a_file_that_a_text_of_help_sends_to_is_missed(repository: Make, since: str) -> None:
    text = "# Tool\n\n```\nUsage: tool FILE\n  It is merged with the options. See exampleConfig.js\n```\n"
    repo = repository(
        {"README.md": text, "exampleConfig.js": "module.exports = {};\n", "package.json": '{"name": "tool"}'}
    )
    repo.move("exampleConfig.js", "example.config.js").commit()
    assert repo.stale_lines(since=since) == {("README.md", 5)}


@BOTH
def test_a_file_that_ruby_requires_is_missed(repository: Make, since: str) -> None:
    text = "# Tool\n\n```ruby\ngem 'tool', require: ['prepend_patch', 'tool']\nrequire \"tool/web_server\"\nuse 'prepend_patch'\n```\n"
    files = {"lib/prepend_patch.rb": "A = 1\n", "lib/tool/web_server.rb": "B = 2\nC = 3\n", "lib/tool.rb": "D = 4\n"}
    repo = repository({"README.md": text, "tool.gemspec": "Gem::Specification.new\n", **files})
    repo.move("lib/prepend_patch.rb", "lib/patch_prepended.rb").move(
        "lib/tool/web_server.rb", "lib/tool/http_server.rb"
    ).commit()
    assert repo.stale_lines(since=since) == {("README.md", 4), ("README.md", 5)}


@BOTH
def test_a_constant_that_another_line_gives_still_is_no_other_value(repository: Make, since: str) -> None:
    text = "# Manual\n\nYou can pass a log level (default is [`Logger::WARN`](https://ruby-doc.org/Logger.html)):\n"
    other = "def start(\n  log_level: Logger::WARN,\n  name: nil\n)\nend\n"
    repo = repository({"README.md": text, "lib/exporter.rb": EXPORTER_RB, "lib/start.rb": other})
    repo.replace("Logger::WARN", "Logger::ERROR", "lib/exporter.rb").commit()
    assert repo.stale_lines(since=since) == set()


@BOTH
def test_a_copy_is_false_with_its_file_whatever_other_code_gives(repository: Make, since: str) -> None:
    other = "<?php\n\nclass A\n{\n    public function store()\n    {\n        return config('cache.store', 'file');\n    }\n}\n"
    repo = repository({"README.md": SHOWN_PHP, "config/cache.php": CONFIG_PHP, "src/A.php": other})
    repo.replace("'file'", "'array'", "config/cache.php").commit()
    assert repo.stale_lines(since=since) == {("README.md", 10)}


@BOTH
def test_a_property_is_told_of_by_the_method_that_gives_it(repository: Make, since: str) -> None:
    text = "# Manual\n\nBy default, the check fails after 25 minutes. You can use the `failWhenSlowerThan` method.\n"
    code = (
        "<?php\n\nclass QueueCheck\n{\n    protected int $mostMinutesOfAJob = 25;\n\n    public function failWhenSlowerThan(int $minutes): self\n"
        "    {\n        $this->mostMinutesOfAJob = $minutes;\n\n        return $this;\n    }\n}\n"
    )
    repo = repository({"README.md": text, "src/QueueCheck.php": code})
    repo.replace("= 25", "= 40", "src/QueueCheck.php").commit()
    assert repo.stale_lines(since=since) == {("README.md", 3)}


@BOTH
def test_a_row_is_about_the_variable_that_its_first_cell_names_in_plain_words(repository: Make, since: str) -> None:
    text = (
        "Settings\n========\n\n.. list-table::\n   :header-rows: 1\n\n   * - Name\n     - What\n   * - .. data:: TOOL_HEADERS_ENABLED\n\n"
        "       Constructor argument\n     - Whether they are sent. Defaults to ``False``\n"
    )
    code = "class Vars:\n    HEADERS_ENABLED = 'TOOL_HEADERS_ENABLED'\n\n\ndef read(config):\n    return bool(config.get(Vars.HEADERS_ENABLED, False))\n"
    repo = repository({"docs/settings.rst": text, "tool/settings.py": code})
    repo.replace(", False)", ", True)", "tool/settings.py").commit()
    assert repo.stale_lines(since=since) == {("docs/settings.rst", 12)}


REAPER = (
    "module Tool\n  class Config\n    LOCK_TIMEOUT  = 0\n    ENABLED       = true\n    REAPER        = :ruby\n    REAPER_COUNT  = 1_000\n"
    "    REAPER_EVERY  = 600\n  end\nend\n"
)


@BOTH
@pytest.mark.parametrize(("count", "lines"), [("1000", {("README.md", 10)}), ("5000", set())])
def test_code_that_gives_every_setting_the_value_of_the_file_shows_the_defaults(
    repository: Make, since: str, count: str, lines: set[tuple[str, int]]
) -> None:
    """And code that gives one of them another shows what somebody chose."""
    text = (
        "# Manual\n\n```ruby\nTool.configure do |config|\n  config.lock_timeout = 0     # How long to wait\n  config.enabled      = true\n"
        f"  config.lock_prefix  = 'x'\n  config.reaper       = :ruby\n  config.reaper_count = {count}  # At most\n  config.reaper_every = 600\nend\n```\n"
    )
    repo = repository({"README.md": text, "lib/tool/config.rb": REAPER})
    repo.replace("= 600", "= 900", "lib/tool/config.rb").commit()
    assert repo.stale_lines(since=since) == lines


@BOTH
def test_what_a_constant_belongs_to_does_not_tell_whose_default_it_is(repository: Make, since: str) -> None:
    text = "# Manual\n\nYou can pass how loud it is (default is [`Logger::WARN`](https://ruby-doc.org/Logger.html)):\n"
    code = "def start\n  logger.volume = Logger::WARN\nend\n"
    repo = repository({"README.md": text, "lib/start.rb": code})
    repo.replace("Logger::WARN", "Logger::INFO", "lib/start.rb").commit()
    assert repo.stale_lines(since=since) == set()


@BOTH
def test_a_call_in_a_copied_example_gives_nothing_a_default(repository: Make, since: str) -> None:
    code = "class Worker\n  include Tool::Worker\n\n  def perform\n    logger.info('one')\n    sleep(10)\n    logger.info('two')\n  end\nend\n"
    repo = repository({"README.md": f"# Manual\n\n```ruby\n{code}```\n", "lib/worker.rb": code})
    repo.replace("sleep(10)", "sleep(20)", "lib/worker.rb").commit()
    assert repo.stale_lines(since=since) == set()
