"""Facts that a seventh reader refactored away, in Go, Java, C#, Kotlin, C and the shell: values and names told where no rule looked."""

from __future__ import annotations

import pytest

from tests.support.changes import Case, Make, check
from tests.support.repository import Repository

BOTH = pytest.mark.parametrize("since", ["", "HEAD~1"])
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


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_what_went_is_found_wherever_it_is_told(repository: Make, case: Case) -> None:
    check(repository, case)


@BOTH
def test_a_value_that_an_entry_gives_for_once_is_no_default(repository: Make, since: str) -> None:
    text = "# Tool\n\n- `INITIAL_DELAY`=90s -> wait a minute and a half\n- `RCON_RETRIES`=5\n"
    repo = repository({"README.md": text, "opt/loop.sh": _LOOP})
    repo.replace(":=2m}", ":=5m}", "opt/loop.sh").commit()
    assert repo.stale_lines(since=since) == set()


@BOTH
def test_a_path_that_another_server_has_still_is_not_the_route_that_went(repository: Make, since: str) -> None:
    text = (
        "# Feed\n\n```sh\ncurl http://localhost:5000/v3/index.json\n```\n\n```csharp\n"
        'var client = new Client("https://feed.acme.io/v3/index.json");\n```\n'
    )
    settings = '{"Mirror": {"Source": "https://feed.acme.io/v3/index.json"}}\n'
    repo = repository({"README.md": text, "src/Endpoints.cs": _MAPPED, "src/appsettings.json": settings})
    repo.replace('"v3/index.json"', '"v3/service.json"', "src/Endpoints.cs").commit()
    assert repo.stale_lines(since=since) == {("README.md", 4)}


def test_what_asp_net_maps_by_constants_is_not_called_false(repository: Make) -> None:
    text = "# Shop\n\n| Route |\n|---|\n| `GET /api/orders/{id}/lines` |\n| `POST /api/orders/archive` |\n| `GET /api/orders/{id}/notes` |\n"
    repo: Repository = repository({"README.md": text, "src/OrdersController.cs": _CONTROLLER})
    assert repo.stale_lines() == set()


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
