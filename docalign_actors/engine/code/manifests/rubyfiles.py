"""Rakefiles and gemspecs: tasks with their namespaces, and the Ruby that a gem demands."""

from __future__ import annotations

import re

from docalign_actors.engine.code.manifests.lines import numbered
from docalign_actors.engine.code.source import Source
from docalign_actors.engine.facts import FileFacts, Script, Version

_NAMESPACE = re.compile(r"""^(\s*)namespace[\s(]+[:"']([\w:-]+)""")
_TASK = re.compile(r"""^(\s*)(?:multi)?task[\s(]+(?::?["']([\w:.-]+)["']|:(\w+)|(\w+):)""")
_NAMED_BY_CODE = re.compile(r"""^(\s*)(?:multi)?task[\s(]+(?:[a-z_][\w.]*[\s,)]|["'][^"'\n]{0,80}#\{)""")
"""`task(name.to_sym)`, `task "#{name}"`: which tasks a namespace has, only a run tells."""
_MADE = re.compile(r"""^(\s*)[\w:]+Task\.new[\s(]+:?["']?([\w:]+)""")
_DEMAND = re.compile(r"""\brequired_ruby_version\s*=\s*(?:Gem::Requirement\.new\()?["']([^"'\n]{1,40})["']""")


def collect(source: Source, facts: FileFacts) -> None:
    """Tasks by their full names. Libraries add others, so that scripts are opaque: only the past tells that one is gone."""
    name = source.path.rpartition("/")[2]
    if name.endswith(".gemspec"):
        for number, line in numbered(source.text):
            if match := _DEMAND.search(line[:500]):
                facts.versions.append(Version("ruby", match[1], number, "requires"))
    elif name == "Rakefile" or name.endswith(".rake"):
        facts.opaque.append("scripts")
        _tasks(source.text, facts)


def _tasks(text: str, facts: FileFacts) -> None:
    inside: list[tuple[int, str]] = []
    for number, line in numbered(text):
        line = line[:500]
        if match := _NAMESPACE.match(line):
            inside = [(indent, name) for indent, name in inside if indent < len(match[1])]
            inside.append((len(match[1]), match[2]))
        elif match := _TASK.match(line) or _MADE.match(line):
            spaces = [name for indent, name in inside if indent < len(match[1])]
            name = next(group for group in match.groups()[1:] if group)
            facts.scripts.append(Script(":".join((*spaces, name)), "rake", number))
        elif (match := _NAMED_BY_CODE.match(line)) and inside:
            spaces = [name for indent, name in inside if indent < len(match[1])]
            facts.opaque.extend([f"scripts {':'.join(spaces)}:%"] if spaces else [])
