"""Code blocks that do not parse: how such a claim is found, judged and mended."""
