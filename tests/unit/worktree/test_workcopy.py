from pathlib import Path

import pytest

from oxy.actions.init import init
from oxy.worktree.reader import ChangedError
from oxy.worktree.snapshot import take
from oxy.worktree.workcopy import AGAIN, working_copy


def test_where_a_file_is_written_meanwhile_it_is_looked_at_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    init(bytes(tmp_path))
    (tmp_path / "f").write_text("1\n")
    errors = [ChangedError(b"f")] * AGAIN

    def taking(*args: object) -> object:
        if errors:
            raise errors.pop()
        return take(*args)  # type: ignore[arg-type] # as they came

    monkeypatch.setattr("oxy.worktree.workcopy.take", taking)
    with working_copy(bytes(tmp_path)) as copy:
        assert [change.path for change in copy.snapshot().changes] == [b"f"]
        errors += [ChangedError(b"f")] * (AGAIN + 1)
        with pytest.raises(ChangedError):
            copy.snapshot()
