"""Where repositories live. Each host offers the same ports to the rest of the product."""
