"""Scans of repositories: who may ask for one, in which order they run, and what becomes of them."""
