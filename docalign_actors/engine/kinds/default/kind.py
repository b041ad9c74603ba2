"""Defaults and ports that the docs state, against the values that code gives."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from weakref import WeakKeyDictionary

from docalign_actors.engine.claims import Claim, Judgement, Rule, uncertain, verified
from docalign_actors.engine.code.manifests.compose import is_compose
from docalign_actors.engine.code.reader import SOURCE_LIMIT, language_of
from docalign_actors.engine.code.source import lines_with
from docalign_actors.engine.documents.model import Block, Document
from docalign_actors.engine.kinds.default import ports as defaultports
from docalign_actors.engine.kinds.default.blocks import in_signature
from docalign_actors.engine.kinds.default.code import Candidate, Wanted, in_file, in_index, is_of_a_site
from docalign_actors.engine.kinds.default.text import Stated, stated
from docalign_actors.engine.kinds.shared.spellings import parts
from docalign_actors.engine.kinds.shared.values import is_plain, parse, rewritten, same
from docalign_actors.engine.roles import is_own_code
from docalign_actors.engine.world import World
from docalign_actors.findings.model import Evidence, Fix, Severity, Verdict

_RULE = "wrong-default"
_WEAK_FORMS = frozenset({"block", "signature"})
"""Examples and signatures may show a value that was chosen rather than a default: only the past can convict them."""


_TELLING = 4
"""Letters of a value that hardly stand beside the same name by chance."""


class DefaultKind:
    """`--port` defaults to `8080`; the server listens on port 8080."""

    name = "default"
    rules = (
        Rule(_RULE, "default", "The docs state a default that the code does not have.", Severity.HIGH),
        Rule(
            defaultports.RULE, "default", "The docs name a port that the code does not use any more.", Severity.MEDIUM
        ),
    )
    markers: frozenset[str] = frozenset()

    def __init__(self) -> None:
        self._known: WeakKeyDictionary[World, dict[Wanted, list[Candidate]]] = WeakKeyDictionary()

    def extract(self, document: Document) -> Iterable[Claim]:
        """Every default and port that a document states."""
        told = [*stated(document), *_signatures(document)]
        for item in told:
            if is_plain(item.value) and len(item.subject) > 1 and item.text:
                yield Claim(
                    kind=self.name, subject=item.subject, text=item.text, file=document.path, line=item.line, column=item.column,
                    form=item.form, value=item.value, owner=item.owner, words=_words(item), context=" ".join(item.others),
                )  # fmt: skip
        yield from defaultports.extract(document)

    def verify(self, claim: Claim, world: World) -> Judgement:
        """Compares with every literal default of that name; asks the past when they differ."""
        if claim.form == "port":
            return defaultports.verify(claim, world)
        if claim.form == "near":
            return self._judge_near(claim, world)
        wanted = Wanted.of(claim.subject, claim.owner)
        return _judge(claim, wanted, self._candidates(wanted, world), world)

    def _candidates(self, wanted: Wanted, world: World) -> list[Candidate]:
        known = self._known.setdefault(world, {})
        if wanted not in known:
            known[wanted] = in_index(wanted, world)
        return known[wanted]

    def _judge_near(self, claim: Claim, world: World) -> Judgement:
        """The text does not say whose default it is: false only if something named beside it had that very default."""
        gone: Judgement | None = None
        for subject in claim.context.split():
            wanted = Wanted.of(subject, "")
            candidates = self._candidates(wanted, world)
            equal = [c for c in candidates if c.sure and c.value is not None and same(claim.value, c.value)]
            if equal:
                return verified(Evidence("the default here", equal[0].path, equal[0].line))
            if gone is None and candidates:
                gone = _once(claim, wanted, candidates, world, only_sure=True)
        return gone or uncertain("whose default it is cannot be told")


def _words(item: Stated) -> tuple[str, ...]:
    words = Wanted.of(item.subject, item.owner).words
    more = (word for other in item.others for word in Wanted.of(other, "").words)
    return tuple(dict.fromkeys((*words, *more)))


def _signatures(document: Document) -> Iterator[Stated]:
    """Signatures in spans, headings and reStructuredText directives."""
    for block in document.blocks:
        for text, line, column in _signature_places(block):
            for function, parameter, value, offset in in_signature(text):
                yield Stated(parameter, value, value, line, column + offset, "signature", function)


def _signature_places(block: Block) -> Iterator[tuple[str, int, int]]:
    if block.lines:
        for line in block.lines[:300]:
            if line.text.startswith((".. ", "def ", "async def ", "class ")):
                yield line.text, line.line, line.column
        return
    for inline in block.every_inline():
        if (inline.kind == "code" or block.kind == "heading") and "=" in inline.text and "(" in inline.text:
            yield inline.text, inline.line, inline.column


def _judge(claim: Claim, wanted: Wanted, candidates: Sequence[Candidate], world: World) -> Judgement:
    if claim.form == "signature":
        candidates = [c for c in candidates if c.identity[0] == "parameter" and c.sure]
    sure = [c for c in candidates if c.sure]
    equal = [c for c in candidates if c.value is not None and same(claim.value, c.value)]
    agreed = next((c for c in equal if c.sure), None)
    if agreed is not None:
        return verified(Evidence("the default here", agreed.path, agreed.line))
    if not candidates:
        return uncertain("nothing of that name has a default in this repository's code")
    once = _once(claim, wanted, candidates, world, only_sure=bool(equal))
    if once is not None:
        return once
    if equal and world.past.awaits(*wanted.texts):
        return uncertain("the past is asked first")
    if equal and _literal(sure):
        return uncertain("the code has several defaults")
    if equal:
        return verified(Evidence("the default here", equal[0].path, equal[0].line))
    return _by_value(claim, sure, candidates)


def _literal(candidates: Sequence[Candidate]) -> list[Candidate]:
    return [c for c in candidates if c.value is not None]


_STATES = frozenset({"enabled", "disabled", "enable", "disable", "on", "off"})
_NEGATIONS = frozenset({"disable", "disabled", "no", "not", "without", "skip", "ignore", "exclude", "hide", "suppress"})


def _is_a_state(value: str) -> bool:
    """`Enabled` is said of a feature; of a flag of the command line one says `true` or `false`."""
    return value.strip("`*\"' ").lower() in _STATES


def _turns_off(name: str) -> bool:
    """`--exporter.disable-arp-table`: what is on by default is what the option turns off."""
    return not _NEGATIONS.isdisjoint(parts(name))


def _is_of_a_deployment(path: str) -> bool:
    """A file that gives values to a program which takes them: what the program does without them stands in its code."""
    return language_of(path) in ("dotenv", "dockerfile") or is_compose(path.rpartition("/")[2])


_ESCAPED = re.compile(r"""[\\"'`\[\]{}()<>]""")


