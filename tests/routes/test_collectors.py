"""What each framework's registrations yield, joined with their prefixes."""

from __future__ import annotations

import pytest

from docalign_actors.engine.code.reader import read_facts
from docalign_actors.engine.routing import joined_routes, own_routing


def _routes(files: dict[str, str]) -> set[str]:
    facts = {path: read_facts(path, text.encode()) for path, text in files.items()}
    return {f"{route.method} {route.path}" for route in joined_routes(facts) if route.certain}


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ('@app.get("/x/{id}")\nasync def f(): ...\n', {"GET /x/{id}"}),
        ('@app.api_route("/x", methods=["GET", "PUT"])\ndef f(): ...\n', {"GET /x", "PUT /x"}),
        ('@app.websocket("/ws")\nasync def f(): ...\n', {"* /ws"}),
        ('app.add_api_route("/x", f, methods=["POST"])\n', {"POST /x"}),
        ('routes = [Route("/a", f), Mount("/p", routes=[Route("/b", g, methods=["POST"])])]\n', {"GET /a", "POST /p/b"}),
        ('P = "/v1"\n@app.route(f"{P}/x", methods=["DELETE"])\ndef f(): ...\n', {"DELETE /v1/x"}),
        ('app.add_url_rule("/x", view_func=V.as_view("v"))\n', {"* /x"}),
        ('api.add_resource(Todo, "/todo", "/todo/<id>")\n', {"* /todo", "* /todo/<id>"}),
        ('app.add_routes([web.get("/a", f), web.post("/b", g)])\n', {"GET /a", "POST /b"}),
        ('routes = web.RouteTableDef()\n@routes.put("/c")\nasync def c(r): ...\n', {"PUT /c"}),
        ('app.router.add_route("GET", "/e", f)\n', {"GET /e"}),
        ('config.add_route("home", "/home")\n', {"* /home"}),
        ('app.add_route("/things", ThingsResource())\n', {"* /things"}),
        ('@route("/x", method="POST")\ndef f(): ...\n', {"POST /x"}),
        ('class C(Controller):\n    path = "/c"\n\n    @get("/{id:int}")\n    async def one(self): ...\n\n\nRouter(path="/api", route_handlers=[C])\n', {"GET /api/c/{id:int}"}),
        ('handlers = [(r"/x/(.*)", XHandler)]\n', {"* /x/(.*)"}),
        ('ID = r"(?P<id>\\w+)"\nhandlers = [(r"/x/%s" % ID, XHandler)]\n', {r"* /x/(?P<id>\w+)"}),
        ('client.get("/no")\nd.get("k", 1)\nrequests.get("/no")\n', set()),
    ],
)  # fmt: skip
def test_python(code: str, expected: set[str]) -> None:
    assert _routes({"app.py": code}) == expected


def test_flask_replaces_a_blueprints_prefix_when_it_is_registered_with_one() -> None:
    code = 'bp = Blueprint("b", __name__, url_prefix="/own")\n@bp.route("/x")\ndef x(): ...\napp.register_blueprint(bp, url_prefix="/other")\n'
    assert _routes({"app.py": code}) == {"GET /other/x"}


def test_fastapi_adds_a_routers_prefix_to_that_of_its_mount() -> None:
    code = 'router = APIRouter(prefix="/own")\n@router.get("/x")\ndef x(): ...\napp.include_router(router, prefix="/other")\n'
    assert _routes({"app.py": code}) == {"GET /other/own/x"}


def test_a_prefix_may_be_a_constant_of_another_file() -> None:
    files = {
        "app/config.py": 'class Settings:\n    API: str = "/api/v9"\n\n\nsettings = Settings()\n',
        "app/main.py": "from app.config import settings\nfrom app.users import router\n\napp.include_router(router, prefix=settings.API)\n",
        "app/users.py": 'router = APIRouter()\n\n\n@router.get("/users")\ndef users(): ...\n',
    }
    assert _routes(files) == {"GET /api/v9/users"}


