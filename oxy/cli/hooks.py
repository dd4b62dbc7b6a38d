"""Programs of the user's own that run beside commands (spec: command-line, L37).

Only the user's configuration names one, never the file of a repository. No shell runs it.
"""

from __future__ import annotations

import os

from oxy.actions.config import words
from oxy.errors import StateError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from oxy.typed import TypeAlias

    from oxy.actions.rewriting import Outcome
    from oxy.cli.output import Output
    from oxy.cli.records import Record
    from oxy.worktree.snapshot import Changed, Snapshot

    Told: TypeAlias = str | bytes | list[Record] | None

STDERR = 2


class HookRefusedError(StateError):
    """A hook that runs before a command failed, so nothing was done."""

    def __init__(self, name: str, why: str) -> None:
        super().__init__(f"hook {name} {why}: nothing was done")
        self.name = name
        self.why = why


def before(root: bytes, name: str, facts: Callable[[], Record]) -> None:
    """Run the hook that comes before a command, if there is one.

    Args:
        root: the directory of the working copy.
        name: such as `before-commit`.
        facts: returns what the hook is told; not called where there is none.

    Raises:
        HookRefusedError: it failed.
        ConfigError: the user's file is wrong.
    """
    why = _run(root, name, facts)
    if why is not None:
        raise HookRefusedError(name, why)


def after(out: Output, root: bytes, name: str, facts: Callable[[], Record]) -> None:
    """Run the hook that comes after a command, if there is one; tell if it fails."""
    out.flush()
    why = _run(root, name, facts)
    if why is not None:
        out.warning(f"hook {name} {why}")


def allows(root: bytes, name: str, facts: Callable[[], Record]) -> bool:
    """Run a hook that may say no, and tell whether it did not; none says yes."""
    return _run(root, name, facts) is None


def recording(
    bookmark: bytes | None, message: bytes, snapshot: Snapshot | None, **more: str
) -> dict[str, Told]:
    """Return what a hook is told of what is to be recorded, or was."""
    changes = [] if snapshot is None else changes_of(snapshot.changes)
    return {"bookmark": bookmark, "message": message.strip(), "changes": changes, **more}


def after_rewriting(
    out: Output, root: bytes, done: Outcome, snapshot: Snapshot | None = None
) -> None:
    """Run `after-commit` for a change that was recorded anew in place of another."""
    new = next(each for each in done.replacements if not each.follows)
    ids = {"id": new.id.hex(), "replaces": new.replaces[0].hex()}
    after(
        out,
        root,
        "after-commit",
        lambda: recording(done.bookmark, new.message, snapshot, **ids),
    )


def changes_of(changes: Iterable[Changed]) -> list[Record]:
    """Return what a hook is told of changes to files; paths are those of the repository."""
    told: list[Record] = []
    for each in changes:
        record: dict[str, bytes | str] = {"path": each.path, "kind": each.kind}
        if each.source is not None:
            record["from"] = each.source
        told.append(record)
    return told


def _run(root: bytes, name: str, facts: Callable[[], Record]) -> str | None:
    """Run a hook; return in what way it failed, or None."""
    command = words(None, f"hook.{name}")
    if not command:
        return None
    import subprocess

    from oxy.cli.records import encode

    told = encode({"hook": name, **facts()})
    own = {b"OXY_HOOK": os.fsencode(name), b"OXY_ROOT": root}
    try:
        # Standard output has facts only.
        done = subprocess.run(
            command,
            cwd=root,
            env={**os.environb, **own},
            input=told,
            stdout=STDERR,
            check=False,
        )
    except OSError as error:
        return f"cannot be run: {error.strerror or error}"
    return f"ended with {done.returncode}" if done.returncode else None
