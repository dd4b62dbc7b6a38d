"""The working copy: walk, ignore rules, manifest, snapshot, checkout (spec: working-copy)."""
