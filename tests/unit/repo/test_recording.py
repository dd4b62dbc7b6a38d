import tracemalloc
from unittest.mock import Mock

import pytest

from oxy.codec.decode import read
from oxy.codec.encode import ShapeError
from oxy.codec.limits import INLINE, INLINE_TOTAL
from oxy.graph.text import (
    EDGE,
    Block,
    Cancel,
    Deed,
    Deletion,
    Precedence,
    Span,
    Verdict,
    point,
)
from oxy.graph.weave import SHIFT
from oxy.model.change import Change, Moment
from oxy.model.digest import blob_id
from oxy.model.operation import (
    BYTES,
    KIND_BINARY,
    KIND_SYMLINK,
    KIND_TEXT,
    MODE,
    OUT,
    PLACE,
    TARGET,
    TEXT,
    BlobRef,
    Directory,
    NodeRef,
    Place,
)
from oxy.repo.recording import Creation, Intent, NodeDraft, Setting, compose
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.writing import Recording, Stamp, TwiceError, Writing, writing
from oxy.store.protocol import BLOB, CHANGE

STAMP = Stamp(1, 0, b"ann", b"commit")


@pytest.fixture
def repository() -> Repository:
    return Repository.in_memory()


def _intent(message: bytes = b"m") -> Intent:
    return Intent(b"Ann <ann@x>", Moment(5, -60), message, ((b"a:b", b"c"),))


def _record(
    repository: Repository,
    *drafts: NodeDraft,
    context: Name | None = None,
    message: bytes = b"m",
) -> Recording:
    with writing(repository, STAMP) as work:
        number = work.next_change()
        return work.record(_intent(message), context or Name(), drafts, number)


def _text(path: bytes, change: int, data: bytes = b"x\ny\nz\n") -> NodeDraft:
    block = Block(change << SHIFT, data.count(b"\n"), EDGE, EDGE)
    deed = Deed((), (block,) if data else ())
    return NodeDraft(0, (0, 0), KIND_TEXT, (Setting(PLACE, path),), deed, data)


def _edit(deed: Deed, text: bytes = b"", *settings: Setting) -> NodeDraft:
    return NodeDraft(1, (1, 0), None, settings, deed, text)


def _stored(repository: Repository, number: int) -> Change:
    return read(repository.store.read(CHANGE, number))


def _base(repository: Repository, others: int) -> None:
    """Record a text as change 1, and changes of one more line at its end."""
    _record(repository, _text(b"f", 1))
    for number in range(2, 2 + others):
        block = Block(number << SHIFT, 1, point(1 << SHIFT | 2, OUT), EDGE)
        message = b"%d" % number
        _record(repository, _edit(Deed((), (block,)), b"l\n"), message=message)


def _deps(repository: Repository, change: Change) -> list[int]:
    return sorted(repository.store.number_of(CHANGE, name) or 0 for name in change.header.deps)


def _weak(repository: Repository, change: Change) -> list[int]:
    return sorted(
        repository.store.number_of(CHANGE, name) or 0 for name in change.operations.weak
    )


def test_what_is_stored_is_what_was_recorded(repository: Repository) -> None:
    _record(repository, _text(b"f", 1))
    recorded = _record(repository, _edit(Deed(), b"", Setting(MODE, 1)), context=Name((1,)))
    assert _stored(repository, 2) == recorded.change
    header = recorded.change.header
    assert header[:3] == (b"Ann <ann@x>", Moment(5, -60), b"m")
    assert header.extra == ((b"a:b", b"c"),)
    assert header.context == ((repository.store.id_of(CHANGE, 1),), ())


def test_a_new_node_depends_on_nothing(repository: Repository) -> None:
    recorded = _record(repository, _text(b"f", 1))
    assert _deps(repository, recorded.change) == []
    assert recorded.nodes == (1,)


