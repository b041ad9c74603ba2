"""DocAlign Actors: keeps a repository's documentation true."""

__version__ = "0.1.0"
