from oxy.diff.blank import ALL, AMOUNT, edits_past
from oxy.diff.lines import Edit


def test_all_white_space_is_looked_past() -> None:
    assert edits_past(b"a b\n", b" ab\t\n", ALL) == []


def test_the_amount_of_white_space_is_looked_past() -> None:
    assert edits_past(b"a b\nx\n", b"a  b \nx", AMOUNT) == []
    assert edits_past(b"a b\n", b"ab\n", AMOUNT) == [Edit(0, 1, 0, 1)]
    assert edits_past(b"a b\n", b" a b\n", AMOUNT) == [Edit(0, 1, 0, 1)]
