"""What went and is named by documents yet is missed: defaults."""

from __future__ import annotations

import pytest

from tests.support.changes import BOTH, GO, JAVA, NODE, PYTHON, RUST, Case, Make, check

SERVER = (
    'import os\n\nport = int(os.getenv("APP_PORT", "8675"))\ntimeout = int(os.getenv("APP_TIMEOUT", "5"))\n'
    'limit = int(os.getenv("APP_LIMIT", "15"))\n'
)

GO_CONFIG = (
    "package config\n\ntype Config struct {\n\tOperationalMode int\n}\n\n"
    'func New() Config {\n\tc := Config{\n\t\tOperationalMode: ModeStreaming,\n\t}\n\tif val := os.Getenv("mode"); val != "" {\n'
    "\t\tc.OperationalMode = Parse(val)\n\t}\n\treturn c\n}\n"
)

GO_MODES = "package config\n\nconst (\n\tModeStreaming = 1\n\tModeHTTP = 2\n\tModeStatic = 3\n)\n"

CONFIG_TS = (
    "export type Config = { cache: string | null; timeout: number; port: string; host: string; width: number };\n\n"
    "export class ConfigManager {\n  public static config: Config = {\n    cache: null,\n    timeout: 10000,\n    port: '3000',\n"
    "    host: '0.0.0.0',\n    width: 1000,\n  };\n}\n"
)

SHOWN_TS = (
    "# Reference\n\n## `Config`\n\nIt can be overridden.\n\n```javascript\npublic static config: Config = {\n    cache: null,\n"
    "    timeout: 10000,\n    port: '3000',\n    host: '0.0.0.0',\n    width: 1000,\n};\n```\n"
)

SETTINGS = (
    'package main\n\ntype Settings struct {\n\tFlush time.Duration `envconfig:"FLUSH_INTERVAL" default:"10s"`\n'
    '\tWait time.Duration `envconfig:"WAIT_TIME" default:"10s"`\n}\n'
)

_KINGPIN = (
    'package main\n\nimport "github.com/alecthomas/kingpin/v2"\n\nvar (\n\tall = kingpin.Flag("es.all",\n\t\t"All of them.").\n'
    '\t\tDefault("no").String()\n\turi = kingpin.Flag("es.uri",\n\t\t"Where.").\n\t\tDefault("here").String()\n'
    '\tca = kingpin.Flag("es.ca",\n\t\t"Whom to trust.").\n\t\tDefault("none").String()\n\twait = kingpin.Flag("es.timeout",\n'
    '\t\t"How long to wait.").\n\t\tDefault("5s").Duration()\n\tnode = kingpin.Flag("es.node",\n\t\t"Whose numbers.").\n'
    '\t\tDefault("_local").String()\n)\n'
)

_TABLE = ("| Argument | Since | Description | Default |", "|---|---|---|---|")

_SPLIT = (
    'package main\n\ntype Config struct {\n\tLockTimeout time.Duration `split_words:"true" default:"60m"`\n'
    '\tSSHPort string `split_words:"true" default:"22"`\n\tGzipParallelism int `split_words:"true" default:"1"`\n}\n'
)

_LOOP = '#!/bin/bash\n: "${INITIAL_DELAY:=2m}"\n: "${BACKUP_INTERVAL:=${INTERVAL_SEC:-24h}}"\n: "${RCON_RETRIES:=5}"\nrun "$INITIAL_DELAY"\n'

_NESTED = (
    'package o;\n\n@ConfigurationProperties("acme.admin")\npublic class AdminProperties {\n'
    "  private ServerProperties server = new ServerProperties();\n  private GuardProperties guard = new GuardProperties();\n\n"
    "  public static class ServerProperties {\n    private boolean enabled = true;\n  }\n\n"
    "  public static class GuardProperties {\n    private boolean enabled = false;\n  }\n}\n"
)

_OTHER = 'package o;\n\n@ConfigurationProperties("acme.tools")\npublic class ToolProperties {\n  protected boolean enabled = false;\n}\n'

_MAPPED = (
    "public class Endpoints\n{\n    public void Map(IEndpointRouteBuilder endpoints)\n    {\n        endpoints.MapControllerRoute(\n"
    '            name: "index",\n            pattern: "v3/index.json",\n            defaults: new { });\n\n'
    '        endpoints.MapControllerRoute(\n            name: "search",\n            pattern: "v3/search",\n            defaults: new { });\n    }\n}\n'
)

_CONTROLLER = (
    'using Microsoft.AspNetCore.Mvc;\n\n[ApiController]\n[Route("api/[controller]")]\npublic class OrdersController : ControllerBase\n{\n'
    '    [HttpGet("{id}/lines")]\n    public IActionResult Lines(int id) => Ok();\n\n'
    '    [HttpPost("archive")]\n    public async Task<IActionResult> Archive() => Ok();\n}\n'
)

_MINIMAL = (
    'var app = builder.Build();\nvar api = app.MapGroup("/api/v1");\napi.MapGet("/orders", () => 1);\n'
    'app.MapPost("/ingest/batch", () => 1);\napp.MapHealthChecks("/healthz/live");\n'
)

