"""grep, archive and describe through the real command line, compared to the letter."""

import subprocess

import pytest

from tests.builders.desk import Desk


@pytest.fixture
def desk(desk: Desk) -> Desk:
    """Have a desk with a tag, and an edit beyond it."""
    desk.write("src/a", "one\ntwo\nthree\nfour\nfive\nTwo more\n")
    desk.write("b", "two\n")
    (desk.root / "bin").write_bytes(b"\0two\n")
    desk.commit("Base")
    desk.says("tag", "v1")
    desk.write("b", "2\n")
    return desk


def test_lines_that_match_are_found_in_the_files(desk: Desk) -> None:
    assert desk.says("grep", "two") == "binary file bin matches\nsrc/a:two\n"
    assert desk.says("grep", "-n", "-i", "^two", where="src") == ("a:2:two\na:6:Two more\n")
    assert desk.says("grep", "-c", "-w", "-e", "two", "-e", "f[a-z]+", "src") == "src/a:3\n"
    assert desk.says("grep", "-l", "-F", "two", "--at", "v1") == "b\nbin\nsrc/a\n"
    assert desk.run("grep", "nothing") == 1
    assert desk.out == ""


def test_lines_around_a_match_are_shown(desk: Desk) -> None:
    assert desk.says("grep", "-n", "--context", "1", "-i", "two", "src") == (
        "src/a-1-one\nsrc/a:2:two\nsrc/a-3-three\n--\nsrc/a-5-five\nsrc/a:6:Two more\n"
    )


def test_matches_as_json(desk: Desk) -> None:
    assert desk.says("grep", "--json", "two") == (
        '{"path": "bin", "binary": true}\n{"path": "src/a", "line": 2, "text": "two"}\n'
    )
    assert desk.record("grep", "-c", "two", "src") == {"path": "src/a", "count": 1}
    assert desk.record("grep", "-l", "two", "src") == {"path": "src/a"}


def test_a_search_that_means_nothing_is_refused(desk: Desk) -> None:
    assert desk.refuses("grep", code=2).startswith("oxy: a pattern is needed\n")
    assert desk.refuses("grep", "(", code=2).startswith(
        "oxy: '(' is no regular expression: missing ), unterminated subpattern"
    )
    assert desk.refuses("grep", "-l", "-c", "x", code=2).startswith("oxy: -l and -c do not")
    assert desk.refuses("grep", "x", "none", code=2).startswith("oxy: there is no 'none'")


def test_an_archive_is_written_by_its_ending(desk: Desk) -> None:
    file = str(desk.root.parent / "x.tar.gz")
    assert desk.says("archive", "v1", "-o", file, "--prefix", "x-1/", "b", "src") == ""
    listed = subprocess.run(["tar", "tf", file], capture_output=True, check=True, text=True)
    assert listed.stdout == "x-1/b\nx-1/src/a\n"
    assert desk.refuses("archive", "v1", "-o", "x.rar", code=2) == (
        "oxy: the name x.rar tells no format: .tar, .tar.gz, .tgz, .zip, or --format\n"
    )
    assert not (desk.root / "x.rar").exists()
    assert desk.refuses("archive", "v1", "--json", code=2).startswith("oxy: an archive is not")


def test_a_state_is_called_by_the_nearest_tag(desk: Desk) -> None:
    assert desk.says("describe") == "v1\n"
    assert desk.says("describe", "--dirty") == "v1-dirty\n"
    change = desk.commit("More")
    assert desk.run("describe") == 0
    assert desk.out == f"v1-1-{change[:12]}\n"
    assert desk.record("describe") == {
        "name": f"v1-1-{change[:12]}",
        "tag": "v1",
        "changes": 1,
        "heads": [change],
    }
    desk.says("tag", "-d", "v1")
    assert desk.refuses("describe", code=2) == (
        "oxy: no tag is of this state, or of one that it came from\n"
        "hint: `oxy tag NAME` makes one, --always needs none\n"
    )
    assert desk.says("describe", "--always") == "ID\n"
