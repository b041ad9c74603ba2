"""Links to headings and ids: how such a claim is found, judged and mended."""
