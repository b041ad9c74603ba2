"""Where documentation says which version something needs.

A statement is claimed when its sentence demands something ("requires", "at least"), when it stands under a heading such
as "Requirements", or when it is all that an item or a badge says. A condition ("on Python 3.11+ …") demands nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from docalign_actors.engine.documents.model import Block
from docalign_actors.engine.kinds.shared.running_text import RunningText

_V = r"v?(?P<number>\d{1,3}(?:\.\d{1,4}){0,2})(?:\.[xX*])?"
_OTHER = r"v?\d{1,3}(?:\.\d{1,4}){0,2}(?:\.[xX*])?"
_RUNTIMES = {
    "python": "python", "cpython": "python", "python3": "python", "node": "node", "node.js": "node", "nodejs": "node",
    "npm": "npm", "pnpm": "pnpm", "yarn": "yarn", "go": "go", "golang": "go", "rust": "rust", "rustc": "rust",
    "msrv": "rust", "java": "java", "jdk": "java", "jre": "java", "openjdk": "java", "php": "php", "ruby": "ruby",
    "deno": "deno", "bun": "bun",
}  # fmt: skip
_NAME = (
    r"(?P<name>c?python3?|node(?:\.?js)?|p?npm|yarn|go(?:lang)?|rustc?|msrv|open ?jdk|java|jdk|jre|php|ruby|deno|bun)"
)
_TWIN = r"(?:(?:java|jdk|jre)\s?/\s?(?=java|jdk|jre))?"
"""`jre/jdk 17`: two names of one runtime."""
_LATER = (
    r"(?:\s\([^()]{1,20}\))?(?:\s?\+|\s*\(?(?:or|and|&)\s(?:any\s)?(?:newer|later|higher|above"
    r"|greater|up|upwards?|over|better|more recent|beyond|onwards?|a later|a newer)\b|\s(?:onwards?"
    r"|upwards)\b)"
)
_AT_LEAST = r"(?:>=|=>|≥|&gt;=|⩾|at least|minimum(?: of)?|min\.?)"
_JOIN = r"(?:\s*(?:,|/|\|)\s*(?:and\s|or\s)?|\s*(?:and|or|&)\s*)"
_UP_TO = r"(?:\s?(?:-|–|—|‑)\s?|\s(?:to|through|thru|until|till|up to)\s)"
_DIGIT = re.compile(r"\d")
_NEVER_JAVA = re.compile(r"[234](?:\.|$)")
"""Before Java 5 there were 1.2, 1.3 and 1.4."""
_CALLED = re.compile(r"(?P<within>[a-z,]\s)?(?P<word>[A-Z][a-z]\w{1,40}) $")
"""The word with a capital that stands before the language's name; within a sentence it is a name."""
_MAKERS = frozenset("Oracle Sun Amazon Azul Eclipse Temurin Zulu Open Microsoft Anaconda Homebrew Apple".split())
_STATEMENT = re.compile(
    rf"(?<![\w./@-]){_TWIN}{_NAME}(?P<gap>(?:\sJS|\sSE|\sversions?|\sruntime|\sinterpreter|\stoolchain"
    rf"|\s\(msrv\)|\s\(rustc\))*\s*[:(|]?\s*(?:is|of|,?\sand\srequires)?\s*)"
    rf"(?P<op>{_AT_LEAST}\s*)?(?:version\s)?{_V}(?![\w%]|\.\d|['’]s\b)"
    rf"(?:(?P<later>{_LATER})|(?P<range>{_UP_TO}{_OTHER}\b)|(?P<list>(?:{_JOIN}{_OTHER}(?![\w]"
    rf"|\.\d)){{1,12}}(?P<listlater>{_LATER})?))?",
    re.IGNORECASE,
)
_LEADING = re.compile(
    rf"(?:(?P<rustmin>minimum supported rust version|msrv)|(?:minimum|oldest|lowest)\s(?:supported\s"
    rf"|required\s)?(?:version of\s)?{_NAME}(?:\sversions?)?(?:\ssupported|\srequired)?(?:\sfor\s[\w.-]{{1,40}})?)"
    rf"(?P<gap>\s*(?:\([^()]{{0,30}}\))?\s*(?:is|of|:|=|\|)?\s*(?:currently"
    rf"|now)?\s*(?:rust(?:c)?\s)?\*{{0,2}}){_V}(?![\w%]|\.\d)",
    re.IGNORECASE,
)
_DEPENDENCY = re.compile(
    rf"(?<![\w./@-])(?P<name>[A-Za-z][\w.-]{{1,60}})(?:\[[\w,-]{{1,60}}\])?\s*(?P<op>>=|≥)\s*{_V}(?![\w%])",
    re.IGNORECASE,
)
_BADGE = re.compile(
    rf"badge/(?:[\w%]{{0,20}}[-_%20]{{0,3}})?{_NAME}(?:[_ ]|%20|version|js|\.){{0,4}}-(?P<op>(?:%3E|>"
    rf"|%E2%89%A5|≥)(?:%3D|=)?(?:%20|_| )?)?{_V}"
    rf"(?P<later>%2B|\+)?(?P<rest>[^-?#]{{0,80}})-",
    re.IGNORECASE,
)

