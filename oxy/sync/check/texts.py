"""What a change does to texts may be applied to their graphs (spec: graph, G7, G11; SY13).

Graphs come from a repository's bounded cache, and are applied to, so that the next change finds
them as it needs them; where the change is refused, they are to be forgotten.
"""

from array import array
from oxy.typed import Final, NamedTuple

from oxy.graph.admission import Needs, RefusedEditError, admit
from oxy.graph.deed import Deed, bind
from oxy.graph.straight import straighten
from oxy.graph.text import TextGraph
from oxy.graph.weave import NoLineError
from oxy.model.operation import KIND, KIND_TEXT, SELF, Insert, NodeEdit, TextEdit
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.sync.check.begun import Begun

_TEXT: Final = (KIND, KIND_TEXT)
_REST: Final = TextEdit()[2:]


class Named(NamedTuple):
    """The changes that a change names, by number; 0 for what is weak and not stored."""

    deps: tuple[int, ...]
    context: Name
    weak: tuple[int, ...]


class Known(NamedTuple):
    """What the changes of a transfer need, and the texts that they began."""

    needs: Needs
    begun: Begun


class TextCheck:
    """Checks the edits of texts of one change.

    Args:
        repository: what is stored; what this change does is not, yet.
        at: the number that the change will have.
        named: what it names.
        known: what was found out from changes before it.

    `lines` tells of each node that it creates how many lines one block begins it with; 0 where
    it is otherwise.
    """

    __slots__ = (
        "_at",
        "_begun",
        "_context",
        "_deps",
        "_needs",
        "_repository",
        "_weak",
        "lines",
    )

    def __init__(self, repository: Repository, at: int, named: Named, known: Known) -> None:
        self._repository = repository
        self._needs, self._begun = known
        self.lines = array("I")
        self._at = at
        self._deps, self._context, self._weak = named

    def check(self, edit: NodeEdit, node: int | None) -> str | None:
        """Return the rule that an edit breaks, or None, and then it is applied.

        Args:
            edit: the edit.
            node: the number of its node; None where the change creates it.

        Cost: what it names, and the insert edges between the points of its blocks.
        """
        if node is None:
            return self._created(edit.text) if edit.node.change == SELF else None
        if edit.text is None:
            return None
        begun = self._begun.take(node)
        if begun is not None and self._repository.nodes.loaded(node) is None:
            self._repository.nodes.hold(node, TextGraph.begun(*begun))
        elif not self._is_text(node, edit):
            return "it edits the text of what never was one"
        return self._admitted(node, self._repository.nodes.graph(node), edit.text)

    def _created(self, text: TextEdit | None) -> str | None:
        is_whole = text is not None and text == (text.lines, (_all(text),), *_REST)
        self.lines.append(text.lines if text is not None and is_whole else 0)
        if text is None or is_whole:
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


def _all(text: TextEdit) -> Insert:
    """Return the block that is all of a text."""
    return Insert(text.lines, None, None)
