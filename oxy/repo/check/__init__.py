"""The parts of fsck: objects, references, rows, caches (spec: store, ST26)."""
