"""A patch applied to the old tree gives the new tree (spec: command-line, L60)."""

import os
import subprocess
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from oxy.actions.apply import apply
from oxy.actions.commit import Request, commit
from oxy.actions.diff import between, working
from oxy.actions.init import init
from oxy.actions.mailbox import letters
from oxy.actions.mv import mv
from oxy.actions.patch import REGULAR, FileDiff, lines_of
from oxy.actions.show import show
from oxy.actions.status import examined
from oxy.diff.fitting import fitted
from oxy.diff.reading import read
from oxy.errors import OxyError
from oxy.repo.states import Name
from oxy.worktree.workcopy import working_copy
from tests.builders.tree import File, Tree, held, make

NAMES = (
    "a",
    "a b/a b",
    " lead",
    "trail ",
    'quo"te',
    "back\\slash",
    os.fsdecode(b"\xff\xfe"),
    "grün",
    "d",
    "d/x b/d/x",
    "d/y",
    "-dash",
    "{brace} => x",
)
PIECES = (b"one\n", b"two\n", b"\n", b"  in\r\n", b"tail", b"-- \n", b"@@ x\n", b"\xe9\n")

SAMPLE = (
    b"From: Ada <a@x>\nDate: Tue, 14 Nov 2023 23:43:20 +0130\nSubject: [PATCH] x\n"
    b"Content-Type: text/plain; charset=latin-1\n\nBody\n---\n"
    b'diff --git "a/x\\303" b/y\nold mode 100644\nnew mode 100755\nrename from "x\\303"\n'
    b"rename to y\n--- a/y\n+++ b/y\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n\\ No newline\n"
    b"diff --git a/b b/b\nindex 12..34\nGIT binary patch\nliteral 2\nJc${Nk0000\n\n"
)

texts = st.lists(st.sampled_from(PIECES), max_size=8).map(b"".join)
long_texts = st.lists(st.sampled_from(PIECES), min_size=20, max_size=60).map(b"".join)
binaries = st.binary(max_size=200).map(lambda data: b"\0" + data)
plain = st.builds(
    File,
    texts | long_texts | binaries,
    executable=st.booleans(),
    is_link=st.just(value=False),
)
links = st.sampled_from((b"a", b"../out", b"gr\xc3\xbcn")).map(
    lambda target: File(target, is_link=True)
)
trees = st.dictionaries(st.sampled_from(NAMES), plain | links, max_size=6)


def fitting(tree: Tree) -> Tree:
    """Return a tree without the file at whose path it has a directory."""
    has_directory = any(path.startswith("d/") for path in tree)
    return {path: file for path, file in tree.items() if path != "d" or not has_directory}


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Tree, Tree, dict[str, str]]:
    """Draw two trees, of which the second keeps, edits and moves files of the first."""
    old, new = fitting(draw(trees)), draw(trees)
    moves: dict[str, str] = {}
    for path, file in old.items():
        fate = draw(st.sampled_from(("gone", "kept", "edited", "moved")))
        if fate == "kept":
            new[path] = file
        elif fate == "edited" and not file.is_link:
            new[path] = File(file.data + b"more", draw(st.booleans()))
        elif fate == "moved":
            new.pop(path, None)
            moves[path] = "moved/" + path
            more = b"" if file.is_link else draw(st.sampled_from((b"", b"x\n")))
            new[moves[path]] = file._replace(data=file.data + more)
    return old, fitting(new), moves


def patch(diffs: Iterable[FileDiff]) -> bytes:
    return b"".join(line + b"\n" for diff in diffs for line in lines_of(diff))


def record(root: Path) -> None:
    with working_copy(bytes(root)) as copy:
        commit(copy, Request(author=b"Ada <a@x>"), lambda _: b"x")


def applied(tree: Tree, made: bytes, *command: str) -> Tree:
    """Return what a program makes of a tree with a patch."""
    with tempfile.TemporaryDirectory() as directory:
        root = Path(directory)
        make(root, tree)
        if made:
            subprocess.run(command, input=made, cwd=root, check=True)
        return held(root)


