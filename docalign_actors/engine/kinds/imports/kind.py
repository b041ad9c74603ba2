"""Imports in code examples that name this repository's own packages: is the module there, and the name in it?"""

from __future__ import annotations

import re
from collections.abc import Iterable

from docalign_actors.engine.claims import Claim, Judgement, Rule, Why, uncertain, verified
from docalign_actors.engine.documents.model import Block, Document, Inline
from docalign_actors.engine.facts import Definition
from docalign_actors.engine.kinds.imports.former import former_package, package_renamed, with_its_folder
from docalign_actors.engine.kinds.imports.paths import (
    folder_of_go,
    has_folder,
    java_class,
    removed_module,
    removed_package,
    rust_parts,
    script_files,
    served_package,
)
from docalign_actors.engine.kinds.shared.examples import Imported, Place, read_examples
from docalign_actors.engine.kinds.shared.lookup import Former, Symbols, is_supposed, symbols_of, words_in
from docalign_actors.engine.kinds.shared.modules import ALL_READ, Resolution, module_parts
from docalign_actors.engine.kinds.shared.names import is_placeholder, last_part_replaced
from docalign_actors.engine.ports import Removal
from docalign_actors.engine.roles import is_own_code
from docalign_actors.engine.world import World
from docalign_actors.findings.model import Evidence, Fix, Severity, Verdict

_RULE = "wrong-import"
_MODULE_IS_WRONG = "if its module is not there, the claim about the module says so"
_GENERATED = re.compile(r"(^|[._])(version|_version|pb2|pb2_grpc|generated|_generated|gen)$|_pb2")
_GO_PAGE = re.compile(r"https?://(?:pkg\.go\.dev|godoc\.org)/(?P<module>[\w.\-]+/[\w.\-/]+[\w\-])(?=[@#?/]|$)")
"""The page of a Go package: its address holds the import path."""
_GO_PATH = re.compile(r"(?P<module>[\w-]+(?:\.[\w-]+)+(?:/[\w.\-]+){2,9})(?:@[\w.-]+)?")
"""An import path in a span: `github.com/owner/name/part`."""
_GO_COMMAND = re.compile(
    r"\bgo (?:install|get|run)(?: -\S{1,40}){0,4} (?P<module>[\w-]+(?:\.[\w-]+)+(?:/[\w.\-]+){2,9})(?=@|\s|$)"
)
"""The package that a command of Go fetches."""


class ImportKind:
    """`import pkg.mod`, `from pkg import name`, `require('pkg/sub')`, `use krate::name`, `import org.pkg.Class`."""

    name = "imports"
    rules = (
        Rule(
            _RULE,
            "imports",
            "An import of a module or name that this repository does not have (any more).",
            Severity.HIGH,
        ),
    )
    markers: frozenset[str] = frozenset()

    def extract(self, document: Document) -> Iterable[Claim]:
        for entry in read_examples(document).imports:
            if not entry.module.startswith((".", "/", "node:")) and not _is_in_angles(entry):
                yield _claim(document.path, entry)
        for block in document.blocks:
            for inline in block.every_inline():
                match = _GO_PAGE.match(inline.text) if inline.kind == "link" else None
                if inline.kind == "code":
                    match = _GO_PATH.fullmatch(inline.text[:300]) or _GO_COMMAND.search(inline.text[:600])
                if match is not None:
                    yield _go_claim(document.path, match, inline, block)
            for line in block.lines if block.kind == "code" else ():
                if "go " in line.text and (match := _GO_COMMAND.search(line.text[:600])):
                    yield _go_claim(document.path, match, line, block)

    def verify(self, claim: Claim, world: World) -> Judgement:
        symbols = symbols_of(world)
        if claim.language == "python":
            return _Python(claim, symbols, world).judge()
        if claim.language in ("javascript", "typescript", "tsx"):
            return _script(claim, symbols, world)
        return {"go": _go, "rust": _rust, "java": _java}[claim.language](claim, symbols, world)


def _is_in_angles(entry: Imported) -> bool:
    """`from pkg import <BaseClass>`: whatever the reader puts there."""
    place = entry.place
    for line in entry.block.lines:
        if line.line == place.line:
            start = place.column - line.column
            before, after = line.text[:start], line.text[start + len(place.text) :]
            return before.endswith("<") and after.startswith(">")
    return False


