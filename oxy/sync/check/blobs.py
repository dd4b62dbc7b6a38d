"""Blobs are what their ids and the changes that name them say (spec: model, M34; SY14)."""

from collections import OrderedDict

from oxy.codec.inline import contents
from oxy.model.operation import BlobRef, NodeEdit
from oxy.repo.promised import Promises
from oxy.store.protocol import BLOB, Reader
from oxy.sync import limits
from oxy.sync.check.ahead import Ahead
from oxy.sync.check.facts import Counted, Facts
from oxy.sync.part import BlobPart


class Blobs:
    """What is known of the blobs that changes name; the latest are remembered.

    `ahead` are those that came and wait for the change that names them.
    """

    __slots__ = ("_facts", "_promises", "_reader", "ahead")

    def __init__(self, reader: Reader, promises: Promises | None = None) -> None:
        """Begin a transfer; with promises, blobs may come later (SY87)."""
        self._reader = reader
        self._promises = promises
        self.ahead = Ahead()
        self._facts: OrderedDict[bytes, Facts] = OrderedDict()

    def check(self, edit: NodeEdit) -> str | None:
        """Return the rule that a blob that an edit names breaks, or None.

        Cost: of a blob that did not just come, a query, and a reading of a text that is not
        remembered, to count its lines.
        """
        for content in contents(edit):
            if isinstance(content, BlobRef):
                lines = edit.text.lines if edit.text and content is edit.content else None
                facts = self.ahead.take(content.id)
                broken = (
                    self._broken(content, lines)
                    if facts is None
                    else _unlike(content, facts, lines)
                )
                if broken is not None:
                    return broken
        return None

    def settle(self) -> None:
        """Forget the blobs that waited: their change has come."""
        self.ahead = Ahead()

    def pass_over(self, edit: NodeEdit) -> None:
        """Note what blobs an edit names, of a change that is there already."""
        for content in contents(edit):
            if isinstance(content, BlobRef):
                self.ahead.take(content.id)
        if self._promises is not None:
            self._promises.note_edit(edit)

    def _broken(self, ref: BlobRef, lines: int | None) -> str | None:
        number = self._reader.number_of(BLOB, ref.id)
        if number is None and self._promises is not None:
            return self._promises.note(ref, lines)
        if number is None:
            return f"it needs blob {ref.id.hex()}, which is missing"
        facts = self._facts.get(ref.id)
        if facts is None and lines is None:
            facts = Facts(self._reader.size(BLOB, number), 0, ends=False)
        elif facts is None:
            facts = self._counted(ref, number)
        return _unlike(ref, facts, lines)

    def _counted(self, ref: BlobRef, number: int) -> Facts:
        size = self._reader.size(BLOB, number)
        counted = Counted(BlobPart(ref.id, size, self._reader.chunks(BLOB, number)))
        for _ in counted.chunks():
            pass
        facts = self._facts[ref.id] = counted.facts or Facts(0, 0, ends=False)
        if len(self._facts) > limits.FACTS:
            self._facts.popitem(last=False)
        return facts


def _unlike(ref: BlobRef, facts: Facts, lines: int | None) -> str | None:
    if facts.size != ref.length:
        return f"it says that blob {ref.id.hex()} has {ref.length} bytes"
    if lines is not None and (facts.lines != lines or not facts.ends):
        return f"it says that blob {ref.id.hex()} has {lines} lines"
    return None
