"""What PyGithub and its transport raise, as errors of ours. A limit is always a limit, whatever else the answer looks like."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

import requests
from github import GithubException

from docalign_actors.errors import (
    GitHubError,
    GitHubForbiddenError,
    GitHubLimitError,
    GitHubNotFoundError,
    GitHubTokenError,
    GitHubUnavailableError,
)
from docalign_actors.github.limits import limit_in

_LONGEST = 200


def translated(error: Exception, now: datetime, strikes: int) -> GitHubError:
    """PyGithub's error as one of ours."""
    if isinstance(error, GithubException):
        headers = {str(k).lower(): str(v) for k, v in (error.headers or {}).items()}
        return of_answer(error.status, headers, _message(error), now, strikes)
    if isinstance(error, requests.Timeout):
        return GitHubUnavailableError("GitHub did not answer in time.")
    if isinstance(error, requests.RequestException | OSError):
        return GitHubUnavailableError(f"GitHub cannot be reached: {type(error).__name__}.")
    return GitHubUnavailableError(f"GitHub's answer cannot be read: {type(error).__name__}.")


def of_answer(status: int, headers: Mapping[str, str], message: str, now: datetime, strikes: int) -> GitHubError:
    """The error that an answer stands for."""
    limit = limit_in(status, headers, message, now, strikes)
    if limit is not None:
        return GitHubLimitError(limit.until, secondary=limit.secondary)
    said = message[:_LONGEST].replace("\n", " ") or f"status {status}"
    if status == 401:
        return GitHubTokenError(f"GitHub does not accept the App's credentials: {said}.")
    if status in (404, 410):
        return GitHubNotFoundError(f"GitHub says: {said}.")
    if status == 403:
        return GitHubForbiddenError(f"GitHub says: {said}.")
    if status >= 500 or status < 400:
        return GitHubUnavailableError(f"GitHub answered with {status}.")
    return GitHubError(f"GitHub refused a request with {status}: {said}.")


def _message(error: GithubException) -> str:
    data = error.data
    return str(data.get("message") or "") if isinstance(data, dict) else ""
