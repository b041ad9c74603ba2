"""What is there all the same, or was never meant, is left alone: defaults."""

from __future__ import annotations

import pytest

from docalign_actors.engine.documents.model import Block, Inline
from docalign_actors.engine.kinds.shared.values import same
from docalign_actors.engine.lost.subjects import of_words
from tests.support.changes import BOTH, GO, NODE, Make
from tests.support.renames import readme

SERVER = (
    'import os\n\nport = int(os.getenv("APP_PORT", "8675"))\ntimeout = int(os.getenv("APP_TIMEOUT", "5"))\n'
    'limit = int(os.getenv("APP_LIMIT", "15"))\n'
)

SETTINGS = (
    'package main\n\ntype Settings struct {\n\tFlush time.Duration `envconfig:"FLUSH_INTERVAL" default:"10s"`\n'
    '\tWait time.Duration `envconfig:"WAIT_TIME" default:"10s"`\n}\n'
)

_LOOP = '#!/bin/bash\n: "${INITIAL_DELAY:=2m}"\n: "${BACKUP_INTERVAL:=${INTERVAL_SEC:-24h}}"\n: "${RCON_RETRIES:=5}"\nrun "$INITIAL_DELAY"\n'

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

NODE_2 = {"package.json": '{"name": "tool", "version": "1.0.0", "main": "index.js", "bin": {"tool": "cli.js"}}\n'}

GO_2 = 'package main\n\nvar defaults = Config{\n\tMaxConn: 10000,\n\tLevel: "INFO",\n}\n'

FLAGS = 'package main\n\nfunc load() {\n\tf.IntVar(&cfg.MaxConn, "proxy.maxconn", defaults.MaxConn, "most connections")\n}\n'

_CONFIG = (
    'package config\n\ntype Root struct {\n\tLogLevel string `required:"true" default:"info" desc:"What to say"`\n\tSMTP SMTP\n}\n\n'
    'type SMTP struct {\n\tAddr string `default:"0.0.0.0:2500"`\n\tMaxRecipients int `required:"true" default:"200" desc:"How many"`\n'
    '\tTimeout time.Duration `default:"300s"`\n\tOne int\n\tTwo int\n\tThree int\n\tFour int\n\tFive int\n\tSix int\n'
    '\tMaxMessages int `default:"10240"`\n}\n'
)


def test_what_stands_in_brackets_need_be_no_default(repository: Make) -> None:
    text = '# Tool\n\nIt reacts to these variables:\n\n* APP_TIMEOUT - How long it waits ("5" is a good choice)\n* APP_LIMIT - Connections ("5")\n'
    repo = repository({"README.md": text, "server.py": SERVER})
    repo.replace('TIMEOUT", "5"', 'TIMEOUT", "8"', "server.py").commit()
    assert repo.stale_lines(since="HEAD~1") == set()


def test_what_is_the_default_of_something_else_is_no_value(repository: Make) -> None:
    text = "# Tool\n\nConfigure it with `FLUSH_INTERVAL`; `10s` is the default interval of the other program.\n"
    repo = repository({"README.md": text, "settings.go": SETTINGS.replace("10s", "5s")})
    assert repo.stale_lines() == set()


@BOTH
def test_a_value_that_an_entry_gives_for_once_is_no_default(repository: Make, since: str) -> None:
    text = "# Tool\n\n- `INITIAL_DELAY`=90s -> wait a minute and a half\n- `RCON_RETRIES`=5\n"
    repo = repository({"README.md": text, "opt/loop.sh": _LOOP})
    repo.replace(":=2m}", ":=5m}", "opt/loop.sh").commit()
    assert repo.stale_lines(since=since) == set()


@BOTH
def test_a_copy_with_a_value_of_its_own_shows_what_somebody_chose(repository: Make, since: str) -> None:
    text = SHOWN_PHP.replace("env('CACHE_TAG', '')", "env('CACHE_TAG', 'mine')")
    repo = repository({"README.md": text, "config/cache.php": CONFIG_PHP, "src/A.php": "<?php\n\nclass A\n{\n}\n"})
    repo.replace("'file'", "'array'", "config/cache.php").commit()
    assert repo.stale_lines(since=since) == set()


