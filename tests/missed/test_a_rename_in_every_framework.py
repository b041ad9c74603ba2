"""A commit renames one documented thing, declared as each framework does it: every mention is found, whole and by the change."""

from __future__ import annotations

import pytest

from tests.support.renames import Make, Rename, check_rename, readme

CASES = [
    Rename(
        "click option",
        {**readme("Run `tool --dry-run`:", "", "```sh", "tool sync --dry-run", "```"),
         "pyproject.toml": '[project]\nname = "tool"\nversion = "1"\n[project.scripts]\ntool = "tool.cli:main"\n',
         "tool/cli.py": "import click\n\n@click.group()\ndef main():\n    pass\n\n@main.command()\n@click.option('--dry-run', is_flag=True)\ndef sync(dry_run):\n    print(dry_run)\n"},
        "dry-run", "simulate", "--dry-run",
    ),
    Rename(
        "click sub-command",
        {**readme("Run `tool sync-all` first:", "", "```console", "$ tool sync-all --verbose", "```"),
         "pyproject.toml": '[project]\nname = "tool"\nversion = "1"\n[project.scripts]\ntool = "tool.cli:main"\n',
         "tool/cli.py": "import click\n\n@click.group()\ndef main():\n    pass\n\n@main.command()\n@click.option('--verbose', is_flag=True)\ndef sync_all(verbose):\n    print(verbose)\n\n@main.command()\ndef show():\n    pass\n"},
        "sync_all", "mirror", "sync-all",
    ),
    Rename(
        "typer sub-command",
        {**readme("`tool build-site` builds:", "", "```sh", "tool build-site out", "```"),
         "pyproject.toml": '[project]\nname = "tool"\nversion = "1"\n[project.scripts]\ntool = "tool.cli:app"\n',
         "tool/cli.py": "import typer\n\napp = typer.Typer()\n\n@app.command()\ndef build_site(out: str):\n    print(out)\n\n@app.command()\ndef show():\n    pass\n"},
        "build_site", "render", "build-site",
    ),
    Rename(
        "typer option",
        {**readme("Use `--max-depth`:", "", "```sh", "tool scan --max-depth 3", "```"),
         "pyproject.toml": '[project]\nname = "tool"\nversion = "1"\n[project.scripts]\ntool = "tool.cli:app"\n',
         "tool/cli.py": "import typer\n\napp = typer.Typer()\n\n@app.command()\ndef scan(max_depth: int = typer.Option(5)):\n    print(max_depth)\n\n@app.command()\ndef show():\n    pass\n"},
        "max_depth", "levels", "--max-depth",
    ),
    Rename(
        "argparse sub-command",
        {**readme("The command `tool prune` prunes.", "", "    tool prune --all"),
         "pyproject.toml": '[project]\nname = "tool"\nversion = "1"\n[project.scripts]\ntool = "tool.cli:main"\n',
         "tool/cli.py": "import argparse\n\ndef main():\n    p = argparse.ArgumentParser('tool')\n    subs = p.add_subparsers()\n    prune = subs.add_parser('prune')\n    prune.add_argument('--all', action='store_true')\n    show = subs.add_parser('show')\n    p.parse_args()\n"},
        "prune", "trim", "tool prune",
    ),
    Rename(
        "cobra flag",
        {**readme("| Flag | Meaning |", "|---|---|", "| `--kube-context` | the context |", "", "```sh", "tool apply --kube-context dev", "```"),
         "go.mod": "module example.com/tool\n\ngo 1.22\n",
         "main.go": "package main\n\nfunc main() { root.Execute() }\n",
         "cmd.go": 'package main\n\nimport "github.com/spf13/cobra"\n\nvar root = &cobra.Command{Use: "tool"}\nvar apply = &cobra.Command{Use: "apply"}\n\nfunc init() {\n\troot.AddCommand(apply)\n\tapply.Flags().String("kube-context", "", "the context")\n}\n'},
        "kube-context", "cluster-context", "--kube-context",
    ),
    Rename(
        "cobra sub-command",
        {**readme("`tool apply` applies:", "", "```sh", "tool apply -f x", "```"),
         "go.mod": "module example.com/tool\n\ngo 1.22\n",
         "main.go": "package main\n\nfunc main() { root.Execute() }\n",
         "cmd.go": 'package main\n\nimport "github.com/spf13/cobra"\n\nvar root = &cobra.Command{Use: "tool"}\nvar applyCmd = &cobra.Command{Use: "apply [flags]"}\nvar show = &cobra.Command{Use: "show"}\n\nfunc init() {\n\troot.AddCommand(applyCmd, show)\n}\n'},
        '"apply [', '"deploy [', "tool apply",
    ),
    Rename(
        "clap derive option",
        {**readme("Pass `--no-follow`:", "", "```sh", "tool --no-follow src", "```"),
         "Cargo.toml": '[package]\nname = "tool"\nversion = "0.1.0"\n',
         "src/main.rs": "use clap::Parser;\n\n#[derive(Parser)]\nstruct Cli {\n    /// Do not follow links\n    #[arg(long)]\n    no_follow: bool,\n    src: String,\n}\n\nfn main() {\n    let cli = Cli::parse();\n    println!(\"{}\", cli.no_follow);\n}\n"},
        "no_follow", "physical", "--no-follow",
    ),
    Rename(
        "clap sub-command",
        {**readme("`tool list-rules` lists:", "", "```sh", "tool list-rules", "```"),
         "Cargo.toml": '[package]\nname = "tool"\nversion = "0.1.0"\n',
         "src/main.rs": "use clap::{Parser, Subcommand};\n\n#[derive(Parser)]\nstruct Cli {\n    #[command(subcommand)]\n    command: Commands,\n}\n\n#[derive(Subcommand)]\nenum Commands {\n    ListRules,\n    Check { path: String },\n}\n\nfn main() {\n    match Cli::parse().command {\n        Commands::ListRules => {}\n        Commands::Check { path } => println!(\"{path}\"),\n    }\n}\n"},
        "ListRules", "ShowRules", "list-rules",
    ),
    Rename(
        "commander option",
        {**readme("- `--out-dir <dir>`: where", "", "```sh", "npx tool build --out-dir lib", "```"),
         "package.json": '{"name": "tool", "version": "1.0.0", "bin": {"tool": "bin.js"}}\n',
         "bin.js": "const { program } = require('commander')\nprogram.command('build').option('--out-dir <dir>', 'where').action((o) => console.log(o.outDir))\nprogram.parse()\n"},
        "out-dir", "dest", "--out-dir",
    ),
    Rename(
        "yargs option",
        {**readme("`--watch-files` watches:", "", "```sh", "tool --watch-files src", "```"),
         "package.json": '{"name": "tool", "version": "1.0.0", "bin": {"tool": "bin.js"}}\n',
         "bin.js": "const yargs = require('yargs')\nconst argv = yargs.option('watch-files', { type: 'boolean' }).option('quiet', { type: 'boolean' }).argv\nconsole.log(argv)\n"},
        "watch-files", "observe", "--watch-files",
    ),
    Rename(
        "picocli option",
        {**readme("`--skip-tests` skips:", "", "```sh", "tool --skip-tests", "```"),
         "pom.xml": "<project><groupId>org.example</groupId><artifactId>tool</artifactId><version>1</version></project>\n",
         "src/main/java/org/example/Tool.java": 'package org.example;\n\nimport picocli.CommandLine.Command;\nimport picocli.CommandLine.Option;\n\n@Command(name = "tool")\npublic class Tool implements Runnable {\n    @Option(names = {"-s", "--skip-tests"}, description = "skip")\n    boolean skip;\n\n    public void run() {}\n}\n'},
        "--skip-tests", "--without-tests", "--skip-tests",
    ),
    Rename(
        "FastAPI route",
        {**readme("`GET /api/items/{item_id}` gets one:", "", "```sh", "curl http://localhost:8000/api/items/3", "```"),
         "app/main.py": "from fastapi import APIRouter, FastAPI\n\napp = FastAPI()\nrouter = APIRouter(prefix='/api')\n\n@router.get('/items/{item_id}')\ndef read(item_id: int):\n    return item_id\n\n@router.get('/users')\ndef users():\n    return []\n\napp.include_router(router)\n"},
        "'/items/", "'/things/", "/api/items/",
    ),
    Rename(
        "Flask route",
        {**readme("`POST /upload` takes files:", "", "```sh", "curl -F f=@x http://localhost:5000/upload", "```"),
         "app.py": "from flask import Flask\n\napp = Flask(__name__)\n\n@app.route('/upload', methods=['POST'])\ndef upload():\n    return ''\n\n@app.route('/status')\ndef status():\n    return ''\n"},
        "'/upload'", "'/files'", "/upload",
    ),
    Rename(
        "Express route",
        {**readme("| Method | Path |", "|---|---|", "| GET | `/v1/orders/:id` |", "| GET | `/v1/health` |", "", "`curl localhost:3000/v1/orders/7`"),
         "package.json": '{"name": "app", "version": "1.0.0"}\n',
         "server.js": "const express = require('express')\nconst app = express()\nconst router = express.Router()\nrouter.get('/orders/:id', (q, r) => r.send(''))\nrouter.get('/health', (q, r) => r.send(''))\napp.use('/v1', router)\napp.listen(3000)\n"},
        "/orders/", "/purchases/", "/v1/orders/",
    ),
    Rename(
        "gin route",
        {**readme("- `GET /api/v1/books/:id`: one book", "- `GET /api/v1/ping`", "", "    curl http://localhost:8080/api/v1/books/1"),
         "go.mod": "module example.com/app\n\ngo 1.22\n",
         "main.go": 'package main\n\nimport "github.com/gin-gonic/gin"\n\nfunc main() {\n\tr := gin.Default()\n\tv1 := r.Group("/api/v1")\n\tv1.GET("/books/:id", getBook)\n\tv1.GET("/ping", ping)\n\tr.Run(":8080")\n}\n'},
        "/books/", "/volumes/", "/api/v1/books/",
    ),
    Rename(
        "axum route",
        {**readme("`GET /users/{id}` returns a user:", "", "```sh", "curl http://127.0.0.1:3000/users/1", "```"),
         "Cargo.toml": '[package]\nname = "app"\nversion = "0.1.0"\n',
         "src/main.rs": 'use axum::{routing::get, Router};\n\nasync fn user() {}\nasync fn ping() {}\n\n#[tokio::main]\nasync fn main() {\n    let app = Router::new().route("/users/{id}", get(user)).route("/ping", get(ping));\n}\n'},
        "/users/", "/people/", "/users/",
    ),
    Rename(
        "Rails route",
        {**readme("`GET /reports/summary` shows it:", "", "```sh", "curl http://localhost:3000/reports/summary", "```"),
         "Gemfile": "gem 'rails'\n",
         "config/routes.rb": "Rails.application.routes.draw do\n  get '/reports/summary', to: 'reports#summary'\n  get '/status', to: 'status#show'\nend\n"},
        "/reports/summary", "/reports/overview", "/reports/summary",
    ),
    Rename(
        "Spring route",
        {**readme("`GET /api/owners/{id}` finds one:", "", "```sh", "curl localhost:8080/api/owners/1", "```"),
         "pom.xml": "<project><groupId>org.example</groupId><artifactId>app</artifactId><version>1</version></project>\n",
         "src/main/java/org/example/Owners.java": 'package org.example;\n\nimport org.springframework.web.bind.annotation.*;\n\n@RestController\n@RequestMapping("/api")\npublic class Owners {\n    @GetMapping("/owners/{id}")\n    public String one(@PathVariable int id) { return ""; }\n\n    @GetMapping("/pets")\n    public String pets() { return ""; }\n}\n'},
        "/owners/", "/holders/", "/api/owners/",
    ),
    Rename(
        "Laravel command with arguments",
        {**readme("Run `php artisan users:sync-all --force`.", "", "```sh", "php artisan users:sync-all", "```"),
         "composer.json": '{"name": "acme/app"}\n',
         "app/Sync.php": "<?php\nclass Sync {\n  protected $signature = 'users:sync-all {--force}';\n}\n"},
        "users:sync-all", "users:mirror",
    ),
    Rename(
        "Laravel route",
        {**readme("`GET /api/invoices` lists them:", "", "```sh", "curl http://localhost/api/invoices", "```"),
         "composer.json": '{"name": "acme/app"}\n', "artisan": "<?php\n",
         "routes/api.php": "<?php\nuse Illuminate\\Support\\Facades\\Route;\n\nRoute::get('/invoices', [InvoiceController::class, 'index']);\nRoute::get('/status', [StatusController::class, 'index']);\n"},
        "'/invoices'", "'/bills'", "/api/invoices",
    ),
    Rename(
        "ASP.NET route",
        {**readme("`GET /weather/forecast` forecasts:", "", "```sh", "curl http://localhost:5000/weather/forecast", "```"),
         "App.csproj": '<Project Sdk="Microsoft.NET.Sdk.Web"></Project>\n',
         "Program.cs": 'var app = WebApplication.CreateBuilder(args).Build();\napp.MapGet("/weather/forecast", () => "");\napp.MapGet("/ping", () => "");\napp.Run();\n'},
        "/weather/forecast", "/weather/outlook", "/weather/forecast",
    ),
    Rename(
        "Dockerfile port",
        {**readme("```sh", "docker run -p 9090:9090 tool", "```", "", "Then open http://localhost:9090."),
         "Dockerfile": "FROM alpine\nCOPY tool /tool\nEXPOSE 9090\nENTRYPOINT [\"/tool\"]\n", "main.py": "PORT = 9090\n"},
        "9090", "9191", "9090",
    ),
    Rename(
        "compose port",
        {**readme("Start `docker compose up` and open http://localhost:8085."),
         "docker-compose.yml": "services:\n  web:\n    image: acme/web\n    ports:\n      - \"8085:80\"\n", "main.py": "x = 1\n"},
        "8085", "8086", "8085",
    ),
    Rename(
        "make target",
        {**readme("Run `make lint-all`, then:", "", "```sh", "make lint-all build", "```"),
         "Makefile": ".PHONY: lint-all build\nlint-all:\n\techo\nbuild:\n\techo\n", "main.py": "x = 1\n"},
        "lint-all", "check", "lint-all",
    ),
    Rename(
        "npm script",
        {**readme("`npm run build:docs` builds; or", "", "```sh", "yarn build:docs", "pnpm run build:docs", "```"),
         "package.json": '{"name": "app", "version": "1.0.0", "scripts": {"build:docs": "vite build docs", "test": "jest"}}\n', "a.js": "x\n"},
        "build:docs", "docs:build", "build:docs",
    ),
    Rename(
        "variable in Go",
        {**readme("Set `APP_LISTEN_ADDR`:", "", "```sh", "export APP_LISTEN_ADDR=:80", "APP_LISTEN_ADDR=:80 ./app", "```"),
         "go.mod": "module example.com/app\n\ngo 1.22\n",
         "main.go": 'package main\n\nimport "os"\n\nfunc main() {\n\tprintln(os.Getenv("APP_LISTEN_ADDR"))\n}\n'},
        "APP_LISTEN_ADDR", "APP_ADDRESS", "APP_LISTEN_ADDR",
    ),
    Rename(
        "variable in PHP",
        {**readme("| Variable | Default |", "|---|---|", "| `APP_CACHE_TTL` | 60 |", "", "```dotenv", "APP_CACHE_TTL=60", "```"),
         "composer.json": '{"name": "acme/app"}\n',
         "config/cache.php": "<?php\nreturn ['ttl' => env('APP_CACHE_TTL', 60)];\n"},
        "APP_CACHE_TTL", "APP_CACHE_SECONDS", "APP_CACHE_TTL",
    ),
    Rename(
        "variable in C#",
        {**readme("Set `APP_LOG_FOLDER`:", "", "```powershell", '$env:APP_LOG_FOLDER = "x"', "```"),
         "App.csproj": '<Project Sdk="Microsoft.NET.Sdk"></Project>\n',
         "Program.cs": 'var f = Environment.GetEnvironmentVariable("APP_LOG_FOLDER");\n'},
        "APP_LOG_FOLDER", "APP_LOG_DIR", "APP_LOG_FOLDER",
    ),
    Rename(
        "Go method",
        {**readme("```go", 'c := tool.New()', "c.FetchAll(ctx)", "```", "", "`Client.FetchAll` fetches."),
         "go.mod": "module example.com/tool\n\ngo 1.22\n",
         "tool.go": "package tool\n\ntype Client struct{}\n\nfunc New() *Client { return &Client{} }\n\nfunc (c *Client) FetchAll() {}\n"},
        "FetchAll", "FetchEvery", "FetchAll",
    ),
    Rename(
        "Java class in another package",
        {**readme("```java", "import org.example.util.TextHelper;", "```", "", "See `org.example.util.TextHelper`."),
         "pom.xml": "<project><groupId>org.example</groupId><artifactId>tool</artifactId><version>1</version></project>\n",
         "src/main/java/org/example/util/TextHelper.java": "package org.example.util;\n\npublic class TextHelper {\n    public void trim() {}\n    public void pad() {}\n}\n",
         "src/main/java/org/example/util/Other.java": "package org.example.util;\n\npublic class Other {}\n"},
        "package org.example.util;\n\npublic class TextHelper", "package org.example.text;\n\npublic class TextHelper", "util.TextHelper",
        moves=(("src/main/java/org/example/util/TextHelper.java", "src/main/java/org/example/text/TextHelper.java"),),
    ),
    Rename(
        "Kotlin class",
        {**readme("```kotlin", "val c = HttpCacher()", "```", "", "`HttpCacher` caches."),
         "build.gradle.kts": 'plugins { kotlin("jvm") }\n',
         "src/main/kotlin/org/example/HttpCacher.kt": "package org.example\n\nclass HttpCacher {\n    fun get() {}\n}\n"},
        "class HttpCacher", "class HttpKeeper", "HttpCacher",
    ),
    Rename(
        "Ruby method",
        {**readme("```ruby", "Tool.load_all('x')", "```", "", "`Tool.load_all` loads."),
         "tool.gemspec": "Gem::Specification.new { |s| s.name = 'tool' }\n",
         "lib/tool.rb": "module Tool\n  def self.load_all(path)\n    path\n  end\nend\n"},
        "load_all", "load_tree", "load_all",
    ),
    Rename(
        "PHP class",
        {**readme("```php", "$m = new \\Acme\\Tool\\MailSender();", "```", "", "`MailSender` sends."),
         "composer.json": '{"name": "acme/tool", "autoload": {"psr-4": {"Acme\\\\Tool\\\\": "src/"}}}\n',
         "src/MailSender.php": "<?php\nnamespace Acme\\Tool;\n\nclass MailSender\n{\n    public function send() {}\n}\n"},
        "class MailSender", "class MailCarrier", "MailSender",
    ),
    Rename(
        "C# method",
        {**readme("```csharp", "var text = Formatter.FormatFile(path);", "```", "", "`Formatter.FormatFile` formats."),
         "Tool.csproj": '<Project Sdk="Microsoft.NET.Sdk"></Project>\n',
         "Formatter.cs": "namespace Tool;\n\npublic static class Formatter\n{\n    public static string FormatFile(string path) => path;\n}\n"},
        "FormatFile", "FormatPath", "FormatFile",
    ),
    Rename(
        "rake task",
        {**readme("Run `rake docs:build`:", "", "```sh", "bundle exec rake docs:build", "```"),
         "Rakefile": "namespace :docs do\n  task :build do\n  end\nend\ntask :default\n", "lib/tool.rb": "module Tool\nend\n"},
        "task :build", "task :render", "docs:build",
    ),
    Rename(
        "composer script",
        {**readme("```sh", "composer check-style", "composer run check-style", "composer install", "```"),
         "composer.json": '{"name": "acme/tool", "scripts": {"check-style": "phpcs", "test": "phpunit"}}\n', "a.php": "<?php\n"},
        "check-style", "lint-style", "check-style",
    ),
    Rename(
        "Thor option",
        {**readme("`tool start --max-threads=5`"),
         "tool.gemspec": "Gem::Specification.new { |s| s.name = 'tool'; s.executables = ['tool'] }\n", "exe/tool": "#!/usr/bin/env ruby\n",
         "lib/cli.rb": "class CLI < Thor\n  desc 'start', 'x'\n  method_option :max_threads, type: :numeric\n  def start\n    options[:max_threads]\n  end\nend\n"},
        "max_threads", "thread_count", "--max-threads",
    ),
    Rename(
        "option in C#",
        {**readme("`tool --skip-write` only checks."),
         "Tool.csproj": '<Project Sdk="Microsoft.NET.Sdk"></Project>\n', "P.cs": 'var o = new Option<bool>("--skip-write");\n'},
        "--skip-write", "--check-only", "--skip-write",
    ),
    Rename(
        "Ruby that a gem demands",
        {**readme("Requires Ruby 3.0 or newer."),
         "tool.gemspec": "Gem::Specification.new do |s|\n  s.name = 'tool'\n  s.required_ruby_version = '>= 3.0'\nend\n",
         "lib/tool.rb": "module Tool\nend\n"},
        ">= 3.0", ">= 3.2", "Ruby 3.0",
    ),
    Rename(
        "key of Spring",
        {**readme("```yaml", "app:", "  cache-folder: x", "```", "", "Set `app.cache-folder`."),
         "pom.xml": "<project><groupId>o</groupId><artifactId>tool</artifactId><version>1</version></project>\n",
         "src/main/java/o/P.java": 'package o;\n\n@ConfigurationProperties(prefix = "app")\npublic class P {\n    private String cacheFolder;\n    public String getCacheFolder() { return cacheFolder; }\n    public void setCacheFolder(String s) { cacheFolder = s; }\n}\n'},
        "acheFolder", "acheTree", "cache-folder",
    ),
    Rename(
        "key of serde",
        {**readme("```toml", "[output]", "color-mode = 'x'", "```"),
         "Cargo.toml": '[package]\nname = "tool"\nversion = "0.1.0"\n',
         "src/config.rs": 'use serde::Deserialize;\n\n#[derive(Deserialize)]\n#[serde(rename_all = "kebab-case")]\npub struct Output {\n    pub color_mode: String,\n}\n'},
        "color_mode", "paint_mode", "color-mode",
    ),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_every_mention_is_found(repository: Make, case: Rename) -> None:
    check_rename(repository, case)


@pytest.mark.parametrize(("new", "rules"), [("{name:path}", []), ("all/{name}", ["unknown-route"])])
def test_a_route_that_takes_every_address_of_the_old_one_is_no_loss(
    repository: Make, new: str, rules: list[str]
) -> None:
    line = 'LINES = [Line("GET", "/tasks/{id}/files/{name}", give)]\n'
    repo = repository({**readme("`GET /tasks/{id}/files/{name}` gives it."), "a.py": line})
    repo.replace("{name}", new, "a.py")
    repo.commit()
    assert [finding.rule for finding in repo.drifted()] == rules
