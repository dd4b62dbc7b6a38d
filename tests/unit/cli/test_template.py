import pytest

from oxy.actions.log import Entry
from oxy.cli.template import FIELDS, Template, TemplateError
from oxy.model.change import Context, Header, Moment
from oxy.model.digest import ChangeId

ID = bytes(range(32))
OTHER = ChangeId(bytes(range(1, 33)))
HEADER = Header(
    b"Ada Lovelace <ada@example.org>",
    Moment(1_700_000_000_000_000, 60),
    b"Subject\r\n\nBody,\nmore.\n",
    (OTHER,),
    Context((OTHER,)),
)
ENTRY = Entry(7, ID, HEADER, (), b"\xab" * 20, (OTHER,))


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("", ""),
        ("plain é", "plain é"),
        (r"a\tb\n\\\{\}", "a\tb\n\\{}"),
        ("{change}", ID.hex()),
        ("{change:8}", "00010203"),
        ("{prefix}", "000102030405"),
        ("{author}", "Ada Lovelace <ada@example.org>"),
        ("{name}|{email}", "Ada Lovelace|ada@example.org"),
        ("{time}", "2023-11-14 23:13:20 +0100"),
        ("{time:iso}", "2023-11-14T23:13:20+01:00"),
        ("{time:date} {time:short}", "2023-11-14 2023-11-14 23:13"),
        ("{time:unix}", "1700000000"),
        (
            "{time:%d.%m.%Y %H.%M.%S %z %F %T 100%%}",
            "14.11.2023 23.13.20 +0100 2023-11-14 23:13:20 100%",
        ),
        ("{subject}", "Subject"),
        ("{body}", "Body,\nmore."),
        ("{message}", "Subject\r\n\nBody,\nmore."),
        ("{bookmarks}", "main, v1"),
        ("{git:4}", "abab"),
        ("{dependencies:6} {context:6} {replaces:6}|{replaced_by}", "010203 010203 010203|"),
    ],
)
def test_a_template_lays_a_change_out(text: str, wanted: str) -> None:
    assert Template(text).text(ENTRY, [b"main", b"v1"]).decode() == wanted


@pytest.mark.parametrize(
    ("text", "place", "rule"),
    [
        ("ab{", 3, "this { is never closed; \\{ is the character"),
        ("ab}", 3, "this } closes nothing; \\} is the character"),
        ("a\\q", 2, "behind \\ stands one of n, t, \\, { and }"),
        ("a\\", 2, "behind \\ stands one of n, t, \\, { and }"),
        ("{change:3}", 9, "an id takes 4 to 64 digits, not '3'"),
        ("{change:x}", 9, "an id takes 4 to 64 digits, not 'x'"),
        ("{subject:8}", 10, "this field takes nothing behind a colon"),
        (
            "{time:when}",
            7,
            "a time takes iso, date, short, unix or a pattern with %, not 'when'",
        ),
        ("{time:%Q}", 7, "there is no %Q; there are %Y, %m, %d, %H, %M, %S, %z, %F, %T, %%"),
        (
            "{time:a%%b%Q}",
            11,
            "there is no %Q; there are %Y, %m, %d, %H, %M, %S, %z, %F, %T, %%",
        ),
        ("{time:x%}", 8, "a letter has to follow this %"),
    ],
)
def test_an_error_tells_the_place(text: str, place: int, rule: str) -> None:
    with pytest.raises(TemplateError) as caught:
        Template(text)
    assert (caught.value.place, caught.value.rule) == (place, rule)
    assert str(caught.value) == f"--format, character {place}: {rule}"


def test_an_unknown_field_is_answered_with_near_ones() -> None:
    with pytest.raises(TemplateError) as caught:
        Template("{subjekt}")
    assert caught.value.near == ("subject",)
    assert all(name in caught.value.rule for name in FIELDS)
