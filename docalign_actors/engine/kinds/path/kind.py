"""Paths: files and folders that the documentation names, in links, code spans, tree drawings, commands and prose.

A link says that its target is there. A path in a code span may be the reader's own, or an example's: it is called gone
only if the history shows that this repository had it.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable

from docalign_actors.engine.audience import Audience, audience
from docalign_actors.engine.claims import Claim, Judgement, Rule, uncertain, verified
from docalign_actors.engine.documents.model import Document
from docalign_actors.engine.kinds.path.books import missing_in_book
from docalign_actors.engine.kinds.path.builds import is_found_by_name, is_written_by_a_build
from docalign_actors.engine.kinds.path.drawings import is_of_something_else, is_our_drawing, judge_drawing
from docalign_actors.engine.kinds.path.fixes import (
    gone,
    has_nearer_twin,
    in_other_capitals,
    is_a_part,
    made_a_folder,
    respell,
    seen_from_elsewhere,
    with_namesake,
)
from docalign_actors.engine.kinds.path.hosted import judge_hosted, judge_required
from docalign_actors.engine.kinds.path.names import (
    became_a_template,
    is_conventional,
    is_distinctive,
    is_file_name,
    is_readers_own,
    is_sample_of,
    is_working_file,
)
from docalign_actors.engine.kinds.path.readings import (
    entered,
    folders_beside,
    imported,
    is_offered,
    other_reading,
    went_lately,
)
from docalign_actors.engine.kinds.path.served import PAGE_SUFFIXES
from docalign_actors.engine.kinds.path.targets import (
    ancestors,
    from_elsewhere,
    is_address,
    is_at_its_place,
    is_filled_in,
    is_generated,
    is_made_of_a_folder,
    is_of_a_notebook,
    link_targets,
    nearest,
    put_elsewhere,
    served,
)
from docalign_actors.engine.kinds.path.text import claims_in
from docalign_actors.engine.kinds.shared.filesnow import is_quoted_in_code, names_in_code
from docalign_actors.engine.kinds.shared.programs import own_programs
from docalign_actors.engine.ports import Removal
from docalign_actors.engine.roles import SITE_MARKERS, is_skill
from docalign_actors.engine.world import World
from docalign_actors.findings.model import Evidence, Severity, Verdict

_SHELL_SCRIPTS = (".sh", ".bash", ".bat", ".cmd", ".ps1")
"""`./test.sh` is to be run, also where only a sentence says so."""
_TITLE = re.compile(
    r"\s*(?:(?:#|//|--|;|%|<!--|/\*+|\{/\*|\"\"\")\s*)(?:file(?:name)?:?|in|src:)?\s*[`'\"]?[`'\":]?\s*(?:-->|\*/\}?|\"\"\")?(?:\s+\w+){0,2}\s*",
    re.IGNORECASE,
)
_TEMPLATES = (
    ".tmpl", ".tpl", ".j2", ".jinja", ".jinja2", ".in", ".template", ".ejs", ".hbs", ".mustache", ".erb", "-tpl",
)  # fmt: skip
_TEMPLATE_SUFFIX = r"(?:\.tmpl|\.tpl|\.j2|\.jinja2?|\.in)?"
_GUESSED = ("src/", "docs/")
"""Folders in which a path is looked for although nothing in the document leads there."""
_BLANK = re.compile(r"\.\.\.|(?<![A-Za-z])X{2,6}(?![A-Za-z])")
"""`ADR-XXX-title.md`: what stands for a number or a name."""
_MADE_FOLDERS = frozenset(
    """api apis build built coverage dist gen generated node_modules out output public reference reports site target vendor
    _build""".split()
)
"""Folders of pages that programs write."""
_SITE_FOLDERS = frozenset(["website", "site", "content", "pages"])


class PathKind:
    """Files and folders."""

    name = "path"
    markers: frozenset[str] = frozenset()
    rules = (
        Rule(
            "missing-path",
            "path",
            "The documentation names a file or folder that is not in the repository.",
            Severity.HIGH,
        ),
        Rule("missing-link-target", "path", "A relative link or image leads to no file.", Severity.MEDIUM),
    )

    def extract(self, document: Document) -> Iterable[Claim]:
        return claims_in(document)

    def verify(self, claim: Claim, world: World) -> Judgement:
        if claim.form == "hosted":
            return judge_hosted(claim, world)
        if claim.form == "required":
            return judge_required(claim, world)
        if claim.form in ("link", "image"):
            return _judge_link(claim, world)
        return _judge_name(claim, world)


# Links


def _judge_link(claim: Claim, world: World) -> Judgement:
    targets = link_targets(claim, world)
    if not targets:
        return uncertain("it leads out of the repository")
    for target in targets:
        found = _present(target, world) or next((t for s in PAGE_SUFFIXES if (t := _present(target + s, world))), "")
        found = found or _present_page(target, world, placed=is_at_its_place(claim.file))
        if found:
            return verified(Evidence("it is there", found))
    if claim.subject.startswith("/") and (found := served(claim.subject.strip("/"), world)):
        return verified(Evidence("it is there", found))
    is_page = "." not in posixpath.basename(claim.subject) and (
        claim.subject.startswith("/") or is_made_of_a_folder(claim, targets[0], world)
    )
    if is_found_by_name(claim, world):
        return uncertain("this site's generator finds pages by their names alone")
    if is_of_a_notebook(targets, world):
        return uncertain("a notebook of this name is there, of which the page may be made")
    removals = [removal for target in targets if (removal := world.past.removal(target)) is not None]
    if (removals or is_page or claim.subject.endswith(".adoc")) and is_address(claim.subject, world):
        return uncertain("a page says that it is served there")
    for removal in removals:
        # A site makes pages and whole folders that no file of the repository is called by.
        if (removal.successor or not _is_ignored(targets, world)) and not (is_page and not removal.recent):
            return _gone(claim, removal, "missing-link-target", 0.97, world)
    listed = None if claim.hypothetical else missing_in_book(claim, targets[0], world)
    if listed is None and (claim.hypothetical or not _closed(claim, targets[0], world)):
        return uncertain("no file, and nothing says that there ever was one")
    if _is_ignored(targets, world) and not _is_kept_back(claim, targets[0]):
        return uncertain(".gitignore names it: it is made at run time")
    if listed is None and (doubt := put_elsewhere(claim, targets[0], world)):
        return uncertain(doubt)
    if is_written_by_a_build(targets[0], world):
        return uncertain("a build file makes names that begin like this one")
    message = f"This {claim.form} leads to `{targets[0]}`, which is not in the repository."
    evidence = (*(() if listed is None else (listed,)), *nearest(claim, targets[0], world))
    fix = in_other_capitals(claim, targets[0], world) or seen_from_elsewhere(claim, targets[0], world)
    return Judgement(Verdict.DRIFTED, "missing-link-target", message, evidence, 0.85, fix=fix, subject=targets[0])


def _is_ignored(targets: Iterable[str], world: World) -> bool:
    return any(world.is_ignored(target) for target in targets)


def _is_kept_back(claim: Claim, target: str) -> bool:
    """A README sends its readers to a page that its writer alone has: `tasks/todo.md`, where git ignores `tasks/`."""
    made = any(part.lower() in _MADE_FOLDERS for part in target.split("/")[:-1])
    return target.endswith((".md", ".rst")) and audience(claim.file) is Audience.VISITORS and not made


def _present(path: str, world: World) -> str:
    path = path.rstrip("/")
    if world.exists(path):
        return path or "."
    # What lies inside a submodule or behind a symbolic link is not listed: taken as there.
    return next((parent for parent in ancestors(path) if parent in world.doors), "") if world.doors else ""


def _present_page(target: str, world: World, *, placed: bool) -> str:
    """`guide.html` is made from `guide.md`, and no `guide.md` from `guide.html`; in place, `guide/index.md` is not `guide.md`."""
    stem, dot, suffix = target.rpartition(".")
    if dot and suffix in ("html", "htm", "md", "mdx", "txt"):
        written = suffix in ("md", "mdx")
        made = (s for s in PAGE_SUFFIXES if not (written and (s == ".html" or (placed and s[0] == "/"))))
        return next((t for s in made if (t := _present(stem + s, world))), "")
    return ""


def _closed(claim: Claim, target: str, world: World) -> bool:
    """A target that nothing could generate: it has a file's ending, or no site generator is anywhere near."""
    odd = any(c in claim.subject for c in "{}<>$*|\\^ ") or _BLANK.search(claim.subject)
    if odd or claim.subject.startswith("/") or is_filled_in(claim.file, world):
        return False
    # A document that is text for somebody else (a template, a page of a site that has a root of its own) is not judged.
    site = [
        folder
        for folder in ("", *ancestors(posixpath.dirname(claim.file)))
        if any(f"{folder}/{m}".lstrip("/") in world.files for m in SITE_MARKERS)
    ]
    in_site = bool([folder for folder in site if folder]) or any(p in _SITE_FOLDERS for p in claim.file.split("/")[:-1])
    if site and claim.file.split("/")[0] in ("docs", "doc"):
        in_site = True
    ends_well = is_file_name(target)
    by_name = site or (
        "/" not in claim.subject and "/" in target
    )  # some sites find pages and images by their names alone
    if is_generated(claim.subject) or (by_name and by_suffix(claim.subject, world)):
        return False
    if in_site:
        # A generator may write whole folders of pages: only a page among pages, in a folder that is there, is certain.
        folder = posixpath.dirname(target)
        return ends_well and (not folder or folder in world.directories) and not target.endswith(".html")
    # A folder may be a page of a site, unless it is one of ours as seen from elsewhere: `../tests/unit/`.
    return ends_well or bool(from_elsewhere(claim, world))