@BOTH
def test_the_words_of_a_link_that_does_something_by_default_are_no_value(repository: Make, since: str) -> None:
    text = "# Manual\n\nBy default, the [`Server`](#server) will buffer all of the `http` body.\n\n## Server\n\nIt is there.\n"
    code = "<?php\n\nclass Start\n{\n    public $http = 'Server';\n}\n"
    repo = repository({"README.md": text, "src/Start.php": code})
    repo.replace("'Server'", "'HttpServer'", "src/Start.php").commit()
    assert repo.stale_lines(since=since) == set()


@BOTH
def test_what_another_program_does_by_default_is_left_alone(repository: Make, since: str) -> None:
    text = "# Tool\n\n```ts\n// Set it to below\n// Bun's default idle timeout of ten (10) seconds\nstart({ keepAlive: 8 });\n```\n"
    code = "export const options = {\n  /** Defaults to 10 seconds. */\n  keepAlive: 10,\n};\n"
    repo = repository({"README.md": text, "src/index.ts": code, "package.json": '{"name": "tool"}'})
    repo.replace("10", "15", "src/index.ts").commit()
    assert repo.stale_lines(since=since) == set()


@BOTH
def test_a_constant_that_another_line_gives_still_is_no_other_value(repository: Make, since: str) -> None:
    text = "# Manual\n\nYou can pass a log level (default is [`Logger::WARN`](https://ruby-doc.org/Logger.html)):\n"
    other = "def start(\n  log_level: Logger::WARN,\n  name: nil\n)\nend\n"
    repo = repository({"README.md": text, "lib/exporter.rb": EXPORTER_RB, "lib/start.rb": other})
    repo.replace("Logger::WARN", "Logger::ERROR", "lib/exporter.rb").commit()
    assert repo.stale_lines(since=since) == set()


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


def test_a_file_that_a_link_leads_to_is_no_default(repository: Make) -> None:
    repo = repository({
        **readme("The `root` is given (the default for both, see [index.js](https://example.org/src/index.js))."), **NODE_2,
        "index.js": "module.exports = (options) => ({\n  root: 'index.js',\n  ...options\n})\n",
    })  # fmt: skip
    repo.replace("root: 'index.js'", "root: 'jobs.js'", "index.js").commit()
    assert repo.stale_lines() == set()


@BOTH
def test_a_block_that_shows_how_a_setting_is_changed_states_no_default(repository: Make, since: str) -> None:
    text = "# proxy.maxconn\n\nThe default is rarely enough. Set more:\n\n    proxy.maxconn = 10000\n"
    repo = repository({"docs/ref.md": text, "default.go": GO_2, "load.go": FLAGS})
    repo.replace("10000", "20000", "default.go").commit()
    assert repo.stale_lines(since=since) == set()


@BOTH
def test_a_value_under_another_column_is_no_default(repository: Make, since: str) -> None:
    table = "\n".join(
        ("    KEY                       DEFAULT         MOST", "    MAIL_SMTP_MAXRECIPIENTS   100             200")
    )
    repo = repository({**GO, "config.go": _CONFIG, "README.md": f"# Tool\n\nText.\n\n{table}\n"})
    repo.replace('"200"', '"150"', "config.go").commit()
    assert repo.stale_lines(since=since) == set()


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("spy.log", "sql.log", False), ("./spy.log", "spy.log", True), ("Level.INFO", "LogLevel.INFO", True), ("json.dumps", "orjson.dumps", True),
        ("0.0.0.0:2500", ":2500", True), ("localhost:2500", "127.0.0.1:2500", True), ("redis:7", "valkey:7", False),
        ("1.2.3", "2.0.3", False), ("hashlib.sha256", "crypto.sha256", True),
    ],
)  # fmt: skip
def test_two_texts_that_end_alike_are_one_value_only_if_the_rest_says_where(
    one: str, other: str, expected: bool
) -> None:
    assert same(one, other) is expected


