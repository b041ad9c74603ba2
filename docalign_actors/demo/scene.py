"""The repository of the demo, and the pull request that makes its documentation false."""

from __future__ import annotations

REPOSITORY = "acme/paint"
TITLE = "mix_colours() is called blend() from now on"
BRANCH = "blend"

_README = """\
# Paint

A small library for those who paint with numbers.

## Use

`mix_colours(first, second)` gives the colour between two others; see [the guide](docs/guide.md).
The work is done in `src/paint/mixing.py`.
"""

_GUIDE = """\
# Guide

A colour is written as on the web: `#ff0000` is red.

```python
from paint.mixing import mix_colours

print(mix_colours("#ff0000", "#0000ff"))
```

Order does not matter: `mix_colours()` gives the same colour either way.
"""

_CODE = '''\
"""Mixes colours."""


def mix_colours(first: str, second: str) -> str:
    """The colour between two others."""
    pairs = zip(_parts(first), _parts(second), strict=True)
    return "#" + "".join(f"{(one + other) // 2:02x}" for one, other in pairs)


def _parts(colour: str) -> list[int]:
    return [int(colour[at : at + 2], 16) for at in (1, 3, 5)]
'''

FILES = {
    "README.md": _README,
    "docs/guide.md": _GUIDE,
    "pyproject.toml": '[project]\nname = "paint"\nversion = "1.0"\n',
    "src/paint/__init__.py": "",
    "src/paint/mixing.py": _CODE,
}

CHANGE = {
    # The heading is changed, the sentence below it is forgotten: it stands in the diff, so it can be suggested there.
    "README.md": _README.replace("## Use", "## Blending colours"),
    "src/paint/mixing.py": _CODE.replace("mix_colours", "blend"),
}
