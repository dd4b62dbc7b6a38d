"""Why two blames of one line differ, as far as the versions of the file tell.

What decides is the newer of the two commits that are blamed: one side holds that this commit
wrote the line, the other that it was there before. A line that two commits wrote, each without
it before, has two origins, and a merge of both had to choose. To git a last line without LF and
the same line with LF are two lines; to oxy they are one.
"""

from collections import Counter
from collections.abc import Callable
from typing import Final, NamedTuple

from bench.measuring.gitblame import GitHistory

EQUAL: Final = "one of several equal lines"
FINAL_LF: Final = "final LF came or went"
MOVED: Final = "moved within the file"
RENAMED: Final = "renamed or copied file"
MERGED: Final = "written anew by a merge"
SIDES: Final = "written on two sides"
AGAIN: Final = "written again later"
REST: Final = "rest"
CAUSES: Final = (EQUAL, FINAL_LF, MOVED, RENAMED, MERGED, SIDES, AGAIN, REST)


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
        is_open: whether some version ends in this line, without a final LF.
    """

    had_file: bool
    had_line: bool
    is_merge: bool
    is_new: bool
    most: int
    is_open: bool


def _written(text: bytes, commit: str, path: str, history: GitHistory) -> _Written:
    parents = history.parents[commit]
    old = [lines for oid in parents if (lines := history.text(oid, path)) is not None]
    new = history.text(commit, path) or []
    before, after = max((lines.count(text) for lines in old), default=0), new.count(text)
    return _Written(
        had_file=bool(old),
        had_line=before > 0,
        is_merge=len(parents) > 1,
        is_new=after > 0 and not before,
        most=max(before, after),
        is_open=bool(text) and any(lines[-1:] == [text] for lines in [*old, new]),
    )


def _of_line(*, older: _Written, newer: _Written) -> str:
    """Return the cause where one of the two commits is behind the other."""
    if not newer.had_file:
        return RENAMED
    if newer.is_open:
        return FINAL_LF
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
