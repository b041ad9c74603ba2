"""What went and is named by documents yet is missed: routes."""

from __future__ import annotations

import pytest

from tests.support.changes import BOTH, Make

PROTO = (
    'syntax = "proto3";\n\nservice Index {\n  rpc Live (Empty) returns (Answer) {\n    option (google.api.http) = {\n'
    '      get: "/v1/live"\n    };\n  }\n  rpc Node (Empty) returns (Answer) {\n    option (google.api.http) = {\n'
    '      get: "/v1/node"\n    };\n  }\n  rpc Get (Empty) returns (Answer) {\n    option (google.api.http) = {\n'
    '      get: "/v1/documents/{id=**}"\n    };\n  }\n}\n'
)

KOA = (
    "import Koa from 'koa';\nimport route from 'koa-route';\n\nexport const app = new Koa();\n"
    "app.use(route.get('/render/:url(.*)', render));\napp.use(route.get('/invalidate/:url(.*)', invalidate));\n"
)

RAILS = (
    "Rails.application.routes.draw do\n  namespace :api do\n    namespace :v1 do\n      resources :stats, only: [] do\n        collection do\n"
    "          get :app\n        end\n      end\n    end\n  end\nend\n"
)

SWAGGER = "swagger: '2.0'\ninfo: {title: x, version: '1'}\nbasePath: /shop/v1\npaths:\n  /owners:\n    get: {}\n  /pets:\n    get: {}\n"

OPENAPI = SWAGGER.replace("swagger: '2.0'", "openapi: 3.0.0").replace(
    "basePath: /shop/v1", "servers:\n  - url: 'https://{host}/shop/v1'"
)

ROUTES = "# Routes\n\n| Method | Path |\n|---|---|\n| GET | `/shop/v1/owners` |\n| GET | `/pets` |\n"

_MAPPED = (
    "public class Endpoints\n{\n    public void Map(IEndpointRouteBuilder endpoints)\n    {\n        endpoints.MapControllerRoute(\n"
    '            name: "index",\n            pattern: "v3/index.json",\n            defaults: new { });\n\n'
    '        endpoints.MapControllerRoute(\n            name: "search",\n            pattern: "v3/search",\n            defaults: new { });\n    }\n}\n'
)

PACKAGE = '{"name": "tool", "bin": {"tool": "cli.js"}}\n'

PACKAGE_2 = '{"name": "tool", "version": "1.0.0", "bin": {"tool": "bin/tool.js"}}\n'

_WEB = """package web

import (
	"fmt"

	"github.com/go-martini/martini"
)

func Register(m *martini.ClassicMartini) {
	m.Get(prefix+"/web/home", home)
	m.Get(prefix+"/web/discover", discover)
	m.Get(prefix+"/web/audit", audit)
}
"""

_WEB_BY_NAME = """package web

import (
	"fmt"

	"github.com/go-martini/martini"
)

func add(m *martini.ClassicMartini, path string, handler martini.Handler) {
	m.Get(fmt.Sprintf("%s/web/%s", prefix, path), handler)
}

func Register(m *martini.ClassicMartini) {
	add(m, "home", home)
	add(m, "discover", discover)
}
"""


@BOTH
def test_routes_that_all_get_a_prefix_are_each_missed(repository: Make, since: str) -> None:
    text = "# Tool\n\n```sh\ncurl http://localhost:8000/v1/live\ncurl http://localhost:8000/v1/node\ncurl http://localhost:8000/v1/documents/1\n```\n"
    repo = repository({"README.md": text, "api/index.proto": PROTO, "main.go": "package main\n"})
    repo.replace('"/v1/', '"/api/v1/', "api/index.proto").commit()
    assert repo.stale_lines(since=since) == {("README.md", 4), ("README.md", 5), ("README.md", 6)}


