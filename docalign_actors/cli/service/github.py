"""`docalign github setup` and `docalign github doctor`."""

from __future__ import annotations

import argparse
import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

from docalign_actors.cli.service.link import find_service, load_settings
from docalign_actors.clock import SystemClock
from docalign_actors.errors import AppExistsError, ConfigurationError, DocAlignError, UsageError
from docalign_actors.github.diagnosis import Check, of_app, of_deliveries, of_hook, of_installations
from docalign_actors.github.registration import Place, default_name, place_of, webhook_url
from docalign_actors.settings import Loaded, Settings
from docalign_actors.settings.loading import FILE_NAME
from docalign_actors.settings.writing import with_values, write_private

_KEYS = ("app_id", "private_key", "private_key_file", "webhook_secret", "api_url", "web_url")


def run_github(given: argparse.Namespace) -> int:
    return _setup(given) if given.action == "setup" else _doctor(given)


# Setting up


def _setup(given: argparse.Namespace) -> int:
    """Everything that can be refused is refused before GitHub is asked to create anything."""
    from docalign_actors.cli.service.setup_page import SetupPage
    from docalign_actors.hosts.github.registration import look

    loaded = load_settings(given)
    settings, clock = loaded.settings, SystemClock()
    file = _file(given, settings)
    _refuse_what_is_there(loaded, given.public_url, replace=given.replace)
    public = _public_url(given.public_url or settings.http.public_url)
    place = place_of(given.url) if given.url else Place(settings.github.web_url, settings.github.api_url)
    values = _values(settings, place, public)
    _checked(file, values)
    look(place, clock, timeout=settings.github.timeout)
    page = SetupPage(place, public, given.name or default_name(public), given.organisation, clock, port=given.port)
    with page:
        print(f"Open this page in a browser, and follow it to GitHub and back:\n\n    {page.address}\n")
        if not sys.stdout.isatty() or os.environ.get("SSH_CONNECTION"):
            print(f"From another machine: ssh -L {page.port}:127.0.0.1:{page.port} {os.uname().nodename}\n")
        print("It is there for an hour; Ctrl-C ends it, and changes nothing.", flush=True)
        made = page.wait()
        key = file.parent / f"github-app-{made.id}.pem"
        write_private(key, made.pem)
        values["github"] |= {"app_id": made.id, "private_key_file": str(key), "webhook_secret": made.webhook_secret}
        write_private(file, _checked(file, values))
        page.finish(made)
    print(f"\nThe App {made.name or made.slug} exists, with the id {made.id}. Its credentials are in {file} and {key}.")
    print(f"Install it on your repositories: {_install_link(place, made.html_url, made.slug)}")
    if find_service(settings.data_dir) is not None:
        print("The service runs without it so far: restart it.")
    print()
    return _doctor(given)


def _file(given: argparse.Namespace, settings: Settings) -> Path:
    named = given.config or os.environ.get("DOCALIGN_CONFIG")
    return Path(named) if named else Path(settings.data_dir) / FILE_NAME


def _refuse_what_is_there(loaded: Loaded, public: str, *, replace: bool) -> None:
    """An App that is there is not overwritten by chance; what a variable sets cannot be overwritten by a file."""
    github = loaded.settings.github
    if github.app_id and not replace:
        raise AppExistsError(
            f"The settings name a GitHub App already: {github.app_id} ({loaded.origins['github.app_id']})."
        )
    if public and loaded.settings.http.public_url.rstrip("/") not in ("", public.rstrip("/")) and not replace:
        raise AppExistsError(
            f"http.public_url is {loaded.settings.http.public_url} ({loaded.origins['http.public_url']}), and not {public[:100]}.",
            hint="Leave --public-url out, or give --replace as well.",
        )
    for key in _KEYS:
        origin = loaded.origins[f"github.{key}"]
        if origin.startswith("environment variable"):
            raise ConfigurationError(
                f"github.{key} is set by the {origin}, which counts more than any file.",
                hint="Take the variable away, and run `docalign github setup` again.",
            )


