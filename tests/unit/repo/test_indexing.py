import pytest

from oxy.codec.encode import encode_sized
from oxy.model.change import Change, Context, Header, Moment, Operations
from oxy.model.digest import ChangeId, node_id
from oxy.model.operation import (
    DIRECTORY,
    KIND_BINARY,
    KIND_TEXT,
    MODE,
    PLACE,
    Directory,
    Lines,
    NodeEdit,
    NodeRef,
    Place,
    TextEdit,
    Write,
)
from oxy.repo.indexing import NODES, Indexer, MissingError, directory_paths
from oxy.repo.registers import Registers
from oxy.repo.states import Link, Name, States
from oxy.repo.tables import (
    AWAITED,
    CHANGED,
    COUNT,
    LATE,
    LINK,
    NODE,
    NODE_ID,
    TOUCH,
    WRITE,
    key,
    number,
    numbers,
    pair,
    unpack_numbers,
    unpair,
)
from oxy.store.memory import MemoryStore
from oxy.store.protocol import CHANGE

UNKNOWN = ChangeId(b"\7" * 32)
CREATED = NodeEdit(NodeRef(0, 0), KIND_TEXT, (Write(PLACE, Place(2, b"f")),))
OTHER = NodeEdit(NodeRef(0, 1), KIND_TEXT, (Write(PLACE, Place(0, b"g")),))
DIRECTORIES = (Directory(0, b"d"), Directory(1, b"e"))
BASE = Operations((), DIRECTORIES, (CREATED, OTHER))


def _header(*deps: ChangeId, heads: tuple[ChangeId, ...] = (), absent: bool = False) -> Header:
    context = Context(heads, (UNKNOWN,) if absent else ())
    return Header(b"a", Moment(0, 0), b"m", tuple(sorted(deps)), context)


def _index(store: MemoryStore, header: Header, operations: Operations) -> Change:
    change, payload, sizes = encode_sized(header, operations)
    with store.transaction() as transaction:
        at = transaction.append(CHANGE, change.id, payload)
        Indexer(transaction, States(transaction)).index(change, at, payload, sizes)
    return change


def _edit(position: int) -> NodeEdit:
    return NodeEdit(NodeRef(1, position), None, (Write(MODE, 1, ()),))


def test_a_new_node_has_its_rows() -> None:
    store = MemoryStore()
    change = _index(store, _header(), BASE)
    for node in (1, 2):
        identity = node_id(change.id, node - 1)
        assert store.row(NODE, key(node)) == identity + pair(1, node - 1) + key(KIND_TEXT)
        assert store.row(NODE_ID, identity) == key(node)
    assert number(store.row(COUNT, NODES) or b"") == 2
    assert unpack_numbers(store.row(CHANGED, key(1)) or b"") == (1, 2)


def test_a_row_tells_where_in_the_payload_the_edit_of_a_node_is() -> None:
    store = MemoryStore()
    _index(store, _header(), BASE)
    payload = store.read(CHANGE, 1)
    places = [unpair(row) for _, row in store.rows(TOUCH)]
    assert sum(places[-1]) == len(payload)
    assert places[0][0] + places[0][1] == places[1][0]
    assert b"\xc4\x01f" in payload[places[0][0] : places[1][0]]


def test_a_place_is_kept_as_a_path() -> None:
    store = MemoryStore()
    _index(store, _header(), BASE)
    registers = Registers(KIND_TEXT)
    for _, row in store.rows(WRITE):
        registers.add(1, row)
    assert [write.value for write in registers.writes] == [b"d/e/f", b"g"]
    assert directory_paths(DIRECTORIES) == [b"", b"d", b"d/e"]


def test_a_later_change_finds_the_nodes_of_an_earlier_one() -> None:
    store = MemoryStore()
    first = _index(store, _header(), BASE)
    header = _header(first.id, heads=(first.id,))
    _index(store, header, Operations((), (), (_edit(1),)))
    assert unpack_numbers(store.row(CHANGED, key(2)) or b"") == (2,)
    assert States(store).link(2) == Link(Name((1,)), (1,))


def test_a_move_of_a_directory_touches_no_node() -> None:
    store = MemoryStore()
    move = NodeEdit(NodeRef(DIRECTORY, 1), None, (Write(PLACE, Place(0, b"e")),))
    _index(store, _header(), Operations((), (Directory(0, b"d"),), (move,)))
    assert store.row(CHANGED, key(1)) == b""
    assert store.row(COUNT, NODES) is None


@pytest.mark.parametrize("what", ["dependency", "head", "absent", "node"])
def test_what_names_something_missing_is_refused_before_any_row(what: str) -> None:
    store = MemoryStore()
    first = _index(store, _header(), Operations((), (), (OTHER._replace(node=NodeRef(0, 0)),)))
    rows = [list(store.rows(table)) for table in range(1, 10)]
    dep = UNKNOWN if what == "dependency" else first.id
    heads = (UNKNOWN,) if what == "head" else ()
    binary = NodeEdit(NodeRef(0, 0), KIND_BINARY, (Write(PLACE, Place(0, b"b")), Write(3, b"")))
    header = _header(dep, heads=heads, absent=what == "absent")
    operations = Operations((), (), (binary, _edit(5)))
    change, payload, sizes = encode_sized(header, operations)
    with store.transaction() as transaction:
        indexer = Indexer(transaction, States(transaction))
        with pytest.raises(MissingError) as caught:
            indexer.index(change, 2, payload, sizes)
    missing = node_id(first.id, 5) if what == "node" else UNKNOWN
    assert caught.value.missing == missing
    assert [list(store.rows(table)) for table in range(1, 10)] == rows


def test_what_is_named_weakly_and_comes_later_is_noted() -> None:
    store = MemoryStore()
    header = _header()
    blob = NodeEdit(NodeRef(0, 0), KIND_TEXT, (Write(PLACE, Place(0, b"f")),))
    first = _index(store, header, Operations((), (), (blob,)))
    late, payload, sizes = encode_sized(_header(first.id), Operations((), (), (_edit(0),)))
    keeps = TextEdit(keeps=(Lines(2, 0, 1),))
    edits = (NodeEdit(NodeRef(1, 0), None, (), keeps),)
    second = _index(store, _header(first.id), Operations((late.id,), (), edits))
    assert dict(store.rows(AWAITED)) == {late.id + key(2): numbers((1,))}
    assert list(store.rows(LATE)) == []
    with store.transaction() as transaction:
        indexer = Indexer(transaction, States(transaction))
        at = transaction.append(CHANGE, late.id, payload)
        indexer.index(late, at, payload, sizes)
        assert indexer.rebound() == {1}
        assert indexer.rebound() == set()
    assert list(store.rows(LATE)) == [(pair(1, 3), b"")]
    third = Operations((second.id,), (), (NodeEdit(NodeRef(1, 0), None, (), keeps),))
    _index(store, _header(first.id), third)
    assert len(list(store.rows(AWAITED))) == 1


def test_ids_are_told_in_the_order_asked() -> None:
    store = MemoryStore()
    first = _index(store, _header(), BASE)
    second = _index(store, _header(first.id), Operations((), (), (_edit(0),)))
    with store.transaction() as transaction:
        indexer = Indexer(transaction, States(transaction))
        assert indexer.ids_of([2, 1, 2]) == [second.id, first.id, second.id]
        assert indexer.ids_of([]) == []
    assert list(store.rows(LINK))[1][0] == key(2)