def _go_claim(file: str, match: re.Match[str], inline: Inline, block: Block) -> Claim:
    place = Place(match["module"], inline.line, inline.column + match.start("module"))
    return _claim(file, Imported(match["module"], "", place, block, "go"))


def _claim(file: str, entry: Imported) -> Claim:
    place = entry.place
    separator = "::" if entry.language == "rust" else "/" if entry.language not in ("python", "java") else "."
    subject = f"{entry.module}{separator}{entry.name}" if entry.name else entry.module
    words = tuple(words_in(re.split(r"[^\w]+", subject)))
    return Claim(
        "imports", subject, place.text, file, place.line, place.column, "example", entry.name, entry.module, entry.language,
        entry.block.section, words=words, hypothetical=entry.block.hypothetical,
    )  # fmt: skip


def _drifted(message: str, subject: str, evidence: Evidence, fix: Fix | None = None) -> Judgement:
    return Judgement(Verdict.DRIFTED, _RULE, message, (evidence,), 0.95, fix=fix, subject=subject)


def _removed(removal: Removal, message: str, subject: str, fix: Fix | None = None) -> Judgement:
    text = f"renamed to {removal.successor}" if removal.successor else "deleted"
    return _drifted(message, subject, Evidence(text, removal.path, 0, removal.commit.sha), fix)


