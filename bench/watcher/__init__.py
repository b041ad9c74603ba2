"""What the watcher bears: many repositories that are due at once."""
