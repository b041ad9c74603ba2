"""Reads facts out of source files and manifests: one collector a language and subject."""
