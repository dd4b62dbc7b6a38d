"""Working beside Git repositories elsewhere (spec: git-bridge, GB37)."""
