"""Canonical bytes of the model: encoding, decoding, limits (spec: model). Pure."""
