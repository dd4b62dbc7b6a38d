"""A register write replaces what was written there (spec: names, N2; sync, SY13)."""

from collections.abc import Sequence

from oxy.codec.decode import read_operations
from oxy.model.digest import ROOT, NodeId, directory_id
from oxy.model.operation import DIRECTORY, KIND, PLACE, Directory, NodeEdit
from oxy.repo.registers import Registers
from oxy.repo.repository import Repository
from oxy.repo.tables import WRITE, pair
from oxy.store.protocol import CHANGE


class RegisterCheck:
    """Checks the register writes of one change.

    Args:
        repository: what is stored.
        directories: the directories that the change lists.
        deps: the numbers of its dependencies, in their order.
    """

    __slots__ = ("_deps", "_directories", "_repository")

    def __init__(
        self, repository: Repository, directories: Sequence[Directory], deps: Sequence[int]
    ) -> None:
        self._repository = repository
        self._directories = directories
        self._deps = deps

    def check(self, edit: NodeEdit, node: int | None) -> str | None:
        """Return the rule that the writes of an edit break, or None.

        Args:
            edit: the edit.
            node: the number of its node; None for a directory.

        Cost: a row for each write that is replaced.
        """
        for register, _, replaces in edit.writes:
            for ref in replaces:
                writer = self._deps[ref - 1]
                if node is None:
                    is_there = self._moved(writer, edit.node.position)
                else:
                    is_there = self._wrote(node, writer, register)
                if not is_there:
                    return "it replaces what was never written"
        return None

    def _wrote(self, node: int, change: int, register: int) -> bool:
        if register == KIND and self._repository.nodes.origin(node)[1] == change:
            return True
        row = self._repository.store.row(WRITE, pair(node, change))
        if row is None:
            return False
        found = Registers(0)
        found.add(change, row)
        return any(write.register == register for write in found.writes)

    def _moved(self, change: int, position: int) -> bool:
        """Tell whether a change writes the place of a directory of ours. Cost: reads it."""
        name = identities(self._directories)[position]
        operations = read_operations(self._repository.store.read(CHANGE, change))
        theirs = identities(operations.directories)
        return any(
            edit.node.change == DIRECTORY
            and theirs[edit.node.position] == name
            and edit.writes[0].register == PLACE
            for edit in operations.nodes
        )


def identities(directories: Sequence[Directory]) -> list[NodeId]:
    """Return the node id of each directory that a change lists; the first is the root's."""
    found = [ROOT]
    for parent, name, k in directories:
        found.append(directory_id(found[parent], name, k))
    return found
