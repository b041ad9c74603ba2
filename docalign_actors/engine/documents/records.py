"""Whether a document was written for one piece of work: a plan, a proposal, an inventory of what was to be changed.

It speaks of the code as it was, or as it was to become, and stays as it is when the work is done. It says so itself, in its
title or above its first section: a status that a proposal has, the day on which it was made, what it is to bring about.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import islice, takewhile

_LIVING = re.compile(
    r"^(?:readme|contributing|index|install(?:ation)?|agents|claude|gemini|security|development|developer[-_]guide"
    r"|getting[-_]started|pull[-_]request[-_]template)\b",
    re.IGNORECASE,
)
"""Documents that are kept up to date, whatever day stands in them."""
_TITLE = re.compile(
    r"^\W*(?:(?:\w+ )?plan|proposal|rfc|prd|epic|(?:plan|design|spec|pull request|pr) review)\s*[:–—-]\s"
    r"|\b(?:design proposal|product requirements(?: document)?|prd|decision (?:log|record))\W*(?:\(|$)"
    r"|\b(?:implementation|refactoring|moderni[sz]ation|rewrite|project|improvements?|hardening"
    r"|upgrade|roll-?out|remediation|clean-?up) plan\W*(?:\(|$)"
    r"|\brefactoring (?:documentation|notes|log)\W*$"
    r"|\b(?:refactor(?:ing)?|rewrite|migration) (?:design|blueprint|proposal)\W*$"
    r"|(?:重构|重構|改造|迁移|遷移)(?:的)?(?:架构|架構|技术|技術)?(?:蓝图|藍圖|设计|設計|方案|计划|計劃|計畫|规划|規劃|总结|總結|报告|報告|记录|記錄)"
    r"|(?:实施|實施|开发|開發|优化|優化|升级|升級|落地)(?:方案|计划|計劃|計畫|规划|規劃|蓝图|藍圖)"
    r"|(?:実装|移行|改修|開発)(?:計画|方針)|リファクタリング(?:計画|設計|方針)"
    r"|(?:구현|마이그레이션|리팩토링|리팩터링|개발) ?(?:계획|설계)"
    r"|\bpost-?mortem\b|\bretrospective\W*$|\broot[- ]cause analysis\b|\bgap analysis\W*$|[-–—:] current state\W*$"
    r"|\b(?:refactor(?:ing)?|consolidation|implementation|clean-?up|restructuring|reorgani[sz]ation|unification|rewrite|overhaul)\b"
    r".{0,60}\b(?:summary|complete(?:d)?|completion report|done|report)(?: and \w{1,20})?\W*$"
    r"|\b(?:integration|implementation|product|development|project|feature|technical|migration|release) roadmap\W*(?:\(|$)"
    r"|\b(?:audit|inventory|assessment|sweep|survey)\W{1,4}(?:of )?\d{4}-\d\d(?:-\d\d)?\b"
    r"|\bsession (?:summary|logs?|notes|report|hand-?off|recap)\b.{0,40}\b\d{4}-\d\d-\d\d\b"
    r"|^\W*pr[ -]?(?:\d+|spec(?:ification)?|report|plan|description|summary)\b|\b(?:pr|pull request|slice|sprint) roadmap\b"
    r"|\b(?:decisions?|consolidation|refactoring|implementation|migration|work|dev(?:elopment)?) journal\W*$"
    r"|\b(?:implementation|progress|refactoring|migration) tracker\W*(?:$|[:–—-]\s)"
    r"|^\W*(?:deprecated|obsolete|archived|superseded)(?:[\])]|\s*[:–—]|\s+-\s|\W*$)",
    re.IGNORECASE,
)
"""Some tell of work that was done: "Broker Package Consolidation - COMPLETE", "Plugin Architecture Refactoring Summary"; of one
pull request, "PR Spec: completion"; of one sitting, "Session Summary - 2026-02-07"; of one month,
"Consistency Audit — 2026-03"; or that the document was put away,
"⚠️ DEPRECATED - the macros"."""
_STATUS = re.compile(
    r"(?:^|[.\n>|])\W*status\W{1,8}(?:awaiting|pending|draft|proposed|proposal|accepted|approved|rejected|implemented|superseded|planned"
    r"|planning|(?:in|under) review|in progress|wip|work in progress|completed?|done|deferred|on hold"
    r"|legacy|obsolete|outdated|historical|archived|parked|shipped|merged|landed|closed|resolved|(?:spec|design)(?:ification)? only"
    r"|not (?:yet )?(?:started|implemented|built)|phases? \d[\d, –—-]{0,12} (?:are |is )?(?:completed?|done)"
    r"|(?:\w{1,12} )?(?:inventory|snapshot))\b",
    re.IGNORECASE,
)
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?"
_DAY = (
    rf"\W{{0,6}}(?:on|of|at|am|vom|le|el|em|il|op)?\W{{0,4}}(?:\d{{4}}-\d\d-\d\d|\d\d?[./]\d\d?[./]\d{{4}}"
    rf"|{_MONTH} \d{{1,2}},? \d{{4}}|\d{{1,2}}\.? {_MONTH} \d{{4}})\b"
)
_MADE = re.compile(
    r"\b(?:(?<!re)generated|created|captured|drafted|compiled|surveyed|(?<!re)produced|conducted|audited|assessed|status"
    r"|generiert|erstellt|erzeugt|généré|rédigé|generado|creado|redactado|gerado|criado|generato|gegenereerd"
    rf"|source[- ]of[- ]truth date){_DAY}",
    re.IGNORECASE,
)
_DATED = re.compile(
    rf"(?:^|\n)\W*(?:(?:research|analysis|review|audit|investigation|report) )?date{_DAY}", re.IGNORECASE
)
_UPDATED = re.compile(r"\bupdated\b|最終更新|最后更新", re.IGNORECASE)
_PURPOSE = re.compile(
    r"\bthis (?:pr|pull request|slice) (?:must|implements|introduces|adds|exists|replaces|refactors|migrates|removes)\b"
    r"|\bthis (?:document|doc|file|page|note|plan) (?:outlines|describes|lays out|presents) (?:an? |the |our )?(?:\w+ ){0,2}"
    r"(?:plan|proposal|roadmap)\b"
    r"|\bthis (?:document|doc|file|page|note|plan) (?:proposes|drives|operationali[sz]es|inventories"
    r"|(?:captures|records)\b[^.]{0,80}\bdecisions"
    r"|is an? (?:temporary|throw-?away|working) (?:working )?(?:artefact|artifact|document|draft|notes?))\b"
    r"|^\W*design (?:pass|note|sketch|memo|draft)\b|\bno (?:code|migration|implementation) is (?:written|implemented|made) here\b",
    re.IGNORECASE,
)
_RETIRED = re.compile(
    r"\b(?:kept|retained|preserved|left)\b[^.]{0,60}\b(?:for|as)\b[^.]{0,20}\b(?:historical|archival|posterity)\b"
    r"|\bhistorical reference only\b"
    r"|\b(?:document|page|file|guide|readme) (?:is|has been) (?:archived|retired|obsolete)\b"
    r"|\bpreserves?\sthe\b[^.]{0,60}\b(?:audit|record|snapshot|investigation)\b"
    r"|\b(?:entries|notices|items|sections|pages|they|\d+) are (?:all |now )?history\b"
    r"|\bfrozen (?:historical )?(?:record|snapshot)\b|\bcurrent-state snapshot\b",
    re.IGNORECASE,
)
"""Who says so at the top has put the document away, whatever it is called."""
_DESIGN_STATUS = re.compile(
    r"(?:^|[.\n>|])\W*(?:status|ステータス|状态|狀態|状態)\W{1,8}(?:(?:detailed|initial|draft|technical) )?(?:design\b|設計|设计)",
    re.IGNORECASE,
)
_DESIGN = re.compile(r"(?<![a-z])design(?![a-z])|設計|设计", re.IGNORECASE)
_OF_A_TASK = re.compile(
    r"(?:^|/)(?:epic|sprint|story|milestone)[-_]?\d{1,4}(?:[-_][^/]{0,100})?/(?:readme|index|overview|plan|tasks)\.[a-z]+$"
    r"|(?:^|/)task[-_]\d{1,4}[-_][^/]{1,100}\.[a-z]+$"
    r"|(?:^|/)prompts/\d{2,4}[-_][^/]{1,100}\.[a-z]+$"
    r"|(?:^|/)(?:bugs?|defects?)[-_](?:tracker|log|register|list)\.[a-z]+$"
    r"|(?:^|/)implementation[-_]\d{1,4}(?:[-_][^/]{1,100})?\.[a-z]+$",
    re.IGNORECASE,
)
"""`tasks/epic-04-stock/README.md`, `task-02-rename-user.md`: what was to be done, whatever the document itself is called.
`prompts/016-items.md` told an agent to do it, `IMPLEMENTATION_016.md` what it did, `BUG_TRACKER.md` where each bug was."""
_OF_TASKS = re.compile(
    r"\btask breakdown\W*$|\bwork breakdown(?: structure)?\W*$"
    r"|\b(?:documentation|implementation|development|testing|refactoring|migration) task"
    r" (?:specifications?|assignments?|lists?)\W*$"
    r"|^\W*(?:engineering|development|reverse[- ]engineering) journey\b"
    r"|^\W*implementation \d{1,4}\s?[:–—-]\s",
    re.IGNORECASE,
)
"""Titles of lists of what was to be done, and of what was done day by day."""
_OPEN = re.compile(r"^\s{0,12}[-*+] \[ \] |⏳|🚧|未着手|未实施|未实现|\bnot started\b", re.MULTILINE)
_LEAST_OPEN = 5
_OF_WORK = re.compile(
    r"^[ ]{0,3}#{1,5} .{0,80}\b(?:summary|changes?|implement(?:ed|ation)|next steps?|status|problems?|solutions?|root cause"
    r"|files? (?:changed|modified|created|added)|verification|results?|findings|conclusions?|plan|phase|steps? \d|goals?"
    r"|objectives?|background|proposal|motivation|refactor\w*|fix(?:es)?|todo|before|after|lessons|progress|completed|deliverables|tasks?"
    r"|timeline|risks?|scope|success criteria|recommend\w+|analysis|audit|checklist)\b"
    r"|✅|❌|\[x\]|^\W{0,6}(?:date|status|author|created|(?:last )?updated)\W{1,5}\w",
    re.IGNORECASE | re.MULTILINE,
)
"""Headings, marks and lines that who reports on a piece of work writes, and who describes a program hardly does."""
_LEAST_OF_WORK = 2
_CLOSED = re.compile(
    r"status:\s{0,4}['\"]?(?:done|completed?|implemented|shipped|merged|closed|resolved|archived|superseded|rejected|obsolete)\b",
    re.IGNORECASE,
)
_CLOSED_AT = re.compile(
    r"(?:closed|completed|resolved|done|merged|shipped)(?:[_-]?(?:at|on|date))\s{0,4}:\s{0,4}['\"]?\d{4}-\d\d",
    re.IGNORECASE,
)
_LONGEST_FRONT = 80
_LONGEST = 1_500
_TASK = re.compile(r"\s{0,12}[-*+] \[(?P<mark>[ xX])\] ")
_LEAST_TASKS, _SHARE_OF_TASKS = 5, 0.15


def is_record(path: str, title: str, lead: Iterable[str]) -> bool:
    """The document is of its own time. `lead`: the texts between its title and its first section."""
    texts = [text[:_LONGEST] for text in lead]
    if any(map(_RETIRED.search, texts)):
        return True
    if _LIVING.match(path.rpartition("/")[2]):
        return False
    if _TITLE.search(title.strip()[:200]):
        return True
    told = (_STATUS, _MADE, _PURPOSE) if any(map(_UPDATED.search, texts)) else (_STATUS, _MADE, _PURPOSE, _DATED)
    return any(pattern.search(text) for text in texts for pattern in told)


def is_closed(path: str, lines: Sequence[str]) -> bool:
    """The front matter says that the work is over: `status: done`; of a README also since when."""
    if not lines or lines[0].strip() != "---":
        return False
    front = list(takewhile(lambda line: line.rstrip() != "---", islice(lines, 1, _LONGEST_FRONT)))
    dated = any(_CLOSED_AT.match(line) for line in front)
    return (dated or not _LIVING.match(path.rpartition("/")[2])) and any(_CLOSED.match(line) for line in front)


def is_design(path: str, title: str, lead: Iterable[str], text: str) -> bool:
    """The document shows what was to be written: its status or title says so, or it is called a design and has work left."""
    name = path.rpartition("/")[2]
    if _OF_A_TASK.search(path):
        return True
    if _LIVING.match(name):
        return False
    if _OF_TASKS.search(title.strip()[:200]):
        return True
    if any(_DESIGN_STATUS.search(part[:_LONGEST]) for part in lead):
        return True
    called = _DESIGN.search(name) or _DESIGN.search(title[:200])
    return bool(called) and sum(1 for _ in islice(_OPEN.finditer(text), _LEAST_OPEN)) == _LEAST_OPEN


def tells_of_work(text: str) -> bool:
    """A text that may tell of one piece of work: two headings or marks of such a report. Many a manual has as many."""
    return sum(1 for _ in islice(_OF_WORK.finditer(text), _LEAST_OF_WORK)) == _LEAST_OF_WORK


def is_tracker(path: str, lines: Iterable[str]) -> bool:
    """A list of tasks, some of them done. A checklist that is gone through again and again has no marks yet."""
    if _LIVING.match(path.rpartition("/")[2]):
        return False
    told = [line for line in lines if line.strip()]
    marks = [task["mark"] for line in told if (task := _TASK.match(line))]
    return len(marks) >= max(_LEAST_TASKS, _SHARE_OF_TASKS * len(told)) and any(mark != " " for mark in marks)
