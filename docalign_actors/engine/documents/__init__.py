"""Documents of every format, read into one model with exact positions."""