@pytest.mark.parametrize(
    ("deed", "text", "settings", "deps", "weak"),
    [
        (Deed(), b"", (Setting(MODE, 1),), [1], []),
        (Deed(), b"", (Setting(MODE, 1, (3, 2)),), [1, 2, 3], []),
        (
            Deed((), (Block(5 << SHIFT, 1, point(2 << SHIFT, OUT), EDGE),)),
            b"n\n",
            (),
            [1, 2],
            [],
        ),
        (Deed((), (), (Deletion((Span(3 << SHIFT, 1),), None),)), b"", (), [1, 3], []),
        (Deed((), (), (), (Cancel(Span(2 << SHIFT, 1), (3, 4)),)), b"", (), [1, 2], [3, 4]),
        (Deed((), (), (), (Cancel(Span(2 << SHIFT, 1), (2, 4)),)), b"", (), [1, 2], [4]),
        (Deed(orders=(Precedence(2 << SHIFT, 3 << SHIFT, 0),)), b"", (), [1, 2, 3], []),
        (Deed(unorders=((4, 0),)), b"", (), [1], [4]),
        (Deed(verdicts=(Verdict(Span(2 << SHIFT, 1), 3, 0),)), b"", (), [1], [2, 3]),
        (Deed(verdicts=(Verdict(Span(2 << SHIFT, 1), 5, 4),)), b"", (), [1], [2, 4]),
        (Deed(keeps=(Span(2 << SHIFT, 1), Span(3 << SHIFT, 1))), b"", (), [1], [2, 3]),
        (Deed(keeps=(Span(1 << SHIFT, 1),)), b"", (), [1], []),
    ],
)
def test_the_dependencies_are_what_its_operations_refer_to(
    repository: Repository,
    deed: Deed,
    text: bytes,
    settings: tuple[Setting, ...],
    deps: list[int],
    weak: list[int],
) -> None:
    _base(repository, 3)
    recorded = _record(repository, _edit(deed, text, *settings), context=Name((2, 3, 4)))
    assert _deps(repository, recorded.change) == deps
    assert _weak(repository, recorded.change) == weak
    assert list(repository.states.link(5).deps) == sorted(
        deps, key=lambda number: repository.store.id_of(CHANGE, number)
    )


def test_references_count_in_the_order_of_ids(repository: Repository) -> None:
    _base(repository, 2)
    block = Block(4 << SHIFT, 1, point(2 << SHIFT, TEXT), point(2 << SHIFT, OUT))
    spans = (Span(3 << SHIFT, 1), Span(2 << SHIFT, 1))
    deed = Deed((), (block,), (Deletion(spans, block),))
    change = _record(repository, _edit(deed, b"n\n"), context=Name((2, 3))).change
    (edit,) = change.operations.nodes
    named = [repository.store.number_of(CHANGE, name) for name in change.header.deps]
    assert edit.text is not None
    assert [named[lines.change - 1] for lines in edit.text.hunks[0].lines] == [3, 2]
    assert named[edit.node.change - 1] == 1


@pytest.mark.parametrize("size", [INLINE - 1, INLINE, INLINE + 1, (1 << 20) + 1])
def test_text_is_a_blob_from_the_limit_on(repository: Repository, size: int) -> None:
    data = b"x" * (size - 1) + b"\n"
    change = _record(repository, _text(b"f", 1, data)).change
    (edit,) = change.operations.nodes
    if size < INLINE:
        assert edit.content == data
        assert repository.store.count(BLOB) == 0
    else:
        assert edit.content == BlobRef(blob_id(data), size)
        assert repository.store.read(BLOB, 1) == data
    assert b"".join(repository.nodes.content(1, repository.states.of_change(1))) == data


def test_a_blob_that_is_stored_may_be_named(repository: Repository) -> None:
    data = b"y\n" * INLINE
    ref = BlobRef(blob_id(data), len(data))
    with writing(repository, STAMP) as work:
        work.transaction.append(BLOB, ref.id, data)
        draft = _text(b"f", 1, data)._replace(text=ref)
        recorded = work.record(_intent(), Name(), [draft], 1)
    assert recorded.change.operations.nodes[0].content == ref
    assert b"".join(repository.nodes.content(1, repository.states.of_change(1))) == data


@pytest.mark.parametrize("size", [0, INLINE - 1, INLINE])
def test_the_bytes_of_a_binary_are_a_blob_from_the_limit_on(
    repository: Repository, size: int
) -> None:
    settings = (Setting(PLACE, b"f"), Setting(BYTES, bytes(size)))
    change = _record(repository, NodeDraft(0, (0, 0), KIND_BINARY, settings)).change
    value = change.operations.nodes[0].writes[1].value
    assert value == (bytes(size) if size < INLINE else BlobRef(blob_id(bytes(size)), size))