_GRADLE = 'rootProject.name = "cover"\ninclude(":cover-cli")\n'

_MERGE = 'class MergeCommand : Command {\n    override val name: String = "merge"\n}\n'

_REPORT = (
    "class ReportCommand : Command {\n    @Option(\n        name = \"--classfiles\",\n        usage = \"where the classes lie\"\n    )\n"
    "    private var roots: MutableList<File> = ArrayList()\n}\n"
)  # fmt: skip

_HELP = (
    "```",
    "usage: tool [<flags>]",
    "",
    "Flags:",
    "  -d, --debug                    Say more.",
    "      --master=MASTER            Where it is.",
    "```",
)

_FLAGS = (
    "package main\n\nconst (\n\t// DefaultDrainBuffer is the time between two drains.\n\tDefaultDrainBuffer = 10 * time.Minute\n)\n\n"
    'var (\n\tbuffer = kingpin.Flag("drain-buffer", "Between two drains.").Default(DefaultDrainBuffer.String()).Duration()\n'
    '\tlevel = kingpin.Flag("log-level", "What to say.").Default("info").String()\n)\n'
)

_ROOT_SCRIPT = '#!/usr/bin/env bash\ncase "$1" in\n  -e|--regex)\n    find_all ;;\n  -q|--quiet)\n    hush ;;\nesac\n'

CASES = [
    Case("the default below an option whose links end with the dot",
         ("The log goes to `_local` (default) or to a name with the `--es.node` flag.!",), {"main.go": _KINGPIN}, '"_local"', '"_all"'),
    Case("an option with a dot in its name, in a table", (*_TABLE, "| es.timeout | 1.0 | How long to wait. (ex: 20s) | 5s |!"),
         {"main.go": _KINGPIN}, '"5s"', '"10s"'),
    Case("a variable that envconfig makes of a field's name, commented out",
         ("```", "# In the case of overlapping runs", "# others wait.", "", '# LOCK_TIMEOUT="60m"!', "", '# SSH_PORT="22"', "```"),
         {"main.go": _SPLIT}, '"60m"', '"30m"'),
    Case("a default above an empty line and the variable that is commented out",
         ("```", "# How many blocks at once.", "# Default = 1. Setting this to 0 uses all.!", "", '# GZIP_PARALLELISM="1"!', "```"),
         {"main.go": _SPLIT}, 'default:"1"', 'default:"4"'),
    Case("an entry of a list that gives a variable its default", ("- `INITIAL_DELAY`=2m!", "- `RCON_RETRIES`=5 : a negative number retries for ever"),
         {"opt/loop.sh": _LOOP}, ":=2m}", ":=5m}"),
    Case("the fall-back of a fall-back", ("- `BACKUP_INTERVAL`=24h!", "- `RCON_RETRIES`=5"), {"opt/loop.sh": _LOOP}, ":-24h}", ":-12h}"),
    Case("all programs of the repository stand in scripts/", ("```sh", "docker compose exec backups backup now!", "```"),
         {"scripts/bin/backup": '#!/bin/bash\ncase "$1" in\n  now)\n    once ;;\n  loop)\n    often ;;\nesac\n', "scripts/opt/loop.sh": _LOOP}, "now)", "once)"),
    Case("a whole number that is told with a fraction", ("## query_wait", "", "In seconds.", "", "Default: 120.0!"),
         {"src/main.c": 'static Key keys[] = {\n\tCF_ABS("query_wait", CF_TIME, query_wait, 0, "120"),\n\tCF_ABS("other", CF_TIME, other, 0, "7"),\n};\n'},
         '"120"', '"60"'),
    Case("numbers with a type behind them", ("## connect_timeout_ms", "", "Default value is 30000 (30 secs)!"),
         {"src/config.c": "void init(config_t *config)\n{\n\tconfig->connect_timeout_ms = 30U * 1000U;\n\tconfig->other = 1;\n}\n"},
         "30U * 1000U", "10U * 1000U"),
    Case("a name with a small unit at its end", ("## session_life", "", "Defaults to 3600 (1 hour).!"),
         {"src/rules.c": "void init(rule_t *rule)\n{\n\trule->session_life_us = 3600 * 1000000L;\n\trule->other = 1;\n}\n"}, "3600 *", "1800 *"),
    Case("a note in the column of defaults", ("| Name | Type | Default |", "|---|---|---|", "| check_interval | int | 7000 (global) |!"),
         {"src/config.c": "void init(config_t *config)\n{\n\tconfig->check_interval = 7000; /* 7 seconds */\n}\n"}, "= 7000", "= 5000"),
    Case("a state in the column of defaults that is a number in code", ("| Name | Type | Default |", "|---|---|---|", "| `log_stats` | bool | `yes` |!"),
         {"src/config.c": "void init(config_t *config)\n{\n\tconfig->log_stats = 1;\n\tconfig->depth = 4;\n}\n"}, "log_stats = 1", "log_stats = 0"),
    Case("a property of a class within a class", ("| Property | Type | Default |", "|---|---|---|",
         "| `acme.admin.server.enabled` | boolean | `true` |", "| `acme.admin.guard.enabled` | boolean | `false` |!", "| `acme.tools.enabled` | boolean | `false` |"),
         {"src/main/java/o/AdminProperties.java": _NESTED, "src/main/java/o/ToolProperties.java": _OTHER}, "private boolean enabled = false", "private boolean enabled = true"),
    Case("a route that ASP.NET maps by its pattern", ("```sh", "curl http://localhost:5000/v3/search!", "curl http://localhost:5000/v3/index.json", "```"),
         {"src/Endpoints.cs": _MAPPED}, '"v3/search"', '"v3/query"'),
    Case("a route of a controller", ("```sh", "curl http://localhost:5000/api/orders/7/lines", "curl -X POST http://localhost:5000/api/orders/archive!", "```"),
         {"src/OrdersController.cs": _CONTROLLER}, '"archive"', '"shelve"'),
    Case("a route of a minimal API in a group", ("```sh", "curl http://localhost:5000/api/v1/orders!", "curl -X POST http://localhost:5000/ingest/batch", "```"),
         {"src/Program.cs": _MINIMAL}, '"/api/v1"', '"/api/v2"'),
    Case("a sub-command of a module's archive", ("`java -jar cover-cli.jar merge a.ic b.ic --target c.ic`!",),
         {"settings.gradle.kts": _GRADLE, "cover-cli/src/Merge.kt": _MERGE}, '"merge"', '"combine"'),
    Case("an option of one word that a row begins with, in plain words", ("`java -jar cover-cli.jar report --classfiles <path>`!", "",
         "| Option | Description |", "|---|---|", "| --classfiles <path> | where the classes lie |!"),
         {"settings.gradle.kts": _GRADLE, "cover-cli/src/Report.kt": _REPORT}, '"--classfiles"', '"--class-roots"'),
    Case("the default that kingpin prints behind an option", (*_HELP[:5], '      --log-level="info"         What to say.!', *_HELP[5:]),
         {"main.go": _FLAGS}, '"info"', '"warn"'),
    Case("a duration that Go prints behind an option", (*_HELP[:5], "      --drain-buffer=10m0s       Between two drains.!", *_HELP[5:]),
         {"main.go": _FLAGS}, "10 * time.Minute", "20 * time.Minute"),
    Case("a constant with DEFAULT within its name", ("+ **server_failure_limit**: How often it may fail. Defaults to 25.!",),
         {"src/nc_conf.h": "#define CONF_DEFAULT_RETRIES          7\n#define CONF_DEFAULT_SERVER_FAILURE_LIMIT    25\n"}, "FAILURE_LIMIT    25", "FAILURE_LIMIT    30"),
    Case("an option of a script at the root", ("```sh", "podtail app1 --regex!", "```"), {"podtail": _ROOT_SCRIPT}, "--regex)", "--pattern)"),
]  # fmt: skip

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

