"""Take in what a Git remote holds, and let bookmarks follow (spec: git-bridge, GB37, GB52).

The remote's refs come into the private repository, its commits are imported from there, and
then its branches are to oxy what bookmarks of another repository are.
"""

from collections.abc import Callable, Sequence
from contextlib import closing
from typing import Final, NamedTuple

from pyroaring import BitMap

from oxy.actions.landing import Landed, Source, land
from oxy.actions.near import alike
from oxy.actions.remotes import NotOfferedError
from oxy.model.pathrule import fold
from oxy.progress import Progress
from oxy.repo.refs import BOOKMARK, HERE, KEPT, TAG
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.writing import Stamp
from oxy.store.protocol import CHANGE
from oxy.sync.bundle import offered_of
from oxy.sync.endpoint import Offered
from oxy.worktree.workcopy import WorkingCopy
from oxy_git.importer.naming import NO_NAME
from oxy_git.importer.refname import mapped
from oxy_git.importer.refs import GitRef, list_refs
from oxy_git.importer.run import Importer
from oxy_git.importer.tally import Tally
from oxy_git.reader.extra import tag_fields
from oxy_git.reader.stream import list_commits
from oxy_git.remote.address import GitRemote, meant
from oxy_git.remote.network import Network
from oxy_git.remote.private import private, seen

FOLDS: Final = "some file systems would take it for another ref"
NO_COMMIT: Final = "it leads to no commit"


class Request(NamedTuple):
    """From which remote to pull, which branches (none: all), and how.

    `goal` is the branch that an empty working copy goes to; without, that of HEAD there. Where
    nothing `follows`, one's own bookmarks stay where they are.
    """

    remote: bytes | None
    bookmarks: tuple[bytes, ...] = ()
    dry_run: bool = False
    goal: bytes | None = None
    follows: bool = True


class Pulled(NamedTuple):
    """What came: as `pull` tells it, what the import met, and the refs that were left out."""

    landed: Landed
    tally: Tally
    skipped: tuple[tuple[bytes, str], ...]


def pull(
    copy: WorkingCopy, request: Request, stamp: Callable[[], Stamp], progress: Progress
) -> Pulled:
    """Take in what a Git remote has, and let one's own bookmarks follow.

    Raises:
        NoGitRemoteError, NoRemoteError: no such remote.
        NotOfferedError: it has no such branch; what was fetched is kept.
        GitError: git failed.
        RefusedObjectError: a change that came along breaks a rule.
        WouldOverwriteError: see `land`.
    """
    repository = copy.repository
    remote = meant(repository, request.remote)
    git = private(repository)
    before = seen(git, remote)
    network = Network(git, remote, progress)
    network.fetch()
    goal = _goal(repository, request, network)
    refs = _chosen(list_refs(git, kinds_of(remote)), request.bookmarks, goal, remote)
    last = repository.store.count(CHANGE)
    with closing(Importer(repository, git, remote.space + b"oxy/changes")) as importer:
        tips = {ref.commit for ref in refs if ref.commit is not None}
        held = tips | {bytes.fromhex(oid.decode()) for oid in before.values()}
        known = {oid for oid in held if importer.name(oid) is not None}
        if not tips <= known:
            listed = list_commits(git, sorted(tips - known), sorted(known))
            importer.bring(listed, stamp, progress)
        offered, skipped = _offered(repository, refs, importer.name)
        tally = importer.tally
    came = BitMap(range(last + 1, repository.store.count(CHANGE) + 1))
    source = Source(
        remote.name,
        offered,
        (),
        request.bookmarks,
        is_all=not request.bookmarks,
        is_live=request.follows,
        goal=goal,
        before=came,
    )
    landed = land(copy, stamp(), source, progress, dry_run=request.dry_run)
    return Pulled(landed, tally, skipped)


def _goal(repository: Repository, request: Request, network: Network) -> bytes | None:
    """Return the bookmark that an empty working copy goes to: HEAD's, if none is named."""
    here = repository.refs.get(HERE)
    is_somewhere = here is not None and here.state.heads
    if request.goal is not None or request.bookmarks or not request.follows or is_somewhere:
        return request.goal
    branch = network.head()
    return None if branch is None else mapped(branch)


def kinds_of(remote: GitRemote) -> tuple[tuple[bytes, int], ...]:
    """Return where the private repository has the branches and tags of a remote."""
    return (remote.space + b"heads/", BOOKMARK), (remote.space + b"tags/", TAG)


def _chosen(
    refs: Sequence[GitRef],
    bookmarks: Sequence[bytes],
    goal: bytes | None,
    remote: GitRemote,
) -> Sequence[GitRef]:
    there = {ref.name for ref in refs if ref.kind == BOOKMARK and ref.name is not None}
    for name in (*bookmarks, *([] if goal is None else [goal])):
        if name not in there:
            raise NotOfferedError(name, remote.name, alike(name, sorted(there)))
    if not bookmarks:
        return refs
    return [ref for ref in refs if ref.kind == BOOKMARK and ref.name in bookmarks]


def _offered(
    repository: Repository, refs: Sequence[GitRef], state: Callable[[bytes], Name | None]
) -> tuple[tuple[Offered, ...], tuple[tuple[bytes, str], ...]]:
    """Return the names that a remote offers, and its refs that can be none."""
    found: list[Offered] = []
    skipped: list[tuple[bytes, str]] = []
    taken: set[tuple[int, bytes]] = set()
    for ref in refs:
        name = None if ref.commit is None else state(ref.commit)
        place = ref.kind, fold(ref.name or b"")
        reason = NO_COMMIT if name is None else FOLDS if place in taken else None
        if ref.kind == KEPT or ref.name is None or name is None or reason is not None:
            skipped.append((ref.full, reason or NO_NAME))
            continue
        taken.add(place)
        each = offered_of(repository, ref.kind, ref.name, name)
        found.append(each._replace(extra=tag_fields(ref.tags)))
    return tuple(sorted(found)), tuple(skipped)
