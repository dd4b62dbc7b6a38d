"""Two endpoints that speak in bytes, with nothing between them."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import pytest

from oxy.codec.encode import encode as encode_change
from oxy.codec.wire import pack
from oxy.model.change import Context, Header, Moment, Operations
from oxy.model.digest import ChangeId
from oxy.model.operation import KIND_TEXT, PLACE, NodeEdit, NodeRef, Place, Write
from oxy.repo.refs import BOOKMARK, TAG, Ref
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.store.protocol import CHANGE
from oxy.sync import limits
from oxy.sync.endpoint import Stored, holds_none
from oxy.sync.errors import NotStoredError, RefusedTransferError
from oxy.sync.message import AskKnown, AskMissing, AskNames, Known, Names, decode, encode
from oxy.sync.part import BlobPart, ChangePart
from oxy.sync.rounds import common
from oxy.sync.talk import Far, answer
from tests.builders.exchange import Open, ids, moved, taken
from tests.builders.scribe import MAIN, File, Scribe

BIG: Final = b"line\n" * 1000


class Wire:
    """Carries questions to a repository and counts them."""

    def __init__(self, repository: Repository) -> None:
        self._host = Open(repository)
        self.asked: list[str] = []

    def __call__(self, question: bytes, more: Iterable[bytes] | None = None) -> Iterator[bytes]:
        self.asked.append(type(decode(question)).__name__)
        return answer(self._host, question, iter(more or ()))


def grown(scribe: Scribe, count: int, *, on: int = 0, text: bytes = b"x") -> int:
    """Record some changes one on the other; return the newest."""
    for at in range(count):
        data = b"%s %d\n" % (text, at)
        name = Name((on,)) if on else Name()
        on = scribe.commit(name, {text: File(data)}).number
    return on


def pulled(target: Repository, source: Repository) -> Wire:
    wire = Wire(source)
    peer = Far(wire)
    told = {head for offered in peer.refs() for head in offered.heads}
    want = [head for head in told if target.store.number_of(CHANGE, head) is None]
    if want:
        have = common(target, peer, told)
        taken(target, peer.missing(want, have, holds_none))
    return wire


def test_everything_comes_and_then_nothing_in_one_question() -> None:
    source, target = Repository.in_memory(), Repository.in_memory()
    scribe = Scribe(source)
    grown(scribe, 5)
    assert pulled(target, source).asked == ["AskNames", "AskMissing"]
    assert ids(target, range(1, 6)) == ids(source, range(1, 6))
    assert pulled(target, source).asked == ["AskNames"]


def test_names_are_told_with_their_states() -> None:
    source = Repository.in_memory()
    scribe = Scribe(source)
    one = grown(scribe, 1)
    two = grown(scribe, 1, text=b"y")
    moved(source, Ref(TAG, b"v1"), Name((one,)))
    moved(source, MAIN, Name(tuple(sorted((one, two)))))
    main, tag = Far(Wire(source)).refs()
    assert (main.kind, main.name, main.heads) == (BOOKMARK, b"main", ids(source, (one, two)))
    assert (tag.kind, tag.name, tag.heads, tag.absent) == (TAG, b"v1", ids(source, (one,)), ())


@pytest.mark.parametrize("shared", [3, 200])
def test_diverged_histories_are_reconciled_in_few_questions(shared: int) -> None:
    source, target = Repository.in_memory(), Repository.in_memory()
    theirs, ours = Scribe(source), Scribe(target)
    base = grown(theirs, shared)
    pulled(target, source)
    moved(target, MAIN, Name((target.store.count(CHANGE),)))
    grown(theirs, 150, on=base, text=b"theirs")
    grown(ours, 170, on=shared, text=b"ours")
    wire = Wire(source)
    peer = Far(wire)
    told = {head for offered in peer.refs() for head in offered.heads}
    have = common(target, peer, told)
    assert len(wire.asked) <= 1 + limits.ROUNDS
    parts = list(peer.missing(sorted(told), have, holds_none))
    assert len(parts) == 150
    assert len(taken(target, parts).changes) == 150


def chain(count: int, author: bytes, on: ChangeId | None = None) -> list[ChangePart]:
    """Return changes that each create a file, one on the other."""
    found = []
    for at in range(count):
        place = Write(PLACE, Place(0, b"%s%d" % (author, at)))
        edit = NodeEdit(NodeRef(0, 0), KIND_TEXT, (place,))
        context = Context((on,)) if on else Context()
        header = Header(author, Moment(at, 0), b"m", (), context)
        change, payload = encode_change(header, Operations((), (), (edit,)))
        on = change.id
        found.append(ChangePart(change.id, payload))
    return found


def test_long_histories_are_reconciled_in_few_questions() -> None:
    source, target = Repository.in_memory(), Repository.in_memory()
    shared = chain(4000, b"s")
    taken(source, [*shared, *chain(1500, b"t", shared[3299].id)])
    taken(target, [*shared[:3300], *chain(1200, b"o", shared[3299].id)])
    moved(source, MAIN, Name((5500,)))
    moved(target, MAIN, Name((4500,)))
    wire = Wire(source)
    have = common(target, Far(wire), Far(wire).refs()[0].heads)
    assert len(wire.asked) <= 1 + limits.ROUNDS
    assert have == (shared[3299].id,)


def test_what_the_other_lacks_may_be_older_than_all_that_it_has() -> None:
    repository = Repository.in_memory()
    scribe = Scribe(repository)
    for at in range(160):
        scribe.commit(Name(), {b"f": File(b"%d\n" % at)})
    newest = set(ids(repository, range(33, 161)))

    class Newer(Open):
        """Has the newest that it is asked for at first, and none of the others."""

        def known(self, ids: Sequence[ChangeId]) -> tuple[bool, ...]:
            return tuple(name in newest for name in ids)

    assert set(common(repository, Newer(repository), ())) == newest


def test_nothing_in_common_is_found_out_and_everything_comes() -> None:
    source, target = Repository.in_memory(), Repository.in_memory()
    grown(Scribe(source), 40, text=b"a")
    grown(Scribe(target), 300, text=b"b")
    assert len(pulled(target, source).asked) <= 2 + limits.ROUNDS
    assert target.store.count(CHANGE) == 340


def test_a_blob_comes_once_and_not_to_who_holds_it() -> None:
    source = Repository.in_memory()
    scribe = Scribe(source)
    first = scribe.commit(Name(), {b"a": File(BIG), b"b": File(BIG)}).number
    second = scribe.commit(Name((first,)), {b"c": File(BIG)}).number
    want = [ChangeId(source.store.id_of(CHANGE, second))]
    kinds = [type(part) for part in Stored(source).missing(want, (), holds_none)]
    assert kinds == [BlobPart, ChangePart, ChangePart]
    kinds = [type(part) for part in Stored(source).missing(want, (), list)]
    assert kinds == [ChangePart, ChangePart]


def test_what_is_unknown_is_passed_over_in_have_and_refused_in_want() -> None:
    source = Repository.in_memory()
    grown(Scribe(source), 2)
    gone = ChangeId(b"\7" * 32)
    want = [ChangeId(source.store.id_of(CHANGE, 2))]
    assert len(list(Far(Wire(source)).missing(want, [gone], holds_none))) == 2
    with pytest.raises(NotStoredError, match="is asked for, and not here"):
        Far(Wire(source)).missing([gone], (), holds_none)


MESSAGES: Final = (
    AskNames(),
    Names(()),
    AskKnown((ChangeId(b"\2" * 32), ChangeId(b"\1" * 32))),
    Known(b"\0\1\1"),
    AskMissing((ChangeId(b"\1" * 32),), ()),
)


@pytest.mark.parametrize("message", MESSAGES)
def test_a_message_is_read_as_it_was_written(message: Names) -> None:
    data = encode(message)
    again = decode(data)
    assert (type(again), again) == (type(message), message)
    for size in range(len(data)):
        with pytest.raises(RefusedTransferError):
            decode(data[:size])


A: Final = b"\1" * 32
B: Final = b"\2" * 32
LIES: Final = {
    "another version": pack((2, 1)),
    "no code": pack((1,)),
    "an unknown code": pack((1, 9)),
    "a code that is no number": pack((1, b"")),
    "no array": pack(1),
    "a field too many": pack((1, 1, 1)),
    "a long form": b"\x92\xcc\x01\x01",
    "a short id": pack((1, 3, (b"x",))),
    "ids that do not ascend": pack((1, 5, (B, A), ())),
    "an id twice": pack((1, 5, (A, A), ())),
    "neither yes nor no": pack((1, 4, b"\2")),
    "names that do not ascend": pack((1, 2, ((1, b"b", (), (), ()), (1, b"a", (), (), ())))),
    "a name of a working copy": pack((1, 2, ((3, b"", (), (), ()),))),
    "a name of another form": pack((1, 2, ((1, b"b", ()),))),
    "too many items": b"\x93\x01\x03\xdd"
    + (limits.ITEMS + 1).to_bytes(4, "big")
    + b"\xc0" * (limits.ITEMS + 1),
    "too many bytes": pack((1, 4, bytes(limits.MESSAGE))),
    "a map": b"\x80",
}


@pytest.mark.parametrize("what", LIES)
def test_a_message_that_breaks_a_rule_is_refused(what: str) -> None:
    with pytest.raises(RefusedTransferError):
        decode(LIES[what])


def test_an_answer_of_another_kind_is_refused() -> None:
    silly = Far(lambda _, __=None: iter([encode(AskNames())]))
    with pytest.raises(RefusedTransferError, match="does not tell names"):
        silly.refs()
    with pytest.raises(RefusedTransferError, match="which changes are known"):
        silly.known([ChangeId(A)])
    short = Far(lambda _, __=None: iter([encode(Known(b"\1"))]))
    with pytest.raises(RefusedTransferError, match="which changes are known"):
        short.known([ChangeId(A), ChangeId(B)])
    with pytest.raises(RefusedTransferError, match="asks nothing"):
        answer(Open(Repository.in_memory()), encode(Known(b"")), iter(()))


def test_an_answer_that_never_ends_is_refused() -> None:
    taken_from = 0

    def flood(question: bytes, more: Iterable[bytes] | None = None) -> Iterator[bytes]:
        del question, more
        nonlocal taken_from
        while True:
            taken_from += 1
            yield bytes(1 << 20)

    with pytest.raises(RefusedTransferError, match="over"):
        Far(flood).refs()
    assert taken_from <= (limits.MESSAGE >> 20) + 1
