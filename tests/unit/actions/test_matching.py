from pathlib import Path

import pytest

from oxy.actions.matching import NoMatchError, is_pattern, is_there, matched
from oxy.actions.paths import OutsideError
from tests.builders.workshop import Workshop


@pytest.fixture
def shop(tmp_path: Path) -> Workshop:
    shop = Workshop(tmp_path)
    for name in ("a.py", "d/b.py", "d/e/c.py", ".gitignore"):
        shop.write(name, "out/\n*.o\n")
    shop.commit("base")
    shop.write("d/new.py", "new\n")
    shop.write("out/x.o", "x\n")
    shop.write("y.o", "y\n")
    return shop


def names(
    shop: Workshop, pattern: bytes, below: str = "", *, tells: bool = False
) -> list[bytes]:
    with shop.copy() as copy:
        return matched(copy, bytes(shop.root / below), pattern, tells=tells)


def test_a_pattern_without_a_slash_matches_at_every_depth(shop: Workshop) -> None:
    assert names(shop, b"*.py") == [b"a.py", b"d/b.py", b"d/e/c.py", b"d/new.py"]
    assert names(shop, b"*.py", "d/e") == [b"d/e/c.py"]
    assert names(shop, b"[!n]*") == [
        b".gitignore",
        b"a.py",
        b"d/b.py",
        b"d/e/c.py",
        b"d/new.py",
    ]


def test_a_pattern_with_one_stands_where_the_user_does(shop: Workshop) -> None:
    assert names(shop, b"d/*") == [b"d/b.py", b"d/e/c.py", b"d/new.py"]
    assert names(shop, b"../?.py", "d") == [b"a.py"]
    assert names(shop, b"*/", "d") == [b"d/e/c.py"]
    with pytest.raises(OutsideError):
        names(shop, b"../../*")


def test_a_file_that_is_gone_is_matched_and_an_ignored_one_only_where_asked(
    shop: Workshop,
) -> None:
    shop.write("a.py", None)
    assert names(shop, b"a*") == [b"a.py"]
    with pytest.raises(NoMatchError, match=r"no file matches '\*\.o'"):
        names(shop, b"*.o")
    assert names(shop, b"*.o", tells=True) == [b"y.o"]
    assert names(shop, b"o*", tells=True) == [b"out"]


def test_signs_that_ignore_files_know_mean_themselves(shop: Workshop) -> None:
    shop.write("!x", "x\n")
    shop.write("#y", "y\n")
    assert names(shop, b"!*") == [b"!x"]
    assert names(shop, b"#?") == [b"#y"]
    assert is_pattern(b"a?")
    assert not is_pattern(b"a/b")


def test_what_is_there_is_no_pattern(shop: Workshop) -> None:
    shop.write("[x]", "x\n")
    with shop.copy() as copy:
        assert [is_there(copy, p) for p in (b"[x]", b"d", b"a.py", b"x")] == [
            True,
            True,
            True,
            False,
        ]
