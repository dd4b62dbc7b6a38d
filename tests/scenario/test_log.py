"""Looking something up in a log, through the real command line, compared to the letter."""

import json

import pytest

from tests.builders.desk import Desk

ADA = "Ada Lovelace <ada@example.org>"
EVE = "Eve <eve@old.example>"


def record(desk: Desk, message: str, day: int, author: str = ADA) -> str:
    """Record at noon of a day in May 2024, and return the id."""
    when = f"2024-05-{day:02d}T12:00:00+02:00"
    words = ("commit", "-m", message, "--date", when, "--author", author)
    return str(desk.record(*words)["id"])


@pytest.fixture
def desk(desk: Desk) -> Desk:
    """Return a desk with a history: a rename, a deletion, a directory that moved."""
    desk.write("poem", "one\ntwo\nthree\n")
    desk.write("lib/run", "go\n")
    record(desk, "Begin", 1)
    desk.write("poem", "one\nTWO\nthree\n")
    record(desk, "Shout\n\nLoudly.", 2, EVE)
    desk.says("mv", "poem", "verse")
    desk.write("verse", "one\nTWO\nthree\nfour\n")
    record(desk, "Call it a verse", 3)
    desk.says("mv", "lib", "bin")
    record(desk, "Move the directory", 4)
    (desk.root / "verse").unlink()
    record(desk, "Throw the verse away", 5, EVE)
    return desk


def test_a_path_is_followed_through_renames_and_past_its_deletion(desk: Desk) -> None:
    history = "ID [main] Throw the verse away\nID Call it a verse\nID Shout\nID Begin\n"
    assert desk.says("log", "--oneline", "--", "verse") == history
    assert desk.says("log", "--oneline", "poem") == history
    moved = "ID Move the directory\nID Begin\n"
    assert desk.says("log", "--oneline", "bin/run") == moved
    assert desk.says("log", "--oneline", "--", "lib") == moved
    assert desk.says("log", "--oneline", "run", where="bin") == moved
    desk.write("list", "bin/run\n")
    assert desk.says("log", "--oneline", "--paths-from", "list") == moved


def test_the_first_word_is_a_state_where_one_is_called_so(desk: Desk) -> None:
    desk.write("main", "a file\n")
    desk.commit("A file called main")
    assert desk.refuses("log", "main", code=2) == (
        "oxy: 'main' is a state and a file: write -- before paths, or behind it\n"
    )
    assert desk.says("log", "--oneline", "--", "main") == "ID [main] A file called main\n"
    assert desk.says("log", "--count", "main", "--") == "6\n"
    assert desk.says("log", "--count", "main", "--", "bin") == "2\n"
    assert desk.says("log", "--count", "main~2", "--", "verse", "bin") == "4\n"
    assert desk.refuses("log", "main", "bin", "--", "verse", code=2) == (
        "oxy: one state stands before --, not 2 words\n"
    )
    assert desk.refuses("log", "--", "none", code=2) == (
        "oxy: nothing is or was at none in this state\n"
    )
    assert desk.refuses("log", "none", code=2) == (
        "oxy: no bookmark, tag or change is called 'none'\n"
    )


def test_filters_go_together(desk: Desk) -> None:
    assert desk.says("log", "--oneline", "--author", "^eve") == ""
    assert desk.says("log", "--oneline", "-i", "--author", "^eve", "--grep", "LOUD") == (
        "ID Shout\n"
    )
    assert desk.says("log", "--oneline", "--since", "2024-05-02", "--until", "2024-05-03") == (
        "ID Call it a verse\nID Shout\n"
    )
    assert desk.says("log", "--count", "--until", "2 weeks ago") == "5\n"
    assert desk.says("log", "--oneline", "-S", "TWO") == (
        "ID [main] Throw the verse away\nID Shout\n"
    )
    assert desk.says("log", "--oneline", "-G", "^f.ur$", "-n", "1", "--reverse") == (
        "ID [main] Throw the verse away\n"
    )
    assert desk.says("log", "--oneline", "main-main~2") == (
        "ID [main] Throw the verse away\nID Move the directory\n"
    )


def test_a_set_is_filtered_as_a_state_is(desk: Desk) -> None:
    assert desk.says("log", "--oneline", "main-main~3", "--author", "Ada") == (
        "ID Move the directory\nID Call it a verse\n"
    )
    assert desk.says("log", "--count", "main-main~3", "--", "verse") == "2\n"


def test_what_changes_did_stands_below_them(desk: Desk) -> None:
    assert desk.says("log", "-p", "--grep", "Shout") == (
        "change ID\n"
        "author: Eve <eve@old.example>\n"
        "date:   2024-05-02 12:00:00 +0200\n"
        "\n"
        "    Shout\n"
        "\n"
        "    Loudly.\n"
        "\n"
        "diff --git a/poem b/poem\n"
        "--- a/poem\n"
        "+++ b/poem\n"
        "@@ -1,3 +1,3 @@\n"
        " one\n"
        "-two\n"
        "+TWO\n"
        " three\n"
        "\n"
    )
    assert desk.says("log", "--oneline", "--name-status", "-n", "2", "--reverse") == (
        "ID Move the directory\nR\tlib/run\tbin/run\nID [main] Throw the verse away\nD\tverse\n"
    )
    assert desk.says("log", "--oneline", "--stat", "--", "bin") == (
        "ID Move the directory\n"
        " lib/run => bin/run | 0\n"
        " 1 file changed, 0 insertions(+), 0 deletions(-)\n"
        "ID Begin\n"
        " lib/run | 1 +\n"
        " 1 file changed, 1 insertion(+)\n"
    )


