"""The watcher: repositories are looked at by themselves, and those that git cannot reach are left alone for a while."""
