"""Orders of arrival."""

from tests.naive.arrivals import arrivals
from tests.naive.story import Story


def test_two_changes_on_one_base_arrive_in_two_orders() -> None:
    story = Story("ab")
    story.fork("axb")
    story.fork("ayb")
    base, one, other = story.text.changes
    assert set(arrivals(story.text.changes)) == {(base, one, other), (base, other, one)}


def test_a_change_arrives_after_what_it_depends_on() -> None:
    story = Story("ab")
    story.fork("axb", "aXb")
    assert list(arrivals(story.text.changes)) == [tuple(story.text.changes)]
