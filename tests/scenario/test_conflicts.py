"""A conflict from the merge to its resolution, through the real command line, to the letter."""

import json
from pathlib import Path

import pytest

from tests.builders.desk import ID, Desk
from tests.builders.merging import fork


def conflict(
    desk: Desk, base: str = "a\nb\nc\n", ours: str = "a\nX\nc\n", theirs: str = "a\nY\nc\n"
) -> tuple[str, str]:
    """Merge two edits of f; return the ids of ours and theirs."""
    desk.write("f", base)
    desk.write("other", "1\n")
    desk.commit("Base")
    return fork(desk, lambda: desk.write("f", theirs), lambda: desk.write("f", ours))


def shown(desk: Desk) -> str:
    return ID.sub("ID", (desk.root / "f").read_text())


def sides(ids: tuple[str, str]) -> list[tuple[str, str]]:
    """Return (text, message) of ours and theirs in the order of their ids."""
    return [text for _, text in sorted(zip(ids, (("X", "Ours"), ("Y", "Theirs")), strict=True))]


def test_after_a_merge_the_file_names_the_sides_and_status_is_clean(desk: Desk) -> None:
    (one, first), (other, last) = sides(conflict(desk))
    assert shown(desk) == (
        f"a\n<<<<<<< ID Ada Lovelace: {first}\n{one}\n||||||| base\nb\n=======\n{other}\n"
        f">>>>>>> ID Ada Lovelace: {last}\nc\n"
    )
    assert desk.says() == "on main\nnothing changed\nin conflict:\nC f  text at 2-8\n"
    assert desk.record("status")["conflicts"] == [
        {
            "path": "f",
            "kinds": ["text"],
            "chosen": [],
            "lines": [{"first": 2, "last": 8}],
            "marker": None,
        }
    ]
    assert desk.says("cat", "f") == shown(desk)


def test_conflicts_are_listed_with_the_sides_as_one_sees_them(desk: Desk) -> None:
    ours, theirs = conflict(desk)
    assert desk.run("resolve") == 1
    assert desk.out == (
        "C f  text at 2-8\n"
        "  1  lines 2-8\n"
        f"     left   {ours[:12]} Ada Lovelace: Ours\n"
        f"     right  {theirs[:12]} Ada Lovelace: Theirs\n"
    )
    assert desk.run("resolve", "--json") == 1
    listed = json.loads(desk.out)["conflicts"]
    assert [side["id"] for side in listed[0]["conflicts"][0]["left"]] == [ours]
    assert listed[0]["conflicts"][0]["base"] == "b\n"


@pytest.mark.parametrize(
    ("choice", "text"),
    [("left", "a\nX\nc\n"), ("right", "a\nY\nc\n"), ("both", "a\nX\nY\nc\n")],
)
def test_a_side_or_both_can_be_taken(desk: Desk, choice: str, text: str) -> None:
    conflict(desk)
    assert desk.says("resolve", "--take", choice) == f"took {choice} for f: text 1\n"
    assert (desk.root / "f").read_text() == text
    assert desk.says() == ("on main\nM f\nin conflict:\nC f  text resolved, not yet recorded\n")
    assert desk.run("resolve", "--take", "left") == 1


def test_the_base_of_one_conflict_can_be_taken(desk: Desk) -> None:
    conflict(desk, "a\nb\nc\nd\n", "X\nb\nc\nU\n", "Y\nb\nc\nV\n")
    desk.write("other", "2\n")
    assert desk.says("resolve", "--take", "base", "--only", "2", "f") == (
        "took base for f: text 2\n"
    )
    assert shown(desk).endswith("c\nd\n")
    assert "C f  text at 1-7\n" in desk.says()
    assert desk.refuses("resolve", "--take", "left", "--only", "2", code=2) == (
        "oxy: there is no conflict 2 in f\n"
    )


