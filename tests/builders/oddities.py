"""A Git repository in which each ref is an oddity that some public repository has.

Every function makes the object that one ref leads to, byte for byte. `ODDITIES` are all of
them by the full name of their ref; `made` writes them into one repository.
"""

from collections.abc import Callable
from typing import NamedTuple

from tests.builders.gitcases import LINK
from tests.builders.gitrepo import PERSON, Blob, GitRepo


class Ground(NamedTuple):
    """What the oddities stand on: two blobs, a tree of each, a root commit and its child."""

    git: GitRepo
    one: str
    two: str
    tree: str
    other: str
    root: str
    child: str


Maker = Callable[[Ground], str]
Entry = tuple[bytes, bytes, str]

PLAIN, RUN, DIR, PIN = b"100644", b"100755", b"40000", b"160000"
ZONES = (b"+0530 -0000 +051800 -7349423 -3407 --700 -800 +100 0000 +0020 +9959 -1200").split()
TIMES = (0, -1, -2208988800, 1 << 63, 18446743887488505614, 99999999999999)
PEOPLE = (
    b"B <> 9 +0000",
    b" <b@x.y> 9 +0000",
    b"<b@x.y> 9 +0000",
    b"B<c <B<b@x.y>> 9 +0000",
    b"B b@x.y 9 +0000",
    b"B <b@x.y 9 +0000",
    b"B <b@x.y>",
    b"B <b@x.y> ",
    b"  B  <  b@x.y  > 9 +0000",
    b"B <b@x.y> 9 +0000 and more",
    b"--upload-pack=x <b@x.y> 9 +0000",
    b'B, "C" <c> <b@x.y> 9 +0000',
    b"\xe9mile <b@x.y> 9 +0000",
    b"",
)
MESSAGES = {
    "no-final-lf": b"no end",
    "empty": b"",
    "nul": b"a\0b\n",
    "crlf": b"a\r\nb\r\n",
    "blank-lines": b"\n\n  indented  \n\n\n",
    "controls": b"\x1b[31mred\x07\n",
}
NAMES = (
    b" ", b"-rf", b"CON", b"e\xcc\x81", b"\xc3\xa9", b"lat\xe9", b"x" * 255,
    b"0123456789abcdef0123456789abcdef01234567", b"trailing ", b"*?", b":(glob)x", b"HEAD",
)  # fmt: skip
WITHHELD_NAMES = (b"a\nb", b'q"\t\\', b"\x7f")
FIRST = {
    "cr": b"a\rb\rc", "crlf": b"a\r\nb\nc\r\n", "crcrlf": b"a\r\r\nb", "empty": b"",
    "ff": "a\f\v\x1c\x85\u2028b\n".encode(), "lf": b"\n\n\n", "long": b"x" * 300_000,
    "no-lf": b"a\nb", "nul": b"a\0\nb\0", "utf16": "\ufeffa\n".encode("utf-16"),
    "many": b"".join(b"%d\n" % n for n in range(20_000)), "same": b"}\n" * 20_000,
}  # fmt: skip
THEN = {
    **FIRST,
    "cr": b"a\nb\nc\n", "empty": b"\n", "lf": b"\n\n", "no-lf": b"a\nb\n",
    "same": b"}\n" * 10_000 + b"{\n" + b"}\n" * 10_000,
}  # fmt: skip
LINKS = {
    "absolute": b"/etc/passwd", "empty": b"", "long": b"x\n" * 3000, "nul": b"a\0b",
    "up": b"../..",
}  # fmt: skip
DEEP, WIDE = 700, 4000


def alike(message: bytes = b"as its parent\n", author: bytes = PERSON) -> Maker:
    """Return what makes a commit with its parent's tree."""
    return lambda g: g.git.commit(g.tree, g.root, message=message, author=author)


def with_headers(headers: bytes, message: bytes = b"headers\n") -> Maker:
    """Return what makes a commit with more headers."""
    return lambda g: g.git.commit(g.tree, g.root, message=message, headers=headers)


def with_tree(*entries: tuple[bytes, bytes, str]) -> Maker:
    """Return what makes a commit of (mode, name, field of the ground), as written."""

    def make(g: Ground) -> str:
        raw = ((mode, name, _held(g, field)) for mode, name, field in entries)
        return g.git.commit(g.git.raw_tree(*raw), g.root)

    return make


def _held(g: Ground, field: str) -> str:
    return g._asdict()[field] if field in g._fields else field


def octopus(count: int) -> Maker:
    """Return what makes a merge of so many."""

    def make(g: Ground) -> str:
        sides = (g.git.commit(g.tree, g.root, message=b"%d\n" % n) for n in range(count))
        return g.git.commit(g.other, *sides)

    return make


def crossed(g: Ground) -> str:
    one, two = g.git.commit(g.tree, g.root), g.child
    left, right = g.git.commit(g.other, one, two), g.git.commit(g.tree, two, one)
    return g.git.commit(g.other, left, right)


def evil(g: Ground) -> str:
    return g.git.commit({b"new": b"in no parent\n"}, g.child, g.git.commit(g.tree, g.root))


