"""HTTP routes as frameworks register them, and the prefixes they hang under."""
