import pytest

from oxy.model.width import clipped, padded, width


@pytest.mark.parametrize(
    ("text", "columns"),
    [("", 0), ("Ada", 3), ("Zoë", 3), ("Zoe\u0308", 3), ("李白", 4), ("한글", 4), ("🦀", 2)],
)
def test_text_takes_the_room_that_a_terminal_gives_it(text: str, columns: int) -> None:
    assert width(text) == columns
    assert padded(text, 6) == text + " " * (6 - columns)
    assert padded(text, 0) == text


def test_text_is_clipped_to_whole_characters() -> None:
    assert clipped("abc", 2) == "ab"
    assert clipped("李白", 3) == "李"
    assert clipped("李白", 4) == "李白"
    assert clipped("Zoe\u0308x", 3) == "Zoe\u0308"
