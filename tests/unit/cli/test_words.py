import io

from oxy.cli.output import Output
from oxy.cli.words import replaced, write_lines, write_words

LINES = [
    b" same",
    b"-a quick brown fox",
    b"-gone",
    b"+a quick red fox",
    b" same",
    b"+new",
    b"\\ No newline at end of file",
]


def output(*, colour: bool) -> tuple[Output, io.BytesIO]:
    stream = io.BytesIO()
    out = Output(stream, None)
    out.choose_colour("always" if colour else "never")
    return out, stream


def test_removed_and_added_lines_go_together() -> None:
    assert list(replaced(LINES)) == [
        ([], [], [b" same"]),
        (LINES[1:3], [LINES[3]], [b" same"]),
        ([], [b"+new"], [LINES[-1]]),
    ]


def test_a_line_without_lf_stands_between_what_it_parts() -> None:
    lines = [b"-a", b"\\ No newline at end of file", b"+a"]
    assert list(replaced(lines)) == [([b"-a"], [], [lines[1]]), ([], [b"+a"], [])]


def test_words_that_changed_stand_inside_their_line() -> None:
    out, stream = output(colour=False)
    write_words(out, LINES)
    assert stream.getvalue() == (
        b"same\na quick [-brown-]{+red+} fox\n[-gone-]\nsame\n{+new+}\n"
        b"\\ No newline at end of file\n"
    )


def test_words_that_changed_stand_out_in_colour() -> None:
    out, stream = output(colour=True)
    write_lines(out, LINES)
    shown = stream.getvalue()
    assert b"\x1b[7;31mbrown\x1b[0m" in shown
    assert b"\x1b[7;32mred\x1b[0m" in shown
    assert b"\x1b[32m+\x1b[0m\x1b[32mnew\x1b[0m\n" in shown


def test_colour_changes_no_byte_of_a_patch() -> None:
    import re

    out, stream = output(colour=True)
    write_lines(out, LINES)
    assert re.sub(rb"\x1b\[[0-9;]*m", b"", stream.getvalue()) == b"\n".join([*LINES, b""])
