"""What verifying found (spec: git-bridge, GB29, GB30)."""

from typing import NamedTuple


class Mismatch(NamedTuple):
    """The first thing of a commit that is not as Git has it.

    `path` is empty where it is the commit itself: its id, or its parents. Only the commit's
    tree id is known here, so where that is all that does not fit, `others` says how many more
    of the files that the commit touched may be the one.
    """

    commit: bytes
    path: bytes
    what: str
    others: int = 0


class Verification(NamedTuple):
    """Counts, and what did not fit.

    Attributes:
        commits: commits whose tree and id were worked out again.
        trees: directories that were hashed.
        raw_trees: those of them whose writing had to be kept.
        files: files whose bytes were worked out and hashed.
        mismatches: one for each commit or tag that is not as Git has it.
        missing: blobs that were missing when they were to be imported.
        cut: commits that were imported without one of their parents.
        tags: tag objects, and other objects that are kept with refs.
        imported: how many commits there are, verified or not.
    """

    commits: int
    trees: int
    raw_trees: int
    files: int
    mismatches: tuple[Mismatch, ...]
    missing: int = 0
    cut: int = 0
    tags: int = 0
    imported: int = 0
