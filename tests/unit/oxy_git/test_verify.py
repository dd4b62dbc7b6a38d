"""Verifying finds what is damaged, names it, and says nothing of the rest."""

from collections.abc import Callable
from pathlib import Path

import pytest

from oxy.codec.encode import encode_sized
from oxy.model.change import Change, Context, Header
from oxy.model.digest import ChangeId
from oxy.model.operation import MODE, Write
from oxy.repo.indexing import Indexer
from oxy.repo.repository import Repository
from oxy.repo.tables import GIT, key
from oxy.store.protocol import CHANGE
from oxy_git.reader.ledger import every
from oxy_git.verify.result import Verification
from oxy_git.verify.run import COMMIT, CONTENT, PARENTS, TREE, verify
from tests.builders.bridge import Silent, brought, change_of
from tests.builders.gitcases import TEN, swapped
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


def commit(git: GitRepo, name: str) -> bytes:
    return bytes.fromhex(git.git("rev-parse", name).decode())


def test_counts_say_what_was_done(git: GitRepo) -> None:
    repository, _ = brought(git)
    found = verify(repository, Silent())
    assert found == Verification(4, 6, 0, 5, ())


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
