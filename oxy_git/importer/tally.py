"""What an import has met, for its summary (spec: git-bridge, GB28)."""


class Tally:
    """Counts, and the paths that were withheld with the rule that each breaks."""

    __slots__ = (
        "commits",
        "files",
        "merges",
        "missing",
        "raw_trees",
        "received",
        "recognised",
        "renames",
        "strangers",
        "withheld",
    )

    def __init__(self) -> None:
        self.commits = 0
        self.merges = 0
        self.files = 0
        self.renames = 0
        self.raw_trees = 0
        self.recognised = 0
        """Commits that stand for states that are here."""
        self.received = 0
        """Changes of oxy that the Git repository carried, and that came with it."""
        self.strangers = 0
        """Commits that say they are oxy's and are no such; they were imported."""
        self.withheld: dict[bytes, str] = {}
        self.missing: dict[bytes, bytes] = {}
        """Paths of files that the Git repository does not have, with the last blob's id."""

    def withhold(self, path: bytes, rule: str) -> None:
        """Count a path that is not taken."""
        self.withheld[path] = rule
