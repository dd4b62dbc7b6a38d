from collections.abc import Iterator
from pathlib import Path

import pytest

from oxy.actions.blame import Line, NotTextError
from oxy.actions.past import Past
from oxy.actions.status import NoSuchPathError
from oxy.actions.tree import IsDirectoryError
from oxy.actions.unrecorded import blame_on_disk
from oxy.repo.repository import Repository
from oxy.worktree.workcopy import WorkingCopy, working_copy
from tests.builders.history import History


@pytest.fixture
def history(tmp_path: Path) -> Iterator[History]:
    repository = Repository.create(bytes(tmp_path))
    yield History(repository)
    repository.close()


@pytest.fixture
def copy(history: History) -> Iterator[WorkingCopy]:
    with working_copy(history.repository.root) as copy:
        yield copy


def told(copy: WorkingCopy, path: bytes, *, deleted: bool = False) -> list[tuple[bytes, str]]:
    """Return each line with the message of its change, and a mark where it is deleted."""
    return [
        (line.text, what(line)) for line in blame_on_disk(copy, path, Past(), deleted=deleted)
    ]


def what(line: Line) -> str:
    by = line.origin.header.message.decode() if line.origin else "new"
    if line.deleted is None:
        return f"{line.number} {by}"
    return " ".join([f"- {by}", *(one.header.message.decode() for one in line.deleted)])


def test_lines_on_disk_that_are_not_recorded_come_from_nowhere(
    history: History, copy: WorkingCopy, tmp_path: Path
) -> None:
    history.commit({b"f": b"a\nb\nc\n"}, message=b"one")
    (tmp_path / "f").write_bytes(b"a\nX\nc\nlast")
    assert told(copy, b"f") == [
        (b"a", "1 one"),
        (b"X", "2 new"),
        (b"c", "3 one"),
        (b"last", "4 new"),
    ]


def test_deleted_lines_stand_where_they_were_recorded_or_not(
    history: History, copy: WorkingCopy, tmp_path: Path
) -> None:
    first = history.commit({b"f": b"a\nb\nc\nd\n"}, message=b"one")
    history.commit({b"f": b"a\nc\nd\n"}, first, message=b"two")
    (tmp_path / "f").write_bytes(b"a\nd\n")
    assert told(copy, b"f", deleted=True) == [
        (b"a", "1 one"),
        (b"b", "- one two"),
        (b"c", "- one"),
        (b"d", "2 one"),
    ]
    assert told(copy, b"f") == [(b"a", "1 one"), (b"d", "2 one")]


def test_a_file_that_was_moved_by_hand_is_followed(
    history: History, copy: WorkingCopy, tmp_path: Path
) -> None:
    text = b"".join(b"line %d\n" % number for number in range(20))
    history.commit({b"f": text}, message=b"one")
    (tmp_path / "g").write_bytes(text + b"more\n")
    found = told(copy, b"g")
    assert found[0] == (b"line 0", "1 one")
    assert found[-1] == (b"more", "21 new")


def test_a_new_file_is_all_new_and_one_that_is_gone_as_it_was(
    history: History, copy: WorkingCopy, tmp_path: Path
) -> None:
    history.commit({b"f": b"a\n"}, message=b"one")
    (tmp_path / "g").write_bytes(b"x\n")
    assert told(copy, b"g") == [(b"x", "1 new")]
    assert told(copy, b"f") == [(b"a", "1 one")]


def test_what_has_no_lines_is_refused(
    history: History, copy: WorkingCopy, tmp_path: Path
) -> None:
    history.commit({b"f": b"a\n", b"d/g": b"a\n"})
    (tmp_path / "f").write_bytes(b"\0")
    with pytest.raises(NotTextError):
        told(copy, b"f")
    with pytest.raises(IsDirectoryError):
        told(copy, b"d")
    with pytest.raises(NoSuchPathError):
        told(copy, b"none")
