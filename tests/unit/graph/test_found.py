from oxy.graph.found import Clash, Found, Pair, StandIn


def clash_of(*changes: int) -> Clash:
    """Return the clash of changes that each replace one line; their runs have their numbers."""
    return Clash(tuple(StandIn(change, change, change) for change in changes), changes)


def starts(most: int) -> list[int]:
    return [change << 32 for change in range(most + 1)]


def test_each_replacement_is_open_against_every_other_deletion() -> None:
    found = Found(frozenset(), [clash_of(1, 2, 3)], frozenset())
    assert found.is_open
    assert found.pairs == {Pair(x, d, 0) for x in (1, 2, 3) for d in (1, 2, 3) if x != d}
    assert found.of(frozenset({1})) == {Pair(1, 2, 0), Pair(1, 3, 0)}


def test_runs_name_their_changes_and_the_deletions_that_they_are_open_against() -> None:
    found = Found(frozenset(), [clash_of(1, 2, 3)], frozenset())
    assert found.named(frozenset({1}), starts(3)) == {1, 2, 3}
    assert found.deletions(frozenset({1})) == {2, 3}
    assert found.deletions(frozenset({1, 2})) == {1, 2, 3}
    assert found.named(frozenset({9}), starts(9)) == set()


def test_a_stand_in_is_not_open_against_what_it_came_by() -> None:
    clash = Clash((StandIn(7, 7, 2),), (2, 7))
    assert not clash.is_open(StandIn(7, 7, 2))
    assert list(clash.pairs()) == []
    assert clash.named(frozenset({7})) == set()


def test_a_triple_names_its_keeper() -> None:
    found = Found(frozenset({Pair(1, 5, 6)}), [], frozenset())
    assert found.named(frozenset({1, 2}), starts(2)) == {5, 6}
    assert found.deletions(frozenset({1})) == {5}


def test_nothing_found_is_not_open() -> None:
    assert not Found(frozenset(), [], frozenset()).is_open
