"""Which directories were moved whole, told from their files (spec: names, N44). Pure."""

from collections.abc import Iterator, Mapping, Sequence

from oxy.repo.tree import DISPUTED_DIRECTORY, Directory, files, subtree
from oxy.worktree.snapshot import Changed


def moved_whole(changes: Sequence[Changed], tree: Directory) -> dict[bytes, bytes]:
    """Return the new path of each directory that was moved with everything below it.

    Of directories that lie in each other it is the outermost. Each file below has to be found
    again under the same name below one new path, at which there was nothing before.

    Args:
        changes: what differs from the base state, renames found.
        tree: the base state.

    Cost: the files below directories out of which one was moved.
    """
    sources = {c.source: c.path for c in changes if c.source is not None}
    found: dict[bytes, bytes] = {}
    tried: set[tuple[bytes, bytes]] = set()
    for old, new in sorted(sources.items()):
        for pair in _candidates(old, new):
            if pair[0] in found:
                break
            if pair not in tried:
                tried.add(pair)
                if _is_moved(*pair, sources, tree):
                    found[pair[0]] = pair[1]
                    break
    return found


def is_carried(change: Changed, moved: Mapping[bytes, bytes]) -> bool:
    """Return whether a renamed file is where it is because a directory was moved."""
    return change.source is not None and any(
        moved.get(old) == new for old, new in _candidates(change.source, change.path)
    )


def _candidates(old: bytes, new: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield the directories that may have been moved if a file was, the outermost first."""
    before, after = old.split(b"/"), new.split(b"/")
    alike = 0
    while alike < min(len(before), len(after)) and before[-1 - alike] == after[-1 - alike]:
        alike += 1
    for size in range(alike, 0, -1):
        pair = b"/".join(before[:-size]), b"/".join(after[:-size])
        if all(pair):
            yield pair


def _is_moved(old: bytes, new: bytes, sources: dict[bytes, bytes], tree: Directory) -> bool:
    below = subtree(tree, old)
    if not isinstance(below, Directory) or subtree(tree, new) is not None:
        return False
    if new.startswith(old + b"/"):
        return False
    return all(
        sources.get(old + b"/" + path) == new + b"/" + path
        and not entry.disputed & ~DISPUTED_DIRECTORY
        for path, entry in files(below)
    )
