"""Git's refs: which there are, and what each leads to (spec: git-bridge, GB20, GB44, GB70)."""

import contextlib
from collections.abc import Sequence
from typing import Final, NamedTuple, TypeAlias

from oxy.errors import RequestError
from oxy.repo.refs import BOOKMARK, KEPT, REMOTE, TAG
from oxy_git.importer.kept import things_below
from oxy_git.importer.refname import mapped
from oxy_git.reader.git import Git, GitError
from oxy_git.reader.limits import RECORD, REFS, OverLimitError
from oxy_git.reader.objects import Objects

Kinds: TypeAlias = Sequence[tuple[bytes, int]]
"""Prefixes of refs, and the kind of name that each is here."""

HEADS: Final = b"refs/heads/"
TAGS: Final = b"refs/tags/"
KINDS: Final = (
    (HEADS, BOOKMARK),
    (TAGS, TAG),
    (b"refs/remotes/", REMOTE),
    (b"refs/notes/", KEPT),
)
_PLACES: Final = tuple(prefix for prefix, _ in KINDS)
_OWN: Final = b"refs/oxy/"
_FORMAT: Final = "%(refname)%00%(objecttype)%00%(objectname)"
_COMMIT: Final = b"commit"
_TAG: Final = b"tag"


class NoSuchRefError(RequestError):
    """A branch or tag that is to be imported is not there."""

    def __init__(self, full: bytes) -> None:
        super().__init__(f"the Git repository has no {full.decode('utf-8', 'replace')}")
        self.full = full


class GitRef(NamedTuple):
    """A ref: its full name, its kind and name here, and what it leads to.

    Attributes:
        full: its full name.
        kind: BOOKMARK, TAG, REMOTE or KEPT.
        name: what it is called here; None where it can have no name.
        leads_to: the kind of thing it leads to in the end.
        commit: None where that is no commit.
        tags: the tag objects on the way.
        things: where it leads to no commit, every object that it leads to, by kind, the first
            of them the one it names; None where they are too many bytes to keep.
    """

    full: bytes
    kind: int
    name: bytes | None
    leads_to: bytes
    commit: bytes | None
    tags: tuple[bytes, ...]
    things: tuple[tuple[bytes, bytes], ...] | None = ()


class Passed(NamedTuple):
    """Refs of one kind that are not taken: how they begin, how many, and the first of them."""

    prefix: bytes
    number: int
    example: bytes


class Head(NamedTuple):
    """Where HEAD is: its branch as a bookmark, unless it is detached, and its commit if any."""

    bookmark: bytes | None
    commit: bytes | None


def list_refs(git: Git, kinds: Kinds = KINDS, names: Sequence[bytes] = ()) -> list[GitRef]:
    """Return the branches, tags, remote branches and notes of a Git repository.

    Args:
        git: the repository.
        kinds: which beginnings of names mean what.
        names: full names of the refs to look for only, or beginnings of some up to a slash.

    Raises:
        OverLimitError: there are too many.
    """
    places = names or [prefix for prefix, _ in kinds]
    said = git.run("for-each-ref", f"--count={REFS + 1}", f"--format={_FORMAT}", *places)
    lines = said.splitlines()
    if len(lines) > REFS:
        what = f"it has more than {REFS} refs"
        raise OverLimitError(what)
    objects = Objects(git)
    try:
        found = [_ref(line, kinds, objects) for line in lines]
    finally:
        objects.close()
    return [ref for ref in found if ref is not None]


def chosen_refs(git: Git, branches: Sequence[bytes], tags: Sequence[bytes]) -> list[GitRef]:
    """Return some branches and tags of a Git repository; where none is named, all its refs.

    Raises:
        NoSuchRefError: a branch or tag that is named is not there.
        OverLimitError: there are too many.
    """
    chosen = [HEADS + name for name in branches] + [TAGS + name for name in tags]
    refs = list_refs(git, names=chosen)
    if chosen:
        # A pattern of git's also means what is below a name.
        refs = [ref for ref in refs if ref.full in chosen]
        for full in sorted(set(chosen) - {ref.full for ref in refs}):
            raise NoSuchRefError(full)
    return refs


def passed_over(git: Git) -> list[Passed]:
    """Return the refs that no import takes, by kind. Cost: the names of all refs."""
    counts: dict[bytes, Passed] = {}
    with contextlib.closing(git.start("for-each-ref", "--format=%(refname)")) as pipe:
        for line in pipe.stdout:
            full = line.rstrip(b"\n")
            if not full.startswith(_OWN) and not any(map(full.startswith, _PLACES)):
                parts = full.split(b"/", 2)
                prefix = b"/".join(parts[:2]) + (b"/" if parts[2:] else b"")
                _, count, example = counts.get(prefix, Passed(prefix, 0, full))
                counts[prefix] = Passed(prefix, count + 1, example)
    return [counts[prefix] for prefix in sorted(counts)]


def _ref(line: bytes, kinds: Kinds, objects: Objects) -> GitRef | None:
    full, leads_to, name = line.split(b"\0")
    prefix, kind = next(item for item in kinds if full.startswith(item[0]))
    called = mapped(full.removeprefix(prefix))
    if kind == REMOTE:
        remote, _, branch = full.removeprefix(prefix).partition(b"/")
        if branch == b"HEAD":
            return None
        called = mapped(branch + b"@" + remote)
    oid = bytes.fromhex(name.decode("ascii"))
    tags: list[bytes] = []
    while leads_to == _TAG:
        tags.append(objects.read(oid, RECORD))
        oid, leads_to = tagged(tags[-1])
    if leads_to == _COMMIT:
        kind = KEPT if called is None else kind
        called = full if kind == KEPT else called
        return GitRef(full, kind, called, leads_to, oid, tuple(tags))
    things = things_below(objects, leads_to, oid)
    return GitRef(full, KEPT, full, leads_to, None, tuple(tags), things)


def tagged(raw: bytes) -> tuple[bytes, bytes]:
    """Return what a tag object is of: its id and kind."""
    first, second = raw.split(b"\n", 2)[:2]
    return bytes.fromhex(first.removeprefix(b"object ").decode("ascii")), second[5:]


def head_of(git: Git, refs: Sequence[GitRef] = ()) -> Head:
    """Return where HEAD is, its branch called as among refs if it is one of them."""
    try:
        said = git.run("symbolic-ref", "-q", "HEAD").removesuffix(b"\n")
    except GitError:
        said = b""
    bookmark = None
    if said.startswith(HEADS):
        bookmark = next((ref.name for ref in refs if ref.full == said), None)
        bookmark = bookmark or mapped(said.removeprefix(HEADS))
    try:
        commit = git.run("rev-parse", "--verify", "-q", "HEAD^{commit}").strip()
    except GitError:
        return Head(bookmark, None)
    return Head(bookmark, bytes.fromhex(commit.decode("ascii")))


def chosen_head(head: Head, refs: Sequence[GitRef]) -> Head:
    """Return where HEAD is where only some refs are wanted: there, or at the first of them."""
    if any(ref.kind == BOOKMARK and ref.name == head.bookmark for ref in refs):
        return head
    first = next((ref for ref in refs if ref.commit is not None), None)
    if first is None:
        return Head(None, None)
    return Head(first.name if first.kind == BOOKMARK else None, first.commit)
