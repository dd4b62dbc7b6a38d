"""Two changes brought together in a working copy, through the real command line."""

from collections.abc import Callable

from tests.builders.desk import Desk


def fork(
    desk: Desk, theirs: Callable[[], object], ours: Callable[[], object]
) -> tuple[str, str]:
    """Merge two changes of what is there; return the ids of ours and theirs."""
    desk.says("switch", "-c", "topic")
    theirs()
    right = desk.commit("Theirs")
    desk.says("switch", "main")
    ours()
    left = desk.commit("Ours")
    desk.says("merge", "topic")
    return left, right
