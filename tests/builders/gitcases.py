"""Git histories worth importing, one function each: it makes the refs and nothing else."""

from collections.abc import Callable

from tests.builders.gitrepo import Blob, GitRepo

TEN = b"".join(b"%d\n" % number for number in range(10))
LINK = b"120000"
PIN = Blob(b"1" * 40, b"160000")


def swapped(text: bytes, old: bytes, new: bytes) -> bytes:
    """Return the text with one line replaced; it is there once."""
    before, _, after = text.partition(old + b"\n")
    return before + new + b"\n" + after


def linear(git: GitRepo) -> None:
    first = git.commit({b"a": TEN, b"d/b": b"b\n"})
    second = git.commit({b"a": swapped(TEN, b"3", b"three"), b"d/b": b"b\n"}, first)
    third = git.commit({b"a": TEN, b"d/b": b"b\nc\n", b"d/e/f": b"new\n"}, second)
    git.main({b"d/b": b"c\n", b"d/e/f": b"new\n"}, third)


def merge_of_two(git: GitRepo) -> None:
    base = git.commit({b"a": TEN, b"b": b"b\n"})
    one = git.commit({b"a": swapped(TEN, b"1", b"one"), b"b": b"b\n"}, base)
    two = git.commit({b"a": swapped(TEN, b"8", b"eight"), b"c": b"c\n"}, base)
    both = swapped(swapped(TEN, b"1", b"one"), b"8", b"eight")
    git.main({b"a": both, b"c": b"c\n"}, one, two)


def merge_of_three(git: GitRepo) -> None:
    base = git.commit({b"a": TEN})
    sides = [
        git.commit({b"a": swapped(TEN, b"%d" % line, b"side %d" % line)}, base)
        for line in (1, 5, 8)
    ]
    merged = TEN
    for line in (1, 5, 8):
        merged = swapped(merged, b"%d" % line, b"side %d" % line)
    git.main({b"a": merged}, *sides)


def same_parent_twice(git: GitRepo) -> None:
    base = git.commit({b"a": TEN})
    git.main({b"a": TEN + b"more\n"}, base, base)


def parent_that_is_an_ancestor(git: GitRepo) -> None:
    base = git.commit({b"a": TEN})
    child = git.commit({b"a": TEN + b"more\n", b"b": b"b\n"}, base)
    git.main({b"a": TEN + b"more\n"}, base, child)


def evil_merge(git: GitRepo) -> None:
    base = git.commit({b"a": TEN})
    one = git.commit({b"a": swapped(TEN, b"1", b"one")}, base)
    two = git.commit({b"a": swapped(TEN, b"8", b"eight")}, base)
    git.main({b"a": b"in no parent\n", b"g": TEN}, one, two)


def conflict_resolved(git: GitRepo) -> None:
    base = git.commit({b"a": TEN})
    one = git.commit({b"a": swapped(TEN, b"4", b"left")}, base)
    two = git.commit({b"a": swapped(TEN, b"4", b"right")}, base)
    merged = git.commit({b"a": swapped(TEN, b"4", b"left\nright")}, one, two)
    git.main({b"a": swapped(TEN, b"4", b"left\nand\nright")}, merged)


def ours_whose_other_side_edited(git: GitRepo) -> None:
    base = git.commit({b"a": TEN, b"b": b"b\n"})
    ours = git.commit({b"a": TEN, b"b": b"ours\n"}, base)
    theirs = git.commit({b"a": swapped(TEN, b"5", b"five"), b"b": b"b\n", b"c": b"c\n"}, base)
    merged = git.commit({b"a": TEN, b"b": b"ours\n"}, ours, theirs)
    git.main({b"a": swapped(TEN, b"6", b"six"), b"b": b"ours\n"}, merged)


def deleted_here_edited_there(git: GitRepo) -> None:
    base = git.commit({b"a": TEN, b"b": b"b\n"})
    one = git.commit({b"b": b"b\n"}, base)
    two = git.commit({b"a": swapped(TEN, b"5", b"five"), b"b": b"b\n"}, base)
    git.branch("gone", git.commit({b"b": b"b\n"}, one, two))
    git.main({b"a": swapped(TEN, b"5", b"five"), b"b": b"b\n"}, one, two)


def both_add_the_same(git: GitRepo) -> None:
    base = git.commit({b"a": TEN})
    one = git.commit({b"a": TEN, b"new": TEN}, base)
    two = git.commit({b"a": b"0\n", b"new": TEN}, base)
    merged = git.commit({b"a": b"0\n", b"new": TEN}, one, two)
    git.main({b"a": b"0\n", b"new": swapped(TEN, b"5", b"five")}, merged)


def both_add_another(git: GitRepo) -> None:
    base = git.commit({b"a": TEN})
    one = git.commit({b"a": TEN, b"new": TEN + b"one\n"}, base)
    two = git.commit({b"a": TEN, b"new": TEN + b"two\n"}, base)
    merged = git.commit({b"a": TEN, b"new": TEN + b"one\ntwo\n"}, one, two)
    git.main({b"a": TEN, b"new": TEN + b"two\n"}, merged)