def no_blank_line(g: Ground) -> str:
    head = f"tree {g.tree}\nparent {g.root}\n".encode()
    return g.git.put(b"commit", head + b"author " + PERSON + b"\ncommitter " + PERSON + b"\n")


def mergetag(g: Ground) -> str:
    kept = f"mergetag object {g.child}\n type commit\n tag v0\n".encode()
    return g.git.commit(
        g.other, g.root, g.child, headers=kept + b" tagger " + PERSON + b"\n \n text\n"
    )


def types_in_a_row(g: Ground) -> str:
    commit = g.root
    row = ((LINK, g.one), (PLAIN, g.one), (RUN, g.one), (PIN, "1" * 40), (DIR, g.tree))
    for mode, oid in (*row, (PIN, "2" * 40), (PLAIN, g.one)):
        commit = g.git.commit(g.git.raw_tree((mode, b"f", oid)), commit)
    return commit


def files_and_directories_swapped(g: Ground) -> str:
    one = g.git.raw_tree((DIR, b"a", g.tree), (PLAIN, b"b", g.one))
    two = g.git.raw_tree((PLAIN, b"a", g.one), (DIR, b"b", g.tree))
    return g.git.commit(two, g.git.commit(one, g.root))


def odd_names(g: Ground) -> str:
    names = sorted((*NAMES, *WITHHELD_NAMES))
    return g.git.commit(g.git.raw_tree(*((PLAIN, name, g.one) for name in names)), g.root)


def links(g: Ground) -> str:
    return g.git.commit({n.encode(): Blob(to, LINK) for n, to in LINKS.items()}, g.root)


def contents(g: Ground) -> str:
    first = g.git.commit({n.encode(): data for n, data in FIRST.items()}, g.root)
    return g.git.commit({n.encode(): data for n, data in THEN.items()}, first)


def deep(g: Ground) -> str:
    tree = g.tree
    for _ in range(DEEP):
        tree = g.git.raw_tree((DIR, b"d", tree))
    return g.git.commit(tree, g.root)


def wide(g: Ground) -> str:
    names = [b"f%05d" % n for n in range(WIDE)]
    first = g.git.commit(g.git.raw_tree(*((PLAIN, n, g.one) for n in names)), g.root)
    edited = ((PLAIN, n, g.two if n == b"f02000" else g.one) for n in names)
    return g.git.commit(g.git.raw_tree(*edited), first)


def tag(target: str, kind: str, rest: bytes) -> Maker:
    """Return what makes a tag object of a field of the ground; `rest` follows its name."""

    def make(g: Ground) -> str:
        head = f"object {_held(g, target)}\ntype {kind}\ntag named\n".encode()
        return g.git.put(b"tag", head + rest)

    return make


def tag_of_a_tag(g: Ground) -> str:
    inner = tag("root", "commit", b"tagger " + PERSON + b"\n\ninner\n")(g)
    return tag(inner, "tag", b"tagger " + PERSON + b"\n\nouter\n")(g)


def notes(g: Ground) -> str:
    first = g.git.commit({g.root.encode(): b"a note\n"})
    return g.git.commit({g.root[:2].encode() + b"/" + g.root[2:].encode(): b"moved\n"}, first)


TAGGED = b"tagger " + PERSON + b"\n\ntext\n"
SIGNED = b"gpgsig -----BEGIN PGP SIGNATURE-----\n \n ab=\n -----END PGP SIGNATURE-----\n \n"

