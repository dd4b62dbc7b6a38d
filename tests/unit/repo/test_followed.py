from oxy.model.change import Moment
from oxy.repo.followed import Followed, followed
from oxy.repo.recording import Intent
from oxy.repo.replaced import field
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.writing import Recording, Stamp, writing

STAMP = Stamp(1, 0, b"ann", b"commit")


def recorded(
    repository: Repository, context: Name, moment: int, old: Recording | None = None
) -> Recording:
    """Record a change that does nothing, perhaps in place of another."""
    extra = () if old is None else (field([(old.change.id, old.change.header)]),)
    intent = Intent(b"Ann <ann@example.org>", Moment(moment, 0), b"x", extra)
    with writing(repository, STAMP) as work:
        return work.record(intent, context, [], work.next_change())


def test_what_stands_in_for_a_change_that_was_taken_back_is_told() -> None:
    repository = Repository.in_memory()
    base = recorded(repository, Name(), 1)
    old = recorded(repository, Name((base.number,)), 2)
    new = recorded(repository, Name((base.number,)), 3, old)
    tracked, remote = Name((old.number,)), Name((new.number,))
    assert followed(repository, tracked, remote) == [Followed(old.change.id, (new.change.id,))]


def test_what_was_only_dropped_is_not_told() -> None:
    repository = Repository.in_memory()
    base = recorded(repository, Name(), 1)
    old = recorded(repository, Name((base.number,)), 2)
    assert followed(repository, Name((old.number,)), Name((base.number,))) == []
