"""What of a Git repository is imported (spec: git-bridge, GB25, GB40, GB45)."""

from collections.abc import Callable, Iterable, Sequence
from typing import Final, NamedTuple

from oxy.errors import RequestError
from oxy_git.reader.git import Git
from oxy_git.reader.stream import Listed, list_commits


class PartialHereError(RequestError):
    """A commit that is to be imported whole is here without all that it has."""

    def __init__(self, commit: bytes) -> None:
        super().__init__(
            f"commit {commit.hex()} was imported here without all that it has, "
            "which no whole import mixes with"
        )
        self.commit = commit


class Terms(NamedTuple):
    """What a user wants.

    Attributes:
        branches: only these, and the tags, where either is given.
        tags: likewise.
        since: only commits that were committed at this time or later, in seconds.
        depth: only so many generations of commits from each ref.
        first_parent: only the first parent of each merge.
        allows_missing: whether a file whose blob is missing is passed over.
        limit: at most so many commits, parents first.
    """

    branches: tuple[bytes, ...] = ()
    tags: tuple[bytes, ...] = ()
    since: int | None = None
    depth: int | None = None
    first_parent: bool = False
    allows_missing: bool = False
    limit: int | None = None

    @property
    def is_whole(self) -> bool:
        """Whether every commit is imported with all that it has."""
        is_cut = self.first_parent or self.depth is not None or self.since is not None
        return not is_cut and not self.allows_missing

    @property
    def takes_all(self) -> bool:
        """Whether all branches and tags are wanted."""
        return not self.branches and not self.tags


WHOLE: Final = Terms()


def listed_by(
    git: Git, terms: Terms, tips: Sequence[bytes], is_known: Callable[[bytes], bool]
) -> list[Listed]:
    """Return the commits that are wanted, parents before children.

    Args:
        git: where they are.
        terms: which are wanted.
        tips: the commits of refs.
        is_known: tells whether a commit is imported already; it can be a parent then, though
            it is not wanted.
    """
    since = () if terms.since is None else (f"--max-age={terms.since}",)
    listed = list_commits(git, tips, (), *since)
    if not terms.is_whole:
        listed = _rooted(git, list(_cut(listed, terms, tips, is_known)))
    return listed[: terms.limit]


def _cut(
    listed: Sequence[Listed],
    terms: Terms,
    tips: Iterable[bytes],
    is_known: Callable[[bytes], bool],
) -> Iterable[Listed]:
    """Yield the commits that are wanted, each without the parents that it will lack."""
    followed = {
        item.oid: item.parents[:1] if terms.first_parent else item.parents for item in listed
    }
    wanted = _within(followed, terms.depth, tips)
    for oid, parents, *_ in listed:
        if oid in wanted:
            kept = [one for one in followed[oid] if one in wanted or is_known(one)]
            yield Listed(oid, tuple(kept), tuple(one for one in parents if one not in kept))


def _within(
    followed: dict[bytes, tuple[bytes, ...]], depth: int | None, tips: Iterable[bytes]
) -> set[bytes]:
    """Return the commits that are so many generations from a tip at most."""
    near = [tip for tip in tips if tip in followed]
    found = set(near)
    while near and (depth is None or depth > 1):
        depth = None if depth is None else depth - 1
        further = {parent for oid in near for parent in followed[oid] if parent in followed}
        near = list(further - found)
        found.update(near)
    return found


def _rooted(git: Git, listed: list[Listed]) -> list[Listed]:
    """Return commits that lack all their parents with their trees: they begin a history."""
    roots = [item.oid for item in listed if item.lacks and not item.parents]
    data = b"".join(b"%s^{tree}\n" % oid.hex().encode() for oid in roots)
    said = (
        git.run("cat-file", "--batch-check=%(objectname)", data=data).split() if roots else ()
    )
    trees = {
        oid: bytes.fromhex(line.decode("ascii")) for oid, line in zip(roots, said, strict=True)
    }
    return [item._replace(tree=trees.get(item.oid, b"")) for item in listed]
