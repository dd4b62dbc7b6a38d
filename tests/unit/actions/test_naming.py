import pytest
from pyroaring import BitMap

from oxy.actions.former import NotThenError
from oxy.actions.grammar import StateSyntaxError, TwoReadingsError
from oxy.actions.meaning import NotClosedError, TooFarBackError
from oxy.actions.naming import SeveralHeadsError, resolve, resolve_change, resolve_set
from oxy.actions.words import AmbiguousError, Candidate, UnknownStateError
from oxy.model.digest import short
from oxy.repo.refs import BOOKMARK, HERE, TAG, Ref, Target
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.tables import GIT, key
from oxy.repo.writing import writing
from tests.builders.history import History


@pytest.fixture
def history() -> History:
    return History(Repository.in_memory())


def put(history: History, ref: Ref, *heads: int) -> None:
    with writing(history.repository, history.stamp()) as work:
        work.move(ref, Target(Name(heads)))


def many(history: History) -> dict[str, list[int]]:
    """Record until two ids begin with the same digit; return the changes by first digit."""
    found: dict[str, list[int]] = {}
    for n in range(17):
        change = history.commit({b"f%d" % n: b"x\n"})
        found.setdefault(history.id(change).hex()[0], []).append(change)
    return found


def test_a_bookmark_comes_before_a_tag_of_the_same_name(history: History) -> None:
    first, second = history.commit({b"f": b"1\n"}), history.commit({b"g": b"1\n"})
    put(history, Ref(TAG, b"x"), first)
    assert resolve(history.repository, b"x").ref == Ref(TAG, b"x")
    put(history, Ref(BOOKMARK, b"x"), second)
    named = resolve(history.repository, b"x")
    assert list(named.members(history.repository)) == [second]
    assert named == (b"x", Ref(BOOKMARK, b"x"), Name((second,)))


def test_a_name_comes_before_a_prefix(history: History) -> None:
    first, second = history.commit({b"f": b"1\n"}), history.commit({b"g": b"1\n"})
    prefix = history.id(first).hex()[:8].encode()
    assert resolve(history.repository, prefix).state == Name((first,))
    put(history, Ref(TAG, prefix), second)
    assert resolve(history.repository, prefix).state == Name((second,))


def test_a_prefix_may_be_in_capitals_and_whole(history: History) -> None:
    change = history.commit({b"f": b"1\n"})
    digits = history.id(change).hex().upper().encode()
    assert resolve(history.repository, digits[:4]).state == Name((change,))
    assert resolve(history.repository, digits).state == Name((change,))


@pytest.mark.parametrize("called", [b"abc", b"", b"git:", b"ffff" * 17, b"\xff", b"feed"])
def test_what_nothing_is_called_is_unknown(history: History, called: bytes) -> None:
    history.commit({b"f": b"1\n"})
    with pytest.raises(UnknownStateError):
        resolve(history.repository, called)


def test_names_that_look_alike_are_told(history: History) -> None:
    change = history.commit({b"f": b"1\n"})
    put(history, Ref(TAG, b"release-1"), change)
    with pytest.raises(UnknownStateError, match="'relase-1'") as caught:
        resolve(history.repository, b"relase-1")
    assert caught.value.near == ("release-1",)


def test_the_working_copy_is_at_its_base(history: History) -> None:
    assert resolve(history.repository, b"@") == (b"@", HERE, Name())
    change = history.commit({b"f": b"1\n"})
    assert resolve(history.repository, b"@") == (b"@", HERE, Name((change,)))


def test_a_git_id_means_the_change_that_was_made_of_it(history: History) -> None:
    first, second = history.commit({b"f": b"1\n"}), history.commit({b"g": b"1\n"})
    with history.repository.store.transaction() as transaction:
        transaction.put(GIT, bytes.fromhex("abcd1" + "0" * 35), key(first))
        transaction.put(GIT, bytes.fromhex("abcd2" + "0" * 35), key(second))
    assert resolve_change(history.repository, b"git:ABCD1") == first
    assert resolve_change(history.repository, b"git:abcd2" + b"0" * 35) == second
    with pytest.raises(AmbiguousError) as caught:
        resolve(history.repository, b"git:abcd")
    assert caught.value.candidates == (
        Candidate("abcd10000000", "change"),
        Candidate("abcd20000000", "change"),
    )


