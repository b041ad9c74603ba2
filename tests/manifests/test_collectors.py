"""What manifests yield."""

from __future__ import annotations

import pytest

from docalign_actors.engine.code.manifests import pyfiles
from docalign_actors.engine.code.reader import read_facts
from docalign_actors.engine.code.source import Source
from docalign_actors.engine.facts import FileFacts


def facts_of(path: str, text: str) -> FileFacts:
    return read_facts(path, text.encode())


def scripts(facts: FileFacts) -> set[tuple[str, str]]:
    return {(script.runner, script.name) for script in facts.scripts}


def versions(facts: FileFacts) -> set[tuple[str, str, str]]:
    return {(version.subject, version.spec, version.origin) for version in facts.versions}


def python_manifest(path: str, text: str) -> FileFacts:
    facts = FileFacts(language="python")
    pyfiles.collect(Source(path, "python", text.encode()), facts)
    return facts


def test_a_pyproject_gives_package_scripts_and_versions_with_their_lines() -> None:
    text = """[project]
name = "acme"
version = "1.2.0"
requires-python = ">=3.10"
license = "MIT"
dependencies = [
    "Click>=8.0",
    "rich",
]
classifiers = ["Programming Language :: Python :: 3.10"]

[project.optional-dependencies]
web = ["uvicorn[standard]>=0.30"]

[project.scripts]
acme = "acme.cli:main"

[dependency-groups]
dev = ["pytest>=8"]
"""
    facts = facts_of("pyproject.toml", text)
    assert facts.package == "acme"
    assert facts.licence == "MIT"
    assert scripts(facts) == {("console", "acme"), ("extra acme", "web")}
    assert versions(facts) == {
        ("self", "1.2.0", "self"),
        ("python", ">=3.10", "requires"),
        ("python", "3.10", "classifier"),
        ("click", ">=8.0", "dependency"),
        ("rich", "", "dependency"),
        ("uvicorn", ">=0.30", "optional"),
        ("pytest", ">=8", "dev"),
    }
    assert {v.subject: v.line for v in facts.versions if v.subject in ("click", "rich")} == {"click": 7, "rich": 8}


def test_task_runners_of_a_pyproject_are_told_apart() -> None:
    text = """[tool.poetry]
name = "acme"
[tool.poetry.dependencies]
python = "^3.9"
[tool.poetry.scripts]
run = "acme:run"
[tool.poe.tasks]
lint = "ruff check"
fmt = { cmd = "ruff format" }
[tool.pdm.scripts]
start = "flask run"
[tool.taskipy.tasks]
t = "pytest"
[tool.hatch.envs.default.scripts]
cov = "pytest --cov"
[tool.hatch.envs.docs.scripts]
build = "mkdocs build"
[tool.tox]
env_list = ["py{310,311}", "lint"]
"""
    facts = facts_of("pyproject.toml", text)
    assert scripts(facts) == {
        ("console", "run"),
        ("poe", "lint"),
        ("poe", "fmt"),
        ("pdm", "start"),
        ("taskipy", "t"),
        ("hatch", "default:cov"),
        ("hatch", "cov"),
        ("hatch", "docs:build"),
        ("tox", "py310"),
        ("tox", "py311"),
        ("tox", "lint"),
    }
    assert ("python", "^3.9", "requires") in versions(facts)


def test_a_package_json_gives_scripts_binaries_and_engines() -> None:
    facts = facts_of(
        "package.json",
        """{
  "name": "@acme/tool", "version": "2.0.1", "license": "Apache-2.0",
  "bin": "cli.js",
  "scripts": { "build": "tsc", "test": "vitest" },
  "engines": { "node": ">=18" },
  "packageManager": "pnpm@9.1.0+sha512.abc",
  "dependencies": { "express": "^4.18.0", "local": "workspace:*" }
}""",
    )
    assert facts.package == "@acme/tool"
    assert facts.licence == "Apache-2.0"
    assert scripts(facts) == {("console", "tool"), ("npm", "build"), ("npm", "test")}
    assert versions(facts) == {
        ("self", "2.0.1", "self"),
        ("node", ">=18", "requires"),
        ("pnpm", "9.1.0", "toolchain"),
        ("express", "^4.18.0", "dependency"),
    }
    assert next(v.line for v in facts.versions if v.subject == "node") == 5


