"""The limits and sizes of the store, all in one place (spec: model, M46; store).

Sizes are in bytes. A limit is checked before memory is spent.
"""

from oxy.typed import Final

ID_SIZE: Final = 32

FRAME_TARGET: Final = 128 * 1024
"""Raw bytes after which gathered records are written as one frame."""

PIECE_SIZE: Final = 1024 * 1024
"""An object larger than this is stored as frames of this much each."""

SEALED_AHEAD: Final = 1024 * 1024
"""Raw bytes of frames that may wait to be sealed by other threads."""

PACKED_TARGET: Final = 512 * 1024
"""Raw bytes after which objects that are written anew are closed into a frame."""

PACKED_LIMIT: Final = 1024 * 1024
"""Raw bytes of such a frame, if it holds more than one object."""

MOVED_BATCH: Final = 16_384
MOVED_BATCH_BYTES: Final = 128 * 1024 * 1024
"""How many objects, and of how many bytes, are written anew with one commit."""

FRAME_LIMIT: Final = 2 * 1024 * 1024
"""What the content of a frame may measure, and the largest window it may ask for."""

OBJECT_LIMIT: Final = 64 * 1024**3

SEGMENT_LIMIT: Final = 256 * 1024 * 1024
"""A frame that would end beyond this begins a new segment."""

SEGMENT_COUNT_LIMIT: Final = 999_999

FRAME_CACHE: Final = 8 * 1024 * 1024
"""Raw bytes of frames that a reader keeps."""

STEPS_CACHED: Final = 16
"""Large objects whose frames a reader finds again without stepping through them."""

OPEN_SEGMENTS: Final = 32
"""How many segments a reader keeps open."""

ROWS_BATCH: Final = 4096
"""How many rows a transaction holds before SQLite gets them."""

ROWS_BATCH_BYTES: Final = 4 * 1024 * 1024

PAGE_ROWS: Final = 512
"""How many rows one query answers, so that no lock is held while a caller works."""

DATABASE_CACHE: Final = 32 * 1024 * 1024
"""Bytes of the database that are held while it is written: with more, readers have to wait."""

DATABASE_CACHE_READING: Final = 8 * 1024 * 1024

LOCK_WAIT: Final = 10.0
"""Seconds that a writer waits for another, and a reader for one commit."""
