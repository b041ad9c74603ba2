"""One documented fact is refactored out of all code and none of the docs: it is found, at every mention, and mended."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.repository import Repository

_ENV = {
    "python": ("src/app/core.py", 'import os\n\nHOST = os.environ["{}"]\nKEY = os.getenv("ACME_KEY", "x")\n'),
    "javascript": ("src/core.js", 'const host = process.env.{} || "x";\nconst key = process.env.ACME_KEY;\n'),
    "typescript": (
        "src/env.ts",
        "export const env = z.object({{ {}: z.string().default('x'), ACME_KEY: z.string() }});\n",
    ),
    "go": ("core.go", 'package core\n\nvar Host = os.Getenv("{}")\nvar Key = os.Getenv("ACME_KEY")\n'),
    "rust": ("src/core.rs", 'pub fn host() -> String {{ std::env::var("{}").unwrap_or_default() }}\n'),
    "java": ("src/Core.java", 'class Core {{ String host = System.getenv("{}"); }}\n'),
    "ruby": ("lib/core.rb", 'HOST = ENV.fetch("{}", "x")\n'),
    "shell": ("bin/start.sh", 'echo "${{{}:-x}}"\n'),
    "php": ("src/core.php", "<?php $host = getenv('{}');\n"),
    "csharp": ("src/Core.cs", 'class Core {{ string h = Environment.GetEnvironmentVariable("{}"); }}\n'),
}


def _readme_of_variables() -> str:
    """Three lines about each language's variable: 1, 2 and 3 of every ten."""
    return "".join(
        f"Set `ACME_{name.upper()}_HOST`.\n\n```sh\nexport ACME_{name.upper()}_HOST=x\n```\n\n| Variable | Use |\n|---|---|\n"
        f"| `ACME_{name.upper()}_HOST` | where |\n\n"
        for name in sorted(_ENV)
    )


def _code_of_variables(ending: str) -> dict[str, str | bytes]:
    return {path: code.format(f"ACME_{name.upper()}_{ending}") for name, (path, code) in _ENV.items()}


@pytest.mark.parametrize("since", ["", "HEAD~1"], ids=["whole scan", "scan of the change"])
def test_renamed_environment_variables_are_found_at_every_mention_in_every_language(tmp_path: Path, since: str) -> None:
    repo = Repository(tmp_path, {"README.md": _readme_of_variables(), **_code_of_variables("HOST")})
    assert repo.stale_lines() == set()
    repo.write(_code_of_variables("ADDRESS")).commit("rename")
    expected = {("README.md", 10 * position + line) for position in range(len(_ENV)) for line in (1, 4, 9)}
    assert repo.stale_lines(since=since) == expected


def test_the_new_name_of_an_environment_variable_is_the_fix(tmp_path: Path) -> None:
    path, code = _ENV["python"]
    repo = Repository(tmp_path, {"README.md": "Set `ACME_HOST`.\n", path: code.format("ACME_HOST")})
    repo.write({path: code.format("ACME_ADDRESS")}).commit("rename")
    [finding] = repo.drifted()
    assert finding.fix is not None
    assert (finding.fix.replacement, finding.fix.safe) == ("ACME_ADDRESS", True)


_SETTINGS = """from pydantic_settings import BaseSettings, SettingsConfigDict


class Settings(BaseSettings):
    model_config = SettingsConfigDict(env_prefix="{prefix}")
    {field}: str = "localhost"
    pool_size: int = 5
"""


@pytest.mark.parametrize(
    ("field", "prefix"), [("database_host", "ACME_"), ("db_host", "SVC_")], ids=["a renamed field", "a renamed prefix"]
)
def test_a_variable_that_a_settings_class_makes_is_found_after(tmp_path: Path, field: str, prefix: str) -> None:
    path = "src/acme/settings.py"
    repo = Repository(
        tmp_path, {"README.md": "Set `ACME_DB_HOST`.\n", path: _SETTINGS.format(field="db_host", prefix="ACME_")}
    )
    assert repo.stale_lines() == set()
    repo.write({path: _SETTINGS.format(field=field, prefix=prefix)}).commit("rename")
    assert repo.stale_lines() == {("README.md", 1)}


