"""build.gradle and build.gradle.kts: Java's version, tasks, dependencies, the project's version."""

from __future__ import annotations

import re

from docalign_actors.engine.code.manifests.lines import numbered
from docalign_actors.engine.code.source import Source
from docalign_actors.engine.facts import FileFacts, Script, Version

_JAVA = re.compile(
    r"(?:sourceCompatibility|targetCompatibility|options\.release|jvmTarget|languageVersion|jvmToolchain|release)\b[^\d\n]{0,60}?(?:1[._])?(\d{1,2})\b"
)
_TASK = re.compile(
    r"""(?:^|\s)(?:tasks\.)?(?:register|create)(?:<[^>]*>)?\s*\(\s*["']([\w-]+)["']|^\s*task\s+["']?([A-Za-z][\w-]*)|val\s+(\w+)\s+by\s+tasks\.(?:registering|creating)"""
)
_OF_ITS_OWN = re.compile(
    r"^\s*(?:(?:private|internal) )?fun |\btasks\.(?:register|create)\b|\bby (?:tasks\.)?(?:registering|creating)\b|^\s*task "
)
"""What opens the body of a function or of a new task: the Java that is set in there is not the project's."""
_NOWHERE = 1_000
_VERSION = re.compile(r"""^\s*version\s*=?\s*["'](\d[\w.+-]*)["']""")
_DEPENDENCY = re.compile(
    r"""\b(api|implementation|compileOnly|runtimeOnly|testImplementation|annotationProcessor)\s*\(?\s*["']([\w.-]+):([\w.-]+):(\d[\w.+-]*)["']"""
)


def collect(source: Source, facts: FileFacts) -> None:
    """The facts of a Gradle build, line by line: nothing is run."""
    depth = 0
    within = _NOWHERE
    for number, line in numbered(source.text):
        if line.strip().startswith(("//", "*", "/*")):
            continue
        if (match := _JAVA.search(line)) and depth <= within:
            facts.versions.append(
                Version(
                    "java",
                    match[1],
                    number,
                    "toolchain" if "oolchain" in line or "languageVersion" in line else "requires",
                )
            )
        if match := _TASK.search(line):
            facts.scripts.append(Script(match[1] or match[2] or match[3], "gradle", number))
        if depth == 0 and (match := _VERSION.match(line)):
            facts.versions.append(Version("self", match[1], number, "self"))
        for match in _DEPENDENCY.finditer(line):
            origin = "dev" if match[1].startswith("test") else "dependency"
            facts.versions.append(Version(match[3], match[4], number, origin))
        if depth <= within:
            within = depth if _OF_ITS_OWN.search(line) and "{" in line else _NOWHERE
        depth = max(0, depth + line.count("{") - line.count("}"))
