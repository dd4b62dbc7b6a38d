"""The threshold bench: one repository, built a commit at a time, and what every step takes."""
