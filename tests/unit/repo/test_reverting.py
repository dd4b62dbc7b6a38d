import pytest
from pyroaring import BitMap

from oxy.model.change import Moment
from oxy.model.operation import KIND_BINARY, KIND_SYMLINK, MODE, PLACE
from oxy.repo.recording import Intent
from oxy.repo.repository import Repository
from oxy.repo.reverting import Inverse, ResolvedError, inverse_of
from oxy.repo.states import Name
from oxy.repo.tree import files
from oxy.repo.trees import tree_of
from oxy.repo.writing import writing
from tests.builders.history import AUTHOR, History, Made


@pytest.fixture
def history() -> History:
    return History(Repository.in_memory())


def revert(history: History, change: int, *heads: int) -> tuple[Name, bool]:
    """Record what takes a change back; return the state with it, and whether it disputes."""
    repository = history.repository
    states = repository.states
    own = states.join(tuple(Name((head,)) for head in heads))
    with writing(repository, history.stamp(b"revert")) as work:
        number = work.next_change()
        found = inverse_of(repository, change, states.members(own), number)
        context = states.name_of_change(change) if found.is_disputed else own
        work.record(Intent(AUTHOR, Moment(number, 0), b"back"), context, found.drafts, number)
    return states.join((own, Name((number,)))), found.is_disputed


def held(history: History, state: Name) -> dict[bytes, tuple[int, int, bytes]]:
    """Return kind, mode and bytes of each file of a state."""
    repository = history.repository
    members = repository.states.members(state)
    return {
        path: (entry.kind, entry.mode, b"".join(repository.nodes.content(entry.node, members)))
        for path, entry in files(tree_of(repository, state))
    }


FILES: dict[bytes, bytes | Made | None] = {
    b"d/text": b"a\nb\nc\n",
    b"bin": Made(b"\0one", kind=KIND_BINARY),
    b"link": Made(b"bin", kind=KIND_SYMLINK),
    b"open": b"no end",
}


@pytest.mark.parametrize(
    "edit",
    [
        {b"d/text": b"a\nX\nc\n"},
        {b"d/text": None},
        {b"e/moved": Made(b"a\nB\nc\nd\n", moved_from=b"d/text", mode=1)},
        {b"bin": Made(b"\0two", kind=KIND_BINARY)},
        {b"link": Made(b"d/text", kind=KIND_SYMLINK)},
        {b"open": b"an end\n"},
        {b"bin": None, b"link": None, b"open": None, b"d/text": None},
        {b"new": b"new\n", b"d/text": b""},
    ],
)
def test_what_was_recorded_last_is_as_before_then(
    history: History, edit: dict[bytes, bytes | Made | None]
) -> None:
    base = history.commit(FILES)
    change = history.commit(edit, base)
    before, after = held(history, Name((base,))), held(history, Name((change,)))
    state, is_disputed = revert(history, change, change)
    assert not is_disputed
    assert held(history, state) == before
    (own,) = state.heads
    state, is_disputed = revert(history, own, own)
    assert not is_disputed
    assert held(history, state) == after


def test_a_register_that_was_written_since_is_in_conflict(history: History) -> None:
    base = history.commit({b"f": b"x\n"})
    change = history.commit({b"g": Made(b"x\n", moved_from=b"f")}, base)
    since = history.commit({b"h": Made(b"x\n", moved_from=b"g")}, change)
    state, is_disputed = revert(history, change, since)
    assert is_disputed
    nodes = history.repository.nodes
    assert nodes.view(1, history.repository.states.members(state)).disputed == (PLACE,)


def test_a_register_that_has_its_old_value_again_is_left_alone(history: History) -> None:
    base = history.commit({b"f": b"x\n"})
    change = history.commit({b"f": Made(b"x\n", mode=1)}, base)
    since = history.commit({b"f": Made(b"x\n")}, change)
    state = history.repository.states.of_change(since)
    assert inverse_of(history.repository, change, state, 9) == Inverse((), is_disputed=False)


def test_a_concurrent_value_stays_where_the_other_is_taken_back(history: History) -> None:
    base = history.commit({b"f": b"x\n"})
    one = history.commit({b"g": Made(b"x\n", moved_from=b"f")}, base)
    other = history.commit({b"h": Made(b"x\n", moved_from=b"f")}, base)
    state, is_disputed = revert(history, one, one, other)
    assert not is_disputed
    assert list(held(history, state)) == [b"h"]


def test_the_same_made_twice_is_made_still(history: History) -> None:
    base = history.commit({b"f": b"x\n"})
    one = history.commit({b"f": Made(b"x\n", mode=1)}, base)
    other = history.commit({b"f": Made(b"x\n", mode=1)}, base, author=b"Bob <b@x>")
    state = BitMap([base, one, other])
    assert inverse_of(history.repository, one, state, 9) == Inverse((), is_disputed=False)


def test_a_value_that_was_decided_on_is_not_taken_back(history: History) -> None:
    base = history.commit({b"f": b"x\n"})
    one = history.commit({b"g": Made(b"x\n", moved_from=b"f")}, base)
    other = history.commit({b"h": Made(b"x\n", moved_from=b"f")}, base)
    shown = next(iter(held(history, Name((one, other)))))
    decided = history.commit({b"i": Made(b"x\n", moved_from=shown)}, one, other)
    state = history.repository.states.of_change(decided)
    with pytest.raises(ResolvedError, match="resolved a conflict in i"):
        inverse_of(history.repository, decided, state, 9)


def test_a_file_that_goes_and_was_edited_since_keeps_the_edit(history: History) -> None:
    base = history.commit({b"f": b"x\n"})
    change = history.commit({b"g": b"a\nb\n"}, base)
    since = history.commit({b"g": b"a\nB\n"}, change)
    state, is_disputed = revert(history, change, since)
    assert is_disputed
    nodes, members = history.repository.nodes, history.repository.states.members(state)
    assert nodes.view(2, members).path is None
    assert nodes.text(2, nodes.reading(2, members).conflicts[0].sides[-1].spans) != b""


def test_modes_go_back_to_what_nobody_wrote(history: History) -> None:
    base = history.commit({b"f": b"x\n"})
    change = history.commit({b"f": Made(b"x\n", mode=1)}, base)
    state = history.repository.states.of_change(change)
    (draft,) = inverse_of(history.repository, change, state, 9).drafts
    assert [(s.register, s.value, s.replaces) for s in draft.settings] == [(MODE, 0, (change,))]
