"""Objects read through pipes to the user's own git (spec: git-bridge)."""
