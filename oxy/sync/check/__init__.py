"""What a receiver checks of one object, beyond its encoding (spec: sync, SY13)."""
