"""Puts each claim before its kind, gathers what is asked of the past, and lets the claims that asked be judged again."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from functools import partial

import msgspec

from docalign_actors.engine.audience import is_read_in_place
from docalign_actors.engine.claims import Claim, Judgement, Kind, Why, uncertain
from docalign_actors.engine.code.reader import SOURCE_LIMIT
from docalign_actors.engine.differential import recently_gone
from docalign_actors.engine.documents.anchors import may_have_offered
from docalign_actors.engine.foresight import Foresight, by_width, lens_for
from docalign_actors.engine.longago import is_told
from docalign_actors.engine.owntime import tells_history
from docalign_actors.engine.past import Past, PastFile
from docalign_actors.engine.ports import History, PastBlob, Tree
from docalign_actors.engine.reading import DOCUMENT_LIMIT, Reader
from docalign_actors.engine.roles import document_format
from docalign_actors.engine.searching import by_longest_word, words_of
from docalign_actors.engine.world import World
from docalign_actors.findings.model import Verdict

_ROUNDS = 3
"""How often a claim may ask the past, each time led by the answers before."""
_RECENT = 120
"""Earlier versions, newest first, that are looked into for every word."""
_MOST_VERSIONS = 400
"""Of a few documents, newest first."""
_MOST_LABELLED = 400
"""Earlier versions of documents that are searched for labels, newest first."""

Judged = tuple[Claim, Judgement]

LINKS = frozenset({"link", "image"})
_EXISTENCE = frozenset(
    {"path", "symbol", "environment", "configkey", "route", "option", "command", "imports", "signature"}
)
"""Kinds that ask whether a thing is there at all: one of them being right about a text settles it for the others."""


def judge(
    claims: Sequence[Claim], kinds: Mapping[str, Kind], world: World, asker: PastAsker, tick: Callable[[int], None] | None = None,
) -> list[Judged]:  # fmt: skip
    """A judgement for every claim, in their order. What is not judged when time is up stays uncertain.

    `tick` is told how many are settled: those that ask the past are not yet.
    """
    judgements: list[Judgement] = [uncertain("not judged")] * len(claims)
    settled = 0
    pending = list(range(len(claims)))
    for turn in range(_ROUNDS + 1):
        asking: list[int] = []
        for position in pending:
            if asker.reader.hurry():
                return settle(list(zip(claims, judgements, strict=True)))
            world.past.asked = False
            world.past.of_names = is_told(claims[position])
            judgements[position] = _verify(kinds[claims[position].kind], claims[position], world)
            if world.past.asked and judgements[position].verdict is not Verdict.VERIFIED:
                asking.append(position)
            else:
                settled += 1
                if tick is not None:
                    tick(settled)
        if not asking or turn == _ROUNDS or not asker.answer(world.past):
            break
        pending = asking
    asker.reader.keep()
    return settle(list(zip(claims, judgements, strict=True)))


def _verify(kind: Kind, claim: Claim, world: World) -> Judgement:
    try:
        judgement = kind.verify(claim, world)
        if judgement.verdict is not Verdict.UNCERTAIN or world.past.differential:
            return judgement
        return recently_gone(claim, judgement, world, kind.rules[0]) or judgement
    except Exception as error:  # one claim that nobody foresaw must not end the scan
        return uncertain(f"could not be judged: {type(error).__name__}: {str(error)[:200]}")


class PastAsker:
    """Answers what claims ask of the past, all open questions in one pass over the history."""

    def __init__(
        self,
        history: History,
        tree: Tree,
        reader: Reader,
        still_there: Callable[[str], bool] | None = None,
        foresight: Foresight | None = None,
    ) -> None:
        """`still_there` tells of a word whether the repository's own code contains it today."""
        self.history = history
        self.tree = tree
        self.still_there = still_there
        self.reader = reader
        self._foresight = foresight
        self._blobs: Sequence[PastBlob] | None = None
        self._early: Sequence[PastBlob] = ()
        self.capped = False

    def guarded(self, what: str, look: Callable[[], Iterable[Judged]]) -> list[Judged]:
        """What a look at the whole repository finds. Text that nobody foresaw must not end the scan: it is noted."""
        try:
            return list(look())
        except Exception as error:
            self.reader.failures.append(f"{what} not looked for: {type(error).__name__}: {str(error)[:120]}")
            return []

    @property
    def blobs(self) -> Sequence[PastBlob]:
        """Earlier versions of the files that may have defined something."""
        if self._blobs is None:
            foreseen = (self._foresight or Foresight(self.history, self.tree, self.reader.workers)).result()
            self._blobs, self._early, self.capped = foreseen.blobs, foreseen.early, foreseen.capped
            self.reader.foreseen = foreseen.sights
        return self._blobs

    @property
    def looked_into(self) -> Sequence[PastBlob]:
        """The earlier versions that were read, none if no claim asked."""
        return (*(self._blobs or ()), *self._early)

    def is_new(self, path: str, line: int, name: str) -> bool:
        """The last commit, or what is not committed yet, wrote this line of code; without a line, took a name out of the file."""
        before = next((blob for blob in self.blobs if blob.path == path and blob.age <= 1), None)
        if before is None:
            return False
        data, today = self.history.source.read(path, before.oid, SOURCE_LIMIT), self.tree.read(path, SOURCE_LIMIT)
        if not line:
            return any(word in data and word not in today for word in _identifiers(name))
        then, now = {text.strip() for text in data.split(b"\n")}, today.split(b"\n")
        return line <= len(now) and now[line - 1].strip() not in then

    def answer(self, past: Past) -> bool:
        """Answers all open questions; False if there were none."""
        if not past.is_open:
            return False
        removals = self.history.removed(past.open_paths) if past.open_paths else {}
        files = self._files(frozenset(past.open_texts), past.open_names) if past.open_texts else {}
        anchors = self._anchors(frozenset(past.open_anchors)) if past.open_anchors else {}
        past.answer(removals, files, anchors, self._labels(frozenset(past.open_labels)) if past.open_labels else {})
        return True

    def _labels(self, names: frozenset[str]) -> Mapping[str, PastBlob]:
        """Which of these labels earlier versions of documents held. A plain search: a label stands on a line of its own."""
        found: dict[str, PastBlob] = {}
        for blob in self.history.blobs(lambda path: document_format(path) in ("rst", "markdown", "text", "asciidoc"))[
            :_MOST_LABELLED
        ]:
            data = self.history.source.read(blob.path, blob.oid, DOCUMENT_LIMIT)
            for name in names - found.keys():
                # A document that is not judged, such as a changelog, may hold it still.
                if _holds(data, name) and not _holds(self.tree.read(blob.path, DOCUMENT_LIMIT), name):
                    found[name] = blob
        for path in self.tree.entries if found else ():
            if document_format(path) in ("rst", "markdown") and tells_history(path):
                data = self.tree.read(path, DOCUMENT_LIMIT)
                found = {name: blob for name, blob in found.items() if not _holds(data, name)}
        return found

    def _anchors(self, asked: frozenset[tuple[str, str]]) -> Mapping[tuple[str, str], PastBlob]:
        """Which of these anchors of documents earlier versions offered, each with the newest that did."""
        names = _by_path(asked)
        now = {path: self._document(path, "") for path in names}
        sampled = [
            blob
            for blob in self.history.blobs(names.__contains__)
            if may_have_offered(self._document(blob.path, blob.oid), now[blob.path], names[blob.path])
        ]
        found = self._offering(asked, sampled)
        # What is read where it lies is missed there without a word of the past.
        left = frozenset((path, name) for path, name in asked - found.keys() if not is_read_in_place(path))
        return {**found, **self._offering(left, self._between(left, now))} if left else found

    def _between(self, asked: frozenset[tuple[str, str]], now: Mapping[str, bytes]) -> list[PastBlob]:
        """Versions between the samples that may have offered one of these: of each the lines are read that no newer one has."""
        names = _by_path(asked)
        seen = {path: set(now[path].split(b"\n")) for path in names}
        found: list[PastBlob] = []
        for blob in self.history.versions(sorted(names))[:_MOST_VERSIONS]:
            own = set(self._document(blob.path, blob.oid).split(b"\n")) - seen[blob.path]
            seen[blob.path] |= own
            if own and may_have_offered(b"\n".join(own), b"", names[blob.path]):
                found.append(blob)
        return found

    def _document(self, path: str, oid: str) -> bytes:
        """A document as it is, or as it was."""
        if not oid:
            return self.tree.read(path, DOCUMENT_LIMIT)
        return self.history.source.read(path, oid, DOCUMENT_LIMIT)

    def _offering(
        self, asked: frozenset[tuple[str, str]], versions: Sequence[PastBlob]
    ) -> dict[tuple[str, str], PastBlob]:
        """Which anchors these versions offered, each with the newest that did."""
        blobs = {(blob.path, blob.oid): blob for blob in sorted(versions, key=lambda blob: -blob.age)}
        items = [(path, oid, document_format(path) or "text") for path, oid in blobs]
        read = self.reader.documents(items, self.history.source, ("anchor",), stage="history") if items else []
        found: dict[tuple[str, str], PastBlob] = {}
        for blob, then in zip(blobs.values(), read, strict=True):
            offered = {anchor.lower() for anchor in then.document.anchors}
            found.update({(path, name): blob for path, name in asked if path == blob.path and name in offered})
        return found

    def _files(self, texts: frozenset[str], names: Set[str]) -> Mapping[str, Sequence[PastFile]]:
        """Recent versions are looked into for every text, older ones only for what is gone from the code altogether."""
        if not (self.blobs or self._early):
            return {}
        needs = {text: words for text in texts if (words := _identifiers(text))}
        recent, older = (self.blobs, ()) if self.still_there is None else (self.blobs[:_RECENT], self.blobs[_RECENT:])
        found: dict[str, list[PastFile]] = defaultdict(list)
        self._look_into(recent, needs, found)
        if (older or self._early) and self.still_there is not None:
            gone = {
                text: frozenset(w for w in words if not self.still_there(w.decode())) for text, words in needs.items()
            }
            self._look_into(older, {text: words for text, words in gone.items() if words}, found)
            self._look_at_early({text: gone[text] for text in names if gone.get(text)}, found)
        order = {blob.oid: position for position, blob in enumerate(self.looked_into)}
        for files in found.values():
            files.sort(key=lambda file: order[file.blob.oid])
        return found

    def _look_into(
        self, blobs: Sequence[PastBlob], needs: Mapping[str, frozenset[bytes]], found: dict[str, list[PastFile]]
    ) -> None:
        """Adds the versions in which all words of a text are seen."""
        for part, around in by_width(blobs):
            self._look_around(part, around, needs, found)

    def _look_at_early(self, needs: Mapping[str, frozenset[bytes]], found: dict[str, list[PastFile]]) -> None:
        """Adds of each file of long ago the newest version that has all words of a text.

        The present has none of these words, so there is nothing to compare with. What was used last was defined not long before.
        """
        facts = self.reader.on_demand(self.history.source)
        items = [(blob.path, blob.oid) for blob in self._early]
        held = facts.first_holders(items, needs) if needs else []
        holding = [(blob, item, texts) for blob, item, texts in zip(self._early, items, held, strict=False) if texts]
        facts.expect(item for _, item, _ in holding)
        for blob, item, texts in holding:
            for text in texts:
                found[text].append(PastFile(blob, facts.of(item), partial(facts.data, item)))

    def _look_around(
        self,
        blobs: Sequence[PastBlob],
        around: int,
        needs: Mapping[str, frozenset[bytes]],
        found: dict[str, list[PastFile]],
    ) -> None:
        lens = lens_for(blobs, around, self.history, self.tree)
        by_item = {(blob.path, blob.oid): blob for blob in blobs}
        by_word = by_longest_word(needs)
        wanted = frozenset(word for words in needs.values() for word in words)
        matching: dict[tuple[str, str], list[str]] = {}
        for item, hits in self.reader.sights(sorted(by_item), lens, wanted, "history"):
            texts = [text for word in hits for text in by_word.get(word, ()) if needs[text] <= hits]
            if texts:
                matching[item] = texts
        facts = self.reader.on_demand(self.history.source)
        facts.expect(matching)
        for item, blob in by_item.items():
            if item in matching:
                file = PastFile(blob, facts.of(item), partial(facts.data, item))
                for text in matching[item]:
                    found[text].append(file)