def test_one_byte_can_be_what_remains(desk: Desk) -> None:
    conflict(desk, "a\nb", "", "a\nx")
    assert desk.says("resolve", "--take", "right") == "took right for f: text 1\n"
    assert (desk.root / "f").read_bytes() == b"a\nx"


def test_a_resolution_is_recorded_and_then_nothing_is_in_conflict(desk: Desk) -> None:
    conflict(desk)
    desk.write("f", "a\nX and Y\nc\n")
    assert desk.says("commit", "-m", "Both") == "recorded ID Both\n"
    assert desk.says() == "on main\nnothing changed\n"
    assert desk.says("cat", "f") == "a\nX and Y\nc\n"
    assert desk.record("status")["conflicts"] == []


def test_both_sides_are_a_resolution_though_no_line_differs(desk: Desk) -> None:
    conflict(desk)
    desk.says("resolve", "--take", "both")
    desk.commit("Both")
    assert desk.says("cat", "f") == "a\nX\nY\nc\n"
    assert desk.says() == "on main\nnothing changed\n"


def test_without_final_lf_a_resolution_to_one_letter_is_one_byte(desk: Desk) -> None:
    conflict(desk, "a\nb", "", "a\nx")
    (desk.root / "f").write_bytes(b"x")
    desk.commit("x")
    assert desk.says("cat", "f") == "x"
    assert desk.says() == "on main\nnothing changed\n"


def test_an_untouched_conflict_is_nothing_to_record_and_blocks_no_other_file(
    desk: Desk,
) -> None:
    conflict(desk)
    assert desk.run("commit", "-m", "x") == 1
    assert desk.out == "nothing to record\nC f  still in conflict\n"
    desk.write("other", "2\n")
    assert desk.says("commit", "-m", "Other") == "recorded ID Other\nC f  still in conflict\n"
    assert desk.says() == "on main\nnothing changed\nin conflict:\nC f  text at 2-8\n"


def test_markers_that_are_left_are_refused_in_all_files_and_nothing_is_recorded(
    desk: Desk,
) -> None:
    desk.write("g", "a\nb\nc\n")
    desk.write("f", "a\nb\nc\n")
    desk.commit("Base")

    def both(text: str) -> None:
        desk.write("f", text)
        desk.write("g", text)

    fork(desk, lambda: both("a\nX\nc\n"), lambda: both("a\nY\nc\n"))
    for name in "fg":
        text = (desk.root / name).read_text()
        desk.write(name, text.replace("=======\n", "", 1))
    desk.write("other", "2\n")
    log = desk.says("log")
    assert desk.refuses("commit", "-m", "x", code=2) == (
        "oxy: markers of conflicts are left at f:2, g:2\n"
        "hint: take them out, or put the whole conflict back as it was (`oxy cat` shows it)\n"
    )
    assert desk.says("log") == log
    assert "C f  markers left at line 2\n" in desk.says()
    assert desk.says("commit", "-m", "Other", "other").startswith("recorded ID Other\n")


def mode(desk: Desk, value: int, text: str = "f\n") -> None:
    desk.write("f", text).chmod(value)


def test_a_value_that_the_file_shows_already_can_be_chosen(desk: Desk) -> None:
    mode(desk, 0o644, "f\n")
    desk.write("link", "x")
    (desk.root / "link").unlink()
    (desk.root / "link").symlink_to("base")
    desk.commit("Base")

    def point(target: str) -> None:
        (desk.root / "link").unlink()
        (desk.root / "link").symlink_to(target)

    ours, theirs = fork(desk, lambda: point("theirs"), lambda: point("ours"))
    assert desk.says() == "on main\nnothing changed\nin conflict:\nC link  content\n"
    assert desk.run("resolve") == 1
    assert desk.out == (
        "C link  content\n  content\n"
        f"     left   ours  {ours[:12]} Ada Lovelace: Ours\n"
        f"     right  theirs  {theirs[:12]} Ada Lovelace: Theirs\n"
    )
    for side, target in (("left", "ours"), ("right", "theirs"), ("left", "ours")):
        assert desk.says("resolve", "--take", side) == f"took {side} for link: content\n"
        assert (desk.root / "link").readlink() == Path(target)
        assert "C link  content chosen, not yet recorded\n" in desk.says()
    desk.commit("Ours it is", "link")
    assert desk.says() == "on main\nnothing changed\n"
    assert desk.says("cat", "link") == "ours"


