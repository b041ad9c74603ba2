"""Upkeep: what was kept long enough goes, and what went wrong among the actors is written down."""
