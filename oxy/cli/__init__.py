"""The command line: parsing, rendering for people and as JSON (spec: command-line)."""
