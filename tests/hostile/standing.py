"""Rows of the corpus for the working copy and for Git (hostile 1 to 14, 67, 68, 70, 71)."""

import json
import os
import socket
import stat
from collections.abc import Callable

from tests.builders.gitrepo import GitRepo
from tests.hostile.yard import Yard

ODD_NAMES = {
    1: (b"..", b"."),
    2: (b"a\rb", b"a\nb", b"\x01", b"a\x1b[2J"),
    3: (b".git", b".GIT", b".oxy", b".oXy.", b".oxy ", b"oxy~1", b"git~1", b".oxy::$DATA"),
}
"""Names that the path rule refuses, by entry; those that a Git tree can hold."""


def git_names(entry: int) -> Callable[[Yard], None]:
    """Return what imports a tree with such names: withheld, listed, never written out."""

    def run(yard: Yard) -> None:
        git = GitRepo(yard.stage / "git")
        _, blob = git.blob(b"bad\n")
        entries = [(b"100644", name, blob) for name in ODD_NAMES[entry]]
        tree = git.raw_tree((b"100644", b"good", blob), *sorted(entries, key=lambda e: e[1]))
        git.branch("main", git.commit(tree))
        into = yard.stage / "into"
        out = yard.works("git", "import", str(git.root), str(into), "--json", where=yard.stage)
        withheld = json.loads(out.splitlines()[-1])["withheld"]
        assert len(withheld) == len(entries)
        assert sorted(os.listdir(into)) == [".oxy", "good"]

    return run


def kept_names(entry: int) -> Callable[[Yard], None]:
    """Return what finds such names in a working copy: left untracked, and reported."""

    def run(yard: Yard) -> None:
        made = [
            name for name in ODD_NAMES[entry] if name not in {b"..", b".", b".oxy", b".git"}
        ]
        for name in made:
            with open(os.path.join(bytes(yard.here), name), "wb") as file:
                file.write(b"bad\n")
        yard.write({"good": b"x\n"})
        said = yard.oxy("commit", "-m", "all")
        assert said.code == 0
        assert yard.works("files") == b"good\n"
        assert b"\x1b" not in said.out + said.err

    return run


def folded_names(yard: Yard) -> None:
    """Backslashes, drive letters and device names stay what they are where nothing folds."""
    odd = {"a\\b": b"1\n", "c:x": b"2\n", "con": b"3\n", "aux.txt": b"4\n"}
    yard.write(odd, "odd")
    yard.works("clone", str(yard.here), str(yard.stage / "clone"), where=yard.stage)
    assert {name: (yard.stage / "clone" / name).read_bytes() for name in odd} == odd


def in_the_way(yard: Yard) -> None:
    """A checkout writes over nothing that was edited or is not tracked."""
    yard.write({"f": b"1\n"}, "one")
    yard.works("switch", "-c", "other")
    yard.write({"f": b"2\n", "g": b"theirs\n"}, "two")
    yard.works("switch", "main")
    yard.write({"g": b"mine\n"})
    yard.refuses("switch", "other", code=2, because="g")
    assert (yard.here / "g").read_bytes() == b"mine\n"


def devices(yard: Yard) -> None:
    """What is no file is reported and never opened."""
    os.mkfifo(yard.here / "pipe")
    with socket.socket(socket.AF_UNIX) as made:
        old = os.getcwd()
        os.chdir(yard.here)
        made.bind("socket")
        os.chdir(old)
    yard.write({"f": b"x\n"}, "all")
    assert yard.works("files") == b"f\n"


def bytes_as_names(yard: Yard) -> None:
    """Names that are not UTF-8 survive, and JSON says how they are encoded."""
    name = b"caf\xe9"
    with open(os.path.join(bytes(yard.here), name), "wb") as file:
        file.write(b"x\n")
    record = json.loads(yard.works("status", "--json").splitlines()[0])
    assert "caf" in json.dumps(record)
    yard.works("commit", "-m", "bytes")
    yard.works("clone", str(yard.here), str(yard.stage / "clone"), where=yard.stage)
    assert name in os.listdir(bytes(yard.stage / "clone"))
    assert b"caf\xe9" not in yard.works("files")


def odd_modes(yard: Yard) -> None:
    """Only the executable bit is kept."""
    yard.write({"f": b"x\n"})
    (yard.here / "f").chmod(0o6755)
    yard.works("commit", "-m", "all")
    yard.works("clone", str(yard.here), str(yard.stage / "clone"), where=yard.stage)
    mode = stat.S_IMODE((yard.stage / "clone/f").stat().st_mode)
    assert mode & 0o7000 == 0
    assert mode & 0o100


