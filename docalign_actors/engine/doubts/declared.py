"""What a document's own example declares: `List<Format> formats = …`, `const table = …`, a loop's variable, a route.

Such a variable is the reader's, and so is what an example gives to a function of its own, and `/products` where an example has
`@Get('/products')`: the manual of a framework tells of servers that its readers write; and `${DB_NAME}` where the document shows a
file for Docker Compose that puts it in. That code had one of the same name, and has it no more, says nothing of the example. What
is given up: a listing of own code that declares the name in just this way.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

from docalign_actors.engine.claims import Claim, Judgement, Why, uncertain
from docalign_actors.engine.documents.model import Block, Document
from docalign_actors.engine.judging import Judged
from docalign_actors.findings.model import Verdict

_LANGUAGES = frozenset(
    """java kotlin scala groovy csharp c# cs c cpp c++ cc dart objc js javascript jsx mjs ts typescript tsx vue svelte go golang
    rust rs swift php""".split()
)
"""Those in which an assignment tells that it makes a variable. Settings written in Python or Ruby look like one."""
_DECLARATION = re.compile(
    r"\s*(?:(?:final|const|export|let) )?[A-Za-z_][\w.:]*(?:<[^;=\n]{0,120}>)?(?:\[\])?[&*]{0,2} +[&*]{0,2}"
    r"([A-Za-z_]\w*)(?: *: *[^=\n]{1,80}?)? *=(?![=>])"
    r"|\s*\$([A-Za-z_]\w*) *=(?![=>])|\s*([A-Za-z_]\w*)(?:, *\w+)? *:="
)
_LOOP = re.compile(
    r"\s*(?:for|foreach)(?: await)? *\(? *(?:(?:final|const|let|var|auto) )?(?:[A-Za-z_][\w.:<>\[\]]{0,80}[&*]? +)??"
    r"\$?([A-Za-z_]\w*) *(?: in | of |:(?!=))"
    r"|\s*for (?:\w+, *)?([A-Za-z_]\w*) *:= *range\b|\s*foreach *\([^()]{1,80} as (?:\$\w+ *=> *)?\$([A-Za-z_]\w*)\)"
)
"""What a loop calls each of several: `foreach (var item in items)`, `for (const item of items)`, `for item in items`."""
_ALIAS = re.compile(r"\s*(?:import )?([A-Za-z_]\w*) \"[\w./-]+\"\s*$")
"""Go: what the example calls a package that it imports."""
_DEFINES = re.compile(
    r"\b(?:def|class|function|fn|func|fun|interface|struct)\s+(?:\([^()\n]{0,80}\)\s*)?([A-Za-z_]\w*)"
)
_METHOD = (
    r"\s*(?:@\w+\s+)?(?:(?:public|protected|private|internal|static|final|override|async|virtual|suspend)\s+){{1,4}}"
    r"(?:[\w.<>\[\]?]{{1,60}}\s+){{0,2}}{name}\s*\([^;]{{0,200}}$|\s*(?:async )?def {name}\(self\b"
)
_CLASS = re.compile(
    r"\bclass\s+\w{1,80}(?:<[^<>]{0,80}>)?(?:\s*[(:]|\s+extends\b|\s+implements\b)(?P<parents>[^{]{1,200})"
)
_TYPE = re.compile(
    r"(?:(?:pub(?:\([a-z]{1,12}\))?|public|export|data|sealed|abstract|final|default|declare) ){0,3}"
    r"(?:struct|enum|interface|class|record|trait|type) (?P<name>[A-Za-z_]\w{0,80})\b[^;]{0,200}\{\s*$"
)
_PARENT = re.compile(r"[A-Za-z_][\w.]*")
_SERVES = re.compile(
    r"(?i)@(?:\w{1,40}\.)?(?:get|post|put|patch|delete|head|options|route|(?:get|post|put|patch|delete|request)mapping)\s*"
    r"\(\s*(?:(?:path|value)\s*=\s*)?[\"'`](/[^\"'`\s]{0,200})"
    r"|\.(?:get|post|put|patch|delete|all|handle(?:func)?|map(?:get|post|put|delete))\s*"
    r"\(\s*[\"'`](?:[A-Z]+ )?(/[^\"'`\s]{0,200})[\"'`]\s*,\s*(?:async\b|function\b|func\b|\(|\[|\w{1,40}\s*=>|to\()"
)
"""A route with what answers it, by a decorator or a call. A client's call is given no function."""
_TAKEN = re.compile(r"\brequire\b|\bimport\b")
"""What is taken from a package is the package's."""
_DECLARED = uncertain("the document's own example declares it")
_PARAMETER = re.compile(r"\{[^{}/]{1,60}\}|<[^<>/]{1,60}>|(?<=/):\w+|(?<=/)\*\w*")
_LONGEST = 600


