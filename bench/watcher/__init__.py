"""How the watcher keeps up: repositories that are due, and subscribers who want to hear."""
