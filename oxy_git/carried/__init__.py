"""Changes of oxy in a Git repository, beside its branches (spec: git-bridge, GB49)."""
