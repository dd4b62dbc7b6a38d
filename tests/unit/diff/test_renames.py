from oxy.diff import renames
from oxy.diff.renames import Candidate, Rename, match_renames
from oxy.diff.similarity import Fingerprint, fingerprint


def lines(name: str, count: int = 10) -> bytes:
    return b"".join(b"%b line %d\n" % (name.encode(), number) for number in range(count))


def file(path: bytes, content: bytes) -> Candidate:
    return Candidate(path, content, lambda: fingerprint(content))


def refusing(path: bytes, digest: bytes) -> Candidate:
    def load() -> Fingerprint:
        raise AssertionError(path)

    return Candidate(path, digest, load)


def test_identical_content_is_matched_without_reading_it() -> None:
    removed, added = [refusing(b"a", b"1")], [refusing(b"b", b"1")]
    assert match_renames(removed, added) == [Rename(0, 0, 1000)]


def test_among_identical_files_a_name_that_stayed_comes_first() -> None:
    removed = [refusing(b"a/x", b"1"), refusing(b"a/y", b"1")]
    added = [refusing(b"b/y", b"1"), refusing(b"b/x", b"1")]
    assert match_renames(removed, added) == [Rename(0, 1, 1000), Rename(1, 0, 1000)]


def test_empty_digests_never_match() -> None:
    assert match_renames([file(b"a", b"")], [file(b"b", b"")]) == []


def test_an_edited_file_is_found_under_its_new_name() -> None:
    removed = [file(b"a", lines("one")), file(b"b", lines("two"))]
    added = [file(b"c", lines("two") + b"more\n"), file(b"d", lines("three"))]
    found = match_renames(removed, added)
    assert [(rename.removed, rename.added) for rename in found] == [(1, 0)]
    assert 900 < found[0].score < 1000


def test_a_score_below_the_threshold_is_no_rename() -> None:
    removed, added = [file(b"a", lines("one"))], [file(b"b", lines("one", 3) + lines("two", 7))]
    assert match_renames(removed, added) == []
    assert len(match_renames(removed, added, threshold=250)) == 1


def test_a_name_that_stayed_goes_before_a_better_score() -> None:
    removed = [file(b"old/name", lines("one"))]
    added = [
        file(b"new/name", lines("one") + b"a line more\n"),
        file(b"new/other", lines("one") + b"x\n"),
    ]
    assert [rename.added for rename in match_renames(removed, added)] == [0]


def test_the_most_alike_are_paired_first_and_ties_follow_the_paths() -> None:
    removed = [file(b"b", lines("one")), file(b"a", lines("one"))]
    added = [file(b"d", lines("one") + b"x\n"), file(b"c", lines("one") + b"x\n")]
    found = match_renames(removed, added)
    assert [(rename.removed, rename.added) for rename in found] == [(1, 1), (0, 0)]


def test_the_order_of_the_arguments_changes_no_pair() -> None:
    removed = [file(b"r%d" % number, lines("one", 10 + number)) for number in range(6)]
    added = [file(b"a%d" % number, lines("one", 9 + number)) for number in range(6)]
    straight = {
        (removed[rename.removed].path, added[rename.added].path)
        for rename in match_renames(removed, added)
    }
    removed.reverse()
    added.reverse()
    backward = {
        (removed[rename.removed].path, added[rename.added].path)
        for rename in match_renames(removed, added)
    }
    assert straight == backward
    assert len(straight) == 6


def test_past_the_limit_only_names_that_stayed_are_tried() -> None:
    removed = [file(b"old/%d" % number, lines(f"f{number}")) for number in range(4)]
    added = [file(b"new/0", lines("f0") + b"x\n"), file(b"new/moved", lines("f1") + b"x\n")]
    assert [rename.added for rename in match_renames(removed, added, limit=2)] == [0]
    assert [rename.added for rename in match_renames(removed, added)] == [0, 1]


def test_a_file_is_loaded_at_most_once() -> None:
    loads: list[bytes] = []

    def counted(path: bytes, content: bytes) -> Candidate:
        def load() -> Fingerprint:
            loads.append(path)
            return fingerprint(content)

        return Candidate(path, content, load)

    removed = [counted(b"r/%d" % number, lines("one", 10 + number)) for number in range(5)]
    added = [counted(b"a/%d" % number, lines("one", 30 - number)) for number in range(5)]
    match_renames(removed, added)
    assert sorted(loads) == sorted({*loads})
    assert len(loads) == 10


def test_a_line_that_most_files_hold_suggests_nothing() -> None:
    count = renames.MAX_SHARERS + 1
    licence = lines("licence", 50)
    removed = [file(b"r%d" % at, licence + b"%d\n" % at) for at in range(count)]
    added = [file(b"new", licence + b"other\n")]
    assert match_renames(removed, added) == []
    assert len(match_renames(removed[1:], added)) == 1
