import os
from pathlib import Path

import pytest

from oxy.repo.place import Home, PointerError, home, pointer, pointing


def workspace(root: Path, to: Home) -> bytes:
    (root / ".oxy").mkdir(parents=True)
    (root / ".oxy/store").write_bytes(pointing(to))
    return bytes(root)


def test_a_directory_with_its_own_store_is_its_home(tmp_path: Path) -> None:
    (tmp_path / ".oxy").mkdir()
    assert home(bytes(tmp_path)) == Home(bytes(tmp_path) + b"/.oxy")


def test_a_workspace_is_at_home_where_its_pointer_leads(tmp_path: Path) -> None:
    # A path may have any byte but NUL in it.
    control = tmp_path / "a\nb/.oxy"
    control.mkdir(parents=True)
    to = Home(bytes(control), b"w")
    root = workspace(tmp_path / "w", to)
    assert pointer(root + b"/.oxy") == to
    assert home(root) == to


def test_a_pointer_to_another_workspace_or_to_nothing_is_refused(tmp_path: Path) -> None:
    (tmp_path / "p/.oxy").mkdir(parents=True)
    first = workspace(tmp_path / "w", Home(bytes(tmp_path) + b"/p/.oxy", b"w"))
    second = workspace(tmp_path / "x", Home(first + b"/.oxy", b"x"))
    with pytest.raises(PointerError, match="another workspace"):
        home(second)
    (tmp_path / "p/.oxy").rmdir()
    with pytest.raises(PointerError, match="is not at"):
        home(first)


@pytest.mark.parametrize(
    "text",
    [
        b"oxy workspace 2\nw\n/p\n",
        b"oxy workspace 1\n\n/p\n",
        b"oxy workspace 1\nw\np\n",
        b"oxy workspace 1\nw\n/p\0\n",
        b"oxy workspace 1\nw\n/p",
        b"oxy workspace 1\nw\n/" + b"p" * 9000 + b"\n",
    ],
)
def test_a_pointer_of_another_form_is_refused(tmp_path: Path, text: bytes) -> None:
    (tmp_path / "store").write_bytes(text)
    with pytest.raises(PointerError, match="does not say where"):
        pointer(bytes(tmp_path))


def test_a_pipe_in_the_place_of_a_pointer_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "store")
    with pytest.raises(PointerError, match="does not say where"):
        pointer(bytes(tmp_path))
