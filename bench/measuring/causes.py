"""Why two blames of one line differ, as far as the versions of the file tell.

What decides is the newer of the two commits that are blamed: one side holds that this commit
wrote the line, the other that it was there before.
"""

from collections import Counter
from collections.abc import Callable
from typing import Final, NamedTuple

from bench.measuring.gitblame import GitHistory

EQUAL: Final = "one of several equal lines"
MOVED: Final = "moved within the file"
RENAMED: Final = "renamed or copied file"
MERGED: Final = "merge resolution"
SIDES: Final = "written on two sides"
RESTORED: Final = "gone and back"
REST: Final = "rest"
CAUSES: Final = (EQUAL, MOVED, RENAMED, MERGED, SIDES, RESTORED, REST)


class Dispute(NamedTuple):
    """A line that is blamed on two commits.

    Attributes:
        at: the commit whose file is looked at.
        path: the file.
        number: of the line, from 1.
        text: of the line.
        oxy: the commit that oxy blames.
        oxy_path: what the file was called there, as oxy has it.
        git: the commit that git blames.
        git_path: what the file was called there, as git has it.
    """

    at: str
    path: str
    number: int
    text: bytes
    oxy: str
    oxy_path: str
    git: str
    git_path: str


def cause_of(dispute: Dispute, history: GitHistory) -> str:
    """Return the cause of a dispute, one of `CAUSES`."""
    oxy_first = history.is_ancestor(dispute.oxy, dispute.git)
    if not oxy_first and not history.is_ancestor(dispute.git, dispute.oxy):
        return _of_sides(dispute, history)
    newer, path = (
        (dispute.git, dispute.git_path) if oxy_first else (dispute.oxy, dispute.oxy_path)
    )
    parents = history.parents[newer]
    before = [text for oid in parents if (text := history.text(oid, path)) is not None]
    if not before:
        return RENAMED
    after = history.text(newer, path) or []
    return _of_versions(dispute, before, after, is_merge=len(parents) > 1, oxy_first=oxy_first)


def _of_versions(
    dispute: Dispute,
    before: list[list[bytes]],
    after: list[bytes],
    *,
    is_merge: bool,
    oxy_first: bool,
) -> str:
    counts = [text.count(dispute.text) for text in [*before, after]]
    if max(counts) > 1:
        return EQUAL
    if is_merge:
        return MERGED
    if counts[0]:
        return MOVED
    return RESTORED if oxy_first else REST


def _of_sides(dispute: Dispute, history: GitHistory) -> str:
    versions = [
        history.text(dispute.oxy, dispute.oxy_path) or [],
        history.text(dispute.git, dispute.git_path) or [],
    ]
    if max(text.count(dispute.text) for text in versions) > 1:
        return EQUAL
    return SIDES


class Sorted:
    """Disputes by cause, with some examples of each."""

    def __init__(self, cause: Callable[[Dispute], str], examples: int) -> None:
        self._cause = cause
        self._examples = examples
        self.counts: Counter[str] = Counter()
        self.examples: dict[str, list[Dispute]] = {}

    def add(self, dispute: Dispute) -> None:
        """Sort one dispute in; of each pair of commits one line is an example."""
        cause = self._cause(dispute)
        self.counts[cause] += 1
        kept = self.examples.setdefault(cause, [])
        pairs = {(other.path, other.oxy, other.git) for other in kept}
        if len(kept) < self._examples and (dispute.path, dispute.oxy, dispute.git) not in pairs:
            kept.append(dispute)
