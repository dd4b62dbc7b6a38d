"""The changes of a state, newest first, at little cost where each was recorded on the last.

In such a stretch the order is plain (spec: states, S16), and each header proves the next, whose
id it names: one row a change is read, and nothing is counted, sorted or looked up.
"""

from collections.abc import Iterator
from itertools import islice
from oxy.typed import Final, NamedTuple

from blake3 import blake3
from pyroaring import BitMap

from oxy.actions.newest import Newest
from oxy.codec.decode import read_bare_header
from oxy.model.change import Context, Header
from oxy.model.digest import DIGEST_SIZE, id_of_digests
from oxy.repo.packs import rows_down
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.store.protocol import CHANGE, Reader

NOTHING: Final = Context()
_ASIDE: Final = 64
"""Changes of other lines of history that are passed over before the stretch counts as ended."""


class Plain(NamedTuple):
    """A change without what it is to others: its number, id and header."""

    change: int
    id: bytes
    header: Header


def in_order(repository: Repository, state: Name | BitMap) -> Iterator[Plain]:
    """Yield the changes of a state, or of any set, in the order of `Newest`.

    Cost: a row for each down to where history forks; from there on that of `Newest`.
    """
    last: Plain | None = None
    if isinstance(state, Name) and len(state.heads) == 1 and not state.absent:
        for last in straight(repository.store, state.heads[0]):
            yield last
    if last is None:
        rest = iter(Newest(repository, state))
    elif last.header.context == NOTHING:
        return
    else:
        rest = islice(Newest(repository, Name((last.change,))), 1, None)
    for step in rest:
        yield Plain(*step[:3])


def straight(store: Reader, change: int) -> Iterator[Plain]:
    """Yield a change and those before it, as long as each is all that the last one knew.

    It ends earlier where rows are missing or wrong, or too much else was recorded in between.
    Cost: a row for each, and for each change that others recorded in between.
    """
    wanted = store.id_of(CHANGE, change)
    aside = 0
    for held, row in rows_down(store, change):
        data = row[DIGEST_SIZE:]
        if id_of_digests(blake3(data).digest(), row[:DIGEST_SIZE]) != wanted:
            aside += 1
            if aside > _ASIDE:
                return
            continue
        header = read_bare_header(data)
        yield Plain(held, wanted, header)
        heads, absent = header.context
        if len(heads) != 1 or absent:
            return
        wanted, aside = heads[0], 0
