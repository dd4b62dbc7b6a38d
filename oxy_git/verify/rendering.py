"""What a state has of one file, from changes alone (spec: git-bridge, GB29, GB30)."""

import hashlib
from collections import OrderedDict
from collections.abc import Callable
from typing import Final, TypeAlias

from pyroaring import BitMap

from oxy.graph.render import is_sole, survivors
from oxy.model.operation import KIND_SUBREPO, KIND_TEXT
from oxy.repo.nodes import Nodes
from oxy.repo.registers import Registers, View, view
from oxy.repo.repository import Repository
from oxy_git.reader.texts import Texts
from oxy_git.verify.graphs import Graphs

REGISTERS: Final = 20_000
"""Nodes whose registers are remembered."""

Keep: TypeAlias = Callable[[int, bytes, bytes], None]
"""Takes a node, and the id and bytes of the blob that it is just now."""

_PIN: Final = b"git:"


class Renderer:
    """Works out files; it reads no cache and keeps none but in memory, of bounded size.

    Args:
        repository: whose changes they come from.
        keep: is given every blob that is worked out.
    """

    __slots__ = ("_graphs", "_keep", "_nodes", "_registers", "_texts")

    def __init__(self, repository: Repository, keep: Keep | None = None) -> None:
        self._keep = keep
        self._nodes = Nodes(repository.store, repository.states)
        self._graphs = Graphs(self._nodes)
        self._texts = Texts(self._nodes)
        self._registers: OrderedDict[int, Registers] = OrderedDict()

    def view(self, node: int, state: BitMap) -> View:
        """Return what a node is in a state, without its lines."""
        registers = self._registers.get(node)
        if registers is None:
            registers = self._registers[node] = self._nodes.registers(node)
            if len(self._registers) > REGISTERS:
                self._registers.popitem(last=False)
        else:
            self._registers.move_to_end(node)
        return view(registers, registers.created, state, self._nodes.rank)

    def digest(self, node: int, state: BitMap, seen: View, *, is_proven: bool) -> bytes | None:
        """Return the id that Git has for a file of a state; None where it is in conflict.

        Args:
            node: the file.
            state: a state; it is quickest where they come in the order of their newest changes.
            seen: what the file is there.
            is_proven: whether the state is that of a change which was recorded on a text that
                reads in one way; so does then what was recorded (G25).

        Cost: the runs of its text, and its bytes.
        """
        if seen.disputed:
            return None
        if seen.kind == KIND_TEXT:
            return self._text(node, state, seen, is_proven=is_proven)
        data = b"".join(self._nodes.content(node, state, seen))
        return pinned(data) if seen.kind == KIND_SUBREPO else self._blob(node, data)

    def _text(self, node: int, state: BitMap, seen: View, *, is_proven: bool) -> bytes | None:
        graph = self._graphs.at(node, state.max())
        if not is_proven and not is_sole(graph, state):
            return None
        data = self._texts.data(node, survivors(graph, state))
        return self._blob(node, data if seen.final_lf else data[:-1])

    def _blob(self, node: int, data: bytes) -> bytes:
        summed = hashlib.sha1(b"blob %d\0" % len(data), usedforsecurity=False)
        summed.update(data)
        oid = summed.digest()
        if self._keep is not None:
            self._keep(node, oid, data)
        return oid


def pinned(pin: bytes) -> bytes | None:
    """Return the commit that a pin names; None if it is none of Git."""
    try:
        return bytes.fromhex(pin.removeprefix(_PIN).decode("ascii"))
    except ValueError:
        return None
