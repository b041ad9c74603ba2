"""Finds the checkable claims in documentation and judges each against the code. Pure: no database, network or actors."""
