"""The types that an encoded change is made of, as a grammar (spec: model, encoding). Pure.

The grammar proves that what was unpacked has exactly the types of `RawHeader` or
`RawOperations`; ranges, order and references are the business of `shape`.
"""

from collections.abc import Callable
from operator import call
from oxy.typed import Final, TypeAlias, cast

from oxy.codec.nodewise import FORM
from oxy.codec.wire import FormatError, MalformedError, Raw
from oxy.model.change import FORMAT
from oxy.model.digest import ChangeId

RawIds: TypeAlias = tuple[ChangeId, ...]
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

Rule: TypeAlias = Callable[[Raw], bool]


def integer(value: Raw) -> bool:
    """Tell whether a value is an integer."""
    return type(value) is int


def byte_string(value: Raw) -> bool:
    """Tell whether a value is bytes."""
    return type(value) is bytes


def nil(value: Raw) -> bool:
    """Tell whether a value is nil."""
    return value is None


def either(first: Rule, second: Rule) -> Rule:
    """Return the rule that one of two rules holds."""
    return lambda value: first(value) or second(value)


_LEAVES: Final[dict[Rule, type]] = {integer: int, byte_string: bytes}
"""Rules that look at the type alone: many of them are looked at without a step for each."""


def many(rule: Rule) -> Rule:
    """Return the rule that a value is an array whose every item keeps a rule."""
    if rule in _LEAVES:
        only = frozenset((_LEAVES[rule],))
        return lambda value: type(value) is tuple and only.issuperset(map(type, value))
    return lambda value: type(value) is tuple and all(map(rule, value))


def row(*rules: Rule) -> Rule:
    """Return the rule that a value is an array with one item for each rule, which keeps it."""
    size = len(rules)
    if _LEAVES.keys() >= set(rules):
        types = tuple([_LEAVES[rule] for rule in rules])
        return lambda value: type(value) is tuple and tuple(map(type, value)) == types
    return lambda value: (
        type(value) is tuple and len(value) == size and all(map(call, rules, value))
    )


_REFS: Final = many(integer)
_IDS: Final = many(byte_string)
_THREE: Final = row(integer, integer, integer)
_MAYBE: Final = either(integer, nil)
_POINT: Final = either(_THREE, nil)
_BLOB: Final = row(byte_string, integer)
_TEXT: Final = row(
    integer,
    many(row(integer, _POINT, _POINT)),
    many(row(many(_THREE), _MAYBE)),
    many(row(integer, integer, integer, _REFS)),
    many(row(integer, integer, integer, integer, integer)),
    many(row(integer, integer)),
    many(row(integer, integer, integer, integer, _MAYBE)),
    many(_THREE),
)
_PLAIN: Final = either(byte_string, _MAYBE)
_PAIR: Final = either(row(integer, byte_string), _BLOB)
_VALUE: Final = either(_PAIR, _PLAIN)
_NODE_REF: Final = either(row(integer, integer), row(integer))


_NOTHING: Final = ((), (), (), (), (), ())


def _whole(value: Raw) -> bool:
    """Tell whether a value is the edit that inserts a text as one block, as most are."""
    if type(value) is not tuple or not value or type(value[0]) is not int:
        return False
    lines = value[0]
    # Other types may equal an integer.
    return value == (lines, ((lines, None, None),), *_NOTHING) and type(value[1][0][0]) is int


_WRITES: Final = many(row(integer, _VALUE, _REFS))


def _node(value: Raw) -> bool:
    """Tell whether a value is a node: most of a history is, so it is told without steps."""
    if type(value) is not tuple or len(value) != 5:  # noqa: PLR2004 -- as `RawNode` has them
        return False
    where, created, writes, text, content = value
    return (
        _NODE_REF(where)
        and (created is None or type(created) is int)
        and (writes == () or _WRITES(writes))
        and (text is None or _whole(text) or _TEXT(text))
        and (content is None or type(content) is bytes or _BLOB(content))
    )


_DIRECTORY: Final = row(integer, byte_string, integer)
_OPERATIONS: Final = row(_IDS, many(_DIRECTORY), many(_node))
_EXTRA: Final = many(row(byte_string, byte_string))
_HEADER: Final = row(
    integer, byte_string, integer, integer, byte_string, _IDS, row(_IDS, _IDS), _EXTRA
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


def proven_node(value: Raw) -> RawNode:
    """Return the value as a node, having proven its types.

    Raises:
        MalformedError: it has other types.
    """
    if not _node(value):
        raise MalformedError(FORM)
    return cast("RawNode", value)


def proven_operations(value: Raw) -> RawOperations:
    """Return the value as operations, having proven their types.

    Raises:
        MalformedError: they have other types.
    """
    if not _OPERATIONS(value):
        raise MalformedError(FORM)
    return cast("RawOperations", value)
