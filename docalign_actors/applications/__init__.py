"""Applications that subscribe to repositories: what changed is kept in a journal, and each is told what it has not got yet."""
