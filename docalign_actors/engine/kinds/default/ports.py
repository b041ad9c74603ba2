"""Ports that the docs tell people to use: "listens on port 8080", `http://localhost:8080`, `-p 8080:8080`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from weakref import WeakKeyDictionary

from docalign_actors.engine.claims import Claim, Judgement, uncertain, verified
from docalign_actors.engine.code.reader import SOURCE_LIMIT
from docalign_actors.engine.documents.model import Block, Document, Inline
from docalign_actors.engine.facts import FileFacts
from docalign_actors.engine.kinds.default.code import expansion
from docalign_actors.engine.kinds.shared.filesnow import facts_now
from docalign_actors.engine.ondemand import read_ahead
from docalign_actors.engine.past import holds_number
from docalign_actors.engine.roles import is_own_code, is_test
from docalign_actors.engine.world import World
from docalign_actors.findings.model import Evidence, Fix, Verdict

RULE = "wrong-port"
_LONGEST = 2000
_URL = re.compile(r"(?:\b(?:localhost|127\.0\.0\.1|0\.0\.0\.0)|\[::1\]|(?<=://)[a-z][a-z0-9-]{1,30}):(\d{2,5})\b")
"""A host without a dot is a service of the same network."""
_SAID = re.compile(
    r"(?i)\b(?:listen(?:s|ing)?|serv(?:es|ed|ing)|run(?:s|ning)?|start(?:s|ed)?|available|exposed?|bound|binds?)\b"
    r"[^.\n]{0,60}\bport[: ]+`?(\d{2,5})\b|\b(?:default )?port(?: is| of|:)? (\d{2,5})\b|\bports \((\d{2,5})\b"
    r"|\bport\b[^.\n]{0,40}\bdefaults?(?: is| of| to|:)? `?(\d{2,5})\b"
)
_PUBLISHED = re.compile(r"(?:-[a-zA-Z]{0,4}p|--publish)[ =](?:[\d.]+:)?(\d{2,5}):(\d{2,5})\b")
_OPENED = re.compile(
    r"\b(?:docker|podman|nerdctl)\b[^|\n]{0,80}?\srun\b[^|\n]{0,200}?\s(?:-p|--publish)[ =](\d{2,5})(?![\d:.]|[-\w])"
)
"""Of a container only its own port, which gets any of this machine's: `docker run -p 8080 tool`."""
_MAPPED = re.compile(r"^\s{0,20}-\s{1,4}[\"']?(?:[\d.]{7,15}:)?(\d{2,5}):(\d{2,5})(?:/tcp)?[\"']?\s*(?:#.*)?$")
"""An entry below `ports:` of a compose file: a port of this machine, and the one that the container has."""
_CALLED = re.compile(
    r"\b(?:curl|wget|http|xh|grpcurl)\b[^|\n]{0,200}?\s[\"']?[a-z][a-z0-9-]{1,30}:(\d{2,5})(?=[/\"'\s]|$)"
    r"|\b(?:telnet|nc|ncat|netcat)(?: -\w+){0,3} [\w.:\[\]-]{2,60} (\d{2,5})\b"
)
"""A client's command line: the host without a dot before the port, or after the host."""
_ALONE = re.compile(r"^:(\d{4,5})$")
"""A span that is nothing but where a server listens: `:8080`."""
_WORDS = (
    "port",
    "PORT",
    "Port",
    "listen",
    "ListenAndServe",
    "EXPOSE",
    "ports",
    "bind",
    "DEFAULT_PORT",
    "DefaultPort",
    "defaultPort",
    "default_port",
)
_PORT_FOLLOWS = re.compile(r"\s?port\b(?! \d)")
_PORT_CELL = re.compile(r"(?i)\W{0,2}(?:(?:default|host|local|http|listen(?:ing)?|tcp|service) )?ports?\W{0,3}")
_PORT_NUMBER, _PORT_WORD = re.compile(r"[1-9]\d{3,4}"), re.compile(r"(?i)\bport\b")
_READ = ("text", "code", "link")
_NUMBER = re.compile(r"\d\d")
"""Every port has two digits at least; most texts have none."""
_NAMED_PORT = re.compile(r"(?i)(?:^|[._-])port$|^port|port$")


