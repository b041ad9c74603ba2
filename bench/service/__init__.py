"""Measures the service, each figure beside what it is compared with, in one run."""
