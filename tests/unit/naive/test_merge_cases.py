"""The line cases on the naive model, and the graph's reading of what the model records."""

import pytest

from tests.cases.lines import CASES
from tests.cases.players import OnModel
from tests.cases.script import Case, fitting, play, ranks
from tests.graphs.bridge import Bridge, shown_by_model
from tests.naive.arrivals import arrivals
from tests.naive.rendering import Line
from tests.naive.story import Story, reading, reads

SMALL = fitting(CASES)


@pytest.mark.parametrize("case", SMALL, ids=[case.id for case in SMALL])
def test_a_case_reads_as_listed_with_other_ids(case: Case) -> None:
    for ids in ranks(case):
        player = OnModel(ids)
        names = {}
        for check in play(case, player):
            state = player.named(check.state)
            assert reads(player.text, state) == reading(check.text)
            names = {key: name for name, key in player.keys.items()}
            items = player.text.render(state)
            origins = [names[item.id.change] for item in items if isinstance(item, Line)]
            assert not check.blame or origins == list(check.blame)


@pytest.mark.parametrize("case", SMALL, ids=[case.id for case in SMALL])
def test_what_the_model_records_reads_alike_on_the_graph_in_every_order_of_arrival(
    case: Case,
) -> None:
    player = OnModel()
    states = [player.named(check.state) for check in play(case, player)]
    text = player.text
    shown = [shown_by_model(text, state) for state in states]
    needs = {key: change.dependencies for key, change in text.changes.items()}
    for order in arrivals(needs):
        bridge = Bridge(text)
        for key in order:
            bridge.take(key)
        assert [bridge.shown(state) for state in states] == shown


def test_the_sides_of_a_conflict_are_listed_by_change_id() -> None:
    for ids in ((0, 1, 2), (0, 2, 1)):
        story = Story("ab", ids)
        merged = story.fork("axb") | story.fork("ayb")
        expected = "a{x|y}b" if ids[1] < ids[2] else "a{y|x}b"
        assert story.text.show(merged) == expected


def test_a_line_that_a_conflict_does_not_show_goes_with_its_resolution() -> None:
    """Two lines read m here; the conflict lists one of them, and taking h must end both."""
    story = Story("m")
    second = story.tell(frozenset(), "m")
    merged = story.fork("lnh", "h") | second
    assert story.reads(merged) == reading("{m|h}")
    assert story.reads(story.tell(merged, "h")) == reading("h")


def test_what_is_put_before_a_line_inside_another_goes_after_that_one_s_text() -> None:
    """Here c comes back with a line inside it that is to follow, so c has not ended yet."""
    story = Story("aac")
    unchanged = story.fork("aac")
    second = story.tell(unchanged - story.base, "x")
    merged = story.fork("aad") | second
    assert story.reads(merged) == reading("{aac|x|aad}")
    for last_first in (False, True):
        key = story.next_key()
        story.text.add(story.text.record(merged, "aacxzd", key, last_first=last_first))
        assert story.reads(merged | {key}) == reading("aacxzd")


def test_a_resolution_decides_the_dead_lines_of_its_region_too() -> None:
    """A line kept on purpose and deleted since is in the region, though no side shows it."""
    story = Story("mfi")
    emptied = story.fork("")
    replaced = story.fork("ee")
    kept = story.tell(emptied | story.fork("fkgfi"), "fkgfionmd", "kgonmd")
    merged = kept | replaced
    assert story.reads(merged) == reading("{kg|ee}onmd")
    assert story.reads(story.tell(merged, "kgeeonaamd")) == reading("kgeeonaamd")