def test_a_drawing_is_of_what_is_shown(desk: Desk) -> None:
    desk.says("switch", "main~3")
    desk.write("other", "x\n")
    record(desk, "On the side", 6)
    desk.says("bookmark", "side")
    desk.says("switch", "main")
    desk.says("merge", "side")
    drawn = "* ID [side] On the side\n| * ID Throw the verse away\n|/\n* ID Shout\n"
    words = ("--graph", "--oneline", "--grep", "side", "--grep", "away", "--grep", "Shout")
    assert desk.says("log", *words) == drawn
    assert desk.says("log", "--reverse", *words) == (
        "* ID Shout\n|\\\n* | ID Throw the verse away\n /\n* ID [side] On the side\n"
    )


def test_a_patch_stands_beside_a_drawing(desk: Desk) -> None:
    assert desk.says("log", "--graph", "--oneline", "-p", "--grep", "Shout") == (
        "* ID Shout\n"
        "  diff --git a/poem b/poem\n"
        "  --- a/poem\n"
        "  +++ b/poem\n"
        "  @@ -1,3 +1,3 @@\n"
        "   one\n"
        "  -two\n"
        "  +TWO\n"
        "   three\n"
    )


def test_lines_are_followed_to_where_they_came_from(desk: Desk) -> None:
    at = "main~2"
    assert desk.says("log", at, "-L", "2,+1:verse", "--format", "{subject}", "-p") == (
        "Shout\n"
        "diff --git a/poem b/poem\n"
        "--- a/poem\n"
        "+++ b/poem\n"
        "@@ -2 +2 @@\n"
        "-two\n"
        "+TWO\n"
        "Begin\n"
        "diff --git a/poem b/poem\n"
        "new file mode 100644\n"
        "--- /dev/null\n"
        "+++ b/poem\n"
        "@@ -0,0 +2 @@\n"
        "+two\n"
    )
    assert desk.says("log", at, "-L", "/four/:verse", "--oneline") == "ID Call it a verse\n"
    found = desk.record("log", at, "-L", "4:verse")
    assert found["files"] == [
        {
            "path": "verse",
            "kind": "renamed",
            "old_mode": "100644",
            "new_mode": "100644",
            "binary": False,
            "added": 1,
            "removed": 0,
            "from": "poem",
            "patch": "diff --git a/poem b/verse\nrename from poem\n"
            "rename to verse\n--- a/poem\n+++ b/verse\n@@ -3,0 +4 @@\n+four\n",
        }
    ]
    assert desk.refuses("log", at, "-L", "9:verse", code=2) == (
        "oxy: -L 9: the file has 4 lines\n"
    )
    assert desk.refuses("log", "-L", "1,2", code=2) == "oxy: -L 1,2: write START,END:PATH\n"


def test_a_template_lays_each_change_out(desk: Desk) -> None:
    template = r"{prefix}\t{time:%d.%m.%Y} {name} <{email}> {subject}{bookmarks}"
    assert desk.says("log", "-n", "2", "--format", template) == (
        "ID\t05.05.2024 Eve <eve@old.example> Throw the verse awaymain\n"
        "ID\t04.05.2024 Ada Lovelace <ada@example.org> Move the directory\n"
    )
    assert desk.refuses("log", "--format", "{subjekt}", code=2) == (
        "oxy: --format, character 2: no field is called 'subjekt'; there are change, prefix, "
        "author, name, email, time, subject, body, message, bookmarks, git, dependencies, "
        "context, replaces, replaced_by\n"
        "hint: did you mean subject?\n"
    )


def test_a_mailmap_says_who_is_shown(desk: Desk) -> None:
    desk.write(".mailmap", "Eve Proper <eve@new.example> <EVE@old.example>\n")
    assert desk.says("log", "-n", "1", "--format", "{author}") == (
        "Eve Proper <eve@new.example>\n"
    )
    assert desk.says("log", "-n", "1", "--format", "{author}", "--no-mailmap") == EVE + "\n"
    assert desk.says("log", "--count", "--author", "Proper") == "2\n"
    assert "author: Eve Proper <eve@new.example>\n" in desk.says("show")
    assert "author: Eve <eve@old.example>\n" in desk.says("show", "--no-mailmap")
    assert "author: Eve Proper <eve@new.example>\n" in desk.says("log", "-n", "1")
    for words in (("log", "-n", "1"), ("show",)):
        found = desk.record(*words)
        assert found["author"] == EVE
        assert found["mapped_author"] == "Eve Proper <eve@new.example>"


def test_a_count_is_a_number(desk: Desk) -> None:
    assert desk.says("log", "--count") == "5\n"
    assert desk.says("log", "--count", "-n", "3") == "3\n"
    assert json.loads(desk.says("log", "--count", "--json")) == {"count": 5}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--author", "("), "--author: missing ), unterminated subpattern at position 0"),
        (("-S", "a", "-G", "b"), "-S and -G do not go together"),
        (("--graph", "-z", "--name-only"), "--graph and -z do not go together"),
        (("--oneline", "--format", "x"), "--oneline and --format do not go together"),
        (
            ("-L", "1:bin/run", "bin"),
            "-L names its file behind a colon, and goes with no other path",
        ),
    ],
)
def test_what_does_not_go_together_is_said(
    desk: Desk, words: tuple[str, ...], message: str
) -> None:
    assert desk.refuses("log", *words, code=2) == f"oxy: {message}\n"