@BOTH
def test_an_endpoint_that_is_told_by_its_last_part_goes_with_its_route(repository: Make, since: str) -> None:
    text = (
        "# Tool\n\n```\nGET /invalidate/<url>\n```\n\nThe `invalidate` endpoint takes it out of the cache.\n\n"
        "```\nGET /render/<url>\n```\n\nThe `render` endpoint draws it; to `invalidate` is to forget.\n"
    )
    repo = repository({"README.md": text, "src/app.ts": KOA})
    repo.replace("/invalidate/", "/purge/", "src/app.ts").commit()
    assert repo.stale_lines(since=since) == {("README.md", 4), ("README.md", 7)}


@BOTH
def test_a_route_that_only_another_programs_catch_all_would_take_is_missed(repository: Make, since: str) -> None:
    server = (
        'class Handler:\n    def do_GET(self):\n        path = self.path\n        if path.startswith("/control/reserve"):\n            return 1\n'
        '        elif path.startswith("/control/mode"):\n            return 2\n'
    )
    other = 'from fastapi import APIRouter\n\nrouter = APIRouter()\n\n\n@router.post("/control/{path:path}")\ndef control(path):\n    return path\n'
    main = "from fastapi import FastAPI\n\nfrom server.legacy import router\n\napp = FastAPI()\napp.include_router(router)\n"
    text = "# Tool\n\n| Path | What |\n|---|---|\n| `/control/reserve` | Sets it |\n| `/control/mode` | Sets it |\n"
    repo = repository({"README.md": text, "proxy/server.py": server, "server/legacy.py": other, "server/main.py": main})
    repo.replace("/control/reserve", "/control/backup", "proxy/server.py").commit()
    assert repo.stale_lines(since=since) == {("README.md", 5)}


@BOTH
def test_a_part_of_a_path_that_went_from_among_the_others_is_missed(repository: Make, since: str) -> None:
    text = "# Tool\n\n```sh\ncurl 'https://tool.example.com/api/v1/stats/app?key=1'\ncurl 'https://tool.example.com/api/v1/notes/app?key=1'\n```\n"
    repo = repository({"README.md": text, "config/routes.rb": RAILS})
    repo.replace("namespace :v1", "namespace :v2", "config/routes.rb").commit()
    assert repo.stale_lines(since=since) == {("README.md", 4)}


@BOTH
@pytest.mark.parametrize("spec", [SWAGGER, OPENAPI])
def test_a_path_under_what_a_description_put_before_its_paths_is_lost_with_it(
    repository: Make, since: str, spec: str
) -> None:
    repo = repository({"README.md": ROUTES, "api.yaml": spec})
    repo.replace("/shop/v1", "/store/v2", "api.yaml").commit()
    assert repo.stale_lines(since=since) == {("README.md", 5)}


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


@BOTH
def test_a_route_that_begins_with_a_dash_is_one(repository: Make, since: str) -> None:
    java = 'class Web {\n  void start() {\n    context.addServlet(new ReloadServlet(), "/-/reload");\n  }\n}\n'
    repo = repository({"README.md": "Run `curl -X POST localhost:9106/-/reload`.\n", "src/main/java/Web.java": java})
    repo.replace("/-/reload", "/-/config/reload", "src/main/java/Web.java").commit()
    assert repo.stale_lines(since=since) == {("README.md", 1)}


@BOTH
def test_a_route_that_a_regular_expression_matches_is_one(repository: Make, since: str) -> None:
    script = "exports.handlers = [\n  [/^\\/api\\/routes(\\/.*)?$/, { get: list, post: add }],\n];\n"
    text = "| Method | Endpoint |\n|---|---|\n| GET | /api/routes |\n| POST | /api/routes/{spec} |\n\n    DELETE /api/routes/[:path]\n"
    repo = repository({"README.md": text, "lib/proxy.js": script, "package.json": PACKAGE})
    repo.replace("\\/api\\/", "\\/v1\\/", "lib/proxy.js").commit()
    assert repo.stale_lines(since=since) == {("README.md", 3), ("README.md", 4), ("README.md", 6)}


