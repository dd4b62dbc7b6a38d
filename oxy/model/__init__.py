"""Identities and values of the model: ids, changes, operations (spec: model). Pure."""
