"""What went and is named by documents yet is missed: environment variables."""

from __future__ import annotations

import pytest

from tests.support.changes import BOTH, GO, NODE, Make

NODE_2 = (
    'const { Command } = require("commander");\nnew Command()\n  .option("--serve-host <host>", "where to listen", "0.0.0.0")\n'
    '  .option("--level <level>", "how much to log", "info")\n  .parse();\nconst token = process.env.TOOL_TOKEN;\n'
)

PACKAGE = '{"name": "tool", "bin": {"tool": "cli.js"}}\n'

FIELD = (
    '# Options\n\n<ParamField path="--serve-host" type="string" env="TOOL_TOKEN" default="0.0.0.0">\n  Where to listen.\n'
    "</ParamField>\n"
)

_CONFIG = (
    'package config\n\ntype Root struct {\n\tLogLevel string `required:"true" default:"info" desc:"What to say"`\n\tSMTP SMTP\n}\n\n'
    'type SMTP struct {\n\tAddr string `default:"0.0.0.0:2500"`\n\tMaxRecipients int `required:"true" default:"200" desc:"How many"`\n'
    '\tTimeout time.Duration `default:"300s"`\n\tOne int\n\tTwo int\n\tThree int\n\tFour int\n\tFive int\n\tSix int\n'
    '\tMaxMessages int `default:"10240"`\n}\n'
)

PACKAGE_2 = '{"name": "tool", "version": "1.0.0", "bin": {"tool": "bin/tool.js"}}\n'


@BOTH
def test_a_variable_that_a_sentence_reads_out_of_the_environment_is_missed(repository: Make, since: str) -> None:
    repo = repository(
        {
            "README.md": "# Tool\n\n- `port` is the port. Note if process.env.PORT is set, it is used instead.\n",
            "src/app.ts": "class App {\n  private port = process.env.PORT || null;\n  private host = process.env.HOST || null;\n}\n",
        }
    )
    repo.replace("process.env.PORT", "process.env.TOOL_PORT", "src/app.ts").commit()
    assert repo.stale_lines(since=since) == {("README.md", 3)}


@BOTH
def test_a_prefix_of_two_letters_that_the_code_calls_one_takes_its_variables_along(
    repository: Make, since: str
) -> None:
    code = 'class Script(Base):\n    """Exports."""\n\n    name = "tool"\n    envvar_prefix = "QE"\n\n    def run(self):\n        return 1\n'
    text = "# Tool\n\n| Option | Environment variable |\n|---|---|\n| `--port` | `QE_PORT` |\n| `--log-level` | `QE_LOG_LEVEL` |\n"
    repo = repository({"README.md": text, "tool/__init__.py": "", "tool/main.py": code})
    repo.replace('"QE"', '"TOOL"', "tool/main.py").commit()
    assert repo.stale_lines(since=since) == {("README.md", 5), ("README.md", 6)}


@BOTH
def test_a_tag_over_several_lines_is_read_too(repository: Make, since: str) -> None:
    text = FIELD.replace(' type="string" env', '\n  type="string"\n  env')
    repo = repository({"docs/options.mdx": text, "cli.js": NODE_2, "package.json": PACKAGE})
    repo.replace("TOOL_TOKEN", "TOOL_SECRET", "cli.js").commit()
    assert repo.stale_lines(since=since) == {("docs/options.mdx", 5)}


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
def test_what_follows_a_quoted_heading_is_not_below_it(repository: Make, since: str) -> None:
    text = "# Tool\n\n> ## 1.2.5 (2015-01-15)\n>\n> Fixed bugs.\n\n### Token\n\nSet the `TOOL_GITHUB_TOKEN` variable.\n"
    repo = repository({"README.md": text, "lib/a.py": "import os\nTOKEN = os.environ['TOOL_GITHUB_TOKEN']\n"})
    repo.replace("TOOL_GITHUB_TOKEN", "TOOL_TOKEN", "lib/a.py").commit()
    assert repo.stale_lines(since=since) == {("README.md", 9)}


@BOTH
@pytest.mark.parametrize("title", ["acme-changelog-generator", "Generate changelogs from git", "Changelog generation"])
def test_what_makes_release_notes_tells_of_today(repository: Make, since: str, title: str) -> None:
    text = f"# {title}\n\nSet the `TOOL_GITHUB_TOKEN` variable.\n"
    repo = repository({"README.md": text, "lib/a.py": "import os\nTOKEN = os.environ['TOOL_GITHUB_TOKEN']\n"})
    repo.replace("TOOL_GITHUB_TOKEN", "TOOL_TOKEN", "lib/a.py").commit()
    assert repo.stale_lines(since=since) == {("README.md", 3)}


def test_a_variable_that_a_script_gives_itself_is_no_setting_of_it(repository: Make) -> None:
    page = "# Tool\n\nTags are called:\n\n- `$RELEASE` (default)\n- `$STAGE` (where to)\n"
    script = "export RELEASE=$(cat version.txt)\ntag $RELEASE ${STAGE:-test}\n"
    repo = repository({**NODE, "README.md": page, "release.sh": script, "version.txt": "1\n"})
    repo.write({"release.sh": "tag\n"}).commit()
    assert repo.stale_lines(since="HEAD~1") == {("README.md", 6)}


