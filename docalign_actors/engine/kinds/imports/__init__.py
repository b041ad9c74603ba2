"""Imports in examples: how such a claim is found, judged and mended."""
