"""Verifying finds what is damaged, names it, and says nothing of the rest."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path

import pytest
from pyroaring import BitMap

from oxy.codec.encode import encode_sized
from oxy.model.change import Change, Context, Header
from oxy.model.digest import ChangeId
from oxy.model.operation import MODE, Write
from oxy.repo.indexing import Indexer
from oxy.repo.repository import Repository, opened
from oxy.repo.tables import GIT, key
from oxy.store.protocol import CHANGE
from oxy_git.reader.ledger import every
from oxy_git.verify import run
from oxy_git.verify.choice import Choice, chosen_of
from oxy_git.verify.history import History
from oxy_git.verify.result import Verification
from oxy_git.verify.run import COMMIT, CONTENT, PARENTS, TREE, verify
from oxy_git.verify.workers import Workers
from tests.builders.bridge import Silent, brought, change_of
from tests.builders.gitcases import ALL, TEN, swapped
from tests.builders.gitrepo import GitRepo

Alter = Callable[[Change], Change]


def altered(repository: Repository, target: int, alter: Alter) -> Repository:
    """Return a repository with the same changes but one, and names made to fit."""
    other = Repository.in_memory()
    names: dict[ChangeId, ChangeId] = {}
    with other.store.transaction() as transaction:
        indexer = Indexer(transaction, other.states)
        for number in range(1, repository.store.count(CHANGE) + 1):
            old = repository.change(number)
            change = alter(old) if number == target else old
            header = renamed(change.header, names)
            made, payload, sizes = encode_sized(header, change.operations)
            names[old.id] = made.id
            assert transaction.append(CHANGE, made.id, payload) == number
            indexer.index(made, number, payload, sizes)
    return other


def renamed(header: Header, names: dict[ChangeId, ChangeId]) -> Header:
    deps = tuple(names[name] for name in header.deps)
    assert list(deps) == sorted(deps)
    heads = tuple(sorted(names[name] for name in header.context.heads))
    return header._replace(deps=deps, context=Context(heads))


def with_content(old: bytes, new: bytes) -> Alter:
    """Return what puts other lines of the same number in a change."""

    def alter(change: Change) -> Change:
        nodes = tuple(
            edit._replace(content=edit.content.replace(old, new))
            if isinstance(edit.content, bytes)
            else edit
            for edit in change.operations.nodes
        )
        return change._replace(operations=change.operations._replace(nodes=nodes))

    return alter


@pytest.fixture
def git(tmp_path: Path) -> GitRepo:
    git = GitRepo(tmp_path / "git")
    first = git.commit({b"d/a": TEN, b"b": b"b\n"})
    second = git.commit({b"d/a": swapped(TEN, b"3", b"three"), b"b": b"b\n"}, first)
    git.main({b"d/a": swapped(TEN, b"3", b"three"), b"b": b"b\n", b"c": TEN}, second)
    git.branch("side", git.commit({b"d/a": TEN, b"b": b"other\n"}, first))
    return git


@contextmanager
def opened_anew(root: Path) -> Iterator[Repository]:
    root.mkdir()
    Repository.create(bytes(root), "fast").close()
    with opened(bytes(root)) as repository:
        yield repository


def commit(git: GitRepo, name: str) -> bytes:
    return bytes.fromhex(git.git("rev-parse", name).decode())


def test_counts_say_what_was_done(git: GitRepo) -> None:
    repository, _ = brought(git)
    found = verify(repository, Silent())
    assert found == Verification(4, 6, 0, 5, (), imported=4)


def test_a_line_that_was_altered_is_found_and_named(git: GitRepo) -> None:
    repository, _ = brought(git)
    target = change_of(repository, commit(git, "main^").hex())
    damaged = altered(repository, target, with_content(b"three", b"seven"))
    found = verify(damaged, Silent())
    assert [item[:4] for item in found.mismatches] == [
        (commit(git, "main^"), b"d/a", TREE, 0),
        (commit(git, "main"), b"c", TREE, 0),
    ]
    assert found.commits == 4


def test_a_mode_that_was_altered_is_found(git: GitRepo) -> None:
    def alter(change: Change) -> Change:
        edit = change.operations.nodes[0]
        edit = edit._replace(writes=(*edit.writes, Write(MODE, 1)))
        return change._replace(operations=change.operations._replace(nodes=(edit,)))

    repository, _ = brought(git)
    target = change_of(repository, commit(git, "side").hex())
    found = verify(altered(repository, target, alter), Silent())
    assert [item[:3] for item in found.mismatches] == [(commit(git, "side"), b"b", TREE)]


def test_a_commit_on_another_state_than_its_parents_is_found(git: GitRepo) -> None:
    def alter(change: Change) -> Change:
        header = change.header._replace(context=Context(change.header.deps))
        return change._replace(header=header)

    repository, _ = brought(git)
    target = change_of(repository, commit(git, "main").hex())
    found = verify(altered(repository, target, alter), Silent())
    assert (commit(git, "main"), b"", PARENTS, 0) in found.mismatches


def test_a_conflict_that_no_commit_resolved_is_found(tmp_path: Path) -> None:
    git = GitRepo(tmp_path / "git")
    base = git.commit({b"a": TEN})
    one = git.commit({b"a": swapped(TEN, b"4", b"left")}, base)
    two = git.commit({b"a": swapped(TEN, b"4", b"right")}, base)
    git.main({b"a": swapped(TEN, b"4", b"left")}, one, two)
    repository, _ = brought(git)

    def alter(change: Change) -> Change:
        header = change.header._replace(deps=())
        operations = change.operations._replace(weak=(), directories=(), nodes=())
        return change._replace(header=header, operations=operations)

    damaged = altered(repository, change_of(repository, commit(git, "main").hex()), alter)
    found = verify(damaged, Silent())
    assert found.mismatches == ((commit(git, "main"), b"a", CONTENT, 0),)


def test_a_message_that_was_altered_is_found(git: GitRepo) -> None:
    def alter(change: Change) -> Change:
        return change._replace(header=change.header._replace(message=b"Another\n"))

    repository, _ = brought(git)
    target = change_of(repository, commit(git, "side").hex())
    damaged = altered(repository, target, alter)
    with damaged.store.transaction() as transaction:
        for oid, change in every(repository.store):
            transaction.put(GIT, oid, key(change))
    assert verify(damaged, Silent()).mismatches == ((commit(git, "side"), b"", COMMIT, 0),)


@pytest.mark.parametrize("case", ALL)
def test_each_commit_of_a_history_proves_alone_and_in_pairs(case: str, tmp_path: Path) -> None:
    git = GitRepo(tmp_path / "git")
    ALL[case](git)
    repository, report = brought(git)
    count = report.commits
    for first in range(1, count + 1):
        for second in range(first, count + 1):
            found = verify(repository, Silent(), Choice(BitMap([first, second])))
            assert found.mismatches == ()
            assert found.commits == len({first, second})


def test_what_is_altered_beneath_a_single_commit_is_found(git: GitRepo) -> None:
    repository, _ = brought(git)
    altered_at = change_of(repository, commit(git, "main^").hex())
    damaged = altered(repository, altered_at, with_content(b"three", b"seven"))
    last = change_of(repository, commit(git, "main").hex())
    found = verify(damaged, Silent(), Choice(BitMap([last])))
    assert [item[0] for item in found.mismatches] == [commit(git, "main")]


def test_a_sample_is_of_ids_and_the_seed_alone(git: GitRepo) -> None:
    def sampled(repository: Repository, choice: Choice) -> set[bytes]:
        history = History(repository)
        changes = chosen_of(repository, history, choice)
        return {oid for oid, change in history.numbers.items() if change in changes}

    whole, _ = brought(git)
    pieces, _ = brought(git, limit=1)
    git.git("branch", "-m", "main", "zzz")
    brought(git, pieces)
    drawn = {frozenset(sampled(whole, Choice(None, 2, seed))) for seed in range(20)}
    assert len(drawn) > 1
    for seed in range(20):
        choice = Choice(None, 2, seed)
        assert sampled(pieces, choice) == sampled(whole, choice)
    assert len(sampled(whole, Choice(None, Fraction(1, 100)))) == 1
    assert len(sampled(whole, Choice(None, 99))) == 4


def test_several_processes_find_the_same(
    git: GitRepo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "PAYS", 1)
    with opened_anew(tmp_path / "oxy") as repository:
        brought(git, repository)
        alone = verify(repository, Silent())
        assert alone.mismatches == ()
        for jobs in (2, 3, 9):
            assert verify(repository, Silent(), jobs=jobs) == alone


def test_what_a_process_that_died_does_not_answer_is_worked_out(
    git: GitRepo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "PAYS", 1)
    monkeypatch.setattr("oxy_git.verify.workers._Answerer.answer", lambda *_: 1 / 0)
    with opened_anew(tmp_path / "oxy") as repository:
        brought(git, repository)
        assert verify(repository, Silent(), jobs=2) == verify(repository, Silent())


def test_processes_answer_in_order_and_only_for_their_share(
    git: GitRepo, tmp_path: Path
) -> None:
    with opened_anew(tmp_path / "oxy") as repository:
        brought(git, repository)
        workers = Workers(repository.root, 9)
        workers.ask(1, [1, 2], is_recorded=True)
        workers.ask(2, [1], is_recorded=True)
        first, second = workers.take(1), workers.take(2)
        workers.close()
    assert set(first.values()) == {
        bytes.fromhex(git.put(b"blob", each)) for each in (TEN, b"b\n")
    }
    assert [*second] == [1]
