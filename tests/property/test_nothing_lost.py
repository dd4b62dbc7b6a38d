"""Whatever commands do, every line ever recorded is found again (spec: states, S28)."""

import os
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.builders.desk import AUTHOR
from tests.builders.wanderer import Wanderer

MOST = 15 if settings().max_examples <= 100 else 400
NUMBER = st.integers(0, 11)
STEPS = st.lists(
    st.tuples(NUMBER, st.integers(0, 23), NUMBER, NUMBER, NUMBER), min_size=6, max_size=20
)
BOOKMARKS = ("main", "topic", "other")
Step = tuple[int, int, int, int, int]


def step(one: Wanderer, other: Wanderer, kind: int, numbers: tuple[int, int, int]) -> None:
    """Do one thing."""
    first, second, third = numbers
    changes = one.changes() or ["main"]
    change, later = changes[first % len(changes)], changes[second % len(changes)]
    name = BOOKMARKS[first % len(BOOKMARKS)]
    if kind < len(COMMANDS):
        words = COMMANDS[kind].format(
            change=change, later=later, name=name, peer=other.root, operation=first * 2 + second
        )
        if words.startswith(("commit", "amend")):
            one.edit(second, third, first)
            one.record(*words.split())
        else:
            one.run(*words.split())
        return
    one.edit(first, second, third)
    if third % 2:
        one.record("commit", "-m", "Edited")


COMMANDS = (
    "merge {name}",
    "pull {peer}",
    "pick {change}",
    "unrecord {change} --with-dependents",
    "revert {change} -m Reverted",
    "uncommit",
    "amend -m Amended",
    "amend {change} -m Amended",
    "reword {change} -m Reworded",
    "fold {change} {later}",
    "split {change} f -m First",
    "reorder {change} --before {later}",
    "rebase --onto {name}",
    "absorb",
    "undo",
    "op restore {operation}",
    "switch {name}",
    "switch -c {name}",
    "pull {peer}",
    "resolve --take left",
    "shelve",
    "unshelve",
)


@settings(max_examples=MOST)
@given(STEPS)
def test_every_line_ever_recorded_is_found_again_by_going_back(steps: list[Step]) -> None:
    with TemporaryDirectory() as directory, pytest.MonkeyPatch.context() as patch:
        patch.setenv("OXY_AUTHOR", AUTHOR)
        lines = count()
        pair = [Wanderer(Path(directory) / name, lines) for name in ("one", "other")]
        for which in (0, 0, 0, 1):
            pair[0].edit(which, 0, 2)
        pair[0].record("commit", "-m", "Base")
        pair[1].run("pull", os.fspath(pair[0].root))
        for who, kind, *numbers in steps:
            first, second, third = numbers
            step(pair[who % 2], pair[(who + 1) % 2], kind, (first, second, third))
        for one in pair:
            assert one.recorded <= one.go_back()