def _binary(path: bytes, data: bytes) -> NodeDraft:
    return NodeDraft(0, (0, 0), KIND_BINARY, (Setting(PLACE, path), Setting(BYTES, data)))


def test_content_beyond_the_room_of_the_change_is_a_blob_in_the_order_of_nodes(
    repository: Repository,
) -> None:
    _record(repository, _text(b"old", 1))
    count = INLINE_TOTAL // (INLINE - 1)
    long = [b"%04d" % n * 1023 + b"xy\n" for n in range(count + 1)]
    block = Block(2 << SHIFT, 1, point(1 << SHIFT | 2, OUT), EDGE)
    drafts = [
        # The old node stands last in the change, wherever its draft does.
        _edit(Deed((), (block,)), b"z" * 9 + b"\n"),
        *[_text(b"%04d" % n, 2, data) for n, data in enumerate(long)],
        _binary(b"a", b"\0" * (INLINE_TOTAL % (INLINE - 1) - 9)),
        _binary(b"b", b"\0" * 10),
        _binary(b"c", b"\0" * 9),
    ]
    change = _record(repository, *drafts, context=Name((1,))).change
    *texts, full, empty, fits, old = change.operations.nodes
    assert [edit.content for edit in texts[:-1]] == long[:-1]
    assert texts[-1].content == BlobRef(blob_id(long[-1]), INLINE - 1)
    assert full.writes[1].value == bytes(INLINE_TOTAL % (INLINE - 1) - 9)
    assert empty.writes[1].value == BlobRef(blob_id(bytes(10)), 10)
    assert fits.writes[1].value == bytes(9)
    assert old.content == BlobRef(blob_id(b"z" * 9 + b"\n"), 10)
    state = repository.states.of_change(2)
    assert b"".join(repository.nodes.content(1, state)) == b"x\ny\nz\n" + b"z" * 9 + b"\n"
    assert b"".join(repository.nodes.content(count + 2, state)) == long[-1]


def test_directories_are_listed_with_those_above_in_order_of_their_paths(
    repository: Repository,
) -> None:
    paths = [b"b/c/f", b"a", b"b.d/f", b"b/a/f", b"b/c/g"]
    drafts = [_text(path, 1) for path in paths]
    operations = _record(repository, *drafts).change.operations
    assert operations.directories == (
        Directory(0, b"b"),
        Directory(1, b"a"),
        Directory(1, b"c"),
        Directory(0, b"b.d"),
    )
    places = [edit.writes[0].value for edit in operations.nodes]
    assert places == [
        Place(3, b"f"),
        Place(0, b"a"),
        Place(4, b"f"),
        Place(2, b"f"),
        Place(3, b"g"),
    ]


def test_new_nodes_stand_first_in_the_order_of_drafts(repository: Repository) -> None:
    _record(repository, _text(b"f", 1), _text(b"g", 1))
    drafts = [
        NodeDraft(2, (1, 1), None, (Setting(MODE, 1),)),
        _text(b"h", 2),
        NodeDraft(1, (1, 0), None, (Setting(MODE, 1),)),
        NodeDraft(0, (0, 0), KIND_SYMLINK, (Setting(TARGET, b"t"), Setting(PLACE, b"l"))),
    ]
    recorded = _record(repository, *drafts, context=Name((1,)))
    refs = [edit.node for edit in recorded.change.operations.nodes]
    assert refs == [NodeRef(0, 0), NodeRef(0, 1), NodeRef(1, 0), NodeRef(1, 1)]
    assert recorded.nodes == (3, 4, 1, 2)
    assert [repository.nodes.kind(node) for node in range(1, 5)] == [1, 1, 1, 3]
    assert [repository.nodes.origin(node)[1:] for node in range(1, 5)] == [
        (1, 0),
        (1, 1),
        (2, 0),
        (2, 1),
    ]


