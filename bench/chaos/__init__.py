"""Pulls the plug, again and again, under load, and looks whether everything that was accepted came to exactly one end."""