def test_routes_that_several_services_have_tell_nothing_of_what_is_listed_beside_them(repository: Make) -> None:
    head = "from fastapi import FastAPI\n\napp = FastAPI()\n\n"
    common = "".join(
        f'@app.get("/v1/{name}")\ndef {name}():\n    return 1\n\n' for name in ("models", "health", "voices")
    )
    own = '@app.get("/v1/pages")\ndef pages():\n    return 1\n\n@app.get("/v1/books")\ndef books():\n    return 1\n'
    many = "# Gateway\n\n- `GET /v1/models`\n- `GET /v1/health`\n- `GET /v1/voices`\n- `GET /v1/search`\n"
    few = "# Pages\n\n- `GET /v1/pages`\n- `GET /v1/books`\n- `GET /v1/shelves`\n"
    files: dict[str, str | bytes] = {
        "services/voice/main.py": head + common,
        "services/model/main.py": head + common,
        "services/page/main.py": head + own,
        "README.md": "# Services\n",
    }
    repo = repository(files)
    repo.write({"docs/gateway.md": many, "docs/pages.md": few}).commit()
    assert repo.stale_lines(since="HEAD~1") == {("docs/pages.md", 5)}


def test_a_path_of_another_program_under_a_prefix_that_ours_had_too_is_not_missed(repository: Make) -> None:
    head = 'package main\n\nimport "github.com/gin-gonic/gin"\n\nfunc main() {\n\tr := gin.Default()\n'
    first = '\tone := r.Group("/api/v1")\n\tone.POST("/login", login)\n'
    second = '\ttwo := r.Group("/api/v2")\n\ttwo.POST("/login", login)\n'
    page = "# Alerts\n\n```sh\ncurl http://localhost:9093/api/v2/alerts\n```\n\n`POST /api/v2/login` lets one in.\n"
    repo = repository({"docs/alerts.md": page, "cmd/main.go": f"{head}{first}{second}}}\n"})
    repo.write({"cmd/main.go": f"{head}{first}}}\n"}).commit()
    assert repo.stale_lines(since="HEAD~1") == {("docs/alerts.md", 7)}


@BOTH
def test_an_address_with_a_method_goes_on_behind_its_first_placeholder(repository: Make, since: str) -> None:
    code = (
        "async fn main() {\n    App::new()\n        .service(\n"
        '            web::resource("/reporter/{probe}/{node}")\n                .guard(guard::Post())\n                .to(report),\n'
        "        )\n        .service(\n"
        '            web::resource("/reporter/{probe}/{node}/{replica}")\n                .guard(guard::Delete())\n'
        "                .to(flush),\n        );\n}\n"
    )
    text = (
        "# Protocol\n\n`HTTP POST https://status.example.com/reporter/<probe>/<node>/`\n\n"
        "`HTTP DELETE https://status.example.com/reporter/<probe>/<node>/<replica>/`\n"
    )
    repo = repository({"PROTOCOL.md": text, "Cargo.toml": '[package]\nname = "tool"\n', "src/main.rs": code})
    repo.replace("/reporter/", "/report/", "src/main.rs").commit()
    assert repo.stale_lines(since=since) == {("PROTOCOL.md", 3), ("PROTOCOL.md", 5)}


@BOTH
def test_a_route_is_missed_although_its_word_stays_in_the_code(repository: Make, since: str) -> None:
    code = (
        "const express = require('express');\nconst app = express();\napp.get('/stats', (req, res) => {\n"
        "  res.json({});\n});\napp.get('/health', (req, res) => {\n  res.json('ok');\n});\n"
    )
    other = "module.exports = ['stats', 'users'];\n"
    repo = repository({"README.md": "Open `/stats` in a browser.\n", "src/app.js": code, "src/menu.js": other})
    repo.replace("'/stats'", "'/figures'", "src/app.js").commit()
    assert repo.stale_lines(since=since) == {("README.md", 1)}


