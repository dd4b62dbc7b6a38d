"""Repositories that were made to fill memory are refused before they do (GB70)."""

import hashlib
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from oxy_git.reader import limits
from oxy_git.reader.limits import OverLimitError
from tests.builders.bridge import brought
from tests.builders.gitcases import TEN
from tests.builders.gitrepo import GitRepo
from tests.builders.measured import imported

MEGABYTES = 256
LARGE = 1 << 30


def put_zeros(git: GitRepo, kind: bytes, head: bytes, size: int) -> str:
    """Write an object that is `head` and then zeros up to a size; it is small on disk."""
    block = bytes(1 << 20)
    summed = hashlib.sha1(b"%s %d\0" % (kind, size) + head, usedforsecurity=False)
    packer = zlib.compressobj(1)
    parts = [packer.compress(b"%s %d\0" % (kind, size) + head)]
    for at in range(len(head), size, len(block)):
        piece = block[: size - at]
        summed.update(piece)
        parts.append(packer.compress(piece))
    name = summed.hexdigest()
    path = git.store / "objects" / name[:2] / name[2:]
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"".join([*parts, packer.flush()]))
    return name


def files(git: GitRepo) -> None:
    _, blob = git.blob(b"x\n")
    names = [b"%d" % n for n in range(10)]
    tree = git.raw_tree(*((b"100644", name, blob) for name in names))
    for _ in range(6):
        tree = git.raw_tree(*((b"40000", name, tree) for name in names))
    git.branch("main", git.commit(tree))


def parents(git: GitRepo) -> None:
    first = git.commit({b"a": TEN})
    git.branch("main", git.commit({b"a": TEN}, *[first] * 100_000))


def depth(git: GitRepo) -> None:
    tree = git.tree({b"a": TEN})
    for _ in range(12_000):
        tree = git.raw_tree((b"40000", b"d", tree))
    git.branch("main", git.commit(tree))


def message(git: GitRepo) -> None:
    tree = git.tree({b"a": TEN})
    head = f"tree {tree}\nauthor A <a@b> 1 +0000\ncommitter A <a@b> 1 +0000\n\n".encode()
    git.branch("main", put_zeros(git, b"commit", head, LARGE))


def tag(git: GitRepo) -> None:
    head = f"object {git.main({b'a': TEN})}\ntype commit\ntag large\n\n".encode()
    git.ref("refs/tags/large", put_zeros(git, b"tag", head, LARGE))


def file(git: GitRepo) -> None:
    oid = put_zeros(git, b"blob", b"", LARGE + 1)
    git.branch("main", git.commit(git.raw_tree((b"100644", b"large", oid))))


def refs(git: GitRepo) -> None:
    first = git.main({b"a": TEN})
    lines = (f"{first} refs/heads/b{n:07}\n" for n in range(limits.REFS + 1))
    head = "# pack-refs with: peeled fully-peeled sorted\n"
    (git.store / "packed-refs").write_text(head + "".join(lines))


BOMBS: dict[Callable[[GitRepo], None], str] = {
    files: "changes more than 400000 paths, or 67108864 bytes of them",
    parents: "has 100000 parents, and may have 4096",
    depth: "changes more than 400000 paths, or 67108864 bytes of them",
    message: "attempting to allocate",
    tag: "has 1073741824 bytes, and may have 15728640",
    file: "has 1073741825 bytes, and may have 1073741824",
    refs: "it has more than 250000 refs",
}


@pytest.mark.parametrize("bomb", BOMBS, ids=lambda bomb: bomb.__name__)
def test_a_bomb_is_refused_in_little_memory(
    tmp_path: Path, bomb: Callable[[GitRepo], None]
) -> None:
    git = GitRepo(tmp_path / "git", bare=True)
    bomb(git)
    ended = imported(git.root, tmp_path / "into")
    assert BOMBS[bomb] in ended.err
    assert ended.code in {2, 3}
    assert ended.peak < MEGABYTES


def test_what_is_within_the_limits_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    git = GitRepo(tmp_path / "git", bare=True)
    first = git.commit({b"%d" % n: TEN for n in range(20)})
    git.branch("main", git.commit({b"a": TEN}, *[first] * 10))
    monkeypatch.setattr("oxy_git.reader.stream.PATHS", 21)
    monkeypatch.setattr("oxy_git.reader.stream.PARENTS", 10)
    assert brought(git)[1].commits == 2
    monkeypatch.setattr("oxy_git.reader.stream.PATHS", 19)
    with pytest.raises(OverLimitError, match="changes more than 19 paths"):
        brought(git)


def test_a_message_beyond_the_limit_of_a_change_is_shown_cut_and_kept_whole(
    tmp_path: Path,
) -> None:
    git = GitRepo(tmp_path / "git", bare=True)
    text = b"line\n" * ((9 << 20) // 5)
    git.main({b"a": TEN}, message=text)
    repository, _ = brought(git)
    header = repository.header(1)
    assert text.startswith(header.message)
    assert dict(header.extra)[b"git:message"] == text
