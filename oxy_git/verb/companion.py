"""What the command line calls before and after each command in a shared directory (spec: GB60).

Nothing is loaded for a look that finds both sides where they were.
"""

from __future__ import annotations

import os

from oxy.errors import OxyError
from oxy_git.beside.glance import git_directory, is_as_seen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from oxy.cli.output import Output

COMMAND = "taken in from git"
"""What the operation log calls what git moved."""


def keep_in_step(root: bytes, out: Output) -> None:
    """Bring oxy's side and Git's into step; tell what cannot be.

    It never fails: the command that it goes with does not depend on git.
    """
    place = git_directory(root)
    if place is not None and is_as_seen(place, root + b"/.oxy"):
        return
    from oxy.cli.clock import stamp
    from oxy_git.beside.keeping import keep

    try:
        kept = keep(os.fspath(root), lambda: stamp(COMMAND), out.progress())
    except OxyError as error:
        out.warning(f"not in step with git: {error}")
        return
    for parts in kept.said:
        out.note(*parts)
