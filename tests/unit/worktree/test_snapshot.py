import os
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from oxy.actions.commit import Request, commit
from oxy.actions.init import init
from oxy.repo.nodes import Nodes
from oxy.worktree import snapshot
from oxy.worktree.item import Item
from oxy.worktree.reader import TreeReader
from oxy.worktree.snapshot import LARGE
from oxy.worktree.workcopy import WorkingCopy, working_copy


@pytest.fixture
def root(tmp_path: Path) -> Path:
    init(bytes(tmp_path))
    return tmp_path


def record(root: Path) -> None:
    with working_copy(bytes(root)) as copy:
        commit(copy, Request(author=b"Ada <a@x>"), lambda _: b"x")


def found(root: Path, only: tuple[bytes, ...] | None = None) -> list[tuple[bytes, str]]:
    with working_copy(bytes(root)) as copy:
        return [(change.path, change.kind) for change in copy.snapshot(only).changes]


class RefusalError(Exception):
    """Something was read that need not be."""


def refuse(*_: object, **__: object) -> None:
    raise RefusalError


def test_a_clean_tree_reads_no_file_and_opens_no_repository(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / "d").mkdir()
    (root / "d/f").write_text("1\n")
    record(root)
    monkeypatch.setattr(TreeReader, "read", refuse)
    monkeypatch.setattr(TreeReader, "chunks", refuse)
    monkeypatch.setattr(WorkingCopy, "repository", property(refuse))
    assert found(root) == []


def test_a_file_that_was_only_touched_is_vouched_for_after_one_look(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / "f").write_text("1\n")
    record(root)
    os.utime(root / "f", ns=(1, 1))
    time.sleep(0.05)  # the system's clock ticks, so that what changed before is not racy
    assert found(root) == []
    monkeypatch.setattr(TreeReader, "chunks", refuse)
    assert found(root) == []
    (root / "f").write_text("2\n")
    with pytest.raises(RefusalError):
        found(root)


def test_an_edit_of_the_same_size_and_time_is_seen(root: Path) -> None:
    (root / "f").write_text("1\n")
    record(root)
    before = os.stat(root / "f")
    (root / "f").write_text("2\n")
    os.utime(root / "f", ns=(before.st_atime_ns, before.st_mtime_ns))
    assert found(root) == [(b"f", "modified")]


def test_an_edit_that_follows_a_commit_at_once_is_seen(root: Path) -> None:
    for number in range(20):
        (root / "f").write_text(f"{number:02}\n")
        record(root)
        (root / "f").write_text(f"{number:02}+"[-3:])
        assert found(root) == [(b"f", "modified")]


def test_only_the_paths_that_are_asked_for_are_looked_at(root: Path) -> None:
    for name in ("a", "b"):
        (root / name).mkdir()
        (root / name / "f").write_text("1\n")
    record(root)
    (root / "a/f").unlink()
    (root / "a").rmdir()
    (root / "b/f").write_text("2\n")
    assert found(root, (b"a",)) == [(b"a/f", "deleted")]
    assert found(root, (b"b/f",)) == [(b"b/f", "modified")]
    assert found(root, (b"",)) == [(b"a/f", "deleted"), (b"b/f", "modified")]


def test_a_large_new_file_has_to_be_named(root: Path) -> None:
    with (root / "big").open("wb") as file:
        file.truncate(LARGE + 1)
    assert found(root) == []
    assert found(root, (b"big",)) == [(b"big", "added")]
    with (root / "big").open("wb") as file:
        file.truncate(LARGE)
    assert found(root) == [(b"big", "added")]


def test_a_file_that_gives_its_name_to_a_special_one_counts_as_deleted(root: Path) -> None:
    (root / "f").write_text("1\n")
    record(root)
    (root / "f").unlink()
    os.mkfifo(root / "f")
    with working_copy(bytes(root)) as copy:
        snapshot = copy.snapshot()
    assert [change[:2] for change in snapshot.changes] == [(b"f", "deleted")]
    assert [oddity[:2] for oddity in snapshot.oddities] == [(b"f", "special")]


def test_times_in_the_far_future_hide_no_edit(root: Path) -> None:
    future = 4_000_000_000 * 10**9
    (root / "f").write_text("1\n")
    os.utime(root / "f", ns=(future, future))
    record(root)
    assert found(root) == []
    (root / "f").write_text("2\n")
    os.utime(root / "f", ns=(future, future))
    assert found(root) == [(b"f", "modified")]


def test_without_a_manifest_no_graph_is_built_for_what_was_never_edited(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / "d").mkdir()
    for name, text in {"d/f": "1\n", "g": "long\n" * 2000, "h": "no end", "i": ""}.items():
        (root / name).write_text(text)
    (root / "j").symlink_to("g")
    record(root)
    (root / ".oxy/cache/manifest").unlink()
    (root / "d/f").write_text("2\n")
    monkeypatch.setattr(Nodes, "graph", refuse)
    monkeypatch.setattr(Nodes, "blob_chunks", refuse)
    assert found(root) == [(b"d/f", "modified")]


def test_digests_are_asked_for_in_batches(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshot, "BATCH", 3)
    for number in range(10):
        (root / f"f{number}").write_text(f"{number}\n")
    record(root)
    (root / ".oxy/cache/manifest").unlink()
    (root / "f3").write_text("other\n")
    asked: list[int] = []
    with working_copy(bytes(root)) as copy:

        def digests(items: Sequence[Item]) -> list[bytes]:
            asked.append(len(items))
            return list(map(copy.content.digest, items))

        differs, _ = snapshot.take(copy.fd, copy.manifest, digests, copy.clock())
    assert [change.path for change in differs.changes] == [b"f3"]
    assert asked == [3, 3, 3, 1]
