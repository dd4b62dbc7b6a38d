from oxy.graph.closure import closure, components


def test_a_node_reaches_the_runs_after_it_and_not_its_own() -> None:
    # Two runs, the second after the first: 0 -> 1 -> 2 -> 3.
    assert closure([[1], [2], [3], []]) == [0b10, 0b10, 0, 0]


def test_a_run_on_a_cycle_reaches_itself() -> None:
    assert closure([[1], [2], [3], [0]]) == [0b11] * 4


def test_an_out_does_not_reach_what_lies_inside() -> None:
    # Run 1 lies inside run 0: 0 -> 2 -> 3 -> 1.
    assert closure([[1, 2], [], [3], [1]]) == [0b10, 0, 0, 0]


def test_components_come_after_those_that_they_reach() -> None:
    found = list(components([[1], [2], [1, 3], []]))
    assert [sorted(component) for component in found] == [[3], [1, 2], [0]]


def test_a_chain_longer_than_any_stack_is_closed() -> None:
    length = 20_000
    chain = [[node + 1] for node in range(length - 1)] + [[]]
    assert sum(1 for _ in components(chain)) == length