def extract(document: Document) -> Iterator[Claim]:
    """Every local port that a document names."""
    for block in document.blocks:
        yield from _in_a_column(document, block)
        for inline in block.lines or block.every_inline():
            if inline.kind not in _READ and not block.lines:
                continue
            text = inline.text[:_LONGEST]
            for pattern in (_URL, _SAID, _PUBLISHED, _OPENED, _MAPPED, _CALLED, _ALONE) if _NUMBER.search(text) else ():
                for match in pattern.finditer(text):
                    group = match.lastindex or 1
                    number = match[group]
                    if 80 <= int(number) <= 65535:
                        yield Claim(
                            kind="default", subject=f"port {number}", text=number, file=document.path, line=inline.line,
                            column=inline.column + match.start(group), form="port", value=number, words=_WORDS,
                            hypothetical=block.hypothetical, owner=_service(text, match),
                        )  # fmt: skip
            if block.kind != "code" and text.rstrip().endswith(("port", "Port")):
                yield from _span_after(document, block.inlines, inline)
            if block.kind != "code" and inline.kind == "text" and _PORT_FOLLOWS.match(text):
                yield from _span_before(document, block.inlines, inline)


def _in_a_column(document: Document, block: Block) -> Iterator[Claim]:
    """A cell below or beside the word, and an item that begins with the number: `| tool | 8080 |`, ``- `8080`: the HTTP port``."""
    for before, cell in pairwise((None, *block.cells)):
        told = cell is not None and (
            _PORT_CELL.fullmatch(cell.header.strip()) or (before and _PORT_CELL.fullmatch(before.text))
        )
        if (
            cell is not None
            and told
            and len(cell.inlines) == 1
            and _PORT_NUMBER.fullmatch(cell.inlines[0].text.strip())
        ):
            whose = block.cells[0].text if cell is not block.cells[0] else " ".join(c.text for c in block.cells[1:])
            yield _of_number(document, cell.inlines[0], whose.strip()[:40])
    if block.kind == "item" and len(block.inlines) > 1 and block.inlines[0].kind == "code":
        first, rest = block.inlines[0], block.inlines[1]
        if _PORT_NUMBER.fullmatch(first.text) and _PORT_WORD.search(rest.text[:80]):
            yield _of_number(document, first)


def _of_number(document: Document, inline: Inline, whose: str = "") -> Claim:
    number = inline.text.strip()
    return Claim(
        kind="default", subject=f"port {number}", text=number, file=document.path, line=inline.line,
        column=inline.column + inline.text.index(number), form="port", value=number, words=_WORDS, owner=whose,
    )  # fmt: skip


def _service(text: str, match: re.Match[str]) -> str:
    """The host of an address, if it is the name of a service and not this machine."""
    host = re.search(
        r"://([a-z][a-z0-9-]*)$",
        text[max(0, match.start(match.lastindex or 1) - 40) : match.start(match.lastindex or 1) - 1],
    )
    return host[1] if host is not None and host[1] != "localhost" else ""


def _span_after(document: Document, inlines: tuple[Inline, ...], before: Inline) -> Iterator[Claim]:
    """`on port` followed by a code span that is a number."""
    return (_of_number(document, second) for first, second in pairwise(inlines) if first is before and _is_port(second))


def _span_before(document: Document, inlines: tuple[Inline, ...], after: Inline) -> Iterator[Claim]:
    """A code span that is a number, and then `port`."""
    return (_of_number(document, first) for first, second in pairwise(inlines) if second is after and _is_port(first))


def _is_port(inline: Inline) -> bool:
    return inline.kind == "code" and bool(re.fullmatch(r"\d{2,5}", inline.text)) and int(inline.text) >= 80


