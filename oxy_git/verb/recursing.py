"""Submodules of what was imported, imported to their paths (spec: git-bridge, GB73).

`.gitmodules` comes from strangers. So a path counts only where a state pins a Git commit, and
an address only where it is a directory of this machine; nothing is ever fetched.
"""

from __future__ import annotations

import os

from oxy.actions.pins import is_inside, pins, state_of
from oxy.cli.clock import stamp
from oxy.errors import OxyError
from oxy.repo.refs import HERE, Target
from oxy_git.importer.run import import_git
from oxy_git.reader.git import Git, GitError
from oxy_git.verb.arrival import arrive
from oxy_git.verb.destination import destination, opened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import NamedTuple

    from oxy.progress import Progress
else:
    from oxy.typed import NamedTuple

DEEPEST = 8
"""So many submodules lie in each other at most."""

ELSEWHERE = "its address is no directory of this machine"
UNNAMED = "no .gitmodules says where it is"
OUTSIDE = "a symlink leads out of the working copy"
ABSENT = "it does not have the pinned commit"
_FILE = b"file://"
_ADDRESS = b".url"
_PATH = b".path"


class Nested(NamedTuple):
    """A submodule: its path, and why it was not imported; empty where it was."""

    path: bytes
    reason: str = ""


def import_nested(
    root: bytes, git: Git, source: bytes, progress: Progress, depth: int = 0
) -> Iterator[Nested]:
    """Import the submodules of a working copy, and theirs; yield what became of each.

    Args:
        root: the repository around them, whose files are written.
        git: where it came from.
        source: the directory of that; addresses are relative to it.
        progress: told of each commit.
        depth: how many are around it.
    """
    for path, commit in _pinned(root):
        address = _addresses(git).get(path)
        place = None if address is None else _place(address, source)
        if place is None or depth >= DEEPEST:
            yield Nested(path, UNNAMED if address is None else ELSEWHERE)
        elif not is_inside(root, path):
            yield Nested(path, OUTSIDE)
        else:
            inner = os.path.join(root, path)
            try:
                reason = _imported(inner, place, commit, progress)
            except OxyError as error:
                yield Nested(path, str(error))
                continue
            yield Nested(path, reason)
            for each in import_nested(inner, Git(place), place, progress, depth + 1):
                yield each._replace(path=path + b"/" + each.path)


def _pinned(root: bytes) -> list[tuple[bytes, bytes]]:
    """Return the paths that the working copy's state pins Git commits at, with the pins."""
    repository = opened(root)
    try:
        here = repository.refs.get(HERE)
        found = pins(repository, here.state) if here is not None else ()
        return [(each.path, each.pin) for each in found if each.pin.startswith(b"git:")]
    finally:
        repository.close()


def _addresses(git: Git) -> dict[bytes, bytes]:
    """Return the addresses of submodules by their paths, as HEAD's .gitmodules has them."""
    words = ("--blob", "HEAD:.gitmodules", "-z", "--get-regexp", r"^submodule\..*\.(path|url)$")
    try:
        said = git.run("config", *words)
    except GitError:
        return {}
    held = dict(line.split(b"\n", 1) for line in said.split(b"\0") if b"\n" in line)
    return {
        path: held[key.removesuffix(_PATH) + _ADDRESS]
        for key, path in held.items()
        if key.endswith(_PATH) and key.removesuffix(_PATH) + _ADDRESS in held
    }


def _place(address: bytes, source: bytes) -> bytes | None:
    """Return the directory that an address means; None where it is none of this machine."""
    if address.startswith(_FILE):
        address = address.removeprefix(_FILE)
    elif address.startswith((b"./", b"../")):
        address = os.path.normpath(os.path.join(os.path.abspath(source), address))
    if not address.startswith(b"/") or not os.path.isdir(address):
        return None
    return address


def _imported(root: bytes, place: bytes, pin: bytes, progress: Progress) -> str:
    """Import a submodule and go to its pin; return why that is not possible, if so."""
    git = Git(place)
    command = "git import --recurse"
    repository = opened(destination(place, root))
    try:
        import_git(repository, git, lambda: stamp(command), progress)
        state = state_of(repository, pin)
    finally:
        repository.close()
    if state is None:
        return ABSENT
    arrive(root, Target(state), stamp(command), checkout=True)
    return ""
