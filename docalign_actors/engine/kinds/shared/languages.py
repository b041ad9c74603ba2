"""Which code an example can call: ports of one library in several languages share names, and little else."""

from __future__ import annotations

from docalign_actors.engine.code.reader import language_of

_FAMILIES = {
    "python": "python", "javascript": "script", "typescript": "script", "tsx": "script", "go": "go", "java": "java",
    "kotlin": "java", "csharp": "csharp", "ruby": "ruby", "php": "php", "swift": "swift",
}  # fmt: skip
"""Languages that examples of another family do not call. What is not here, such as Rust and C, is bound to any."""

PROGRAMS = frozenset(
    ("java", "kotlin", "kt", "scala", "groovy", "csharp", "c#", "cs", "swift", "objc", "go", "rust", "rs", "c", "cpp", "c++", "php",
     "ruby", "rb", "python", "py", "javascript", "js", "typescript", "ts", "jsx", "tsx", "elixir", "dart", "lua", "perl", "r")
)  # fmt: skip
"""Languages of examples that are programs, with variables of their own."""


def is_callable_from(language: str, path: str) -> bool:
    """Whether an example in this language ("" if it tells none) may call what this file defines."""
    defined = _FAMILIES.get(language_of(path), "")
    return not language or not defined or _FAMILIES.get(language, language) == defined
