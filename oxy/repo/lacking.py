"""What a store lacks of what its rows and changes name (spec: store, ST26)."""

from oxy.errors import CorruptionError
from oxy.model.operation import BlobRef


class NoNodeError(CorruptionError):
    """A row names a node that the index does not have."""

    def __init__(self, node: int) -> None:
        super().__init__(f"the index has no node number {node}")
        self.node = node


class MissingBlobError(CorruptionError):
    """A change names a blob that is not stored."""

    def __init__(self, ref: BlobRef) -> None:
        super().__init__(f"blob {ref.id.hex()} of {ref.length} bytes is missing")
        self.ref = ref