_LABELS = (".. _{}:", "({})=", "[[{}]]", "[[{},", "[#{}]", "[#{},", '[id="{}"', "[id='{}'", "[id={}]", "anchor:{}[")
"""How a label is written: reStructuredText, MyST, and the ways of AsciiDoc."""


def _by_path(asked: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    names: dict[str, list[str]] = defaultdict(list)
    for path, name in asked:
        names[path].append(name)
    return names


def _holds(document: bytes, label: str) -> bool:
    return label.encode() in document and any(form.format(label).encode() in document for form in _LABELS)


def _identifiers(text: str) -> frozenset[bytes]:
    return frozenset(words_of(text.encode("utf-8", "replace")))


def settle(judged: list[Judged]) -> list[Judged]:
    """One text, one verdict: what any kind verifies is not called missing by another, and nothing is reported twice."""
    lines: dict[tuple[str, int], list[Judged]] = defaultdict(list)
    for claim, judgement in judged:
        if judgement.verdict is not Verdict.UNCERTAIN:
            lines[claim.file, claim.line].append((claim, judgement))
    return [(claim, _settled(claim, judgement, lines[claim.file, claim.line])) for claim, judgement in judged]


def _settled(claim: Claim, judgement: Judgement, beside: list[Judged]) -> Judgement:
    if judgement.verdict is not Verdict.DRIFTED:
        return judgement
    for other, verdict in beside:
        if other is claim or not _overlap(claim, other):
            continue
        if verdict.verdict is Verdict.VERIFIED:
            if judgement.seen:
                continue
            if {claim.kind, other.kind} <= _EXISTENCE and other.text == claim.text and other.kind != claim.kind:
                return uncertain(f"it is a {other.kind} that is there")
        elif _stronger(verdict, other, judgement, claim):
            return uncertain("reported under another rule", Why.REPORTED)
    return _as_its_link(claim, judgement, beside)


def _as_its_link(claim: Claim, judgement: Judgement, beside: list[Judged]) -> Judgement:
    """The words of `[setup.py](setup.py)` and its target are two places of one finding."""
    if claim.kind == "path" and claim.form not in LINKS:
        for other, verdict in beside:
            if other.kind == "path" and other.form in LINKS and verdict.subject == judgement.subject != "":
                return msgspec.structs.replace(judgement, rule=verdict.rule or judgement.rule)
    return judgement


def _overlap(a: Claim, b: Claim) -> bool:
    return a.column < b.column + len(b.text) and b.column < a.column + len(a.text)


def _stronger(verdict: Judgement, other: Claim, mine: Judgement, claim: Claim) -> bool:
    """A strict order, so that of two reports of one text exactly one stays."""
    return (verdict.confidence, len(verdict.evidence), -len(other.text), other.kind, other.subject) > (
        mine.confidence, len(mine.evidence), -len(claim.text), claim.kind, claim.subject,
    )  # fmt: skip
