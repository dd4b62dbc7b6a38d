"""The ignore rules of a user, which hold in each of the user's repositories.

Spec: working-copy, W44. What Git goes by holds here too: the file of `core.excludesFile`, or
`git/ignore` in the user's configuration. `oxy/ignore` beside that comes after it.

Git's configuration is read here where it is plain, since a run of Git takes as long as a
whole `status`; where it is not, Git is asked.
"""

import os
from collections.abc import Iterator
from contextlib import suppress
from oxy.typed import Final

from oxy.repo.userfile import user_directory
from oxy.worktree.patternfile import patterns_of

_SYSTEM: Final = b"/etc/gitconfig"
_ODD: Final = frozenset(b'"\\#;%')


def patterns() -> list[bytes]:
    """Return the contents of the files whose patterns hold everywhere, the weakest first.

    As to Git, a file that this user may not read says nothing.

    Raises:
        IgnoreFileTooLargeError: one is over the limit.
    """
    contents: list[bytes] = []
    for path in ignore_files():
        with suppress(OSError):
            contents.append(patterns_of(path) or b"")
    return contents


def ignore_files() -> list[bytes]:
    """Return where those files are, the weakest first; they need not exist.

    Cost: up to three small files are read; where they include others, a run of Git.
    """
    home = user_directory()
    of_git = _said_to_git()
    if of_git is None:
        of_git = os.path.join(home, b"git", b"ignore")
    own = os.path.join(home, b"oxy", b"ignore")
    return [os.path.expanduser(of_git), own] if of_git else [own]


def _said_to_git() -> bytes | None:
    """Return what `core.excludesFile` is, or None where nobody set it."""
    said: bytes | None = None
    for path in _configurations():
        with suppress(OSError), open(path, "rb") as file:
            for section, key, value in _entries(file.read()):
                if section.startswith(b"include") or (
                    key == b"excludesfile" and _ODD & {*value}
                ):
                    return _asked()
                if section == b"core" and key == b"excludesfile":
                    said = value
    return said


def _configurations() -> Iterator[bytes]:
    given = os.environb.get
    if not given(b"GIT_CONFIG_NOSYSTEM"):
        yield given(b"GIT_CONFIG_SYSTEM", _SYSTEM)
    own = given(b"GIT_CONFIG_GLOBAL")
    if own is not None:
        yield own
        return
    yield os.path.join(user_directory(), b"git", b"config")
    yield os.path.expanduser(b"~/.gitconfig")


def _entries(content: bytes) -> Iterator[tuple[bytes, bytes, bytes]]:
    """Yield section, key and value of each line; section and key in lower case."""
    section = b""
    for line in content.split(b"\n"):
        entry = line.strip()
        if entry.startswith(b"["):
            name, _, entry = entry[1:].partition(b"]")
            section = name.strip().lower()
        key, _, value = entry.partition(b"=")
        yield section, key.strip().lower(), value.strip()


def _asked() -> bytes | None:
    import subprocess

    command = ["git", "config", "--global", "--includes", "--type=path", "core.excludesFile"]
    try:
        done = subprocess.run(command, capture_output=True, check=False)
    except OSError:
        return None
    return done.stdout.removesuffix(b"\n") if done.returncode == 0 else None
