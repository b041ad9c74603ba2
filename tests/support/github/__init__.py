"""The service around the GitHub of our own that `docalign_actors.demo.github` is."""

from docalign_actors.demo.github import FakeGitHub, Fault

__all__ = ["FakeGitHub", "Fault"]
