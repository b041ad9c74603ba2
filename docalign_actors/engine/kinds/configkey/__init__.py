"""Configuration keys: how such a claim is found, judged and mended."""
