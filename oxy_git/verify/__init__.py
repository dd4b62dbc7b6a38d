"""Every imported commit's tree id, computed again from states (spec: git-bridge)."""
