"""Signing in. Not a `Page`: whoever sees it is nobody yet.

A link with a one-time token leads to a page with a button: only the button uses the token up, so that a mail program
that looks at links does not.
"""

from __future__ import annotations

from docalign_actors.dashboard.html import h
from docalign_actors.dashboard.layout import bare
from docalign_actors.dashboard.page import Problem
from docalign_actors.dashboard.parts import CSRF_FIELD, alert, button, hidden


def render(csrf: str, *, token: str = "", back: str = "/", problem: Problem | None = None) -> str:
    """The form for a token, or the button for the one that came with the link."""
    told = alert(problem) if problem else None
    fields = (hidden(CSRF_FIELD, csrf), hidden("back", back))
    if token:
        form = h("form", *fields, hidden("token", token), h("p", "You have followed a link that signs in once."),
                 button("Sign in", look="main"), method="post", action="/sign-in", data_forget_query=True)  # fmt: skip
        return bare("Sign in", h("h1", "Sign in"), told, form)
    field = h("input", id="token", name="token", type="password", required=True, autocomplete="current-password",
              spellcheck="false", aria_describedby="token-help", maxlength="200", autofocus=True)  # fmt: skip
    form = h("form", *fields, h("label", "Token", for_="token"), h("div", field, button("Sign in", look="main"), class_="field"),
             h("p", "Make one on the machine that runs the service: ", h("code", "docalign token create --role operator"),
               id="token-help", class_="soft"), method="post", action="/sign-in")  # fmt: skip
    return bare("Sign in", h("h1", "Sign in"), told, form)
