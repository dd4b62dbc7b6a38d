"""Blobs are what their ids and the changes that name them say (spec: model, M34; SY14)."""

from collections import OrderedDict
from collections.abc import Iterator
from oxy.typed import NamedTuple

from blake3 import blake3

from oxy.codec.inline import contents
from oxy.model.digest import BlobId
from oxy.model.operation import BlobRef, NodeEdit
from oxy.store.limits import OBJECT_LIMIT
from oxy.store.protocol import BLOB, Reader
from oxy.sync import limits
from oxy.sync.errors import RefusedObjectError
from oxy.sync.part import BlobPart


class Facts(NamedTuple):
    """What a blob's bytes tell: how many, how many line ends, and whether one is last."""

    size: int
    lines: int
    ends: bool


class Counted:
    """The bytes of a blob on their way, of which the last pass only when all are proven."""

    __slots__ = ("_part", "facts")

    def __init__(self, part: BlobPart) -> None:
        """Begin with a blob.

        Raises:
            RefusedObjectError: its size is over the limit, or none.
        """
        if not 0 < part.size <= OBJECT_LIMIT:
            rule = f"it has no bytes, or over {OBJECT_LIMIT}"
            raise RefusedObjectError(BLOB, part.id, rule)
        self._part = part
        self.facts: Facts | None = None

    def chunks(self) -> Iterator[bytes]:
        """Yield the bytes.

        Raises:
            RefusedObjectError: they are not those of the blob.
        """
        name, size, chunks = self._part
        hasher, got, lines, held = blake3(), 0, 0, b""
        for chunk in chunks:
            got += len(chunk)
            if got > size:
                raise RefusedObjectError(BLOB, name, "it is longer than it says")
            hasher.update(chunk)
            lines += chunk.count(b"\n")
            if held:
                yield held
            held = chunk or held
        if got != size:
            raise RefusedObjectError(BLOB, name, "it is shorter than it says")
        if hasher.digest() != name:
            raise RefusedObjectError(BLOB, name, "it has content of another id")
        self.facts = Facts(size, lines, held.endswith(b"\n"))
        yield held


class Blobs:
    """What is known of the blobs that changes name; the latest are remembered."""

    __slots__ = ("_facts", "_reader")

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._facts: OrderedDict[BlobId, Facts] = OrderedDict()

    def note(self, name: BlobId, facts: Facts) -> None:
        """Remember what a blob is."""
        self._facts[name] = facts
        if len(self._facts) > limits.FACTS:
            self._facts.popitem(last=False)

    def check(self, edit: NodeEdit) -> Iterator[BlobRef | str]:
        """Yield the blobs that an edit names, or the rule that one of them breaks.

        Cost: reads a text that is stored and not remembered, to count its lines.
        """
        for content in contents(edit):
            if isinstance(content, BlobRef):
                lines = edit.text.lines if edit.text and content is edit.content else None
                yield self._broken(content, lines) or content

    def _broken(self, ref: BlobRef, lines: int | None) -> str | None:
        number = self._reader.number_of(BLOB, ref.id)
        if number is None:
            return f"it needs blob {ref.id.hex()}, which is missing"
        if self._reader.size(BLOB, number) != ref.length:
            return f"it says that blob {ref.id.hex()} has {ref.length} bytes"
        if lines is None:
            return None
        facts = self._facts.get(ref.id)
        if facts is None:
            chunks = self._reader.chunks(BLOB, number)
            counted = Counted(BlobPart(ref.id, ref.length, chunks))
            for _ in counted.chunks():
                pass
            facts = counted.facts or Facts(0, 0, ends=False)
            self.note(ref.id, facts)
        if facts.lines != lines or not facts.ends:
            return f"it says that blob {ref.id.hex()} has {lines} lines"
        return None
