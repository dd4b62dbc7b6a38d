"""Tell of a step that was taken back, or taken again (spec: command-line, L19)."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from oxy.actions.undo import Undone
    from oxy.cli.output import Output


def tell(out: Output, what: str, done: Undone) -> None:
    """Tell which command it was, and to programs how many files it wrote and removed."""
    if not out.as_json:
        out.line(what, ": ", done.command)
        return
    written, removed = (done.went.written, done.went.removed) if done.went else (0, 0)
    out.record({what: done.command, "written": written, "removed": removed})
