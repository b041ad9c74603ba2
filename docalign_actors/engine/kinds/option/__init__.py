"""Command-line options: how such a claim is found, judged and mended."""
