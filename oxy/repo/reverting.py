"""What takes back what a change did, node by node (spec: states, S11, S32; graph, G51 to G53).

A register gets the value that it would have without the change. Where it was written since, the
old value stands against the new one, as a line restored stands against what took its place.
"""

import os
from collections.abc import Iterator
from oxy.typed import Final, NamedTuple

from pyroaring import BitMap

from oxy.errors import RequestError
from oxy.graph.inverse import inverse
from oxy.graph.text import Deed
from oxy.model.digest import short
from oxy.model.operation import FINAL_LF, KIND, MODE, PLACE
from oxy.repo.directories import Moving
from oxy.repo.moving import moved_back
from oxy.repo.recording import NodeDraft, Setting
from oxy.repo.registers import Held, Registers, Value, Written
from oxy.repo.repository import Repository
from oxy.repo.standing import standing, ways_of
from oxy.repo.tables import CHANGED, key, unpack_numbers
from oxy.store.protocol import CHANGE

_FIRST: Final[dict[int, Held]] = {PLACE: None, MODE: 0, FINAL_LF: 1}
"""What registers are that nobody wrote; bytes, targets and pins are nothing then."""


class ResolvedError(RequestError):
    """A change that resolved a conflict has no inverse: there was no one text before it."""

    def __init__(self, change: bytes, path: bytes) -> None:
        what = f"change {short(change)} resolved a conflict in {os.fsdecode(path)}"
        super().__init__(f"{what}, which no change can take back")
        self.change = change
        self.path = path


class Inverse(NamedTuple):
    """What happens to nodes and directories, and whether what came since is against it."""

    drafts: tuple[NodeDraft, ...]
    is_disputed: bool
    moves: tuple[Moving, ...] = ()


def inverse_of(repository: Repository, change: int, state: BitMap, number: int) -> Inverse:
    """Return what takes a change back in a state that holds it.

    Nothing happens to a node where nothing of what the change did is left.

    Args:
        repository: the repository.
        change: the change.
        state: the state.
        number: the number that the new change will have.

    Cost: the nodes that the change touches.

    Raises:
        ResolvedError: it resolved a conflict.
    """
    undoing = _Undoing(repository, change, state, number)
    row = repository.store.row(CHANGED, key(change)) or b""
    drafts = tuple(draft for node in unpack_numbers(row) for draft in undoing.drafts(node))
    return Inverse(drafts, undoing.is_disputed, moved_back(repository, change, state))


class _Undoing:
    """One change being taken back."""

    __slots__ = ("_change", "_context", "_number", "_repository", "_state", "is_disputed")

    def __init__(self, repository: Repository, change: int, state: BitMap, number: int) -> None:
        states = repository.states
        self._repository = repository
        self._change = change
        self._state = state
        self._number = number
        self._context = states.members(states.link(change).context)
        self.is_disputed = False

    def drafts(self, node: int) -> Iterator[NodeDraft]:
        """Yield what happens to a node, if anything does."""
        nodes = self._repository.nodes
        edit = nodes.edit(node, self._change)
        if edit is None:
            return
        registers = nodes.registers(node)
        own = [write for write in registers.writes if write.change == self._change]
        if edit.created is not None:
            # The node goes; what else it is matters no more.
            own = [write for write in own if write.register == PLACE]
        settings = tuple(
            setting for write in own for setting in self._settings(node, registers, write)
        )
        deed = None if edit.text is None else self._deed(node)
        if settings or deed is not None:
            yield NodeDraft(node, nodes.origin(node)[1:], None, settings, deed)

    def _deed(self, node: int) -> Deed | None:
        nodes, change = self._repository.nodes, self._change
        own = self._repository.states.of_change(change)
        before, after = (nodes.reading(node, state) for state in (self._context, own))
        if len(after.conflicts) < len(before.conflicts):
            raise self._resolved(node)
        known = own & self._state
        found = inverse(nodes.graph(node), change, known, self._state, self._number)
        if found.deed == Deed():
            return None
        self.is_disputed = self.is_disputed or found.is_disputed
        return found.deed

    def _settings(self, node: int, registers: Registers, write: Written) -> Iterator[Setting]:
        """Yield the write that gives a register back what it was."""
        register, change, state = write.register, self._change, self._state
        before = registers.values(register, self._context)
        if len(before) > 1:
            raise self._resolved(node)
        without = registers.values(register, state - BitMap([change]))
        is_live = change in registers.live_writes(register, state)
        chosen = without if is_live and len(without) == 1 else before
        first = {**_FIRST, KIND: registers.created}
        if not chosen and register not in first:
            return
        value = chosen[0].value if chosen else first[register]
        if _is_written(without, value) and not (is_live and value != write.value):
            return
        self.is_disputed = self.is_disputed or not is_live or len(without) > 1
        if register == PLACE and isinstance(value, bytes):
            value = ways_of(self._repository.nodes, state).path(value)
        yield Setting(register, value, (change,))

    def _resolved(self, node: int) -> ResolvedError:
        path = standing(self._repository.nodes, node, self._state).seen.path
        name = self._repository.store.id_of(CHANGE, self._change)
        return ResolvedError(name, path or b"a deleted file")


def _is_written(values: list[Value], value: Held) -> bool:
    """Tell whether a value is the only one of a register."""
    return len(values) == 1 and values[0].value == value
