"""oxy: version control in which texts are graphs of lines, history a set of changes."""

__version__ = "0.1.0"