def test_a_choice_is_forgotten_when_the_files_become_those_of_another_state(desk: Desk) -> None:
    desk.write("f", "1\n")
    desk.commit("Base")
    fork(desk, (desk.root / "f").unlink, lambda: desk.write("f", "2\n"))
    desk.says("resolve", "--take", "right")
    assert not (desk.root / "f").exists()
    desk.says("switch", "topic")
    desk.says("switch", "main")
    assert (desk.root / "f").exists()
    assert "chosen" not in desk.says()
    assert desk.run("commit", "-m", "Nothing") == 1


def test_an_edit_beside_a_disputed_value_does_not_settle_it(desk: Desk) -> None:
    mode(desk, 0o644, "1\n2\n3\n")
    desk.commit("Base")
    desk.says("switch", "-c", "topic")
    mode(desk, 0o755, "1\n2\n3\n")
    desk.commit("Executable")
    mode(desk, 0o644, "1\n2\n3\n")
    desk.commit("Plain")
    desk.says("switch", "main")
    mode(desk, 0o755, "1\n2\n3\n")
    desk.commit("Executable too")
    desk.says("merge", "topic")
    assert "C f  mode\n" in desk.says()
    before = (desk.root / "f").stat().st_mode
    desk.write("f", "1\n2\n3\n4\n")
    desk.commit("Four")
    assert desk.says() == "on main\nnothing changed\nin conflict:\nC f  mode\n"
    assert (desk.root / "f").stat().st_mode == before
    desk.says("resolve", "--take", "right", "f")
    assert (desk.root / "f").stat().st_mode & 0o777 == 0o644
    desk.commit("Plain it is")
    assert desk.says() == "on main\nnothing changed\n"


def test_other_lines_of_the_file_are_recorded_beside_a_conflict(desk: Desk) -> None:
    conflict(desk)
    desk.write("f", "A\n" + (desk.root / "f").read_text()[2:] + "d\n")
    before = (desk.root / "f").read_text()
    assert desk.says("commit", "-m", "Beside") == "recorded ID Beside\nC f  still in conflict\n"
    assert (desk.root / "f").read_text() == before
    assert desk.says() == "on main\nnothing changed\nin conflict:\nC f  text at 2-8\n"
    desk.says("resolve", "--take", "right")
    desk.commit("Resolved")
    assert desk.says("cat", "f") == "A\nY\nc\nd\n"
    assert desk.says() == "on main\nnothing changed\n"


def test_a_line_that_goes_above_a_conflict_leaves_it_a_conflict(desk: Desk) -> None:
    conflict(desk, "a\n", "a\nX\n", "a\nY\n")
    desk.write("f", (desk.root / "f").read_text()[2:])
    desk.commit("Without a")
    assert desk.says() == "on main\nnothing changed\nin conflict:\nC f  text at 1-6\n"
    assert desk.says("cat", "f") == shown(desk)


def test_one_of_two_equal_conflicts_is_resolved(desk: Desk) -> None:
    conflict(desk, "b\nm\nb\n", "X\nm\nX\n", "Y\nm\nY\n")
    assert "C f  text at 1-7, 9-15\n" in desk.says()
    desk.says("resolve", "--take", "left", "--only", "1")
    desk.commit("The first")
    assert desk.says() == "on main\nnothing changed\nin conflict:\nC f  text at 3-9\n"
    desk.says("resolve", "--take", "right")
    desk.commit("The other")
    assert desk.says("cat", "f") == "X\nm\nY\n"


