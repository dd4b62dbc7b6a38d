"""Git trees that were written last, each put together from the one before (spec: GB17).

A commit changes a few entries of a directory that may have thousands. What comes out is a guess
until its id is the expected one.
"""

from collections import OrderedDict
from typing import Final

from oxy.repo.tree import Child, Directory
from oxy_git.reader.trees import line_of, tree_id, written

BYTES: Final = 4 << 20
"""Bytes of trees that are remembered."""


class RawTrees:
    """Trees by their ids, the latest used."""

    __slots__ = ("_bytes", "_known")

    def __init__(self) -> None:
        self._known: OrderedDict[bytes, bytes] = OrderedDict()
        self._bytes = 0

    def is_written_as(self, directory: Directory, old: Directory | None, oid: bytes) -> bool:
        """Return whether the Git tree of a directory has an id.

        Args:
            directory: the directory, whose subdirectories are marked.
            old: what it was before, if it was there.
            oid: the id.

        Cost: a glance at each entry, and the bytes; where it is not known how the old one is
        written, or names came or went, each entry is written.
        """
        data = self._spliced(directory, old) if old is not None else None
        if data is None or tree_id(data) != oid:
            data = written(directory)
            if tree_id(data) != oid:
                return False
        self._put(oid, data)
        return True

    def _spliced(self, directory: Directory, old: Directory) -> bytes | None:
        """Return the tree of an old directory with what differs replaced, if that is known."""
        data = self._known.get(old.mark or b"")
        before = old.entries if data is not None else {}
        if data is None or len(before) != len(directory.entries):
            return None
        for name, child in directory.entries.items():
            was = before.get(name)
            if was is child:
                continue
            if was is None or _is_placed_anew(was, child):
                return None
            data = data.replace(line_of(name, was), line_of(name, child), 1)
        return data

    def _put(self, oid: bytes, data: bytes) -> None:
        if oid in self._known:
            self._known.move_to_end(oid)
            return
        self._known[oid] = data
        self._bytes += len(data)
        while self._bytes > BYTES and len(self._known) > 1:
            self._bytes -= len(self._known.popitem(last=False)[1])


def _is_placed_anew(was: Child, child: Child) -> bool:
    """Return whether a name may stand elsewhere: Git sorts that of a directory with a slash."""
    return isinstance(was, Directory) != isinstance(child, Directory)
