"""Write and remove the files as it was planned (spec: working-copy, writing)."""

from collections.abc import Iterator

from blake3 import blake3

from oxy.model.operation import KIND_SYMLINK
from oxy.phase import phase
from oxy.progress import Progress, watched
from oxy.worktree.carrying import Carried
from oxy.worktree.checkout import Plan
from oxy.worktree.content import Content
from oxy.worktree.item import UNHASHED, Item
from oxy.worktree.row import UNKNOWN
from oxy.worktree.writer import TreeWriter


def carry_out(
    root: int,
    todo: Plan,
    target: Content,
    progress: Progress | None = None,
    *,
    are_edits: bool = False,
) -> dict[bytes, tuple[Item, bytes] | None]:
    """Do what was planned; return what every path holds then, with the record of its file.

    A failure leaves some files as they were and some as they are to be. A file with a local
    edit is durable when this returns: nothing else may hold its bytes (W56). Others are in the
    store, and are not synced.

    Args:
        root: the descriptor of the working copy.
        todo: what is to be done.
        target: where what is written is read.
        progress: told of each file.
        are_edits: all that is written will be local edits.

    Raises:
        ChangedError: a file was written since it was looked at; it is left as it is.
        InTheWayError, UnwritableError: a file cannot be written.
    """
    known: dict[bytes, tuple[Item, bytes] | None] = {
        path: None if item is None else (item, UNKNOWN) for path, item in todo.ready
    }
    writer = TreeWriter(root)
    try:
        with phase("write"):
            for step in watched(todo.steps, len(todo.steps), "files", progress):
                if step.edit is not None:
                    _write_edit(writer, step.path, step.edit, step.over, target)
                    if step.item is not None:
                        known[step.path] = step.item, UNKNOWN
                elif step.item is not None:
                    item = step.item._replace(digest=UNHASHED)
                    chunks = target.chunks(item)
                    known[step.path] = put(
                        writer, step.path, item, step.over, chunks, is_only=are_edits
                    )
                else:
                    if step.over is not None:
                        writer.remove(step.path, over=step.over)
                    known[step.path] = None
            writer.sync_names()
    finally:
        writer.close()
    return known


def put(
    writer: TreeWriter,
    path: bytes,
    item: Item,
    over: bytes | None,
    chunks: Iterator[bytes],
    *,
    is_only: bool = False,
) -> tuple[Item, bytes]:
    """Write a file, and return it with its digest and its record.

    Args:
        writer: writes it.
        path: where.
        item: the file; its bytes are hashed where it does not tell their digest.
        over: the record of what is there, None for nothing.
        chunks: its bytes.
        is_only: whether it is to be durable (see `TreeWriter.write`).

    Raises:
        ChangedError, InTheWayError, UnwritableError: see `TreeWriter.write`.
    """
    if item.is_symlink:
        where = b"".join(chunks)
        record = writer.symlink(path, where, over=over)
        return item._replace(digest=blake3(where).digest()), record
    if item.digest != UNHASHED:
        return item, writer.write(path, chunks, executable=bool(item.mode), over=over)
    hasher = blake3()

    def hashed() -> Iterator[bytes]:
        for chunk in chunks:
            hasher.update(chunk)
            yield chunk

    executable = bool(item.mode)
    record = writer.write(path, hashed(), executable=executable, over=over, is_only=is_only)
    return item._replace(digest=hasher.digest()), record


def _write_edit(
    writer: TreeWriter, path: bytes, edit: Carried, over: bytes | None, target: Content
) -> None:
    held = edit.data or b""
    if edit.kind == KIND_SYMLINK:
        writer.symlink(path, target.read(edit.item) if edit.item else held, over=over)
        return
    chunks = target.chunks(edit.item) if edit.item else iter((held,))
    writer.write(path, chunks, executable=bool(edit.mode), over=over, is_only=True)
