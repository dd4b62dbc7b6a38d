"""Identities and values of the model: digests, changes, operations, nodes (spec: model). Pure."""
