"""Every error that a person or a client sees: a code, one sentence, and what to do about it."""


class DocAlignError(Exception):
    """Something went wrong that the user can do something about."""

    code = "DOCALIGN_E000"
    hint = "Run `docalign doctor` and look at what it reports."

    def __init__(self, message: str | None = None, *, hint: str | None = None) -> None:
        super().__init__(message or (self.__doc__ or "").strip())
        if hint is not None:
            self.hint = hint

    def __str__(self) -> str:
        return f"{self.args[0]}"


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
    hint = "Point `doc_patterns` in .docalign.yml at the documentation."


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
    hint = "List the scans with GET /api/scans."


class StateConflictError(DocAlignError):
    """This is not in a state in which that can be done."""

    code = "DOCALIGN_E404"
    hint = "Read its status first; a scan that has ended stays as it is."


class ScanLimitError(DocAlignError):
    """The limit of scans for today is reached."""

    code = "DOCALIGN_E405"
    hint = "Wait until midnight UTC, or raise the limit in the settings."


class DeadlineError(DocAlignError):
    """The scan did not end within its deadline."""

    code = "DOCALIGN_E407"
    hint = "What was decided by then is kept; raise scans.deadline if the repository is that large."


class BadRepositoryUrlError(DocAlignError):
    """This is neither a folder with a git repository nor an address that git can fetch from."""

    code = "DOCALIGN_E408"
    hint = "Give an absolute path, or an https://, ssh:// or git:// address without a password in it."
