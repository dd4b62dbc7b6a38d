"""The Git bridge: import, verify (spec: git-bridge)."""