def test_markers_grow_in_the_file_when_a_line_like_them_is_recorded(desk: Desk) -> None:
    conflict(desk)
    desk.write("f", (desk.root / "f").read_text() + "Title\n=========\n")
    desk.commit("Title")
    assert "\n==========\n" in (desk.root / "f").read_text()
    assert desk.says() == "on main\nnothing changed\nin conflict:\nC f  text at 2-8\n"


def test_the_line_between_two_conflicts_cannot_go_while_both_stay(desk: Desk) -> None:
    conflict(desk, "b\nm\nb\n", "X\nm\nX\n", "Y\nm\nY\n")
    desk.write("f", (desk.root / "f").read_text().replace("m\n", "", 1))
    refused = desk.refuses("commit", "-m", "x", code=2)
    assert refused.startswith("oxy: the conflict at f:")
    assert refused.endswith("hint: resolve it too, or leave a line as it was\n")


def test_a_resolution_to_one_side_keeps_the_blame_of_that_side(desk: Desk) -> None:
    _, theirs = conflict(desk)
    desk.says("resolve", "--take", "right")
    desk.commit("Theirs")
    assert desk.run("blame", "f") == 0
    assert theirs[:12] in desk.out.split("\n")[1]


def test_a_merge_is_switched_away_from_and_back_to(desk: Desk) -> None:
    conflict(desk)
    text = shown(desk)
    desk.says("switch", "topic")
    assert desk.says() == "on topic\nnothing changed\n"
    desk.says("switch", "main")
    assert shown(desk) == text
    assert "C f  text at 2-8\n" in desk.says()


def claim(desk: Desk) -> str:
    """Merge two files of one name; return the name of the one that lost it."""
    desk.commit("Base")
    fork(desk, lambda: desk.write("x", "theirs\n"), lambda: desk.write("x", "ours\n"))
    (loser,) = [path.name for path in desk.root.glob("x.~*")]
    assert desk.says() == (
        f"on main\nnothing changed\nin conflict:\nC x  path\nC {loser}  path\n"
    )
    return loser


def test_files_that_claim_one_name_are_told_with_who_claims_it(desk: Desk) -> None:
    desk.write("f", "f\n")
    loser = claim(desk)
    assert desk.run("resolve") == 1
    lines = ID.sub("ID", desk.out).splitlines()
    ours = desk.says("cat", "x") == "ours\n"
    told = ["     left   x  ID Ada Lovelace: Ours", "     right  x  ID Ada Lovelace: Theirs"]
    one, other = told if ours else reversed(told)
    assert lines == ["C x  path", "  path", one, f"C {loser}  path", "  path", other]
    assert desk.run("resolve", "--take", "left") == 1
    assert desk.out == "nothing to take: move or delete one of the files that claim a name\n"


def test_nothing_is_taken_where_something_cannot_be(desk: Desk) -> None:
    desk.write("f", "a\nb\nc\n")
    (desk.root / "link").symlink_to("base")
    desk.commit("Base")

    def edit(word: str) -> None:
        desk.write("f", f"a\n{word}\nc\n")
        (desk.root / "link").unlink()
        (desk.root / "link").symlink_to(word)

    fork(desk, lambda: edit("theirs"), lambda: edit("ours"))
    text = (desk.root / "f").read_text()
    pointed = (desk.root / "link").readlink()
    desk.write("f", text.replace("=======\n", ""))
    for side in ("left", "right"):
        assert "markers of conflicts are left at f:2" in desk.refuses(
            "resolve", "--take", side, code=2
        )
        assert (desk.root / "link").readlink() == pointed
        assert "C link  content\n" in desk.says()
    assert desk.run("resolve", "--take", "base", "link") == 1
    assert desk.out == "nothing to take: there is no base of what is no text\n"


def test_an_edit_of_a_file_that_lost_its_name_does_not_give_it_another(desk: Desk) -> None:
    desk.write("f", "f\n")
    loser = claim(desk)
    desk.write(loser, "edited\n")
    desk.commit("Edit")
    assert f"C {loser}  path\n" in desk.says()
    assert desk.says("cat", loser) == "edited\n"


