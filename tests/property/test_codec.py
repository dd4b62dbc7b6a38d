"""Laws of the encoding (spec: model)."""

from hypothesis import given
from hypothesis import strategies as st

from oxy.codec.atonce import AtOnce
from oxy.codec.decode import (
    FormatError,
    MalformedError,
    decode,
    identify,
    read,
    read_header,
    read_operations,
)
from oxy.codec.encode import encode, encode_operations
from oxy.codec.proving import Proving
from oxy.codec.wire import count, unpack
from oxy.model.change import Header, Operations
from oxy.model.operation import TextEdit, rewrite_text
from tests.strategies.changes import Reach, changes, text_edits


@given(changes())
def test_what_was_encoded_decodes_to_itself(parts: tuple[Header, Operations]) -> None:
    change, payload = encode(*parts)
    assert decode(payload) == change
    assert (change.header, change.operations) == parts


@given(changes())
def test_trusted_reading_gives_what_proving_gives(parts: tuple[Header, Operations]) -> None:
    change, payload = encode(*parts)
    assert read(payload) == decode(payload)
    assert read_header(payload) == change.header
    assert read_operations(payload) == change.operations
    assert identify(payload) == change.id


@given(changes())
def test_decoding_gives_the_value_classes_themselves(
    parts: tuple[Header, Operations],
) -> None:
    _, payload = encode(*parts)
    # A NamedTuple equals a tuple of the same fields; their names show which one it is.
    assert repr(decode(payload)[1:]) == repr(parts)


@given(changes(), st.data())
def test_a_mutated_byte_is_refused_or_makes_another_change(
    parts: tuple[Header, Operations], data: st.DataObject
) -> None:
    change, payload = encode(*parts)
    at = data.draw(st.integers(0, len(payload) - 1))
    flip = data.draw(st.integers(1, 255))
    mutant = bytearray(payload)
    mutant[at] ^= flip
    try:
        other = decode(bytes(mutant))
    except (MalformedError, FormatError):
        return
    assert other.id != change.id
    assert encode(other.header, other.operations) == (other, bytes(mutant))


@given(changes(), st.data())
def test_a_payload_cut_short_or_followed_by_more_is_refused_or_another_change(
    parts: tuple[Header, Operations], data: st.DataObject
) -> None:
    _, payload = encode(*parts)
    cut = payload[: data.draw(st.integers(0, len(payload) - 1))]
    for broken in (cut, payload + data.draw(st.binary(min_size=1, max_size=3))):
        refused = False
        try:
            decode(broken)
        except (MalformedError, FormatError):
            refused = True
        assert refused


@given(changes(), st.data())
def test_a_small_change_is_proven_at_once_as_a_large_one_is_step_by_step(
    parts: tuple[Header, Operations], data: st.DataObject
) -> None:
    body = bytearray(encode_operations(*parts))
    if data.draw(st.booleans()):
        body[data.draw(st.integers(0, len(body) - 1))] ^= data.draw(st.integers(1, 255))
    assert _passed(AtOnce, parts[0], bytes(body)) == _passed(Proving, parts[0], bytes(body))


def _passed(
    way: type[AtOnce] | type[Proving], header: Header, body: bytes
) -> tuple[Operations, list[int]] | None:
    try:
        passing = way(header, body)
        edits = tuple(passing.edits())
    except MalformedError:
        return None
    operations = passing.operations()
    assert tuple(operations.nodes) == edits
    return operations._replace(nodes=edits), list(passing.sizes)


@given(st.binary(max_size=200))
def test_arbitrary_bytes_are_counted_as_msgpack_unpacks_them(data: bytes) -> None:
    try:
        items = count(data)
    except MalformedError:
        return
    assert items == _items(unpack(data))


def _items(value: object) -> int:
    return 1 + sum(map(_items, value)) if isinstance(value, tuple) else 1


@given(st.binary(max_size=100))
def test_arbitrary_bytes_are_refused_without_another_error(data: bytes) -> None:
    head = len(data).to_bytes(4, "big")
    for payload in (data, head + data, b"\0\0\0\0" + data):
        refused = False
        try:
            decode(payload)
        except (MalformedError, FormatError):
            refused = True
        assert refused


@given(text_edits(Reach(3, 5)))
def test_rewriting_a_canonical_edit_with_the_same_references_changes_nothing(
    edit: TextEdit,
) -> None:
    assert rewrite_text(edit, lambda ref: ref) == edit