def added_on_many_sides(git: GitRepo) -> None:
    link = Blob(b"a", LINK)
    base = git.commit({b"a": TEN})
    one = git.commit({b"a": TEN, b"b": link}, base)
    two = git.commit({b"a": TEN}, one)
    four = git.commit({b"a": TEN, b"b": link}, git.commit({b"a": TEN}, two))
    five = git.commit({b"a": TEN}, four)
    six = git.commit({b"a": TEN, b"b": link}, four)
    seven = git.commit({b"a": TEN, b"b": link}, two)
    git.main({b"a": TEN, b"b": link}, seven, six, five, four, two, one, base)


def crossed_merges(git: GitRepo) -> None:
    base = git.commit({b"a": TEN})
    one = git.commit({b"a": swapped(TEN, b"4", b"left")}, base)
    two = git.commit({b"a": swapped(TEN, b"4", b"right")}, base)
    left = git.commit({b"a": swapped(TEN, b"4", b"left")}, one, two)
    right = git.commit({b"a": swapped(TEN, b"4", b"right")}, two, one)
    git.main({b"a": swapped(TEN, b"4", b"middle")}, left, right)


def rename_and_edit(git: GitRepo) -> None:
    base = git.commit({b"old/name": TEN, b"stays": b"s\n"})
    moved = git.commit({b"new/name": swapped(TEN, b"2", b"two"), b"stays": b"s\n"}, base)
    side = git.commit({b"old/name": swapped(TEN, b"7", b"seven"), b"stays": b"s\n"}, base)
    both = swapped(swapped(TEN, b"2", b"two"), b"7", b"seven")
    git.main({b"new/name": both, b"stays": b"s\n"}, moved, side)


def modes(git: GitRepo) -> None:
    first = git.commit({b"run": b"#!\n", b"link": Blob(b"run", LINK)})
    second = git.commit({b"run": Blob(b"#!\n", b"100755"), b"link": Blob(b"else", LINK)}, first)
    git.main({b"run": Blob(b"#!\nx\n", b"100644"), b"link": Blob(b"run", LINK)}, second)


def file_and_directory(git: GitRepo) -> None:
    first = git.commit({b"x": TEN, b"y/a": b"a\n", b"y/b": b"b\n"})
    second = git.commit({b"x/a": b"a\n", b"y": TEN}, first)
    git.main({b"x": TEN, b"y/a": b"a\n", b"y/b": b"b\n"}, second)


def kinds(git: GitRepo) -> None:
    commit = git.commit({b"f": TEN, b"other": b"o\n"})
    for file in (
        b"a\0b",
        Blob(b"other", LINK),
        TEN,
        PIN,
        b"\0",
        Blob(b"other", LINK),
        PIN,
        TEN,
    ):
        commit = git.commit({b"f": file, b"other": b"o\n"}, commit)
    git.branch("main", commit)


def submodules(git: GitRepo) -> None:
    first = git.commit({b"a": TEN, b"lib": PIN})
    second = git.commit({b"a": TEN, b"lib": Blob(b"2" * 40, b"160000")}, first)
    git.main({b"a": TEN, b"deps/lib": Blob(b"2" * 40, b"160000")}, second)


def empty_things(git: GitRepo) -> None:
    first = git.commit({})
    second = git.commit({b"empty": b"", b"d/empty": b""}, first)
    third = git.commit({b"empty": b"", b"d/empty": b""}, second)
    fourth = git.commit({b"empty": b"not\n", b"d/empty": b""}, third)
    git.main({b"empty": b"", b"d/empty": b"\n"}, git.commit({}, fourth))


def ends(git: GitRepo) -> None:
    commit = git.commit({b"f": b"a\nb"})
    for data in (b"a\nb\n", b"a\nb", b"a\nb\nc", b"", b"a", b"\n", b"\n\n", b"a\n"):
        commit = git.commit({b"f": data}, commit)
    git.branch("main", commit)


def ends_meet(git: GitRepo) -> None:
    base = git.commit({b"f": TEN[:-1]})
    one = git.commit({b"f": TEN}, base)
    two = git.commit({b"f": TEN + b"x"}, base)
    git.main({b"f": TEN + b"x\n"}, one, two)


def carriage_returns(git: GitRepo) -> None:
    first = git.commit({b"f": b"a\r\nb\r\n", b"g": b"a\rb\rc"})
    second = git.commit({b"f": b"a\nb\r\n", b"g": b"a\rb\rc\r\n"}, first)
    git.main({b"f": b"a\r\r\nb", b"g": b"a\n"}, second, message=b"CR\r\nLF\r\n")


def other_encodings(git: GitRepo) -> None:
    latin = git.commit(
        {b"f": b"caf\xe9\n"}, message=b"caf\xe9\n", headers=b"encoding ISO-8859-1\n"
    )
    wrong = git.commit(
        {b"f": b"caf\xe9\r\n"}, latin, message=b"\xff\n", headers=b"encoding nonsense\n"
    )
    git.main({b"f": "café\n".encode()}, wrong, message=b"no header: caf\xe9")


