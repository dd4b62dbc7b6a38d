"""One module a verb: its arguments and its rendering, no more (spec: command-line)."""
