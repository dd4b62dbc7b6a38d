"""Where an import goes."""

import os
from pathlib import Path

import pytest

from oxy.repo.repository import Repository
from oxy_git.verb.destination import NotEmptyError, called_as, destination, opened


@pytest.mark.parametrize(
    ("source", "name"),
    [
        (b"/src/project", b"project"),
        (b"/src/project/", b"project"),
        (b"/src/project.git", b"project"),
        (b"/src/project/.git", b"project"),
        (b"/src/lat\xe9.git/", b"lat\xe9"),
    ],
)
def test_a_new_directory_is_called_as_its_source(source: bytes, name: bytes) -> None:
    assert called_as(source) == name


def test_a_repository_around_is_preferred_to_a_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Repository.create(os.fsencode(tmp_path)).close()
    (tmp_path / "inside").mkdir()
    monkeypatch.chdir(tmp_path / "inside")
    assert destination(b"/src/project", None) == os.fsencode(tmp_path)
    named = destination(b"/src/project", b"named")
    assert named == os.fsencode(tmp_path / "inside" / "named")


def test_an_empty_directory_will_do_and_another_will_not(tmp_path: Path) -> None:
    assert destination(b"/src/project", os.fsencode(tmp_path)) == os.fsencode(tmp_path)
    (tmp_path / "file").write_bytes(b"")
    for place in (tmp_path, tmp_path / "file"):
        with pytest.raises(NotEmptyError):
            destination(b"/src/project", os.fsencode(place))


def test_a_repository_that_was_begun_is_opened_again(tmp_path: Path) -> None:
    root = os.fsencode(tmp_path / "new")
    opened(root).close()
    assert destination(b"/src/project", root) == root
    opened(root).close()