BACKOFF_TS = (
    "export interface Options {\n  /**\n   * Maximum delay, in milliseconds. Defaults to 30s.\n   */\n  maxDelay: number;\n}\n\n"
    "const defaultOptions: Options = {\n  maxDelay: 30000,\n};\n"
)

REAPER = (
    "module Tool\n  class Config\n    LOCK_TIMEOUT  = 0\n    ENABLED       = true\n    REAPER        = :ruby\n    REAPER_COUNT  = 1_000\n"
    "    REAPER_EVERY  = 600\n  end\nend\n"
)

GO_2 = 'package main\n\nvar defaults = Config{\n\tMaxConn: 10000,\n\tLevel: "INFO",\n}\n'

FLAGS = 'package main\n\nfunc load() {\n\tf.IntVar(&cfg.MaxConn, "proxy.maxconn", defaults.MaxConn, "most connections")\n}\n'

PARSER = (
    "import argparse\n\nparser = argparse.ArgumentParser()\nshared = argparse.ArgumentParser(add_help=False)\n"
    'shared.add_argument("--pool-size", type=int, default=4)\n'
)

PACKAGE = '{"name": "tool", "bin": {"tool": "cli.js"}}\n'

_CONFIG = (
    'package config\n\ntype Root struct {\n\tLogLevel string `required:"true" default:"info" desc:"What to say"`\n\tSMTP SMTP\n}\n\n'
    'type SMTP struct {\n\tAddr string `default:"0.0.0.0:2500"`\n\tMaxRecipients int `required:"true" default:"200" desc:"How many"`\n'
    '\tTimeout time.Duration `default:"300s"`\n\tOne int\n\tTwo int\n\tThree int\n\tFour int\n\tFive int\n\tSix int\n'
    '\tMaxMessages int `default:"10240"`\n}\n'
)

_COLUMNS = (
    "    KEY                       DEFAULT         DESCRIPTION",
    "    MAIL_LOGLEVEL             info            debug, info, warn, or error{}",
    "    MAIL_SMTP_MAXRECIPIENTS   200             How many, 100 or 200",
    "    MAIL_SMTP_MAXMESSAGES     10240           How many",
)

_SECTION = (
    "### Recipients",
    "",
    "`MAIL_SMTP_MAXRECIPIENTS`",
    "",
    "How many may be named in one message.",
    "",
    "- Default: `200`{}",
    "- Values: a number",
)

