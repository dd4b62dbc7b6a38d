"""Two texts to edits: trimming, anchors, refinement, similarity. Pure."""
