"""A commit that an earlier import recorded, as parent of new ones (spec: git-bridge, GB24)."""

from collections.abc import Callable
from typing import Final

from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.tree import Directory, edited, files
from oxy.repo.trees import tree_of
from oxy_git.reader.git import Git
from oxy_git.reader.trees import below

_TREE: Final = b"tree"


def recalled(repository: Repository, git: Git, oid: bytes, name: Name) -> Directory:
    """Return the tree of a state that Git has as a commit, with Git's ids.

    Cost: the whole tree; only commits that new ones begin at are recalled.
    """
    said = git.run("ls-tree", "-r", "-t", "-z", oid.hex())
    root_id = git.run("rev-parse", oid.hex() + "^{tree}").strip()
    blobs: dict[bytes, bytes] = {}
    trees = {b"": bytes.fromhex(root_id.decode("ascii"))}
    for line in said.split(b"\0")[:-1]:
        head, _, path = line.partition(b"\t")
        _, kind, found = head.split(b" ")
        # An odd tree may have a name twice: the first counts.
        (trees if kind == _TREE else blobs).setdefault(path, bytes.fromhex(found.decode()))
    return adopted(tree_of(repository, name), blobs.__getitem__, trees.__getitem__)


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