_NO_NAMES = frozenset(
    {
        "version",
        "versions",
        "release",
        "releases",
        "ver",
        "and",
        "or",
        "is",
        "api",
        "level",
        "size",
        "value",
        "count",
        "length",
    }
)

DEMAND = re.compile(
    r"\b(requir(?:es?|ed|ing|ements?)|needs?|needed|minimum|at least|prerequisites?|supports?"
    r"|supported|compatible|compatibility|works? (?:on|with)|runs? (?:on|with|under)"
    r"|must (?:have|be)"
    r"|have|installed|install|depends? on|msrv|compiles? (?:on|with)|builds? (?:on|with)|targets|ensure|make sure)\b",
    re.IGNORECASE,
)
_TESTED = re.compile(r"\btested (?:on|with|against|under)\s", re.IGNORECASE)
"""Says less than a demand: more may work than is tested."""
_FILLER = r"(?:(?:you(?:’|')?re|you are|you use|your|running|using|on|with|the|a|an|at least)\s+)*$"
_CONDITION = re.compile(rf"\b(?:on|using|under|for|via|with|by|to|between|of)\s+{_FILLER}", re.IGNORECASE)
_ASIDE = re.compile(r"\S\s*\((?:also |which )?(?:requires?|needs?)\s*$", re.IGNORECASE)
_CONDITIONAL = re.compile(
    rf"\b(?:in|like|such as|from|since|if|when|until|as of|than|unless|whether|only|starting|whenever|while|where)\s+{_FILLER}",
    re.IGNORECASE,
)
_OTHER_VERB = re.compile(
    r"\b(?!(?:running|using|needing|requiring|supporting|having|installing|including|missing)\b)\w+ing\s+$",
    re.IGNORECASE,
)
"""`for parsing PHP 7.0`: what is done to the language's programs, not what runs this one."""
_OPENS_RANGE = re.compile(r"\b(?:works?|runs?|supports?|supported|compatible|usable)\s(?P<from>from\s)$", re.IGNORECASE)
"""`should work from Python 3.9 to 3.13`: with an end it is no condition."""
_QUALIFIES = re.compile(r"\s+[A-Z][a-z]+\b")
"""`Java 8 Function Predicate`: the version says of which edition a thing is."""
_TELLS = re.compile(r"[\s`)*]*(?:is|are|was|were|has|have|had|will|can|may|does|did|comes?|gets?)\b", re.IGNORECASE)
"""`Python 3.8 is kept for old releases`: a sentence about a version, not a demand."""
_ITS_NEED = re.compile(r"[\s`)*]*(?:requires?|needs?)\b", re.IGNORECASE)
"""`PHP 8.1 requires Tool 4.1`: what that version needs in its turn."""
_TAB = re.compile(r"^\s*(?:///|===|:::|!!!|\?\?\?|@tab\b)")
_RELEASE_LINE = re.compile(r"\W{0,4}v?\d+\.(?:\d|x)")
"""`1.47.x: … (MSRV 1.70)`: what one line of releases needs."""
_OTHER_VERSION = re.compile(r"\d\.(?:\d|x\b)|\bv\d")
_TOLD_OF_OTHERS = re.compile(
    r"\b(?:even (?:if|though)|(?:al)?though|developed (?:with|on|using|in|against)|recommend\w*|optional(?:ly)?"
    r"|extras?|experimental|feature|drop(?:s|ped|ping)?|remov\w+|older|oldest releases?|"
    r"last (?:version|release)|backport\w*|eol|end[- ]of[- ]life|introduced|added in|new in|since"
    r"|ships? with|bundled|comes with|standard library|stdlib|built[- ]in(?:to)?|prior|before|"
    r"earlier|deprecat\w+|legacy|previously|example|e\.g|wheels?|benchmarks?"
    r"|in order to use|only (?:available|works?|supported|needed|required|for|on|when|if|in)|"
    r"instead|syntax|will be|plan(?:s|ned)?|future|unsupported|not (?:supported|compatible|work)"
    r"|does(?:n't|n’t| not)|cannot|can't|won't|without|except|issue|bug|fails?|error|alternative|"
    r"type hints?|annotations?|pattern matching|walrus|f-strings?"
    r"|async generators?|dataclasses?|v\d+\.\d+ (?:and|or)|branch|pypy|anaconda|conda|artifacts?|maintenance)\b",
    re.IGNORECASE,
)
_NOT_OURS = re.compile(
    r"\b(?:tested|test matrix|ci|if you|docs?|documentation|website|latest|released?|version \d|generated|tutorial"
    r"|by default|default|to install|download\w*)\b",
    re.IGNORECASE,
)
_ALSO = re.compile(r"\balso (?:need|require)s?\b", re.IGNORECASE)
"""`You'll also need Node.js 22 or later`: what comes on top may be for one feature only, or one of several things for all."""
_FOR_A_FEATURE = re.compile(r"[\s`*]{0,4}for (?:[\w.`/+-]{1,40} ){1,4}support\b", re.IGNORECASE)
"""`requires Node 22.6+ for native TS support`: what one feature needs, whatever the whole demands."""
_REMARK = re.compile(r"\S\s*\($")
"""`node --test` (Node 20+): which version the thing before it came with."""
_PLATFORM = re.compile(
    r"\b(?:windows|macos|os ?x|linux|ubuntu|debian|centos|rhel|fedora|alpine|android|ios)\b", re.IGNORECASE
)
_REQUIREMENT_TITLE = re.compile(
    r"requirement|prerequisite|pre-requisite|compatib|supported (?:python|node|go|rust|java|version"
    r"|platform|runtime)|(?:python|node|go|rust|java)\b.{0,20}(?:support|version)"
    r"|\bmsrv\b|minimum supported|dependenc|what you need|before you (?:begin|start)"
    r"|system requirements|version support|you'll need",
    re.IGNORECASE,
)
_INSTALL_TITLE = re.compile(r"install|set ?up|getting started|quick ?start|build", re.IGNORECASE)
_OWNER = re.compile(
    r"([`\w][\w`.’' -]{0,60}?)\s+(?:currently |now |only |itself |also |officially )?(?:requires?"
    r"|needs?|expects?|supports?|works|runs|is compatible|depends on|is built|targets?)\b",
    re.IGNORECASE,
)


