"""The bare Git repository inside `.oxy`, by which oxy talks to Git remotes (spec: GB50).

It holds what was fetched, as it is there, and the commits that were made to be pushed. Nothing
is tidied away in it. All of it can be fetched and made again: it may be removed.
"""

import os
import subprocess
from typing import Final

from oxy.repo.repository import Repository
from oxy_git.reader.git import Git, GitError, NoGitError, environment
from oxy_git.remote.address import GitRemote

_DIRECTORY: Final = b"git"


def path_of(repository: Repository) -> bytes:
    """Return where it is, or would be."""
    return os.path.join(repository.control, _DIRECTORY)


def private(repository: Repository) -> Git:
    """Return it; it is made where it is not there yet, or was not finished.

    Raises:
        GitError, NoGitError: git could not make it.
    """
    path = path_of(repository)
    if not os.path.isfile(os.path.join(path, b"HEAD")):
        words = [b"git", b"init", b"-q", b"--bare", b"--template=", b"-b", b"main", b"--", path]
        try:
            done = subprocess.run(
                words, capture_output=True, check=False, env=environment(path)
            )
        except OSError as error:
            raise NoGitError from error
        if done.returncode:
            what = "init"
            raise GitError(what, done.stderr)
    return Git(path)


def seen(git: Git, remote: GitRemote) -> dict[bytes, bytes]:
    """Return what refs of a remote were last seen to hold, in hex, by their names there."""
    said = git.run("for-each-ref", "--format=%(objectname) %(refname)", remote.space)
    pairs = (line.split(b" ", 1) for line in said.splitlines())
    return {b"refs/" + full.removeprefix(remote.space): oid for oid, full in pairs}


def see(git: Git, remote: GitRemote, now: dict[bytes, bytes | None]) -> None:
    """Note what refs of a remote hold now, by their names there; None where one is gone."""
    lines = []
    for full, oid in now.items():
        name = remote.space + full.removeprefix(b"refs/")
        lines.append(
            b"delete %s\0\0" % name if oid is None else b"update %s\0%s\0\0" % (name, oid)
        )
    if lines:
        git.run("update-ref", "--stdin", "-z", data=b"".join(lines))
