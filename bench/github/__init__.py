"""How fast GitHub's webhooks are taken, and how long a pull request waits for its check."""
