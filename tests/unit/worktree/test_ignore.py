import os
import subprocess
from pathlib import Path

import pytest

from oxy.worktree.ignore import Ignore

NAMES = [
    b"a",
    b"b",
    b"foo",
    b"foo.c",
    b"foo.o",
    b"FOO.O",
    b"bar.txt",
    b"x y",
    b"end ",
    b"#hash",
    b"!bang",
    b"[a]",
    b"a-b",
    b"a]b",
    b"*star",
    b"back\\slash",
    b"caf\xc3\xa9",
    b"dist",
    b"build",
    b"abcabc",
    b"q1",
    b"q_",
]
DIRECTORIES = [b"", b"sub", b"sub/deep", b"dist.d", b"sub/deep/er"]

ROOTS = [
    b"foo",
    b"/foo",
    b"foo/",
    b"sub/foo",
    b"/sub/foo.c\n",
    b"*.o",
    b"*.o\n!foo.o",
    b"!foo.o\n*.o",
    b"sub/*\n!sub/deep",
    b"sub/*\n!sub/deep/\n!sub/foo",
    b"sub\n!sub/foo",
    b"**/foo",
    b"sub/**",
    b"sub/**/foo",
    b"**/deep/**",
    b"**",
    b"/**",
    b"**/",
    b"*/foo",
    b"*/*/foo",
    b"?",
    b"???",
    b"[ab]",
    b"[!ab]",
    b"[^ab]*",
    b"[a-f]oo",
    b"f[[:alpha:]]o",
    b"q[[:digit:]]",
    b"q[^[:alnum:]]",
    b"[[:nosuch:]]",
    b"a[]]b",
    b"a[]-]b",
    b"a[a-]b",
    b"[[]a]",
    b"\\[a]",
    b"[a",
    b"foo\\",
    b"\\#hash",
    b"#hash",
    b"\\!bang",
    b"!bang",
    b"x y",
    b"x\\ y",
    b"end ",
    b"end\\ ",
    b"end\\  ",
    b"foo   ",
    b"foo\r\nb\r\n",
    b"\xef\xbb\xbffoo\nb",
    b"\\*star",
    b"back\\\\slash",
    b"a\\-b",
    b"caf?",
    b"caf??",
    b"caf\xc3\xa9",
    b"*a*c",
    b"a*b*c*",
    b"abc*bc",
    b"*bcab*",
    b"a**c",
    b"sub/d**p/foo",
    b"sub**/er",
    b"sub/d**/foo",
    b"s**/**/foo",
    b"s?b**/er/foo",
    b"sub//foo",
    b"//foo",
    b"/",
    b"!",
    b"\n\n \n",
    b"sub\\/foo",
    b"sub[/]foo",
    b"sub/[^/]",
    b"*\n!*/\n!*.c",
    b"/*\n!/sub\n/sub/*\n!/sub/deep",
    b"dist*",
    b"dist*/",
    b"deep/foo",
    b"deep/er/",
    b"sub/**/er",
    b"sub/**/**/b",
    b"***/foo",
    b"[\\a]",
    b"[a\\-c]",
    b"[]",
    b"[!]a]",
    b"*.[oc]",
    b"f*.[oc]",
    b"foo.*",
    b"*",
    b"*?",
]


def build(root: Path, files: dict[bytes, bytes]) -> None:
    base = os.fsencode(root)
    for directory in DIRECTORIES:
        os.makedirs(os.path.join(base, directory), exist_ok=True)
        for name in NAMES:
            Path(os.fsdecode(os.path.join(base, directory, name))).touch()
    for path, content in files.items():
        Path(os.fsdecode(os.path.join(base, path))).write_bytes(content)


def ours(root: Path) -> set[bytes]:
    """Every file that the rules ignore, asked for as a walk would."""
    base = os.fsencode(root)

    def read(path: bytes) -> bytes | None:
        try:
            return Path(os.fsdecode(os.path.join(base, path))).read_bytes()
        except OSError:
            return None

    rules = Ignore(read)
    found: set[bytes] = set()
    pending = [(b"", False)]
    while pending:
        directory, is_ignored = pending.pop()
        names = sorted(set(os.listdir(os.path.join(base, directory))))
        rules.enter(directory, names, ignored=is_ignored)
        for name in names:
            path = os.path.join(directory, name)
            is_directory = os.path.isdir(os.path.join(base, path))
            verdict = rules.ignored(name, is_directory=is_directory)
            if is_directory and name != b".git":
                pending.append((path, verdict))
            elif verdict and not is_directory:
                found.add(path)
    return found