def doubt_declared(
    judged: Sequence[Judged], documents: Mapping[str, Document], is_ours: Callable[[str], bool] = lambda _: True
) -> list[Judged]:
    """The judgements, in doubt where the name that code lost is a variable of the document's examples.

    `is_ours` tells whether own code has a class of a name.
    """
    known: dict[str, frozenset[str]] = {}
    places: dict[str, _Lines] = {}
    served: frozenset[str] | None = None
    result: list[Judged] = []
    for claim, judgement in judged:
        if judgement.verdict is Verdict.DRIFTED and claim.kind == "route":
            served = _served(documents.values()) if served is None else served
            judgement = _DECLARED if _route(judgement.subject or claim.subject) in served else judgement
        if judgement.verdict is Verdict.DRIFTED and claim.kind == "signature" and _is_mere_word(judgement):
            if claim.file not in known:
                known[claim.file] = _declared(documents.get(claim.file))
            own = claim.owner.partition(".")[0] in known[claim.file] or _defines(
                claim.subject, documents.get(claim.file)
            )
            judgement = _DECLARED if own else judgement
        if judgement.verdict is Verdict.DRIFTED and claim.kind in ("symbol", "environment"):
            if claim.file not in places:
                known[claim.file] = _declared(documents.get(claim.file))
                places[claim.file] = _Lines(documents.get(claim.file))
            name = (judgement.subject or claim.subject).rpartition(".")[2]
            varies = name in known[claim.file] and re.split(r"[.(:#]", claim.text)[0] == name
            at = places[claim.file]
            mere = _is_mere_word(judgement) and (at.defines(name, claim.line) or at.types(name, claim.line))
            mere = mere or _is_of_anothers_class(name, claim, judgement, documents.get(claim.file), is_ours)
            mere = mere or _is_in_its_own_type(claim, documents.get(claim.file), is_ours)
            vague = judgement.why is Why.START_GONE and at.puts_in(claim.text, claim.line)
            if varies or mere or vague or _is_put_in(name, claim, judgement, documents.get(claim.file)):
                judgement = _DECLARED
        result.append((claim, judgement))
    return result


def _is_of_anothers_class(
    name: str, claim: Claim, judgement: Judgement, document: Document | None, is_ours: Callable[[str], bool]
) -> bool:
    """The example's own class declares it, `public void onEnable() {`, and has it from parents none of which is ours."""
    blocks = document.blocks if document is not None and claim.form == "example" else ()
    block = next((b for b in blocks if b.lines and b.lines[0].line <= claim.line <= b.lines[-1].line), None)
    own = [line for line in block.lines if line.line == claim.line] if block is not None else []
    declares = re.compile(_METHOD.format(name=re.escape(name)))
    if block is None or not any(declares.match(line.text[:_LONGEST]) for line in own):
        return False
    above = [line.text[:_LONGEST] for line in block.lines if line.line < claim.line]
    header = next((match for text in reversed(above) if (match := _CLASS.search(text))), None)
    parents = {word.rpartition(".")[2] for word in _PARENT.findall(header["parents"])} if header is not None else set()
    lost = set((judgement.subject or claim.subject).split("."))
    return bool(parents) and not any(parent in lost or is_ours(parent) for parent in parents)


def _is_in_its_own_type(claim: Claim, document: Document | None, is_ours: Callable[[str], bool]) -> bool:
    """A field, or the type of one, within a type that the example itself declares and that is none of ours."""
    blocks = document.blocks if document is not None and claim.form == "example" else ()
    block = next((b for b in blocks if b.lines and b.lines[0].line <= claim.line <= b.lines[-1].line), None)
    if block is None or block.language.lower() not in _LANGUAGES or _is_annotation(claim, block):
        return False
    above = [line.text[:_LONGEST] for line in block.lines if line.line < claim.line]
    for text in reversed(above):
        if text.startswith("}"):
            return False
        header = _TYPE.match(text)
        if header is not None:
            return _CLASS.search(text) is None and not is_ours(header["name"])
    return False


