"""oxy: version control in which text files are graphs of lines and history is a set of changes."""

__version__ = "0.1.0"
