"""Git's refs as bookmarks and tags (spec: git-bridge, GB9, GB30)."""

from collections.abc import Callable
from typing import Final, NamedTuple

from oxy.repo.refs import BOOKMARK, HERE, REMOTE, TAG, Ref, Target
from oxy.repo.states import Name
from oxy.repo.writing import Writing
from oxy_git.reader.git import Git, GitError
from oxy_git.reader.objects import Objects

_KINDS: Final = ((b"refs/heads/", BOOKMARK), (b"refs/tags/", TAG), (b"refs/remotes/", REMOTE))
_FORMAT: Final = "%(refname)%00%(objecttype)%00%(objectname)%00%(*objecttype)%00%(*objectname)"


class GitRef(NamedTuple):
    """A ref: its kind and name here, the commit it leads to, and the tag object on the way."""

    kind: int
    name: bytes
    commit: bytes | None
    tag: bytes | None


class Moved(NamedTuple):
    """How many names hold a commit now, which could not, and the bookmark of HEAD."""

    moved: int
    skipped: tuple[bytes, ...]
    head: bytes | None


def list_refs(git: Git) -> list[GitRef]:
    """Return the branches, tags and remote branches of a Git repository, and its HEAD."""
    said = git.run("for-each-ref", f"--format={_FORMAT}", *(p.decode() for p, _ in _KINDS))
    objects = Objects(git)
    try:
        refs = [_ref(line, objects) for line in said.splitlines()]
    finally:
        objects.close()
    return [ref for ref in refs if ref is not None]


def _ref(line: bytes, objects: Objects) -> GitRef | None:
    full, kind, oid, peeled_kind, peeled = line.split(b"\0")
    prefix, group = next(item for item in _KINDS if full.startswith(item[0]))
    name = full.removeprefix(prefix)
    if group == REMOTE:
        remote, _, branch = name.partition(b"/")
        if branch == b"HEAD":
            return None
        name = branch + b"@" + remote
    if kind == b"commit":
        return GitRef(group, name, bytes.fromhex(oid.decode()), None)
    if kind == b"tag" and peeled_kind == b"commit":
        raw = objects.read(bytes.fromhex(oid.decode()), "a tag")
        return GitRef(group, name, bytes.fromhex(peeled.decode()), raw)
    return GitRef(group, name, None, None)


def head_of(git: Git) -> bytes | None:
    """Return the branch that HEAD names."""
    try:
        said = git.run("symbolic-ref", "-q", "HEAD").strip()
    except GitError:
        return None
    return said.removeprefix(b"refs/heads/") if said.startswith(b"refs/heads/") else None


def move_refs(
    work: Writing, refs: list[GitRef], number: Callable[[bytes], int | None], head: bytes | None
) -> Moved:
    """Make bookmarks and tags hold the states of the commits that refs lead to."""
    count = 0
    skipped = []
    bookmarks: dict[bytes, Target] = {}
    for ref in refs:
        change = number(ref.commit) if ref.commit else None
        if change is None:
            skipped.append(ref.name)
            continue
        extra = ((b"git:tag", ref.tag),) if ref.tag else ()
        target = Target(Name((change,)), extra)
        work.move(Ref(ref.kind, ref.name), target)
        if ref.kind == BOOKMARK:
            bookmarks[ref.name] = target
        count += 1
    if head not in bookmarks:
        head = next(iter(sorted(bookmarks)), None)
    return Moved(count, tuple(skipped), head)


def stand_on(work: Writing, bookmark: bytes, target: Target) -> None:
    """Make a bookmark the current one, its state the base of the working copy."""
    work.move(HERE, target._replace(bookmark=bookmark, extra=()))
