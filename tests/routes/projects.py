"""Small whole projects, one for each framework: the code, and documentation that names its routes in several forms."""

from __future__ import annotations

README = """# Service

## Endpoints

| Method | Path | What |
|---|---|---|
| GET | `/api/v1/users` | all users |
| GET | `/api/v1/users/{id}` | one user |
| POST | `/api/v1/users` | a new user |
| GET | `/api/v1/reports/daily` | the report of the day |

### GET /api/v1/reports/daily

Ask for it:

```sh
curl http://localhost:8000/api/v1/reports/daily
```

One user: `GET /api/v1/users/42`. The report is at `/api/v1/reports/daily` as well.
"""

FASTAPI = {
    "app/__init__.py": "",
    "app/main.py": "from fastapi import FastAPI\nfrom app import users\nfrom app.reports import router as reports_router\n\napp = FastAPI()\n"
    'app.include_router(users.router, prefix="/api/v1")\napp.include_router(reports_router, prefix="/api/v1")\n',
    "app/users.py": 'from fastapi import APIRouter\n\nrouter = APIRouter(prefix="/users")\n\n\n@router.get("")\ndef list_users(): ...\n\n\n'
    '@router.get("/{user_id}")\ndef one_user(user_id: int): ...\n\n\n@router.post("")\ndef new_user(): ...\n',
    "app/reports.py": 'from fastapi import APIRouter\n\nrouter = APIRouter()\n\n\n@router.get("/reports/daily")\ndef daily(): ...\n',
}

FLASK = {
    "app/__init__.py": "from flask import Flask\nfrom .users import bp\nfrom .reports import reports\n\n\ndef create_app():\n    app = Flask(__name__)\n"
    '    app.register_blueprint(bp, url_prefix="/api/v1/users")\n    app.register_blueprint(reports, url_prefix="/api/v1")\n    return app\n',
    "app/users.py": 'from flask import Blueprint\n\nbp = Blueprint("users", __name__)\n\n\n@bp.route("")\ndef list_users(): ...\n\n\n'
    '@bp.route("/<int:user_id>")\ndef one_user(user_id): ...\n\n\n@bp.route("", methods=["POST"])\ndef new_user(): ...\n',
    "app/reports.py": 'from flask import Blueprint\n\nreports = Blueprint("reports", __name__)\n\n\n@reports.route("/reports/daily")\ndef daily(): ...\n',
}

DJANGO = {
    "project/__init__.py": "",
    "project/urls.py": 'from django.urls import include, path\n\nurlpatterns = [\n    path("api/v1/", include("shop.urls")),\n]\n',
    "shop/__init__.py": "",
    "shop/urls.py": "from django.urls import path\nfrom rest_framework.routers import DefaultRouter\nfrom . import views\n\nrouter = DefaultRouter()\n"
    'router.register("users", views.UserViewSet)\n\nurlpatterns = [\n    path("reports/daily", views.daily),\n] + router.urls\n\n'
    'from django.urls import include\nurlpatterns += [path("", include(router.urls))]\n',
    "shop/views.py": "def daily(request): ...\n\n\nclass UserViewSet: ...\n",
}

EXPRESS = {
    "package.json": '{"name": "service", "dependencies": {"express": "4"}}\n',
    "src/app.js": 'const express = require("express");\nconst users = require("./routes/users");\nconst app = express();\n'
    'app.use("/api/v1/users", users);\napp.use("/api/v1", require("./routes/reports"));\nmodule.exports = app;\n',
    "src/routes/users.js": 'const express = require("express");\nconst controller = require("../controller");\nconst router = express.Router();\n'
    'router.route("/").get(controller.list).post(controller.create);\nrouter.get("/:id", controller.show);\nmodule.exports = router;\n',
    "src/routes/reports.js": 'const { Router } = require("express");\nconst router = Router();\nrouter.get("/reports/daily", (req, res) => res.json({}));\nmodule.exports = router;\n',
    "src/controller.js": "exports.list = 1;\nexports.create = 1;\nexports.show = 1;\n",
}

GIN = {
    "go.mod": "module example.org/service\n\ngo 1.22\n",
    "main.go": 'package main\n\nimport (\n\t"example.org/service/users"\n\t"github.com/gin-gonic/gin"\n)\n\nfunc main() {\n\tr := gin.Default()\n'
    '\tv1 := r.Group("/api/v1")\n\tusers.Register(v1.Group("/users"))\n\tv1.GET("/reports/daily", daily)\n\tr.Run()\n}\n\nfunc daily(c *gin.Context) {}\n',
    "users/users.go": 'package users\n\nimport "github.com/gin-gonic/gin"\n\nfunc Register(g *gin.RouterGroup) {\n\tg.GET("", list)\n\tg.GET("/:id", show)\n\tg.POST("", create)\n}\n\n'
    "func list(c *gin.Context)   {}\nfunc show(c *gin.Context)   {}\nfunc create(c *gin.Context) {}\n",
}

