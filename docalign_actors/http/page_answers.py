"""What the pages' routes take and give: forms within bounds, HTML under a strict policy, files that may be kept for good."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from urllib.parse import parse_qsl

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from docalign_actors.dashboard.assets import asset
from docalign_actors.http.errors import BadBodyError, SlowRequestError, TooLargeError, UnknownAddressError
from docalign_actors.http.problems import problem_of

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "Cache-Control": "no-store",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
SIGN_IN_HEADERS = {"Referrer-Policy": "strict-origin"}
"""The address of that page may hold a token. `no-referrer` would make the browser hide where its form comes from, too."""
FORM_LIMIT = 16_384
FORM_SECONDS = 10.0


async def read_form(request: Request) -> dict[str, str]:
    """The fields of a form, within a bound of size and time."""
    if request.headers.get("content-type", "").split(";")[0].strip() != "application/x-www-form-urlencoded":
        raise BadBodyError("This is not what a form of these pages sends.")
    body = bytearray()
    try:
        async with asyncio.timeout(FORM_SECONDS):
            async for part in request.stream():
                body += part
                if len(body) > FORM_LIMIT:
                    raise TooLargeError
    except TimeoutError:
        raise SlowRequestError from None
    try:
        return dict(parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=50))
    except ValueError:
        raise BadBodyError("This is not what a form of these pages sends.") from None


async def static(request: Request) -> Response:
    """A file of ours. Its address names its contents, so it may be kept for good."""
    found = asset(request.path_params["name"])
    if found is None:
        known = problem_of(UnknownAddressError(), "")
        return Response(known.detail, 404, media_type="text/plain")
    current = request.query_params.get("v") == found.mark
    kept = "public, max-age=31536000, immutable" if current else "no-cache"
    headers = {**HEADERS, "Cache-Control": kept, "ETag": f'"{found.mark}"'}
    if request.headers.get("if-none-match") == headers["ETag"]:
        return Response(status_code=304, headers=headers)
    return Response(found.data, headers=headers, media_type=found.type)


def html(text: str, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """A page under the pages' policy."""
    return Response(text.encode("utf-8", "replace"), status, {**HEADERS, **(headers or {})}, "text/html; charset=utf-8")


def to(path: str, headers: Mapping[str, str] | None = None) -> Response:
    """Elsewhere, by GET."""
    return RedirectResponse(path, 303, {**HEADERS, **(headers or {})})