_KEYS = {
    "dataclass": ("src/acme/config.py", "@dataclass\nclass Config:\n    {}: int = 3\n    log_file: str = 'a'\n"),
    "lookup": ("src/acme/config.py", "def load(config):\n    return config.get('{}', 3), config['log_file']\n"),
    "defaults": ("src/acme/config.py", "DEFAULTS = {{'{}': 3, 'log_file': 'a'}}\n"),
    "interface": ("src/config.ts", "export interface AcmeConfig {{\n  {}?: number;\n  log_file: string;\n}}\n"),
    "go tag": (
        "config.go",
        'package c\n\ntype Config struct {{\n\tA int `yaml:"{}"`\n\tB string `yaml:"log_file"`\n}}\n',
    ),
    "viper": ("config.go", 'package c\n\nfunc init() {{ viper.SetDefault("{}", 3); viper.GetString("log_file") }}\n'),
    "serde": (
        "src/config.rs",
        "#[derive(Deserialize)]\npub struct Config {{\n    pub {}: u32,\n    pub log_file: String,\n}}\n",
    ),
    "spring": ("src/C.java", 'class C {{ @Value("${{{}:3}}") int a; @Value("${{log_file}}") String b; }}\n'),
}


def _readme_of_keys() -> str:
    names = [f"{sort.replace(' ', '_')}_limit" for sort in sorted(_KEYS)]
    table = "".join(f"| `{name}` | int |\n" for name in names)
    block = "".join(f"{name}: 3\n" for name in names)
    prose = "".join(f"Raise `{name}` on a bad line.\n" for name in names)
    return f"## Configuration\n\n| Key | Type |\n|---|---|\n{table}\n```yaml\n{block}```\n\n{prose}"


def _code_of_keys(ending: str) -> dict[str, str | bytes]:
    return {
        f"{sort.replace(' ', '')}/{path}": code.format(f"{sort.replace(' ', '_')}_{ending}")
        for sort, (path, code) in _KEYS.items()
    }


@pytest.mark.parametrize("since", ["", "HEAD~1"], ids=["whole scan", "scan of the change"])
def test_renamed_configuration_keys_are_found_at_every_mention(tmp_path: Path, since: str) -> None:
    readme = _readme_of_keys()
    repo = Repository(tmp_path, {"README.md": readme, **_code_of_keys("limit")})
    assert repo.stale_lines() == set()
    repo.write(_code_of_keys("attempts")).commit("rename")
    assert repo.stale_lines(since=since) == {
        ("README.md", n) for n, line in enumerate(readme.splitlines(), 1) if "_limit" in line
    }


def test_a_renamed_kebab_case_key_is_found_although_its_words_occur(tmp_path: Path) -> None:
    code = '#[derive(Deserialize)]\npub struct Config {{\n    #[serde(rename = "{}")]\n    pub x: u32,\n}}\n// retry, limit\n'
    readme = "# Acme\n\n## Configuration\n\n```toml\n[acme]\nretry-limit = 3\n```\n"
    repo = Repository(tmp_path, {"README.md": readme, "src/config.rs": code.format("retry-limit")})
    repo.write({"src/config.rs": code.format("most-attempts")}).commit("rename")
    assert repo.stale_lines() == {("README.md", 7)}


_DEFAULTS = {
    "argparse": (
        "src/acme/cli.py",
        'import argparse\np = argparse.ArgumentParser()\np.add_argument("--port", default={})\n',
    ),
    "click": (
        "src/acme/cli.py",
        'import click\n\n@click.command()\n@click.option("--port", default={})\ndef main(port): pass\n',
    ),
    "environ": ("src/acme/cli.py", 'import os\nPORT = int(os.environ.get("ACME_PORT", "{}"))\n'),
    "settings": ("src/acme/cli.py", "class Settings(BaseSettings):\n    acme_port: int = {}\n"),
    "javascript": ("src/cli.js", "const port = process.env.ACME_PORT || {};\n"),
    "go": ("cli.go", 'package c\n\nfunc f() {{ p := getEnv("ACME_PORT", "{}") }}\n'),
    "rust": ("src/cli.rs", 'fn f() {{ let p = env::var("ACME_PORT").unwrap_or("{}".to_string()); }}\n'),
}


def _code_of_defaults(value: int) -> dict[str, str | bytes]:
    named = {
        sort: code.replace("ACME_PORT", f"ACME_{sort.upper()}_SIZE").replace("--port", f"--{sort}-size")
        for sort, (_, code) in _DEFAULTS.items()
    }
    return {
        f"{sort}/{path}": named[sort].replace("acme_port", f"acme_{sort}_size").format(value)
        for sort, (path, _) in _DEFAULTS.items()
    }


