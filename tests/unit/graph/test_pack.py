import pytest

from oxy.graph.pack import VERSION, Deeds, PackedGraphError, pack, unpack
from oxy.graph.text import TextGraph
from tests.graphs.consistency import assert_consistent, canonical
from tests.graphs.sketch import Sketch


def disputed() -> Sketch:
    sketch = Sketch()
    base = sketch.tell([], "abcd")
    union = sketch.tell(base, "ad") | sketch.tell(base, "abxcd") | sketch.tell(base, "abycd")
    sketch.tell(union, "abyxcd")
    return sketch


@pytest.mark.parametrize("sketch", [Sketch(), disputed()])
def test_a_graph_comes_back_as_it_was(sketch: Sketch) -> None:
    packed = pack(sketch.graph)
    loaded = unpack(packed)
    assert canonical(loaded) == canonical(sketch.graph)
    assert_consistent(loaded)
    assert pack(loaded) == packed


def test_deeds_are_read_when_they_are_asked_for() -> None:
    sketch = Sketch()
    sketch.tell([], "abcd", "abXd", "d")
    loaded = unpack(pack(sketch.graph))
    assert isinstance(loaded.deeds, Deeds)
    assert len(loaded.deeds) == 0
    assert loaded.deeds[2] == sketch.graph.deeds[2]
    assert list(loaded.deeds) == [2]


def test_a_loaded_graph_takes_and_loses_changes() -> None:
    sketch = disputed()
    before = canonical(sketch.graph)
    state = sketch.graph.touched.copy()
    sketch.graph = unpack(pack(sketch.graph))
    after = sketch.tell(state, "abyxcdz")
    assert sketch.show(after) == "abyxcdz"
    assert_consistent(sketch.graph)
    sketch.graph.unapply(after.max())
    assert canonical(unpack(pack(sketch.graph))) == before


def test_another_version_is_named() -> None:
    packed = pack(TextGraph())
    with pytest.raises(PackedGraphError, match=f"version {VERSION + 1}"):
        unpack(bytes([VERSION + 1]) + packed[1:])


def test_nothing_is_no_graph() -> None:
    with pytest.raises(PackedGraphError, match="empty"):
        unpack(b"")


def test_damage_is_noticed() -> None:
    packed = pack(disputed().graph)
    for place in range(1, len(packed)):
        damaged = bytearray(packed)
        damaged[place] ^= 1
        with pytest.raises(PackedGraphError, match="digest"):
            unpack(bytes(damaged))


def test_parts_that_do_not_fit_are_refused_though_the_digest_matches() -> None:
    from msgpack import packb
    from xxhash import xxh3_64_digest

    for body in (b"\xc1", packb([]), packb([[1], [], [], [], [1], [0], [1], []])):
        with pytest.raises(PackedGraphError):
            unpack(bytes([VERSION]) + xxh3_64_digest(body) + body)


def test_a_deed_that_does_not_parse_is_named() -> None:
    with pytest.raises(PackedGraphError, match="change 3"):
        Deeds({3: b"\xc1"})[3]
