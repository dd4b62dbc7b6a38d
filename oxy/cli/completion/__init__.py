"""Completion of the words of a command line (spec: command-line, L38)."""