class Statement(Struct, frozen=True):
    """A version that a block says something needs.

    start, end  the stretch of the running text that names it: `Python 3.8+`
    first       where the number begins
    several     it is the first of a list of versions; `highest` is the end of a range
    strong      the sentence or its heading demands; otherwise only the past can tell that it was meant so
    owner       what is said to need it, as written, if the sentence has a subject
    """

    subject: str
    number: str
    first: int
    start: int
    end: int
    several: bool = False
    highest: str = ""
    strong: bool = True
    owner: str = ""
    form: str = "prose"


def runtime(name: str) -> str:
    """`Node.js` is `node`, `rustc` is `rust`."""
    return _RUNTIMES.get(re.sub(r"\s", "", name.lower()), name.lower())


def statements(block: Block, running: RunningText) -> Iterator[Statement]:
    """Every statement of a block, without overlaps."""
    if not _DIGIT.search(running.text):
        return
    taken: list[tuple[int, int]] = []
    for pattern in (_LEADING, _STATEMENT):
        for match in pattern.finditer(running.text):
            if any(start < match.end() and match.start() < end for start, end in taken):
                continue
            taken.append(match.span())
            found = _statement(block, running, match, leading=pattern is _LEADING)
            if found:
                yield found


def _statement(block: Block, running: RunningText, match: re.Match[str], *, leading: bool) -> Statement | None:
    groups = match.groupdict()
    name = groups.get("name") or "MSRV"
    subject = runtime(name)
    number = match["number"]
    if subject in ("python", "ruby", "rust", "go", "php", "deno") and "." not in number:
        return None
    if name in ("go", "node", "java", "rust", "yarn", "bun") and not _looks_like_a_name(running, match):
        return None
    if _is_a_product(block, running.text[: match.start()], name, number):
        return None
    if _FOR_A_FEATURE.match(running.text, match.end()):
        return None
    minimal = leading or bool(groups.get("op") or groups.get("later") or groups.get("listlater"))
    if not match["gap"] and not minimal:
        return None  # `Node10` is the name of a setting as well
    strength = _strength(block, running, match, minimal=minimal, leading=leading)
    told_aside = strength is None and _is_demand_told_aside(block, running, match, minimal=minimal)
    if strength is None and not told_aside:
        return None
    several = bool(groups.get("list")) and not groups.get("listlater")
    if groups.get("listlater"):
        # "2.7 or 3.4+": two lines of support; which of them the manifest means is not told.
        return None
    span = (groups.get("range") or "").strip(" -–—‑")
    end = match.end("later") if groups.get("later") else match.end("number")
    return Statement(
        subject, number, match.start("number"), match.start(), end, several=several,
        highest=re.sub(r"^(?:to|through|thru|until|till|up to)\s+", "", span, flags=re.IGNORECASE), strong=bool(strength),
        owner=_owner(running, match), form="loose" if told_aside else _form(block, running, match),
    )  # fmt: skip