def test_a_deed_that_does_nothing_is_no_edit(repository: Repository) -> None:
    _record(repository, _text(b"f", 1), _text(b"empty", 1, b""))
    recorded = _record(repository, _edit(Deed((1,)), b"", Setting(MODE, 1)), context=Name((1,)))
    assert recorded.change.operations.nodes[0].text is None
    assert _stored(repository, 1).operations.nodes[1].text is None
    with pytest.raises(ShapeError, match="nothing is done to it"):
        _record(repository, _edit(Deed((1,))), context=Name((1,)))


def test_what_breaks_a_rule_is_refused_and_nothing_is_kept(repository: Repository) -> None:
    with pytest.raises(ShapeError):
        _record(repository, _text(b"f", 1, b"x\n" * INLINE), _text(b"a/" + b"n" * 256, 1))
    assert repository.store.count(CHANGE) == 0
    assert repository.store.count(BLOB) == 0


def test_a_change_that_is_recorded_already_is_refused(repository: Repository) -> None:
    first = _record(repository, _text(b"f", 1))
    with pytest.raises(TwiceError) as caught:
        _record(repository, _text(b"f", 2))
    assert caught.value.recording == first
    assert repository.store.count(CHANGE) == 1
    again = _record(repository, _text(b"f", 2), message=b"other")
    assert again.number == 2


def _twice(work: Writing) -> list[tuple[int, ...]]:
    first = work.record(_intent(), Name(), [_text(b"f", 1)], work.next_change())
    edit = _edit(Deed(), b"", Setting(MODE, 1))
    second = work.record(_intent(), Name((1,)), [edit], work.next_change())
    return [first.nodes, second.nodes]


def test_a_change_may_build_on_another_of_the_same_transaction(repository: Repository) -> None:
    with writing(repository, STAMP) as work:
        assert _twice(work) == [(1,), (1,)]
    assert repository.nodes.view(1, repository.states.of_change(2)).mode == 1


def _created(repository: Repository, paths: list[bytes], *drafts: NodeDraft) -> Recording:
    with writing(repository, STAMP) as work:
        number = work.next_change()
        context = Name((number - 1,) if number > 1 else ())
        creation = Creation(paths, (_text(path, number, path + b"\n") for path in paths))
        return work.record(_intent(), context, drafts, number, creation=creation)


def test_nodes_that_are_drafted_one_by_one_make_the_same_change(
    repository: Repository,
) -> None:
    paths = [b"a/b", b"a/c/d", b"e"]
    streamed = _created(repository, paths)
    whole = _record(Repository.in_memory(), *[_text(path, 1, path + b"\n") for path in paths])
    assert streamed.change.id == whole.change.id
    assert tuple(streamed.change.operations.nodes) == whole.change.operations.nodes
    assert streamed.nodes == (1, 2, 3)


def test_nodes_that_are_drafted_one_by_one_stand_before_all_others(
    repository: Repository,
) -> None:
    _record(repository, _text(b"f", 1))
    drafts = _text(b"z", 2), _edit(Deed(), b"", Setting(MODE, 1))
    recorded = _created(repository, [b"x/a", b"y"], *drafts)
    assert recorded.nodes == (2, 3, 4, 1)
    stored = _stored(repository, 2)
    assert stored.id == recorded.change.id
    assert [edit.node for edit in stored.operations.nodes] == [
        NodeRef(0, 0),
        NodeRef(0, 1),
        NodeRef(0, 2),
        NodeRef(1, 0),
    ]
    assert stored.operations.directories == (Directory(0, b"x"),)


def test_memory_holds_of_a_created_node_hardly_more_than_its_encoded_form() -> None:
    def peak(count: int) -> int:
        repository = Repository.in_memory()
        paths = [b"d/%06d" % number for number in range(count)]
        intent, ids_of = _intent(), Mock(return_value=[])
        creation = Creation(paths, (_text(path, 1, b"x\n") for path in paths))
        with writing(repository, STAMP) as work:
            tracemalloc.start()
            compose(work.transaction, ids_of, intent, Name(), (), 1, creation=creation)
            found = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
        return found

    peak(10)  # what is made once
    # The edit of a node alone takes over 700 bytes.
    assert peak(6000) - peak(1000) < 5000 * 500
