import pytest

from oxy.cli.ranges import RangeError, parted, resolved

LINES = [b"one", b"two, three", b"a/b", b"four", b"two"]


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ("2,3", (2, 3)),
        ("3,2", (2, 3)),
        ("2", (2, 5)),
        ("2,", (2, 5)),
        (",2", (1, 2)),
        ("2,+2", (2, 3)),
        ("4,-2", (3, 4)),
        ("1,-9", (1, 1)),
        ("4,99", (4, 5)),
        ("/two/", (2, 5)),
        ("/two/,/two/", (2, 5)),
        ("/two,/,+1", (2, 2)),
        (r"/a\/b/,4", (3, 4)),
    ],
)
def test_a_range_means_lines(given: str, wanted: tuple[int, int]) -> None:
    assert resolved(given, LINES) == wanted


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("", "-L : write START,END"),
        ("6,7", "-L 6,7: the file has 5 lines"),
        ("6", "-L 6: the file has 5 lines"),
        ("0,2", "-L 0,2: lines count from 1"),
        ("x,2", "-L x,2: 'x' is no number of a line"),
        ("1,+0", "-L 1,+0: it is empty"),
        ("/none/", "-L /none/: no line matches /none/"),
        ("/one", "-L /one: a / is missing at the end of the expression"),
        ("//,2", "-L //,2: an expression stands between two /"),
        ("/(/", "-L /(/: missing ), unterminated subpattern at position 0"),
    ],
)
def test_what_is_no_range_is_refused(given: str, message: str) -> None:
    with pytest.raises(RangeError) as caught:
        resolved(given, LINES)
    assert str(caught.value) == message


def test_a_path_follows_a_range_behind_a_colon() -> None:
    assert parted("1,2:src/a:b") == ("1,2", "src/a:b")
    assert parted("/a:b/,+2:f") == ("/a:b/,+2", "f")
    for given in ("1,2", "1,2:"):
        with pytest.raises(RangeError, match="write START,END:PATH"):
            parted(given)
