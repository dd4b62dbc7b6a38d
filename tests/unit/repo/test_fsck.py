import os
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from oxy.codec.encode import encode_sized
from oxy.graph.text import Deed, Deletion, Span
from oxy.graph.weave import SHIFT
from oxy.model.change import Header, Moment, Operations
from oxy.model.digest import BlobId
from oxy.model.operation import (
    BYTES,
    KIND_BINARY,
    PLACE,
    BlobRef,
    Directory,
    NodeEdit,
    NodeRef,
    Place,
    Write,
)
from oxy.progress import Progress
from oxy.repo.check.caches import check_trees
from oxy.repo.check.finding import (
    CACHE,
    CHANGE,
    FILE,
    NAME,
    OBJECT,
    ROW,
    SEGMENT,
    Finding,
)
from oxy.repo.fsck import fsck, rebuild
from oxy.repo.indexing import Indexer
from oxy.repo.recording import Intent, NodeDraft
from oxy.repo.refs import BOOKMARK, Ref, Target, pack_target
from oxy.repo.repository import Repository, opened
from oxy.repo.states import Name
from oxy.repo.tables import LINK, REF, STATE, TOUCH, key, pair
from oxy.repo.tree import Entry, edited
from oxy.repo.trees import keep, tree_of
from oxy.repo.writing import writing
from oxy.store.protocol import BLOB as BLOBS
from oxy.store.protocol import CHANGE as CHANGES
from oxy.store.protocol import OPERATION as OPERATIONS
from tests.builders.history import History, Made


class Silence:
    """Progress that nobody watches."""

    def update(self, done: int, total: int | None, what: str, _size: int = 0) -> None:
        assert total is None or 0 <= done <= total, what


def found(repository: Repository) -> list[Finding]:
    return list(fsck(repository, Silence()))


@pytest.fixture
def repository(tmp_path: Path) -> Iterator[Repository]:
    made = Repository.create(bytes(tmp_path))
    yield made
    made.close()


def story(repository: Repository) -> History:
    history = History(repository)
    base = history.commit(
        {
            b"d/f": b"a\nb\nc\n",
            b"big": b"line\n" * 2000,
            b"pixels": Made(b"\0" * 5000, kind=KIND_BINARY),
        }
    )
    left = history.commit({b"d/f": b"A\nb\nc\n"}, base)
    right = history.commit({b"d/f": b"a\nb\nc\nd\n", b"big": b"line\n" * 9000}, base)
    history.commit({b"moved": Made(b"A\nb\nc\nd\n", moved_from=b"d/f")}, left, right)
    keep(repository, Name((left,)), tree_of(repository, Name((left,))))
    keep(repository, Name((4,)), tree_of(repository, Name((4,))))
    return history


def test_nothing_is_wrong_with_what_was_recorded(repository: Repository) -> None:
    story(repository)
    assert found(repository) == []
    assert found(Repository.in_memory()) == []


def test_a_row_that_is_lost_wrong_or_too_much_is_found(repository: Repository) -> None:
    story(repository)
    with repository.store.transaction() as transaction:
        transaction.delete(TOUCH, pair(2, 2))
        transaction.put(STATE, key(4), b"=")
        transaction.put(TOUCH, pair(90, 90), pair(0, 0))
        transaction.put(TOUCH, pair(91, 91), pair(0, 0))
    repository.forget()
    whats = [finding.what for finding in found(repository) if finding.area == ROW]
    assert whats == [
        "row 0000000200000002 of table 3 is not what it should be",
        "row 00000004 of table 7 is not what it should be",
        "1 rows of table 3 follow from no object",
        "paths, lines and kept trees are read through rows, and were not checked",
    ]


def test_many_wrong_rows_are_counted(repository: Repository) -> None:
    history = History(repository)
    for n in range(15):
        history.commit({b"f%d" % n: b"x\n"})
    with repository.store.transaction() as transaction:
        for n in range(1, 15):
            transaction.delete(LINK, key(n))
    whats = [finding.what for finding in found(repository)]
    assert len(whats) == 12
    assert whats[-2] == "4 more rows of table 6 are wrong"


def test_a_number_far_away_is_found_and_not_walked_to(repository: Repository) -> None:
    story(repository)
    path = os.fsdecode(repository.root) + "/.oxy/index.db"
    repository.close()
    with sqlite3.connect(path) as database:
        database.execute("UPDATE objects SET number = 1 << 40 WHERE kind = 2 AND number = 2")
    with opened(repository.root) as again:
        assert [finding.what for finding in found(again)] == [
            "the index has gaps in the numbers of blobs; nothing else was checked"
        ]


def test_a_name_that_no_operation_gave_is_found(repository: Repository) -> None:
    story(repository)
    with repository.store.transaction() as transaction:
        transaction.put(REF, b"\x01main", pack_target(Target(Name((1,)))))
    assert [finding.what for finding in found(repository)][:1] == [
        "row 016d61696e of table 8 is not what it should be"
    ]