class _Python:
    """Judges a Python import."""

    def __init__(self, claim: Claim, symbols: Symbols, world: World) -> None:
        self.claim = claim
        self.symbols = symbols
        self.world = world
        self.modules = symbols.modules
        self.parts = tuple(claim.subject.split("."))

    def judge(self) -> Judgement:
        if self.parts[0] not in self.modules.tops:
            return self._gone_package()
        found = self.modules.resolve(self.parts)
        if found.state == "found" and not self.claim.value and found.definition is not None:
            return (
                self._module()
            )  # `from a.b import c` where `a` has a `b` that is no module: there is nothing to take from
        if found.state == "found":
            return verified(Evidence("defined", found.path, found.definition.line if found.definition else 1))
        if any(_GENERATED.search(part) for part in self.parts[1:]):
            return uncertain("made when the package is built")
        if not self.claim.value:
            return self._module()
        owner = tuple(self.claim.owner.split("."))
        if self.modules.resolve(owner).state != "found":
            return uncertain(_MODULE_IS_WRONG)
        return self._name(found)

    def _gone_package(self) -> Judgement:
        """The package may have been ours under this name."""
        top = self.parts[0]
        if self.claim.value:
            return uncertain(_MODULE_IS_WRONG)
        gone = former_package(top, self.symbols, self.world)
        if gone is None:
            return uncertain("not this repository's", Why.ANOTHERS)
        removal, new = gone
        fix = Fix(self.claim.text.replace(top, new, 1), True) if new and self.claim.text.startswith(top) else None
        return _removed(removal, package_renamed(top, new), top, fix)

    def _module(self) -> Judgement:
        gone = removed_module(self.parts, self.modules, shown=bool(self.claim.value))
        if gone is None:
            return uncertain("no such module here, and no sign that there was one")
        base = gone[0]
        removal, new = with_its_folder(gone[1], self.world)
        old = ".".join(base)
        fix = (
            Fix(new + self.claim.text[len(old) :], True)
            if new and f"{self.claim.text}.".startswith(f"{old}.")
            else None
        )
        return _removed(removal, f"there is no module `{old}` any more", old, fix)

    def _name(self, found: Resolution) -> Judgement:
        name, module = self.claim.value, self.claim.owner
        former = self.symbols.former(self.parts)
        if former is not None and ("." in former.definition.qualname or self._is_where_it_was(former)):
            former = None  # a member, or nothing went: another version of its file is no sign that the module had it
        if former is None and found.state == "absent":
            return self._reexported(name, module, found)
        if former is None:
            return uncertain("something on the way cannot be read", Why.UNFOLLOWED)
        renamed = self.symbols.renamed(former)
        # The module's own line has another name since a moment ago: what else may make names there did not make this one.
        sure = renamed is not None and renamed[1] and (former.file.is_fresh or self.world.past.differential)
        used = self.symbols.still_there(former) or (self.symbols.is_used(name) and not sure)
        if found.state != "absent" and used:
            return uncertain("something on the way cannot be read", Why.UNFOLLOWED)
        return self._gone(former, module)

    def _is_where_it_was(self, former: Former) -> bool:
        definitions = self.world.index.definitions.get(former.definition.name, ())
        return any(
            where.path == former.file.path and where.fact.qualname == former.definition.qualname
            for where in definitions
        )

    def _gone(self, former: Former, module: str) -> Judgement:
        name, blob = former.definition.name, former.file.blob
        evidence = Evidence(f"`{name}` was defined here", blob.path, former.definition.line, blob.after)
        renamed = self.symbols.renamed(former)
        fix = Fix(last_part_replaced(self.claim.text, name, renamed[0]), renamed[1]) if renamed else None
        moved = self.symbols.moved(name, former.definition.kind) if fix is None else ""
        message = f"`{module}` has no `{name}` any more" + (f": it is in `{moved.rpartition('.')[0]}`" if moved else "")
        return _drifted(message, former.definition.qualname, evidence, fix)

    def _reexported(self, name: str, module: str, found: Resolution) -> Judgement:
        """The module never defined the name, but may have shown it; else all of the module says that there is none."""
        for file in self.world.past.files(name):
            is_module = ".".join(module_parts(file.path, self.world)) == module and is_own_code(file.path)
            if file.path in self.world.index.occurs(name):
                continue  # its `__getattr__` may answer to it
            if is_module and any(entry.alias == name for entry in file.facts.imports):
                evidence = Evidence(f"`{name}` was imported here", file.path, 1, file.blob.after)
                moved = self.symbols.moved(name, "class") or self.symbols.moved(name, "function")
                where = f": it is in `{moved.rpartition('.')[0]}`" if moved else ""
                return _drifted(f"`{module}` has no `{name}` any more{where}", f"{module}.{name}", evidence)
        if (
            self.claim.hypothetical
            or not found.path
            or is_placeholder(name)
            or is_supposed(name, self.claim.file, self.world)
            or (self.symbols.is_used(name) and not self.symbols.anything_called(name))
        ):
            return uncertain("the module has no such name, and never had")
        shown = [Evidence(ALL_READ.format(module), found.path, 1)]
        elsewhere = (w for w in self.world.index.definitions.get(name, ()) if "." not in w.fact.qualname)
        shown += [Evidence(f"`{name}` is defined here", w.path, w.fact.line) for w in elsewhere if is_own_code(w.path)][
            :1
        ]
        return Judgement(
            Verdict.DRIFTED, _RULE, f"`{module}` has no `{name}`", tuple(shown), 0.9, subject=f"{module}.{name}"
        )


def _script(claim: Claim, symbols: Symbols, world: World) -> Judgement:
    """`require('pkg')`, `import x from 'pkg/sub'`, and the names taken from them."""
    served = served_package(claim.owner)  # what lies in it there is built
    owner = served or claim.owner
    named = (p for p in world.index.packages if p.name and _below(owner, p.name))
    package = next((p for p in named if p.language == "javascript"), None)  # a crate may be called so too
    if package is None:
        return uncertain("not this repository's", Why.ANOTHERS)
    sub = owner[len(package.name) :].strip("/")
    if claim.value:
        return _script_name(claim, symbols, world)
    if not sub:
        return verified(Evidence("the package's name", package.manifest, 1))
    candidates = list(script_files(package.root, sub))
    if any(world.exists(path) for path in candidates) or _exports_sub(world, package.manifest, sub):
        return verified()
    for path in candidates:
        removal = world.past.removal(path)
        if removal is not None and not world.is_ignored(path):  # what once was written may be built today
            return _removed(removal, f"`{claim.owner}` is not there any more", claim.owner)
    return uncertain("may be made when the package is built")


def _below(module: str, package: str) -> bool:
    return module == package or module.startswith(package + "/")


def _exports_sub(world: World, manifest: str, sub: str) -> bool:
    """The manifest itself maps the sub-path."""
    return f'"./{sub}"'.encode() in world.tree.read(manifest, 1_000_000)


