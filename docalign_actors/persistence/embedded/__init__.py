"""The parts of the embedded PostgreSQL; `persistence/server.py` is their face."""
