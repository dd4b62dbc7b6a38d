"""What bookmarks hold, and how they stand to those of other repositories (spec: S55)."""

from collections import defaultdict
from collections.abc import Iterator
from oxy.typed import NamedTuple

from oxy.actions.bookmarks import DESCRIPTION, Held, held, others_on
from oxy.repo.headers import headers_of
from oxy.repo.refs import BOOKMARK, REMOTE, Ref, Target
from oxy.repo.repository import Repository
from oxy.repo.states import Name


class Against(NamedTuple):
    """How many changes a bookmark has that a remote's has not, and the other way round."""

    remote: bytes
    ahead: int
    behind: int


class Newest(NamedTuple):
    """The latest of the newest changes of a state: its id, time and message."""

    id: bytes
    microseconds: int
    message: bytes


class Holding(NamedTuple):
    """A bookmark with what it holds; nothing is the newest of the empty state.

    `workspaces` are the other working copies that are on it.
    """

    held: Held
    changes: int
    newest: Newest | None
    description: bytes
    remotes: tuple[Against, ...]
    workspaces: tuple[bytes, ...] = ()


def holdings(repository: Repository, kind: int = BOOKMARK) -> Iterator[Holding]:
    """Yield the bookmarks of this repository, or those of others, in order of their names.

    Cost: for each two states, and the headers of its heads.
    """
    remotes = _remotes(repository) if kind == BOOKMARK else {}
    members = repository.states.members
    for each in held(repository, kind):
        target = repository.refs.get(Ref(kind, each.name)) or Target(Name())
        own = members(target.state)
        against = []
        for remote, state in remotes.get(each.name, ()):
            theirs = members(state)
            against.append(Against(remote, len(own - theirs), len(theirs - own)))
        description = dict(target.extra).get(DESCRIPTION, b"")
        newest = newest_of(repository, target.state)
        others = others_on(repository, each.name) if kind == BOOKMARK else ()
        yield Holding(each, len(own), newest, description, tuple(against), others)


def newest_of(repository: Repository, state: Name) -> Newest | None:
    """Return the change that the log of a state lists first. Cost: the headers of its heads."""
    found = headers_of(repository.store, state.heads)
    rows = ((name, header.time.microseconds, header.message) for _, name, header in found)
    first = min(rows, key=lambda row: (-row[1], row[0]), default=None)
    return None if first is None else Newest(*first)


def _remotes(repository: Repository) -> dict[bytes, list[tuple[bytes, Name]]]:
    """Return, for each bookmark's name, the remotes that have one of it, and its state."""
    found: dict[bytes, list[tuple[bytes, Name]]] = defaultdict(list)
    for name, target in repository.refs.all(REMOTE):
        # A name may have an @ in it, and so may the path that stands for a remote.
        for at in (at for at, byte in enumerate(name) if byte == ord("@")):
            found[name[:at]].append((name[at + 1 :], target.state))
    return found
