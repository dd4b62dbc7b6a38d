"""What a change does to texts may be applied to their graphs (spec: graph, G7, G11; SY13).

Graphs come from a repository's bounded cache, and are applied to, so that the next change finds
them as it needs them; where the change is refused, they are to be forgotten.
"""

from oxy.typed import Final, NamedTuple

from oxy.graph.admission import Needs, RefusedEditError, admit
from oxy.graph.deed import EDGE, Deed, bind
from oxy.graph.straight import straighten
from oxy.graph.text import TextGraph
from oxy.graph.weave import NoLineError
from oxy.model.operation import KIND, KIND_TEXT, NodeEdit, TextEdit
from oxy.repo.repository import Repository
from oxy.repo.states import Name

_TEXT: Final = (KIND, KIND_TEXT)


class Named(NamedTuple):
    """The changes that a change names, by number; 0 for what is weak and not stored."""

    deps: tuple[int, ...]
    context: Name
    weak: tuple[int, ...]


class TextCheck:
    """Checks the edits of texts of one change.

    Args:
        repository: what is stored; what this change does is not, yet.
        at: the number that the change will have.
        named: what it names.
        needs: what was found out about changes before it.
    """

    __slots__ = ("_at", "_context", "_deps", "_needs", "_repository", "_weak")

    def __init__(self, repository: Repository, at: int, named: Named, needs: Needs) -> None:
        self._repository = repository
        self._needs = needs
        self._at = at
        self._deps, self._context, self._weak = named

    def check(self, edit: NodeEdit, node: int | None) -> str | None:
        """Return the rule that an edit breaks, or None, and then it is applied.

        Args:
            edit: the edit.
            node: the number of its node; None where the change creates it.

        Cost: what it names, and the insert edges between the points of its blocks.
        """
        if edit.text is None:
            return None
        if node is None:
            return self._created(edit.text)
        if not self._is_text(node, edit):
            return "it edits the text of what never was one"
        return self._admitted(node, self._repository.nodes.graph(node), edit.text)

    def _created(self, text: TextEdit) -> str | None:
        deed = self._deed(TextGraph(), text)
        if len(deed.blocks) == 1 and deed == Deed((), deed.blocks):
            block = deed.blocks[0]
            if block.left == block.right == EDGE:
                return None
        return self._admitted(0, TextGraph(), text)

    def _deed(self, graph: TextGraph, text: TextEdit) -> Deed:
        needs = tuple(dep for dep in self._deps if dep in graph.touched)
        return bind(text, (self._at, *self._deps, *self._weak), needs)

    def _admitted(self, node: int, graph: TextGraph, text: TextEdit) -> str | None:
        deed = self._deed(graph, text)
        known = self._needs.of(node, graph, deed)
        try:
            admit(graph, self._at, deed, known)
            graph.apply(self._at, deed)
        except RefusedEditError as error:
            return f"what it does to a text does not fit: {self._told(error)}"
        except NoLineError as error:
            return f"what it does to a text does not fit: {error}"
        self._needs.note(node, self._at, known)
        if deed.orders:
            straighten(graph)
        return None

    def _told(self, error: RefusedEditError) -> str:
        cause = error.__cause__
        if isinstance(cause, NoLineError):
            return "it names a line that is not there"
        return "it names a line without need" if " names change " in error.rule else error.rule

    def _is_text(self, node: int, edit: NodeEdit) -> bool:
        """Tell whether a node is or was a text as far as the change knows (M36)."""
        nodes = self._repository.nodes
        if nodes.kind(node) == KIND_TEXT or _TEXT in {write[:2] for write in edit.writes}:
            return True
        known = self._repository.states.members(self._context)
        return any(
            write[1:3] == _TEXT and write.change in known
            for write in nodes.registers(node).writes
        )