@BOTH
def test_what_picocli_reads_of_the_environment_is_a_variable(repository: Make, since: str) -> None:
    code = (
        'class Fetch {\n    @Option(names = "--url", defaultValue = "${env:TOOL_BASE_URL:-https://example.org}",\n'
        '        description = "Where to fetch.%nCan also be passed via TOOL_BASE_URL")\n    String url;\n}\n'
    )
    text = "# Tool\n\n```\n  --url=<url>  Where to fetch.\n               Can also be passed via TOOL_BASE_URL\n```\n"
    repo = repository({"README.md": text, "src/main/java/Fetch.java": code})
    repo.replace("TOOL_BASE_URL", "TOOL_ORIGIN", "src/main/java/Fetch.java").commit()
    assert repo.stale_lines(since=since) == {("README.md", 5)}


@BOTH
def test_a_variable_is_missed_when_the_start_of_its_name_changed(repository: Make, since: str) -> None:
    code = (
        'package command\n\nimport "os"\n\nconst envVarPrefix = "PGWEB_"\n\nfunc get(name string) string {\n'
        '\treturn os.Getenv(envVarPrefix + name)\n}\n\nvar sessions = get("SESSIONS")\n'
    )
    repo = repository({"README.md": "```sh\nPGWEB_SESSIONS=1 pgweb\n```\n", "command/options.go": code})
    repo.replace("PGWEB_", "WEB_", "command/options.go").commit()
    assert repo.stale_lines(since=since) == {("README.md", 2)}


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
    assert repo.stale_lines(since="HEAD~1") <= {("docs/self-hosting/plain.md", 3)}


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
    assert repo.stale_lines(since="HEAD~1") == {("docs/settings.md", 9)}


def test_a_variable_that_code_may_make_of_a_key_is_not_missed(repository: Make) -> None:
    page = "# Tool\n\nSet `SETTINGS_LOGGER_FORMAT` and `SETTINGS_LOGGER_DEPTH`.\n"
    code = "process.env.SETTINGS_LOGGER_FORMAT = ' ';\nprocess.env.SETTINGS_LOGGER_DEPTH = 1;\n"
    kept = "const format = Config.get('settings.loggerFormat');\n"
    repo = repository({"README.md": page, "package.json": PACKAGE_2, "src/init.ts": code, "src/app.ts": kept})
    repo.write({"src/init.ts": "start();\n"}).commit()
    assert [finding.claim for finding in repo.drifted(since="HEAD~1")] == ["SETTINGS_LOGGER_DEPTH"]


def test_a_constant_that_nothing_used_was_out_of_use_before_it_went(repository: Make) -> None:
    code = 'package app\n\nimport "os"\n\nconst (\n\tapiKey = "CORTEX_API_KEY"\n\turl = "CORTEX_URL"\n)\n\nvar u = os.Getenv(url)\n'
    page = (
        "# Set up\n\n| Name | Description |\n|---|---|\n| `CORTEX_API_KEY` | a key |\n| `CORTEX_URL` | an address |\n"
    )
    repo = repository({"docs/setup.md": page, "go.mod": "module example.org/app\n", "app.go": code})
    repo.write({"app.go": "package app\n"}).commit()
    assert repo.stale_lines(since="HEAD~1") == {("docs/setup.md", 6)}


def test_what_a_script_only_gave_and_no_program_looked_at_is_not_missed(repository: Make) -> None:
    script = "#!/bin/bash\ncat > .env << EOF\nCACHE_TTL=300\nPAGE_SIZE=20\nEOF\ndocker build .\n"
    page = "# Deploy\n\nCreate `.env`:\n\n```bash\nCACHE_TTL=300\nPAGE_SIZE=20\n```\n"
    code = 'import os\n\nSIZE = os.environ["PAGE_SIZE"]\n'
    repo = repository({"docs/deploy.md": page, "deploy/deploy.sh": script, "app.py": code})
    repo.delete("deploy/deploy.sh").write({"app.py": "SIZE = 20\n"}).commit()
    assert repo.stale_lines(since="HEAD~1") == {("docs/deploy.md", 7)}


@BOTH
def test_a_page_about_building_is_read(repository: Make, since: str) -> None:
    code = 'fn run(c: &mut Command) {\n    c.env("TOOL_STAGING_DIR", "a");\n}\n'
    page = "# Hooks\n\n- `TOOL_STAGING_DIR`: the staging folder.\n"
    cargo = '[package]\nname = "tool"\nversion = "0.1.0"\n'
    repo = repository({"guide/src/build/hooks.md": page, "Cargo.toml": cargo, "src/hooks.rs": code})
    repo.replace("TOOL_STAGING_DIR", "TOOL_STAGE_DIR", "src/hooks.rs").commit()
    assert repo.stale_lines(since=since) == {("guide/src/build/hooks.md", 3)}
