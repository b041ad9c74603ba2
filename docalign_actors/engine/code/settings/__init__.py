"""Environment variables, configuration keys, settings classes and their defaults."""