@pytest.mark.parametrize("since", ["", "HEAD~1"], ids=["whole scan", "scan of the change"])
def test_changed_defaults_are_found_in_a_table(tmp_path: Path, since: str) -> None:
    subjects = [
        f"--{sort}-size" if sort in ("argparse", "click") else f"ACME_{sort.upper()}_SIZE" for sort in sorted(_DEFAULTS)
    ]
    readme = "| Option | Default |\n|---|---|\n" + "".join(f"| `{subject}` | `7070` |\n" for subject in subjects)
    repo = Repository(tmp_path, {"README.md": readme, **_code_of_defaults(7070)})
    assert repo.stale_lines() == set()
    repo.write(_code_of_defaults(9191)).commit("change")
    findings = repo.drifted(since=since)
    assert [(f.rule, f.line, f.claim) for f in findings] == [
        ("wrong-default", n + 3, "7070") for n in range(len(subjects))
    ]
    assert {f.fix.replacement for f in findings if f.fix} == {"9191"}


_SENTENCES = [
    "- `timeout` (int, default `30`): how long",
    "- `timeout`: how long, defaults to 30 seconds",
    "The default of `timeout` is 30.",
    "By default, `timeout` is 30.",
    "`timeout` is set to 30 by default.",
    "How long to wait is told by `timeout` (default: 30).",
    "```yaml\ntimeout: 30  # default\n```",
    "```yaml\n# default: 30\ntimeout: 60\n```",
    "These are the defaults:\n\n```toml\ntimeout = 30\n```",
    "| Setting | Meaning |\n|---|---|\n| `timeout` | seconds, defaults to `30` |",
    "### `timeout`\n\nDefault: `30`",
]


def test_changed_defaults_are_found_however_they_are_told(tmp_path: Path) -> None:
    names = [f"{letter * 3}_timeout" for letter in "abcdefghijk"]
    told = "\n\n".join(sentence.replace("timeout", name) for sentence, name in zip(_SENTENCES, names, strict=True))
    code = "@dataclass\nclass Config:\n" + "".join(f"    {name}: float = {{0}}\n" for name in names)
    repo = Repository(tmp_path, {"README.md": f"# Acme\n\n{told}\n", "src/acme/config.py": code.format("30.0")})
    assert repo.stale_lines() == set()
    repo.write({"src/acme/config.py": code.format("45.0")}).commit("change")
    findings = repo.drifted()
    assert [(f.rule, f.claim) for f in findings] == [("wrong-default", "30")] * len(_SENTENCES)
    assert [f.message.split("`")[1] for f in findings] == names


def test_a_changed_default_of_a_parameter_is_found_in_a_signature(tmp_path: Path) -> None:
    code = "def connect(host, timeout={}):\n    pass\n\n\ndef other(timeout=30):\n    pass\n"
    repo = Repository(
        tmp_path, {"README.md": "Call `connect(host, timeout=30)`.\n", "src/acme/net.py": code.format(30)}
    )
    assert repo.stale_lines() == set()
    repo.write({"src/acme/net.py": code.format(60)}).commit("change")
    assert repo.stale_lines() == {("README.md", 1)}


def test_a_changed_port_is_found_in_addresses_and_sentences(tmp_path: Path) -> None:
    readme = "# Acme\n\nIt listens on port 7070.\n\n```sh\ncurl http://localhost:7070/\n```\n\nOpen <http://localhost:3000> too.\n"
    repo = Repository(tmp_path, {"README.md": readme, "src/server.js": "app.listen(7070);\n"})
    assert repo.stale_lines() == set()
    repo.replace("7070", "9191", "src/server.js").commit("change")
    assert repo.stale_lines() == {("README.md", 3), ("README.md", 6)}


def test_a_default_is_found_where_the_thing_is_named_in_another_sentence(tmp_path: Path) -> None:
    readme = (
        "The default limit is a maximum of `30` hops, see `--max-hops=<n>`.\n\n"
        "The probe logger defaults to `info` filtering. Control it with `--log.prober`.\n\n"
        "Use `40` by all means; `--max-hops` takes any number.\n"
    )
    code = (
        "import argparse\n\nparser = argparse.ArgumentParser()\n"
        'parser.add_argument("--max-hops", type=int, default={})\nparser.add_argument("--log.prober", default="{}")\n'
    )
    repo = Repository(tmp_path, {"README.md": readme, "src/acme/cli.py": code.format(30, "info")})
    assert repo.stale_lines() == set()
    repo.write({"src/acme/cli.py": code.format(60, "warning")}).commit("change")
    assert repo.stale_lines() == {("README.md", 1), ("README.md", 3)}