def hard_links(yard: Yard) -> None:
    """A checkout writes a file anew, and not through its other name."""
    yard.write({"f": b"1\n"}, "one")
    yard.works("switch", "-c", "other")
    yard.write({"f": b"2\n"}, "two")
    (yard.stage / "other name").hardlink_to(yard.here / "f")
    yard.works("switch", "main")
    assert (yard.here / "f").read_bytes() == b"1\n"
    assert (yard.stage / "other name").read_bytes() == b"2\n"


def nested(yard: Yard) -> None:
    """A repository inside is not entered."""
    yard.works("init", str(yard.here / "inner"))
    (yard.here / "inner/f").write_bytes(b"x\n")
    GitRepo(yard.here / "git").main({b"a": b"a\n"})
    yard.write({"own": b"x\n"}, "own")
    assert yard.works("files") == b"own\n"


def link_out(yard: Yard) -> None:
    """A symlink that leads out is kept as such, and nothing is written through it."""
    (yard.here / "d").symlink_to(yard.root / "home")
    yard.works("commit", "-m", "link")
    yard.works("switch", "-c", "other")
    (yard.here / "d").unlink()
    yard.write({"d/letter": b"forged\n"}, "a directory in its place")
    yard.works("switch", "main")
    yard.works("switch", "other")
    assert (yard.here / "d/letter").read_bytes() == b"forged\n"


def backtracking(yard: Yard) -> None:
    """Patterns that are made to backtrack take linear time."""
    patterns = ["a*" * 60 + "b", "**/" * 60 + "x", "*?" * 80 + "z", "[a-z]*" * 60 + "!"]
    yard.write({".oxyignore": "\n".join(patterns).encode(), "a" * 200: b"x\n"})
    yard.write({"/".join("a" * 40) + "/f": b"x\n"})
    yard.works("status")
    yard.works("commit", "-m", "all")


def large(yard: Yard) -> None:
    """A line of many megabytes, and a directory of many names, need little memory."""
    yard.write({"line": b"x" * (24 << 20)})
    for number in range(3000):
        (yard.here / f"f{number:05}").write_bytes(b"")
    yard.works("track", "line")
    yard.works("commit", "-m", "all", "--all-files")
    yard.works("clone", str(yard.here), str(yard.stage / "clone"), where=yard.stage)
    assert (yard.stage / "clone/line").stat().st_size == 24 << 20


EVIL = "\x1b]0;title\x07\x1b[2J\x9b31m\r\u202egnp.\u200b\u2066"
"""What would act on a terminal or mislead who reads it: ESC, OSC, C1, CR, bidi, zero-width."""


def harmless(said: bytes) -> bool:
    """Tell whether nothing in what was written acts on a terminal."""
    text = said.decode()
    bad = {chr(code) for code in (*range(32), *range(127, 160)) if chr(code) not in "\n\t"}
    return not (set(text) & (bad | set("\u200b\u202e\u2066\ufeff")))


def messages(yard: Yard) -> None:
    """What a message, an author or a name of a bookmark says is shown escaped."""
    yard.write({"f": b"x\n"})
    yard.works(
        "commit", "-m", f"subject {EVIL}\n\nbody {EVIL}", "--author", f"Ada{EVIL[1:9]} <a@b>"
    )
    for words in (("log",), ("show",), ("log", "--json"), ("blame", "f"), ("op", "log")):
        assert harmless(yard.works(*words)), words


def names(yard: Yard) -> None:
    """What a path says is shown escaped, also in an error."""
    name = f"f{EVIL[-6:]}"
    yard.write({name: b"x\n"})
    assert harmless(yard.works("status"))
    yard.works("commit", "-m", "odd")
    for words in (("files",), ("status",), ("log", "--name-only"), ("diff",), ("show",)):
        assert harmless(yard.works(*words)), words
    said = yard.oxy("cat", f"no{EVIL}")
    assert said.code == 2
    assert harmless(said.err)


def from_git(yard: Yard) -> None:
    """What a commit and a path of Git say is shown escaped after an import."""
    git = GitRepo(yard.stage / "git")
    git.branch("main", git.commit({f"f{EVIL[-3:]}".encode(): b"x\n"}, message=EVIL.encode()))
    into = yard.stage / "into"
    said = yard.oxy("git", "import", str(git.root), str(into), where=yard.stage)
    assert said.code == 0
    assert harmless(said.out + said.err)
    assert harmless(yard.works("log", where=into))
    assert harmless(yard.works("files", where=into))


def far_words(yard: Yard) -> None:
    """What a program in between writes is shown escaped."""
    server = yard.stage / "ssh"
    (yard.stage / "words").write_bytes(EVIL.encode() + b"\n")
    server.write_text(f"#!/bin/sh\ncat '{yard.stage}/words' >&2\nexit 1\n")
    server.chmod(0o755)
    yard.patch.setenv("OXY_SSH", str(server))
    said = yard.oxy("pull", "ssh://host/there")
    assert said.code != 0
    assert harmless(said.err)
