"""What the last commits, or a change, took out of the code, and where documents still name it."""
