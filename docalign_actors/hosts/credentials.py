"""How git gets a password: through its environment, and only for the host that it belongs to.

A helper of one line reads it from a variable; the line itself holds no secret, so neither an argument, an address nor a
file ever does.
"""

from __future__ import annotations

from urllib.parse import urlsplit

_VARIABLE = "GIT_HOST_PASSWORD"
_HELPER = f'!f() {{ test "$1" = get && printf "username=x-access-token\\npassword=%s\\n" "${_VARIABLE}"; }}; f'


def git_environment(url: str, token: str) -> dict[str, str]:
    """What is added to git's environment; nothing without a token, or for an address that is not over HTTP."""
    parts = urlsplit(url)
    if not token or parts.scheme not in ("https", "http") or not parts.hostname:
        return {}
    origin = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"
    settings = {"credential.helper": "", f"credential.{origin}.helper": _HELPER, "core.askPass": "true"}
    numbered: dict[str, str] = {_VARIABLE: token, "GIT_CONFIG_COUNT": str(len(settings))}
    for number, (key, value) in enumerate(settings.items()):
        numbered |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
    return numbered
