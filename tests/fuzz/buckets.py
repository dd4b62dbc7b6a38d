"""What is read of a bucket, as it may be altered (spec: sync, SY91, SY92)."""

from collections.abc import Iterable
from typing import Final

from blake3 import blake3

from oxy.model.digest import DIGEST_SIZE, ChangeId
from oxy.sync.bucket.entry import (
    Base,
    Entry,
    State,
    decode_entry,
    decode_snapshot,
    encode_entry,
    encode_snapshot,
)
from oxy.sync.bucket.index import (
    KEY_SIZE,
    Load,
    Row,
    Stored,
    decode_branch,
    decode_leaf,
    encode_branch,
    encode_leaf,
)
from oxy.sync.endpoint import Offered
from tests.fuzz.target import ID, Target

_CHANGE: Final = (ChangeId(ID),)
_KEY: Final = bytes(range(KEY_SIZE))
_ROW: Final = Row(1, _KEY, 9, _CHANGE, _CHANGE)
_MAIN: Final = Offered(1, b"main", _CHANGE)


def _entry(data: bytes) -> None:
    body = data[:-DIGEST_SIZE]
    decode_entry(body + blake3(body).digest(), 2)


def _entries() -> Iterable[bytes]:
    yield encode_entry(
        Entry(2, b"w", 0, Base(1, Stored(_KEY, 9)), (_ROW,), (_MAIN,), ((1, b"x"),))
    )
    yield encode_entry(Entry(2, b"", 0, None, (), (), ()))


TARGETS: Final = {
    "bucket-entry": Target(_entry, _entries),
    "bucket-snapshot": Target(
        decode_snapshot, lambda: (encode_snapshot(State((_ROW,), (_MAIN,))),)
    ),
    "bucket-branch": Target(decode_branch, lambda: (encode_branch((_ROW,)),)),
    "bucket-leaf": Target(
        decode_leaf,
        lambda: (encode_leaf((Load(_KEY, 9, _CHANGE, (), _CHANGE, _CHANGE, ()),)),),
    ),
}