def test_json_may_have_comments_trailing_commas_and_repeated_keys() -> None:
    facts = facts_of(
        "config/app.json", '{\n // a comment\n "port": 1, /* more\n */ "port": 8080,\n "log": {"level": "info",},\n}'
    )
    assert {(k.name, k.line, k.default) for k in facts.keys} == {
        ("port", 4, "8080"),
        ("log", 5, None),
        ("log.level", 5, "info"),
    }


def test_a_cargo_manifest_gives_versions_features_and_binaries() -> None:
    facts = facts_of(
        "Cargo.toml",
        """[package]
name = "grep"
version = "0.4.1"
edition = "2021"
rust-version = "1.70"
license = "MIT OR Apache-2.0"

[[bin]]
name = "rg"

[[bin]]
name = "rg2"

[features]
pcre2 = []

[dependencies]
serde = { version = "1.0", optional = true }
log = "0.4"
""",
    )
    assert facts.package == "grep"
    assert facts.licence == "MIT OR Apache-2.0"
    assert [(s.name, s.line) for s in facts.scripts] == [("rg", 9), ("rg2", 12)]
    assert {k.name for k in facts.keys} == {"pcre2", "serde"}
    assert ("rust", "1.70", "requires") in versions(facts)
    assert ("log", "0.4", "dependency") in versions(facts)


def test_a_go_module_gives_path_version_and_requirements() -> None:
    facts = facts_of(
        "go.mod",
        "module example.org/acme\n\ngo 1.21\n\nrequire (\n\tgithub.com/a/b v1.2.3\n\tgithub.com/c/d v0.1.0 // indirect\n)\n",
    )
    assert facts.package == "example.org/acme"
    assert versions(facts) == {
        ("go", "1.21", "requires"),
        ("github.com/a/b", "v1.2.3", "dependency"),
        ("github.com/c/d", "v0.1.0", "indirect"),
    }


def test_a_makefile_gives_targets_and_not_assignments() -> None:
    facts = facts_of(
        "Makefile",
        "CC := gcc\nPORT ?= 8080\nNAMES = one two\n.PHONY: all test\nall: test\n\techo a: b\ntest lint:: x\n"
        "%.o: %.c\n\tcc\n$(NAMES): x\nurl=http://x\ndefine block\nnot: this\nendef\nbin/tool: main.c\n",
    )
    assert {s.name for s in facts.scripts} == {"all", "test", "lint", "one", "two", "bin/tool"}
    assert facts.opaque == ["scripts %.o"]
    assert [(e.name, e.default) for e in facts.env] == [("PORT", "8080")]


@pytest.mark.parametrize("text", ["include other.mk\nall:\n", "$(UNKNOWN): x\n", "run-%: x\n"])
def test_a_makefile_that_may_define_more_targets_is_opaque(text: str) -> None:
    assert "scripts" in facts_of("Makefile", text).opaque


def test_a_justfile_gives_recipes_and_aliases() -> None:
    facts = facts_of(
        "justfile",
        'set shell := ["bash"]\nversion := "1"\nalias b := build\n# c\nbuild target="x": dep\n  cargo build\n@test *ARGS:\n  x: y\n',
    )
    assert {s.name for s in facts.scripts} == {"b", "build", "test"}
    assert "scripts" in facts_of("justfile", "import 'other.just'\na:\n").opaque


def test_a_tox_file_gives_every_generated_environment() -> None:
    facts = facts_of("tox.ini", "[tox]\nenvlist =\n    py{39,310}-{a,b}\n    lint  # c\n[testenv:docs]\ncommands = x\n")
    assert {s.name for s in facts.scripts} == {"py39-a", "py39-b", "py310-a", "py310-b", "lint", "docs"}


def test_a_setup_py_is_read_as_far_as_it_is_written_out() -> None:
    facts = python_manifest(
        "setup.py",
        'REQ = ["click>=7"]\nsetup(name="acme", version=read(), python_requires=">=3.8", install_requires=REQ,\n'
        '  entry_points={"console_scripts": ["acme = acme.cli:main"]}, license="MIT")\n',
    )
    assert facts.package == "acme"
    assert facts.licence == "MIT"
    assert versions(facts) == {("python", ">=3.8", "requires"), ("click", ">=7", "dependency")}
    assert scripts(facts) == {("console", "acme")}


