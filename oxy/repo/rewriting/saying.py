"""What the sources of a new change do to one node, as one thing (spec: states, S12)."""

from collections.abc import Sequence
from oxy.typed import Final, NamedTuple

from pyroaring import BitMap

from oxy.model.operation import KIND_TEXT, PLACE
from oxy.repo.nodes import Nodes
from oxy.repo.rewriting.composing import composed
from oxy.repo.rewriting.images import Images
from oxy.repo.rewriting.parts import At, Key, Part, Share, Wrote
from oxy.repo.rewriting.refusal import UnsayableError
from oxy.repo.rewriting.texts import Said, Site, Texts
from oxy.repo.standing import standing

_ABSENT: Final = "the file is not there"
_DECIDED: Final = "a conflict would be decided by it"
_SILENT: Final = Said(None, None)


class Ground(NamedTuple):
    """Where a change is recorded: its number, and states as a `Site` has them."""

    number: int
    before: BitMap
    after: BitMap
    base: BitMap


class Saying:
    """Says what old changes did of the nodes that are there now."""

    __slots__ = ("_images", "_nodes", "_texts")

    def __init__(self, nodes: Nodes, images: Images, texts: Texts) -> None:
        self._nodes = nodes
        self._images = images
        self._texts = texts

    def part(
        self,
        ground: Ground,
        key: Key,
        told: Sequence[tuple[int, Part]],
        share: Share | None = None,
    ) -> Part | None:
        """Return what sources do to one node together, or None if that is nothing.

        Args:
            ground: where that is recorded.
            key: the node as it was before.
            told: (source, what it did), each after what it knows.
            share: what of the text is taken, if not everything; the source is one then.

        Raises:
            UnsayableError: it cannot be said.
        """
        for source, part in told:
            if share is not None:
                registers = [write.register for write in part.writes]
                self._images.share(source, key, registers, ground.number)
            if share is None or part.deed is not None:
                self._images.stand(source, key, ground.number)
        found = self._part(ground, key, told, share)
        if found is None:
            for source, _ in told:
                self._images.unstand(source, key)
        return found

    def check(self, old: int, new: int | None, before: BitMap, after: BitMap) -> None:
        """Prove that a node is in the end what it is meant to be; None is nowhere.

        Raises:
            UnsayableError: it is not.
        """
        meant = standing(self._nodes, old, before)
        found = None if new is None else standing(self._nodes, new, after)
        is_there = found is not None and found.seen.path is not None
        flags = 0 if found is None else found.flags
        if is_there != (meant.seen.path is not None) or flags != meant.flags:
            raise UnsayableError(_DECIDED)
        if new is not None:
            self._texts.check(old, new, before, after)

    def _part(
        self,
        ground: Ground,
        key: Key,
        told: Sequence[tuple[int, Part]],
        share: Share | None,
    ) -> Part | None:
        together = _together(told)
        if together is None:
            self._vanish(key, told)
            return None
        created, writes = together
        writes = tuple(self._images.write(key, write) for write in writes)
        if not isinstance(key, int):
            return Part(key, None, writes)
        new = key if created is not None else self._node(key)
        text = _SILENT
        if created in (None, KIND_TEXT):
            site = Site(
                key,
                0 if created is not None else new,
                ground.before,
                ground.after,
                ground.base,
                ground.number,
            )
            text = self._text(site, told, share)
        if created is None and not writes and text.deed is None:
            return None
        return Part(new, created, writes, *text)

    def _node(self, node: int) -> int:
        found = self._images.node(node, self._nodes.origin(node)[1])
        if found is None:
            raise UnsayableError(_ABSENT)
        return found

    def _vanish(self, key: Key, told: Sequence[tuple[int, Part]]) -> None:
        if isinstance(key, int):
            for source, _ in told:
                self._images.place(key, source, ())

    def _text(self, site: Site, told: Sequence[tuple[int, Part]], share: Share | None) -> Said:
        """Return what sources do to the lines of a text together, or what a share is of it."""
        having = [
            (source, part.deed, part.content) for source, part in told if part.deed is not None
        ]
        if not having:
            return _SILENT
        source, deed, content = having[0]
        if share is not None and (share.edits or self._images.is_placed(site.old, source)):
            return self._texts.shared(site, source, share.edits)
        if len(having) == 1 and deed is not None:
            return self._texts.renamed(site, source, deed, content)
        return self._texts.replayed(site, [source for source, _, _ in having])


def _together(
    told: Sequence[tuple[int, Part]],
) -> tuple[int | None, tuple[Wrote, ...]] | None:
    if len(told) > 1:
        return composed(told)
    part = told[0][1]
    return part.created, part.writes


def by_place(part: Part) -> bytes:
    """Return where a part is: nodes that one change creates are in the order of their paths."""
    for write in part.writes:
        if write.register == PLACE and isinstance(write.value, At):
            return b"/".join((*(name for name, _ in write.value.parent), write.value.name))
    return b""
