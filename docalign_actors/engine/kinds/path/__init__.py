"""Paths and links: how such a claim is found, judged and mended."""
