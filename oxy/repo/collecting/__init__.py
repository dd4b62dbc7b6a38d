"""Letting go of what nothing reaches, and of what is kept twice (spec: store, ST29, ST30)."""