_STRUCT = (
    "#[derive(StructOpt)]\npub struct Config {\n    #[structopt(\n        long,\n        short = \"x\",\n        parse(try_from_str),\n"
    '        default_value = "true",\n        env = "SERVER_PACKING"\n    )]\n    /// Packs what is sent.\n    pub packing: bool,\n\n'
    '    #[structopt(long, short = "p", default_value = "80", env = "SERVER_PORT")]\n    pub port: u16,\n}\n'
)  # fmt: skip

_CANVAS = "export class Canvas {\n  background = false;\n\n  scaleStep = 0.1;\n}\n"

_OLDER = (
    'package main\n\nimport "time"\n\nconst DefaultRedrawInterval = 250 * time.Millisecond\n\n'
    'func main() {\n\tflags.DurationVar(&c.redrawInterval, "redraw-interval", DefaultRedrawInterval, "How often")\n'
    '\tflags.DurationVar(&c.span, "span", DefaultDuration, "How long")\n}\n\nconst DefaultDuration = 10 * time.Second\n'
)

_LONG_KEY = (
    "decorator.datasource.pools.acquisition-strategy.increment-pool.many.more.words.of.it.max-overgrow-pool-size"
)

_POOL = "public class PoolProperties {\n    private int maxOvergrowPoolSize = 15;\n    private int timeoutMillis = 500;\n}\n"

_CONF = 'LIMIT = int(\n    get_setting("APP_ATTEMPT_EXPIRATION", 24)\n)\nOTHER = get_setting("APP_DEPTH", 7)\n'

_COMMAND = (
    'class Command:\n    """\n    Deletes what is older than your APP_ATTEMPT_EXPIRATION, default 24 HOURS.\n    """\n'
)

_FILED = "package o;\n\n@ConfigurationProperties(\"acme.spy\")\npublic class SpyProperties {\n  private String logFile = \"spy.log\";\n}\n"  # fmt: skip

CASES_2 = [
    Case("the column of defaults of a table in plain text", (*(line.format("") for line in _COLUMNS[:2]), _COLUMNS[2] + "!", _COLUMNS[3]),
         {**GO, "config.go": _CONFIG}, '"200"', '"100"'),
    Case("a word in the column of defaults, beside the values that one may give", (_COLUMNS[0], _COLUMNS[1].format("!"), *_COLUMNS[2:]),
         {**GO, "config.go": _CONFIG}, '"info"', '"warn"'),
    Case("a variable that a library makes of a field far below the type's name", (*(line.format("") for line in _COLUMNS[:3]), _COLUMNS[3] + "!"),
         {**GO, "config.go": _CONFIG}, '"10240"', '"20480"'),
    Case("a default in a section that begins with nothing but the variable", (*_SECTION[:6], _SECTION[6].format("!"), _SECTION[7]),
         {**GO, "config.go": _CONFIG}, '"200"', '"100"'),
    Case("a variable of two words in one, in a table", ("| Variable | Default |", "|---|---|", "| `MAIL_LOGLEVEL` | `info` |!"),
         {**GO, "config.go": _CONFIG}, '"info"', '"warn"'),
    Case("an attribute of several lines names the variable below the default", ("| Variable | Description | Default |", "|---|---|---|",
         "| `SERVER_PACKING` | Packs what is sent, see `packing.rs`. | Default `true` (enabled) |!", "| `SERVER_PORT` | Where. | Default `80` |"),
         {**RUST, "src/config.rs": _STRUCT, "sample.env": "SERVER_PACKING = true\n"}, '= "true"', '= "false"'),
    Case("the column of defaults of a page in Chinese", ("| 名称 | 类型 | 默认值 | 描述 |", "|---|---|---|---|", "| scaleStep | `number` | `0.1` | 步进间隔。 |!"),
         {**NODE, "src/canvas.ts": _CANVAS}, "0.1", "0.2"),
    Case("a sentence in French", ("`scaleStep` : le pas du zoom, par défaut `0.1`.!",), {**NODE, "src/canvas.ts": _CANVAS}, "0.1", "0.2"),
    Case("what is given for the duration", ("Without options it runs with the defaults (rate=5, duration=10s).!",), {**GO, "main.go": _OLDER}, "10 * time", "30 * time"),
    Case("a key of more than eighty letters", ("The pool with its default values:", "", "```properties", f"{_LONG_KEY}=15!", "```"),
         {"src/main/java/o/PoolProperties.java": _POOL}, "= 15", "= 20"),
    Case("what a docstring says is not what code gives", ("``APP_ATTEMPT_EXPIRATION``: how long. [Default: ``24``]!",),
         {**PYTHON, "tool/config.py": _CONF, "tool/commands.py": _COMMAND}, '", 24)', '", 48)'),
    Case("a file of another name is another value", ("The defaults:", "", "```properties", "acme.spy.log-file=spy.log!", "```"),
         {"src/main/java/o/SpyProperties.java": _FILED}, '"spy.log"', '"sql.log"'),
]  # fmt: skip

RUBY_2 = {"shop.gemspec": "Gem::Specification.new do |spec|\n  spec.name = 'shop'\nend\n"}

PHP = {"composer.json": '{"name": "acme/shop"}\n'}