@BOTH
def test_a_route_that_a_helper_prefixes_is_missed(repository: Make, since: str) -> None:
    code = (
        'package api\n\nimport "github.com/gorilla/mux"\n\nfunc (s *Server) routes(r *mux.Router) {\n'
        '\tr.HandleFunc(s.prefixed("/token/validate"), s.validate).Methods("GET")\n'
        '\tr.HandleFunc(s.prefixed("/token"), s.issue).Methods("POST")\n}\n'
    )
    repo = repository(
        {"README.md": "* `GET /token/validate` validates\n* `POST /token` issues\n", "api/server.go": code}
    )
    repo.replace("/token/validate", "/token/check", "api/server.go").commit()
    assert repo.stale_lines(since=since) == {("README.md", 1)}


def test_a_route_that_an_example_declares_and_a_package_that_is_installed_are_not_missed(repository: Make) -> None:
    page = "# Tool\n\n```ts\n@Get('/products')\nlist() {}\n```\n\nTry `GET /products`, then `GET /customers`.\n"
    install = "```sh\nnpm install rate-limit-types node-fetch@2\n```\n"
    used = "const it = find({ 'node-fetch': 1 });\n"
    code = "const app = require('express')();\napp.get('/products', f);\napp.get('/customers', f);\napp.get('/', f);\n"
    files: dict[str, str | bytes] = {"README.md": page + install, "package.json": PACKAGE_2, "src/app.js": used + code}
    repo = repository(files | {"typings/rate-limit-types/index.d.ts": "export {};\n"})
    repo.write({"src/app.js": code.replace("/products", "/goods").replace("/customers", "/people")})
    repo.delete("typings").commit()
    assert [finding.claim for finding in repo.drifted(since="HEAD~1")] == ["GET /customers"]


def test_a_route_that_a_function_of_the_file_s_own_puts_together_now_is_there_still(repository: Make) -> None:
    page = "# App\n\nGo to `http://localhost:3000/web/discover`.\n\nSee `/web/audit`.\n"
    repo = repository({"README.md": page, "web.go": _WEB, "go.mod": "module example.org/app\n"})
    repo.write({"web.go": _WEB_BY_NAME}).commit()
    assert repo.stale_lines(since="HEAD~1") == {("README.md", 5)}


@BOTH
def test_a_route_is_missed_behind_whatever_the_router_is_mounted_at(repository: Make, since: str) -> None:
    code = (
        "from fastapi import APIRouter\n\nrouter = APIRouter()\n\n\n@router.get('/healthz')\ndef h():\n    return 1\n\n\n"
        "@router.get('/search')\ndef s():\n    return 1\n"
    )
    page = "# Routes\n\n| Route |\n|---|\n| `GET {prefix}/healthz` |\n| `GET {prefix}/search` |\n"
    repo = repository({"srv/__init__.py": "", "srv/api.py": code, "README.md": page})
    repo.replace("/search", "/lookup", "srv/api.py").commit()
    assert repo.stale_lines(since=since) == {("README.md", 6)}


@BOTH
def test_a_route_is_missed_at_the_address_of_somebodys_server(repository: Make, since: str) -> None:
    code = (
        'package main\n\nimport "net/http"\n\nfunc main() {\n\thttp.HandleFunc("/auth/oidc", login)\n'
        '\thttp.HandleFunc("/auth/form", form)\n}\n'
    )
    page = (
        "# Login\n\n- Set the redirect to `http://localhost:9000/auth/oidc`.\n"
        "- It looks like `https://lists.yoursite.com/auth/oidc`.\n"
    )
    repo = repository({"go.mod": "module example.org/app\n", "main.go": code, "README.md": page})
    repo.replace("/auth/oidc", "/auth/token", "main.go").commit()
    assert repo.stale_lines(since=since) == {("README.md", 3), ("README.md", 4)}
