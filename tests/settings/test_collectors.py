"""What collectors read from one file of each language."""

from __future__ import annotations

import importlib

import pytest

from docalign_actors.engine.code.reader import language_of
from docalign_actors.engine.code.settings.common import unquote
from docalign_actors.engine.code.source import Source
from docalign_actors.engine.facts import FileFacts

_MODULES = {"typescript": "javascript", "tsx": "javascript"}


def _read(path: str, text: str) -> FileFacts:
    language = language_of(path)
    named = _MODULES.get(language, language)
    module = named if named in ("python", "javascript", "go", "rust", "java") else "names"
    facts = FileFacts(language=language)
    importlib.import_module(f"docalign_actors.engine.code.settings.{module}").collect(
        Source(path, language, text.encode()), facts
    )
    return facts


_VARIABLES = [
    ("a.py", 'os.environ.get("PORT", "80")', ("PORT", "80", False)),
    ("a.py", 'SIZE = 5\nos.getenv("A_B", SIZE)', ("A_B", "5", False)),
    ("a.py", 'os.environ.get("A_B") or 7', ("A_B", "7", False)),
    ("a.py", 'env.int("WORKERS", default=4)', ("WORKERS", "4", False)),
    ("a.py", 'NAME = "A_B"', ("A_B", None, False)),
    ("a.py", 'os.environ[f"APP_{name}"]', ("APP_", None, True)),
    ("a.py", 'main(auto_envvar_prefix="APP")', ("APP_", None, True)),
    ("a.py", "class S(BaseSettings):\n    port: int = Field(80, alias='x')", ("PORT", "80", False)),
    ("a.js", "const { HOST = '0.0.0.0' } = process.env;", ("HOST", "0.0.0.0", False)),
    ("a.js", "parseInt(process.env.PORT || '3000', 10)", ("PORT", "3000", False)),
    ("a.ts", "process.env['API_KEY'] ?? 'x'", ("API_KEY", "x", False)),
    ("a.ts", "const env = z.object({\n  TTL: z.number().default(60),\n})", ("TTL", "60", False)),
    ("a.go", 'package a\nvar x = getEnv("HOST", "b")', ("HOST", "b", False)),
    ("a.go", 'package a\ntype C struct {\n P int `env:"PORT" envDefault:"80"`\n}', ("PORT", "80", False)),
    ("a.go", 'package a\nfunc f() { viper.SetEnvPrefix("app") }', ("APP_", None, True)),
    ("a.rs", 'fn f() { env::var("PORT").unwrap_or_else(|_| "80".to_string()); }', ("PORT", "80", False)),
    ("a.rs", 'const X: &str = env!("BUILD");', ("BUILD", None, False)),
    ("A.java", 'class A { String x = System.getenv().getOrDefault("A_B", "c"); }', ("A_B", "c", False)),
    ("a.rb", 'ENV.fetch("PORT", 3000)', ("PORT", "3000", False)),
    ("a.php", "<?php env('APP_NAME', 'x');", ("APP_NAME", "x", False)),
    ("a.sh", "echo ${PORT:-80}", ("PORT", "80", False)),
]


@pytest.mark.parametrize(("path", "text", "expected"), _VARIABLES)
def test_a_variable_is_read_with_its_default(path: str, text: str, expected: tuple[str, str | None, bool]) -> None:
    assert expected in [(v.name, v.default, v.prefix) for v in _read(path, text).env]


_KEYS = [
    ("a.py", 'config.get("server.port", 80)', ("server.port", "80")),
    ("a.py", 'cfg.getint("main", "size", fallback=3)', ("main.size", "3")),
    ("a.py", 'DEFAULTS = {"a": {"b": 1}}', ("a.b", "1")),
    ("a.py", "class AppConfig:\n    size: int = 10 * 1024", ("size", "10 * 1024")),
    ("a.ts", "interface AppOptions {\n  /** @default 5 */\n  size?: number\n}", ("size", "5")),
    ("a.js", "const defaults = { a: { b: true } };", ("a.b", "true")),
    ("a.js", "function f({ depth = 3 } = {}) {}", ("depth", "3")),
    ("a.js", "const w = options.width ?? 80;", ("width", "80")),
    ("a.go", 'package a\nfunc f() { viper.SetDefault("a.b", 5) }', ("a.b", "5")),
    (
        "a.go",
        'package a\ntype Config struct {\n T int `yaml:"t_s"`\n}\nvar c = Config{T: 30 * time.Second}',
        ("t_s", "30 * time.Second"),
    ),
    (
        "a.rs",
        '#[derive(Deserialize)]\n#[serde(rename_all = "kebab-case")]\nstruct C { max_size: u8 }',
        ("max-size", None),
    ),
    ("a.rs", "impl Default for C { fn default() -> Self { Self { port: 80 } } }", ("port", "80")),
    ("A.java", 'class A { @Value("${a.b:c}") String x; }', ("a.b", "c")),
    ("A.java", '@ConfigurationProperties(prefix = "a")\nclass P { int maxSize = 3; }', ("a.max-size", "3")),
]


@pytest.mark.parametrize(("path", "text", "expected"), _KEYS)
def test_a_key_is_read_with_its_default(path: str, text: str, expected: tuple[str, str | None]) -> None:
    assert expected in [(k.name, k.default) for k in _read(path, text).keys]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.js", "app.listen(4000)"),
        ("a.py", "uvicorn.run(app, port=4000)"),
        ("a.go", 'package a\nvar _ = http.ListenAndServe(":4000", nil)'),
    ],
)
def test_a_port_that_code_binds_is_read(path: str, text: str) -> None:
    assert [port.number for port in _read(path, text).ports] == [4000]


def test_a_name_in_a_comment_is_no_variable() -> None:
    assert _read("a.py", '# os.environ["OLD_NAME"]\n').env == []


@pytest.mark.parametrize("path", ["a.py", "a.js", "a.go", "a.rs", "A.java", "a.rb"])
def test_hostile_text_is_survived(path: str) -> None:
    for text in ("{" * 5000, '"A_B' * 2000, "config.get(" * 3000, "\ufffd\0\x01" * 500):
        _read(path, text)


@pytest.mark.parametrize(
    ("text", "content"), [("retries", "retries"), ('"b"', "b"), ("r'x'", "x"), ('r#"y"#', "y"), ('"""z"""', "z")]
)
def test_only_quotes_and_their_prefixes_are_taken_off(text: str, content: str) -> None:
    assert unquote(text) == content
