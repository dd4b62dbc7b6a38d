"""Why two blames of one line differ, as far as the versions of the file tell.

What decides is the newer of the two commits that are blamed: one side holds that this commit
wrote the line, the other that it was there before. A line that two commits wrote, each without
it before, has two origins, and a merge of both had to choose.
"""

from collections import Counter
from collections.abc import Callable
from typing import Final, NamedTuple

from bench.measuring.gitblame import GitHistory

EQUAL: Final = "one of several equal lines"
MOVED: Final = "moved within the file"
RENAMED: Final = "renamed or copied file"
MERGED: Final = "written anew by a merge"
SIDES: Final = "written on two sides"
AGAIN: Final = "written again later"
REST: Final = "rest"
CAUSES: Final = (EQUAL, MOVED, RENAMED, MERGED, SIDES, AGAIN, REST)


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
    oxy, git = (
        _written(dispute.text, dispute.oxy, dispute.oxy_path, history),
        _written(dispute.text, dispute.git, dispute.git_path, history),
    )
    if history.is_ancestor(dispute.oxy, dispute.git):
        return _of_line(older=oxy, newer=git)
    if history.is_ancestor(dispute.git, dispute.oxy):
        return _of_line(older=git, newer=oxy)
    if max(oxy.most, git.most) > 1:
        return EQUAL
    return SIDES if oxy.is_new and git.is_new else REST


class _Written(NamedTuple):
    """What a commit has to do with a line.

    Attributes:
        had_file: whether a parent has the file, under the same path.
        had_line: whether a parent has such a line in it.
        is_merge: whether the commit is a merge.
        is_new: whether the line is there and no parent has it.
        most: how often the line is in the version that has it most often.
    """

    had_file: bool
    had_line: bool
    is_merge: bool
    is_new: bool
    most: int


def _written(text: bytes, commit: str, path: str, history: GitHistory) -> _Written:
    parents = history.parents[commit]
    versions = [lines for oid in parents if (lines := history.text(oid, path)) is not None]
    before = max((lines.count(text) for lines in versions), default=0)
    after = (history.text(commit, path) or []).count(text)
    is_new = after > 0 and not before
    return _Written(bool(versions), before > 0, len(parents) > 1, is_new, max(before, after))


def _of_line(*, older: _Written, newer: _Written) -> str:
    """Return the cause where one of the two commits is behind the other."""
    if not newer.had_file:
        return RENAMED
    if max(older.most, newer.most) > 1:
        return EQUAL
    if newer.is_merge:
        return MERGED
    if newer.had_line:
        return MOVED
    return AGAIN if older.is_new and newer.is_new else REST


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
