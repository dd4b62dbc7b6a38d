"""Durable objects and their index: segments, database, memory twin (spec: store)."""
