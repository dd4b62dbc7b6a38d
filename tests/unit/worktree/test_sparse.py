from pathlib import Path

import pytest

from oxy.worktree.sparse import BadPatternError, Sparse, read, require_patterns, write


@pytest.mark.parametrize(
    ("patterns", "path", "is_here"),
    [
        ([b"/src"], b"src/a", True),
        ([b"/src"], b"src/lib/b", True),
        ([b"/src"], b"a/src/b", False),
        ([b"/src"], b"srcs", False),
        ([b"src"], b"a/src/b", True),
        ([b"src/"], b"a/src", False),
        ([b"*.md"], b"docs/a.md", True),
        ([b"/src", b"!/src/gen"], b"src/gen/a", False),
        ([b"/src", b"!/src/gen", b"/src/gen/keep"], b"src/gen/keep", True),
        ([b"/src", b"!*.o"], b"src/a.o", False),
        ([b"!*.o", b"/src"], b"src/a.o", False),
        ([b"!/src", b"/src"], b"src/a", True),
        ([b"a/**/c"], b"a/b/b/c", True),
        ([b"# note"], b"# note", False),
    ],
)
def test_the_last_pattern_that_fits_decides_nearest_first(
    patterns: list[bytes], path: bytes, *, is_here: bool
) -> None:
    assert Sparse(patterns).holds(path) is is_here


def test_patterns_are_kept_as_they_are(tmp_path: Path) -> None:
    path = bytes(tmp_path / "sparse")
    assert read(path) is None
    write(path, Sparse([b"/src", b"\xff*"]))
    found = read(path)
    assert found is not None
    assert found.lines == (b"/src", b"\xff*")
    write(path, None)
    assert read(path) is None


@pytest.mark.parametrize("line", [b"", b"# a", b"[", b"a\nb", b"/"])
def test_what_fits_nothing_is_no_pattern(line: bytes) -> None:
    with pytest.raises(BadPatternError):
        require_patterns([b"a", line])
