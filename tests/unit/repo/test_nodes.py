from pathlib import Path

import pytest
from blake3 import blake3

from oxy.model.digest import BlobId
from oxy.model.operation import KIND_BINARY, KIND_SYMLINK, KIND_TEXT, BlobRef
from oxy.repo.lacking import MissingBlobError, NoNodeError
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.store.errors import ObjectDamagedError
from tests.builders.scribe import File, Scribe

LARGE = b"".join(b"line %d\n" % number for number in range(200_000))


@pytest.fixture
def scribe() -> Scribe:
    return Scribe(Repository.in_memory())


def _commit(scribe: Scribe, context: Name, data: bytes, kind: int = KIND_TEXT) -> Name:
    return Name((scribe.commit(context, {b"f": File(data, kind)}).number,))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n",
        b"a",
        b"a\n",
        b"a\nb",
        b"a\n\n",
        b"a\r\nb\r",
        b"\xff\n\xfe",
        b"a\x0cb\x1c\x1d\n\x85\xe2\x80\xa8\n",
        LARGE,
        LARGE[:-1],
    ],
)
def test_a_text_reads_as_it_was_recorded(scribe: Scribe, data: bytes) -> None:
    assert scribe.text(b"f", _commit(scribe, Name(), data)) == data


@pytest.mark.parametrize(("before", "after"), [(b"a\nb\n", b"a\nb"), (b"a\nb", b"a\nb\n")])
def test_a_final_lf_may_come_and_go(scribe: Scribe, before: bytes, after: bytes) -> None:
    first = _commit(scribe, Name(), before)
    second = _commit(scribe, first, after)
    assert [scribe.text(b"f", first), scribe.text(b"f", second)] == [before, after]


@pytest.mark.parametrize("data", [b"\0", b"\0" * 4095, b"\0" * 4096, bytes(3 << 20)])
def test_a_binary_reads_as_it_was_recorded(scribe: Scribe, data: bytes) -> None:
    first = _commit(scribe, Name(), data, KIND_BINARY)
    second = _commit(scribe, first, b"\0other", KIND_BINARY)
    assert scribe.text(b"f", first) == data
    assert scribe.text(b"f", second) == b"\0other"