def _is_a_product(block: Block, before: str, name: str, number: str) -> bool:
    """`against Selenium Java 4.23`, `Allure Java 3` below that title: something that is called after its language."""
    if name == "Java" and _NEVER_JAVA.match(number):
        return True
    called = _CALLED.search(before[-80:]) if name[:1].isupper() else None
    titled = bool(block.section) and called is not None and block.section[0].startswith(f"{called['word']} {name}")
    return called is not None and (titled or called["within"] is not None) and called["word"] not in _MAKERS


def _is_demand_told_aside(block: Block, running: RunningText, match: re.Match[str], *, minimal: bool) -> bool:
    """`build from source (requires Go 1.21+)`: too little by itself, but settled where the manifest demanded just this of late."""
    first, _ = running.sentence(match.start(), match.end())
    before = running.text[0 if block.cells else first : match.start()]
    if _RELEASE_LINE.match(running.text) or _TAB.match(before):
        return False
    before = re.split(r"[,;:()]\s", f" {before.replace('(', '( ')}")[-1]
    if _CONDITIONAL.search(before) or _TOLD_OF_OTHERS.search(before) or _PLATFORM.search(before):
        return False
    told = DEMAND.search(before) or _TESTED.search(before) or not before.strip(" -*•:|([`")
    return _bare_demand(before) or (minimal and bool(told))


def _form(block: Block, running: RunningText, match: re.Match[str]) -> str:
    """loose: the sentence speaks of something else too, so that only what the manifest demanded of late can settle it."""
    first, last = running.sentence(match.start(), match.end())
    if _is_loose(running.text[0 if block.cells else first : match.start()], running.text[match.end() : last]):
        return "loose"
    return "table" if block.cells else "item" if block.kind == "item" else "prose"


def _is_loose(before: str, after: str) -> bool:
    """What else the sentence speaks of makes its subject doubtful; that the manifest demanded just this can settle it."""
    told = _OTHER_VERSION.search(_STATEMENT.sub("", before))
    others = _NOT_OURS.search(before) or _NOT_OURS.search(after) or _ALSO.search(before)
    return bool(told or _REMARK.search(before) or others)


def _looks_like_a_name(running: RunningText, match: re.Match[str]) -> bool:
    """`go` and `node` in small letters are English or commands, unless in code or at the start."""
    return running.is_code(match.start("name")) or bool(match.groupdict().get("op")) or match.start() == 0


