"""One module per intention of a user; every function returns values and prints nothing."""