@settings(max_examples=30)
@given(pairs())
def test_git_apply_makes_the_new_tree_of_the_old(
    drawn: tuple[Tree, Tree, dict[str, str]],
) -> None:
    old, new, moves = drawn
    with tempfile.TemporaryDirectory() as directory:
        root = Path(directory)
        init(bytes(root))
        make(root, old)
        record(root)
        with working_copy(bytes(root)) as copy:
            for source, target in moves.items():
                mv(copy, [os.fsencode(source)], os.fsencode(target))
        make(root, new)
        with working_copy(bytes(root)) as copy:
            local = patch(working(copy, examined(copy).changes))
        record(root)
        with working_copy(bytes(root)) as copy:
            repository, state = copy.repository, copy.base.state
            states = patch(between(repository, Name((1,)) if old else Name(), state))
            shown = patch(show(repository, state.heads[0])) if new != old else b""
    for made in {local, states, shown}:
        assert applied(old, made, "git", "apply", "--whitespace=nowarn", "-") == new
        assert applied_by_oxy(old, made) == new


def applied_by_oxy(tree: Tree, made: bytes) -> Tree:
    """Return what oxy makes of a tree with a patch."""
    with tempfile.TemporaryDirectory() as directory:
        root = Path(directory)
        init(bytes(root))
        make(root, tree)
        record(root)
        with working_copy(bytes(root)) as copy:
            if made:
                apply(copy, letters(made))
        return held(root)


def of_git(old: Tree, new: Tree) -> bytes:
    """Return the patch that Git makes of two trees."""
    with tempfile.TemporaryDirectory() as here, tempfile.TemporaryDirectory() as there:
        root = Path(here)

        def git(*words: str) -> bytes:
            command = ["git", "--git-dir", there, "--work-tree", here, *words]
            return subprocess.run(command, check=True, capture_output=True).stdout

        git("init", "-q")
        make(root, old)
        git("add", "-A", "-f")
        tree = git("write-tree").decode().strip()
        make(root, new)
        git("add", "-A", "-f")
        return git("diff", "--cached", "--binary", "-M20", "-C20", tree)


@settings(max_examples=20)
@given(pairs())
def test_oxy_apply_makes_the_new_tree_of_what_git_wrote(
    drawn: tuple[Tree, Tree, dict[str, str]],
) -> None:
    old, new, _ = drawn
    assert applied_by_oxy(old, of_git(old, new)) == new


@given(
    st.binary(max_size=60),
    st.lists(st.tuples(st.integers(0), st.binary(max_size=3)), max_size=4),
)
def test_no_bytes_are_more_than_refused(start: bytes, cuts: list[tuple[int, bytes]]) -> None:
    made = start + SAMPLE
    for at, piece in cuts:
        place = at % len(made)
        made = made[:place] + piece + made[place + len(piece) + at % 2 :]
    with suppress(OxyError):
        for letter in letters(made):
            for patch in read(letter.patch):
                for text in (b"", b"a\nb\n", b"\0"):
                    with suppress(OxyError):
                        fitted(text, patch.hunks)


few = st.dictionaries(st.sampled_from(("a", "d/y", "s p")), texts.filter(bool), max_size=3)


@settings(max_examples=30)
@given(few, few)
def test_patch_makes_the_new_texts_of_the_old(
    old: dict[str, bytes], new: dict[str, bytes]
) -> None:
    diffs = []
    for name in sorted({*old, *new}):
        was, became = old.get(name), new.get(name)
        if was != became:
            modes = [None if data is None else REGULAR for data in (was, became)]
            paths = [None if data is None else os.fsencode(name) for data in (was, became)]
            diffs.append(FileDiff(paths[0], paths[1], modes[0], modes[1], was, became))
    before, after = ({name: File(data) for name, data in tree.items()} for tree in (old, new))
    command = ("patch", "-p1", "-s", "--binary", "--no-backup-if-mismatch")
    assert applied(before, patch(diffs), *command) == after
