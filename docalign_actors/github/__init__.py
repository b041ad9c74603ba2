"""The GitHub App: what its events lead to, and what is told to GitHub. Decisions as pure modules, and their actors."""
