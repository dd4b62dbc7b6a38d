"""Law of ignore files: whatever the patterns, what is ignored is what Git ignores (W10)."""

import os
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from oxy.worktree.ignore import Ignore

NAMES = (
    *(b"a", b"b", b"ab", b"A", b"a b", b"a ", b"#a", b"!a", b"[ab]", b"-", b"*", b"a\\", b".a"),
    *(b"a.b", b"\xc3\xa9", b"1", b"a\r", b"abcab"),
)
DIRECTORIES = (b"", b"sub", b"sub/q", b"sub/q/a.d")
PLACES = 24

WORDS = st.sampled_from(
    (
        *(
            b"a",
            b"b",
            b"ab",
            b"A",
            b"sub",
            b"q",
            b"c",
            b".",
            b"-",
            b" ",
            b"#",
            b"!",
            b"\t",
            b"\r",
        ),
        *(b"*", b"**", b"?", b"/", b"/", b"**/", b"/**", b"***", b"*a", b"a*"),
        *(b"[ab]", b"[!a]", b"[^b]", b"[a-c]", b"[b-a]", b"[]", b"[", b"]", b"[a-]", b"[-a]"),
        *(b"[\\]]", b"[!]b]", b"[a/b]", b"[a-\\c]", b"[\\", b"[!-~]", b"[]-a]"),
        *(b"[[:alpha:]]", b"[[:punct:]]", b"[[:upper:]]", b"[[:space:]]", b"[[:x:]]"),
        *(b"[[:alpha:]", b"[:alpha:]", b"[a-[:digit:]]", b"[[:alpha:]-z]", b"[[.a.]]"),
        *(b"\\", b"\\a", b"\\*", b"\\ ", b"\xc3\xa9", b"\xc3"),
    )
)
LINES = st.builds(
    bytes.__add__,
    st.sampled_from((b"", b"", b"", b"!")),
    st.lists(WORDS, min_size=1, max_size=6).map(b"".join),
)
CONTENTS = st.lists(LINES, min_size=1, max_size=3).map(b"\n".join)
TREES = st.lists(st.tuples(CONTENTS, st.none() | CONTENTS), min_size=PLACES, max_size=PLACES)


@pytest.fixture(name="root", scope="module")
def _root(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Return a Git checkout with the same tree in many places, each for patterns of its own."""
    root = os.fsencode(tmp_path_factory.mktemp("places"))
    subprocess.run(["git", "init", "-q", root], check=True)
    for path in paths():
        file = Path(os.fsdecode(os.path.join(root, path)))
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
    return root


def paths() -> list[bytes]:
    return [
        os.path.join(b"%d" % place, directory, name)
        for place in range(PLACES)
        for directory in DIRECTORIES
        for name in NAMES
    ]


def ours(files: dict[bytes, bytes]) -> set[bytes]:
    """Return what the rules ignore, asked for as a walk would."""
    rules = Ignore(files.get)
    found: set[bytes] = set()
    for place in range(PLACES):
        above = b"%d" % place
        rules.enter(b"", ())
        ignored = {above: rules.ignored(above, is_directory=True)}
        for directory in DIRECTORIES:
            path = os.path.join(above, directory).removesuffix(b"/")
            if directory:
                name = path.rpartition(b"/")[2]
                ignored[path] = rules.ignored(name, is_directory=True)
            held = [b".gitignore"] if path + b"/.gitignore" in files else []
            rules.enter(path, held, ignored=ignored[path])
            found |= {
                path + b"/" + name for name in NAMES if rules.ignored(name, is_directory=False)
            }
    return found


def of_git(root: bytes) -> set[bytes]:
    done = subprocess.run(
        ["git", "-C", root, "check-ignore", "-z", "--stdin"],
        input=b"\0".join(paths()),
        stdout=subprocess.PIPE,
        check=False,
    )
    return set(done.stdout.split(b"\0")) - {b""}


# A smaller tree of patterns is no help: each place fails for itself, and is told.
@settings(max_examples=6, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
@given(TREES)
def test_what_is_ignored_is_what_git_ignores(
    root: bytes, tree: list[tuple[bytes, bytes | None]]
) -> None:
    files = {}
    for place, (first, second) in enumerate(tree):
        files[b"%d/.gitignore" % place] = first
        if second is not None:
            files[b"%d/sub/.gitignore" % place] = second
        below = Path(os.fsdecode(os.path.join(root, b"%d/sub/.gitignore" % place)))
        below.unlink(missing_ok=True)
    for path, content in files.items():
        Path(os.fsdecode(os.path.join(root, path))).write_bytes(content)
    odd = ours(files) ^ of_git(root)
    assert [(path, tree[int(path.split(b"/")[0])]) for path in sorted(odd)] == []
