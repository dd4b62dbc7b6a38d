from pathlib import Path

import pytest

from oxy.cli.hunkediting import HunkEditError, edited, sides
from oxy.diff.unified import Hunk

SHOWN = Hunk(0, 2, 0, 2, [b" a", b"-b", b"+B", b"\\ No newline at end of file"])


def test_the_lines_of_a_hunk_are_told_apart_by_their_signs() -> None:
    text = b"@@ -1,3 +1,3 @@\n a\n-b\n+B\n\n# no line\n"
    assert sides(text) == ([b"a\n", b"b\n", b"\n"], [b"a\n", b"B\n", b"\n"])


def test_only_the_last_line_may_lack_its_lf() -> None:
    without = b"\\ No newline at end of file\n"
    assert sides(b" a\n" + without) == ([b"a"], [b"a"])
    assert sides(b"-a\n" + without + b"+b\n" + without) == ([b"a"], [b"b"])
    assert sides(b" a\n" + without + b"+b\n") == ([b"a"], [b"a\n", b"b\n"])


def test_a_line_without_a_sign_is_refused() -> None:
    with pytest.raises(HunkEditError, match="begins with 'x'"):
        sides(b"x\n")


@pytest.mark.parametrize(
    ("command", "made"),
    [("true", b"a\nB"), ("sed -i s/^+B/+C/", b"a\nC"), ("sed -i s/^[-+\\ ].*/#/", None)],
)
def test_what_the_editor_leaves_stands_in_place_of_the_old_lines(
    command: str, made: bytes | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OXY_EDITOR", command)
    assert edited(bytes(tmp_path), SHOWN) == made
    assert list(tmp_path.iterdir()) == []


def test_old_lines_stay_what_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OXY_EDITOR", "sed -i s/^-b/-c/")
    with pytest.raises(HunkEditError, match="not those of the file"):
        edited(bytes(tmp_path), SHOWN)
