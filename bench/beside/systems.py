"""The systems that are measured.

Durability: oxy `safe`, Git with core.fsync=all; Mercurial and Fossil have none to ask for.
"""

import shutil
from typing import Final

from bench.beside.fossil import FOSSIL
from bench.beside.git import PEER
from bench.beside.mercurial import MERCURIAL
from bench.beside.ours import OURS
from bench.beside.system import System
from bench.measuring.machine import SYSTEMS as COMMANDS

SYSTEMS: Final = (OURS, PEER, MERCURIAL, FOSSIL)


def installed() -> list[System]:
    """Return the systems that there are on this machine; oxy is always there."""
    return [system for system in SYSTEMS if shutil.which(COMMANDS[system.name][0])]
