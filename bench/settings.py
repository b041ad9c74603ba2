"""Defaults of settings as code gives them: fields of classes and structs, variables of the environment, tags, annotations.

Found by line patterns, so that any language's own way of writing them can be added by a row.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from bench.files import Snapshot, language_of
from bench.keepers import is_told

_VALUE = r"(?P<quote>[\"'`]?)(?P<value>[A-Za-z0-9][\w.:/-]*)(?P=quote)"
_ENV_NAME = r"(?P<name>[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)"
_TRAIT = r"(?:Integer|Float|Unicode|CInt|CFloat|Bool|Enum|Str)"
_ENV_READ = r"(?:environ\.get|getenv|env(?:\.\w+)?|config)"
_NAMED = r"(?:name|property)\s*=\s*\"(?P<name>[\w.-]+)\""
_CONFIGURED = r"@(?:ConfigProperty|WithDefault|Property|Parameter)"
_AS_STRING = r"(?:\.into\(\)|\.to_string\(\)|\.to_owned\(\))?"
_PROPERTY = r"public\s+(?:\w+\s+)*[\w<>?]+\s+(?P<name>[A-Z]\w*[a-z][A-Z]\w*)\s*\{\s*get;[^}\n]*\}"
_NODE = r"->(?:scalar|integer|boolean|float|enum)Node\('(?P<name>[a-z]\w+)'\)(?:\s*->(?!\w*Node\b)\w+\([^)]*\)){0,4}?"
_ACCESS = r"(?:private|protected|public)\s+(?:static\s+)?"
_SCRIPT = ("javascript", "typescript")


@dataclass(frozen=True)
class Given:
    """A default as the code gives it. `span` is that of the bare value; `region` the call or attribute around it."""

    subject: str
    path: str
    value: str
    span: tuple[int, int]
    region: tuple[int, int]
    option: bool


_FORMS = (
    # `timeout: int = 30` in a settings class, with or without Field(...)
    (("python",), rf"(?m)^    (?P<name>[a-z]\w+)\s*:[^=\n]{{2,60}}=\s*(?:\w*Field\(\s*(?:default\s*=\s*)?)?{_VALUE}\s*[,)\n#]"),
    # `port = Integer(8888, ...)`: traitlets and form fields
    (("python",), rf"(?m)^    (?P<name>[a-z]\w+)\s*=\s*{_TRAIT}\(\s*(?:default_value\s*=\s*)?{_VALUE}\s*[,)]"),
    (("python",), rf"{_ENV_READ}\(\s*[\"']{_ENV_NAME}[\"']\s*,\s*(?:default\s*=\s*)?{_VALUE}\s*[,)]"),
    (_SCRIPT, rf"process\.env\.{_ENV_NAME}\s*(?:\|\||\?\?)\s*{_VALUE}(?=\s*[,;)\n])"),
    (_SCRIPT, rf"(?m)^\s*(?P<name>[a-z]\w*[A-Z]\w*)\s*[:=]\s*(?=[\"'`]){_VALUE},?\s*$"),
    (_SCRIPT, rf"[\"'](?P<name>[a-z][\w-]+)[\"']\s*(?:,|:)\s*\{{[^{{}}]{{0,300}}?\bdefault:\s*{_VALUE}\s*[,}}\n]"),
    (_SCRIPT, rf"\b(?P<name>[a-z]\w+):\s*(?:[\w.]+\()?\{{[^{{}}]{{0,300}}?\bdefault:\s*{_VALUE}\s*[,}}\n]"),
    (("go",), rf"`[^`\n]*\b(?:yaml|json|toml|mapstructure|koanf):\"(?P<name>[a-zA-Z][\w-]+)[^`\n]*\bdefault:\"{_VALUE}\""),
    (("go",), rf"`[^`\n]*\b(?:env|envconfig):\"{_ENV_NAME}[^`\n]*\b(?:envDefault|default):\"{_VALUE}\""),
    (("go",), rf"(?i:getenv\w*|env\w*)\(\s*\"{_ENV_NAME}\"\s*,\s*{_VALUE}\s*\)"),
    (("rust",), rf"(?m)^\s+(?P<name>[a-z]\w*_\w+):\s*(?:Some\()?{_VALUE}(?:\.into\(\)|\.to_string\(\)|\.to_owned\(\))?\)?,$"),
    (("rust",), rf"env::var\(\s*\"{_ENV_NAME}\"\s*\)[^;\n]{{0,30}}unwrap_or(?:_else)?\(\s*(?:\|_\|\s*)?{_VALUE}"),
    (("java",), rf"@Value\(\s*\"\$\{{(?P<name>[\w.-]+):{_VALUE}\}}"),
    (("java",), rf"(?m)^\s+{_ACCESS}\w+\s+(?P<name>[a-z]\w*[A-Z]\w*)\s*=\s*{_VALUE}[LlFfDd]?;"),
    (("java", "kotlin"), rf"{_CONFIGURED}\([^)\n]*?{_NAMED}[^)\n]*?defaultValue\s*=\s*{_VALUE}"),
    (("kotlin",), rf"(?m)^[ \t]+(?:\w+ )*va[lr]\s+(?P<name>[a-z]\w*[A-Z]\w*)\s*:\s*\w+\??\s*=\s*{_VALUE}[LlFf]?\s*,?$"),
    (("csharp",), rf"(?m)^[ \t]+{_PROPERTY}\s*=\s*{_VALUE};"),
    (("ruby",), rf"ENV\.fetch\(\s*[\"']{_ENV_NAME}[\"']\s*,\s*{_VALUE}\s*\)"),
    (("ruby",), rf"(?:option|setting|config_param|attribute)[\s(]+:(?P<name>[a-z]\w+)\b[^\n]{{0,120}}?\bdefault:\s*{_VALUE}"),
    (("php",), rf"{_NODE}\s*->defaultValue\(\s*{_VALUE}\s*\)"),
    (("php",), rf"env\(\s*'{_ENV_NAME}'\s*,\s*{_VALUE}\s*\)"),
    (("go",), rf"\.SetDefault\(\s*\"(?P<name>[a-zA-Z][\w.-]+)\"\s*,\s*{_VALUE}\s*\)"),
    (("go",), rf"(?m)^[ \t]+(?P<name>[A-Z][a-z]\w*):\s*{_VALUE}(?:\s*\*\s*time\.\w+)?,$"),
    (("rust",), rf"(?s)fn default_(?P<name>[a-z]\w+)\(\)\s*->[^{{\n]{{1,40}}\{{\s*{_VALUE}{_AS_STRING}\s*\}}"),
    (("",), rf"(?m)^(?P<name>[a-z][\w.-]*[.-][\w.-]+)\s*[=:]\s*{_VALUE}\s*$"),
)  # fmt: skip
_PATTERNS = tuple((languages, re.compile(pattern)) for languages, pattern in _FORMS)
_PROPERTIES = re.compile(r"\.properties$")


def given_in_settings(snapshot: Snapshot) -> Iterator[Given]:
    """Every default that a line of own code gives to a named setting."""
    for path, text in sorted(snapshot.own.items()):
        language = language_of(path)
        if not language and not _PROPERTIES.search(path):
            continue
        for languages, pattern in _PATTERNS:
            if language in languages:
                for match in pattern.finditer(text):
                    if not _is_commented(text, match.start()) and not is_told(path, text, match.start("value")):
                        yield Given(match["name"], path, match["value"], match.span("value"), match.span(), False)


def _is_commented(text: str, at: int) -> bool:
    return text[text.rfind("\n", 0, at + 1) + 1 : at + 40].lstrip().startswith(("//", "#", "*", "/*"))
