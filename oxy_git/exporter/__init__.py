"""Changes out to Git (spec: git-bridge, GB33 to GB36)."""
