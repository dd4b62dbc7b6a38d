import pytest

from oxy.cli.choosing import pick_of
from oxy.cli.front import UsageError
from oxy.worktree.hunks import WHOLE, Pick


def test_a_word_names_a_hunk_or_a_part_of_one() -> None:
    assert pick_of("12") == Pick(12, WHOLE)
    assert pick_of("12.3") == Pick(12, 3)


@pytest.mark.parametrize("word", ["", "x", "1.", ".1", "1.x", "1.0", "-1", "1.2.3"])
def test_any_other_word_is_refused(word: str) -> None:
    with pytest.raises(UsageError):
        pick_of(word)
