import pytest

from oxy.cli.watching import Silent
from oxy.repo.check.blobs import Blobs
from oxy.repo.check.changes import Changes
from oxy.repo.origin import COMMIT, git_commit
from oxy.repo.replaced import replaced_by_header
from oxy.repo.repository import Repository
from oxy.repo.rewriting.engine import Rewritten, rewrite
from oxy.repo.rewriting.refusal import LostPlaceError, NeededError
from oxy.repo.rewriting.steps import Plan, Step
from oxy.repo.states import Name
from oxy.repo.tree import get
from oxy.repo.trees import tree_of
from oxy.repo.writing import writing
from tests.builders.history import History, Made


@pytest.fixture
def history() -> History:
    return History(Repository.in_memory())


def done(history: History, plan: Plan) -> Rewritten:
    with writing(history.repository, history.stamp()) as work:
        found = rewrite(work, plan)
    assert not list(
        Changes(history.repository, Blobs(history.repository.store)).check(Silent())
    )
    return found


def read(history: History, path: bytes, state: Name) -> bytes:
    repository = history.repository
    entry = get(tree_of(repository, state), path)
    assert entry is not None
    members = repository.states.members(state)
    return b"".join(repository.nodes.content(entry.node, members))


def test_author_and_time_stay_and_the_header_names_what_is_replaced(history: History) -> None:
    first = history.commit({b"f": b"1\n"}, message=b"one")
    second = history.commit({b"f": b"1\n2\n"}, first)
    found = done(history, Plan(Name((second,)), (Step((first,), first, message=b"uno"),)))
    old, (new,) = history.repository.header(first), found.images[first]
    header = history.repository.header(new)
    assert (header.author, header.time, header.message) == (old.author, old.time, b"uno")
    assert replaced_by_header(header) == (history.id(first),)
    (follower,) = found.images[second]
    assert found.state == Name((follower,))
    assert history.repository.states.link(follower).context == Name((new,))
    assert read(history, b"f", found.state) == b"1\n2\n"
    assert read(history, b"f", Name((second,))) == b"1\n2\n"


def test_what_does_not_know_it_keeps_its_id(history: History) -> None:
    first = history.commit({b"f": b"1\n"})
    second = history.commit({b"f": b"1\n2\n"}, first)
    third = history.commit({b"g": b"x\n"}, first)
    state = history.repository.states.join((Name((second,)), Name((third,))))
    found = done(history, Plan(state, (Step((third,), third, message=b"new"),)))
    assert found.images.keys() == {third}
    assert found.state == Name((second, *found.images[third]))


def test_what_was_of_git_is_not_said_of_another_change(history: History) -> None:
    extra = ((COMMIT, b"tree x\n"), (b"note:x", b"kept"))
    first = history.commit({b"f": b"1\n"}, extra=extra)
    found = done(history, Plan(Name((first,)), (Step((first,), first, message=b"new"),)))
    header = history.repository.header(found.images[first][0])
    assert git_commit(header) is None
    assert dict(header.extra)[b"note:x"] == b"kept"


def test_the_same_rewrite_again_is_the_change_that_is_there(history: History) -> None:
    first = history.commit({b"f": b"1\n"})
    second = history.commit({b"f": b"1\n2\n"}, first)
    third = history.commit({b"f": b"1\n2\n3\n"}, second)
    plan = Plan(Name((third,)), (Step((first, second), first),))
    assert done(history, plan) == done(history, plan)


def test_lines_made_and_removed_inside_are_not_in_the_change(history: History) -> None:
    base = history.commit({b"f": b"a\nz\n"})
    one = history.commit({b"f": b"a\nsecret\nb\nz\n"}, base)
    two = history.commit({b"f": b"a\nb\nz\n"}, one)
    last = history.commit({b"f": b"a\nb\nc\nz\n"}, two)
    found = done(history, Plan(Name((last,)), (Step((one, two), one),)))
    (new,) = found.images[one]
    assert b"secret" not in history.repository.store.read(1, new)
    assert read(history, b"f", found.state) == b"a\nb\nc\nz\n"