TABLE = ("| Option | Description | Default |", "|---|---|---|")

CASES_3 = [
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
         {**RUBY_2, "lib/shop.rb": "module Shop\n  mattr_accessor :job_queue\n  self.job_queue = :shop\nend\n"}, ":shop\n", ":low\n"),
    Case("an accessor of a module", ("```ruby", "Shop.track_bots = true!", "```"),
         {**RUBY_2, "lib/shop.rb": "module Shop\n  mattr_accessor :track_bots\n  self.track_bots = false\nend\n"}, "track_bots", "include_bots"),
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
         {**RUBY_2, "lib/shop/model.rb": "module Shop\n  module Model\n    def visitable(name)\n      name\n    end\n  end\nend\n"}, "visitable", "with_visit"),
    Case("a name with dots in a plain cell", ("| Name | What it is |", "|---|---|", "| chart.homepageLine | a line |!", "| chart.header | a title |", "", "```", '{{ template "chart.homepageLine" . }}!', "```"),
         {**GO, "template.go": 'package main\n\nconst t = `{{ define "chart.homepageLine" }}x{{ end }}`\nconst h = `{{ define "chart.header" }}x{{ end }}`\n'}, "chart.homepageLine", "chart.homepageText"),
    Case("a file of two words in plain words", ("Values come from the config_defaults.yml file and from the module.!",),
         {**RUBY_2, "lib/shop.rb": "module Shop\n  CONF_FILE = 'config_defaults.yml'\nend\n"}, "config_defaults.yml", "defaults.yml"),
]  # fmt: skip


@BOTH
def test_a_default_of_a_list_of_definitions_in_html_belongs_to_its_term(repository: Make, since: str) -> None:
    text = (
        "# Tool\n\n<dl>\n<dt>APP_USE_AVATAR\n<dd>Show faces\n<dd>defaults to true\n<dt>APP_USE_NAME\n<dd>Show names\n<dd>defaults to true\n"
        "<dt>APP_LEVELS</dt>\n<dd>When to send</dd>\n<dd>defaults to [1,10,100]</dd>\n</dl>\n"
    )
    env = "APP_USE_AVATAR=true\nAPP_USE_NAME=true\nAPP_LEVELS='[1,10,100]'\n"
    code = 'CONFIG = run(avatar: ["APP_USE_AVATAR"], name: ["APP_USE_NAME"], levels: ["APP_LEVELS"])\n'
    repo = repository({"README.md": text, ".env.default": env, "config/load.rb": code})
    repo.replace("AVATAR=true", "AVATAR=false", ".env.default").commit()
    assert repo.stale_lines(since=since) == {("README.md", 6)}
    repo.replace("[1,10,100]", "[1,5,50]", ".env.default").commit()
    assert ("README.md", 12) in repo.stale_lines(since=since)


@BOTH
def test_a_default_in_brackets_below_a_sentence_that_promises_defaults_is_held_to_the_code(
    repository: Make, since: str
) -> None:
    text = (
        '# Tool\n\nIt reacts to the following variables with (defaults):\n\nServer\n\n* APP_PORT - The port ("8675")\n'
        '* APP_TIMEOUT - How long it waits in sec ("5")\n* APP_LIMIT - Connections ("15") - at once\n'
    )
    repo = repository({"README.md": text, "server.py": SERVER})
    repo.replace('TIMEOUT", "5"', 'TIMEOUT", "8"', "server.py").commit()
    assert repo.stale_lines(since=since) == {("README.md", 8)}


@BOTH
@pytest.mark.parametrize("mark", [";", "#", "//"])
def test_a_comment_tells_the_default_of_the_key_below_it(repository: Make, since: str, mark: str) -> None:
    text = (
        f"# Tool\n\n```ini\n[defaults]\nhost = x\n\n{mark} optionally set the level for what is left out, defaults to INFO\n"
        f"{mark} filteredloglevel = DEBUG\n```\n"
    )
    code = 'class Config:\n    def __init__(self):\n        self.host = "x"\n        self.filteredloglevel = "INFO"\n'
    repo = repository({"README.md": text, "tool/config.py": code})
    repo.replace('"INFO"', '"WARN"', "tool/config.py").commit()
    assert repo.stale_lines(since=since) == {("README.md", 7)}


def test_a_default_that_is_a_constant_is_told_by_the_end_of_its_name(repository: Make) -> None:
    text = (
        "# Tool\n\n| Option | Usage |\n|---|---|\n| `mode` | The mode in which it operates. Default: `streaming` |\n"
        "| `port` | Default `streaming` of nothing |\n"
    )
    repo = repository({"README.md": text, "config/config.go": GO_CONFIG, "config/modes.go": GO_MODES})
    repo.replace("OperationalMode: ModeStreaming", "OperationalMode: ModeHTTP", "config/config.go").commit()
    assert repo.stale_lines() == {("README.md", 5)}


