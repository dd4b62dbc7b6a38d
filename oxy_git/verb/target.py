"""The Git repository that an export goes to, which may have to be made (spec: GB33)."""

from __future__ import annotations

import os
import subprocess

from oxy.errors import RequestError
from oxy_git.reader.git import Git, GitError, NoGitError, environment


class NotGitError(RequestError):
    """A directory that an export is to go to holds other things than a Git repository."""

    def __init__(self, path: bytes) -> None:
        super().__init__(f"'{os.fsdecode(path)}' is neither empty nor a Git repository")
        self.path = path


def is_new(path: bytes) -> bool:
    """Return whether a Git repository has to be made at a path.

    Raises:
        NotGitError: none can be, for there is something else.
    """
    if not os.path.lexists(path) or (os.path.isdir(path) and not os.listdir(path)):
        return True
    inside = (b".git", b"HEAD")
    if not any(os.path.lexists(os.path.join(path, name)) for name in inside):
        raise NotGitError(path)
    return False


def made(path: bytes, branch: bytes, *, bare: bool) -> Git:
    """Make an empty Git repository whose HEAD is a branch.

    Raises:
        NoGitError: git is not there.
        GitError: git could not make it.
    """
    words = [b"git", b"init", b"-q", b"-b", branch, *([b"--bare"] if bare else []), b"--", path]
    try:
        done = subprocess.run(words, capture_output=True, check=False, env=environment(path))
    except OSError as error:
        raise NoGitError from error
    if done.returncode:
        what = "init"
        raise GitError(what, done.stderr)
    return Git(path)


def write_files(path: bytes) -> None:
    """Write the files of HEAD into the directory of a repository that has none yet.

    Raises:
        GitError: git failed.
    """
    words = [
        b"git",
        b"-C",
        path,
        b"-c",
        b"core.hooksPath=/dev/null",
        b"reset",
        b"-q",
        b"--hard",
    ]
    done = subprocess.run(words, capture_output=True, check=False, env=environment(path))
    if done.returncode:
        what = "reset"
        raise GitError(what, done.stderr)
