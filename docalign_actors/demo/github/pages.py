"""A pull request as people would see it: its commits, checks, comment and suggestions on one plain page."""

from __future__ import annotations

import html
import re

from markdown_it import MarkdownIt

from docalign_actors.demo.github.model import CheckRun, Comment, Pull, Repository

_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
_COMMENT = re.compile(r"<!--.*?-->\n?", re.DOTALL)
_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
body { color: #1f2328; background: #fff }
section { border: 1px solid #d1d9e0; border-radius: 6px; margin: 1rem 0; padding: .5rem 1rem; overflow-x: auto }
table { border-collapse: collapse } td, th { border: 1px solid #d1d9e0; padding: .25rem .5rem; vertical-align: top }
code, pre { font: 13px ui-monospace, monospace; background: #f6f8fa } pre { padding: .5rem; overflow-x: auto }
small { color: #59636e } .success { color: #1a7f37 } .action_required { color: #d1242f } .neutral { color: #59636e }
@media (prefers-color-scheme: dark) {
  body { color: #f0f6fc; background: #0d1117 } code, pre { background: #151b23 } section, td, th { border-color: #3d444d }
  .success { color: #3fb950 } .action_required { color: #f85149 } small, .neutral { color: #9198a1 } a { color: #4493f8 }
}
"""


def pull_page(repository: Repository, pull: Pull) -> str:
    """The page, whole."""
    heads = [sha for _, sha in pull.heads]
    subjects = {sha: repository.git.run("show", "-s", "--format=%an: %s", sha) for sha in heads}
    checks = [c for c in repository.checks.values() if c.head_sha in subjects]
    remarks = [c for c in repository.review_comments.values() if c.number == pull.number]
    comments = [c for c in repository.comments.values() if c.number == pull.number]
    parts = [
        f"<h1>{_text(pull.title)} <small>#{pull.number}</small></h1>",
        f"<p><small>{_text(pull.author)} wants to merge {_text(pull.head_ref)} into {_text(pull.base_ref)}</small></p>",
        "<section><h2>Commits</h2><ul>",
        *(f"<li><code>{sha[:9]}</code> {_text(subject)}</li>" for sha, subject in subjects.items()),
        "</ul></section>",
        *(_comment(one) for one in comments),
        *(_remark(one) for one in remarks),
        *(_check(one) for one in checks),
    ]
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f"<title>{_text(pull.title)} #{pull.number}</title><style>{_STYLE}</style>{''.join(parts)}</html>"
    )


def source(repository: Repository, sha: str, path: str | None) -> bytes | None:
    """A file as it is at a commit or, without a path, what the commit changed; None for what is not there."""
    if not repository.git.resolve(sha):
        return None
    if path is None:
        return repository.git.run("show", "--stat", "--patch", sha).encode("utf-8", "surrogateescape")
    return repository.git.read(sha, path)


def _comment(one: Comment) -> str:
    return f"<section><small>{_text(one.user['login'])} commented</small>{rendered(one.body)}</section>"


def _remark(one: Comment) -> str:
    place = one.review or {}
    where = _text(f"{place.get('path')}:{place.get('line')}")
    return f"<section><small>{_text(one.user['login'])} suggests on <code>{where}</code></small>{rendered(one.body)}</section>"


def _check(one: CheckRun) -> str:
    how = one.conclusion or one.status
    remarks = "".join(
        f"<li><code>{_text(a['path'])}:{a['start_line']}</code><pre>{_text(a['message'])}</pre></li>"
        for a in one.annotations
    )
    buttons = "".join(
        f"<button title='{_text(a['description'])}' disabled>{_text(a['label'])}</button>" for a in one.actions
    )
    link = f'<p><a href="{_text(one.details_url)}">Details</a></p>' if one.details_url.startswith("http") else ""
    return (
        f"<section><h2>{_text(one.name)} <small>on {one.head_sha[:9]}</small>: <span class='{_text(how)}'>{_text(how)}</span></h2>"
        f"<p><b>{_text(one.title)}</b></p>{rendered(one.summary)}<ul>{remarks}</ul>{buttons}{link}</section>"
    )


def rendered(body: str) -> str:
    """Markdown as HTML; of the HTML in it, line breaks alone."""
    return str(_MARKDOWN.render(_COMMENT.sub("", body))).replace("&lt;br&gt;", "<br>")


def _text(text: str) -> str:
    return html.escape(text)
