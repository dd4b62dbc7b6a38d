"""A desk with a new repository, which most scenarios begin at."""

from pathlib import Path

import pytest

from tests.builders.desk import AUTHOR, Desk


@pytest.fixture
def desk(
    tmp_path: Path,
    capfdbinary: pytest.CaptureFixture[bytes],
    monkeypatch: pytest.MonkeyPatch,
) -> Desk:
    monkeypatch.setenv("OXY_AUTHOR", AUTHOR)
    desk = Desk(tmp_path, capfdbinary)
    desk.says("init")
    return desk
