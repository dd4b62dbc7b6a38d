"""Notes of which commits stand for which states (spec: git-bridge, GB48)."""

from pathlib import Path

import pytest

from oxy.repo.exported import all_states, commit_of, note, state_of
from oxy.repo.repository import opened
from oxy.repo.states import Name
from tests.builders.desk import AUTHOR, Desk

ONE, TWO = b"1" * 20, b"2" * 20


@pytest.fixture
def root(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> bytes:
    monkeypatch.setenv("OXY_AUTHOR", AUTHOR)
    desk = Desk(tmp_path, capfdbinary)
    desk.says("init")
    for text in ("a\n", "b\n"):
        desk.write("f", text)
        desk.commit(text)
    return str(tmp_path).encode()


def test_a_note_is_found_both_ways(root: bytes) -> None:
    with opened(root) as repository:
        assert commit_of(repository, Name((1,))) is None
        note(repository, [(Name((1,)), ONE), (Name((2,), (1,)), TWO)])
    with opened(root) as repository:
        assert commit_of(repository, Name((1,))) == ONE
        assert state_of(repository, TWO) == Name((2,), (1,))
        assert dict(all_states(repository)) == {ONE: Name((1,)), TWO: Name((2,), (1,))}


def test_of_two_commits_for_a_state_the_later_counts(root: bytes) -> None:
    with opened(root) as repository:
        note(repository, [(Name((1,)), ONE), (Name((1,)), TWO)])
        assert commit_of(repository, Name((1,))) == TWO
        assert state_of(repository, ONE) == state_of(repository, TWO) == Name((1,))