def _once(
    claim: Claim, wanted: Wanted, candidates: Sequence[Candidate], world: World, *, only_sure: bool
) -> Judgement | None:
    """The thing had the documented default once, and has another now."""
    now: dict[tuple[str, tuple[str, ...]], list[Candidate]] = {}
    for candidate in candidates:
        now.setdefault((candidate.path, candidate.identity), []).append(candidate)
        now.setdefault(("", candidate.identity), []).append(candidate)
    others = {c.identity[0] for c in candidates if c.value is not None and same(claim.value, c.value) is False}
    asked = [world.past.files(text) for text in wanted.texts] if others else []
    # A name is looked for in several spellings: what went last is told by whichever spelling the newest version has.
    for files in sorted(asked, key=lambda files: min((file.blob.age for file in files), default=0)):
        for file in files:
            for then in () if is_of_a_site(file.path) else in_file(file.path, file.facts, wanted, others):
                if then.value is None or not same(claim.value, then.value) or (only_sure and not then.sure):
                    continue
                if _ESCAPED.search(claim.value) and not file.is_fresh:
                    continue  # written in so many ways that two spellings need not be two values
                if claim.form == "signature" and (then.identity[0] != "parameter" or not then.sure):
                    continue
                here = now.get((file.path, then.identity))
                if here is None and _is_given_still(claim.value, wanted, world):
                    continue  # it went to another file, and what has its name elsewhere is another's
                today = here or now.get(("", then.identity)) or ()
                if then.identity[0] == "key" and not then.sure and len({c.path for c in today}) > 1:
                    continue  # each file of data has keys of its own: `metadata.name` of one is not that of another
                given = _literal(today)
                changed = [c for c in given if same(claim.value, c.value or "") is False]
                if changed and len(changed) == len(given):
                    was = Evidence(f"was `{then.value}`", file.path, then.line, file.blob.after)
                    return _drifted(claim, changed, 0.97, was, name=wanted.subject)
    return None