def of_git(root: Path) -> set[bytes]:
    """Every file that Git ignores."""
    base = os.fsencode(root)
    paths = [
        os.path.relpath(os.path.join(at, name), base)
        for at, _, names in os.walk(base)
        if b"/.git" not in at
        for name in names
    ]
    done = subprocess.run(
        ["git", "-C", base, "check-ignore", "-z", "--stdin"],
        input=b"\0".join(paths),
        stdout=subprocess.PIPE,
        check=False,
    )
    return {os.path.normpath(path) for path in done.stdout.split(b"\0") if path}


def git_init(root: Path) -> None:
    subprocess.run(["git", "init", "-q", root], check=True)


@pytest.fixture(name="tree", scope="module")
def _tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("tree")
    git_init(root)
    build(root, {})
    return root


@pytest.mark.parametrize("patterns", ROOTS)
def test_patterns_mean_what_they_mean_to_git(tree: Path, patterns: bytes) -> None:
    (tree / ".gitignore").write_bytes(patterns)
    assert ours(tree) == of_git(tree)


def test_a_deeper_file_overrides_one_higher_up(tmp_path: Path) -> None:
    git_init(tmp_path)
    build(
        tmp_path,
        {
            b".gitignore": b"*.o\n/foo\n",
            b"sub/.gitignore": b"!foo.o\n/b\ndeep/a\n",
            b"sub/deep/.gitignore": b"*.o\n!/foo\n!b\n",
            b".git/info/exclude": b"bar.txt\n!FOO.O\nx*\n",
            b"sub/deep/er/.gitignore": b"!bar.txt\n",
        },
    )
    assert ours(tmp_path) == of_git(tmp_path)
    assert b"sub/deep/bar.txt" in ours(tmp_path)
    assert b"sub/deep/er/bar.txt" not in ours(tmp_path)


def test_oxyignore_comes_after_gitignore_of_the_same_directory() -> None:
    files = {b".gitignore": b"*.o\nkept\n", b".oxyignore": b"!a.o\nextra\n"}
    rules = Ignore(files.get)
    rules.enter(b"", list(files))
    ignored = [
        name
        for name in (b"a.o", b"b.o", b"kept", b"extra", b"other")
        if rules.ignored(name, is_directory=False)
    ]
    assert ignored == [b"b.o", b"kept", b"extra"]


def test_below_an_ignored_directory_nothing_is_brought_back() -> None:
    rules = Ignore({b".gitignore": b"out/\n!keep\n"}.get)
    rules.enter(b"", [b".gitignore"])
    assert rules.ignored(b"out", is_directory=True)
    rules.enter(b"out", [], ignored=True)
    assert rules.ignored(b"keep", is_directory=False)
    rules.enter(b"out/in", [])
    assert rules.ignored(b"keep", is_directory=False)
    rules.enter(b"other", [])
    assert not rules.ignored(b"keep", is_directory=False)


def test_nothing_is_read_before_the_first_question() -> None:
    reads: list[bytes] = []

    def read(path: bytes) -> bytes | None:
        reads.append(path)
        return b"*.o"

    rules = Ignore(read)
    rules.enter(b"", [b".gitignore"])
    rules.enter(b"sub", [b".oxyignore"])
    assert reads == []
    assert rules.ignored(b"a.o", is_directory=False)
    assert reads == [b".gitignore", b"sub/.oxyignore"]


def test_what_holds_everywhere_is_the_weakest() -> None:
    files = {b".git/info/exclude": b"!a.o\n", b"sub/.gitignore": b"!c.o\n"}
    rules = Ignore(files.get, lambda: (b"*.o\n", b"!b.o\n/top\n"))
    rules.enter(b"", [b".git"])
    names = (b"a.o", b"b.o", b"c.o", b"top")
    assert [n for n in names if rules.ignored(n, is_directory=False)] == [b"c.o", b"top"]
    rules.enter(b"sub", [b".gitignore"])
    assert not any(rules.ignored(name, is_directory=False) for name in names)
