"""What a system is to the benches: how it makes a repository, and what it calls operations.

All of them work on plain files in a directory of their own, with no configuration of the user.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

Command = Sequence[str]
"""The words of one process."""
NO_COMMANDS: Final[Mapping[str, Sequence[Command]]] = MappingProxyType({})
NO_CODES: Final[Mapping[str, Sequence[int]]] = MappingProxyType({})


class Branching(NamedTuple):
    """How a system has lines of work beside each other.

    `{name}` in a word stands for the branch that is begun or gone to, `{at}` for the one at
    which it begins.

    Attributes:
        main: what it calls the branch that there is from the start.
        begin: begins a branch at another, and goes there.
        go: goes to a branch.
        first: is done once, before any branch is begun.
    """

    main: str
    begin: Sequence[Command]
    go: Sequence[Command]
    first: Sequence[Command] = ()


class System(NamedTuple):
    """One system: what makes a repository of a directory, and the commands of each operation.

    An operation is a list of processes that do it together, or missing where the system has no
    such command. `{top}` in a word stands for the repository, `{other}` and `{behind}` for such
    beside it, of which the first is not there yet and the second lacks what came last,
    `{remote}` for an empty one, `{many}` for one of many bookmarks, `{hot}` for the file that
    is looked at closely, `{path}` for the one that was edited last, and `{scratch}` for a file
    that is not there yet.

    Attributes:
        name: what it is called.
        setup: makes the repository.
        operations: the commands, by operation.
        branching: how it has branches.
        remote: makes the empty repository; nothing where there is no such thing.
        tidy: brings a repository into the best state that the system has for it.
        forget: the files that tell which files were unchanged, relative to the repository.
        ready: what makes the best of an operation, outside the clock, by operation.
        codes: exit codes that are as they should be, where 0 is not the only one.
    """

    name: str
    setup: Sequence[Command]
    operations: Mapping[str, Sequence[Command]]
    branching: Branching
    remote: Sequence[Command] = ()
    tidy: Sequence[Command] = ()
    forget: Sequence[str] = ()
    ready: Mapping[str, Sequence[Command]] = NO_COMMANDS
    codes: Mapping[str, Sequence[int]] = NO_CODES
