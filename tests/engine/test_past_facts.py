"""Earlier versions of files: what is read of them, and when."""

from __future__ import annotations

import pytest

from docalign_actors.engine.code.reader import FactReading, read_facts
from docalign_actors.engine.facts import FileFacts
from docalign_actors.engine.past import Past

_SAMPLES = {
    "app/cli.py": b'import os\nimport click\n\nPORT = int(os.environ.get("APP_PORT", "8080"))\n\n'
    b'@click.command()\n@click.option("--dry-run", default=False)\ndef serve(dry_run: bool) -> None: ...\n',
    "app/web.py": b'from fastapi import FastAPI, APIRouter\napi = APIRouter(prefix="/v1")\n'
    b'@api.get("/items")\ndef items(): ...\napp = FastAPI()\napp.include_router(api)\n',
    "setup.py": b'from setuptools import setup\nsetup(name="tool", version="1.2", entry_points={"console_scripts": ["tool=app:main"]})\n',
    "server.js": b'const express = require("express")\nconst users = require("./users")\nconst app = express()\n'
    b'app.get("/health", h)\napp.use("/users", users)\napp.listen(process.env.PORT || 3000)\n',
    "main.go": b'package main\nimport "flag"\nvar port = flag.Int("port", 8080, "p")\nfunc Serve(addr string) {}\n',
    "src/lib.rs": b'use axum::Router;\npub fn app() -> Router { Router::new().route("/x", get(show)) }\nfn show() {}\n',
    "App.java": b'class App { static final int PORT = 80; void run(String name) { System.getenv("APP_HOME"); } }\n',
    "package.json": b'{"name": "tool", "version": "1.0.0", "scripts": {"build": "tsc"}}\n',
    "docker-compose.yml": b'services:\n  web:\n    image: redis:7\n    ports: ["8080:80"]\n    environment:\n      APP_KEY: x\n',
    "big.py": b"x = '" + b"a" * 30_000 + b"'\n",
}


@pytest.mark.parametrize("path", _SAMPLES)
@pytest.mark.parametrize("field", [f for f in FileFacts.__struct_fields__ if f != "notes"])
def test_a_field_that_is_read_alone_is_the_same_as_in_the_whole(path: str, field: str) -> None:
    whole = getattr(read_facts(path, _SAMPLES[path]), field)
    assert FactReading(path, lambda: _SAMPLES[path]).field(field) == whole


def test_only_the_collectors_of_the_field_that_is_looked_at_run() -> None:
    reading = FactReading("app/cli.py", lambda: _SAMPLES["app/cli.py"])
    assert [d.name for d in reading.field("definitions")] == ["PORT", "serve"]  # type: ignore[attr-defined]
    assert not reading.facts.options
    assert reading.field("options")
    assert not reading.facts.env


def test_a_field_that_no_collector_of_the_language_makes_costs_no_reading() -> None:
    def refuse() -> bytes:
        raise AssertionError("the file was read")

    assert FactReading("main.go", refuse).field("scripts") == []


def test_a_claim_that_waits_for_what_another_one_asked_is_judged_again() -> None:
    past = Past()
    past.files("load_items")
    past.asked = False
    assert past.awaits("other", "load_items")
    assert past.asked
    past.answer({}, {}, {}, {})
    past.asked = False
    assert not past.awaits("load_items")
    assert not past.asked
