"""What the command line calls before and after each command in a shared directory (spec: GB60).

Nothing is loaded for a look that finds both sides where they were.
"""

from __future__ import annotations

from oxy.errors import OxyError
from oxy_git.beside.glance import git_directory, is_as_seen, under_way

TYPE_CHECKING = False
if TYPE_CHECKING:
    from oxy.cli.output import Output

COMMAND = "taken in from git"
"""What the operation log calls what git moved."""


def before(root: bytes, out: Output) -> None:
    """Take in what git moved, and give what an earlier command could not; tell what cannot be.

    It never fails: the command that comes then does not depend on git.
    """
    _keep_in_step(root, out, is_first=True)


def after(root: bytes, out: Output) -> None:
    """Give what a command moved; what was told before it is not told again."""
    _keep_in_step(root, out, is_first=False)


def _keep_in_step(root: bytes, out: Output, *, is_first: bool) -> None:
    place = git_directory(root)
    if place is not None and is_as_seen(place, root + b"/.oxy"):
        return
    what = None if place is None else under_way(place)
    if what is not None:
        if is_first:
            out.note(f"git is in the middle of {what}: both sides are in step again after it")
        return
    from oxy.cli.clock import stamp
    from oxy_git.beside.keeping import keep

    try:
        kept = keep(root, lambda: stamp(COMMAND), out.progress())
    except OxyError as error:
        out.warning(f"not in step with git: {error}")
        return
    for parts in kept.said:
        out.note(*parts)
