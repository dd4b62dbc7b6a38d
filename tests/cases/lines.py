"""The line cases: what the changes of several sides read as together (spec: conflicts, C29)."""

from collections.abc import Iterator
from typing import Final

from tests.cases.script import Case, Reads, Revert, Step, Tell, sides

ROUNDS: Final = 200
WRAPS: Final = 100


def _distinct(count: int) -> str:
    """Return a text of lines that all differ."""
    return "".join(map(chr, range(0x4E00, 0x4E00 + count)))


def _rounds(count: int) -> Iterator[Step]:
    yield Tell("O", "", "0")
    state = "O"
    for number in range(1, count + 1):
        one, other, resolution = f"A{number}", f"B{number}", f"AR{number}"
        x, y, z = chr(0x3041 + number % 80), chr(0x30A1 + number % 80), str(number % 10)
        yield Tell(one, state, x)
        yield Tell(other, state, y)
        yield Reads(f"{one} {other}", f"{{{x}|{y}}}")
        yield Tell(resolution, f"{one} {other}", z)
        yield Reads(resolution, z)
        state = resolution


def _wrapped(lines: int, count: int) -> Iterator[Step]:
    block = text = _distinct(lines)
    yield Tell("O", "", block)
    state = "O"
    for number in range(1, count + 1):
        text = f"({text})"
        yield Tell(f"A{number}", state, text)
        state = f"A{number}"
    yield Tell("AZ", state, "")
    inserted = block[: lines // 2] + "x" + block[lines // 2 :]
    yield Tell("B", "O", inserted)
    yield Reads(state + " B", "(" * count + inserted + ")" * count)
    yield Reads("AZ B", f"{{|{inserted}}}")


def _far_apart(lines: int, step: int) -> Iterator[Step]:
    base = _distinct(lines)
    left, right, both = list(base), list(base), list(base)
    for place in range(0, lines, step):
        left[place] = both[place] = chr(0x3041 + place % 80)
        right[place + step // 2] = both[place + step // 2] = chr(0x30A1 + place % 80)
    yield Tell("O", "", base)
    yield Tell("A", "O", "".join(left))
    yield Tell("B", "O", "".join(right))
    yield Reads("A B", "".join(both))


CASES: Final = (
    sides(
        "1",
        "an edit follows the line and not its position",
        "ABCDE",
        "GGGABCDE; ABCDEGGGABCDE",
        "ABXDE",
        reads="ABCDEGGGABXDE",
    ),
    Case(
        "2",
        "changes arrive one at a time or together",
        (
            Tell("O", "", "AB"),
            Tell("A1", "O", "GAB"),
            Tell("B", "O", "AXB"),
            Reads("A1 B", "GAXB"),
            Tell("A2", "A1", "ABGAB"),
            Reads("A2 B", "ABGAXB"),
        ),
    ),
    sides("3", "neighbours are no conflict", "abc", "Abc", "aBc", reads="ABc"),
    sides("4", "two insertions in one place", "ab", "axb", "ayb", reads="a{x|y}b"),
    sides("4", "three insertions in one place", "ab", "axb", "ayb", "azb", reads="a{x|y|z}b"),
    *(
        Case(
            "5",
            f"two orders of two lines, resolved to {resolution}",
            (
                Tell("O", "", "ab"),
                Tell("A", "O", "axb"),
                Tell("B", "O", "ayb"),
                Reads("A B", "a{x|y}b"),
                Tell("AR", "A B", "axyb"),
                Reads("AR", "axyb", "O A B O"),
                Tell("BR", "A B", "ayxb"),
                Reads("BR", "ayxb", "O B A O"),
                Reads("AR BR", "a{x|y}b"),
                Tell("AE", "AR BR", resolution),
                Reads("AE", resolution),
                Reads("AE -AE", "a{x|y}b"),
            ),
        )
        for resolution in ("axyb", "ayxb", "axb", "ab", "azb")
    ),
    Case(
        "6",
        "a resolution gives lines back under their identity",
        (
            Tell("O", "", "abcd"),
            Tell("A", "O", ""),
            Tell("B", "O", "abxyzcd"),
            Reads("A B", "{|abxyzcd}"),
            Tell("AR", "A B", "azd"),
            Reads("AR", "azd", "O B O"),
        ),
    ),
    sides("7", "one region", "abcdef", "af", "abcxzdef; abcxyzdef", reads="a{|bcxyzde}f"),
    Case(
        "9",
        "a line deleted twice",
        (
            Tell("O", "", "abc"),
            Tell("A", "O", "ac"),
            Tell("B", "O", "ac"),
            Reads("A B", "ac"),
            Reads("A B -A", "ac"),
            Reads("A B -B", "ac"),
            Reads("A B -A -B", "abc", "O O O"),
        ),
    ),
    Case(
        "10",
        "a change is unrecorded under a later one and applied again",
        (
            Tell("O", "", "12345"),
            Tell("A1", "O", "12ab5"),
            Tell("A2", "A1", "1ab5"),
            Reads("A2 -A1", "1345"),
            Reads("A2", "1ab5", "O A1 A1 O"),
        ),
    ),
    Case(
        "12",
        "a deletion reverted",
        (
            Tell("O", "", "abc"),
            Tell("A", "O", "ac"),
            Revert("AV", "A", "A"),
            Reads("AV", "abc", "O O O"),
            Reads("AV -AV", "ac"),
        ),
    ),
    Case(
        "13",
        "the same insertion twice",
        (
            Tell("O", "", "ab"),
            Tell("A", "O", "axb"),
            Tell("B", "O", "axb"),
            Reads("A B", "axb"),
            Reads("A B -A", "axb", "O B O"),
            Tell("AD", "A B", "ab"),
            Reads("AD", "ab"),
        ),
    ),
    Case("18", "a few rounds of one line replaced and resolved", tuple(_rounds(3))),
    Case("18", "two hundred rounds", tuple(_rounds(ROUNDS)), is_large=True),
    Case("19", "a block wrapped and deleted", tuple(_wrapped(4, 3))),
    Case("19", "a long block wrapped often", tuple(_wrapped(100, WRAPS)), is_large=True),
    sides("21", "insertion after a replaced line", "ab", "axb", "Ab", reads="Axb"),
    sides("22", "insertion before a replaced line", "ab", "axb", "aB", reads="axB"),
    sides("23", "replacements that overlap", "abcd", "Pd", "aQ", reads="{Pd|aQ}"),
    sides("24", "insertion in what is replaced", "abcd", "aXd", "abycd", reads="a{X|byc}d"),
    sides("25", "the same replacement twice", "abc", "aXc", "aXc", reads="aXc"),
    sides(
        "26",
        "five changes to neighbouring pairs",
        "abcdef",
        "ABcdef",
        "aXYdef",
        "abPQef",
        "abcRSf",
        "abcdTU",
        reads="{ABcdef|aXYdef|abPQef|abcRSf|abcdTU}",
    ),
    Case("27", "edits far apart", tuple(_far_apart(16, 4))),
    Case("27", "edits far apart in a long text", tuple(_far_apart(2000, 20)), is_large=True),
    sides("29", "replaced here and deleted there", "abc", "aXc", "ac", reads="a{X|}c"),
    sides("30", "appended here, the line before deleted there", "ab", "abx", "a", reads="ax"),
    sides(
        "31",
        "deleted, and inserted between",
        "abcd",
        "ad",
        "abxcd; axcd",
        reads="a{|xc}d",
    ),
    sides("32", "deleted, and replaced twice", "abc", "ac", "aXc; aYc", reads="a{Y|}c"),
    Case(
        "33",
        "a line of a resolution is replaced",
        (
            Tell("O", "", "ab"),
            Tell("A", "O", "axb"),
            Tell("B", "O", "ayb"),
            Tell("AR", "A B", "axyb"),
            Tell("AX", "AR", "aXyb"),
            Reads("AX", "aXyb", "O AX B O"),
        ),
    ),
    Case(
        "34",
        "resolutions that keep different sides",
        (
            Tell("O", "", "ab"),
            Tell("A", "O", "axb"),
            Tell("B", "O", "ayb"),
            Tell("AR", "A B", "axb"),
            Tell("BR", "A B", "ayb"),
            Reads("AR", "axb"),
            Reads("BR", "ayb"),
            Reads("AR BR", "a{x|y}b"),
        ),
    ),
    Case(
        "35",
        "keeping all against taking the deletion",
        (
            Tell("O", "", "abcde"),
            Tell("A", "O", "abxcde"),
            Tell("B", "O", "ae"),
            Reads("A B", "a{|bxcd}e"),
            Tell("AR", "A B", "abxcde"),
            Tell("BR", "A B", "ae"),
            Reads("AR", "abxcde", "O O A O O O"),
            Reads("BR", "ae"),
            Reads("AR BR", "a{|bxcd}e"),
        ),
    ),
    Case(
        "36",
        "insertion beside a line that both wrote",
        (
            Tell("O", "", "abc"),
            Tell("A", "O", "aXc"),
            Tell("B", "O", "aXc"),
            Reads("A B", "aXc"),
            Tell("AV", "A B", "aXvc"),
            Reads("AV", "aXvc"),
            Tell("AW", "AV", "aXVc"),
            Reads("AW", "aXVc"),
        ),
    ),
    Case(
        "37",
        "insertion where a line was deleted, without the deletion",
        (
            Tell("O", "", "abc"),
            Tell("A1", "O", "ac"),
            Tell("A2", "A1", "axc"),
            Reads("A2", "axc"),
            Reads("A2 -A1", "a{b|x}c"),
        ),
    ),
    Case(
        "C8",
        "a revert of a line edited since",
        (
            Tell("O", "", "abc"),
            Tell("A1", "O", "aXc"),
            Tell("A2", "A1", "aYc"),
            Revert("BV", "A1", "A1"),
            Reads("BV", "abc", "O O O"),
            Reads("A2 BV", "ab{|Y}c"),
        ),
    ),
    Case(
        "C8",
        "a restore against a second deletion",
        (
            Tell("O", "", "abc"),
            Tell("A", "O", "ac"),
            Tell("B", "O", "ac"),
            Revert("AV", "A", "A"),
            Reads("AV B", "a{b|}c"),
        ),
    ),
)

ENDINGS: Final = (
    Case(
        "20",
        "no final LF, against nothing at all",
        (
            Tell("O", "", "a\nb"),
            Tell("A", "O", "a\nx"),
            Tell("B", "O", ""),
            Reads("A B", "{|a\nx\n}"),
            Tell("AR", "A B", "x"),
            Reads("AR", "x"),
        ),
    ),
    Case(
        "28",
        "lines that end in CR LF",
        (
            Tell("O", "", "a\r\nb\r\nc\r\n"),
            Tell("A", "O", "A\r\nb\r\nc\r\n"),
            Tell("B", "O", "a\r\nb\r\nC\r\n"),
            Reads("A B", "A\r\nb\r\nC\r\n"),
        ),
    ),
    Case(
        "38",
        "the final LF goes, and a line comes after it",
        (
            Tell("O", "", "a\nb\n"),
            Tell("A", "O", "a\nb"),
            Tell("B", "O", "a\nb\nc\n"),
            Reads("A B", "a\nb\nc"),
        ),
    ),
)
"""The cases of how lines end; their texts are bytes, and a side is shown with a final LF."""
