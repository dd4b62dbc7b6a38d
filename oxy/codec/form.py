"""The types that an encoded change is made of, as a grammar (spec: model, encoding). Pure.

The grammar proves that what was unpacked has exactly the types of `RawHeader` or
`RawOperations`; ranges, order and references are the business of `shape`.
"""

from collections.abc import Callable
from operator import call
from typing import Final, TypeAlias, cast

from oxy.codec.wire import FormatError, MalformedError, Raw
from oxy.model.change import FORMAT

RawIds: TypeAlias = tuple[bytes, ...]
RawRefs: TypeAlias = tuple[int, ...]
RawLines: TypeAlias = tuple[int, int, int]
RawPoint: TypeAlias = tuple[int, int, int] | None
RawInsert: TypeAlias = tuple[int, RawPoint, RawPoint]
RawHunk: TypeAlias = tuple[tuple[RawLines, ...], int | None]
RawRestore: TypeAlias = tuple[int, int, int, RawRefs]
RawOrder: TypeAlias = tuple[int, int, int, int, int]
RawUnorder: TypeAlias = tuple[int, int]
RawSettle: TypeAlias = tuple[int, int, int, int, int | None]
RawText: TypeAlias = tuple[
    int,
    tuple[RawInsert, ...],
    tuple[RawHunk, ...],
    tuple[RawRestore, ...],
    tuple[RawOrder, ...],
    tuple[RawUnorder, ...],
    tuple[RawSettle, ...],
    tuple[RawLines, ...],
]
RawBlob: TypeAlias = tuple[bytes, int]
RawPlace: TypeAlias = tuple[int, bytes]
RawValue: TypeAlias = RawPlace | RawBlob | bytes | int | None
RawWrite: TypeAlias = tuple[int, RawValue, RawRefs]
RawNode: TypeAlias = tuple[
    RawRefs, int | None, tuple[RawWrite, ...], RawText | None, bytes | RawBlob | None
]
RawDirectory: TypeAlias = tuple[int, bytes, int]
RawOperations: TypeAlias = tuple[RawIds, tuple[RawDirectory, ...], tuple[RawNode, ...]]
RawContext: TypeAlias = tuple[RawIds, RawIds]
RawExtra: TypeAlias = tuple[tuple[bytes, bytes], ...]
RawHeader: TypeAlias = tuple[int, bytes, int, int, bytes, RawIds, RawContext, RawExtra]

_Rule: TypeAlias = Callable[[Raw], bool]


def _integer(value: Raw) -> bool:
    return type(value) is int


def _bytes(value: Raw) -> bool:
    return type(value) is bytes


def _nil(value: Raw) -> bool:
    return value is None


def _either(first: _Rule, second: _Rule) -> _Rule:
    return lambda value: first(value) or second(value)


def _many(rule: _Rule) -> _Rule:
    return lambda value: type(value) is tuple and all(map(rule, value))


def _row(*rules: _Rule) -> _Rule:
    size = len(rules)
    return lambda value: (
        type(value) is tuple and len(value) == size and all(map(call, rules, value))
    )


_REFS: Final = _many(_integer)
_IDS: Final = _many(_bytes)
_THREE: Final = _row(_integer, _integer, _integer)
_MAYBE: Final = _either(_integer, _nil)
_POINT: Final = _either(_THREE, _nil)
_BLOB: Final = _row(_bytes, _integer)
_TEXT: Final = _row(
    _integer,
    _many(_row(_integer, _POINT, _POINT)),
    _many(_row(_many(_THREE), _MAYBE)),
    _many(_row(_integer, _integer, _integer, _REFS)),
    _many(_row(_integer, _integer, _integer, _integer, _integer)),
    _many(_row(_integer, _integer)),
    _many(_row(_integer, _integer, _integer, _integer, _MAYBE)),
    _many(_THREE),
)
_PLAIN: Final = _either(_bytes, _MAYBE)
_PAIR: Final = _either(_row(_integer, _bytes), _BLOB)
_VALUE: Final = _either(_PAIR, _PLAIN)
_NODE_REF: Final = _either(_row(_integer, _integer), _row(_integer))
_CONTENT: Final = _either(_either(_bytes, _nil), _BLOB)
_NODE: Final = _row(
    _NODE_REF,
    _MAYBE,
    _many(_row(_integer, _VALUE, _REFS)),
    _either(_TEXT, _nil),
    _CONTENT,
)
_DIRECTORY: Final = _row(_integer, _bytes, _integer)
_OPERATIONS: Final = _row(_IDS, _many(_DIRECTORY), _many(_NODE))
_EXTRA: Final = _many(_row(_bytes, _bytes))
_HEADER: Final = _row(
    _integer, _bytes, _integer, _integer, _bytes, _IDS, _row(_IDS, _IDS), _EXTRA
)


def proven_header(value: Raw) -> RawHeader:
    """Return the value as a header, having proven its types.

    Raises:
        MalformedError: it has other types, or no format has its number.
        FormatError: its format is newer.
    """
    if type(value) is tuple and value and type(value[0]) is int and value[0] > FORMAT:
        raise FormatError(value[0])
    if not _HEADER(value):
        rule = "its header does not have the form of one"
        raise MalformedError(rule)
    header = cast("RawHeader", value)
    if header[0] != FORMAT:
        rule = "no format has its number"
        raise MalformedError(rule)
    return header


def proven_operations(value: Raw) -> RawOperations:
    """Return the value as operations, having proven their types.

    Raises:
        MalformedError: they have other types.
    """
    if not _OPERATIONS(value):
        rule = "its operations do not have the form of any"
        raise MalformedError(rule)
    return cast("RawOperations", value)
