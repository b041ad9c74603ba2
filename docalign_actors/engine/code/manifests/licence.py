"""Licence files: which licence a text is, by sentences that nobody changes."""

from __future__ import annotations

import re

from docalign_actors.engine.code.source import Source
from docalign_actors.engine.facts import FileFacts

_FINGERPRINTS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("AGPL-3.0", ("gnu affero general public license", "version 3")),
    ("LGPL-2.1", ("gnu lesser general public license", "version 2.1")),
    ("LGPL-3.0", ("gnu lesser general public license", "version 3")),
    ("LGPL-2.0", ("gnu library general public license", "version 2")),
    ("GPL-3.0", ("gnu general public license", "version 3")),
    ("GPL-2.0", ("gnu general public license", "version 2")),
    ("Apache-2.0", ("apache license", "version 2.0")),
    ("MPL-2.0", ("mozilla public license", "2.0")),
    ("EPL-2.0", ("eclipse public license", "2.0")),
    ("EPL-1.0", ("eclipse public license", "1.0")),
    ("EUPL-1.2", ("european union public licence", "1.2")),
    ("BUSL-1.1", ("business source license 1.1",)),
    ("SSPL-1.0", ("server side public license",)),
    ("Elastic-2.0", ("elastic license 2.0",)),
    ("Unlicense", ("this is free and unencumbered software released into the public domain",)),
    ("CC0-1.0", ("cc0 1.0 universal",)),
    ("WTFPL", ("do what the fuck you want to public license",)),
    ("Zlib", ("this software is provided 'as-is', without any express or implied warranty", "altered source versions")),
    ("BSL-1.0", ("boost software license - version 1.0",)),
    ("PSF-2.0", ("python software foundation license version 2",)),
    ("MIT-0", ("permission is hereby granted, free of charge", "furnished to do so.", "mit no attribution")),
    ("BlueOak-1.0.0", ("blue oak model license",)),
)
_BSD = "redistributions of source code must retain"
_BSD_THIRD = re.compile(
    r"neither the names? of|may be used to endorse or promote products|the name of .{0,80} may not be used"
)
_MIT = "permission is hereby granted, free of charge, to any person obtaining a copy"
_ISC = "permission to use, copy, modify, and/or distribute this software for any purpose"
_ISC_OLD = "permission to use, copy, modify, and distribute this software for any purpose"


def recognise(text: str) -> str:
    """The SPDX ids in a licence text, joined by ` AND ` if it contains several; "" if it is none that we know."""
    flat = " ".join(text[:200_000].lower().replace("“", '"').replace("’", "'").split())
    flat = re.sub(r"[*#>_=]{1,80} ?", "", flat)
    found = [
        name for name, (head, *rest) in _FINGERPRINTS if head in flat and all(_near(flat, head, part) for part in rest)
    ]
    found = _without_quoted(found, flat)
    if _BSD in flat and "altered source" not in flat:
        found.append("BSD-3-Clause" if _BSD_THIRD.search(flat) else "BSD-2-Clause")
    if _MIT in flat and "MIT-0" not in found:
        found.append("MIT")
    if _ISC in flat or _ISC_OLD in flat:
        found.append("ISC" if "as is" in flat else "")
    return " AND ".join(dict.fromkeys(filter(None, found)))


def _near(flat: str, head: str, part: str) -> bool:
    """The version stands soon after the title: the GPL's text names other versions further down."""
    start = flat.find(head)
    return part in flat[start : start + 400] or (len(part) > 15 and part in flat)


def _without_quoted(found: list[str], flat: str) -> list[str]:
    """The GNU licences name one another and the MPL names them all: the one whose title comes first counts."""
    gnu = [name for name in found if "GPL" in name]
    if len(gnu) + ("MPL-2.0" in found) + ("EPL-2.0" in found) <= 1:
        return found
    titles = {name: flat.find(head) for name, (head, *_) in _FINGERPRINTS if name in found}
    first = min(
        (name for name in found if name in gnu or name in ("MPL-2.0", "EPL-2.0")), key=lambda name: titles[name]
    )
    return [name for name in found if name == first or (name not in gnu and name not in ("MPL-2.0", "EPL-2.0"))]


def collect(source: Source, facts: FileFacts) -> None:
    """The licence that the file's text grants."""
    facts.licence = recognise(source.text)
