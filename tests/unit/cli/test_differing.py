import io
from argparse import ArgumentParser, Namespace

from oxy.actions.patch import REGULAR, FileDiff, whole
from oxy.cli.differing import add_form, differs, write
from oxy.cli.output import Output

BINARY = FileDiff(
    b"f",
    b"f",
    REGULAR,
    REGULAR,
    b"1",
    b"2",
    binary=True,
    old_source=whole(b"\0"),
    new_source=whole(b"\0\0"),
)
BLANK = FileDiff(b"g", b"g", REGULAR, REGULAR, b"a\n", b" a\n")


class Screen(io.BytesIO):
    """A terminal."""

    def isatty(self) -> bool:
        return True


def asked(*words: str) -> Namespace:
    parser = ArgumentParser()
    add_form(parser)
    return parser.parse_args(words)


def shown(stream: io.BytesIO, *words: str) -> bytes:
    out = Output(stream, None)
    out.choose_colour("never")
    write(out, [BINARY], asked(*words), lambda path: path)
    return stream.getvalue()


def test_binary_content_is_for_programs() -> None:
    assert b"\nGIT binary patch\nliteral 2\n" in shown(io.BytesIO())
    assert shown(Screen()) == b"diff --git a/f b/f\nBinary files a/f and b/f differ\n"
    assert b"\nGIT binary patch\n" in shown(Screen(), "--binary")


def test_where_only_white_space_differs_nothing_may_differ() -> None:
    out = Output(io.BytesIO(), None)
    assert differs(out, [BLANK], asked())
    assert not differs(out, [BLANK], asked("-w"))
    assert differs(out, [BLANK], asked("-b"))
    assert write(out, [BLANK, BINARY], asked("-w"), lambda path: path) == 1
