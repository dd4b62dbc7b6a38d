import pytest

from oxy.model.change import Header, Moment
from oxy.model.digest import ChangeId
from oxy.repo.followed import Followed, followed
from oxy.repo.replaced import (
    MOST,
    REPLACES,
    Replacements,
    every,
    field,
    is_replacement,
    replaced_by_header,
    successors,
)
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from tests.builders.history import History

A, B, C = (ChangeId(bytes([n]) * 32) for n in b"abc")


def header(*old: ChangeId) -> Header:
    extra = ((REPLACES, b"".join(old)),) if old else ()
    return Header(b"Ann <ann@x>", Moment(0, 0), b"m", extra=extra)


def test_a_change_names_what_it_replaces_and_what_that_replaced() -> None:
    named = field([(C, header(A)), (B, header())])
    assert named == (REPLACES, A + B + C)
    assert replaced_by_header(header(A, B, C)) == (A, B, C)
    assert replaced_by_header(header()) == ()


def test_beyond_the_limit_only_what_it_replaces_itself_is_named() -> None:
    many = sorted(ChangeId(n.to_bytes(32, "big")) for n in range(MOST))
    assert field([(A, header(*many))]) == (REPLACES, A)


@pytest.mark.parametrize("held", [b"short", A + A, B + A])
def test_a_field_that_is_no_ascending_list_of_ids_says_nothing(held: bytes) -> None:
    odd = header()._replace(extra=((REPLACES, held),))
    assert replaced_by_header(odd) == ()


def history() -> tuple[History, bytes]:
    """Return changes 2 in place of 1, and 3 in place of both."""
    made = History(Repository.in_memory())
    first = made.commit({b"f": b"a\n"})
    name = made.id(first)
    second = made.commit({b"f": b"a\n"}, extra=((REPLACES, name),))
    both = b"".join(sorted([name, made.id(second)]))
    made.commit({b"f": b"a\n"}, extra=((REPLACES, both),))
    return made, name


def test_of_those_that_stand_in_for_a_change_the_last_is_told() -> None:
    made, name = history()
    assert every(made.repository.store, name) == [2, 3]
    assert successors(made.repository.store, name) == [3]
    assert successors(made.repository.store, made.id(2)) == [3]
    assert successors(made.repository.store, made.id(3)) == []


def test_two_that_replace_one_apart_are_both_told() -> None:
    made = History(Repository.in_memory())
    name = made.id(made.commit({b"f": b"a\n"}))
    for text in (b"b\n", b"c\n"):
        made.commit({b"f": text}, extra=((REPLACES, name),))
    assert successors(made.repository.store, name) == [2, 3]


def test_what_another_took_back_is_followed_to_what_it_holds_now() -> None:
    made, name = history()
    repository = made.repository
    third = ChangeId(made.id(3))
    assert followed(repository, Name((1,)), Name((3,))) == [Followed(ChangeId(name), (third,))]
    assert followed(repository, Name((1,)), Name((1,))) == []
    assert followed(repository, Name((3,)), Name((1,))) == []


def test_many_looked_up_together_are_what_they_are_one_by_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("oxy.repo.replaced.REMEMBERED", 2)
    made, _ = history()
    changes = [1, 2, 3]
    wanted = [is_replacement(made.repository.store, change) for change in changes]
    replacements = Replacements(made.repository.store)
    assert [replacements.has(change) for change in changes] == wanted
    for some in ([1, 2], [3]):
        replacements.learn(some)
        assert [replacements.has(change) for change in changes] == wanted
    replacements.forget()
    assert wanted == [False, True, True]
