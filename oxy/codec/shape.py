"""What a change must satisfy beyond its types: order, ranges, references (spec: model). Pure.

Each check returns the rule that is broken, or None.
"""

from collections.abc import Iterator, Sequence

from oxy.codec.limits import AUTHOR, INLINE, LINES, MESSAGE, TEXT
from oxy.model.change import Header, Operations
from oxy.model.digest import DIGEST_SIZE
from oxy.model.operation import (
    BYTES,
    DIRECTORY,
    FINAL_LF,
    KIND,
    KIND_SUBREPO,
    KIND_TEXT,
    MODE,
    OUT,
    PIN,
    PLACE,
    SELF,
    TARGET,
    BlobRef,
    Directory,
    Lines,
    NodeEdit,
    Place,
    TextEdit,
    Value,
    Write,
)

_TIME = 1 << 63
_OFFSET = 1 << 31


def _ascending(items: Sequence[bytes]) -> bool:
    return all(a < b for a, b in zip(items, items[1:], strict=False))


def _is_ids(items: Sequence[bytes]) -> bool:
    return _ascending(items) and all(len(item) == DIGEST_SIZE for item in items)


def check_header(header: Header) -> str | None:
    """Return the rule that a header breaks, or None."""
    context = header.context
    rules = (
        (len(header.author) <= AUTHOR, f"the author is over {AUTHOR} bytes"),
        (
            not any(byte in header.author for byte in (b"\n", b"\r", b"\0")),
            "the author has a line break or NUL",
        ),
        (len(header.message) <= MESSAGE, f"the message is over {MESSAGE} bytes"),
        (-_TIME <= header.time.microseconds < _TIME, "the time does not fit 64 bits"),
        (-_OFFSET <= header.time.offset < _OFFSET, "the UTC offset does not fit 32 bits"),
        (_is_ids(header.deps), "dependencies are not ascending ids"),
        (_is_ids(context.heads), "context heads are not ascending ids"),
        (_is_ids(context.absent), "absent ids of the context are not ascending ids"),
        (_ascending([key for key, _ in header.extra]), "extra fields are not ascending by key"),
    )
    return next((rule for holds, rule in rules if not holds), None)


def check_operations(header: Header, operations: Operations) -> str | None:
    """Return the rule that operations break, or None.

    Cost: one pass over the references.
    """
    if not _is_ids(operations.weak) or set(operations.weak) & set(header.deps):
        return "weak ids are not ascending, or name dependencies"
    strong = len(header.deps)
    return (
        _check_directories(operations.directories)
        or _check_nodes(operations, strong)
        or next(
            filter(
                None,
                (_check_node(operations, edit, strong) for edit in operations.nodes),
            ),
            None,
        )
    )


def _check_directories(directories: tuple[Directory, ...]) -> str | None:
    paths: list[tuple[tuple[bytes, int], ...]] = [()]
    for place, directory in enumerate(directories, 1):
        if not 0 <= directory.parent < place or directory.k < 0 or not directory.name:
            return "a directory names no earlier parent, or has no name"
        paths.append((*paths[directory.parent], (directory.name, directory.k)))
        if paths[place - 1] >= paths[place]:
            return "directories are not ascending by path"
    return None


def _check_nodes(operations: Operations, strong: int) -> str | None:
    created = 0
    previous = (-1, -1, -1)
    for edit in operations.nodes:
        ref = edit.node
        if ref.change == DIRECTORY:
            if not 1 <= ref.position <= len(operations.directories):
                return "a node reference names no directory"
            key = (2, 0, ref.position)
        elif ref.change == SELF:
            if edit.created is None or ref.position != created:
                return "created nodes are not numbered from 0"
            created += 1
            key = (0, 0, ref.position)
        elif 1 <= ref.change <= strong and 0 <= ref.position <= LINES:
            key = (1, ref.change, ref.position)
        else:
            return "a node reference names no dependency"
        if key <= previous:
            return "nodes are not ascending"
        previous = key
    return None


def _check_node(operations: Operations, edit: NodeEdit, strong: int) -> str | None:
    is_new = edit.node.change == SELF
    if (edit.created is not None) != is_new:
        return "a kind is given for exactly the nodes that are created"
    if is_new and not KIND_TEXT <= (edit.created or 0) <= KIND_SUBREPO:
        return "no kind has that code"
    if edit.node.change == DIRECTORY and (edit.text is not None or edit.content is not None):
        return "a directory has no text"
    if not is_new and not edit.writes and edit.text is None:
        return "a node is named and nothing is done to it"
    return _check_writes(operations, edit.writes, strong) or _check_text(
        operations, edit, strong
    )


