"""The `docalign` command."""
