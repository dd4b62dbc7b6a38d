"""The three roots of the error tree (spec: command-line, L9).

Leaves live beside the code that raises them, with typed fields; a message names the object and
the rule. What to do next is not said here: hints are one table of the command line.
"""


class OxyError(Exception):
    """Anything oxy refuses or cannot do; never raised itself."""


class RequestError(OxyError):
    """The request is wrong: an unknown name, a bad argument, something that is refused."""


class StateError(OxyError):
    """The repository or the machine is not ready: absent, locked, full, unreadable."""


class CorruptionError(OxyError):
    """Stored or received bytes are not what they claim to be."""
