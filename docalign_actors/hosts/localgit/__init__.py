"""Plain git on a local disk: working trees, commits and history, read through the git command."""
