"""One page of any set of results: what was measured, how it grows, what is over its limits."""