def _strength(block: Block, running: RunningText, match: re.Match[str], *, minimal: bool, leading: bool) -> bool | None:
    """True for a demand, False for what only the past can confirm, None for no claim at all."""
    first, last = running.sentence(match.start(), match.end())
    if block.cells:
        first = 0
    before, after = running.text[first : match.start()], running.text[match.end() : last]
    opened = _OPENS_RANGE.search(before) if match.groupdict().get("range") else None
    before = before[: opened.start("from")] if opened is not None else before
    # "The minimum version is 1.70, although it may work with older ones": what follows takes nothing back.
    if _TOLD_OF_OTHERS.search(before) or (not leading and _TOLD_OF_OTHERS.search(after)) or _PLATFORM.search(before):
        return None
    if not minimal and not _bare_demand(before) and (_QUALIFIES.match(after) or _ITS_NEED.match(after)):
        return None
    if _CONDITIONAL.search(before) or _ASIDE.search(before) or _OTHER_VERB.search(before) or _TAB.match(before):
        return None
    if _is_loose(before, after):
        plain = (minimal and not _CONDITION.search(before)) or _bare_demand(before)
        return False if plain and not block.cells and not _RELEASE_LINE.match(running.text) else None
    if (block.cells and before.strip()) or _RELEASE_LINE.match(running.text):
        return None
    under = bool(block.section) and bool(_REQUIREMENT_TITLE.search(block.section[-1]))
    demanded = (
        leading
        or opened is not None
        or bool(DEMAND.search(before))
        or bool(
            re.match(
                r"[\s).,]*(?:is|are) (?:required|needed|supported)|[\s).,]*(?:required|installed|minimum)\b", after
            )
        )
    )
    alone = len(before.strip(" -*•:|")) + len(after.strip(" .)|*:")) <= (60 if under else 12) and not _TELLS.match(
        after
    )
    if not demanded and (_CONDITION.search(before) or _is_title_again(block, match["number"])):
        return None
    if demanded or (under and alone):
        # Without a word for "or later", a bare number demands only where nothing else can be meant.
        return (
            True
            if minimal or match.groupdict().get("range") or match.groupdict().get("list")
            else (under or _bare_demand(before))
        )
    return (
        alone
        and minimal
        and block.kind in ("item", "row", "paragraph", "html", "quote")
        and bool(under or _top_section(block))
    )


def _is_title_again(block: Block, number: str) -> bool:
    """Below `NODEJS_14_X`, "Node.js 14.x" tells what that is."""
    return bool(block.section) and bool(re.search(rf"(?<![\d.]){re.escape(number)}(?!\d)", block.section[-1][:200]))


def _bare_demand(before: str) -> bool:
    """ "requires Python 3.8": the demand stands right before the name."""
    return bool(
        re.search(
            r"\b(?:requires?|needs?|minimum|at least|prerequisites?)[\s:`*]*(?:a |an |the )?(?:minimum (?:of )?)?$",
            before,
            re.IGNORECASE,
        )
    )


def _top_section(block: Block) -> bool:
    return len(block.section) <= 1 or bool(_INSTALL_TITLE.search(block.section[-1]))


def _owner(running: RunningText, match: re.Match[str]) -> str:
    first, _ = running.sentence(match.start(), match.end())
    found = _OWNER.findall(running.text[first : match.start()][-200:])
    return " ".join(found[-1].split()[-5:]) if found else ""


def badges(text: str) -> Iterator[re.Match[str]]:
    """Static badges of shields.io and its like that name a runtime's version."""
    return _BADGE.finditer(text[:1000]) if "badge/" in text.lower() else iter(())


def dependencies(running: RunningText) -> Iterator[re.Match[str]]:
    """`name>=1.2`, whatever the name: whether it is a dependency of ours is for the manifest to say."""
    return (
        match
        for match in (_DEPENDENCY.finditer(running.text) if ">=" in running.text or "≥" in running.text else ())
        if match["name"].lower() not in _RUNTIMES and match["name"].lower() not in _NO_NAMES
    )


def is_requirement_section(section: tuple[str, ...]) -> bool:
    """The nearest heading announces what is needed."""
    return bool(section) and bool(_REQUIREMENT_TITLE.search(section[-1]))
