"""Run a merge tool over the two sides of a conflict (spec: conflicts, C27; threat-model, T13).

Which program that is, only the user's own configuration says: oxy's, then Git's, read away from
any repository. A tool that Git knows, or was told of, is run by Git's own library of them, so
whatever works with `git mergetool` works here.
"""

import os
from oxy.typed import Final, NamedTuple

from oxy.actions.config import text
from oxy.actions.gitconfig import environment, of_git
from oxy.errors import StateError

_GIT_RUNS: Final = """
. "$(git --exec-path)/git-mergetool--lib" || exit
setup_tool "$1" || { echo "git knows no merge tool '$1'" >&2; exit 1; }
run_merge_tool "$1" true
"""
"""Runs a tool by its name in Git, as `git mergetool` does it for one file."""

_STDERR: Final = 2

_PARTS: Final = ("BASE", "LOCAL", "REMOTE")


class NoToolError(StateError):
    """Nobody said which merge tool to use."""

    def __init__(self) -> None:
        super().__init__("no merge tool is configured")


class ToolFailedError(StateError):
    """A merge tool could not be run, or said that it did not merge; nothing was changed."""

    def __init__(self, tool: str, why: str) -> None:
        super().__init__(f"merge tool '{tool}' {why}: nothing was changed")
        self.tool = tool
        self.why = why


class Texts(NamedTuple):
    """What a tool is given: the base, both sides, and the file as it stands."""

    base: bytes
    left: bytes
    right: bytes
    merged: bytes


def merged_by_tool(
    path: bytes, texts: Texts, tool: str | None = None, *, is_quiet: bool = False
) -> bytes:
    """Return what the user makes of two sides with a merge tool.

    Args:
        path: the file, whose name the tool may show; it is not touched.
        texts: what the tool is given, in files of a directory that is removed afterwards.
        tool: its name; by default `merge.tool` of the configuration.
        is_quiet: whether what it writes goes to standard error.

    Raises:
        NoToolError: there is no tool by default.
        ToolFailedError: it cannot be run, or did not end well.
        ConfigError: a configuration file cannot be read.
    """
    import tempfile

    chosen = tool or text(None, "merge.tool") or of_git("merge.tool")
    if not chosen:
        raise NoToolError
    with tempfile.TemporaryDirectory(prefix="oxy-merge-") as place:
        files = _laid_out(os.fsencode(place), path, texts)
        _run(chosen, os.fsencode(place), files, _STDERR if is_quiet else None)
        with open(files[b"MERGED"], "rb") as file:
            return file.read()


def _laid_out(place: bytes, path: bytes, texts: Texts) -> dict[bytes, bytes]:
    """Write the files; return, by the name of the variable that tells it, where each is."""
    stem, ending = os.path.splitext(os.path.basename(path))
    files = {b"MERGED": os.path.join(place, stem + ending)}
    for part in (*_PARTS, "BACKUP"):
        files[part.encode()] = os.path.join(place, stem + b"_" + part.encode() + ending)
    held = dict(zip(map(str.encode, _PARTS), texts[:3], strict=True))
    for name, where in files.items():
        with open(where, "wb") as file:
            file.write(held.get(name, texts.merged))
    return files


def _run(tool: str, place: bytes, files: dict[bytes, bytes], stdout: int | None) -> None:
    import subprocess

    command = text(None, f"mergetool.{tool}.cmd")
    words = ["sh", "-c", command or _GIT_RUNS, "sh", tool]
    own = {b"TOOL_MODE": b"merge", b"GIT_CEILING_DIRECTORIES": os.path.dirname(place)}
    try:
        code = subprocess.run(
            words,
            cwd=place,
            env={**environment(), **own, **files},
            stdout=stdout,
            check=False,
        ).returncode
    except OSError as error:
        raise ToolFailedError(tool, f"cannot be run: {error.strerror or error}") from error
    if code:
        raise ToolFailedError(tool, f"ended with {code}")
