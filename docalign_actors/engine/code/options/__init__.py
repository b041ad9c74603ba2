"""Command-line options and sub-commands, as parsers register them."""
