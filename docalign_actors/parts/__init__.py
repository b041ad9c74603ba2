"""The capabilities, each joined from its settings to its actors, as the composition root (app.py) puts them together."""
