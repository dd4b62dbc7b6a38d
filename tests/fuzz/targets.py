"""Every target by its name."""

from typing import Final

from tests.fuzz import buckets, received, stored, worded
from tests.fuzz.target import Target

TARGETS: Final[dict[str, Target]] = {
    **received.TARGETS,
    **buckets.TARGETS,
    **stored.TARGETS,
    **worded.TARGETS,
}
