from pathlib import Path

import pytest

from oxy.actions.init import NotADirectoryToUseError, init
from oxy.repo.refs import BOOKMARK, HERE, Ref, Target
from oxy.repo.repository import Repository, RepositoryExistsError, opened
from oxy.repo.states import Name


def test_a_new_repository_is_on_its_bookmark_in_the_empty_state(tmp_path: Path) -> None:
    root = init(bytes(tmp_path / "new/one"))
    assert root == bytes(tmp_path / "new/one")
    with opened(root) as repository:
        assert repository.refs.get(HERE) == Target(Name(), (), b"main")
        assert repository.refs.get(Ref(BOOKMARK, b"main")) == Target(Name())


def test_a_repository_is_not_made_twice(tmp_path: Path) -> None:
    init(bytes(tmp_path))
    with pytest.raises(RepositoryExistsError):
        init(bytes(tmp_path))


def test_a_repository_whose_making_was_interrupted_is_completed(tmp_path: Path) -> None:
    Repository.create(bytes(tmp_path)).close()
    init(bytes(tmp_path))
    with opened(bytes(tmp_path)) as repository:
        assert repository.refs.get(HERE) == Target(Name(), (), b"main")


def test_no_repository_is_made_in_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(NotADirectoryToUseError):
        init(bytes(tmp_path / "file"))
