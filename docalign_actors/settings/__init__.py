"""The service's settings: defaults < TOML file < environment < flags."""

from docalign_actors.settings.kinds import Secret, SecretUrl
from docalign_actors.settings.loading import Loaded, load
from docalign_actors.settings.model import Settings

__all__ = ["Loaded", "Secret", "SecretUrl", "Settings", "load"]
