"""Changes recorded in place of others, and all that follow from it (spec: states, S12)."""
