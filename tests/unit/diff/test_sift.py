from oxy.diff.sift import sift
from oxy.diff.window import ListWindow

UNKNOWN = [b"unknown %d" % number for number in range(20)]


def window(lines: list[bytes], start: int = 0) -> ListWindow:
    return ListWindow(lines, start, len(lines))


def test_lines_of_one_side_take_no_part() -> None:
    old, new = sift(window([b"a", b"b", b"c"]), window([b"b", b"x", b"a"]))
    assert list(old.positions) == [0, 1]
    assert list(new.positions) == [0, 2]
    assert old.keys == [0, 1]
    assert new.keys == [1, 0]
    assert (bytes(old.set_aside), bytes(new.set_aside)) == (b"\0\0\1", b"\0\1\0")


def test_a_frequent_line_amid_unknown_ones_takes_no_part() -> None:
    head = [b""] * 20
    old, new = sift(
        window([*head, *UNKNOWN[:5], b"", *UNKNOWN[5:10]], 20),
        window([*head, *UNKNOWN[10:15], b"", *UNKNOWN[15:]], 20),
    )
    assert old.keys == new.keys == []


def test_a_frequent_line_beside_one_known_elsewhere_takes_part() -> None:
    head = [*[b""] * 20, b"known"]
    old, new = sift(
        window([*head, b"a", b"b", b"c", b"known", b"", b"e", b"f", b"g"], 21),
        window([*head, b"k", b"l", b"m", b"known", b"", b"o", b"p", b"q"], 21),
    )
    assert list(old.positions) == list(new.positions) == [3, 4]


def test_a_frequent_line_amid_few_unknown_ones_takes_part() -> None:
    head = [b""] * 20
    old, new = sift(window([*head, b"a", b"", b"b"], 20), window([*head, b"k", b"", b"l"], 20))
    assert list(old.positions) == list(new.positions) == [1]
