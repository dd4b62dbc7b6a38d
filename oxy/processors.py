"""How many processors there are to use (spec: working-copy, W30, W36). The lowest layer."""

import os


def processors() -> int:
    """Return how many processors this process may run on."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1
