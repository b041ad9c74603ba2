"""Defaults that an eighth reader changed: told in columns of plain text, in sections, in other languages, by variables that a library makes."""

from __future__ import annotations

import pytest

from docalign_actors.engine.kinds.shared.values import same
from tests.support.changes import GO, NODE, PYTHON, RUST, Case, Make, check

BOTH = pytest.mark.parametrize("since", ["", "HEAD~1"])
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

CASES = [
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


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
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
def test_a_value_under_another_column_is_no_default(repository: Make, since: str) -> None:
    table = "\n".join(
        ("    KEY                       DEFAULT         MOST", "    MAIL_SMTP_MAXRECIPIENTS   100             200")
    )
    repo = repository({**GO, "config.go": _CONFIG, "README.md": f"# Tool\n\nText.\n\n{table}\n"})
    repo.replace('"200"', '"150"', "config.go").commit()
    assert repo.stale_lines(since=since) == set()


@BOTH
def test_a_variable_that_ends_in_one_word_is_not_every_field_of_that_word(repository: Make, since: str) -> None:
    text = (
        "# Tool\n\n| Variable | Default |\n|---|---|\n| `OTHER_TIMEOUT` | `300s` |\n| `MAIL_SMTP_TIMEOUT` | `300s` |\n"
    )
    repo = repository({**GO, "config.go": _CONFIG, "README.md": text})
    repo.replace('"300s"', '"600s"', "config.go").commit()
    assert repo.stale_lines(since=since) == {("README.md", 6)}


@BOTH
@pytest.mark.parametrize("field", ["MaxRecipients", "Others"])
def test_a_variable_that_envconfig_makes_of_a_field_was_looked_at(repository: Make, since: str, field: str) -> None:
    """Of a field that stays nothing went, but that a container is given another variable."""
    reads = _CONFIG + "\nfunc Read() { envconfig.Process(prefix, &Root{}) }\n"
    files = {
        "Dockerfile": "FROM alpine\nENV MAIL_SMTP_MAXRECIPIENTS=300\n",
        "README.md": "# Tool\n\n`MAIL_SMTP_MAXRECIPIENTS` bounds it.\n",
    }
    repo = repository({**GO, "config.go": reads, **files})
    repo.replace("MAXRECIPIENTS", "MOST", "Dockerfile").replace(
        "MaxRecipients" if field == "MaxRecipients" else "MaxMessages", "Most", "config.go"
    ).commit()
    assert repo.stale_lines(since=since) == ({("README.md", 3)} if field == "MaxRecipients" else set())


@BOTH
def test_a_section_that_names_two_settings_tells_of_neither(repository: Make, since: str) -> None:
    lines = (
        "# Tool",
        "",
        "## Limits",
        "",
        "`MAIL_SMTP_MAXRECIPIENTS`",
        "",
        "`MAIL_SMTP_OTHERS`",
        "",
        "- Default: `200`",
    )
    repo = repository({**GO, "config.go": _CONFIG, "README.md": "\n".join(lines) + "\n"})
    repo.replace('"200"', '"100"', "config.go").commit()
    assert repo.stale_lines(since=since) == set()


@BOTH
def test_a_management_command_that_stands_alone_is_found(repository: Make, since: str) -> None:
    text = "# Tool\n\n## Commands\n\n`cleanup_old_tokens`\n\n```sh\npython manage.py cleanup_old_tokens\n```\n"
    command = "from django.core.management.base import BaseCommand\n\n\nclass Command(BaseCommand):\n    help = 'x'\n"
    files = {"tool/management/commands/cleanup_old_tokens.py": command, "tool/__init__.py": "", "README.md": text}
    repo = repository({**PYTHON, **files})
    repo.move("tool/management/commands/cleanup_old_tokens.py", "tool/management/commands/cleanup_tokens.py").commit()
    assert repo.stale_lines(since=since) == {("README.md", 5), ("README.md", 8)}


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
