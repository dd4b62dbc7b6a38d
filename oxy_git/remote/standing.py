"""How one's bookmarks and the branches of Git remotes stand to each other (spec: GB55)."""

from collections.abc import Iterator
from typing import NamedTuple

from oxy.repo.refs import BOOKMARK, REMOTE, Ref
from oxy.repo.repository import Repository
from oxy.repo.tree import disputed
from oxy.repo.trees import tree_of
from oxy_git.remote.address import GitRemote, remotes


class Standing(NamedTuple):
    """A bookmark and the branch of its name, as that was last seen.

    Attributes:
        remote: whose branch.
        name: what both are called.
        is_here: whether there is the bookmark.
        is_there: whether there is the branch.
        ahead: changes that only the bookmark has.
        behind: changes that only the branch has.
        conflicts: files that are in conflict in the bookmark, so that it cannot be pushed.
    """

    remote: GitRemote
    name: bytes
    is_here: bool
    is_there: bool
    ahead: int
    behind: int
    conflicts: int


def standings(repository: Repository) -> Iterator[Standing]:
    """Yield how each bookmark and each branch stand, by remote and name. Nobody is asked.

    Cost: the difference of the states; the trees of bookmarks that are ahead.
    """
    own = dict(repository.refs.all(BOOKMARK))
    there = dict(repository.refs.all(REMOTE))
    members = repository.states.members
    for remote in remotes(repository):
        end = b"@" + remote.name
        seen = {name.removesuffix(end): at for name, at in there.items() if name.endswith(end)}
        for name in sorted(own.keys() | seen.keys()):
            ours, theirs = own.get(name), seen.get(name)
            mine = members(ours.state) if ours else None
            other = members(theirs.state) if theirs else None
            ahead = len(mine - other if mine and other else mine or ())
            behind = len(other - mine if mine and other else other or ())
            conflicts = _conflicts(repository, name) if ours and ahead else 0
            is_there, is_here = theirs is not None, ours is not None
            yield Standing(remote, name, is_here, is_there, ahead, behind, conflicts)


def _conflicts(repository: Repository, name: bytes) -> int:
    held = repository.refs.get(Ref(BOOKMARK, name))
    return 0 if held is None else sum(1 for _ in disputed(tree_of(repository, held.state)))
