"""The same work on oxy and its peers, in turn, as whole processes."""
