"""Exchange of sets between repositories, whatever carries it (spec: sync)."""
