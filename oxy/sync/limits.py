"""The limits of what another repository may send, all in one place (spec: sync, SY33).

They are checked before memory is spent on what they bound.
"""

from oxy.typed import Final

MESSAGE: Final = 16 << 20
"""Bytes of one message, and of the head of a bundle."""

ITEMS: Final = 1 << 20
"""Integers, byte strings and arrays of one message."""

BLOBS_AHEAD: Final = 1 << 20
"""Blobs that may come before the change that names them."""

ROUNDS: Final = 8
"""How often one side asks what the other knows before all that is left is sent."""

SAMPLES: Final = 256
"""Ids in one such question, beside the newest changes of names."""

FACTS: Final = 4096
"""Blobs whose numbers of lines a receiver remembers."""

RENEWED: Final = 20_000
"""Changes after which a receiver forgets what it looked up."""

PIECE: Final = 1 << 16
"""Bytes of one piece of what goes over a wire; all but the last of a message are full."""

SILENCE: Final = 120
"""Seconds in which a piece must have come whole, or have been taken."""

WORDS: Final = 4096
"""Bytes in which one side tells why it ends."""

WAITING: Final = 1 << 16
"""Blobs of a transfer that was lost of which one side tells the other that they are there."""

ASKED: Final = 1 << 16
"""Blobs that are asked for with one question."""

PARCEL: Final = 1 << 20
"""Bytes of objects after which a file of a published repository is full."""

LISTED: Final = 2048
"""Ids after which a page of a published repository is full."""

REDIRECTS: Final = 5
"""How often one file may be said to be elsewhere."""
WAITS: Final = 1 << 12
"""How often in a row one side may say that it is still at work, instead of a packet."""

AT_WORK: Final = 20.0
"""Seconds after which it says so."""

TAKEN: Final = 1 << 36
"""Bytes of what is to be taken in with one request over HTTP."""

IN_MEMORY: Final = 1 << 20
"""Bytes of a request that are kept in memory; what is longer is put on the disk."""

REQUESTS: Final = 64
"""Requests over HTTP that one server answers at a time; one client may have half of them."""

WORKERS: Final = 8
"""Threads in which it works them out."""

LEVELS: Final = 40
"""Branches one below another in the index of a bucket."""

FAN: Final = 16
"""Rows of a level in the index of a bucket that one branch takes together."""

TIPS: Final = 4096
"""Tips, and needs, of one row there."""

SINCE: Final = 32
"""Entries of a log after which the next one begins from a new snapshot."""

ENTRY: Final = 1 << 24
"""Bytes of an entry, a snapshot, a leaf or a branch."""

UPLOAD: Final = 24 * 60 * 60
"""Seconds in which a push to a bucket has written its entry, from when it began."""

GRACE: Final = 48 * 60 * 60
"""Seconds for which a bucket keeps what no state names any more: longer than any upload."""
