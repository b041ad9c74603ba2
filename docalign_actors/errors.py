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
