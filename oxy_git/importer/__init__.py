"""Git commits to changes, in one pass (spec: git-bridge)."""
