"""Which bookmarks, tags and files need what is lost (spec: store, ST26)."""

import os
from collections.abc import Iterator
from oxy.typed import Final

from pyroaring import BitMap

from oxy.errors import CorruptionError
from oxy.repo.check.finding import FILE, NAME, Finding
from oxy.repo.check.references import path_at
from oxy.repo.refs import BOOKMARK, TAG
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.tables import CHANGED, key, unpack_numbers
from oxy.store.protocol import CHANGE

_KINDS: Final = {BOOKMARK: "bookmark", TAG: "tag"}


def needing(repository: Repository, damaged: BitMap, lost: BitMap) -> Iterator[Finding]:
    """Yield the names that hold damaged changes, and the files that lost ones touched.

    Args:
        repository: where they are; what its rows say of lost changes is believed.
        damaged: changes that cannot be read, or that name what cannot.
        lost: those that cannot be read; of others it was said which file lacks what.

    Cost: the states of the names; a look for each file of a lost change.
    """
    if not damaged:
        return
    for kind, what in _KINDS.items():
        for name, target in repository.refs.all(kind):
            yield from _name(repository, f"{what} '{os.fsdecode(name)}'", target.state, damaged)
    for change in lost:
        yield from _files(repository, change)


def _name(
    repository: Repository, called: str, state: Name, damaged: BitMap
) -> Iterator[Finding]:
    """Yield what a name holds that is damaged."""
    try:
        held = repository.states.members(state) & damaged
    except CorruptionError as error:
        yield Finding(NAME, f"{called} cannot be read: {error}")
        return
    if held:
        first = repository.store.id_of(CHANGE, held.min())
        more = f", and {len(held) - 1} more" if len(held) > 1 else ""
        yield Finding(NAME, f"{called} holds change {first.hex()}, damaged{more}", first)


def _files(repository: Repository, change: int) -> Iterator[Finding]:
    """Yield the files that a change touched, where they were then."""
    row = repository.store.row(CHANGED, key(change))
    name = repository.store.id_of(CHANGE, change)
    told = set()
    for node in unpack_numbers(row or b""):
        path = path_at(repository, node, change)
        if path is not None and path not in told:
            told.add(path)
            yield Finding(FILE, f"a file needs change {name.hex()}", name, path)