def ports(facts: FileFacts) -> Iterator[tuple[int, int]]:
    """(number, line) of every port that a file binds, declares or gives as a default."""
    for port in facts.ports:
        yield port.number, port.line
    named = [(o.names[0], o.default, o.line) for o in facts.options] + [(v.name, v.default, v.line) for v in facts.env]
    named += [(k.name, k.default, k.line) for k in facts.keys] + [(d.name, d.value, d.line) for d in facts.definitions]
    named += [(p.name, p.default, d.line) for d in facts.definitions for p in d.params or ()]
    for name, value, line in named:
        value = expansion(value)[1] or value
        found = re.search(r"(?:^|:)(\d{2,5})$", value.strip()) if value and len(value) < 60 else None
        if found and (_NAMED_PORT.search(name) or ":" in (value or "")):
            yield int(found[1]), line


class _Ports:
    """Where each port is found first. Of what is no own code only the files are parsed that hold its digits: most hold none."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._own: dict[int, tuple[int, str, int]] = {}
        self._others: list[tuple[int, str]] = []
        self._known: dict[int, tuple[str, int] | None] = {}
        for number, (path, facts) in enumerate(world.index.files.items()):
            if is_own_code(path):
                for port, line in ports(facts):
                    self._own.setdefault(port, (number, path, line))
            elif not is_test(path):
                self._others.append((number, path))

    def find(self, port: int) -> tuple[str, int] | None:
        if port not in self._known:
            own = self._own.get(port)
            before = [path for number, path in self._others if own is None or number < own[0]]
            self._known[port] = self._among(port, before) or (own[1:] if own else None)
        return self._known[port]

    def _among(self, port: int, paths: Iterable[str]) -> tuple[str, int] | None:
        tree, files = self._world.tree, self._world.index.files
        holding = {path: files[path] for path in paths if holds_number(tree.read(path, SOURCE_LIMIT), port)}
        for name in ("ports", "options", "definitions"):
            read_ahead(holding.values(), name)
        told = ((path, line) for path, facts in holding.items() for number, line in ports(facts) if number == port)
        return next(told, None)


_ports: WeakKeyDictionary[World, _Ports] = WeakKeyDictionary()


def verify(claim: Claim, world: World) -> Judgement:
    """Some own file has the number as a port; or one had, and none has now."""
    number, root = int(claim.value), world.package_of(claim.file).root
    if world not in _ports:
        _ports[world] = _Ports(world)
    here = _ports[world].find(number)
    if here is not None:
        return verified(Evidence("the port here", *here))
    ask = [
        f
        for word in ("port", "PORT", "Port", "listen", "ListenAndServe", "EXPOSE", "ports", "bind")
        for f in world.past.files(word)
    ]
    for file in {(file.path, file.blob.oid): file for file in ask}.values():
        if not file.path.startswith(root) and world.package_of(file.path).root:
            continue
        if not file.holds_number(number):
            continue
        line = next((at for port, at in ports(file.facts) if port == number), 0)
        if not line:
            continue
        now = facts_now(world, file.path)
        if now is None:
            continue
        then_all, now_all = {p for p, _ in ports(file.facts)}, dict(ports(now))
        come = [p for p in now_all if p not in then_all]
        fresh = file.is_fresh or world.past.differential
        if not fresh and (claim.owner or len(then_all - now_all.keys()) > len(come)):
            # By now another service may be meant; and of several ports that went, another may be what the new one stands for.
            continue
        if come:
            was = Evidence(f"was `{number}`", file.path, line, file.blob.after)
            return _drifted(number, come, Evidence(f"is `{come[0]}`", file.path, now_all[come[0]]), was)
    return uncertain("nothing shows that this project ever used that port")


def _drifted(number: int, come: list[int], *evidence: Evidence) -> Judgement:
    now = f": it uses {come[0]}" if len(come) == 1 else ""
    message = f"The code does not use port {number} any more{now}"
    return Judgement(
        Verdict.DRIFTED, RULE, message, evidence=evidence, confidence=0.95, fix=Fix(str(come[0]), len(come) == 1)
    )
