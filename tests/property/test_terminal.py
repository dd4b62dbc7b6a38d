"""Whatever text comes, nothing acts on a terminal or hides in what is shown (spec: T11)."""

import io
import json

from hypothesis import given
from hypothesis import strategies as st

from oxy.cli.failure import report
from oxy.cli.output import Output, Styled
from oxy.cli.watching import ERASE, Watcher
from oxy.errors import RequestError

ODD = "\x1b[2J \x1b]0;x\x07 \x9b \r \x00 \x7f \u202e \u2066 \u200b \ufeff \u00ad \u061c"
EVIL = st.sampled_from((*ODD.split(" "), "\u2028", "\udc9b", "\U000e0041", "\n", "\t", "\x85"))
WORDS = st.lists(st.one_of(EVIL, st.text(max_size=5)), max_size=8).map("".join)
BYTES = st.one_of(WORDS.map(lambda text: text.encode("utf-8", "surrogatepass")), st.binary())
ACTS = {chr(code) for code in (*range(32), *range(127, 160), 0xAD, 0x61C, 0xFEFF)} - {"\t"}
HIDES = {chr(code) for code in (*range(0x200B, 0x2010), *range(0x2028, 0x202F))}
HIDES |= {chr(code) for code in (*range(0x2060, 0x2070), *range(0xE0000, 0xE0080))}


class Terminal(io.BytesIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def lines(stream: io.BytesIO) -> list[str]:
    """Return the lines that were written, which are UTF-8, and have nothing evil in them."""
    found = stream.getvalue().decode().split("\n")
    for line in found:
        assert not set(line) & (ACTS | HIDES)
    return found


@given(WORDS, BYTES)
def test_a_line_is_one_line_and_harmless(text: str, data: bytes) -> None:
    for stream in (io.BytesIO(), Terminal()):
        out = Output(stream, None)
        out.choose_colour("never")
        out.line(text, data, Styled("author", text))
        assert len(lines(stream)) == 2


@given(BYTES)
def test_text_has_the_lines_that_it_has(data: bytes) -> None:
    stream = io.BytesIO()
    Output(stream, None).text(data)
    assert len(lines(stream)) == data.removesuffix(b"\n").count(b"\n") + 2


@given(BYTES)
def test_what_programs_take_as_it_is_is_escaped_on_a_terminal(data: bytes) -> None:
    stream = Terminal()
    out = Output(stream, None)
    out.choose_colour("never")
    out.verbatim(data)
    assert len(lines(stream)) == 2


@given(WORDS, BYTES)
def test_notes_and_warnings_are_harmless(text: str, data: bytes) -> None:
    for stream in (io.BytesIO(), Terminal()):
        out = Output(io.BytesIO(), stream)
        out.choose_colour("never")
        out.note(text, data)
        out.warning(text, data)
        assert len(lines(stream)) == 3


@given(WORDS, BYTES)
def test_json_is_ascii_and_says_the_same(text: str, data: bytes) -> None:
    stream = io.BytesIO()
    Output(stream, None).record({"text": text, "data": data})
    (line, rest) = stream.getvalue().split(b"\n")
    assert line.isascii()
    assert not rest
    assert not set(line.decode()) & ACTS
    found = json.loads(line)
    held = found.get("data_bytes")
    assert (bytes.fromhex(held) if held else found["data"].encode()) == data


@given(WORDS)
def test_the_words_of_an_error_are_harmless(text: str) -> None:
    stream = io.BytesIO()
    report(RequestError(text), Output(io.BytesIO(), stream))
    lines(stream)


@given(WORDS)
def test_progress_is_harmless_but_for_its_own_erasing(text: str) -> None:
    stream = Terminal()
    clock = iter(range(0, 1000, 10))
    watcher = Watcher(stream, lambda: float(next(clock)))
    watcher.update(1, 2, text)
    shown = io.BytesIO(stream.getvalue().replace(ERASE, b""))
    assert len(lines(shown)) == 1
