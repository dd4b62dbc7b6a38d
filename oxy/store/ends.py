"""Where segments end, as the index says it, against what they are (spec: store, ST60).

What lies beyond the last end is taken for the rest of a crash, and what is torn of it is cut
off. So an end is believed only where a frame ends that the index has reached.
"""

from itertools import pairwise

from oxy.store.errors import FrameDamagedError, SegmentDamagedError
from oxy.store.reader import Session
from oxy.store.scan import next_head
from oxy.store.segment import HEADER_SIZE, SegmentFiles


def wrong_end(session: Session) -> str | None:
    """Return what is wrong with the ends that the index tells, if anything is.

    Cost: a look at every object that the index has, and at the frames since the last of them.
    """
    lookup, files = session.lookup, session.files
    position = lookup.position()
    for (segment, ends), (following, _) in pairwise(lookup.ends()):
        if following == segment + 1 and _stated(files, segment) not in {None, ends}:
            return f"it says that segment {segment} ends at {ends}, and the next says another"
    last = lookup.last_place()
    if last is not None and not _leads(files, last, position):
        return f"it says that segment {position[0]} ends at {position[1]}, where no frame ends"
    return None


def _stated(files: SegmentFiles, segment: int) -> int | None:
    """Return the end that the segment behind states, if it can be read."""
    try:
        return files.stated_end(segment)
    except SegmentDamagedError:
        return None


def _leads(files: SegmentFiles, place: tuple[int, int], position: tuple[int, int]) -> bool:
    """Tell whether frames follow each other from a place up to a position.

    Those that are damaged are passed over: what was rebuilt goes on behind them.
    """
    while place < position:
        segment, offset = place
        try:
            place = segment, files.step(segment, offset).end
            if place != position:
                place = files.follow(*place)
        except FrameDamagedError:
            ends = position[1] if segment == position[0] else files.size(segment) or 0
            found = next_head(files, segment, offset + 1, ends)
            place = (segment + 1, HEADER_SIZE) if found is None else (segment, found)
        except SegmentDamagedError:
            return False
    return place == position
