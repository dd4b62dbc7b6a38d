from bench.measuring.merging import concurrent, in_rounds, rivals, runs, sides


def test_the_last_round_is_what_reads() -> None:
    text, state = in_rounds(3)
    assert text.of(text.read(state).spans()) == [b"a\n", b"7 1\n", b"z\n"]


def test_as_many_sides_as_are_asked_for_conflict() -> None:
    for make in (sides, rivals):
        text, union = make(20)
        (conflict,) = text.read(union).conflicts
        assert len(conflict.sides) == 20


def test_a_long_file_is_cut_into_runs_with_some_collisions() -> None:
    text, one, other = runs(8000, 400)
    assert len(text.graph.weave) >= 400
    assert len(text.read(one | other).conflicts) == 2


def test_concurrent_changes_of_lines_apart_read_clean() -> None:
    text, union = concurrent(20)
    assert text.read(union).is_clean