def test_a_deleted_name_that_is_still_there_is_found(repository: Repository) -> None:
    history = story(repository)
    with writing(repository, history.stamp()) as work:
        work.move(Ref(BOOKMARK, b"main"), None)
    with repository.store.transaction() as transaction:
        transaction.put(REF, b"\x01main", pack_target(Target(Name((1,)))))
    assert [finding.what for finding in found(repository)][:2] == [
        "row 016d61696e of table 8 is not what it should be",
        "1 rows of table 8 follow from no object",
    ]


def test_a_kept_tree_that_is_wrong_is_found(repository: Repository) -> None:
    history = story(repository)
    root = tree_of(repository, Name((4,)))
    keep(repository, Name((4,)), edited(root, {b"extra": Entry(1, 1, 0, bytes(16))}))
    (finding,) = found(repository)
    assert finding.area == CACHE
    assert finding.what == f"the kept tree of state {history.id(4).hex()} is wrong"


def test_a_kept_tree_that_is_lost_is_not_wrong(repository: Repository) -> None:
    story(repository)
    database = sqlite3.connect(os.fsdecode(repository.root) + "/.oxy/cache/checkpoints.db")
    with database:
        database.execute("DELETE FROM cache WHERE tab = 2")
    database.close()
    assert found(repository) == []


def flip(path: bytes) -> None:
    """Change one bit of the first frame of a segment."""
    with open(path, "r+b") as file:
        file.seek(100)
        byte = file.read(1)
        file.seek(100)
        file.write(bytes([byte[0] ^ 1]))


def crafted(repository: Repository, operations: Operations, header: Header) -> bytes:
    """Store a change that recording would not make."""
    change, payload, sizes = encode_sized(header, operations)
    with repository.store.transaction() as transaction:
        number = transaction.append(CHANGES, change.id, payload)
        Indexer(transaction, repository.states).index(change, number, payload, sizes)
    return change.id


def test_a_blob_that_is_missing_is_named_with_its_file(repository: Repository) -> None:
    ref = BlobRef(BlobId(b"\x07" * 32), 5000)
    edit = NodeEdit(
        NodeRef(0, 0), KIND_BINARY, (Write(PLACE, Place(1, b"f")), Write(BYTES, ref))
    )
    operations = Operations((), (Directory(0, b"d"),), (edit,))
    name = crafted(repository, operations, Header(b"a", Moment(0, 0), b"m"))
    assert found(repository) == [
        Finding(
            CHANGE,
            f"change {name.hex()} needs blob {'07' * 32}, which is missing",
            name,
            b"d/f",
        )
    ]


def test_a_line_that_is_not_there_is_named_with_its_file(repository: Repository) -> None:
    history = History(repository)
    first = history.commit({b"f": b"a\nb\n"})
    deed = Deed((), (), (Deletion((Span(first << SHIFT | 7, 1),), None),))
    with writing(repository, history.stamp()) as work:
        draft = NodeDraft(1, repository.nodes.origin(1)[1:], None, (), deed)
        intent = Intent(b"a", Moment(0, 0), b"m")
        second = work.record(intent, Name((first,)), [draft], 2).change.id
    named = history.id(first).hex()
    assert found(repository) == [
        Finding(
            CHANGE,
            f"change {second.hex()} names line 7 of change {named}, which is not in the text",
            second,
            b"f",
        )
    ]


def test_a_dependency_outside_the_context_is_found(repository: Repository) -> None:
    history = History(repository)
    first = history.commit({b"f": b"a\nb\n"})
    with writing(repository, history.stamp()) as work:
        deed = Deed((), (), (Deletion((Span(first << SHIFT, 1),), None),))
        draft = NodeDraft(1, repository.nodes.origin(1)[1:], None, (), deed)
        work.record(Intent(b"a", Moment(0, 0), b"m"), Name(), [draft], 2)
    (finding,) = found(repository)
    assert finding.what.endswith(
        f"depends on change {history.id(first).hex()}, which its context does not have"
    )


def test_a_damaged_segment_is_found_with_what_it_takes_along(repository: Repository) -> None:
    history = story(repository)
    names = [history.id(change).hex() for change in range(1, 5)]
    path = os.path.join(repository.root, b".oxy", b"segments", b"000001.oxs")
    flip(path)
    with opened(repository.root) as again:
        findings = found(again)
    areas = {finding.area for finding in findings}
    assert {SEGMENT, OBJECT, CHANGE} <= areas
    whats = [finding.what for finding in findings]
    assert any(what.startswith(f"change {names[0]} is lost") for what in whats)
    assert f"change {names[1]} needs change {names[0]}, which is lost" in whats
    assert f"rows from change {names[0]} on cannot be checked, which is lost" in whats
    assert f"bookmark 'main' holds change {names[0]}, damaged, and 3 more" in whats
    needy = [finding.path for finding in findings if finding.area == FILE]
    assert needy == [b"big", b"d/f", b"pixels"]


