import pytest

from oxy.actions.undoing import (
    NothingToRedoError,
    NothingToUndoError,
    Plan,
    plan_redo,
    plan_restore,
    plan_undo,
)
from oxy.repo.refs import BOOKMARK, TAG, Ref, Target
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.writing import Stamp, writing
from oxy.store.protocol import OPERATION
from tests.builders.history import History

X = Ref(BOOKMARK, b"x")


class Steps:
    """Moves the bookmark x from change to change, and back."""

    def __init__(self) -> None:
        self.history = History(Repository.in_memory())
        self.repository = self.history.repository
        self.changes = [
            self.history.commit({b"f%d" % n: b"x\n"}, bookmark=None) for n in range(4)
        ]

    def move(self, number: int) -> None:
        with writing(self.repository, self.history.stamp(b"to %d" % number)) as work:
            work.move(X, Target(Name((self.changes[number],))))

    def stamp(self, command: bytes, undoes: int) -> Stamp:
        """Return a stamp of a time of its own: what is the same in all is recorded once."""
        return Stamp(self.repository.store.count(OPERATION), 0, b"ada", command, undoes)

    def undo(self) -> Plan:
        plan = plan_undo(self.repository)
        stamp = self.stamp(b"undo", plan.operation)
        with writing(self.repository, stamp) as work:
            plan.write(work)
        return plan

    def redo(self) -> Plan:
        plan = plan_redo(self.repository)
        stamp = self.stamp(b"redo", plan.operation)
        with writing(self.repository, stamp) as work:
            plan.write(work)
        return plan

    def restore(self, number: int) -> None:
        plan = plan_restore(self.repository, number)
        with writing(self.repository, self.history.stamp(b"op restore")) as work:
            plan.write(work)

    @property
    def at(self) -> int | None:
        target = self.repository.refs.get(X)
        return None if target is None else self.changes.index(target.state.heads[0])


@pytest.fixture
def steps() -> Steps:
    return Steps()


def test_undo_takes_back_one_step_after_the_other(steps: Steps) -> None:
    for number in range(3):
        steps.move(number)
    assert [steps.undo().command for _ in range(3)] == [b"to 2", b"to 1", b"to 0"]
    assert steps.at is None
    with pytest.raises(NothingToUndoError):
        steps.undo()


def test_a_step_after_an_undo_is_the_next_to_be_undone(steps: Steps) -> None:
    steps.move(0)
    steps.move(1)
    steps.undo()
    steps.move(2)
    assert steps.undo().command == b"to 2"
    assert steps.at == 0
    assert steps.undo().command == b"to 0"
    assert steps.at is None


def test_names_are_restored_to_any_operation(steps: Steps) -> None:
    for number in range(4):
        steps.move(number)
    steps.restore(2)
    assert steps.at == 1
    steps.restore(4)
    assert steps.at == 3
    steps.restore(0)
    assert steps.at is None


def test_a_restoring_is_undone_like_any_other_step(steps: Steps) -> None:
    steps.move(0)
    steps.move(1)
    steps.restore(1)
    assert steps.undo().command == b"op restore"
    assert steps.at == 1


def test_a_name_that_did_not_change_is_not_moved(steps: Steps) -> None:
    steps.move(0)
    with writing(steps.repository, steps.history.stamp(b"tag")) as work:
        work.move(Ref(TAG, b"t"), Target(Name()))
    assert [move.ref for move in plan_restore(steps.repository, 1).moves] == [Ref(TAG, b"t")]


def test_redo_takes_back_one_undo_after_the_other(steps: Steps) -> None:
    for number in range(3):
        steps.move(number)
    steps.undo()
    steps.undo()
    assert [steps.redo().command for _ in range(2)] == [b"to 1", b"to 2"]
    assert steps.at == 2
    with pytest.raises(NothingToRedoError):
        steps.redo()
    assert [steps.undo().command for _ in range(2)] == [b"to 2", b"to 1"]
    assert steps.redo().command == b"to 1"
    assert steps.undo().command == b"to 1"
    assert steps.undo().command == b"to 0"
    assert steps.at is None


def test_nothing_is_redone_once_something_else_was_done(steps: Steps) -> None:
    steps.move(0)
    steps.undo()
    steps.move(1)
    with pytest.raises(NothingToRedoError):
        steps.redo()
    assert steps.undo().command == b"to 1"
    assert steps.redo().command == b"to 1"