def test_a_default_that_is_another_now_may_be_chosen_still(repository: Make) -> None:
    repo = repository({
        **readme("```yaml", "tool:", "  algorithm: 'RS256'", "```"), "composer.json": '{"name": "acme/tool"}\n',
        "src/Configuration.php": "<?php\nfunction tree($root)\n{\n    $root->scalarNode('algorithm')->defaultValue('RS256')->end();\n}\n",
    })  # fmt: skip
    repo.replace("'RS256'", "'ES256'", "src/Configuration.php").commit()
    assert repo.stale_lines() == set()


def test_a_colon_in_a_sentence_about_a_default_is_not_the_one_that_code_changed(repository: Make) -> None:
    page = "# Logs\n\n- **Log Location**: `/home/app/pg_log/*.log` (default log path)\n"
    code = "export function show(orderId, result) {\n  console.log('[API] GET /orders/' + orderId + ':', result)\n}\n"
    repo = repository({"docs/logs.md": page, "src/show.js": code})
    repo.write({"docs/logs.md": f"{page}\nMore is to come.\n"})
    repo.replace("':'", "'/details:'", "src/show.js").commit()
    assert repo.stale_lines(since="HEAD~1") == set()


def test_a_default_that_moved_to_another_file_is_not_that_of_a_namesake(repository: Make) -> None:
    page = (
        "# Settings\n\n| Option | Description | Default |\n|---|---|---|\n"
        "| `providers.docker.endpoint` | where it listens | unix:///run/docker.sock |\n"
    )
    docker = (
        'package docker\n\ntype Provider struct {\n\tEndpoint string `json:"endpoint"`\n}\n\n'
        'func (p *Provider) SetDefaults() {\n\tp.Endpoint = "unix:///run/docker.sock"\n}\n'
    )
    other = docker.replace("package docker", "package otel").replace("unix:///run/docker.sock", "localhost:4317")
    files: dict[str, str | bytes] = {"go.mod": "module example.com/tool\n\ngo 1.21\n", "docs/settings.md": page}
    repo = repository({**files, "pkg/docker/docker.go": docker, "pkg/otel/otel.go": other})
    repo.git("rm", "-q", "pkg/docker/docker.go")
    head, body = docker.split("\nfunc ")
    repo.write({"pkg/docker/config.go": head.replace("Provider", "Config")})
    repo.write(
        {"pkg/docker/all.go": f"package docker\n\ntype Provider struct {{\n\tConfig\n}}\n\nfunc {body}"}
    ).commit()
    assert repo.stale_lines(since="HEAD~1") == set()


def test_what_the_manuals_own_site_sets_is_no_default(repository: Make) -> None:
    page = "# Caches\n\n| Key | Default |\n|---|---|\n| `maxAge` | `30` |\n| `maxSize` | `10` |\n"
    code = 'package cache\n\nvar config = Config{\n\tMaxSize: 10,\n}\n\ntype Config struct {\n\tMaxSize int `json:"maxSize"`\n}\n'
    files: dict[str, str | bytes] = {"go.mod": "module example.com/tool\n\ngo 1.21\n", "cache/cache.go": code}
    repo = repository({**files, "docs/caches.md": page, "docs/site.toml": "[caches]\nmaxAge = 30\n"})
    repo.replace("maxAge = 30", "maxAge = 60", "docs/site.toml").commit()
    assert repo.stale_lines(since="HEAD~1") == set()


def test_what_looks_after_the_code_gives_no_defaults(repository: Make) -> None:
    page = "# Cops\n\n| Name | Default |\n|---|---|\n| `maxLines` | `10` |\n| `minLines` | `1` |\n"
    files: dict[str, str | bytes] = {"docs/cops.md": page, ".checker.yml": "maxLines: 10\n", "lib/a.rb": "X = 1\n"}
    repo = repository({**files, "config/default.yml": "minLines: 1\n"})
    repo.replace("10", "14", ".checker.yml").commit()
    assert repo.stale_lines(since="HEAD~1") == set()


