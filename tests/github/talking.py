"""A repository with one pull request about which people talk, and what can be seen of it."""

from __future__ import annotations

from typing import Any

from docalign_actors.demo.github import people
from docalign_actors.demo.github.model import CheckRun, Comment, Pull, Repository
from docalign_actors.findings.model import Evidence, Finding, Fix, Mention, Severity, Verdict
from docalign_actors.findings.report import Report, Summary
from docalign_actors.github.command_actor import NAME as COMMANDS
from docalign_actors.github.command_actor import CarryOut
from docalign_actors.scans.messages import ScanFacts
from tests.support.github.workshop import Workshop
from tests.support.spine import SteppedProcesses

FILES = {"README.md": "# Tool\n\nStart with `src/app.py`.\n", "src/app.py": "def run():\n    return 1\n"}
PEOPLE = {"olga": "admin", "mia": "maintain", "will": "write", "tom": "triage", "rita": "read"}
ONE, OTHER = "aaaaaa111111", "bbbbbb222222"


def finding(name: str = ONE, *, file: str = "README.md", severity: Severity = Severity.HIGH) -> Finding:
    places = (Mention(file, 3, 13, "src/app.py"),)
    evidence = (Evidence("deleted", "src/app.py", 1, "c" * 40),)
    return Finding(
        name, "missing-path", "path", Verdict.DRIFTED, severity, 0.9, "src/app.py", f"`src/app.py` is not there any more ({name}).",
        places, evidence, Fix("src/main.py", True), f"claim-{name}",
    )  # fmt: skip


def report(*findings: Finding) -> dict[str, Any]:
    made = Report(Summary(claims=5, verified=5 - len(findings), drifted=len(findings)), list(findings))
    return {"report": made, "facts": ScanFacts("main", "f" * 40, max_claims=200, threshold="low")}


class Talk:
    """One repository, one pull request, and those who speak of it."""

    def __init__(self, shop: Workshop, processes: SteppedProcesses, *findings: Finding) -> None:
        self.shop, self.processes, self.github = shop, processes, shop.github
        self.repository: Repository = self.github.create_repository("acme/tool", FILES)
        self.repository.roles.update(PEOPLE)
        self.github.install("acme", self.repository)
        self.scans = 0
        self.scanned()
        self.pull: Pull = self.github.open_pull(self.repository, "feature", files={"README.md": "new\n"})
        shop.settle()
        self.scanned(*findings)

    def scanned(self, *findings: Finding) -> None:
        """The next scan ends with these findings, and all that follows is told."""
        self.scans += 1
        self.processes.wait_for(self.scans).report(**report(*findings))
        self.shop.settle_all()

    def wake(self) -> None:
        """Whoever carries commands out looks at the database."""
        self.shop.system.tell(COMMANDS, CarryOut())

    def say(self, body: str, user: str | dict[str, Any] = "will", **more: Any) -> Comment:
        return people.say(self.github, self.repository, self.pull.number, body, user, **more)

    def said(self, body: str, user: str | dict[str, Any] = "will", **more: Any) -> Comment:
        """The same, and everything that follows without a scan has happened."""
        comment = self.say(body, user, **more)
        self.shop.settle_all()
        return comment

    def replies(self) -> list[str]:
        return [c.body for c in self.repository.comments.values() if c.body.startswith("<!-- docalign:reply:")]

    def checks(self) -> list[CheckRun]:
        return list(self.repository.checks.values())

    def commands(self, *columns: str) -> list[tuple[Any, ...]]:
        return self.shop.rows(f"SELECT {', '.join(columns)} FROM github_commands ORDER BY id")
