"""A GitHub of our own for tests: stateful, served over HTTP, with repositories that are real git."""

from tests.support.github.faults import Fault
from tests.support.github.server import FakeGitHub

__all__ = ["FakeGitHub", "Fault"]