CHI = {
    "go.mod": "module example.org/service\n\ngo 1.22\n",
    "main.go": 'package main\n\nimport (\n\t"net/http"\n\n\t"github.com/go-chi/chi/v5"\n)\n\nfunc main() {\n\tr := chi.NewRouter()\n\tr.Route("/api/v1", func(r chi.Router) {\n'
    '\t\tr.Mount("/users", usersRouter())\n\t\tr.Get("/reports/daily", daily)\n\t})\n\thttp.ListenAndServe(":8000", r)\n}\n\nfunc daily(w http.ResponseWriter, r *http.Request) {}\n',
    "users.go": 'package main\n\nimport (\n\t"net/http"\n\n\t"github.com/go-chi/chi/v5"\n)\n\nfunc usersRouter() http.Handler {\n\tr := chi.NewRouter()\n\tr.Get("/", list)\n'
    '\tr.Get("/{id}", show)\n\tr.Post("/", create)\n\treturn r\n}\n',
}

AXUM = {
    "Cargo.toml": '[package]\nname = "service"\nversion = "0.1.0"\nedition = "2021"\n',
    "src/main.rs": 'use axum::{routing::get, Router};\nmod users;\n\n#[tokio::main]\nasync fn main() {\n    let api = Router::new()\n        .nest("/users", users::router())\n'
    '        .route("/reports/daily", get(daily));\n    let app = Router::new().nest("/api/v1", api);\n    axum::serve(listener, app).await.unwrap();\n}\n\nasync fn daily() {}\n',
    "src/users.rs": 'use axum::{routing::get, Router};\n\npub fn router() -> Router {\n    Router::new()\n        .route("/", get(list).post(create))\n        .route("/{id}", get(show))\n}\n\n'
    "async fn list() {}\nasync fn create() {}\nasync fn show() {}\n",
}

SPRING = {
    "pom.xml": "<project><artifactId>service</artifactId></project>\n",
    "src/main/java/org/acme/Api.java": 'package org.acme;\n\npublic final class Api {\n    public static final String BASE = "/api/v1";\n}\n',
    "src/main/java/org/acme/UserController.java": 'package org.acme;\n\n@RestController\n@RequestMapping(Api.BASE + "/users")\npublic class UserController {\n'
    '    @GetMapping\n    public List<User> list() { return null; }\n\n    @GetMapping("/{id}")\n    public User show(@PathVariable long id) { return null; }\n\n'
    "    @PostMapping\n    public User create() { return null; }\n}\n",
    "src/main/java/org/acme/ReportController.java": "package org.acme;\n\n@RestController\n@RequestMapping(Api.BASE)\npublic class ReportController {\n"
    '    @GetMapping("/reports/daily")\n    public Report daily() { return null; }\n}\n',
}

TORNADO = {
    "app.py": 'import tornado.web\n\nPREFIX = "/api/v1"\n\nhandlers = [\n    (PREFIX + r"/users/?", UsersHandler),\n    (PREFIX + r"/users/([^/]+)", UserHandler),\n'
    '    (PREFIX + r"/reports/daily", DailyHandler),\n]\n',
}

NEST = {
    "package.json": '{"name": "service"}\n',
    "src/main.ts": 'import { NestFactory } from "@nestjs/core";\nasync function bootstrap() {\n  const app = await NestFactory.create(AppModule);\n  app.setGlobalPrefix("api/v1");\n}\n',
    "src/users.controller.ts": 'import { Controller, Get, Post } from "@nestjs/common";\n\n@Controller("users")\nexport class UsersController {\n  @Get()\n  list() {}\n\n'
    '  @Get(":id")\n  show() {}\n\n  @Post()\n  create() {}\n}\n',
    "src/reports.controller.ts": 'import { Controller, Get } from "@nestjs/common";\n\n@Controller("reports")\nexport class ReportsController {\n  @Get("daily")\n  daily() {}\n}\n',
}

ACTIX = {
    "Cargo.toml": '[package]\nname = "service"\nversion = "0.1.0"\nedition = "2021"\n',
    "src/main.rs": 'use actix_web::{web, App, HttpServer, get};\nmod users;\n\n#[get("/reports/daily")]\nasync fn daily() -> String { String::new() }\n\nfn main() {\n'
    '    App::new().service(web::scope("/api/v1").configure(users::config).service(daily));\n}\n',
    "src/users.rs": 'use actix_web::{web, get, post};\n\n#[get("/users")]\nasync fn list() {}\n#[get("/users/{id}")]\nasync fn show() {}\n#[post("/users")]\nasync fn create() {}\n\n'
    "pub fn config(cfg: &mut web::ServiceConfig) {\n    cfg.service(list).service(show).service(create);\n}\n",
}

FASTIFY = {
    "package.json": '{"name": "service"}\n',
    "src/server.ts": 'import Fastify from "fastify";\nimport users from "./users";\nimport { reports } from "./reports";\nconst app = Fastify();\n'
    'app.register(users, { prefix: "/api/v1" });\napp.register(reports, { prefix: "/api/v1" });\n',
    "src/users.ts": 'export default async function (fastify) {\n  fastify.get("/users", list);\n  fastify.get("/users/:id", show);\n  fastify.post("/users", create);\n}\n',
    "src/reports.ts": 'export const reports = async (fastify) => {\n  fastify.route({ method: "GET", url: "/reports/daily", handler: daily });\n};\n',
}

PROJECTS = {
    "fastapi": FASTAPI, "flask": FLASK, "django": DJANGO, "express": EXPRESS, "gin": GIN, "chi": CHI, "axum": AXUM, "spring": SPRING,
    "tornado": TORNADO, "nest": NEST, "actix": ACTIX, "fastify": FASTIFY,
}  # fmt: skip
