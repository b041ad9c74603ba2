"""Names of code: how such a claim is found, judged and mended."""