def test_a_router_is_found_through_a_package_that_passes_it_on() -> None:
    files = {
        "app/main.py": 'from app.routes import users_router\n\napp.include_router(users_router, prefix="/api")\n',
        "app/routes/__init__.py": "from .users import router as users_router\n",
        "app/routes/users.py": 'router = APIRouter()\n\n\n@router.get("/users")\ndef users(): ...\n',
    }
    assert _routes(files) == {"GET /api/users"}


def test_django_joins_included_modules_lists_and_rest_routers() -> None:
    files = {
        "site/urls.py": 'urlpatterns = [path("api/", include("shop.urls")), path("x/", include([path("y/", views.y)]))]\n',
        "shop/urls.py": 'router = DefaultRouter()\nrouter.register("orders", views.OrderViewSet)\nurlpatterns = [re_path(r"^tax/(?P<id>\\d+)/$", views.tax), *router.urls]\n',
        "shop/views.py": "class Base:\n    @action(detail=True)\n    def ship(self): ...\n\n\nclass OrderViewSet(Base): ...\n",
    }
    found = _routes(files)
    assert {"* /x/y/", "* /api/orders", "* /api/orders/{pk}", "* /api/orders/{}/ship"} <= found
    assert any("tax" in route for route in found)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ('const app = express();\napp.get("/x/:id", auth, show);\n', {"GET /x/:id"}),
        ('const r = express.Router();\nconst app = express();\nr.route("/z").get(a).post(b);\napp.use("/p", r);\n', {"GET /p/z", "POST /p/z"}),
        ('app.all("/x", h);\n', {"* /x"}),
        ('fastify.route({ method: ["GET", "POST"], url: "/b", handler: h });\n', {"GET /b", "POST /b"}),
        ('app.register(async function (api) { api.get("/in", h); }, { prefix: "/p" });\n', {"GET /p/in"}),
        ('const r = new Router({ prefix: "/koa" });\nr.get("/k", h);\napp.use(r.routes());\n', {"GET /koa/k"}),
        ('const sub = new Hono().get("/c", a);\nconst app = new Hono();\napp.route("/p", sub);\n', {"GET /p/c"}),
        ('server.route([{ method: "GET", path: "/h", handler: h }]);\n', {"GET /h"}),
        ('const list = [{ path: "/a", route: r }];\nconst router = express.Router();\nconst r = express.Router();\nr.get("/x", h);\n'
         'list.forEach((e) => router.use(e.path, e.route));\nconst app = express();\napp.use("/v1", router);\n', {"GET /v1/a/x"}),
        ('axios.get("/no", config);\napp.get("title");\ncache.get("/no", x);\n', set()),
        ('const save = async (values) => {\n  const answer = await api.put("/no", values);\n  return answer.data;\n};\n', set()),
    ],
)  # fmt: skip
def test_javascript(code: str, expected: set[str]) -> None:
    assert _routes({"src/app.js": code}) == expected