def _is_given_still(value: str, wanted: Wanted, world: World) -> bool:
    """A line of own code has the value beside the name: `p.Endpoint = "unix:///run/tool.sock"`."""
    told = value.strip("`*\"' ").encode()
    for word in wanted.words if len(told) >= _TELLING else ():
        for path in world.index.occurs(word):
            data = world.tree.read(path, SOURCE_LIMIT) if is_own_code(path) else b""
            if any(word.encode() in data[line : data.find(b"\n", line)] for line in lines_with(data, [told])):
                return True
    return False


def _by_value(claim: Claim, sure: Sequence[Candidate], candidates: Sequence[Candidate]) -> Judgement:
    """Without a past: only a thing of exactly that name, one alone, with a literal that can be compared."""
    places = {(c.path, c.identity) for c in sure}
    literal = _literal(sure)
    if claim.form in _WEAK_FORMS or len(places) != 1 or len(literal) != len(sure):
        return uncertain("which default is meant cannot be told")
    actual = literal[0].value or ""
    if any(same(claim.value, c.value or "") is not False for c in literal):
        return uncertain(f"`{claim.value}` cannot be compared with `{actual}`")
    kinds = parse(claim.value).kind, parse(actual).kind
    if all(_is_of_a_deployment(c.path) for c in sure):
        return uncertain("a sample of settings or a container may have a value that was chosen")
    if _is_a_state(claim.value) and _turns_off(claim.subject):
        return uncertain("a state of what the option turns off, rather than of the option")
    if literal[0].identity[0] == "definition":
        return uncertain("a constant of that name may be another thing's")
    exact = literal[0].identity[0] in ("option", "variable")
    if not (kinds in (("number", "number"), ("flag", "flag")) and (exact or len(candidates) == len(sure))):
        return uncertain("which default is meant cannot be told")
    if parse(actual).number in (0.0, -1.0) and kinds[0] == "number":
        return uncertain("the code's value may stand for one that is worked out later")
    return _drifted(claim, literal, 0.85)


def _drifted(claim: Claim, now: Sequence[Candidate], confidence: float, *more: Evidence, name: str = "") -> Judgement:
    actual = now[0].value or ""
    replacement = rewritten(claim.text, actual) if claim.text == claim.value else rewritten(claim.value, actual)
    if replacement is not None and claim.text != claim.value:
        replacement = re.sub(r"\s?[a-zA-Zµ%]+$", "", replacement)
    fix = Fix(replacement, len({c.value for c in now}) == 1 and confidence > 0.9) if replacement else None
    name = name or claim.subject
    called = f"`{claim.owner}()`'s `{name}`" if claim.form == "signature" else f"`{name}`"
    return Judgement(
        Verdict.DRIFTED, _RULE, f"{called} defaults to `{actual}`, not to `{claim.value}`",
        evidence=(Evidence(f"is `{actual}`", now[0].path, now[0].line), *more), confidence=confidence, fix=fix,
        subject=f"{name} {claim.value}",
    )  # fmt: skip