# Names in spans, drawings, commands and prose


def _judge_name(claim: Claim, world: World) -> Judgement:
    candidates = _name_candidates(claim, world)
    for candidate in candidates:
        found = _present(candidate, world)
        if found:
            return verified(Evidence("it is there", found))
    if claim.form == "shell" and (found := imported(claim, world)):
        return verified(Evidence("it is there", found))
    bare = claim.subject.strip("/")
    matching = by_suffix(bare, world)
    if matching and "/" in bare and went_lately(candidates, world):
        matching = ""
    if matching and not world.past.open_paths.isdisjoint(candidates):
        return uncertain("the past is asked first")
    if matching:
        return verified(Evidence("it is there", matching))
    removal = _removal(claim, candidates, world)
    if removal is None and claim.form != "tree":
        return uncertain("not in the repository, and it never was")
    # What was renamed was kept in the repository, whatever .gitignore says; what was only removed may be made now.
    guessed = {guess + bare for guess in _GUESSED if not claim.file.startswith(guess)}
    meant = [c for c in candidates if c not in guessed]
    ignored = {c for c in meant if world.is_ignored(c)}
    if removal and (became_a_template(removal) or world.is_filled(removal.path)):
        return uncertain("it is made of something else now: what the text shows is what comes of that")
    if removal and is_sample_of(removal.successor, removal.path):
        return uncertain("the repository has a sample of it, which the reader copies")
    if ignored and not (removal and removal.successor and _is_whole(bare, removal.path, ignored)):
        return uncertain(".gitignore names it: it is made at run time")
    if removal is None:
        return judge_drawing(claim, world)
    passing = removal.times > 1 or is_working_file(bare)
    if passing and not removal.successor and not world.past.differential:
        return uncertain("a file that somebody works with for a while")
    if claim.hypothetical and not world.past.differential and "/" not in bare and not _stood_beside(claim, removal):
        return uncertain("it may be the reader's own")
    if claim.form == "tree" and is_of_something_else(claim, removal, world):
        return uncertain("a drawing of something else than this repository as it is")
    if (
        claim.form != "tree"
        and "/" not in bare
        and not removal.recent
        and posixpath.dirname(removal.path) != posixpath.dirname(claim.file)
    ):
        return uncertain("a name alone, of a file elsewhere that went long ago")
    if claim.value in ("printed", "committed"):
        return uncertain("what a program printed, or what went into one commit")
    if claim.value == "output" and not (removal.recent and removal.successor and _is_meant(claim, removal)):
        return uncertain("shown as it was when somebody ran it")
    doubt = _doubt(claim, removal, world)
    if doubt:
        return uncertain(doubt)
    if claim.form == "shell" and (found := entered(claim, world)):
        return verified(Evidence("it is there", found))
    alone = "/" not in bare or not world.past.differential
    if not removal.successor and alone and _is_named_by_code(bare, world):
        return uncertain("code names a file that is called so: it is made at run time")
    return _gone(claim, removal, "missing-path", 0.95 if "/" in bare else 0.9, world)