def _check_writes(operations: Operations, writes: tuple[Write, ...], strong: int) -> str | None:
    codes = [write.register for write in writes]
    if any(a >= b for a, b in zip(codes, codes[1:], strict=False)):
        return "register writes are not ascending by code"
    for write in writes:
        if not _fits(write.register, write.value, len(operations.directories)):
            return f"the value does not fit register {write.register}"
        if any(not 1 <= ref <= strong for ref in write.replaces):
            return "a register write replaces what is not a dependency"
        if any(a >= b for a, b in zip(write.replaces, write.replaces[1:], strict=False)):
            return "what a register write replaces is not ascending"
    return None


def _fits(register: int, value: Value, directories: int) -> bool:
    if register == PLACE:
        return value is None or (
            isinstance(value, Place) and 0 <= value.parent <= directories and value.name != b""
        )
    if register in (MODE, FINAL_LF):
        return value in (0, 1)
    if register == KIND:
        return isinstance(value, int) and KIND_TEXT <= value <= KIND_SUBREPO
    if register == BYTES:
        return _is_content(value)
    return register in (TARGET, PIN) and isinstance(value, bytes)


def _is_content(value: object) -> bool:
    if isinstance(value, BlobRef):
        return len(value.id) == DIGEST_SIZE and value.length >= INLINE
    return isinstance(value, bytes) and len(value) < INLINE


def _check_text(operations: Operations, edit: NodeEdit, strong: int) -> str | None:
    if (edit.content is None) != (edit.text is None or edit.text.lines == 0):
        return "a text edit and its content do not come together"
    if edit.text is None:
        return None
    if edit.content is not None:
        problem = _check_content(edit)
        if problem is not None:
            return problem
    every = strong + len(operations.weak)
    return next(filter(None, _text_problems(edit.text, strong, every)), None)


def _check_content(edit: NodeEdit) -> str | None:
    content, text = edit.content, edit.text
    assert text is not None  # noqa: S101 - checked by the caller
    if not _is_content(content):
        return "content is inline under the limit and a blob at or over it"
    if isinstance(content, BlobRef):
        return None if text.lines <= content.length <= TEXT else "a text is over its limit"
    assert content is not None  # noqa: S101 - checked by the caller
    if content.count(b"\n") != text.lines or not content.endswith(b"\n"):
        return "the content does not have the lines that the edit says"
    return None


def _in_range(lines: Lines, low: int, high: int, own: int) -> bool:
    end = lines.start + lines.size
    if not (low <= lines.change <= high and lines.start >= 0 and lines.size >= 1):
        return False
    return end <= (own if lines.change == SELF else LINES)


def _text_problems(text: TextEdit, strong: int, every: int) -> Iterator[str | None]:
    own = text.lines
    if not 0 <= own <= LINES or sum(i.size for i in text.inserts) != own:
        yield "blocks do not hold the lines that the edit says"
    for insert in text.inserts:
        if insert.size < 1:
            yield "a block is empty"
        for point in (insert.left, insert.right):
            if point and not (
                0 <= point.change <= strong and 0 <= point.side <= OUT and point.line >= 0
            ):
                yield "a block lies at a point that is not of a dependency"
    for hunk in text.hunks:
        if not hunk.lines or not all(_in_range(x, 1, strong, own) for x in hunk.lines):
            yield "a hunk deletes lines that are not of a dependency"
        if hunk.block is not None and not 0 <= hunk.block < len(text.inserts):
            yield "a hunk names a block that is not there"
    for restore in text.restores:
        if not _in_range(restore.lines, 1, strong, own) or not restore.deletions:
            yield "a restore names lines that are not of a dependency"
        if any(not 1 <= ref <= every for ref in restore.deletions):
            yield "a restore names a deletion that is not listed"
    yield from _order_problems(text, strong, every)


def _order_problems(text: TextEdit, strong: int, every: int) -> Iterator[str | None]:
    own = text.lines
    for order in text.orders:
        a = Lines(order.a_change, order.a_index, 1)
        b = Lines(order.b_change, order.b_index, 1)
        if a == b or not (_in_range(a, 0, strong, own) and _in_range(b, 0, strong, own)):
            yield "an order names lines that are not of a dependency, or one line twice"
        if order.inside not in (0, 1):
            yield "an order is inside or it is not"
    if any(not 1 <= u.change <= every or u.position < 0 for u in text.unorders):
        yield "an order that no longer counts is not listed"
    for settle in text.settles:
        refs = (settle.deletion, *(() if settle.keeper is None else (settle.keeper,)))
        if not _in_range(settle.lines, 0, every, own):
            yield "a settle names lines that are not listed"
        if any(not 0 <= ref <= every for ref in refs):
            yield "a settle names a change that is not listed"
    if not all(_in_range(keep, 0, every, own) for keep in text.keeps):
        yield "a keep names lines that are not listed"
