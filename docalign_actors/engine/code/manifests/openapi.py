"""OpenAPI and Swagger descriptions: the routes they declare, as written."""

from __future__ import annotations

import re

from docalign_actors.engine.code.manifests.tree import Node
from docalign_actors.engine.facts import FileFacts, Mount, Route

_METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
_START = re.compile(rb"""["']?(openapi|swagger)["']?\s*:""")
_MOST = 5000
_SERVER = re.compile(r"(?:[\w{}+.-]+:)?(?://[^/]*)?(/[\w./-]+)/?\Z")
"""The path of a server's address, where it is plain: `https://{host}/api/v1`, `/api/v1`."""


def looks_like(data: bytes) -> bool:
    """Cheap: the word that every such file begins with."""
    return bool(_START.search(data[:4096]))


def is_openapi(root: Node) -> bool:
    """It says which version of the specification it follows, and has paths."""
    return bool(root.get("openapi") or root.get("swagger")) and bool(root.get("paths"))


def collect_openapi(root: Node, facts: FileFacts) -> None:
    """One route for each operation, and the paths that all of them lie under: `basePath`, or those of the servers."""
    for base in (root.get("basePath"), *(server.get("url") for server in root.get("servers").elements())):
        told = _SERVER.match(base.string)
        if told is not None and told[1].strip("/"):
            facts.mounts.append(Mount(told[1].rstrip("/"), base.line))
    for path, item in root.get("paths").pairs()[:_MOST]:
        for method in _METHODS:
            operation = item.get(method)
            if operation and path.startswith("/"):
                handler = operation.get("operationId").string
                facts.routes.append(Route(method.upper(), path, item.line, handler=handler))
        if item.get("$ref"):
            facts.opaque.append("routes")
