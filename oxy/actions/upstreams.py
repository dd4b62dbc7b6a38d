"""How one's own bookmarks stand to a remote's, as it was seen last (spec: sync, SY12, SY61)."""

from oxy.typed import NamedTuple

from oxy.actions.remotes import Remote, followers, tracked
from oxy.repo.refs import BOOKMARK, Ref
from oxy.repo.repository import Repository
from oxy.sync.tracking import remote_ref


class Standing(NamedTuple):
    """A bookmark of a remote's, or one that follows it.

    Attributes:
        name: what it is called, here and there.
        is_there: whether it was seen there.
        ahead: how many changes one's own has that it has not; None if there is no own one.
        behind: the other way round.
        follows: whether one's own follows it.
    """

    name: bytes
    is_there: bool
    ahead: int | None
    behind: int | None
    follows: bool


def standings(repository: Repository, remote: Remote) -> list[Standing]:
    """Return how bookmarks stand to those of a remote, in order of their names.

    Cost: two states for each; nobody is asked.
    """
    seen = tracked(repository, remote.name)
    following = {name for name, _ in followers(repository, remote.name)}
    return [
        _standing(repository, remote, name, follows=name in following)
        for name in sorted({*seen, *following})
    ]


def _standing(
    repository: Repository, remote: Remote, name: bytes, *, follows: bool
) -> Standing:
    own = repository.refs.get(Ref(BOOKMARK, name))
    theirs = repository.refs.get(remote_ref(name, remote.name))
    is_there = theirs is not None
    if own is None or theirs is None:
        return Standing(name, is_there, None, None, follows)
    ours, others = map(repository.states.members, (own.state, theirs.state))
    return Standing(name, is_there, len(ours - others), len(others - ours), follows)
