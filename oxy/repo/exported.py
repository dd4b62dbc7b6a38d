"""Which Git commits stand for which states, as far as noted (spec: git-bridge, GB36, GB48).

The notes are in the cache: they tell what was worked out, and can be worked out again. Both
ways they tell ids, so that they mean the same whatever was taken back since.
"""

from collections.abc import Iterable, Iterator
from oxy.typed import Final

import msgpack

from oxy.repo.cache import COMMITS, EXPORTED
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.store.protocol import CHANGE

_FORM: Final = 1
"""The version of what a state becomes; ids of commits depend on it."""


def commit_of(repository: Repository, name: Name) -> bytes | None:
    """Return the id of the commit that a state was made into, or was found to be; or None."""
    return repository.cache.get(EXPORTED, _key(*_ids(repository, name)))


def commit_of_change(repository: Repository, change: bytes) -> bytes | None:
    """Return the id of the commit that the state of a change was made into, or None.

    Cost: a row of the cache; where nothing was ever noted, a look for that.
    """
    return repository.cache.get(EXPORTED, _key([change], []))


def is_any(repository: Repository) -> bool:
    """Tell whether any state was made into a commit."""
    return next(repository.cache.rows(EXPORTED), None) is not None


def state_of(repository: Repository, commit: bytes) -> Name | None:
    """Return the state that a commit stands for, where that is noted and all of it is here."""
    row = repository.cache.get(COMMITS, commit)
    return None if row is None else _name(repository, row)


def all_states(repository: Repository) -> Iterator[tuple[bytes, Name]]:
    """Yield every commit that is noted and its state, in order of the commits' ids."""
    for commit, row in repository.cache.rows(COMMITS):
        name = _name(repository, row)
        if name is not None:
            yield commit, name


def note(repository: Repository, found: Iterable[tuple[Name, bytes]]) -> None:
    """Note which commits stand for states; of two for one state the later counts."""
    forth: list[tuple[bytes, bytes]] = []
    back: list[tuple[bytes, bytes]] = []
    for name, commit in found:
        heads, absent = _ids(repository, name)
        forth.append((_key(heads, absent), commit))
        back.append((commit, msgpack.packb((_FORM, heads, absent))))
    repository.cache.put(EXPORTED, forth)
    repository.cache.put(COMMITS, back)


def _ids(repository: Repository, name: Name) -> tuple[list[bytes], list[bytes]]:
    heads, absent = (sorted(repository.store.ids_of(CHANGE, list(part))) for part in name)
    return list(heads), list(absent)


def _key(heads: list[bytes], absent: list[bytes]) -> bytes:
    from blake3 import blake3

    return blake3(msgpack.packb((_FORM, heads, absent))).digest()


def _name(repository: Repository, row: bytes) -> Name | None:
    form, *parts = msgpack.unpackb(row)
    if form != _FORM:
        return None
    number_of = repository.store.number_of
    numbers = [[number_of(CHANGE, each) for each in part] for part in parts]
    if any(number is None for part in numbers for number in part):
        return None
    heads, absent = (tuple(sorted(number or 0 for number in part)) for part in numbers)
    return Name(heads, absent)
