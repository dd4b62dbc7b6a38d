"""Git's refs as bookmarks and tags (spec: git-bridge, GB20, GB21)."""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, TypeAlias

from oxy.repo.refs import BOOKMARK, REMOTE, TAG, Ref, Target
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.writing import Writing
from oxy_git.importer.refname import mapped
from oxy_git.reader import extra
from oxy_git.reader.git import Git, GitError
from oxy_git.reader.objects import Objects

Kinds: TypeAlias = Sequence[tuple[bytes, int]]
"""Prefixes of refs, and the kind of name that each is here."""

KINDS: Final = ((b"refs/heads/", BOOKMARK), (b"refs/tags/", TAG), (b"refs/remotes/", REMOTE))
_FORMAT: Final = "%(refname)%00%(objecttype)%00%(objectname)"

UNREACHED: Final = "its commit is not imported"
LOCAL: Final = "the bookmark has changes that Git does not know"
NO_NAME: Final = "no bookmark or tag can be called so"


class GitRef(NamedTuple):
    """A ref: its full name, its kind and name here, and what it leads to.

    `commit` is None where it leads to no commit, but to a thing of kind `leads_to`; `tags` are
    the tag objects on the way.
    """

    full: bytes
    kind: int
    name: bytes | None
    leads_to: bytes
    commit: bytes | None
    tags: tuple[bytes, ...]


class Head(NamedTuple):
    """Where HEAD is: its branch as a bookmark, unless it is detached, and its commit if any."""

    bookmark: bytes | None
    commit: bytes | None


class Moved(NamedTuple):
    """How many names were moved, and which refs could not be followed and why."""

    moved: int
    skipped: tuple[tuple[bytes, str], ...]


def list_refs(git: Git, kinds: Kinds = KINDS, names: Sequence[bytes] = ()) -> list[GitRef]:
    """Return the branches, tags and remote branches of a Git repository.

    Args:
        git: the repository.
        kinds: which beginnings of names mean what.
        names: full names of the refs to look for only, or beginnings of some up to a slash.
    """
    wanted = names or [prefix for prefix, _ in kinds]
    said = git.run("for-each-ref", f"--format={_FORMAT}", *wanted)
    objects = Objects(git)
    try:
        refs = [_ref(line, kinds, objects) for line in said.splitlines()]
    finally:
        objects.close()
    return [ref for ref in refs if ref is not None]


def _ref(line: bytes, kinds: Kinds, objects: Objects) -> GitRef | None:
    full, leads_to, name = line.split(b"\0")
    prefix, kind = next(item for item in kinds if full.startswith(item[0]))
    short = full.removeprefix(prefix)
    if kind == REMOTE:
        remote, _, branch = short.partition(b"/")
        if branch == b"HEAD":
            return None
        short = branch + b"@" + remote
    oid = bytes.fromhex(name.decode("ascii"))
    tags: list[bytes] = []
    while leads_to == b"tag":
        tags.append(objects.read(oid))
        oid, leads_to = _tagged(tags[-1])
    commit = oid if leads_to == b"commit" else None
    return GitRef(full, kind, mapped(short), leads_to, commit, tuple(tags))


def _tagged(raw: bytes) -> tuple[bytes, bytes]:
    """Return what a tag object is of: its id and kind."""
    first, second = raw.split(b"\n", 2)[:2]
    return bytes.fromhex(first.removeprefix(b"object ").decode("ascii")), second[5:]


def head_of(git: Git) -> Head:
    """Return where HEAD is."""
    try:
        said = git.run("symbolic-ref", "-q", "HEAD").removesuffix(b"\n")
    except GitError:
        said = b""
    bookmark = None
    if said.startswith(b"refs/heads/"):
        bookmark = mapped(said.removeprefix(b"refs/heads/"))
    try:
        commit = git.run("rev-parse", "--verify", "-q", "HEAD^{commit}").strip()
    except GitError:
        return Head(bookmark, None)
    return Head(bookmark, bytes.fromhex(commit.decode("ascii")))


def move_refs(
    work: Writing, refs: list[GitRef], state: Callable[[bytes], Name | None]
) -> Moved:
    """Make bookmarks and tags hold the states of the commits that refs lead to."""
    count = 0
    skipped: list[tuple[bytes, str]] = []
    for ref in refs:
        found = state(ref.commit) if ref.commit else None
        reason = None if found else UNREACHED
        if ref.commit is None:
            reason = f"it leads to a {ref.leads_to.decode('ascii', 'replace')}"
        if ref.name is None:
            reason = NO_NAME
        if found is not None and ref.name is not None:
            name = Ref(ref.kind, ref.name)
            before = work.repository.refs.get(name)
            own = before.extra if before is not None and ref.kind == BOOKMARK else ()
            target = Target(found, own or tag_fields(ref.tags))
            if before == target:
                continue
            if before is not None and _has_own(work.repository, before, target):
                reason = LOCAL
            else:
                work.move(name, target)
                count += 1
        if reason is not None:
            skipped.append((ref.full, reason))
    return Moved(count, tuple(skipped))


def tag_fields(tags: tuple[bytes, ...]) -> tuple[tuple[bytes, bytes], ...]:
    """Return the fields of a tag: its tag object, and those that it leads through."""
    names = (extra.TAG + (b".%d" % place if place else b"") for place in range(len(tags)))
    return tuple(zip(names, tags, strict=True))


def _has_own(repository: Repository, before: Target, after: Target) -> bool:
    """Return whether a name would lose changes that came from elsewhere than Git."""
    states = repository.states
    lost = states.members(before.state) - states.members(after.state)
    return any(
        extra.COMMIT not in dict(header.extra) for _, header in repository.headers(sorted(lost))
    )
