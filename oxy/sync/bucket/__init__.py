"""A repository in a store of objects, shared without a server (spec: sync, SY22 to SY26)."""
