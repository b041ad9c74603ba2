"""One report, every format that people and programs read it in."""
