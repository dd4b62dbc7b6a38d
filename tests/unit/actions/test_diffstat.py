from oxy.actions.diffstat import Stat, lines_of, stat_of, summary_of
from oxy.actions.patch import REGULAR, SYMLINK, FileDiff, Manner, whole
from oxy.diff.blank import ALL


def diff(old: bytes, new: bytes, mode: int = REGULAR) -> FileDiff:
    return FileDiff(b"f", b"f", REGULAR, mode, old, new)


def shown(*stats: Stat) -> list[bytes]:
    return [b"".join(parts) for parts in lines_of(stats)]


def test_lines_are_counted() -> None:
    assert stat_of(diff(b"a\nb\n", b"a\nc\nd\n"))[2:4] == (2, 1)
    assert stat_of(diff(b"a b\n", b"ab\n"), Manner(past=ALL))[2:4] == (0, 0)


def test_a_file_that_became_a_symlink_lost_all_its_lines() -> None:
    assert stat_of(diff(b"a\nb\n", b"a\n", SYMLINK))[2:4] == (1, 2)


def test_a_binary_is_counted_in_bytes() -> None:
    made = diff(b"x\n", b"\1" * 32)._replace(binary=True, new_source=whole(b"\0" * 7))
    assert stat_of(made) == Stat(b"f", None, 7, 2, binary=True)
    assert shown(stat_of(made)) == [b" f | Bin 2 -> 7 bytes"]


def test_a_rename_shows_both_names() -> None:
    moved = diff(b"a\n", b"a\n")._replace(old_path=b"old \xff")
    assert shown(stat_of(moved)) == [b' "old \\377" => f | 0']


def test_many_lines_are_drawn_to_scale() -> None:
    many = Stat(b"many", None, 3000, 1, binary=False)
    few = Stat(b"f", None, 1, 2, binary=False)
    lines = shown(many, few)
    assert lines[0] == b" many | 3001 " + b"+" * 67 + b"-"
    assert lines[1] == b" f    |    3 +-"


def test_a_summary_counts_in_words() -> None:
    assert summary_of([Stat(b"f", None, 1, 0, binary=False)]) == (
        b" 1 file changed, 1 insertion(+)"
    )
    assert summary_of([Stat(b"f", None, 0, 0, binary=False)] * 2) == (
        b" 2 files changed, 0 insertions(+), 0 deletions(-)"
    )
