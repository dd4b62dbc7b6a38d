"""What do opening a repository, bookmarks, their transactions and their log cost, beside git?

A bookmark is moved with a record in the operation log, as every command does, and without one,
as nothing does: the row tells what the record costs. Both sides are durable (`safe`,
core.fsync=all), git with and without a reflog. git's refs are packed where there are many.
Does not show: what a command does before and after.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from fnmatch import fnmatchcase
from functools import partial
from itertools import count
from typing import Final

from bench.measuring.operation import Arm, Case, Place, Setting, run_cases
from bench.measuring.record import LIBRARY
from bench.measuring.source import git
from bench.operations.histgit import repository
from bench.operations.histories import linear
from oxy.actions.naming import resolve
from oxy.actions.oplog import operations
from oxy.repo.operations import Move, Operation, encode_operation, operation_id
from oxy.repo.refs import BOOKMARK, Ref, Target, set_ref
from oxy.repo.repository import Repository, opened
from oxy.repo.states import Name
from oxy.repo.writing import Stamp, writing
from oxy.store.protocol import OPERATION
from tests.builders.scribe import File, Scribe

MANY: Final = (10, 10_000)
TOGETHER: Final = 32
STAMP: Final = Stamp(1, 0, b"bench", b"bench")
SAFE: Final = ("-c", "core.fsync=all", "-c", "core.logAllRefUpdates=true")
UNLOGGED: Final = ("-c", "core.fsync=all", "-c", "core.logAllRefUpdates=false")
_AGAIN: Final = 1_000


class Names:
    """A repository of each system with two commits and some bookmarks."""

    def __init__(self, top: str, many: int) -> None:
        self.git = os.path.join(top, "git")
        self.ids = repository(self.git, linear(2))
        self.root = os.path.join(top, "oxy")
        os.makedirs(self.root)
        self.oxy = Repository.create(os.fsencode(self.root))
        scribe = Scribe(self.oxy)
        first = Name((scribe.commit(Name(), {b"a": File(b"0\n")}).number,))
        self.states = (first, Name((scribe.commit(first, {b"a": File(b"1\n")}).number,)))
        self.names = [b"topic/%05d" % number for number in range(many)]
        with self.oxy.store.transaction() as transaction:
            for name in self.names:
                set_ref(transaction, Ref(BOOKMARK, name), Target(first))
        lines = "".join(
            f"create refs/heads/{each.decode()} {self.ids[0]}\n" for each in self.names
        )
        git(self.git, "update-ref", "--stdin", data=lines.encode())
        git(self.git, "pack-refs", "--all")
        self._turn = count(1)

    def move(self, names: Sequence[bytes]) -> None:
        """Move bookmarks in one transaction that the operation log has."""
        state = self.states[next(self._turn) % 2]
        with writing(self.oxy, STAMP) as work:
            for name in names:
                work.move(Ref(BOOKMARK, name), Target(state))

    def move_unlogged(self, names: Sequence[bytes]) -> None:
        """Move them in one transaction that nothing tells of."""
        state = self.states[next(self._turn) % 2]
        with self.oxy.store.transaction() as transaction:
            for name in names:
                set_ref(transaction, Ref(BOOKMARK, name), Target(state))

    def move_git(self, names: Sequence[bytes], options: Sequence[str]) -> None:
        """Move branches in one transaction."""
        name = self.ids[next(self._turn) % 2]
        lines = "".join(f"update refs/heads/{each.decode()} {name}\n" for each in names)
        git(self.git, *options, "update-ref", "--create-reflog", "--stdin", data=lines.encode())

    def add(self, name: bytes) -> None:
        """Make a bookmark and a branch that are to be deleted."""
        with writing(self.oxy, STAMP, "fast") as work:
            work.move(Ref(BOOKMARK, name), Target(self.states[0]))
        git(self.git, "update-ref", f"refs/heads/{name.decode()}", self.ids[0])

    def delete(self, name: bytes) -> None:
        """Delete a bookmark."""
        with writing(self.oxy, STAMP) as work:
            work.move(Ref(BOOKMARK, name), None)

    def listed(self) -> int:
        """Return how many bookmarks there are, each with what it holds."""
        return sum(1 for _ in self.oxy.refs.all(BOOKMARK))

    def matching(self, pattern: bytes) -> list[bytes]:
        """Return the bookmarks that fit a pattern."""
        return [each for each in self.oxy.refs.names(BOOKMARK) if fnmatchcase(each, pattern)]


def opening(place: Place) -> Iterator[Setting]:
    """Yield opening a repository and closing it."""
    names = Names(place.top, 1)

    def work() -> None:
        with opened(os.fsencode(names.root)):
            pass

    theirs = partial(git, names.git, "rev-parse", "--git-dir")
    yield Setting("open a repository", "small", {}, {LIBRARY: Arm(work), "git": Arm(theirs)})


def reading(place: Place) -> Iterator[Setting]:
    """Yield reading a bookmark, and resolving what it is called."""
    names = Names(place.top, 10)
    name = names.names[3]
    told = name.decode()
    works: dict[str, tuple[Callable[[], object], Callable[[], object]]] = {
        "read a bookmark": (
            lambda: names.oxy.refs.get(Ref(BOOKMARK, name)),
            partial(git, names.git, "rev-parse", f"refs/heads/{told}"),
        ),
        "resolve a name": (
            partial(resolve, names.oxy, name),
            partial(git, names.git, "rev-parse", told),
        ),
        "resolve a prefix of an id": (
            partial(resolve, names.oxy, names.oxy.store.id_of(1, 1)[:5].hex().encode()),
            partial(git, names.git, "rev-parse", names.ids[0][:10]),
        ),
    }
    for operation, (one, other) in works.items():
        yield Setting(operation, "", {"bookmarks": 10}, {LIBRARY: Arm(one), "git": Arm(other)})


def updating(place: Place) -> Iterator[Setting]:
    """Yield moving one bookmark and many in a transaction, with and without a record."""
    names = Names(place.top, TOGETHER)
    for size in (1, TOGETHER):
        some = names.names[:size]
        arms = {
            LIBRARY: Arm(partial(names.move, some), nothing),
            "library, no record": Arm(partial(names.move_unlogged, some), nothing),
            "git": Arm(partial(names.move_git, some, SAFE), nothing),
            "git, no reflog": Arm(partial(names.move_git, some, UNLOGGED), nothing),
        }

        def check(some: Sequence[bytes] = some) -> None:
            names.move(some)
            found = {names.oxy.refs.get(Ref(BOOKMARK, each)) for each in some}
            assert len(found) == 1

        yield Setting("move bookmarks in one transaction", "", {"moved": size}, arms, check)


def nothing() -> None:
    """Have the work done once a sample: each time writes."""


def many(place: Place) -> Iterator[Setting]:
    """Yield listing, matching and deleting among few bookmarks and among many."""
    for full in MANY:
        size = place.share(full, 10 + full // _AGAIN)
        names = Names(place.path(f"{full}"), size)
        sizes = {"bookmarks": size}
        listed = partial(git, names.git, "for-each-ref", "--format=%(refname) %(objectname)")
        arms = {
            LIBRARY: Arm(names.listed),
            "git": Arm(partial(listed, "refs/heads/")),
        }
        yield Setting("list bookmarks", "", sizes, arms)
        arms = {
            LIBRARY: Arm(partial(names.matching, b"topic/*7")),
            "git": Arm(partial(listed, "refs/heads/topic/*7")),
        }
        yield Setting("match bookmarks", "topic/*7", sizes, arms, partial(_matches, names))
        arms = {
            LIBRARY: Arm(partial(names.delete, b"gone"), partial(names.add, b"gone")),
            "git": Arm(
                partial(git, names.git, *SAFE, "update-ref", "-d", "refs/heads/gone"),
                partial(names.add, b"gone"),
            ),
        }
        yield Setting("delete a bookmark", "", sizes, arms)
        names.oxy.close()


def _matches(names: Names) -> None:
    found = names.matching(b"topic/*7")
    told = git(names.git, "for-each-ref", "--format=%(refname:short)", "refs/heads/topic/*7")
    assert sorted(told.split()) == sorted(found)


def logs(place: Place) -> Iterator[Setting]:
    """Yield reading operation logs, short and long, beside a reflog of as many entries."""
    for full in MANY:
        size = place.share(full, 10 + full // _AGAIN)
        names = Names(place.path(f"{full}"), 1)
        _grow(names, size)
        read = partial(_read, names.oxy, size)
        theirs = partial(git, names.git, "reflog", "show", "--format=%H %gs", "main")
        assert len(theirs().splitlines()) == size
        arms = {LIBRARY: Arm(read), "git": Arm(theirs)}
        yield Setting("read the operation log", "", {"operations": size}, arms)
        names.oxy.close()


def _read(oxy: Repository, size: int) -> None:
    assert sum(1 for _ in operations(oxy, size)) == size


def _grow(names: Names, size: int) -> None:
    """Append operations in one transaction, and lines to a reflog."""
    sides = [Target(state) for state in names.states]
    with names.oxy.store.transaction("fast") as transaction:
        for at in range(size):
            move = Move(Ref(BOOKMARK, b"main"), sides[at % 2], sides[(at + 1) % 2])
            operation = Operation(at, 0, b"bench", b"move", None, (move,))
            payload = encode_operation(transaction, operation)
            transaction.append(OPERATION, operation_id(payload), payload)
    path = os.path.join(names.git, "logs", "refs", "heads", "main")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="ascii") as file:
        for at in range(size):
            old, new = names.ids[at % 2], names.ids[(at + 1) % 2]
            file.write(f"{old} {new} Bench <bench@example.org> {at + 1} +0000\tmove\n")


CASES: Final = (
    Case("opening", opening),
    Case("reading", reading),
    Case("updating", updating),
    Case("many", many),
    Case("logs", logs),
)


def main() -> None:
    """Print a row for each."""
    run_cases("naming", __doc__, CASES)


if __name__ == "__main__":
    main()