def _is_meant(claim: Claim, removal: Removal) -> bool:
    """The whole path, from the root or from the document's folder, with a folder's name in it."""
    bare = posixpath.normpath(claim.subject)
    beside = posixpath.normpath(posixpath.join(posixpath.dirname(claim.file), bare))
    return "/" in bare and removal.path in (bare, beside)


def _stood_beside(claim: Claim, removal: Removal) -> bool:
    """It has just gone from the document's own folder: who wrote of it there meant it."""
    folder = posixpath.dirname(claim.file)
    return removal.recent and bool(folder) and posixpath.dirname(removal.path) == folder


def _doubt(claim: Claim, removal: Removal, world: World) -> str:
    """Why a path may be meant that is not the one of this repository which went; "" if there is no reason."""
    if world.past.differential:
        return ""
    bare = posixpath.normpath(claim.subject).strip("/")
    name = bare.removeprefix("../")
    if claim.hypothetical and "/" not in claim.subject.strip("/") and not _stood_beside(claim, removal):
        return "it may be the reader's own"
    if removal.recent:
        return ""
    if claim.hypothetical:
        return "it is told as an example, and went long ago"
    if is_skill(claim.file):
        return "a skill tells what is to be done in any repository"
    if reading := other_reading(claim, bare, world):
        return reading
    if claim.value == "program":
        return "a path in an example program or configuration is the reader's own"
    if claim.form == "tree" and not is_our_drawing(claim, world):
        return "the drawing shows another tree"
    if "/" not in name:
        if claim.hypothetical or claim.value == "yours" or claim.subject.startswith("../"):
            return "it may be the reader's own"
        if claim.subject.startswith("./") and claim.value != "run" and not bare.endswith(_SHELL_SCRIPTS):
            return "it may be the reader's own: nothing but the name tells"
        if names_in_code(name, world):
            return "the code itself names such a file: it may be the reader's own"
    return ""


