"""A GitHub of our own: stateful, served over HTTP, with repositories that are real git. The demo shows it, tests torment it."""

from docalign_actors.demo.github.faults import Fault
from docalign_actors.demo.github.server import FakeGitHub

__all__ = ["FakeGitHub", "Fault"]