def _public_url(url: str) -> str:
    parts = urlsplit(url)
    if not parts.hostname or parts.scheme not in ("http", "https"):
        raise UsageError(
            "GitHub must know where to send its events, and the settings do not say it." if not url
            else f"{url[:100]!r} is no address that GitHub could send events to.",
            hint="Give the address by which the service is reached: --public-url https://docs.example.org.",
        )  # fmt: skip
    return url.rstrip("/")


def _values(settings: Settings, place: Place, public: str) -> dict[str, dict[str, str | int]]:
    """What is to be written into the settings, but for the credentials that nobody has yet."""
    github = settings.github
    values: dict[str, dict[str, str | int]] = {"github": {"app_id": 0, "private_key_file": "", "webhook_secret": ""}}
    if github.private_key:
        values["github"]["private_key"] = ""  # it would count more than the new one's file
    if (place.web_url, place.api_url) != (github.web_url, github.api_url):
        values["github"] |= {"web_url": place.web_url, "api_url": place.api_url}
    if public != settings.http.public_url:
        values["http"] = {"public_url": public}
    return values


def _checked(file: Path, values: dict[str, dict[str, str | int]]) -> str:
    """The settings' file as it is to be. Raises if it cannot be written so."""
    text = ""
    try:
        if file.exists():
            text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{file} cannot be read: {getattr(error, 'strerror', None) or 'not UTF-8'}.") from None
    if not os.access(_existing(file.parent), os.W_OK):
        raise ConfigurationError(
            f"{file} cannot be written.", hint="Run the command as the service's user, or as root."
        )
    for group, pairs in values.items():
        text = with_values(text, group, pairs)
    return text


def _existing(folder: Path) -> Path:
    return folder if folder.exists() or folder == folder.parent else _existing(folder.parent)


def _install_link(place: Place, html_url: str, slug: str) -> str:
    return f"{html_url or f'{place.web_url}/apps/{slug}'}/installations/new"


# Looking


def _doctor(given: argparse.Namespace) -> int:
    """Prints a line for each check; 2 if something is wrong."""
    fine = True
    for name, good, text in _checks(load_settings(given).settings):
        fine = fine and good
        print(f"{'ok   ' if good else 'WRONG'}  {name}: {text}")
    return 0 if fine else 2


def _checks(settings: Settings) -> Iterator[Check]:
    from docalign_actors.hosts.github.client import GitHubClient
    from docalign_actors.hosts.github.credentials import credentials_of
    from docalign_actors.hosts.github.inspection import Inspection

    github = settings.github
    try:
        credentials = credentials_of(github)
        if credentials is None:
            yield "settings", False, "there is no App in them. `docalign github setup` creates one."
            return
        yield _secrecy(github.private_key_file, github.app_id)
        seen = Inspection(GitHubClient(credentials, SystemClock(), timeout=github.timeout))
        app = seen.app()
        yield "GitHub", True, f"{github.api_url} knows the App as {app.name or app.slug}, of {app.owner or 'nobody'}"
        yield from of_app(app)
        yield of_hook(seen.hook(), webhook_url(settings.http.public_url))
        yield of_deliveries(seen.deliveries())
        yield from of_installations(seen.installations(), app.html_url)
    except DocAlignError as error:
        yield "GitHub", False, f"{error} ({error.code}) {error.hint}"
    except ValueError:  # what is in the file is no key
        yield "private key", False, "it cannot be read as a key. Name the .pem file that GitHub gave for the App."


def _secrecy(key_file: str, app_id: int) -> Check:
    if not key_file:
        return "private key", True, f"of the App {app_id}, in the settings themselves"
    path = Path(key_file).expanduser()
    mode = stat.S_IMODE(path.stat().st_mode)
    if mode & 0o077:
        return "private key", False, f"others may read {path} (mode {mode:04o}). Run `chmod 600 {path}`."
    return "private key", True, f"of the App {app_id}, in {path}"
