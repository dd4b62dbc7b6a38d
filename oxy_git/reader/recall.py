"""A commit that an earlier import recorded, as parent of new ones (spec: git-bridge, GB24)."""

from collections.abc import Callable
from functools import partial

from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.tree import Child, Directory, edited, files
from oxy.repo.trees import tree_of
from oxy_git.reader.commit import parse
from oxy_git.reader.trees import below, entries_of


def recalled(
    repository: Repository,
    oid: bytes,
    name: Name,
    read: Callable[[bytes], bytes],
    *,
    is_clean: bool = False,
) -> Directory:
    """Return the tree of a state that Git has as a commit, with Git's ids.

    Args:
        repository: where the state is.
        oid: the commit.
        name: the state.
        read: reads an object of Git, for as long as the tree is looked at.
        is_clean: whether it became a change, so that no text of it is in conflict (GB15).

    Cost: the directories that are looked into, when they are.
    """
    tree = tree_of(repository, name, is_clean=is_clean)
    return _with_ids(tree, parse(read(oid)).tree, read)


def _with_ids(own: Directory, tree: bytes, read: Callable[[bytes], bytes]) -> Directory:
    load = partial(_entries, own, tree, read)
    directory = Directory(None, own.saved, load, disputed=own.disputed)
    directory.mark = tree
    return directory


def _entries(own: Directory, tree: bytes, read: Callable[[bytes], bytes]) -> dict[bytes, Child]:
    ids: dict[bytes, bytes] = {}
    for entry in entries_of(read(tree)):
        # An odd tree may have a name twice: the first counts.
        ids.setdefault(entry.name, entry.oid)
    return {
        name: _with_ids(child, ids[name], read)
        if isinstance(child, Directory)
        else child._replace(digest=ids[name])
        for name, child in own.entries.items()
    }


def adopted(
    root: Directory, blob: Callable[[bytes], bytes], tree: Callable[[bytes], bytes]
) -> Directory:
    """Return a tree of oxy's with Git's ids, which are told by path. Cost: the whole tree."""
    root = edited(root, {at: entry._replace(digest=blob(at)) for at, entry in files(root)})
    _mark(root, tree)
    return root


def _mark(root: Directory, tree: Callable[[bytes], bytes]) -> None:
    stack = [(b"", root)]
    while stack:
        above, directory = stack.pop()
        directory.mark = tree(above)
        for name, child in directory.entries.items():
            if isinstance(child, Directory):
                stack.append((below(above, name), child))
