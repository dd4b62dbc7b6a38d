"""What both sides call the bodies of an exchange over HTTP (spec: sync, SY70). Pure."""

from oxy.typed import Final

TYPE: Final = b"application/x-oxy-wire"
"""The type of every body; a browser sends it nowhere without asking first."""

ASK: Final = b"/ask"
"""Below the address: where what changes nothing is asked."""

TAKE: Final = b"/take"
"""Below the address: where something is given, to be taken in."""
