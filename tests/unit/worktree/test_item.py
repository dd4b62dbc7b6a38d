import os
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from oxy.model.operation import KIND_BINARY, KIND_SYMLINK, KIND_TEXT
from oxy.worktree.item import UNHASHED, Item, executable, is_symlink, size_of
from oxy.worktree.listing import pack
from oxy.worktree.row import UNKNOWN

DIGEST = b"d" * 32


@given(st.integers(0, 2**32 - 1), st.integers(0, 255), st.integers(0, 1))
def test_an_entry_of_the_manifest_gives_the_item_back(node: int, kind: int, mode: int) -> None:
    item = Item(node, kind, mode, DIGEST)
    assert Item.of(item.entry(b"name", UNKNOWN)) == item


def test_a_digest_that_nobody_knows_is_kept_as_such() -> None:
    assert Item.of(Item(1, KIND_TEXT, 0, b"").entry(b"name", UNKNOWN)).digest == UNHASHED


def test_an_item_fits_a_file_of_its_type_and_mode(tmp_path: Path) -> None:
    plain, tool, link = tmp_path / "plain", tmp_path / "tool", tmp_path / "link"
    plain.write_bytes(b"abc")
    tool.write_bytes(b"")
    plain.chmod(0o644)
    tool.chmod(0o755)
    link.symlink_to("plain")
    records = [pack(os.lstat(path)) for path in (plain, tool, link)]
    items = [
        Item(1, KIND_TEXT, 0, DIGEST),
        Item(1, KIND_BINARY, 1, DIGEST),
        Item(1, KIND_SYMLINK, 0, DIGEST),
    ]
    fits = [[item.fits(record) for record in records] for item in items]
    assert fits == [[True, False, False], [False, True, False], [False, False, True]]
    assert [executable(record) for record in records] == [0, 1, 0]
    assert [is_symlink(record) for record in records] == [False, False, True]
    assert size_of(records[0]) == 3


def test_only_the_owner_s_executable_bit_counts(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"")
    file.chmod(0o655)
    assert executable(pack(os.lstat(file))) == 0
    file.chmod(0o4744)
    assert executable(pack(os.lstat(file))) == 1