def test_an_environment_of_tox_may_have_nothing_of_its_own() -> None:
    facts = facts_of("tox.ini", "[testenv]\ncommands = x\n[testenv:wheel]\n\n[testenv:sdist]\nwheel = False\n")
    assert scripts(facts) == {("tox", "wheel"), ("tox", "sdist")}


def test_entry_points_may_be_written_as_an_ini_file() -> None:
    facts = python_manifest(
        "setup.py",
        'setup(entry_points="""\n  [console_scripts]\n  acme=acme.cli:main\n  [acme.plugins]\n  x = a:b\n""")\n',
    )
    assert scripts(facts) == {("console", "acme")}


def test_a_noxfile_gives_sessions_by_their_names() -> None:
    facts = python_manifest(
        "noxfile.py",
        'import nox\n@nox.session(python=["3.10", "3.11"])\ndef tests(s): ...\n@nox.session(name="lint-all")\ndef lint(s): ...\ndef no(): ...\n',
    )
    assert {s.name for s in facts.scripts} == {"tests", "tests-3.10", "tests-3.11", "lint-all"}


def test_a_python_file_of_another_name_yields_nothing() -> None:
    assert python_manifest("app.py", "setup(name='x')") == FileFacts(language="python")


def test_a_compose_file_gives_services_ports_and_variables() -> None:
    facts = facts_of(
        "docker-compose.yml",
        "services:\n  web:\n    image: acme/web:1.2\n    ports:\n      - '8080:80'\n      - ${PORT:-9000}:9000\n    environment:\n      DEBUG: 'true'\n"
        "  db:\n    image: postgres:16\n    environment:\n      - POSTGRES_PASSWORD=secret\n",
    )
    assert scripts(facts) == {("compose", "web"), ("compose", "db")}
    assert {(p.number, p.name) for p in facts.ports} == {(8080, "web"), (80, "web"), (9000, "web")}
    assert {(e.name, e.default) for e in facts.env} == {
        ("DEBUG", "true"),
        ("PORT", "9000"),
        ("POSTGRES_PASSWORD", "secret"),
    }
    assert ("postgres", "16", "image") in versions(facts)


def test_a_dockerfile_gives_variables_ports_and_images() -> None:
    facts = facts_of(
        "Dockerfile",
        "FROM python:3.11-slim AS base\nARG MODE=prod\nENV A=1 \\\n    B='two words'\nENV OLD style\nEXPOSE 8000/tcp 9000\n",
    )
    assert {(e.name, e.default) for e in facts.env} == {
        ("MODE", "prod"),
        ("A", "1"),
        ("B", "two words"),
        ("OLD", "style"),
    }
    assert [p.number for p in facts.ports] == [8000, 9000]
    assert versions(facts) == {("python", "3.11-slim", "image")}


def test_an_env_example_gives_values_and_commented_variables() -> None:
    facts = facts_of(".env.example", '# A comment\nPORT=8080 # c\nexport URL="http://x"\n# DEBUG=1\n# note = this\n')
    assert {(e.name, e.default) for e in facts.env} == {("PORT", "8080"), ("URL", "http://x"), ("DEBUG", "1")}


def test_a_pom_gives_artefact_java_and_dependencies() -> None:
    facts = facts_of(
        "pom.xml",
        "<project>\n<!-- <version>9</version> -->\n<artifactId>acme</artifactId>\n<version>1.0.0</version>\n<properties><java.version>17</java.version>"
        "<x.v>2.3</x.v></properties>\n<dependencies><dependency><artifactId>gson</artifactId><version>${x.v}</version></dependency></dependencies></project>",
    )
    assert facts.package == "acme"
    assert versions(facts) == {("self", "1.0.0", "self"), ("java", "17", "requires"), ("gson", "2.3", "dependency")}


def test_a_gradle_build_gives_java_tasks_and_version() -> None:
    facts = facts_of(
        "build.gradle.kts",
        'version = "1.2.3"\njava { sourceCompatibility = JavaVersion.VERSION_17 }\ntasks.register("bench") { }\n',
    )
    assert versions(facts) == {("self", "1.2.3", "self"), ("java", "17", "requires")}
    assert scripts(facts) == {("gradle", "bench")}