def test_a_file_gets_the_name_when_the_other_goes(desk: Desk) -> None:
    desk.write("f", "f\n")
    loser = claim(desk)
    text = (desk.root / loser).read_text()
    (desk.root / "x").unlink()
    desk.commit("One of them")
    assert not (desk.root / loser).exists()
    assert (desk.root / "x").read_text() == text
    assert desk.says() == "on main\nnothing changed\n"


def test_both_files_stay_where_the_one_that_lost_is_moved(desk: Desk) -> None:
    desk.write("f", "f\n")
    loser = claim(desk)
    (desk.root / loser).rename(desk.root / "y")
    desk.commit("Both")
    assert desk.says() == "on main\nnothing changed\n"
    assert (desk.root / "y").exists()
    assert (desk.root / "x").exists()


@pytest.fixture
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return where the user's own configuration is."""
    home = tmp_path_factory.mktemp("home") / "oxy"
    home.mkdir()
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home.parent))
    return home


def configure(home: Path, script: str) -> None:
    """Configure a merge tool."""
    text = f"[merge]\ntool = 'mine'\n[mergetool.mine]\ncmd = '{script}'\n"
    (home / "config.toml").write_text(text)


def test_a_merge_tool_is_given_the_sides_and_its_result_is_taken(
    desk: Desk, home: Path
) -> None:
    configure(home, 'cat "$BASE" "$LOCAL" "$REMOTE" > "$MERGED"')
    conflict(desk)
    assert desk.says("resolve", "--tool") == "merged f\n"
    assert (desk.root / "f").read_text() == "a\nb\nc\na\nX\nc\na\nY\nc\n"


def test_a_merge_tool_is_run_for_a_path_and_keeps_out_of_the_json(
    desk: Desk, home: Path
) -> None:
    configure(home, 'echo said; cat "$LOCAL" > "$MERGED"')
    conflict(desk)
    assert desk.run("resolve", "--tool", "other") == 1
    assert desk.record("resolve", "--tool", "f") == {"merged": [{"path": "f"}]}
    assert desk.err == "said\n"
    assert (desk.root / "f").read_text() == "a\nX\nc\n"


def test_without_a_merge_tool_it_is_said_how_to_name_one(
    desk: Desk, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    conflict(desk)
    assert desk.refuses("resolve", "--tool", code=3) == (
        "oxy: no merge tool is configured\n"
        "hint: name one with --tool, or set merge.tool in oxy's or git's configuration\n"
    )


def test_a_merge_tool_that_fails_changes_nothing(desk: Desk, home: Path) -> None:
    configure(home, 'echo x > "$MERGED"; exit 1')
    conflict(desk)
    text = (desk.root / "f").read_text()
    assert "nothing was changed" in desk.refuses("resolve", "--tool", code=3)
    assert (desk.root / "f").read_text() == text


def test_sides_that_change_with_what_is_known_through_other_files_are_written(
    desk: Desk,
) -> None:
    """Spec C13: without the change in between, one person's two insertions are two sides."""
    desk.write("f", "a\nb\nc\nd\ne\n")
    desk.write("other", "1\n")
    desk.commit("Base")
    desk.says("switch", "-c", "topic")
    desk.write("f", "a\nb\nx\nc\nd\ne\n")
    desk.commit("Put x in")
    desk.write("other", "2\n")
    between = desk.commit("Another file")
    desk.write("f", "a\nb\nx\nc\ny\nd\ne\n")
    desk.commit("Put y in")
    desk.says("switch", "main")
    desk.write("f", "a\ne\n")
    desk.commit("Take them out")
    desk.says("merge", "topic")
    assert (desk.root / "f").read_text().count("=======") == 1
    desk.says("unrecord", between)
    assert shown(desk).count("=======") == 2
    assert shown(desk) == desk.says("cat", "f")
    assert desk.says().startswith("on main\nnothing changed\nin conflict:\n")
    desk.says("undo")
    assert shown(desk).count("=======") == 1
