"""Git's side of a shared directory: refs, HEAD and index (spec: git-bridge, GB60, GB63)."""

import os
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Final, NamedTuple

from oxy_git.beside.glance import DIRECTORY, GitDirectory
from oxy_git.importer.refs import GitRef, list_refs
from oxy_git.reader.git import Git, GitError, NoGitError, environment

HEADS: Final = b"refs/heads/"
NOWHERE: Final = bytes(20)
NO_HOOKS: Final = ("-c", "core.hooksPath=/dev/null")
"""Hooks are for what the user does with git."""

_FORMAT: Final = "%(refname)%00%(objectname)%00%(objecttype)%00%(worktreepath)"
_PREFIXES: Final = ("refs/heads/", "refs/tags/", "refs/remotes/")
_LEADS: Final = b"ref: "
_IN_TABLES: Final = b"refs/heads/.invalid"
"""What the file HEAD says where refs are in tables."""

_REMOTES: Final = b"refs/remotes/"
_FEW: Final = 500
"""So many names fit into a command line for certain."""

_STALE: Final = DIRECTORY + b"/index-is-stale"


class Held(NamedTuple):
    """What a ref holds: an object, its kind, and the other directory that is on it, if any."""

    oid: bytes
    kind: bytes
    elsewhere: bytes


class Head(NamedTuple):
    """What HEAD holds: the full name of a branch, empty where it is detached; and a commit."""

    branch: bytes
    oid: bytes


class Checkout:
    """The Git repository of a directory."""

    __slots__ = ("_control", "_place", "_root", "git")

    def __init__(self, root: bytes, control: bytes, place: GitDirectory) -> None:
        """Find it.

        Raises:
            NoGitError, NoGitRepositoryError, UnsupportedError: it cannot be used.
        """
        self._root = root
        self._control = control
        self._place = place
        self.git = Git(root)

    def refs(self) -> dict[bytes, Held]:
        """Return all branches, tags and remote branches, by full name."""
        said = self.git.run("for-each-ref", f"--format={_FORMAT}", *_PREFIXES)
        refs = {}
        for line in said.splitlines():
            full, oid, kind, where = line.split(b"\0")
            if full.startswith(_REMOTES) and full.endswith(b"/HEAD"):
                continue
            elsewhere = where if where and not _is_same(where, self._root) else b""
            refs[full] = Held(bytes.fromhex(oid.decode()), kind, elsewhere)
        return refs

    def head(self, refs: Mapping[bytes, Held]) -> Head:
        """Return what HEAD holds. Cost: a read of a file; a process where it is no branch."""
        with open(self._place.own + b"/HEAD", "rb") as file:
            said = file.read().rstrip(b"\n")
        branch = said.removeprefix(_LEADS) if said.startswith(_LEADS) else b""
        if branch == _IN_TABLES:
            branch = self.git.run("symbolic-ref", "-q", "HEAD").rstrip(b"\n")
        if branch in refs:
            return Head(branch, refs[branch].oid)
        try:
            oid = self.git.run("rev-parse", "--verify", "-q", "HEAD^{commit}").strip()
        except GitError:
            return Head(branch, b"")
        return Head(branch, bytes.fromhex(oid.decode("ascii")))

    def followed(self, names: Mapping[bytes, Held]) -> list[GitRef]:
        """Return what refs lead to. Cost: a read for each tag object on the way."""
        if not names:
            return []
        few = list(names) if len(names) <= _FEW else ()
        return [ref for ref in list_refs(self.git, names=few) if ref.full in names]

    def move(self, refs: Sequence[tuple[bytes, bytes, bytes]], why: bytes) -> None:
        """Move refs together: full name, object, and the one held before; 20 NULs: nothing.

        Raises:
            GitError: one of them held something else by then; none was moved.
        """
        data = b"".join(
            b"update %s\0%s\0%s\0" % (full, new.hex().encode(), old.hex().encode())
            for full, new, old in refs
        )
        if data:
            self._run("update-ref", "-m", why, "--stdin", "-z", data=data)

    def move_head(self, to: Head, why: bytes) -> None:
        """Make HEAD hold a branch or, where it names none, a commit."""
        if to.branch:
            self._run("symbolic-ref", "-m", why, "HEAD", to.branch)
        else:
            self._run("update-ref", "-m", why, "--no-deref", "HEAD", to.oid.hex())

    def doubt_index(self) -> None:
        """Note that the index is not that of HEAD any more; a crash leaves that known."""
        os.makedirs(self._control + DIRECTORY, exist_ok=True)
        with open(self._control + _STALE, "wb"):
            pass

    @property
    def has_stale_index(self) -> bool:
        """Whether `doubt_index` was said, and the index was not made since."""
        return os.path.exists(self._control + _STALE)

    def make_index(self, oid: bytes) -> None:
        """Make the index that of a commit; what it knows of files that did not change stays.

        Cost: what differs, and a stat for each file.

        Raises:
            GitError: git is using the index, say.
        """
        if oid:
            self._run("read-tree", "--reset", oid.hex())
            # It fails where a file is not as the commit has it, which is no failure here.
            with suppress(GitError):
                self._run("update-index", "-q", "--refresh")
        else:
            self._run("read-tree", "--empty")
        with suppress(FileNotFoundError):
            os.unlink(self._control + _STALE)

    def _run(self, *words: str | bytes, data: bytes = b"") -> bytes:
        where: list[str | bytes] = ["-C", self._root, *NO_HOOKS]
        try:
            done = subprocess.run(
                ["git", *where, *words],
                input=data,
                capture_output=True,
                check=False,
                env=_of_the_user(self._root),
            )
        except OSError as error:
            raise NoGitError from error
        if done.returncode:
            raise GitError(str(words[0]), done.stderr)
        return done.stdout


def _of_the_user(root: bytes) -> dict[bytes, bytes]:
    """Return an environment with the user's configuration, on which an index depends."""
    without = {b"GIT_CONFIG_NOSYSTEM", b"GIT_CONFIG_GLOBAL"}
    kept = {k: v for k, v in environment(root).items() if k not in without}
    own = {k: v for k, v in os.environb.items() if k in without}
    return {**kept, **own}


def _is_same(one: bytes, other: bytes) -> bool:
    return os.path.realpath(one) == os.path.realpath(other)
