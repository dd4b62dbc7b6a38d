import struct
from collections.abc import Iterable
from io import BytesIO
from typing import Final

import pytest
from pyroaring import BitMap

from oxy.codec.wire import pack
from oxy.model.digest import ChangeId
from oxy.repo.refs import BOOKMARK, TAG
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.store.protocol import CHANGE
from oxy.sync import limits
from oxy.sync.bundle import MAGIC, Bundle, Head, bundled, needed, offered_of
from oxy.sync.endpoint import Offered, Stored, holds_none
from oxy.sync.errors import RefusedNameError, RefusedTransferError
from oxy.sync.history import history
from oxy.sync.names import arrived, check_names
from tests.builders.exchange import ids, listed, singly, taken
from tests.builders.scribe import File, Scribe

A: Final = ChangeId(b"\1" * 32)


def story() -> tuple[Repository, int, int, int]:
    """Record two branches on a base, the second of them with a large text."""
    repository = Repository.in_memory()
    scribe = Scribe(repository)
    base = scribe.commit(Name(), {b"f": File(b"1\n")}).number
    left = scribe.commit(Name((base,)), {b"f": File(b"2\n")}).number
    right = scribe.commit(Name((base,)), {b"g": File(b"line\n" * 2000)}).number
    return repository, base, left, right


def written(
    repository: Repository, names: Iterable[Offered], have: Iterable[int] = ()
) -> bytes:
    return b"".join(bundled(repository, names, have))


def test_a_bundle_holds_what_its_names_reach() -> None:
    source, base, left, right = story()
    name = offered_of(source, BOOKMARK, b"main", Name((left, right)))
    bundle = Bundle(BytesIO(written(source, [name])).read)
    assert bundle.head == Head((), (name,))
    target = Repository.in_memory()
    assert len(taken(target, bundle.unframer.parts()).changes) == 3
    assert bundle.unframer.counts == (3, 1)
    ((offered, state),) = arrived(target, bundle.head.names)
    assert offered == name
    assert ids(target, state.heads) == ids(source, (left, right))
    assert base == 1


def test_what_others_have_is_left_out_and_needed() -> None:
    source, base, left, right = story()
    name = offered_of(source, BOOKMARK, b"main", Name((left, right)))
    bundle = Bundle(BytesIO(written(source, [name], [left])).read)
    assert bundle.head.needs == ids(source, (base, left))
    assert [part.id for part in singly(bundle.unframer.parts())][1:] == list(
        ids(source, (right,))
    )
    whole = Bundle(BytesIO(written(source, [name], [left, right])).read)
    assert whole.head.needs == ids(source, (left, right))
    assert listed(whole.unframer.parts()) == []


def test_names_of_several_kinds_stand_in_order() -> None:
    source, base, left, _ = story()
    names = [
        offered_of(source, TAG, b"v1", Name((base,))),
        offered_of(source, BOOKMARK, b"main", Name((left,))),
    ]
    assert Bundle(BytesIO(written(source, names)).read).head.names == tuple(reversed(names))


def test_what_is_needed_is_what_is_named_outside() -> None:
    source, base, left, right = story()
    assert needed(source.states, history(source.states, [left])) == set()
    only = source.states.members(Name((left,))) - BitMap([base])
    assert needed(source.states, only) == {base}
    assert right == 3


def headed(head: bytes, magic: bytes = MAGIC, version: int = 1) -> bytes:
    return struct.pack(">8sII", magic, version, len(head)) + head


GOOD: Final = pack(((), ()))
LIES: Final = {
    "another file": (b"PACK" + bytes(40), "it is no bundle"),
    "nothing": (b"", "cut short in its head"),
    "a later format": (headed(GOOD, version=2), "upgrade oxy"),
    "a head that is too large": (struct.pack(">8sII", MAGIC, 1, limits.MESSAGE + 1), "over"),
    "a head cut short": (headed(GOOD)[:-1], "cut short in its head"),
    "a head that is none": (headed(pack((1, 2, 3))), "does not have the form"),
    "names that are none": (headed(pack(((), ((1, b"x"),)))), "do not have the form of any"),
    "needs that are none": (headed(pack(((b"x",), ()))), "an id is none"),
    "a bomb": (headed(b"\xdd\xff\xff\xff\xff"), "promises more than it holds"),
    "a long form": (headed(b"\x92\x90\xdc\x00\x00"), "not the canonical one"),
}


@pytest.mark.parametrize("what", LIES)
def test_a_head_that_lies_is_refused(what: str) -> None:
    data, rule = LIES[what]
    with pytest.raises(RefusedTransferError, match=rule):
        Bundle(BytesIO(data).read)


def test_its_end_proves_its_head() -> None:
    source, _, left, _ = story()
    data = written(source, [offered_of(source, BOOKMARK, b"main", Name((left,)))])
    other = data.replace(b"main", b"maim")
    bundle = Bundle(BytesIO(other).read)
    with pytest.raises(RefusedTransferError, match="its end fails its digest"):
        list(bundle.unframer.parts())


@pytest.mark.parametrize("name", [b"-x", b"../x", b"a\x1bb", b"", b"@", b"a b", b".git/x"])
def test_a_name_that_may_not_be_given_is_refused(name: bytes) -> None:
    with pytest.raises(RefusedNameError, match="is refused, and all that came with it"):
        check_names([Offered(BOOKMARK, name, ())])


def test_names_that_are_one_somewhere_are_refused() -> None:
    with pytest.raises(RefusedNameError, match="another would be one with it"):
        check_names([Offered(BOOKMARK, b"Main", ()), Offered(BOOKMARK, b"main", ())])
    check_names([Offered(BOOKMARK, b"Main", ()), Offered(TAG, b"main", ())])


def test_a_name_that_promises_more_than_came_is_refused() -> None:
    repository, base, left, _ = story()
    first, second = (ChangeId(repository.store.id_of(CHANGE, n)) for n in (base, left))
    for offered, rule in (
        (Offered(BOOKMARK, b"m", (A,)), "of its state is missing"),
        (Offered(BOOKMARK, b"m", (second,), (A,)), "of its state is missing"),
        (Offered(BOOKMARK, b"m", tuple(sorted((first, second)))), "not the name of a state"),
        (Offered(BOOKMARK, b"m", (second,), (first,)), "not the name of a state"),
    ):
        with pytest.raises(RefusedNameError, match=rule):
            list(arrived(repository, [offered]))
    parts = Stored(repository).missing([second], [], holds_none)
    assert len(taken(Repository.in_memory(), parts).changes) == 2
