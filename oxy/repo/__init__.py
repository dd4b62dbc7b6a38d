"""Repositories: states, bookmarks, operation log, tree view, checks (spec: states)."""
