"""Editing a hunk before it is taken (spec: command-line, L26).

The user sees the lines as a patch has them. What is taken is what the lines that begin with a
space or `+` say; those with a space or `-` are the old ones, and stay what they are.
"""

from __future__ import annotations

import os

from oxy.errors import RequestError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from oxy.diff.unified import Hunk

NOTICE = b"""# What is recorded of this hunk. The file on disk stays as it is.
# To leave a - line in: make the - a space. To leave a + line out: delete it.
# Lines may be added with +. Without any line the hunk is left. A # line says nothing.
"""


class HunkEditError(RequestError):
    """What the editor left is no edit of the hunk."""

    def __init__(self, why: str) -> None:
        super().__init__(f"the edited hunk is not taken: {why}")
        self.why = why


def edited(control: bytes, shown: Hunk) -> bytes | None:
    """Return what the user makes of the old lines of a hunk; None where no line is left.

    Raises:
        HunkEditError: the old lines are not as they were.
        EditorError: the editor failed.
    """
    from oxy.cli.editor import run

    path = os.path.join(control, b"HUNK.%d" % os.getpid())
    text = b"".join(line + b"\n" for line in (shown.header(), *shown.lines))
    try:
        with open(path, "xb") as file:
            file.write(text + NOTICE)
        run(path, "the hunk is as it was")
        with open(path, "rb") as file:
            found, made = sides(file.read())
    finally:
        if os.path.lexists(path):
            os.unlink(path)
    if not found and not made:
        return None
    if found != sides(text)[0]:
        what = "its lines with a space or - are not those of the file"
        raise HunkEditError(what)
    return b"".join(made)


def sides(text: bytes) -> tuple[list[bytes], list[bytes]]:
    """Return the old and the new lines of a hunk as a patch has it.

    An empty line is one with a space, which some editors take away.

    Raises:
        HunkEditError: a line begins with something else.
    """
    old: list[bytes] = []
    new: list[bytes] = []
    last: tuple[list[bytes], ...] = ()
    for line in text.removesuffix(b"\n").split(b"\n"):
        sign = line[:1] or b" "
        if sign in {b"#", b"@"}:
            continue
        if sign == b"\\":
            for side in last:
                side[-1] = side[-1].removesuffix(b"\n")
            continue
        if sign not in {b" ", b"-", b"+"}:
            what = f"a line begins with '{os.fsdecode(sign)}'"
            raise HunkEditError(what)
        last = {b"-": (old,), b"+": (new,)}.get(sign, (old, new))
        for side in last:
            side.append(line[1:] + b"\n")
    return old, [line.removesuffix(b"\n") + b"\n" for line in new[:-1]] + new[-1:]
