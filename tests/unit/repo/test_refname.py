import pytest

from oxy.repo.refname import NameFoldsError, RefNameError, check, refusal


@pytest.mark.parametrize(
    "name",
    [
        b"-x", b"../x", b"a..b", b"", b"/a", b"a/", b"a//b", b"@", b"a b", b"a\x01", b"a\x7f",
        b"a~1", b"a^", b"a:b", b"a?", b"a*", b"a[", b"a\\b", b"a|b", b"a@{1}", b".git",
        b"a/.OXY", b".", b"x/.",
    ],
)  # fmt: skip
def test_a_name_that_would_mislead_is_refused(name: bytes) -> None:
    with pytest.raises(RefNameError, match="is no name for a bookmark or tag: it "):
        check(name, [])


@pytest.mark.parametrize("name", [b"main", b"a/b-c", b"v1.0", b"\xc3\xa9", b"a@b", b"\xff"])
def test_an_ordinary_name_is_allowed(name: bytes) -> None:
    assert refusal(name) is None


@pytest.mark.parametrize(("name", "other"), [(b"Main", b"main"), (b"\xc3\x89", b"e\xcc\x81")])
def test_names_that_fold_together_are_refused(name: bytes, other: bytes) -> None:
    with pytest.raises(NameFoldsError):
        check(name, [b"zebra", other])


def test_a_name_does_not_fold_with_itself() -> None:
    check(b"main", [b"main"])
