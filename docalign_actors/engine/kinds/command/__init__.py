"""Commands, scripts and targets: how such a claim is found, judged and mended."""
