"""What a change must satisfy beyond its types: header, directories, nodes (spec: model). Pure.

Each check returns the rule that is broken, or None. Edits of texts have a module of their own.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from oxy.typed import Final

from oxy.codec.edits import check_text, named_by_text
from oxy.codec.inline import Room, check_inline
from oxy.codec.limits import AUTHOR, BLOB, DEPTH, KEY, LINES, MESSAGE, NAME, PATHS, TEXT
from oxy.model.change import Header, Operations
from oxy.model.digest import DIGEST_SIZE
from oxy.model.operation import (
    BYTES,
    DIRECTORY,
    FINAL_LF,
    KIND,
    KIND_BINARY,
    KIND_SUBREPO,
    KIND_SYMLINK,
    KIND_TEXT,
    MODE,
    PIN,
    PLACE,
    SELF,
    TARGET,
    BlobRef,
    Content,
    Directory,
    NodeEdit,
    NodeRef,
    Place,
    TextEdit,
    Value,
    Write,
)

_TIME: Final = 1 << 63
_OFFSET: Final = 1 << 31
_BLANK: Final = TextEdit()
_KINDS: Final[dict[int, set[tuple[int, ...]]]] = {
    KIND_TEXT: {(PLACE,), (PLACE, MODE), (PLACE, FINAL_LF), (PLACE, MODE, FINAL_LF)},
    KIND_BINARY: {(PLACE, BYTES), (PLACE, MODE, BYTES)},
    KIND_SYMLINK: {(PLACE, TARGET)},
    KIND_SUBREPO: {(PLACE, PIN)},
}
"""The registers that a node of each kind may be created with."""

_PRINTABLE: Final = frozenset(range(0x21, 0x7F))


def _ascending(items: Sequence[bytes]) -> bool:
    return len(items) <= 1 or all(a < b for a, b in pairwise(items))


def _is_ids(items: Sequence[bytes]) -> bool:
    return _ascending(items) and all(len(item) == DIGEST_SIZE for item in items)


def _is_key(key: bytes) -> bool:
    """Tell whether key is namespace:name in printable ASCII without spaces."""
    space, colon, name = key.partition(b":")
    return bool(space and colon and name) and len(key) <= KEY and _PRINTABLE.issuperset(key)


def check_header(header: Header) -> str | None:
    """Return the rule that a header breaks, or None."""
    heads, absent = header.context
    if not (_is_ids(header.deps) and _is_ids(heads) and _is_ids(absent)):
        return "dependencies, heads or absent ids are not ascending ids"
    if absent and not set(heads).isdisjoint(absent):
        return "a head of the context is absent from it"
    return _check_author(header) or _check_extra(header.extra)


def _check_author(header: Header) -> str | None:
    author, (time, offset), message = header[:3]
    if len(author) > AUTHOR or len(message) > MESSAGE:
        return f"the author is over {AUTHOR} bytes, or the message over {MESSAGE}"
    if b"\n" in author or b"\r" in author or b"\0" in author:
        return "the author has a line break or NUL"
    if not (-_TIME <= time < _TIME and -_OFFSET <= offset < _OFFSET):
        return "the time does not fit 64 bits, or the UTC offset 32"
    return None


def _check_extra(extra: tuple[tuple[bytes, bytes], ...]) -> str | None:
    if not extra:
        return None
    keys = [key for key, _ in extra]
    if not _ascending(keys):
        return "extra fields are not ascending by key"
    return (
        None if all(map(_is_key, keys)) else "the key of an extra field is not namespace:name"
    )


def check_operations(header: Header, operations: Operations) -> str | None:
    """Return the rule that operations break under a header whose own check passed, or None.

    Cost: one pass over the references, and a sort of those of each text.
    """
    check = NodesCheck(header, operations.weak, operations.directories)
    for edit in operations.nodes:
        if check.broken:
            break
        check.take(edit)
    return check.broken or check.left()


class NodesCheck:
    """Checks the operations of a change whose edits of nodes come one by one.

    `broken` is the first rule that was broken, or None.
    """

    __slots__ = (
        "_created",
        "_directories",
        "_every",
        "_idle",
        "_named",
        "_previous",
        "_room",
        "_strong",
        "broken",
    )

    def __init__(
        self, header: Header, weak: Sequence[bytes], directories: tuple[Directory, ...]
    ) -> None:
        """Take what references count through, and check that."""
        self._strong = len(header.deps)
        self._every = self._strong + len(weak)
        self._directories = len(directories)
        self._idle = bytearray(b"\1") * (len(directories) + 1)
        self._idle[0] = 0
        for directory in directories:
            if 0 <= directory.parent <= self._directories:
                self._idle[directory.parent] = 0
        self._named: set[int] = set()
        self._room = Room()
        self._created = 0
        self._previous = (-1, -1, -1)
        self.broken = _check_directories(directories)
        if not _is_ids(weak) or not set(weak).isdisjoint(header.deps):
            self.broken = "weak ids are not ascending ids, or name dependencies"

    def take(self, edit: NodeEdit) -> None:
        """Check the edit that comes next."""
        self.broken = (
            self.broken
            or self._check_node(edit.node)
            or _check_node(edit, self._directories, self._strong, self._every)
            or check_inline(edit, self._room)
        )
        if self.broken is None:
            self._use(edit)

    def left(self) -> str | None:
        """Return the rule that is broken where something is listed and not used, or None."""
        if any(self._idle):
            return "a directory is listed and nothing names it"
        if sum(ref > SELF for ref in self._named) != self._every:
            return "a dependency or a weak id is listed and nothing names it"
        return None

    def _check_node(self, node: NodeRef) -> str | None:
        change, position = node
        if change == SELF:
            key = (0, 0, position)
            known = position == self._created
            self._created += 1
        elif change == DIRECTORY:
            key = (2, 0, position)
            known = 1 <= position <= self._directories
        else:
            key = (1, change, position)
            known = 1 <= change <= self._strong and 0 <= position <= LINES
        if not known:
            return (
                "a node reference names no dependency, no directory, or not the next new node"
            )
        if key <= self._previous:
            return "nodes are not ascending"
        self._previous = key
        return None

    def _use(self, edit: NodeEdit) -> None:
        if edit.node.change == DIRECTORY:
            self._idle[edit.node.position] = 0
        if edit.writes and isinstance(edit.writes[0].value, Place):
            self._idle[edit.writes[0].value.parent] = 0
        if self._every:
            self._named.update(_named(edit))


def _check_directories(directories: tuple[Directory, ...]) -> str | None:
    """Check that directories stand as a walk finds them: above before below, then by name.

    Cost: one step each, whatever their depth.
    """
    way = [0]
    names: list[tuple[bytes, int]] = [(b"", 0)]
    size = total = 0
    for position, directory in enumerate(directories, 1):
        parent, name, k = directory
        if not 1 <= len(name) <= NAME or not 0 <= k <= LINES:
            return f"the name of a directory is empty or over {NAME} bytes, or its k too large"
        elder = (b"", 0)
        while len(way) > 1 and way[-1] != parent:
            way.pop()
            elder = names.pop()
            size -= len(elder[0]) + 1
        if way[-1] != parent or elder >= (name, k):
            return "directories do not follow their parents, ascending by path"
        if len(way) > DEPTH:
            return f"a directory is over {DEPTH} levels deep"
        way.append(position)
        names.append((name, k))
        size += len(name) + 1
        total += size
        if total > PATHS:
            return f"the paths of its directories take over {PATHS} bytes"
    return None


def _check_node(edit: NodeEdit, directories: int, strong: int, every: int) -> str | None:
    broken = _check_writes(edit.writes, directories, strong)
    if broken is not None:
        return broken
    if edit.node.change == SELF:
        # No line of a node is older than the node.
        return _check_created(edit) or _check_edit(edit, 0, 0)
    if edit.created is not None:
        return "a kind is given for exactly the nodes that are created"
    if not edit.writes and edit.text is None:
        return "a node is named and nothing is done to it"
    if edit.node.change == DIRECTORY:
        only_moved = [write.register for write in edit.writes] == [PLACE]
        return None if only_moved and edit.text is None else "a directory has only a place"
    return _check_edit(edit, strong, every)


def _check_created(edit: NodeEdit) -> str | None:
    kind, writes = edit.created, edit.writes
    if kind is None or kind not in _KINDS:
        return "a created node has no kind, or no kind has that code"
    codes = tuple([write.register for write in writes])
    if codes not in _KINDS[kind] or writes[0].value is None:
        return "a created node has not its place and exactly what its kind holds"
    if edit.text is not None and kind != KIND_TEXT:
        return "only a text has lines"
    if any(write.replaces for write in writes):
        return "a created node replaces what was written before it"
    return None


def _check_writes(writes: tuple[Write, ...], directories: int, strong: int) -> str | None:
    previous = 0
    for register, value, replaces in writes:
        if register <= previous:
            return "register writes are not ascending by code"
        previous = register
        if not _fits(register, value, directories):
            return "a value does not fit its register"
        if replaces and not 1 <= replaces[0] <= replaces[-1] <= strong:
            return "a register write replaces what is not a dependency"
        if len(replaces) > 1 and any(a >= b for a, b in pairwise(replaces)):
            return "what a register write replaces is not ascending"
    return None


def _fits(register: int, value: Value, directories: int) -> bool:
    if isinstance(value, Place):
        known = 0 <= value.parent <= directories
        return register == PLACE and known and 1 <= len(value.name) <= NAME
    if isinstance(value, BlobRef):
        return register == BYTES and _is_blob(value)
    if isinstance(value, bytes):
        return register in (TARGET, PIN, BYTES)
    if value is None:
        return register == PLACE
    return _is_code(register, value)


def _is_code(register: int, value: int) -> bool:
    if register == KIND:
        return value in _KINDS
    return register in (MODE, FINAL_LF) and value in (0, 1)


def _is_blob(ref: BlobRef) -> bool:
    return len(ref.id) == DIGEST_SIZE and 0 < ref.length <= BLOB


def _check_edit(edit: NodeEdit, strong: int, every: int) -> str | None:
    text, content = edit.text, edit.content
    if text is None:
        return None if content is None else "there is content and no edit that inserts it"
    if text == _BLANK:
        return "an edit of a text edits nothing"
    broken = check_text(text, strong, every)
    if broken is None and (content is None) != (text.lines == 0):
        broken = "there is content where lines are inserted, and only there"
    return broken or (None if content is None else _check_content(content, text.lines))


def _check_content(content: Content, lines: int) -> str | None:
    if isinstance(content, BlobRef):
        if not _is_blob(content):
            return f"a blob has no digest, no bytes, or over {BLOB} bytes"
        holds = lines <= content.length <= TEXT
        return None if holds else f"a text is over {TEXT} bytes or has more lines than bytes"
    if content.count(b"\n") != lines or not content.endswith(b"\n"):
        return "the content does not have the lines that the edit says"
    return None


def _named(edit: NodeEdit) -> Iterator[int]:
    yield edit.node.change
    for write in edit.writes:
        yield from write.replaces
    if edit.text is not None:
        yield from named_by_text(edit.text)