def test_how_often_a_file_of_data_was_saved_is_no_default(repository: Make) -> None:
    page = "# Tool\n\nThe interval defaults to 10 minutes, the limit to 20.\n"
    data = '{\n  "version": 10,\n  "limit": 20\n}\n'
    repo = repository({**NODE, "README.md": page, "dashboard.json": data})
    repo.replace('"version": 10', '"version": 11', "dashboard.json").commit()
    assert repo.stale_lines(since="HEAD~1") == set()


def test_a_chart_that_became_an_example_has_its_values_still(repository: Make) -> None:
    values = "controller:\n  replicas: 2\n  image:\n    tag: latest\n"
    row = "| controller.replicas | int | `2` |\n| controller.image.tag | string | `latest` |\n"
    repo = repository({
        "charts/web/Chart.yaml": "name: web\nversion: 1.0.0\n", "charts/web/values.yaml": values,
        "charts/web/README.md": f"# web\n\n| Key | Type | Default |\n|---|---|---|\n{row}", "main.go": "package main\n",
    })  # fmt: skip
    repo.move("charts", "examples").commit()
    assert repo.stale_lines(since="HEAD~1") == set()


def test_an_amount_is_of_what_stands_behind_it_and_its_unit() -> None:
    flat = "It has 2 CPUs and 8 GiB memory by default."
    block = Block("paragraph", 1, inlines=(Inline("text", flat, 1, 1),))
    assert "cpu" in of_words(block, flat, flat.index("2"), "2")
    assert "memory" in of_words(block, flat, flat.index("8"), "8")


def test_a_small_word_of_a_name_does_not_tell_what_a_number_is_of(repository: Make) -> None:
    page = "# Tuning\n\nWith 1000 users, the collector gets many spans a sec per request it sees.\n"
    settings = "load:\n  requests_per_sec: {}\n"
    repo = repository({"docs/tuning.md": page, "app.py": "x = 1\n", "values.yaml": settings.format(1000)})
    repo.write({"values.yaml": settings.format(1500)}).commit()
    assert repo.stale_lines(since="HEAD~1") == set()


def test_a_sample_of_the_environment_does_not_tell_a_default(repository: Make) -> None:
    page = "# Settings\n\n| Variable | Default |\n|---|---|\n| `TOOL_API__MAX_RETRIES` | `3` |\n"
    repo = repository({"README.md": "# Tool\n", ".env.example": "TOOL_API__MAX_RETRIES=4\n", "tool/run.py": "x = 1\n"})
    repo.write({"docs/settings.md": page}).commit()
    assert repo.stale_lines(since="HEAD~1") == set()


def test_the_scheme_of_an_address_is_no_default(repository: Make) -> None:
    page = "# App\n\n- `https://app.localhost/` is the default value for `app.scheme`.\n"
    repo = repository({"README.md": page, "app.py": 'class App:\n    scheme = "https"\n'})
    repo.replace('"https"', '"http"', "app.py").commit()
    assert repo.stale_lines(since="HEAD~1") == set()


def test_titles_of_the_documentation_s_own_menu_are_no_defaults(repository: Make) -> None:
    page = "# App\n\n```yaml\n# Whether the API Gateway logs (default: false)\nlogs: false\n```\n"
    repo = repository({"docs/a.md": page, "docs/menu.json": '{\n  "API": "API Gateway",\n  "b": "c"\n}\n', "a.py": ""})
    repo.replace("API Gateway", "REST", "docs/menu.json").commit()
    assert repo.stale_lines(since="HEAD~1") == set()


def test_the_port_of_a_bundler_s_own_server_is_no_default_of_the_program(repository: Make) -> None:
    page = "# App\n\n|Name|What|\n|---|---|\n|`SERVER_PORT`|Port of the server. Default: `8080`|\n"
    vite = "export default {\n  server: {\n    port: 3000,\n  },\n};\n"
    repo = repository(
        {"README.md": page, "app/vite.config.ts": "export default {};\n", "app/a.ts": "export const a = 1;\n"}
    )
    repo.write({"app/vite.config.ts": vite}).commit()
    assert repo.stale_lines(since="HEAD~1") == set()


