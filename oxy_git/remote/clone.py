"""Make a repository of a Git repository elsewhere, and call that origin (spec: GB37, GB54)."""

import os
import shutil
from collections.abc import Callable
from typing import NamedTuple

from oxy.actions.clone import NotEmptyError
from oxy.actions.init import init
from oxy.actions.remotes import ORIGIN
from oxy.progress import Progress
from oxy.repo.repository import Repository
from oxy.repo.writing import Stamp
from oxy.worktree.workcopy import working_copy
from oxy_git.importer.refname import mapped
from oxy_git.remote.address import GitRemote, add, addressed
from oxy_git.remote.network import Network
from oxy_git.remote.private import private
from oxy_git.remote.pull import Pulled, Request, pull


class Cloned(NamedTuple):
    """Where the new repository is, and what came into it."""

    root: bytes
    pulled: Pulled


def clone(
    url: bytes,
    directory: bytes | None,
    bookmark: bytes | None,
    stamp: Callable[[], Stamp],
    progress: Progress,
) -> Cloned:
    """Make a repository in a directory with all that a Git repository holds.

    Args:
        url: where that is.
        directory: where to; None is a directory here that is called as the other.
        bookmark: the branch to go to; None is the one that HEAD names there.
        stamp: tells the time and who, for the operation log.
        progress: told of each object and commit.

    What was made is removed where it fails; not where it is interrupted once commits are there,
    so that a pull goes on.

    Raises:
        AddressError: git is not to be run with that.
        NotEmptyError: the directory holds something.
        GitError, NotOfferedError: see `pull`.
    """
    whole = addressed(url)
    root = os.path.abspath(directory or called_as(whole))
    if os.path.lexists(root) and (not os.path.isdir(root) or os.listdir(root)):
        raise NotEmptyError(root)
    was_there = os.path.isdir(root)
    try:
        init(root)
        with working_copy(root) as copy:
            copy.progress = progress
            remote = add(copy.repository, stamp(), ORIGIN, whole)
            goal = bookmark or _head(copy.repository, remote, progress)
            pulled = pull(copy, Request(ORIGIN, goal=goal), stamp, progress)
    except KeyboardInterrupt:
        raise
    except BaseException:
        _remove(root, was_there=was_there)
        raise
    return Cloned(root, pulled)


def _head(repository: Repository, remote: GitRemote, progress: Progress) -> bytes | None:
    branch = Network(private(repository), remote, progress).head()
    return None if branch is None else mapped(branch)


def called_as(url: bytes) -> bytes:
    """Return the name of the directory for an address, as `git clone` chooses it."""
    path = url.rstrip(b"/").removesuffix(b"/.git")
    name = path.rpartition(b"/")[2].rpartition(b":")[2]
    return name.removesuffix(b".git") or name


def _remove(root: bytes, *, was_there: bool) -> None:
    for name in os.listdir(root) if os.path.isdir(root) else ():
        path = os.path.join(root, name)
        if os.path.isdir(path) and not os.path.islink(path):
            shutil.rmtree(path, ignore_errors=True)
        else:
            os.unlink(path)
    if not was_there and os.path.isdir(root):
        os.rmdir(root)