def _is_named_by_code(path: str, world: World) -> bool:
    """Own code has the name as a string, or a template makes the file: `open(root / "state.json")`, `state.json.tmpl`."""
    name = posixpath.basename(path)
    is_state = path.startswith(".") and "/" in path and not path.startswith("./")
    if any(name + suffix in world.by_name for suffix in _TEMPLATES):
        return True
    if "." not in name.strip(".") and not is_state:
        return False
    return is_quoted_in_code(world, name, _TEMPLATE_SUFFIX)


def _is_whole(bare: str, path: str, ignored: set[str]) -> bool:
    """The renamed file is just the one that is meant: its whole path, or its end with a folder's name."""
    bare = posixpath.normpath(bare)
    return path in ignored or ("/" in bare and path.endswith("/" + bare))


def _name_candidates(claim: Claim, world: World) -> list[str]:
    """A path may be meant from the document's folder, from any folder above, or from the root."""
    subject = claim.subject
    folder = posixpath.dirname(claim.file)
    bases = list(
        dict.fromkeys([claim.owner, folder, *ancestors(folder), world.package_of(claim.file).root, "", "src", "docs"])
    )
    joined = (
        posixpath.normpath(posixpath.join(base, subject.strip("/") if base else subject.lstrip("/"))) for base in bases
    )
    return list(dict.fromkeys(path for path in joined if not path.startswith("..") and path != "."))


def _removal(claim: Claim, candidates: list[str], world: World) -> Removal | None:
    bare = claim.subject.strip("/").removeprefix("./")
    # Every project has these, or is told to make them: a workflow, a build file.
    conventional = is_conventional(bare) and "/" not in bare
    found = [r for c in candidates if (r := world.past.removal(c)) is not None]
    if not found and (is_distinctive(bare) or world.past.differential):
        # Where other files are called so, a name alone means none of them, and not the one that went.
        several = "/" not in bare and claim.subject.startswith("./") and bare in world.by_name
        anywhere = world.past.removal(f"**/{bare}") if not several else None
        # A name alone may be any file's; that it has just gone says that it is this one's.
        alone = "/" not in bare and not world.past.differential
        telling = "/" in bare and is_distinctive(bare)  # a sample project shows what the reader's own looks like
        if anywhere and (anywhere.recent or not alone) and (telling or is_offered(anywhere, claim)):
            found = [anywhere]
    elif not found and not conventional and claim.form == "span" and (folders := folders_beside(claim, world)):
        went = world.past.removal(f"**/{bare}")
        found = [went] if went and went.recent and posixpath.dirname(went.path) in folders else []
    if is_readers_own(claim.subject, bare):
        found = [r for r in found if r.successor]
    if is_conventional(bare) and re.match(r"\.\w", bare) and not world.past.differential:
        found = [r for r in found if r.recent]  # settings of a tool that readers use too: `.cargo/config.toml`
    if (conventional or bare.startswith(".github/")) and not world.past.differential:
        # Ours was given another name a few commits ago: a sentence that supposes nothing speaks of it.
        renamed = [r for r in found if r.recent and r.successor and r.path == bare and not claim.hypothetical]
        return renamed[0] if renamed else None
    return found[0] if found and (found[0].recent or not _is_sample(claim, world)) else None


def _is_sample(claim: Claim, world: World) -> bool:
    """A comment that is nothing but the path titles a sample; an argument of our own program is a reader's file."""
    if claim.form != "shell":
        return False
    if _TITLE.fullmatch(claim.context.replace(claim.text, "", 1)):
        return True
    words = claim.context.replace("$ ", " ", 1).split()
    first = next((word for word in words if "=" not in word and word not in ("npx", "sudo", "time")), "")
    return first in own_programs(world) and first not in claim.text


def by_suffix(bare: str, world: World) -> str:
    """A path that is this one, or ends with it; "" if there is none."""
    bare = bare.strip("/")
    named = world.by_name.get(posixpath.basename(bare), ())
    return next((path for path in named if path == bare or path.endswith("/" + bare)), "")


# What became of it


def _gone(claim: Claim, removal: Removal, rule: str, confidence: float, world: World) -> Judgement:
    removal = made_a_folder(removal, world.files.__contains__)
    told = bool(removal.successor) and not is_a_part(removal)
    lone = not has_nearer_twin(claim, removal, world)
    judgement = gone(removal, rule, confidence, respell(claim, removal) if told else "", lone)
    return judgement if removal.successor else with_namesake(judgement, claim, removal, world)