def test_a_description_in_other_words_is_no_other_default(repository: Make) -> None:
    code = "export const flags = {\n  root: string({\n    default: '.',\n    description: 'path to the CLI root',\n  }),\n}\n"
    page = "# App\n\n```\nFLAGS\n  -r, --root=<value>  (default: .) description: path to the CLI root\n```\n"
    repo = repository({"README.md": page, "package.json": '{"name": "app"}\n', "src/index.ts": code})
    repo.replace("path to the CLI root", "Path to the root of the CLI.", "src/index.ts").commit()
    assert repo.stale_lines(since="HEAD~1") == set()


def test_a_value_of_an_example_is_no_default_where_a_comment_tells_the_default(repository: Make) -> None:
    page = "# App\n\n```ts\nbundle({\n  sourcemap: true, // default is false\n})\n```\n"
    code = "export function bundle(options: Options) {\n  const sourcemap = options.sourcemap ?? true;\n  return sourcemap;\n}\n"
    repo = repository({"README.md": page, "package.json": '{"name": "app"}\n', "src/index.ts": code})
    repo.replace("?? true", "?? false", "src/index.ts").commit()
    assert repo.stale_lines(since="HEAD~1") == set()


def test_a_value_that_got_longer_is_told_where_the_document_has_all_of_it(repository: Make) -> None:
    page = "# App\n\n| variable | meaning |\n|---|---|\n| `APP_REGION` | The region |\n"
    repo = repository({"README.md": page, "app.toml": '[env]\nAPP_REGION = "The region"\n', "app.go": "package app\n"})
    repo.replace("The region", "The region (Default: tyo1)", "app.toml", "README.md").commit()
    assert repo.stale_lines(since="HEAD~1") == set()


def test_a_word_of_a_sentence_beside_a_default_is_not_the_value_that_changed(repository: Make) -> None:
    code = "const shown = blue('openapi') + blue('use');\nexport const flags = {\n  view: string({ default: 'server' }),\n};\n"
    page = "# App\n\n```\nFLAGS\n  -v, --view=<option>  [default: server] View to use when converting openapi\n```\n"
    repo = repository({"README.md": page, "package.json": '{"name": "app"}\n', "src/index.ts": code})
    repo.replace("blue('use')", "blue('select')", "src/index.ts").commit()
    assert repo.stale_lines(since="HEAD~1") == set()


def test_a_line_that_only_stands_deeper_gave_its_value_to_no_other(repository: Make) -> None:
    page = "# App\n\nThe `patterns` hold `package.json` by default.\n"
    before = 'function make(patterns) {\n  patterns.push("package.json")\n  return patterns\n}\n'
    after = (
        'function make(patterns, all) {\n  if (all) {\n    patterns.push("package.json")\n  }\n'
        '  patterns.push("!.cache")\n  return patterns\n}\n'
    )
    repo = repository({"README.md": page, "src/index.js": before})
    repo.write({"src/index.js": after}).commit()
    assert repo.stale_lines(since="HEAD~1") == set()


def test_a_value_of_a_container_is_no_default_that_the_program_should_have(repository: Make) -> None:
    code = 'from app.reading import flag\n\nKEEP = flag("KEEP_CLONES", False)\nDEPTH = flag("CLONE_DEPTH", 3)\n'
    files: dict[str, str | bytes] = {
        "app/config.py": code,
        "docker/Dockerfile": "FROM scratch\nENV APP_KEEP_CLONES=true\n",
        "docker/docker-compose-many.yml": "services:\n  app:\n    image: app\n    environment:\n      - APP_CLONE_DEPTH=30\n",
    }
    repo = repository(files)
    page = "# Settings\n\n#### APP_KEEP_CLONES\n\nDefault: `False`\n\n#### APP_CLONE_DEPTH\n\nDefault: `3`\n"
    repo.write({"docs/settings.md": page}).commit()
    assert repo.stale_lines(since="HEAD~1") == set()
