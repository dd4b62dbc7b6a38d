import pytest

from oxy.diff.window import ListWindow, TextWindow, Window, split_lines

NAMES = [b"%d" % number for number in range(1000)]
TEXT = b"".join(name + b"\n" for name in NAMES)


def text_window() -> Window:
    begin = TEXT.index(b"\n500\n") + 1
    end = TEXT.index(b"\n510\n") + 1
    return TextWindow(TEXT, 500, begin, end, len(TEXT))


@pytest.mark.parametrize("window", [text_window(), ListWindow(NAMES, 500, 510)])
def test_a_window_reads_any_line_of_its_text(window: Window) -> None:
    assert window.middle == NAMES[500:510]
    for number in (505, 499, 3, 0, 510, 999):
        assert window.line(number) == NAMES[number]
    assert window.line(-1) is None
    assert window.line(1000) is None
    assert window.middle == NAMES[500:510]
    assert window.outside() == NAMES[:500] + NAMES[510:]


def test_nothing_from_the_stop_on_is_read() -> None:
    window = TextWindow(b"a\nb\nc\nd\n", 1, 2, 4, 6)
    assert window.line(2) == b"c"
    assert window.line(3) is None
    assert window.outside() == [b"a", b"c"]


def test_a_last_line_without_line_feed_is_unlike_one_with() -> None:
    assert split_lines(b"a\na") == [b"a", b"a\n"]
    assert split_lines(b"") == []
    assert split_lines(b"\n") == [b""]
