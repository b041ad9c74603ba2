"""The kinds of claim: each package, or module, finds, judges and mends one kind."""