GRAPH: dict[str, Maker] = {
    "main": lambda g: g.child,
    "octopus": octopus(4),
    "octopus-66": octopus(66),
    "same-parent-twice": lambda g: g.git.commit(g.other, g.root, g.root),
    "ancestor-as-parent": lambda g: g.git.commit(g.tree, g.child, g.root),
    "ours": lambda g: g.git.commit(g.tree, g.child, g.git.commit(g.other, g.root)),
    "evil": evil,
    "crossed": crossed,
    "nothing-changed": alike(),
    "empty-root": lambda g: g.git.commit({}),
    "withheld-root": lambda g: g.git.commit({b".git": b"x\n"}),
    "withheld-other": lambda g: g.git.commit({b".git": b"y\n"}, message=b"another\n"),
    "empty-other": lambda g: g.git.commit({}, message=b"another\n"),
    "all-deleted": lambda g: g.git.commit({}, g.root),
    "two-roots": lambda g: g.git.commit(g.other, g.root, g.git.commit(g.other)),
}
HEADERS: dict[str, Maker] = {
    "signed": with_headers(SIGNED),
    "mergetag": mergetag,
    "extra": with_headers(b"HG:extra rebase_source:ab%00\nHG:rename hg\nchange-id zz\n"),
    "encoding": with_headers(b"encoding ISO-8859-1\n", b"caf\xe9\n"),
    "encoding-unknown": with_headers(b"encoding utf8, latin9\n", b"caf\xe9\n"),
    "encoding-utf8": with_headers(b"encoding UTF-8\n", "é\n".encode()),
    "encoding-not-said": alike(b"caf\xe9\n", b"Andr\xe9 <a@e.x> 1 +0000"),
    "no-blank-line": no_blank_line,
}
TREES: dict[str, Maker] = {
    "mode-664": with_tree((b"100664", b"f", "one")),
    "modes-odd": with_tree(
        (b"100600", b"a", "one"),
        (b"100640", b"b", "one"),
        (b"100744", b"c", "one"),
        (b"10000", b"d", "one"),
    ),
    "mode-padded": with_tree((b"040000", b"d", "tree")),
    "unsorted": with_tree((PLAIN, b"z", "one"), (PLAIN, b"a", "two")),
    "sorted-as-git-does": with_tree(
        (PLAIN, b"file.c", "one"), (DIR, b"file", "tree"), (PLAIN, b"file0", "one")
    ),
    "sorted-as-bytes": with_tree((DIR, b"file", "tree"), (PLAIN, b"file.c", "one")),
    "name-twice": with_tree((LINK, b"d", "one"), (DIR, b"d", "tree")),
    "dot-git": with_tree(
        (PLAIN, b"..", "one"), (DIR, b".GIT", "tree"), (PLAIN, b"a\\.git", "one")
    ),
    "empty-subtree": lambda g: g.git.commit(
        g.git.raw_tree((DIR, b"d", g.git.raw_tree())), g.root
    ),
    "names": odd_names,
    "types": types_in_a_row,
    "case": with_tree((PLAIN, b"F", "one")),
    "case-twice": with_tree((PLAIN, b"F", "one"), (PLAIN, b"f", "two")),
    "swapped": files_and_directories_swapped,
    "links": links,
    "contents": contents,
    "deep": deep,
    "wide": wide,
}
TAGS: dict[str, Maker] = {
    "v1": tag("root", "commit", TAGGED),
    "of-a-tag": tag_of_a_tag,
    "of-a-blob": tag("one", "blob", TAGGED),
    "of-a-tree": tag("tree", "tree", TAGGED),
    "no-tagger": tag("root", "commit", b"\ntext\n"),
    "no-date": tag("root", "commit", b"tagger B <b@x.y>\n\ntext\n"),
    "no-message": tag("root", "commit", b"tagger " + PERSON + b"\n"),
    "empty-message": tag("root", "commit", b"tagger " + PERSON + b"\n\n"),
    "latin1": tag("root", "commit", b"tagger " + PERSON + b"\n\n\xe9"),
    "signed": tag("root", "commit", TAGGED + b"-----BEGIN PGP SIGNATURE-----\n"),
    "light-blob": lambda g: g.one,
    "light-tree": lambda g: g.tree,
    "main": lambda g: g.root,
}
NAMED = (
    'q"uote', "-dash", "HEAD", "café", "a&b;$(x)", "0123456789" * 4, "test/x", "Main", "50%",
    "a|b", "é/e\u0301", "@", "x" * 230 + "/" + "y" * 230,
)  # fmt: skip

ODDITIES: dict[str, Maker] = {
    **{f"refs/heads/{name}": make for name, make in GRAPH.items()},
    **{f"refs/heads/header-{name}": make for name, make in HEADERS.items()},
    **{f"refs/heads/message-{name}": alike(text) for name, text in MESSAGES.items()},
    **{
        f"refs/heads/zone{zone.decode()}": alike(author=b"A <a@e.x> 17 " + zone)
        for zone in ZONES
    },
    **{
        f"refs/heads/time{n}": alike(author=b"A <a@e.x> %d +0000" % at)
        for n, at in enumerate(TIMES)
    },
    **{f"refs/heads/person{n}": alike(author=who) for n, who in enumerate(PEOPLE)},
    **{f"refs/heads/tree-{name}": make for name, make in TREES.items()},
    **{f"refs/tags/{name}": make for name, make in TAGS.items()},
    **{f"refs/heads/{name}": lambda g: g.root for name in NAMED},
    "refs/heads/lat\udce9": lambda g: g.root,
    "refs/remotes/origin/test": lambda g: g.root,
    "refs/notes/commits": notes,
}
PASSED: dict[str, Maker] = {
    "refs/pull/1/head": lambda g: g.root,
    "refs/pull/2/head": lambda g: g.child,
    "refs/stash": lambda g: g.root,
    "refs/weird/tag": TAGS["v1"],
}


def ground(git: GitRepo) -> Ground:
    """Write what the oddities stand on."""
    one, two = git.put(b"blob", b"one\ntwo\n"), git.put(b"blob", b"one\n2\n")
    tree, other = (git.raw_tree((PLAIN, b"f", oid)) for oid in (one, two))
    root = git.commit(tree)
    return Ground(git, one, two, tree, other, root, git.commit(other, root))


def made(git: GitRepo) -> GitRepo:
    """Write every oddity, and what stays unheeded: a replace ref and a graft."""
    base = ground(git)
    for name, make in {**ODDITIES, **PASSED}.items():
        git.ref(name.encode("utf-8", "surrogateescape"), make(base))
    git.ref(f"refs/replace/{base.child}", git.commit(base.tree))
    (git.store / "info").mkdir(exist_ok=True)
    (git.store / "info" / "grafts").write_text(f"{base.child}\n")
    return git
