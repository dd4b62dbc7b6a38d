import pytest

from oxy.cli.watching import Silent
from oxy.repo.check.blobs import Blobs
from oxy.repo.check.changes import Changes
from oxy.repo.repository import Repository
from oxy.repo.rewriting.engine import Rewritten, rewrite
from oxy.repo.rewriting.steps import Plan, Step
from oxy.repo.states import Name
from oxy.repo.tree import files
from oxy.repo.trees import tree_of
from oxy.repo.writing import writing
from tests.builders.scribe import STAMP, File, Scribe


@pytest.fixture
def scribe() -> Scribe:
    """Return 1, which makes d/a; 2, which moves d to e; 3, which edits e/a and makes e/b."""
    found = Scribe(Repository.in_memory())
    found.commit(Name(), {b"d/a": File(b"1\n"), b"c": File(b"c\n")})
    found.commit(Name((1,)), {}, {}, {b"d": b"e"})
    found.commit(Name((2,)), {b"e/a": File(b"1\n2\n"), b"e/b": File(b"b\n")})
    return found


def done(scribe: Scribe, *steps: Step) -> Rewritten:
    repository = scribe.repository
    with writing(repository, STAMP, "fast") as work:
        found = rewrite(work, Plan(Name((3,)), steps))
    assert not list(Changes(repository, Blobs(repository.store)).check(Silent()))
    return found


def shown(scribe: Scribe, name: Name) -> dict[bytes, bytes]:
    nodes, state = scribe.repository.nodes, scribe.repository.states.members(name)
    return {
        path: b"".join(nodes.content(entry.node, state))
        for path, entry in files(tree_of(scribe.repository, name))
    }


WANTED = {b"c": b"c\n", b"e/a": b"1\n2\n", b"e/b": b"b\n"}


@pytest.mark.parametrize(
    "step",
    [
        Step((1,), 1, message=b"said better"),
        Step((2,), 2, message=b"said better"),
        Step((1, 2), 1),
        Step((2, 3), 2),
        Step((1, 2, 3), 1),
    ],
)
def test_a_directory_that_moves_does_so_still(scribe: Scribe, step: Step) -> None:
    assert shown(scribe, Name((3,))) == WANTED
    found = done(scribe, step)
    assert shown(scribe, found.state) == WANTED


def test_the_move_may_come_last(scribe: Scribe) -> None:
    steps = (Step((3,), 3, without=frozenset({2})), Step((2,), 2, after=(0,)))
    found = done(scribe, *steps)
    assert shown(scribe, found.state) == WANTED
    (edited,) = found.images[3]
    assert shown(scribe, Name((edited,))).keys() == {b"c", b"d/a", b"d/b"}
