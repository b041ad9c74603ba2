"""A process that does nothing until its standard input closes."""

import sys

sys.stdin.buffer.read()
