from pathlib import Path

import pytest

from oxy.actions.paths import EmptyPathError, OutsideError, inside, is_asked, shown


@pytest.mark.parametrize(
    ("here", "given", "path"),
    [
        (b"/r", b"f", b"f"),
        (b"/r/d/e", b"f", b"d/e/f"),
        (b"/r/d/e", b"../f", b"d/f"),
        (b"/r/d", b"..", b""),
        (b"/r/d", b".", b"d"),
        (b"/", b"/r/d//f/", b"d/f"),
        (b"/r", b"\xff", b"\xff"),
    ],
)
def test_a_path_is_taken_from_where_the_user_stands(
    here: bytes, given: bytes, path: bytes
) -> None:
    assert inside(b"/r", here, given) == path


@pytest.mark.parametrize("given", [b"../f", b"/f", b"/rf", b"../../r2/f"])
def test_a_path_outside_is_refused(given: bytes) -> None:
    with pytest.raises(OutsideError, match="outside the working copy /r"):
        inside(b"/r", b"/r", given)


def test_the_way_to_a_path_may_lead_over_a_symlink_and_the_path_may_be_one(
    tmp_path: Path,
) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "way").symlink_to("real")
    (tmp_path / "real" / "link").symlink_to("nowhere")
    root = bytes(tmp_path / "real")
    assert inside(root, root, bytes(tmp_path / "way" / "link")) == b"link"


@pytest.mark.parametrize(
    ("here", "path", "wanted"),
    [
        (b"/r", b"d/f", b"d/f"),
        (b"/r/d", b"d/f", b"f"),
        (b"/r/d/e", b"d/f", b"../f"),
        (b"/r/d/e", b"x/f", b"../../x/f"),
        (b"/r/f", b"f", b"../f"),
        (b"/elsewhere", b"f", b"f"),
    ],
)
def test_a_path_is_shown_from_where_the_user_stands(
    here: bytes, path: bytes, wanted: bytes
) -> None:
    assert shown(b"/r", here, path) == wanted


def test_what_is_asked_for_is_a_path_and_what_is_below_it() -> None:
    assert is_asked(b"a/b", [])
    assert is_asked(b"a/b", [b""])
    assert is_asked(b"a/b", [b"x", b"a"])
    assert is_asked(b"a/b", [b"a/b"])
    assert not is_asked(b"a/b", [b"a/", b"a/bc", b"b"])


def test_an_empty_path_means_nothing() -> None:
    with pytest.raises(EmptyPathError, match="a path is empty"):
        inside(b"/r", b"/r", b"")
