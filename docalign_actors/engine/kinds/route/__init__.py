"""HTTP routes: how such a claim is found, judged and mended."""
