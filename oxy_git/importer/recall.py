"""A commit that an earlier import recorded, as parent of new ones (spec: git-bridge, GB24)."""

from typing import Final

from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.tree import Directory, edited, files
from oxy.repo.trees import tree_of
from oxy_git.importer.union import Known
from oxy_git.reader.git import Git
from oxy_git.reader.trees import below

_TREE: Final = b"tree"


def recalled(repository: Repository, git: Git, oid: bytes, change: int) -> Known:
    """Return what is known of a commit, its tree with Git's ids.

    Cost: its whole tree; only commits that new ones begin at are recalled.
    """
    said = git.run("ls-tree", "-r", "-t", "-z", oid.hex())
    root_id = git.run("rev-parse", oid.hex() + "^{tree}").strip()
    blobs: dict[bytes, bytes] = {}
    trees = {b"": bytes.fromhex(root_id.decode("ascii"))}
    for line in said.split(b"\0")[:-1]:
        head, _, path = line.partition(b"\t")
        _, kind, name = head.split(b" ")
        # An odd tree may have a name twice: the first counts.
        (trees if kind == _TREE else blobs).setdefault(path, bytes.fromhex(name.decode()))
    tree = tree_of(repository, Name((change,)))
    tree = edited(
        tree, {path: entry._replace(digest=blobs[path]) for path, entry in files(tree)}
    )
    _mark(tree, trees)
    return Known(change, tree)


def _mark(root: Directory, ids: dict[bytes, bytes]) -> None:
    stack = [(b"", root)]
    while stack:
        above, directory = stack.pop()
        directory.mark = ids[above]
        for name, child in directory.entries.items():
            if isinstance(child, Directory):
                stack.append((below(above, name), child))