@BOTH
def test_what_an_object_starts_with_is_no_default_of_a_key_that_is_looked_up(repository: Make, since: str) -> None:
    code = (
        "class Watch:\n    def __init__(self):\n        self._fail_on_loss = True\n\n    def load(self, config):\n"
        '        self._fail_on_loss = config.get("fail_on_loss", True)\n        self.level = config.get("level", "INFO")\n'
    )
    text = "# Tool\n\n``fail_on_loss`` (default ``true``)\n\nWhether it fails.\n\n``level`` (default ``INFO``)\n\nHow much it says.\n"
    repo = repository({"README.md": text, "tool/watch.py": code})
    repo.replace('"fail_on_loss", True', '"fail_on_loss", False', "tool/watch.py").commit()
    assert repo.stale_lines(since=since) == {("README.md", 3)}


@BOTH
def test_a_sample_that_is_a_copy_of_the_code_is_held_to_it(repository: Make, since: str) -> None:
    repo = repository({"docs/reference.md": SHOWN_TS, "src/config.ts": CONFIG_TS})
    repo.replace("timeout: 10000", "timeout: 20000", "src/config.ts").commit()
    assert repo.stale_lines(since=since) == {("docs/reference.md", 10)}


def test_an_item_that_begins_with_another_setting_says_nothing_of_the_changed_one(repository: Make) -> None:
    code = (
        "pub fn dns_tcp_timeout() -> u64 {\n    2\n}\n\npub fn redis_connection_timeout_seconds() -> u64 {\n    2\n}\n"
    )
    config = (
        'pub struct Dns {\n    #[serde(default = "defaults::dns_tcp_timeout")]\n    pub tcp_timeout: u64,\n}\n\npub struct Redis {\n'
        '    #[serde(default = "defaults::redis_connection_timeout_seconds")]\n    pub connection_timeout_seconds: u64,\n}\n'
    )
    text = (
        "# Tool\n\n* `tcp_timeout` (type: _integer_, default: `2`) — Timeout of DNS over TCP connections\n"
        "* `connection_timeout_seconds` (type: _integer_, default: `2`) — Timeout to consider it dead and reject DNS queries\n"
    )
    repo = repository(
        {
            "README.md": text,
            "src/defaults.rs": code,
            "src/config.rs": config,
            "Cargo.toml": '[package]\nname = "tool"\n',
            "config.cfg": "[dns]\ntcp_timeout = 2\n\n[redis]\nconnection_timeout_seconds = 2\n",
        }
    )
    repo.replace("dns_tcp_timeout() -> u64 {\n    2", "dns_tcp_timeout() -> u64 {\n    5", "src/defaults.rs")
    repo.replace("tcp_timeout = 2", "tcp_timeout = 5", "config.cfg").commit()
    assert repo.stale_lines(since="HEAD~1") == {("README.md", 3)}


@BOTH
def test_a_constant_with_default_in_its_midst_gives_what_the_one_without_it_names(repository: Make, since: str) -> None:
    code = (
        'public class Writer {\n    public final static String SETTING_BUFFER_SIZE = "bufferSize";\n    private final static int SETTING_DEFAULT_BUFFER_SIZE = 1024;\n\n'
        "    void start() {\n        int size = getInt(settings, SETTING_BUFFER_SIZE, SETTING_DEFAULT_BUFFER_SIZE);\n    }\n}\n"
    )
    text = "# Tool\n\n* `bufferSize`: max buffer size. Optional, default value is 1024.\n"
    repo = repository({"README.md": text, "src/main/java/Writer.java": code})
    repo.replace("SIZE = 1024", "SIZE = 4096", "src/main/java/Writer.java").commit()
    assert repo.stale_lines(since=since) == {("README.md", 3)}


@BOTH
@pytest.mark.parametrize("told", ["e.g. `10s` is the default value.", "and `10s` is the default."])
def test_a_default_whose_value_is_told_first_is_held_to_the_code(repository: Make, since: str, told: str) -> None:
    repo = repository(
        {
            "README.md": f"# Tool\n\nConfigure it with `FLUSH_INTERVAL`, where the type is `time.Duration`, {told}\n",
            "settings.go": SETTINGS,
        }
    )
    repo.replace('INTERVAL" default:"10s', 'INTERVAL" default:"5s', "settings.go").commit()
    assert repo.stale_lines(since=since) == {("README.md", 3)}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_what_went_is_found_wherever_it_is_told(repository: Make, case: Case) -> None:
    check(repository, case)


def test_a_number_is_not_mended_with_code_that_works_one_out(repository: Make) -> None:
    code = (
        'package o;\n\n@ConfigurationProperties("acme")\npublic class AcmeProperties {\n'
        "  private Duration period = Duration.ofMillis(10_000L);\n}\n"
    )
    repo = repository(
        {"README.md": "# Tool\n\n`acme.period` defaults to `10000`.\n", "src/main/java/o/AcmeProperties.java": code}
    )
    repo.replace("10_000L", "20_000L", "src/main/java/o/AcmeProperties.java").commit()
    (finding,) = repo.drifted()
    assert finding.fix is None or "(" not in finding.fix.replacement


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
def test_a_constant_is_told_with_what_it_belongs_to_and_as_the_words_of_a_link(repository: Make, since: str) -> None:
    text = "# Tool\n\nYou can pass a log level (default is [`Logger::WARN`](https://ruby-doc.org/Logger.html)):\n"
    repo = repository({"README.md": text, "lib/exporter.rb": EXPORTER_RB})
    repo.replace("Logger::WARN", "Logger::ERROR", "lib/exporter.rb").commit()
    assert repo.stale_lines(since=since) == {("README.md", 3)}


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
@pytest.mark.parametrize("told", ["The default is", "The default value is:", "Default:", "It defaults to"])
def test_a_block_below_the_words_the_default_is_states_one(repository: Make, since: str, told: str) -> None:
    text = f"# proxy.maxconn\n\n`proxy.maxconn` tells how many connections are kept.\n\n{told}\n\n    proxy.maxconn = 10000\n"
    repo = repository({"docs/ref.md": text, "default.go": GO_2, "load.go": FLAGS})
    repo.replace("10000", "20000", "default.go").commit()
    assert repo.stale_lines(since=since) == {("docs/ref.md", 7)}