def test_one_node_of_a_large_change_is_read_without_the_others(tmp_path: Path) -> None:
    repository = Repository.create(bytes(tmp_path), "fast")
    scribe = Scribe(repository)
    noise = blake3(b"noise").digest(3 << 20)
    files = {b"a": File(b"one\ntwo\n"), b"b": File(noise, KIND_SYMLINK), b"c": File(b"z\n")}
    name = Name((scribe.commit(Name(), files).number,))
    segment = tmp_path / ".oxy" / "segments" / "000001.oxs"
    content = bytearray(segment.read_bytes())
    content[len(content) // 2] ^= 1
    segment.write_bytes(content)
    assert [scribe.text(path, name) for path in (b"c", b"a")] == [b"z\n", b"one\ntwo\n"]
    assert repository.header(1).deps == ()
    with pytest.raises(ObjectDamagedError):
        repository.change(1)
    repository.close()


def test_a_large_blob_comes_in_pieces(scribe: Scribe) -> None:
    name = _commit(scribe, Name(), bytes(3 << 20), KIND_BINARY)
    nodes, state = scribe.repository.nodes, scribe.repository.states.members(name)
    assert [len(piece) for piece in nodes.content(1, state)] == [1 << 20] * 3


def test_a_symlink_reads_as_its_target(scribe: Scribe) -> None:
    assert scribe.text(b"f", _commit(scribe, Name(), b"../to", KIND_SYMLINK)) == b"../to"


def test_every_older_state_reads_as_it_did(scribe: Scribe) -> None:
    name, texts = Name(), {}
    for number in range(30):
        lines = [b"line %d\n" % (at * (number % 7 + 1)) for at in range(number)]
        name = _commit(scribe, name, b"".join(lines))
        texts[name] = b"".join(lines)
    scribe.repository.forget()
    for each, text in reversed(texts.items()):
        assert scribe.text(b"f", each) == text


def test_two_edits_apart_merge_cleanly(scribe: Scribe) -> None:
    base = _commit(scribe, Name(), b"a\nb\nc\nd\ne\n")
    ours = _commit(scribe, base, b"A\nb\nc\nd\ne\n")
    theirs = _commit(scribe, base, b"a\nb\nc\nd\nE\nF\n")
    union = scribe.repository.states.join((ours, theirs))
    assert scribe.text(b"f", union) == b"A\nb\nc\nd\nE\nF\n"
    state = scribe.repository.states.members(union)
    assert scribe.repository.nodes.reading(1, state).is_clean


def test_two_edits_of_one_line_read_as_both_sides_until_one_resolves_them(
    scribe: Scribe,
) -> None:
    base = _commit(scribe, Name(), b"a\nb\nc\n")
    ours = _commit(scribe, base, b"a\nX\nc\n")
    theirs = _commit(scribe, base, b"a\nY\nc\n")
    union = scribe.repository.states.join((ours, theirs))
    state = scribe.repository.states.members(union)
    assert not scribe.repository.nodes.reading(1, state).is_clean
    assert scribe.text(b"f", union) in (b"a\nX\nY\nc\n", b"a\nY\nX\nc\n")
    resolved = _commit(scribe, union, b"a\nY\nc\n")
    assert scribe.text(b"f", resolved) == b"a\nY\nc\n"
    assert [scribe.text(b"f", each) for each in (base, ours, theirs)] == [
        b"a\nb\nc\n",
        b"a\nX\nc\n",
        b"a\nY\nc\n",
    ]


def test_a_moved_file_keeps_its_node_and_its_lines(scribe: Scribe) -> None:
    base = _commit(scribe, Name(), b"a\nb\n")
    moved = Name((scribe.commit(base, {}, {b"f": b"d/g"}).number,))
    edited = _commit(scribe, base, b"a\nB\n")
    union = scribe.repository.states.join((moved, edited))
    assert scribe.paths(union) == {b"d/g": 1}
    assert scribe.text(b"d/g", union) == b"a\nB\n"


def test_a_graph_in_memory_holds_what_was_recorded_since(scribe: Scribe) -> None:
    base = _commit(scribe, Name(), b"a\n")
    graph = scribe.repository.nodes.graph(1)
    later = _commit(scribe, base, b"a\nb\n")
    assert scribe.repository.nodes.graph(1) is graph
    assert later.heads[0] in graph.touched


def test_a_change_that_its_recorder_applied_is_not_applied_again(scribe: Scribe) -> None:
    base = _commit(scribe, Name(), b"a\n")
    nodes = scribe.repository.nodes
    graph = nodes.graph(1)
    later = _commit(scribe, base, b"a\nb\n")
    edit = nodes.edit(1, 2)
    assert edit is not None
    nodes.apply(graph, 2, edit)
    assert scribe.text(b"f", later) == b"a\nb\n"


def test_an_edit_is_that_of_the_change_or_none(scribe: Scribe) -> None:
    scribe.commit(Name(), {b"f": File(b"a\n"), b"g": File(b"b\n")})
    scribe.commit(Name((1,)), {b"g": File(b"c\n")})
    nodes = scribe.repository.nodes
    assert nodes.edit(1, 2) is None
    edits = [nodes.edit(1, 1), nodes.edit(2, 1), nodes.edit(2, 2)]
    assert [edit.content for edit in edits if edit] == [b"a\n", b"b\n", b"c\n"]
    assert [change for change, _ in nodes.touching(2)] == [1, 2]
    assert [change for change, _ in nodes.touching(2, 1)] == [2]


def test_a_node_that_the_index_lacks_is_named(scribe: Scribe) -> None:
    nodes = scribe.repository.nodes
    for ask in (nodes.origin, nodes.kind, nodes.registers):
        with pytest.raises(NoNodeError) as caught:
            ask(7)
        assert caught.value.node == 7


def test_a_blob_that_is_missing_is_named(scribe: Scribe) -> None:
    ref = BlobRef(BlobId(b"\7" * 32), 5000)
    with pytest.raises(MissingBlobError) as caught:
        scribe.repository.nodes.blob(ref)
    assert caught.value.ref == ref
