"""Repositories of oxy and Git in one directory, kept in step (spec: git-bridge, GB60)."""
