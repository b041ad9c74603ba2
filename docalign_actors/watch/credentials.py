"""Which credentials are taken for which address. Pure."""

from __future__ import annotations

from docalign_actors.scans.addresses import takes_password
from docalign_actors.watch.errors import BadCredentialsError

MOST_USER, MOST_PASSWORD = 200, 4_000


def check_credentials(url: str, user: str, password: str) -> None:
    """Git reads credentials line by line, so neither may hold a line's end. The password is repeated in no error."""
    if not takes_password(url):
        raise BadCredentialsError("Git asks for no password at this repository's address.")
    if not 1 <= len(password) <= MOST_PASSWORD or len(user) > MOST_USER:
        raise BadCredentialsError(f"A password has 1 to {MOST_PASSWORD:,} characters, a name {MOST_USER} at the most.")
    if not (password.isprintable() and user.isprintable()):
        raise BadCredentialsError(
            "A name or a password holds a character that cannot be printed, such as a line's end."
        )
