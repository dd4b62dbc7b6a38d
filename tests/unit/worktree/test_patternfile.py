import os
from pathlib import Path

import pytest

from oxy.worktree import patternfile
from oxy.worktree.patternfile import IgnoreFileTooLargeError, patterns_of


def test_a_file_is_found_by_its_last_name_in_a_directory(tmp_path: Path) -> None:
    (tmp_path / "rules").write_text("*.o\n")
    fd = os.open(tmp_path, os.O_RDONLY)
    try:
        assert patterns_of(b"where/ever/rules", fd) == b"*.o\n"
    finally:
        os.close(fd)


def test_what_is_no_regular_file_has_no_patterns(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert patterns_of(os.fsencode(tmp_path / "pipe")) is None


def test_a_file_over_the_limit_is_refused_by_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(patternfile, "MAX_IGNORE_FILE", 3)
    (tmp_path / "rules").write_text("*.o\n")
    with pytest.raises(IgnoreFileTooLargeError, match="rules is over 3 bytes"):
        patterns_of(os.fsencode(tmp_path / "rules"))