def test_the_java_of_one_task_of_a_gradle_build_is_not_the_projects() -> None:
    task = "val moduleInfo by registering(JavaCompile::class) {\n  sourceCompatibility = JavaVersion.VERSION_1_9\n}\n"
    function = "fun Project.tune() {\n  java { targetCompatibility = JavaVersion.VERSION_11 }\n}\n"
    facts = facts_of("build.gradle.kts", f"{task}{function}java {{ sourceCompatibility = JavaVersion.VERSION_17 }}\n")
    assert versions(facts) == {("java", "17", "requires")}


def test_mkdocs_navigation_is_resolved_against_its_docs_folder() -> None:
    facts = facts_of(
        "site/mkdocs.yml",
        "docs_dir: content\nnav:\n  - Home: index.md\n  - Guide:\n      - guide/a.md\n      - Web: https://x.y\n",
    )
    assert facts.navigation == [("site/content/index.md", 3), ("site/content/guide/a.md", 5)]
    assert facts.opaque == []
    assert (
        "navigation"
        in facts_of("mkdocs.yml", "nav:\n  - a.md\nplugins:\n  - gen-files:\n      scripts: [x.py]\n").opaque
    )


def test_an_openapi_file_gives_routes() -> None:
    yaml = "openapi: 3.0.0\npaths:\n  /users/{id}:\n    get:\n      operationId: show\n    delete: {}\n"
    assert [(r.method, r.path) for r in facts_of("api/openapi.yaml", yaml).routes] == [
        ("GET", "/users/{id}"),
        ("DELETE", "/users/{id}"),
    ]
    assert len(facts_of("api.json", '{"swagger": "2.0", "paths": {"/a": {"post": {}}}}').routes) == 1


def test_a_json_schema_gives_keys_with_defaults() -> None:
    text = '{"$schema": "https://json-schema.org/draft-07/schema", "properties": {"server": {"properties": {"port": {"default": 8080}}}}}'
    keys = facts_of("config.schema.json", text).keys
    assert {(k.name, k.default, k.origin) for k in keys} == {
        ("server", None, "schema"),
        ("server.port", "8080", "schema"),
    }


def test_configuration_of_other_tools_gives_no_keys() -> None:
    assert facts_of(".pre-commit-config.yaml", "repos: []\n").keys == []
    assert facts_of("app/config.yaml", "port: 1\n").keys != []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Permission is hereby granted, free of charge, to any person obtaining a copy of this software", "MIT"),
        ("Apache License\nVersion 2.0, January 2004", "Apache-2.0"),
        (
            "GNU GENERAL PUBLIC LICENSE\nVersion 3, 29 June 2007 … the GNU Affero General Public License version 3",
            "GPL-3.0",
        ),
        ("GNU LESSER GENERAL PUBLIC LICENSE\nVersion 2.1 … GNU General Public License version 2", "LGPL-2.1"),
        (
            "Redistributions of source code must retain the above copyright notice. Neither the name of the",
            "BSD-3-Clause",
        ),
        ("Redistributions of source code must retain the above copyright notice.", "BSD-2-Clause"),
        ("This is free and unencumbered software released into the public domain.", "Unlicense"),
        ("All rights reserved.", ""),
    ],
)
def test_a_licence_is_known_by_its_text(text: str, expected: str) -> None:
    assert facts_of("LICENSE", text).licence == expected


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        (".python-version", "3.11.4\n", ("python", "3.11.4")),
        (".nvmrc", "v20\n", ("node", "20")),
        (".tool-versions", "nodejs 20.1.0\n", ("node", "20.1.0")),
        ("rust-toolchain.toml", '[toolchain]\nchannel = "1.70"\n', ("rust", "1.70")),
        ("rust-toolchain", "1.71.0\n", ("rust", "1.71.0")),
    ],
)
def test_version_files_give_what_developers_use(path: str, text: str, expected: tuple[str, str]) -> None:
    assert [(v.subject, v.spec) for v in facts_of(path, text).versions] == [expected]