def test_next_routes_are_files() -> None:
    assert _routes({"src/app/(shop)/api/orders/[id]/route.ts": "export async function GET() {}\n"}) == {
        "GET /api/orders/[id]"
    }
    assert _routes({"pages/api/orders/index.ts": "export default function handler() {}\n"}) == {"* /api/orders"}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ('http.HandleFunc("/healthz", h)', {"* /healthz"}),
        ('mux := http.NewServeMux()\n\tmux.HandleFunc("GET /items/{id}", h)', {"GET /items/{id}"}),
        ('http.HandleFunc("example.org/items", h)', {"* /items"}),
        ('r := mux.NewRouter()\n\ts := r.PathPrefix("/p").Subrouter()\n\ts.HandleFunc("items/{id}", h)', set()),
        ('mux.Handle("/files/", h)', {"* /files/*"}),
        ('r := chi.NewRouter()\n\tr.Route("/a", func(r chi.Router) { r.With(m).Put("/b", h) })', {"PUT /a/b"}),
        ('r := chi.NewRouter()\n\tr.Group(func(r chi.Router) { r.Get("/g", h) })', {"GET /g"}),
        ('r := mux.NewRouter()\n\ts := r.PathPrefix("/p").Subrouter()\n\ts.HandleFunc("/x", h).Methods("GET", http.MethodPost)', {"GET /p/x", "POST /p/x"}),
        ('r.Handle("GET", "/x", h)', {"GET /x"}),
        ('e := echo.New()\n\tg := e.Group("/g")\n\tg.DELETE("/x/:id", h)', {"DELETE /g/x/:id"}),
        ('resp, err := http.Get("/no")\n\tclient.Get("/no")', set()),
    ],
)  # fmt: skip
def test_go(body: str, expected: set[str]) -> None:
    assert _routes({"main.go": f"package main\n\nfunc main() {{\n\t{body}\n}}\n"}) == expected


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (
            'fn app() -> Router { let u = Router::new().route("/", get(a).post(b)); Router::new().nest("/u", u) }',
            {"GET /u", "POST /u"},
        ),
        (
            'const P: &str = "/p";\nfn app() -> Router { Router::new().nest(P, Router::new().route("/q", put(q))) }',
            {"PUT /p/q"},
        ),
        (
            'fn main() { App::new().service(web::resource("/r").route(web::get().to(a)).route(web::put().to(b))); }',
            {"GET /r", "PUT /r"},
        ),
        ('#[post("/x")]\nfn make() {}\nfn main() { rocket::build().mount("/api", routes![make]); }', {"POST /api/x"}),
        ('fn f() { let p = warp::path!("hello" / String); }', {"* /hello/{_}"}),
    ],
)
def test_rust(code: str, expected: set[str]) -> None:
    assert _routes({"src/main.rs": code}) == expected


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ('@RequestMapping("/a") class A { @GetMapping({"/b", "/c"}) void f() {} @PostMapping void g() {} }', {"GET /a/b", "GET /a/c", "POST /a"}),
        ('class A { @RequestMapping(value = "/b", method = RequestMethod.PUT) void f() {} }', {"PUT /b"}),
        ('class A { static final String P = "/p"; @DeleteMapping(path = P + "/x") void f() {} }', {"DELETE /p/x"}),
        ('@Path("/j") class J { @GET @Path("{id}") public String g() { return ""; } @POST public void p() {} }', {"GET /j/{id}", "POST /j"}),
        ('@FeignClient("x") interface C { @GetMapping("/no") void f(); }', set()),
        ('import io.javalin.Javalin; class A { void m() { app.get("/x", c -> {}); path("/u", () -> { get("/{id}", C::one); }); } }', {"GET /x", "GET /u/{id}"}),
    ],
)  # fmt: skip
def test_java(code: str, expected: set[str]) -> None:
    assert _routes({"A.java": code}) == expected


def test_a_router_that_nobody_is_seen_to_mount_is_uncertain() -> None:
    facts = {"app.py": read_facts("app.py", b'router = APIRouter()\n\n\n@router.get("/x")\ndef x(): ...\n')}
    assert {(route.path, route.certain) for route in joined_routes(facts)} == {("/x", False), ("${_}/x", False)}


def test_routers_that_mount_each_other_end() -> None:
    code = 'a = APIRouter()\nb = APIRouter()\na.include_router(b, prefix="/b")\nb.include_router(a, prefix="/a")\n\n\n@a.get("/x")\ndef x(): ...\n'
    assert joined_routes({"app.py": read_facts("app.py", code.encode())})


def test_a_path_that_is_no_string_makes_the_routes_unreadable() -> None:
    facts = {
        "app.py": read_facts(
            "app.py", b"for p in paths():\n    app.add_api_route(compute(p), f)\n    @app.get(p)\n    def g(): ...\n"
        )
    }
    assert own_routing(facts).opaque


def test_routes_of_tests_and_examples_are_not_the_repositorys() -> None:
    facts = read_facts("app.py", b'@app.get("/x")\ndef x(): ...\n')
    assert joined_routes({"tests/test_app.py": facts, "examples/app.py": facts}) == []