@BOTH
@pytest.mark.parametrize("word", ["parameter", "option"])
def test_this_parameter_is_the_one_that_the_paragraph_above_is_about(repository: Make, since: str, word: str) -> None:
    text = (
        "# Tool\n\n## Throughput\n\nPass `--pool-size` to send more at once.\n\n"
        f"You can also use this {word} when fetching (it defaults to 4).\n"
    )
    repo = repository({"README.md": text, "tool/cmd.py": PARSER})
    repo.replace("default=4", "default=8", "tool/cmd.py").commit()
    assert repo.stale_lines(since=since) == {("README.md", 7)}


@BOTH
def test_a_setting_in_quotes_that_a_comment_calls_the_default_is_one(repository: Make, since: str) -> None:
    text = '# Tool\n\n```json\n{\n    "name": "", // of the tab\n    "packer": "tar", // default, could be "tar" or "zip"\n    "open": true // a browser\n}\n```\n'
    files = {"README.md": text, "json/config.json": '{\n    "name": "",\n    "packer": "tar",\n    "open": true\n}\n'}
    code = "const parsed = {\n  'packer': config('packer') || 'tar',\n};\nif (parsed.packer === 'zip') zip();\n"
    repo = repository({**files, "cli.js": code, "package.json": PACKAGE})
    repo.replace('"tar"', '"zip"', "json/config.json").replace("|| 'tar'", "|| 'zip'", "cli.js").commit()
    assert repo.stale_lines(since=since) == {("README.md", 6)}


@pytest.mark.parametrize("case", CASES_2, ids=lambda case: case.name)
def test_a_default_that_changed_is_found_wherever_it_is_told(repository: Make, case: Case) -> None:
    check(repository, case)


def test_the_newest_version_that_had_a_default_is_the_evidence(repository: Make) -> None:
    """An older one has the name in another spelling on a line that went; the commit that took that wrote the document."""
    filler = "".join(f"// Line {number} says nothing.\n" for number in range(40))
    screen = (
        f"package gui\n\nconst DefaultRedrawInterval = 250 * time.Millisecond\n\n{filler}\nvar redrawInterval = 1\n"
    )
    main = 'package main\n\nfunc main() {\n\tflags.DurationVar(&c.often, "redraw-interval", gui.DefaultRedrawInterval, "How often")\n}\n'
    repo = repository({**GO, "gui/gui.go": screen, "main.go": main, "README.md": "# Tool\n"})
    repo.replace("\nvar redrawInterval = 1\n", "\n", "gui/gui.go")
    repo.write({"README.md": "# Tool\n\n```\n  --redraw-interval duration   How often (default 250ms)\n```\n"}).commit()
    repo.replace("250 * time", "500 * time", "gui/gui.go").commit()
    assert repo.stale_lines() == {("README.md", 4)}


@BOTH
def test_a_variable_that_ends_in_one_word_is_not_every_field_of_that_word(repository: Make, since: str) -> None:
    text = (
        "# Tool\n\n| Variable | Default |\n|---|---|\n| `OTHER_TIMEOUT` | `300s` |\n| `MAIL_SMTP_TIMEOUT` | `300s` |\n"
    )
    repo = repository({**GO, "config.go": _CONFIG, "README.md": text})
    repo.replace('"300s"', '"600s"', "config.go").commit()
    assert repo.stale_lines(since=since) == {("README.md", 6)}


@BOTH
def test_a_default_after_a_word_in_bold_with_underscores_is_one(repository: Make, since: str) -> None:
    page = "# Tool\n\n- `queueLimit` `<number>` how many wait. __Default__: `42`\n- `topicLevels` how deep. __Default__: `100`\n"
    code = "const defaultOptions = {\n  queueLimit: 42,\n  topicLevels: 100\n}\nmodule.exports = { defaultOptions }\n"
    repo = repository({**NODE, "README.md": page, "tool.js": code})
    repo.replace("queueLimit: 42", "queueLimit: 84", "tool.js").commit()
    assert repo.stale_lines(since=since) == {("README.md", 3)}


