"""The verbs under `oxy git`: their arguments and their rendering (spec: git-bridge)."""