def test_a_damaged_blob_is_named_with_what_needs_it(repository: Repository) -> None:
    history = History(repository)
    change = history.commit({b"d/pixels": Made(bytes(2 << 20), kind=KIND_BINARY)})
    name, blob = history.id(change).hex(), repository.store.id_of(BLOBS, 1).hex()
    path = os.path.join(repository.root, b".oxy", b"segments", b"000001.oxs")
    repository.close()
    flip(path)
    with opened(repository.root) as again:
        wrong = {(area, what, path) for area, what, _, path in found(again)}
    assert (
        CHANGE,
        f"change {name} needs blob {blob}, which is lost",
        b"d/pixels",
    ) in wrong
    assert (NAME, f"bookmark 'main' holds change {name}, damaged", None) in wrong


def test_a_lost_index_is_made_anew_from_the_segments(repository: Repository) -> None:
    story(repository)
    wanted = [header for _, header in repository.headers([1, 2, 3, 4])]
    repository.close()
    os.unlink(os.path.join(repository.root, b".oxy", b"index.db"))
    assert rebuild(repository.root) == []
    assert os.listdir(os.path.join(repository.root, b".oxy", b"cache")) == []
    with opened(repository.root) as again:
        assert [header for _, header in again.headers([1, 2, 3, 4])] == wanted
        assert again.refs.get(Ref(BOOKMARK, b"main")) == Target(Name((4,)))
        assert found(again) == []


def test_what_only_the_old_index_knows_of_is_told_when_rebuilding(
    repository: Repository,
) -> None:
    story(repository)
    blobs, operations = map(repository.store.count, (BLOBS, OPERATIONS))
    repository.close()
    os.unlink(os.path.join(repository.root, b".oxy", b"segments", b"000001.oxs"))
    assert [what for _, what, *_ in rebuild(repository.root)] == [
        "4 changes of the old index are in no segment",
        f"{blobs} blobs of the old index are in no segment",
        f"{operations} operations of the old index are in no segment",
    ]


def test_what_needs_a_damaged_change_is_told_when_rebuilding(repository: Repository) -> None:
    history = story(repository)
    first = history.id(1).hex()
    repository.close()
    path = os.path.join(repository.root, b".oxy", b"segments", b"000001.oxs")
    flip(path)
    findings = rebuild(repository.root)
    assert findings[-1].area == SEGMENT
    assert any(f"names change {first}: it is missing" in each.what for each in findings)


@pytest.mark.parametrize("is_wrong", [False, True])
def test_kept_trees_are_checked_in_another_process_where_there_are_many(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, *, is_wrong: bool
) -> None:
    history = story(repository)
    if is_wrong:
        root = tree_of(repository, Name((4,)))
        keep(repository, Name((4,)), edited(root, {b"extra": Entry(1, 1, 0, bytes(16))}))
    monkeypatch.setattr("oxy.repo.fsck.PAYS", 1)
    monkeypatch.setattr("oxy.repo.fsck.processors", lambda: 2)
    monkeypatch.setattr("oxy.repo.fsck.check_trees", elsewhere(os.getpid()))
    whats = [finding.what for finding in found(repository)]
    wrong = f"the kept tree of state {history.id(4).hex()} is wrong"
    assert whats == [wrong][: int(is_wrong)]


def elsewhere(parent: int) -> Callable[[Repository, Progress], Iterator[Finding]]:
    """Return a check of kept trees that the parent does not do itself."""

    def check(repository: Repository, progress: Progress) -> Iterator[Finding]:
        assert os.getpid() != parent
        return check_trees(repository, progress)

    return check


def test_a_process_that_dies_leaves_its_part_of_the_check_to_the_other(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    history = story(repository)
    root = tree_of(repository, Name((4,)))
    keep(repository, Name((4,)), edited(root, {b"extra": Entry(1, 1, 0, bytes(16))}))
    monkeypatch.setattr("oxy.repo.fsck.PAYS", 1)
    monkeypatch.setattr("oxy.repo.fsck.processors", lambda: 2)
    monkeypatch.setattr("oxy.repo.fsck._read_through_rows_of", os.abort)
    (finding,) = found(repository)
    assert finding.what == f"the kept tree of state {history.id(4).hex()} is wrong"


def test_a_blob_is_read_where_the_index_says_that_it_is(repository: Repository) -> None:
    story(repository)
    repository.close()
    database = sqlite3.connect(os.fsdecode(repository.root) + "/.oxy/index.db")
    with database:
        database.execute("UPDATE objects SET slot = slot + 1 WHERE kind = 2")
    database.close()
    with opened(repository.root) as again:
        assert OBJECT in {finding.area for finding in found(again)}