def test_a_default_that_the_environment_may_replace_is_a_default_of_the_variable_and_a_port(tmp_path: Path) -> None:
    readme = (
        "* `QUERY_PORT`: port of the API; defaults to 9411\n\nBy default, `${QUERY_PORT}` is 9411.\n\n"
        "Others reach it at `http://acme:9411/api`.\n"
    )
    config = "server:\n  port: ${{QUERY_PORT:{}}}\n"
    repo = Repository(
        tmp_path, {"README.md": readme, "pom.xml": "<project/>\n", "src/main/resources/app.yml": config.format(9411)}
    )
    assert repo.stale_lines() == set()
    repo.write({"src/main/resources/app.yml": config.format(9522)}).commit("change")
    assert repo.stale_lines() == {("README.md", 1), ("README.md", 3), ("README.md", 5)}


_PUT_IN = {
    "go": (
        "core.go",
        "package core\n\nfunc fill(c *Config) {{\n\tif c.WaitTime == 0 {{\n\t\tc.WaitTime = {}\n\t}}\n}}\n",
    ),
    "go constant": ("core.go", "package core\n\nconst DefaultWaitTime = {} * time.Second\n"),
    "rust": ("src/core.rs", "pub fn wait(o: &Options) -> u64 {{\n    o.wait_time.unwrap_or({})\n}}\n"),
    "javascript": ("src/core.js", "const wait = options.waitTime === undefined ? {} : options.waitTime\n"),
    "javascript object": ("src/core.js", "const all = Object.assign({{ waitTime: {} }}, options)\n"),
    "python": ("src/acme/core.py", "def run(wait_time=None):\n    if wait_time is None:\n        wait_time = {}\n"),
    "python or": ("src/acme/core.py", "def run(wait_time=None):\n    wait_time = wait_time or {}\n"),
}


@pytest.mark.parametrize("language", _PUT_IN)
def test_a_default_that_code_puts_in_where_nothing_is_given_is_followed(tmp_path: Path, language: str) -> None:
    path, code = _PUT_IN[language]
    readme = "- `wait_time`: seconds to wait. Defaults to `30`.\n"
    repo = Repository(tmp_path, {"README.md": readme, path: code.format(30)})
    assert repo.stale_lines() == set()
    repo.write({path: code.format(45)}).commit("change")
    assert repo.stale_lines() == {("README.md", 1)}


def test_a_manual_page_does_not_keep_a_variable_alive(tmp_path: Path) -> None:
    code = 'import os\n\nHOST = os.environ["{}"]\n'
    repo = Repository(
        tmp_path,
        {"README.md": "Set `ACME_HOST`.\n", "man/acme.1": ".B ACME_HOST\n", "src/acme/a.py": code.format("ACME_HOST")},
    )
    repo.write({"src/acme/a.py": code.format("ACME_SERVER")}).commit("rename")
    assert repo.stale_lines() == {("README.md", 1)}


def test_a_key_is_gone_although_the_field_is_still_called_alike(tmp_path: Path) -> None:
    code = (
        'package core\n\ntype Config struct {{\n\tFailIfMatches []string `yaml:"{}"`\n\tName string `yaml:"name"`\n}}\n'
    )
    readme = "# Configuration\n\n```yaml\nfail_if_matches: []\n```\n"
    repo = Repository(tmp_path, {"README.md": readme, "core.go": code.format("fail_if_matches")})
    repo.write({"core.go": code.format("fail_if_hits")}).commit("rename")
    assert repo.stale_lines() == {("README.md", 4)}


def test_a_key_is_found_in_headings_cross_references_and_examples_of_configuration_files(tmp_path: Path) -> None:
    document = (
        "Settings\n========\n\noauth_secret\n------------\n\nSee also :ref:`oauth_secret`.\n\n"
        "An example configuration file:\n\n.. code-block:: python\n\n    oauth_secret = 'x'\n"
    )
    code = 'DEFAULTS = {{"{}": None, "oauth_key": None}}\n'
    repo = Repository(tmp_path, {"docs/auth.rst": document, "src/acme/options.py": code.format("oauth_secret")})
    assert repo.stale_lines() == set()
    repo.write({"src/acme/options.py": code.format("oauth_credential")}).commit("rename")
    assert repo.stale_lines() == {("docs/auth.rst", line) for line in (4, 7, 13)}
