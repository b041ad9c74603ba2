"""Names of licences as people write them, as SPDX identifiers, and which of them mean the same."""

from __future__ import annotations

import re

_WORD = r"(?:\sLicen[sc]e)?"
_CLAUSE = rf"(?:[\s-]Clause)?{_WORD}"
_PATTERNS: tuple[tuple[str, str], ...] = (
    ("Apache-2.0", r"Apache(?:[\s-](?:Software\s)?Licen[sc]e)?(?:,?[\s-]*(?:Version|v\.?)?[\s-]*2(?:\.0)?)?(?:[\s-]Licen[sc]e)?"),
    ("AGPL", r"(?:GNU\s)?(?:AGPL|Affero\s(?:General\sPublic\sLicen[sc]e|GPL))"),
    ("LGPL", r"(?:GNU\s)?(?:LGPL|(?:Lesser|Library)\s(?:General\sPublic\sLicen[sc]e|GPL))"),
    ("GPL", r"(?:GNU\s)?(?:GPL|General\sPublic\sLicen[sc]e)"),
    ("MPL-2.0", r"MPL(?:[\s-]?v?2(?:\.0)?)?|Mozilla\sPublic\sLicen[sc]e(?:,?\s(?:Version\s|v)?2(?:\.0)?)?"),
    ("EPL", r"EPL|Eclipse\sPublic\sLicen[sc]e"),
    ("BSD-3-Clause", rf"(?:New|Modified|Revised|3-clause)\sBSD{_WORD}|BSD[\s-]3{_CLAUSE}|BSD\s\(?3-clause\)?{_WORD}"),
    ("BSD-2-Clause", rf"(?:Simplified|2-clause)\sBSD{_WORD}|BSD[\s-]2{_CLAUSE}|BSD\s\(?2-clause\)?{_WORD}"),
    ("BSD", r"BSD(?:[\s-](?:style\s)?Licen[sc]e)?"),
    ("MIT", r"MIT(?:/X11)?(?:[\s-]Licen[sc]e)?|Expat\sLicen[sc]e"),
    ("ISC", r"ISC(?:\sLicen[sc]e)?"),
    ("Unlicense", r"(?:The\s)?Unlicense"),
    ("CC0-1.0", r"CC0(?:[\s-]1\.0)?"),
    ("BUSL-1.1", r"Business\sSource\sLicen[sc]e(?:\s1\.1)?|BUSL(?:-1\.1)?"),
    ("BSL-1.0", r"Boost\sSoftware\sLicen[sc]e"),
    ("Zlib", r"zlib(?:\slicen[sc]e)"),
    ("WTFPL", r"WTFPL"),
)  # fmt: skip
_VERSION = (
    r"(?P<version>,?[\s-]*(?:version\s|v\.?\s?|Licen[sc]e\s(?:version\s"
    r"|v\.?\s?)?)?\d(?:\.\d)?)?(?:[\s-](?:only|or[\s-]later))?"
)
NAMES = re.compile(
    r"(?<![\w./-])(?:"
    + "|".join(f"(?P<n{i}>{pattern})" for i, (_, pattern) in enumerate(_PATTERNS))
    + rf")(?:(?<=GPL){_VERSION}|(?<=Public License){_VERSION.replace('version>', 'version2>')})?(?!\w|[\w/-]*\.\w)"
)
"""Case counts: `MIT`, `mit` in an address is something else."""
BADGE = re.compile(r"badge/licen[sc]e-(?P<name>[A-Za-z](?:[\w.%+]|--|_){1,40})-", re.IGNORECASE)

_LONG = {
    "MIT": "MIT License", "Apache-2.0": "Apache License 2.0", "ISC": "ISC License", "MPL-2.0": "Mozilla Public License 2.0",
    "BSD-3-Clause": "BSD 3-Clause License", "BSD-2-Clause": "BSD 2-Clause License",
}  # fmt: skip


def identify(match: re.Match[str] | None) -> str:
    """The SPDX identifier, or the family's name where no version is told; "" if nothing was found."""
    if match is None:
        return ""
    index = next(i for i in range(len(_PATTERNS)) if match[f"n{i}"])
    name = _PATTERNS[index][0]
    digits = re.search(r"\d(?:\.\d)?", match["version"] or match["version2"] or "")
    if name in ("GPL", "LGPL", "AGPL") and digits:
        return f"{name}-{digits[0] if '.' in digits[0] else digits[0] + '.0'}"
    return name


def families(expression: str) -> frozenset[str]:
    """Every name that a licence expression answers to: `GPL-3.0-or-later` is also `GPL`, `BSD-3-Clause` also `BSD`."""
    found: set[str] = set()
    for part in re.split(r"\s+(?:OR|AND|WITH|or|and)\s+|[/,()]|\s\+\s", expression[:300]):
        identifier = _canonical(part.strip())
        if identifier:
            found.add(identifier)
            if "GPL" in identifier or identifier.startswith(("BSD-", "EPL-")):
                found.add(identifier.partition("-")[0])
    return frozenset(found)


def _canonical(text: str) -> str:
    """An identifier from an SPDX id or from words; "" if neither is known."""
    plain = re.sub(r"-(?:only|or-later)$|\+$", "", text)
    if re.fullmatch(
        r"(?:A|L)?GPL-\d\.\d|BSD-[23]-Clause|MIT(?:-0)?|ISC|Unlicense|MPL-2\.0|Apache-2\.0|EPL-\d\.\d"
        r"|CC0-1\.0|BUSL-1\.1|BSL-1\.0|Zlib|WTFPL|0BSD|PSF-2\.0|SSPL-1\.0|Elastic-2\.0|BlueOak-1\.0\.0"
        r"|EUPL-1\.2",
        plain,
    ):
        return plain
    return identify(NAMES.search(text))


def display(identifier: str, like: str) -> str:
    """The real licence in the style of the told one: its long name if the told one has the word "License"."""
    return _LONG.get(identifier, identifier) if re.search(r"licen[sc]e", like, re.IGNORECASE) else identifier
