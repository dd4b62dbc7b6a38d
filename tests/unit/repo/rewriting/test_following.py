import pytest

from oxy.repo.replaced import REPLACES
from oxy.repo.repository import Repository
from oxy.repo.rewriting.engine import Rewritten, rewrite
from oxy.repo.rewriting.refusal import LostPlaceError
from oxy.repo.rewriting.steps import Plan, Step
from oxy.repo.states import Name
from oxy.repo.tree import get
from oxy.repo.trees import tree_of
from oxy.repo.writing import writing
from tests.builders.history import History


@pytest.fixture
def history() -> History:
    return History(Repository.in_memory())


def followed(history: History, own: int, old: int, new: int) -> Rewritten:
    """Put a change on one that stands in for what it was recorded on."""
    plan = Plan(Name((own,)), (Step((own,), own),), onto=Name((new,)), follows={old: (new,)})
    with writing(history.repository, history.stamp()) as work:
        return rewrite(work, plan)


def again(history: History, old: int, text: bytes) -> int:
    """Record a file as if it had been so from the beginning."""
    return history.commit({b"f": text}, extra=((REPLACES, history.id(old)),))


def read(history: History, state: Name) -> bytes:
    repository = history.repository
    entry = get(tree_of(repository, state), b"f")
    assert entry is not None
    members = repository.states.members(state)
    return b"".join(repository.nodes.content(entry.node, members))


def test_an_edit_goes_to_the_lines_that_read_alike(history: History) -> None:
    old = history.commit({b"f": b"a\nb\nc\n"})
    own = history.commit({b"f": b"a\nB\nc\n"}, old)
    new = again(history, old, b"A\nb\nc\nd\n")
    done = followed(history, own, old, new)
    assert read(history, done.state) == b"A\nB\nc\nd\n"
    (image,) = done.images[own]
    assert history.repository.states.link(image).deps == (new,)
    assert set(history.repository.states.members(done.state)) == {new, image}


def test_an_edit_of_lines_that_are_there_no_more_is_refused(history: History) -> None:
    old = history.commit({b"f": b"a\nb\nc\n"})
    own = history.commit({b"f": b"a\nB\nc\n"}, old)
    new = again(history, old, b"a\nc\n")
    with pytest.raises(LostPlaceError, match="lines that it has are not there"):
        followed(history, own, old, new)


def test_a_file_that_was_not_made_again_is_missed(history: History) -> None:
    old = history.commit({b"f": b"a\n"})
    own = history.commit({b"f": b"b\n"}, old)
    new = history.commit({b"g": b"a\n"}, extra=((REPLACES, history.id(old)),))
    with pytest.raises(LostPlaceError, match="the file is not there"):
        followed(history, own, old, new)
