"""Working copies that have only some files, through the real command line, to the letter."""

from pathlib import Path

import pytest

from oxy.worktree import placing
from tests.builders.desk import Desk


def layout(desk: Desk) -> None:
    for path in ("src/a", "src/lib/b", "docs/c", "README.md"):
        desk.write(path, f"{path}\n")
    desk.commit("All")


def here(desk: Desk, root: str = ".") -> list[str]:
    found = (path for path in (desk.root / root).rglob("*") if path.is_file())
    names = [str(path.relative_to(desk.root / root)) for path in found]
    return sorted(name for name in names if not name.startswith(".oxy"))


def test_only_what_patterns_fit_is_here_and_all_is_recorded(desk: Desk) -> None:
    layout(desk)
    assert desk.says("sparse", "set", "/src") == (
        "0 files written, 2 removed; 2 of 4 are here\n"
    )
    assert here(desk) == ["src/a", "src/lib/b"]
    assert desk.says("status") == "on main\nnothing changed\n"
    desk.write("src/a", "edited\n")
    desk.commit("Edit")
    assert desk.says("files") == "README.md\ndocs/c\nsrc/a\nsrc/lib/b\n"
    assert desk.says("sparse", "list") == "/src\n"
    assert desk.says("sparse", "add", "*.md") == (
        "1 file written, 0 removed; 3 of 4 are here\n"
    )
    assert desk.says("sparse", "reset") == "1 file written, 0 removed; 4 of 4 are here\n"
    assert desk.says("sparse", "list") == ""
    assert here(desk) == ["README.md", "docs/c", "src/a", "src/lib/b"]
    assert desk.says("status") == "on main\nnothing changed\n"
    assert desk.says("fsck") == "nothing is wrong\n"


def test_switching_writes_only_what_is_here(desk: Desk) -> None:
    layout(desk)
    desk.says("switch", "-c", "other")
    for path in ("src/a", "docs/c", "docs/new", "src/new"):
        desk.write(path, "other\n")
    desk.commit("Other")
    desk.says("sparse", "set", "/src")
    desk.says("switch", "main")
    assert here(desk) == ["src/a", "src/lib/b"]
    desk.says("merge", "other")
    assert here(desk) == ["src/a", "src/lib/b", "src/new"]
    assert desk.says("status") == "on main\nnothing changed\n"
    assert desk.says("cat", "docs/new") == "other\n"
    desk.says("undo")
    assert here(desk) == ["src/a", "src/lib/b"]
    assert desk.says("status") == "on main\nnothing changed\n"


def test_edits_keep_files_here(desk: Desk) -> None:
    layout(desk)
    desk.write("docs/c", "edited\n")
    assert desk.refuses("sparse", "set", "/src", code=2) == (
        "oxy: edits would be lost: docs/c\n"
        "hint: commit or shelve them, or throw them away with `oxy discard`, which `oxy undo` "
        "undoes\n"
    )
    assert desk.says("sparse", "list") == ""
    assert len(here(desk)) == 4


def test_what_is_outside_is_told_of_and_not_recorded(desk: Desk) -> None:
    layout(desk)
    desk.says("sparse", "set", "/src")
    desk.write("docs/mine", "1\n")
    assert "docs/mine" in desk.says("status")
    assert desk.run("commit", "-m", "None") == 1
    assert desk.refuses("mv", "src/a", "docs/a", code=2) == (
        "oxy: docs/a is outside of what this working copy has\n"
        "hint: `oxy sparse add` has it here\n"
    )
    assert desk.run("restore", "docs/c", "--from", "main") == 2
    desk.write("docs/c", "in the way\n")
    assert desk.run("sparse", "add", "docs") == 2
    assert "docs/c" in desk.err
    assert (desk.root / "docs/c").read_text() == "in the way\n"
    assert desk.refuses("sparse", "add", "[", code=2) == (
        "oxy: '[' is no pattern that fits anything\n"
    )


def test_where_all_is_here_nothing_is_added(desk: Desk) -> None:
    layout(desk)
    assert desk.refuses("sparse", "add", "/src", code=2) == (
        "oxy: the working copy has every file already\n"
        "hint: `oxy sparse set` says which ones it is to have\n"
    )


def test_a_clone_has_only_what_is_asked_for(desk: Desk, tmp_path: Path) -> None:
    layout(desk)
    there = f"../{tmp_path.name}-sparse"
    desk.says("clone", ".", there, "--sparse", "/docs", "--sparse", "*.md")
    assert here(desk, there) == ["README.md", "docs/c"]
    assert desk.says("status", where=there) == "on main\nnothing changed\n"
    desk.write("src/a", "2\n")
    desk.commit("More")
    desk.says("pull", where=there)
    assert here(desk, there) == ["README.md", "docs/c"]
    assert desk.says("cat", "src/a", where=there) == "2\n"


@pytest.mark.parametrize("died_at", [1, 2])
def test_a_crash_leaves_nothing_deleted(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, died_at: int
) -> None:
    layout(desk)
    desk.says("sparse", "set", "/src")
    calls = iter(range(1, 3))
    real = placing.carry_out

    def dying(*args: object, **more: object) -> object:
        if next(calls) == died_at:
            raise KeyboardInterrupt
        return real(*args, **more)  # type: ignore[arg-type] # as it was called

    monkeypatch.setattr("oxy.actions.sparse.carry_out", dying)
    assert desk.run("sparse", "set", "/docs") == 130
    monkeypatch.setattr("oxy.actions.sparse.carry_out", real)
    assert desk.run("commit", "-m", "Nothing") == 1
    desk.says("sparse", "set", "/docs")
    assert here(desk) == ["docs/c"]
    assert desk.says("status") == "on main\nnothing changed\n"


def test_a_conflict_in_a_file_that_is_away_is_told_and_not_taken_for_resolved(
    desk: Desk,
) -> None:
    layout(desk)
    desk.says("switch", "-c", "other")
    desk.write("src/a", "theirs\n")
    desk.commit("Theirs")
    desk.says("switch", "main")
    desk.write("src/a", "ours\n")
    desk.commit("Ours")
    desk.says("sparse", "set", "/docs")
    desk.run("merge", "other")
    told = "C src/a  text, not here (sparse)\n"
    assert desk.run("resolve") == 1
    assert desk.out == told
    assert told in desk.says("status")
    assert '"away": true' in desk.says("status", "--json")
    assert desk.run("resolve", "--take", "both", "src/a") == 2
    assert desk.err == (
        "oxy: src/a is outside of what this working copy has\n"
        "hint: `oxy sparse add` has it here\n"
    )
    desk.says("sparse", "add", "/src/a")
    assert desk.says("resolve", "--take", "both", "src/a").startswith("took both for src/a")
