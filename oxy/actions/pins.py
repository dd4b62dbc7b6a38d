"""What a subrepo is pinned to, and where a state has some (spec: working-copy, W50, W51)."""

import os
from collections.abc import Iterator
from oxy.typed import Final, NamedTuple

from oxy.model.digest import DIGEST_SIZE
from oxy.model.operation import KIND_SUBREPO, PIN
from oxy.repo.place import CONTROL
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.tables import GIT, number
from oxy.repo.tree import Entry, files
from oxy.repo.trees import tree_of
from oxy.store.protocol import CHANGE

_OXY: Final = b"oxy:"
_GIT: Final = b"git:"
_AND: Final = b"+"
_WITHOUT: Final = b"-"


class Pinned(NamedTuple):
    """A subrepo of a state: where it is, its entry, and the pin that shows."""

    path: bytes
    entry: Entry
    pin: bytes


def pin_of(repository: Repository, state: Name) -> bytes:
    """Return the pin that names a state of a repository by ids."""
    heads, absent = (
        sorted(name.hex().encode() for name in repository.store.ids_of(CHANGE, part))
        for part in state
    )
    return _OXY + _AND.join(heads) + b"".join(_WITHOUT + name for name in absent)


def state_of(repository: Repository, pin: bytes) -> Name | None:
    """Return the state of a repository that a pin names, or None if it does not have it."""
    if pin.startswith(_GIT):
        return _of_commit(repository, pin.removeprefix(_GIT))
    if not pin.startswith(_OXY):
        return None
    heads, *absent = pin.removeprefix(_OXY).split(_WITHOUT)
    parts = [_numbers(repository, part) for part in (heads.split(_AND), absent)]
    if None in parts or not parts[0]:
        return None
    return Name(*(part for part in parts if part is not None))


def _of_commit(repository: Repository, digits: bytes) -> Name | None:
    """Return the state of the change that a Git commit became, if it was imported."""
    try:
        row = repository.store.row(GIT, bytes.fromhex(digits.decode("ascii")))
    except ValueError:
        return None
    return None if row is None else repository.states.name_of_change(number(row))


def pins(repository: Repository, state: Name) -> Iterator[Pinned]:
    """Yield the subrepos of a state, by path. Cost: its tree."""
    for path, entry in files(tree_of(repository, state)):
        if entry.kind == KIND_SUBREPO:
            yield Pinned(path, entry, pin_in(repository, entry, state))


def pin_in(repository: Repository, entry: Entry, state: Name) -> bytes:
    """Return the pin of a node in a state; of several the first."""
    members = repository.states.members(state)
    values = repository.nodes.registers(entry.node).values(PIN, members)
    value = values[0].value if values else b""
    return value if isinstance(value, bytes) else b""


def is_inside(root: bytes, path: bytes) -> bool:
    """Tell whether no symlink leads out of a directory on the way to a path in it."""
    real = os.path.join(os.path.realpath(root), path)
    return os.path.realpath(os.path.join(root, path)) == real


def is_repository(root: bytes, path: bytes) -> bool:
    """Tell whether a repository of oxy with its own store is at a path of a directory."""
    control = os.path.join(path, CONTROL)
    return is_inside(root, control) and os.path.isdir(os.path.join(root, control))


def _numbers(repository: Repository, names: list[bytes]) -> tuple[int, ...] | None:
    found = []
    for name in names:
        try:
            digest = bytes.fromhex(name.decode("ascii"))
        except ValueError:
            return None
        change = (
            repository.store.number_of(CHANGE, digest) if len(digest) == DIGEST_SIZE else None
        )
        if change is None:
            return None
        found.append(change)
    return tuple(sorted(found))
