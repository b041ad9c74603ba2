"""Defaults and ports: how such a claim is found, judged and mended."""