@BOTH
@pytest.mark.parametrize(("shown", "reported"), [(5, True), (9, False)], ids=["defaults", "an example"])
def test_a_block_that_gives_settings_what_code_gives_them_shows_the_defaults(
    repository: Make, since: str, shown: int, *, reported: bool
) -> None:
    items = (("TOOL_SESSION_MINUTES", 60), ("TOOL_MAX_ROWS", 500), ("TOOL_RETRIES", 5), ("TOOL_WORKERS", 4))
    code = (
        "module.exports = [\n"
        + "".join(f"  {{\n    envVar: '{n}',\n    default: {v},\n  }},\n" for n, v in items)
        + "];\n"
    )
    page = (
        "# Configuration\n\n```bash\n# Minutes to keep a session.\nTOOL_SESSION_MINUTES = 60\n\n"
        f"TOOL_MAX_ROWS = {shown}00\nTOOL_RETRIES = {shown}\nTOOL_WORKERS = 4\n```\n"
    )
    repo = repository({**NODE, "docs/configuration.md": page, "lib/items.js": code})
    repo.replace("default: 60", "default: 120", "lib/items.js").commit()
    assert repo.stale_lines(since=since) == ({("docs/configuration.md", 5)} if reported else set())


def test_a_value_that_is_one_of_several_now_is_still_given(repository: Make) -> None:
    code = 'BINDINGS = [\n    Binding("quit_key", default="ctrl+c"),\n    Binding("next_key", default="ctrl+n"),\n]\n'
    page = "# Keys\n\nThe default of `quit_key` is `ctrl+c`, that of `next_key` is `ctrl+n`.\n"
    repo = repository({"README.md": page, "tool/__init__.py": "", "tool/keys.py": code})
    now = code.replace('"ctrl+c"', '"ctrl+c,super+c"').replace('"ctrl+n"', '"ctrl+j"')
    repo.write({"tool/keys.py": now}).commit()
    assert {f.claim for f in repo.drifted(since="HEAD~1")} == {"ctrl+n"}


@BOTH
def test_a_remark_behind_a_line_does_not_give_a_value(repository: Make, since: str) -> None:
    code = 'class A {\n    int x = config.get("idleTimeout", int.class, 600);  // the pool\'s default: 600\n}\n'
    text = "* idleTimeout (seconds in integer, default: 600)\n"
    repo = repository({"docs/a.md": text, "src/main/java/A.java": code})
    repo.replace("int.class, 600", "int.class, 300", "src/main/java/A.java").commit()
    assert repo.stale_lines(since=since) == {("docs/a.md", 1)}


@BOTH
def test_a_value_in_brackets_behind_a_typed_key_is_its_default(repository: Make, since: str) -> None:
    code = 'package main\n\nimport "flag"\n\nvar interval = flag.Int("interval", 600, "polling interval")\n'
    text = "* `backend` (string) - The backend.\n* `interval` (int) - The polling interval in seconds. (600)\n"
    repo = repository({"go.mod": "module example.org/t\n", "docs/a.md": text, "main.go": code})
    repo.replace("600", "300", "main.go").commit()
    assert repo.stale_lines(since=since) == {("docs/a.md", 2)}


@BOTH
def test_a_line_of_help_that_is_printed_otherwise_now_is_missed(repository: Make, since: str) -> None:
    helped = (
        "    -p <path>        Specify the interpreter.\n    -j <num>         Run <num> jobs in parallel (default: 8).\n"
    )
    code = f"<?php\nclass Cli\n{{\n\tfunction usage()\n\t{{\n\t\treturn <<<'XX'\n{helped}XX;\n\t}}\n}}\n"
    repo = repository({"readme.md": f"```\nOptions:\n{helped}```\n", "src/Cli.php": code})
    repo.replace("default: 8", "default: 4", "src/Cli.php").commit()
    assert repo.stale_lines(since=since) == {("readme.md", 4)}


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
    assert repo.stale_lines(since=since) == {("man/tool.md", 5), ("man/tool.md", 9)}


def test_a_list_of_codes_is_no_number_with_thousands(repository: Make) -> None:
    page = "# Tool\n\n| Option | Default |\n|---|---|\n| `--codes` | `200,204,301,302,307` |\n"
    code = "import argparse\n\nparser = argparse.ArgumentParser(prog='tool')\nparser.add_argument('--codes', default='200,204,301,302,307')\n"
    repo = repository({**PYTHON, "README.md": page, "tool/__init__.py": "", "tool/cli.py": code})
    repo.replace("302,307", "302,307,401,403", "tool/cli.py").commit()
    (finding,) = repo.drifted(since="HEAD~1")
    assert finding.fix is None or finding.fix.replacement == "200,204,301,302,307,401,403"


def test_what_an_option_is_given_says_nothing_of_defaults(repository: Make) -> None:
    page = "# Tool\n\n```sh\ntool card create --type default --timeout 10\n```\n\nThe default timeout is 10.\n"
    code = "def ask(url, timeout=10):\n    return url, timeout\n"
    repo = repository({**PYTHON, "README.md": page, "tool/__init__.py": code})
    repo.replace("timeout=10", "timeout=60", "tool/__init__.py").commit()
    assert repo.stale_lines(since="HEAD~1") == {("README.md", 7)}


@pytest.mark.parametrize("case", CASES_3, ids=lambda case: case.name)
def test_every_line_that_is_false_then_is_found(repository: Make, case: Case) -> None:
    check(repository, case)
