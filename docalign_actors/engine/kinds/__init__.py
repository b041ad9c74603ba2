"""The kinds of claim: each module finds, judges and mends one kind."""
