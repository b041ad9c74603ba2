"""How an App comes into being: GitHub's own page for it, the code, and the credentials in exchange for that."""

from __future__ import annotations

import html
import json
import re
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import parse_qsl, urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from docalign_actors.demo.github.model import App
from docalign_actors.demo.github.routing import Call, RefusedError, known_app, route
from docalign_actors.demo.github.world import World

CODE_LASTS = timedelta(hours=1)
_PAGE = re.compile(r"(?:/organizations/(?P<owner>[^/]+))?/settings/apps/(?P<step>new|create)")
_NEEDED = ("url", "hook_attributes", "redirect_url", "default_permissions", "default_events")
OPEN = re.compile(r"/meta|/app-manifests/[^/]+/conversions")
"""Addresses of the API that ask for no credentials."""


@dataclass
class Code:
    """Stands for the credentials of an App that was just created, once, for an hour."""

    manifest: dict[str, Any]
    owner: str
    expires: datetime


def is_page(path: str) -> bool:
    return _PAGE.fullmatch(path) is not None


def page(world: World, request: Request, body: bytes) -> Response:
    """The page that shows what is to be created, and the button that creates it and leads back."""
    found = _PAGE.fullmatch(request.url.path)
    form = dict(parse_qsl(body.decode()))
    if found is None or request.method != "POST":
        return Response("Not Found", 404)
    try:
        manifest = json.loads(form["manifest"])
        missing = [name for name in _NEEDED if name not in manifest]
    except (KeyError, ValueError):
        missing = ["manifest"]
    if missing:
        return Response(f"The manifest lacks {', '.join(missing)}.", 422)
    state = request.query_params.get("state", "")
    if found["step"] == "new":
        return _confirm(found["owner"] or "", manifest, state)
    code = secrets.token_hex(20)
    manifest["name"] = form.get("name") or manifest.get("name", "")
    world.codes[code] = Code(manifest, found["owner"] or "ada", world.clock.now() + CODE_LASTS)
    back = urlencode({"code": code, "state": state})
    return RedirectResponse(f"{manifest['redirect_url']}?{back}", 302)


def _confirm(owner: str, manifest: dict[str, Any], state: str) -> Response:
    target = f"{f'/organizations/{owner}' if owner else ''}/settings/apps/create?{urlencode({'state': state})}"
    fields = (
        f'<input type="hidden" name="manifest" value="{html.escape(json.dumps(manifest))}">'
        f'<input name="name" value="{html.escape(manifest.get("name", ""))}" maxlength="34">'
    )
    button = f"Create GitHub App{f' for {html.escape(owner)}' if owner else ''}"
    body = f'<form method="post" action="{html.escape(target)}">{fields}<button>{button}</button></form>'
    return Response(
        f"<!doctype html><title>GitHub</title><h1>Create GitHub App</h1>{body}", 200, media_type="text/html"
    )


@route("GET", "/meta")
def meta(call: Call) -> Any:
    return {"verifiable_password_authentication": False, "installed_version": "3.20.0"}


@route("POST", "/app-manifests/(?P<code>[^/]+)/conversions")
def convert(call: Call, code: str) -> Any:
    found = call.world.codes.pop(code, None)
    if found is None or found.expires < call.world.clock.now():
        raise RefusedError(404, "Not Found")
    given, old = found.manifest, call.world.app
    slug = re.sub(r"[^a-z0-9]+", "-", given["name"].lower()).strip("-")
    made = App(
        call.world.next_id(), slug, given["name"], old.private_key, old.public_key, owner=found.owner,
        permissions=dict(given["default_permissions"]), events=list(given["default_events"]),
    )  # fmt: skip
    call.world.app = made
    call.world.hooks.url, call.world.hooks.secret = given["hook_attributes"]["url"], secrets.token_hex(20)
    shown = made.json() | {"html_url": f"{call.world.base.removesuffix('/api/v3')}/apps/{slug}"}
    secret = {"client_id": "Iv1.1", "client_secret": "c", "webhook_secret": call.world.hooks.secret}
    return 201, {**shown, **secret, "pem": made.private_key}


@route("GET", "/app/hook/config")
def hook_config(call: Call) -> Any:
    known_app(call)
    hooks = call.world.hooks
    return {"url": hooks.url, "content_type": hooks.content_type, "insecure_ssl": "0", "secret": "********"}
