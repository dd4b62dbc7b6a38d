import pytest

from oxy.graph.weave import CHUNK, NoLineError, Weave


def line(change: int, index: int) -> int:
    return change << 32 | index


def runs(weave: Weave) -> list[tuple[int, int]]:
    return [(start, size) for start, size, _ in weave.runs()]


def test_a_line_is_found_in_the_run_that_holds_it() -> None:
    weave = Weave()
    weave.append(line(1, 0), 10, 0)
    weave.append(line(2, 5), 3, 4)
    chunk, place = weave.find(line(2, 7))
    assert (chunk.starts[place], chunk.sizes[place], chunk.fates[place]) == (line(2, 5), 3, 4)


@pytest.mark.parametrize(
    "absent", [line(2, 4), line(2, 8), line(1, 10), line(3, 0), line(0, 0)]
)
def test_a_line_that_no_run_holds_is_named(absent: int) -> None:
    weave = Weave()
    weave.append(line(1, 0), 10, 0)
    weave.append(line(2, 5), 3, 0)
    with pytest.raises(NoLineError) as caught:
        weave.find(absent)
    assert caught.value.line == absent


def test_inserting_before_a_line_splits_its_run_there() -> None:
    weave = Weave()
    weave.append(line(1, 0), 4, 7)
    weave.insert_before(line(1, 3), line(2, 0), 2)
    assert list(weave.runs()) == [
        (line(1, 0), 3, 7),
        (line(2, 0), 2, 0),
        (line(1, 3), 1, 7),
    ]


def test_inserting_after_the_last_line_of_a_run_splits_nothing() -> None:
    weave = Weave()
    weave.append(line(1, 0), 4, 0)
    weave.insert_after(line(1, 3), line(2, 0), 1)
    assert runs(weave) == [(line(1, 0), 4), (line(2, 0), 1)]


def test_cutting_twice_at_one_place_cuts_once() -> None:
    weave = Weave()
    weave.append(line(1, 0), 4, 0)
    weave.cut(line(1, 2))
    weave.cut_after(line(1, 1))
    weave.cut(line(1, 2))
    assert runs(weave) == [(line(1, 0), 2), (line(1, 2), 2)]


def test_a_range_is_cut_at_both_ends_and_given_as_its_runs() -> None:
    weave = Weave()
    weave.append(line(1, 0), 10, 0)
    weave.cut(line(1, 5))
    assert weave.within(line(1, 3), 4) == [line(1, 3), line(1, 5)]
    assert runs(weave) == [
        (line(1, 0), 3),
        (line(1, 3), 2),
        (line(1, 5), 2),
        (line(1, 7), 3),
    ]


def test_a_range_that_lacks_lines_is_refused() -> None:
    weave = Weave()
    weave.append(line(1, 0), 3, 0)
    weave.append(line(1, 5), 3, 0)
    with pytest.raises(NoLineError):
        weave.within(line(1, 1), 5)


def test_a_full_chunk_is_halved_and_everything_is_still_found() -> None:
    weave = Weave()
    weave.append(line(1, 0), 2 * CHUNK, 0)
    for index in range(1, 2 * CHUNK):
        weave.cut(line(1, index))
    assert len(weave.chunks) > 1
    assert max(len(chunk.starts) for chunk in weave.chunks) <= CHUNK
    assert runs(weave) == [(line(1, index), 1) for index in range(2 * CHUNK)]
    assert [weave.position(line(1, index)) for index in range(2 * CHUNK)] == sorted(
        weave.position(line(1, index)) for index in range(2 * CHUNK)
    )


def test_a_loaded_weave_is_the_one_that_was_built() -> None:
    built = Weave()
    built.append(line(1, 0), 600, 0)
    for index in range(0, 600, 2):
        built.insert_before(line(1, index), line(2 + index, 0), 1)
    starts, sizes, fates = (list(column) for column in zip(*built.runs(), strict=True))
    loaded = Weave()
    loaded.load(starts, sizes, fates)
    assert list(loaded.runs()) == list(built.runs())
    assert {k: v for k, v in loaded.cuts.items() if v} == built.cuts
    assert all(
        start in loaded.home[start].starts and loaded.size(start) == built.size(start)
        for start in starts
    )


def test_removing_a_change_takes_all_its_runs() -> None:
    weave = Weave()
    weave.append(line(1, 0), 4, 0)
    weave.insert_before(line(1, 2), line(2, 0), 3)
    weave.cut(line(2, 1))
    weave.remove(2)
    assert runs(weave) == [(line(1, 0), 2), (line(1, 2), 2)]
    weave.remove(1)
    assert not weave.chunks
    assert len(weave) == 0


def test_a_fate_is_set_for_one_run_alone() -> None:
    weave = Weave()
    weave.append(line(1, 0), 4, 0)
    weave.cut(line(1, 2))
    weave.set_fate(line(1, 2), 9)
    assert [weave.fate(line(1, 0)), weave.fate(line(1, 2))] == [0, 9]