def _script_name(claim: Claim, symbols: Symbols, world: World) -> Judgement:
    name = claim.value
    if symbols.anything_called(name):
        return verified()
    if symbols.is_used(name):
        return uncertain("not defined here, but the code uses the word")
    former = symbols.former((name,), _top_level)
    if former is None:
        return uncertain("nothing of this name was ever defined here")
    return _gone_name(claim, symbols, former, name)


def _gone_name(claim: Claim, symbols: Symbols, former: Former, name: str) -> Judgement:
    blob = former.file.blob
    renamed = symbols.renamed(former)
    fix = Fix(last_part_replaced(claim.text, name, renamed[0]), renamed[1]) if renamed else None
    evidence = Evidence(f"`{name}` was defined here", blob.path, former.definition.line, blob.after)
    return _drifted(f"`{claim.owner}` has no `{name}` any more", former.definition.qualname, evidence, fix)


def _top_level(path: str, definition: Definition) -> bool:
    return "." not in definition.qualname


def _go(claim: Claim, symbols: Symbols, world: World) -> Judgement:
    folder = folder_of_go(claim.owner, world)
    if folder is None:
        return uncertain("not this repository's", Why.ANOTHERS)
    if folder in world.folders_with(".go"):
        return verified()
    removal = world.past.removal(folder)
    if removal is None:
        return uncertain("no such folder here, and no sign that there was one")
    return _removed(
        removal, f"there is no package `{claim.owner}` any more", claim.owner, _moved_in_go(removal, world, claim)
    )


def _moved_in_go(removal: Removal, world: World, claim: Claim) -> Fix | None:
    """The import path of the folder that a package was moved to as a whole."""
    moved = bool(removal.successor) and claim.owner.endswith(removal.path) and claim.text == claim.owner
    hidden = "internal" in removal.successor.split("/")  # nobody else can import it from there
    if not moved or hidden or removal.successor not in world.folders_with(".go"):
        return None
    return Fix(claim.owner.removesuffix(removal.path) + removal.successor, True)


def _rust(claim: Claim, symbols: Symbols, world: World) -> Judgement:
    parts = rust_parts(claim.subject, world)
    if parts is None:
        return uncertain("not this repository's", Why.ANOTHERS)
    if not parts:
        return verified()
    last = parts[-1]
    if symbols.anything_called(last) or last in symbols.modules.stems:
        return verified() if len(parts) == 1 or last[:1].isupper() else uncertain("a name of this repository")
    if symbols.is_used(last):
        return uncertain("not defined here, but the code uses the word")
    former = symbols.former((last,))
    if former is not None:
        return _gone_name(claim, symbols, former, last)
    removal = world.past.removal(f"**/{last}.rs")
    if removal is not None and is_own_code(removal.path) and not claim.value:
        return _removed(removal, f"there is no module `{last}` any more", claim.subject)
    return uncertain("nothing of this name was ever defined here")


def _java(claim: Claim, symbols: Symbols, world: World) -> Judgement:
    package, name = java_class(claim.subject)
    gone = removed_package(claim.subject.split("."), world)
    if gone is not None:
        return _removed(gone[1], f"there is no package `{gone[0]}` any more", gone[0])
    if not name:
        return uncertain("a whole package")
    folder = package.replace(".", "/")
    files = (*world.by_name.get(f"{name}.java", ()), *world.by_name.get(f"{name}.kt", ()))
    if any(f"/{path}".rpartition("/")[0].endswith(f"/{folder}") for path in files):
        return verified()
    # Some own code lives there, or at least under the first two parts of the package's name.
    ours = has_folder(world, folder) or has_folder(world, "/".join(package.split(".")[:2]), kotlin=False)
    former = symbols.former((name,), lambda path, d: f"/{folder}/" in f"/{path}") if ours else None
    if former is None or (
        symbols.anything_called(name)
        and any(f"/{folder}/" in f"/{where.path}" for where in world.index.definitions.get(name, ()))
    ):
        return uncertain("not this repository's, or a nested or generated class", Why.ANOTHERS_OR_GENERATED)
    return _gone_name(claim, symbols, former, name)
