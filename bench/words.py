"""Plausible new names: what a maintainer might rename a thing to, in the old name's own style."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Collection

_PAIRS = """
get obtain|fetch retrieve|load ingest|read consume|write emit|save persist|store retain|create build|make construct|build assemble|add attach
remove detach|delete discard|drop discard|clear wipe|reset restore|set assign|update refresh|run execute|start launch|stop halt|open unseal
close shut|send dispatch|receive accept|parse decode|format render|render paint|print show|show display|list enumerate|find locate|search seek
lookup resolve|check inspect|validate verify|verify confirm|test probe|convert transform|transform reshape|handle process|process handle|call invoke
register enroll|install deploy|uninstall withdraw|enable activate|disable deactivate|connect join|disconnect leave|wait await|sleep pause|retry reattempt
flush drain|merge combine|join concat|split divide|sort order|filter select|map project|encode pack|decode unpack|serialize dump|copy clone|move transfer
rename relabel|wrap enclose|bind tie|import bring|export publish|use apply|apply impose|insert enter|extract pull|upload submit|download pull
request query|response reply|message notice|error fault|exception failure|warning alert|item entry|items entries|entry record|value datum|values data
name label|names labels|key token|keys tokens|type sort|kind variety|id ident|file document|files documents|path location|paths locations|dir folder
directory folder|folder area|host address|address endpoint|port socket|url link|uri link|user account|users accounts|password secret|token ticket
secret credential|auth login|session visit|cookie crumb|header heading|headers headings|body payload|content material|data payload|json structured
text plain|string literal|line row|lines rows|row record|rows records|column field|columns fields|table grid|field slot|fields slots|option setting
options settings|setting preference|settings preferences|config setup|configuration setup|default fallback|defaults fallbacks|param argument
params arguments|args inputs|arguments inputs|argument input|input source|output result|result outcome|results outcomes|log journal|logger journal
logging journaling|level grade|limit cap|max top|min least|size extent|length extent|count tally|number figure|index position|total sum
timeout deadline|time moment|interval period|delay lag|date day|version edition|test trial|tests trials|example sample|examples samples|doc manual
docs manuals|help guidance|usage manual|command instruction|commands instructions|task errand|tasks errands|job chore|jobs chores|worker laborer
workers laborers|queue line|thread strand|process program|server daemon|client caller|app program|application program|service facility|route track
router switchboard|routes tracks|middleware interceptor|handler processor|callback hook|hook trigger|hooks triggers|event signal|events signals
state status|status condition|mode manner|style look|color tint|colors tints|theme skin|plugin addon|plugins addons|module unit|package bundle
packages bundles|class category|object thing|model schema|schema layout|database datastore|db datastore|query lookup|cache memo|buffer reservoir
stream flow|chunk piece|block section|group cluster|groups clusters|node vertex|tree hierarchy|root base|parent ancestor|child descendant|source origin
target goal|base root|prefix lead|suffix tail|pattern shape|match hit|matches hits|template stencil|templates stencils|view page|page sheet
layout arrangement|width breadth|height tallness|border frame|window pane|screen display|preview glimpse|prompt ask|cursor caret|history past
binding link|action deed|actions deeds|reload refresh|watch observe|listen hear|accept admit|reject refuse|allow permit|deny forbid|ignore skip
skip omit|exclude omit|include involve|only solely|all every|first leading|last final|next following|previous prior|new fresh|old former
multiple several|single sole|simple plain|custom bespoke|async deferred|sync blocking|raw crude|strict rigid|safe guarded|fast quick|dry trial
force insist|quiet silent|verbose chatty|debug diagnose|trace track|metrics gauges|metric gauge|alert alarm|silence mute|health wellness|ready prepared
proxy relay|tls ssl|ssl tls|cert credential|certificate credential|ca authority|bind attach|interface port|ip address|network net|web http|api rest
static fixed|assets resources|public open|private hidden|admin manager|owner keeper|pets animals|pet animal|scripts tools|script tool|tools scripts
src code|lib core|core kernel|util helper|utils helpers|helper aid|common shared|internal inner|benchmark perf|bench perf|benchmarks perf|contrib extras
dev develop|prod live|release ship|lint audit|fmt tidy|coverage reach|clean tidy|watch follow|typecheck typing|generate produce|gen produce
compress shrink|decompress expand|zip archive|archive bundle|upload push|follow chase|redirects forwards|redirect forward|concurrency parallelism
backlog waitlist|pool reserve|pretty fancy|indent margin|sorted ordered|unsorted shuffled|detect discover|expand unfold|collapse fold
"""
_SYNONYMS = {old: new for pair in _PAIRS.replace("\n", "|").split("|") if pair.strip() for old, new in [pair.split()]}
_NEUTRAL = "unit frame anchor bridge lane ledger marker panel relay scope shard spool token vault wedge beacon".split()
_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


def parts_of(name: str) -> list[str]:
    """`loadItems`, `load_items`, `LOAD-ITEMS` -> load, items."""
    return _PARTS.findall(name)


def _restyled(part: str, word: str) -> str:
    if part.isupper() and len(part) > 1:
        return word.upper()
    return word.capitalize() if part[0].isupper() else word


def _neutral(part: str, attempt: int) -> str:
    return _NEUTRAL[(zlib.crc32(part.encode()) + attempt) % len(_NEUTRAL)]


def new_name(old: str, taken: Callable[[str], bool], *, keep: int = 0) -> str:
    """Another name in the same style. The first `keep` parts stay, as the prefix of an environment variable does.

    At most two parts are changed, the last ones first among those that have a synonym; a name without one gets a neutral word.
    """
    matches = list(_PARTS.finditer(old))
    if not matches:
        return ""
    for attempt in range(8):
        choice = _changes(old, matches, keep, attempt)
        text = "".join(_pieces(old, matches, choice))
        if text != old and not taken(text):
            return text
    return ""


def _changes(old: str, matches: list[re.Match[str]], keep: int, attempt: int) -> dict[int, str]:
    known = [i for i, m in enumerate(matches) if i >= keep and m.group().lower() in _SYNONYMS]
    if known and attempt == 0:
        return {i: _SYNONYMS[matches[i].group().lower()] for i in known[-2:]}
    if len(known) > 1 and attempt == 1:
        return {known[0]: _SYNONYMS[matches[known[0]].group().lower()]}
    last = len(matches) - 1
    choice = {last: _neutral(old, attempt)}
    if known and known[0] != last:
        choice[known[0]] = _SYNONYMS[matches[known[0]].group().lower()]
    return choice


def _pieces(old: str, matches: list[re.Match[str]], choice: dict[int, str]) -> list[str]:
    pieces: list[str] = []
    at = 0
    for i, match in enumerate(matches):
        pieces.append(old[at : match.start()])
        pieces.append(_restyled(match.group(), choice[i]) if i in choice else match.group())
        at = match.end()
    return [*pieces, old[at:]]


def not_among(words: Collection[str]) -> Callable[[str], bool]:
    """A test for `new_name`: the name must be new to the repository."""
    return lambda text: text in words