def _is_annotation(claim: Claim, block: Block) -> bool:
    """`@Cached` above a member: what the example marks it with is declared elsewhere."""
    line = next((line for line in block.lines if line.line == claim.line), None)
    return line is not None and line.text[: claim.column - line.column].rstrip(" ").endswith("@")


def _defines(name: str, document: Document | None) -> bool:
    """An example of the document defines a thing of this name: it is given there to somebody else."""
    blocks = (block for block in document.blocks if block.lines) if document is not None else ()
    return any(
        name in _DEFINES.findall(line.text[:_LONGEST]) for block in blocks for line in block.lines if name in line.text
    )


def _is_mere_word(judgement: Judgement) -> bool:
    """All that is known is that some file of own code had a thing of this name, and that no other one is in its place."""
    return judgement.fix is None and judgement.why is Why.WORD_GONE


def _is_put_in(name: str, claim: Claim, judgement: Judgement, document: Document | None) -> bool:
    """Only files for Docker Compose had the variable, and the document's own one puts its value in: `${DB_NAME}`."""
    files = [item.file.rpartition("/")[2] for item in judgement.evidence if item.file]
    if (
        not files
        or document is None
        or not all("compose" in file and file.endswith((".yml", ".yaml")) for file in files)
    ):
        return False
    used = re.compile(rf"\$\{{?{re.escape(name)}\b")
    blocks = (block for block in document.blocks if block.lines and "services:" in block.text)
    return any(used.search(line.text[:_LONGEST]) for block in blocks for line in block.lines)


class _Lines:
    """What a document writes as code, by line: looked up for each claim, of which there may be thousands."""

    def __init__(self, document: Document | None) -> None:
        self._code: dict[int, list[str]] = defaultdict(list)
        self._spans: dict[int, list[str]] = defaultdict(list)
        for block in document.blocks if document is not None else ():
            for line in block.lines:
                self._code[line.line].append(line.text[:_LONGEST])
            for inline in block.every_inline():
                if inline.kind == "code":
                    self._spans[inline.line].append(inline.text[:_LONGEST])

    def defines(self, name: str, line: int) -> bool:
        """A line of an example defines a thing of this name."""
        return any(name == defined for text in self._code.get(line, ()) for defined in _DEFINES.findall(text))

    def puts_in(self, name: str, line: int) -> bool:
        """`token = "${MY_TOKEN}"`: a sample of settings takes the value of a variable that is called as the reader likes."""
        return any(f"${{{name}}}" in text for text in self._code.get(line, ()))

    def types(self, name: str, line: int) -> bool:
        """`(statusCode: number) => void`: a type calls what a function is given as it likes."""
        given = re.compile(rf"[(,]\s*(?:\.\.\.)?{re.escape(name)}\??\s*:[^()]{{1,80}}\)\s*[=-]>")
        return any(map(given.search, (*self._code.get(line, ()), *self._spans.get(line, ()))))


def _declared(document: Document | None) -> frozenset[str]:
    return frozenset(
        name
        for block in (document.blocks if document else ())
        if block.language.lower() in _LANGUAGES
        for line in block.lines
        if ("=" in line.text or "for" in line.text or '"' in line.text) and (name := _name(line.text[:_LONGEST]))
    )


def _served(documents: Iterable[Document]) -> frozenset[str]:
    """The routes that examples of any document declare."""
    return frozenset(
        _route(decorated or called)
        for document in documents
        for block in document.blocks
        for line in block.lines
        if "/" in line.text
        for decorated, called in _SERVES.findall(line.text[:_LONGEST])
    )


def _route(path: str) -> str:
    """The path alone, with its parameters all alike."""
    return _PARAMETER.sub("{}", path[path.find("/") :].partition("?")[0].rstrip("/"))


def _name(line: str) -> str:
    """The variable that a line declares, "" if it declares none or gives it what a package calls so."""
    if (loop := _LOOP.match(line)) is not None:
        return loop[1] or loop[2] or loop[3] or ""
    if (alias := _ALIAS.match(line)) is not None:
        return str(alias[1])
    match = _DECLARATION.match(line)
    name: str = (match[1] or match[2] or match[3]) if match else ""
    value = line[match.end() :] if match else ""
    return "" if name in value or _TAKEN.search(value) else name