def test_a_prefix_of_several_changes_is_refused_with_them(
    history: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Ids that share four digits take 10,000 changes to find; one digit takes 17.
    monkeypatch.setattr("oxy.actions.words._SHORTEST", 1)
    digit, changes = max(many(history).items(), key=lambda item: len(item[1]))
    with pytest.raises(AmbiguousError) as caught:
        resolve(history.repository, digit.encode())
    wanted = sorted(history.id(change).hex()[:9] for change in changes)
    assert [candidate.id for candidate in caught.value.candidates] == wanted[:6]


def test_a_name_of_one_newest_change_means_that_change(history: History) -> None:
    change = history.commit({b"f": b"1\n"})
    assert resolve_change(history.repository, b"main") == change


def test_a_state_with_several_newest_changes_is_no_single_one(history: History) -> None:
    first, second = history.commit({b"f": b"1\n"}), history.commit({b"g": b"1\n"})
    put(history, Ref(BOOKMARK, b"both"), first, second)
    with pytest.raises(SeveralHeadsError) as caught:
        resolve_change(history.repository, b"both")
    wanted = sorted(Candidate(short(history.id(c)), "change") for c in (first, second))
    assert list(caught.value.heads) == wanted


def test_the_empty_state_has_no_newest_change(history: History) -> None:
    with pytest.raises(SeveralHeadsError, match="has no changes yet"):
        resolve_change(history.repository, b"@")


@pytest.fixture
def fork(history: History) -> list[int]:
    """Base; then two changes on main and one on topic, which comes between them in time."""
    base = history.commit({b"f": b"1\n"}, hours=1, message=b"Base")
    topic = history.commit({b"t": b"1\n"}, base, hours=3, bookmark=b"topic")
    first = history.commit({b"m": b"1\n"}, base, hours=2)
    second = history.commit({b"f": b"2\n"}, first, hours=4, message=b"Second")
    return [base, first, second, topic]


def members(history: History, called: bytes) -> list[int]:
    return list(resolve(history.repository, called).members(history.repository))


def test_steps_back_leave_out_what_the_log_lists_first(
    history: History, fork: list[int]
) -> None:
    base, first, second, topic = fork
    assert members(history, b"main~") == sorted([base, first])
    assert members(history, b"main~2") == [base]
    assert members(history, b"main~1~1~1") == []
    assert members(history, b"(main|topic)~1") == sorted([base, first, topic])
    assert members(history, b"(main|topic)~2") == sorted([base, first])
    assert members(history, b"main~0") == sorted([base, first, second])


def test_there_are_no_steps_before_the_empty_state(history: History, fork: list[int]) -> None:
    assert fork
    with pytest.raises(TooFarBackError, match=r"'main~4' goes back too far: .* is 3 back"):
        resolve(history.repository, b"main~4")


def test_a_step_back_from_a_merge_of_git_leads_to_its_first_parent(history: History) -> None:
    base = history.commit({b"f": b"1\n"})
    left = history.commit({b"l": b"1\n"}, base)
    right = history.commit({b"r": b"1\n"}, base)
    parents = [digit * 40 for digit in "ab"]
    raw = "".join(f"parent {name}\n" for name in parents).encode()
    history.commit({b"f": b"2\n"}, left, right, extra=((b"git:commit", raw),))
    assert members(history, b"main~1") == [base, left, right]
    with history.repository.store.transaction() as transaction:
        for name, change in zip(parents, (right, left), strict=True):
            transaction.put(GIT, bytes.fromhex(name), key(change))
    assert members(history, b"main~1") == [base, right]


def test_states_are_united_and_cut(history: History, fork: list[int]) -> None:
    base, first, second, topic = fork
    assert members(history, b"main|topic") == sorted(fork)
    assert members(history, b"main & topic") == [base]
    assert resolve(history.repository, b"main&topic").state == Name((base,))
    assert members(history, b"topic|main&topic") == sorted([base, topic])
    assert members(history, b"(topic|main)&main") == sorted([base, first, second])
    both = resolve(history.repository, b"topic|main").state
    assert both == Name(tuple(sorted([second, topic])))


def test_a_difference_is_a_set_and_a_state_where_it_is_closed(
    history: History, fork: list[int]
) -> None:
    _, first, second, topic = fork
    assert resolve_set(history.repository, b"main-topic") == BitMap([first, second])
    with pytest.raises(NotClosedError, match=r"no state: .* \(Second\) depends on .* \(Base\)"):
        resolve(history.repository, b"main-topic")
    # What topic adds depends on nothing.
    named = resolve(history.repository, b"topic-main").state
    assert named.heads == (topic,)
    assert list(history.repository.states.members(named)) == [topic]
    assert resolve_set(history.repository, b"main-main~1-topic") == BitMap([second])


def test_a_hyphen_of_a_name_is_no_difference(history: History, fork: list[int]) -> None:
    put(history, Ref(BOOKMARK, b"main-topic"), fork[0])
    assert members(history, b"main-topic") == [fork[0]]
    assert resolve_set(history.repository, b"main - topic") == BitMap(fork[1:3])
    put(history, Ref(BOOKMARK, b"x"), fork[0])
    put(history, Ref(BOOKMARK, b"topic-x"), fork[0])
    with pytest.raises(TwoReadingsError, match="'main - topic-x', 'main-topic - x'"):
        resolve(history.repository, b"main-topic-x")
    with pytest.raises(UnknownStateError, match="'main-nothing'"):
        resolve(history.repository, b"main-nothing")


def test_a_name_that_the_grammar_would_read_otherwise_is_quoted(
    history: History, fork: list[int]
) -> None:
    put(history, Ref(BOOKMARK, b"a&b"), fork[0])
    put(history, Ref(BOOKMARK, b"(x"), fork[1])
    assert resolve(history.repository, b'"a&b"').ref == Ref(BOOKMARK, b"a&b")
    assert members(history, b'"(x"|"a&b"') == sorted([fork[0], fork[1]])
    for called, near in ((b"a&b", '"a&b"'), (b"(x", '"(x"')):
        with pytest.raises(UnknownStateError) as caught:
            resolve(history.repository, called)
        assert caught.value.near == (near,)


def test_what_is_in_quotes_is_a_name_and_nothing_else(history: History) -> None:
    change = history.commit({b"f": b"1\n"})
    for called in (b'"@"', b'"%b"' % history.id(change).hex()[:8].encode()):
        with pytest.raises(UnknownStateError):
            resolve(history.repository, called)


def test_a_name_held_what_it_held_at_a_time(history: History, fork: list[int]) -> None:
    base, first, second, topic = fork
    hour = "2023-11-15T{:02}:13:20Z"
    assert members(history, b"main@{%b}" % hour.format(0).encode()) == sorted([base, first])
    assert members(history, b"main@{%b}" % hour.format(2).encode()) == sorted(
        [base, first, second]
    )
    assert members(history, b"main@{1}") == sorted([base, first])
    assert members(history, b"@{0}") == members(history, b"@")
    assert members(history, b"topic@{now}|main@{2}") == sorted([base, topic])
    for called in (b"main@{1999-01-01}", b"main@{3}", b"nothing@{now}"):
        with pytest.raises(NotThenError, match="nothing was called"):
            resolve(history.repository, called)


def test_a_name_that_is_deleted_still_tells_what_it_held(
    history: History, fork: list[int]
) -> None:
    with writing(history.repository, history.stamp()) as work:
        work.move(Ref(BOOKMARK, b"topic"), None)
    assert members(history, b"topic@{1}") == sorted([fork[0], fork[3]])


def test_what_is_not_in_the_grammar_is_refused(history: History) -> None:
    for called in (b"main^", b"main~1x", b"a|", b"(a", b"main@{", b"main@{}", b"a b"):
        with pytest.raises(StateSyntaxError):
            resolve(history.repository, called)