def test_what_stood_beside_a_line_that_vanished_is_recorded_anew(history: History) -> None:
    base = history.commit({b"f": b"a\nz\n"})
    one = history.commit({b"f": b"a\nb\nz\n"}, base)
    between = history.commit({b"f": b"a\nb\nnew\nz\n"}, one)
    last = history.commit({b"f": b"a\nnew\nz\n"}, between)
    state = Name((last,))
    found = done(history, Plan(state, (Step((one, last), one),), {}))
    assert read(history, b"f", found.state) == b"a\nnew\nz\n"
    (new,) = found.images[between]
    assert read(history, b"f", Name((new,))) == b"a\nnew\nz\n"
    assert found.texts == ((1, 1),)


def test_lines_that_come_again_as_they_were_stay_what_they_were(history: History) -> None:
    base = history.commit({b"f": b"a\nb\nc\n"})
    one = history.commit({b"f": b"a\nx\nc\n"}, base)
    two = history.commit({b"f": b"a\nb\nc\n", b"g": b"g\n"}, one)
    found = done(history, Plan(Name((two,)), (Step((one, two), one),)))
    reading = history.repository.nodes.reading(
        1, history.repository.states.members(found.state)
    )
    assert {span.start >> 32 for span in reading.spans()} == {base}


def test_a_file_made_and_removed_inside_was_never_there(history: History) -> None:
    base = history.commit({b"f": b"a\n"})
    one = history.commit({b"g": b"x\n", b"f": b"b\n"}, base)
    two = history.commit({b"g": None}, one)
    found = done(history, Plan(Name((two,)), (Step((one, two), one),)))
    assert get(tree_of(history.repository, found.state), b"g") is None
    assert len(history.repository.change(found.images[one][0]).operations.nodes) == 1


def test_a_file_is_created_as_it_was_in_the_end(history: History) -> None:
    one = history.commit({b"f": b"a\nb\n"})
    two = history.commit({b"g": Made(b"a\nc\n", mode=1, moved_from=b"f")}, one)
    three = history.commit({b"g": Made(b"a\nc\nd\n", mode=1)}, two)
    found = done(history, Plan(Name((three,)), (Step((one, two), one),)))
    tree = tree_of(history.repository, found.state)
    entry = get(tree, b"g")
    assert entry is not None
    assert entry.mode == 1
    assert get(tree, b"f") is None
    assert read(history, b"g", found.state) == b"a\nc\nd\n"


def test_a_change_does_not_go_before_what_it_needs(history: History) -> None:
    one = history.commit({b"f": b"a\n"})
    two = history.commit({b"f": b"b\n"}, one)
    count = history.repository.store.count(1)
    steps = (Step((two,), two, without=frozenset({one})), Step((one,), one, after=(0,)))
    with pytest.raises(NeededError) as caught:
        done(history, Plan(Name((two,)), steps))
    assert caught.value.change == history.id(two)
    assert caught.value.needs == (history.id(one),)
    assert history.repository.store.count(1) == count


def test_what_writes_a_register_apart_is_not_made_one(history: History) -> None:
    base = history.commit({b"f": b"a\n"})
    one = history.commit({b"p": Made(b"a\n", moved_from=b"f")}, base)
    two = history.commit({b"q": Made(b"a\n", moved_from=b"f")}, base)
    state = history.repository.states.join((Name((one,)), Name((two,))))
    with pytest.raises(LostPlaceError, match="neither knows the other"):
        done(history, Plan(state, (Step((one, two), one),)))


def test_halves_of_a_change_have_their_files(history: History) -> None:
    one = history.commit({b"a": b"1\n", b"b": b"2\n"})
    two = history.commit({b"a": b"1\n2\n", b"b": b"3\n"}, one)
    steps = (
        Step((one,), one, keys=frozenset({2})),
        Step((one,), one, keys=frozenset({1}), after=(0,)),
    )
    found = done(history, Plan(Name((two,)), steps))
    first, second = found.images[one]
    assert get(tree_of(history.repository, Name((first,))), b"a") is None
    assert read(history, b"a", Name((second,))) == b"1\n"
    assert read(history, b"b", found.state) == b"3\n"