def odd_people(git: GitRepo) -> None:
    commit = git.commit({b"f": TEN})
    for who in (
        b"A <> 1 +0000",
        b"<a@e.x> 17 +051800",
        b"A <a@e.x> -1 -7349423",
        b"A <a@e.x> 18446743887488505614 +0000",
        b"A <a@e.x>",
        b"A a@e.x 1 --700",
        b"Andr\xe9 <a@e.x> 1 +0000 junk",
        b"",
    ):
        commit = git.commit({b"f": TEN}, commit, author=who)
    git.branch("main", commit)


def extra_headers(git: GitRepo) -> None:
    signature = b"gpgsig -----BEGIN\n \n abc=\n -----END\n"
    first = git.commit({b"f": TEN}, headers=signature + b"change-id x\n")
    git.main({b"f": TEN}, first, message=b"")


def awkward_paths(git: GitRepo) -> None:
    names = (
        b":0 0",
        b"lat\xe9",
        b"0123456789" * 4,
        b"-rf",
        b" ",
        b"tr ",
        b"*?",
        b"x" * 255,
        b"caf\xc3\xa9",
    )
    first = git.commit(dict.fromkeys(names, TEN))
    inside = {name + b"/" + other: b"x\n" for name in names for other in names}
    git.main(inside, first)


def withheld_paths(git: GitRepo) -> None:
    hidden = {b".git/config": b"x\n", b"d/.GIT": b"y\n", b"a\nb": b"z\n"}
    first = git.commit({b"f": TEN, **hidden})
    second = git.commit({b"f": TEN, b"d/more": b"m\n", **hidden, b"a\nb": b"edited\n"}, first)
    git.main({b"f": TEN, b"d/more": b"m\n"}, second)


def padded_modes(git: GitRepo) -> None:
    _, blob = git.blob(TEN)
    inner = git.raw_tree((b"100644", b"f", blob))
    padded = git.raw_tree((b"040000", b"d", inner), (b"100644", b"f", blob))
    plain = git.raw_tree((b"40000", b"d", inner), (b"100644", b"f", blob))
    commit = git.commit(padded)
    for tree in (plain, padded, padded):
        commit = git.commit(tree, commit)
    side = git.commit({b"d/f": TEN, b"d/g": b"g\n", b"f": TEN}, commit)
    merged = git.commit(padded, commit, side)
    git.main({b"d/f": b"edited\n", b"f": TEN}, merged)


def odd_modes(git: GitRepo) -> None:
    _, blob = git.blob(TEN)
    first = git.commit(git.raw_tree((b"100644", b"f", blob)))
    second = git.commit(git.raw_tree((b"100664", b"f", blob)), first)
    third = git.commit(git.raw_tree((b"100744", b"f", blob), (b"100600", b"g", blob)), second)
    git.branch("main", git.commit(git.raw_tree((b"100755", b"f", blob)), third))


def odd_orders(git: GitRepo) -> None:
    (_, one), (_, two) = git.blob(TEN), git.blob(b"two\n")
    inner = git.raw_tree((b"100644", b"f", one))
    first = git.commit(git.raw_tree((b"100644", b"z", one), (b"100644", b"a", two)))
    second = git.commit(git.raw_tree((b"100644", b"a", one), (b"100644", b"z", one)), first)
    twins = git.raw_tree((b"120000", b"d", two), (b"40000", b"d", inner))
    git.branch("main", git.commit(twins, second))


def empty_subtree(git: GitRepo) -> None:
    _, blob = git.blob(TEN)
    empty = git.raw_tree()
    hollow = git.raw_tree((b"40000", b"d", empty), (b"100644", b"f", blob))
    git.main({b"f": b"edited\n"}, git.commit(hollow))


def two_roots(git: GitRepo) -> None:
    one = git.commit({b"a": TEN, b"same": b"1\n"})
    two = git.commit({b"b": TEN, b"same": b"2\n"})
    git.main({b"a": TEN, b"b": TEN, b"same": b"1\n2\n"}, one, two)


def case_only(git: GitRepo) -> None:
    git.main({b"F": TEN}, git.commit({b"f": TEN}))


ALL: dict[str, Callable[[GitRepo], None]] = {
    case.__name__: case
    for case in (
        linear,
        merge_of_two,
        merge_of_three,
        same_parent_twice,
        parent_that_is_an_ancestor,
        evil_merge,
        conflict_resolved,
        ours_whose_other_side_edited,
        deleted_here_edited_there,
        both_add_the_same,
        both_add_another,
        added_on_many_sides,
        crossed_merges,
        rename_and_edit,
        modes,
        file_and_directory,
        kinds,
        submodules,
        empty_things,
        ends,
        ends_meet,
        carriage_returns,
        other_encodings,
        odd_people,
        extra_headers,
        awkward_paths,
        withheld_paths,
        padded_modes,
        odd_modes,
        odd_orders,
        empty_subtree,
        two_roots,
        case_only,
    )
}
