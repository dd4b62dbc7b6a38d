"""Walk the working copy: names and stats, one stat a file (spec: working-copy, W8 to W11).

Nothing is opened but directories and ignore files, and no symlink is followed. Names that the
base state tracks are taken as they are; only the others are held against the ignore rules and
the path rule.
"""

import errno
import os
import stat
from collections.abc import Iterator, Sequence
from oxy.typed import Final, NamedTuple

from oxy.model.pathrule import path_refusal
from oxy.worktree.descent import Descent
from oxy.worktree.ignore import Ignore
from oxy.worktree.listing import RECORD, TEMPORARY, Listing, Oddity, UnreadableError, pack
from oxy.worktree.looking import is_refused, is_special, status_of, under
from oxy.worktree.span import WHOLE, Span
from oxy.worktree.tracked import Tracked
from oxy.worktree.tracking import NOTHING, Noted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from oxy.worktree.sparse import Sparse

_OWN: Final = frozenset({b".oxy", b".git"})
_IGNORED: Final = "is ignored"
_UNTRACKED: Final = "is untracked"
_NESTED: Final = "is a repository of its own"
_OUTSIDE: Final = "is outside of what this working copy has"
_LEFTOVER: Final = "was left by an interrupted checkout"

# Where the top nibble of the mode lies in a record, and what it is for files and symlinks.
_KIND_AT: Final = RECORD.size - 3
_KINDS: Final = frozenset({stat.S_IFREG >> 12, stat.S_IFLNK >> 12})


class Rules(NamedTuple):
    """What is said of paths beside the ignore rules; and whether what is left out is told.

    Where it `forgives`, a directory or file that the system does not show is passed over.
    `sparse` is which files of a state are here, if not all.
    """

    noted: Noted = NOTHING
    tells: bool = False
    forgives: bool = False
    sparse: "Sparse | None" = None


PLAIN: Final = Rules()


def walk(
    root: int,
    tracked: Tracked,
    only: Sequence[bytes] | None = None,
    span: Span = WHOLE,
    rules: Rules = PLAIN,
) -> Iterator[Listing]:
    """Yield the directories from the descriptor of the root, parents first, by path.

    `only` restricts the walk to these paths: a directory stands for all that is in it, anything
    else is looked for by itself. A directory that is not there any more is not yielded. `span`
    restricts a walk of the whole tree. A file that is named is listed though it is ignored.

    Cost: one stat a file that is not ignored, one open and one read a directory.

    Raises:
        UnreadableError: a directory or a file in it cannot be looked at, and that is not
            forgiven; else it is listed as if nothing in it had been asked about.
        IgnoreFileTooLargeError: an ignore file is over the limit.
    """
    walker = _Walk(root, tracked, rules)
    try:
        if only is None or b"" in only:
            yield from walker.below(b"", ignored=False, span=span)
        else:
            yield from map(_refused, filter(path_refusal, sorted(set(only))))
            allowed = [path for path in only if path_refusal(path) is None]
            for directory, names in _by_directory(allowed).items():
                yield from walker.asked(directory, names)
    finally:
        walker.close()


def _refused(path: bytes) -> Listing:
    directory, _, name = path.rpartition(b"/")
    oddity = Oddity(path, "refused", path_refusal(path) or "")
    return Listing(directory, b"", b"", (oddity,), (name,))


def _by_directory(paths: Sequence[bytes]) -> dict[bytes, list[bytes]]:
    grouped: dict[bytes, list[bytes]] = {}
    taken: set[bytes] = set()
    for path in sorted(set(paths), key=lambda path: path.split(b"/")):
        directory, _, name = path.rpartition(b"/")
        parts = directory.split(b"/")
        if any(b"/".join(parts[:n]) in taken for n in range(1, len(parts) + 1)):
            continue
        taken.add(path)
        grouped.setdefault(directory, []).append(name)
    return grouped


class _Walk:
    __slots__ = ("_descent", "_forgives", "_noted", "_rules", "_sparse", "_tells", "_tracked")

    def __init__(self, root: int, tracked: Tracked, rules: Rules) -> None:
        self._descent = Descent(root)
        self._tracked = tracked
        self._noted, self._tells, self._forgives, self._sparse = rules
        self._rules = Ignore(self._read, _everywhere)

    def close(self) -> None:
        self._descent.close()

    def below(self, start: bytes, *, ignored: bool, span: Span = WHOLE) -> Iterator[Listing]:
        """Yield this directory and all below it; the rules stand at its parent."""
        pending = [(start, ignored)]
        while pending:
            path, ignored = pending.pop()
            place = "in" if span is WHOLE else span.place(path)
            found = None if place == "out" else self._found(path, ignored=ignored)
            if found is None:
                continue
            listing, children = found
            if place == "in":
                yield listing
            pending += reversed(children)

    def _found(
        self, path: bytes, *, ignored: bool
    ) -> tuple[Listing, list[tuple[bytes, bool]]] | None:
        """Return a directory and those in it, or None if it has gone."""
        try:
            entries = self._entries(path)
            return entries and self._list(path, *entries, ignored=ignored)
        except UnreadableError as error:
            if not self._forgives:
                raise
            return Listing(path, b"", b"", (error.forgiven(path + b"/"),), ()), []

    def _entries(self, path: bytes) -> tuple[list[str], list[str]] | None:
        """Return the names of files and of directories, or None if the directory has gone."""
        try:
            with os.scandir(self._descent.at(path)) as found:
                entries = list(found)
        except OSError as error:
            if _is_gone(error):
                return None
            raise UnreadableError(path, error) from error
        files: list[str] = []
        directories: list[str] = []
        for entry in entries:
            inside = entry.is_dir(follow_symlinks=False)
            (directories if inside else files).append(entry.name)
        return files, directories

    def _list(
        self, path: bytes, files: list[str], directories: list[str], *, ignored: bool
    ) -> tuple[Listing, list[tuple[bytes, bool]]]:
        oddities: list[Oddity] = []
        joined = _joined(files)
        subdirectories = _joined(directories).split(b"\0") if directories else []
        if path and (".git" in directories or ".oxy" in directories or _has_own(joined)):
            oddities.append(Oddity(path, "nested", _NESTED))
            if not self._tracked.holds(path):
                return Listing(path, b"", b"", tuple(oddities)), []
            # What is tracked in there stays so; nothing else in there is ours.
            ignored = True
        self._rules.enter(path, _for_rules(joined, subdirectories), ignored=ignored)
        if self._noted or joined != self._tracked.names(path):
            joined = self._sift(path, joined, oddities)
        stats = self._stats(path, joined)
        if stats is None:
            joined, stats = self._stats_one_by_one(path, joined, oddities)
        children = self._children(path, subdirectories, oddities)
        return Listing(path, joined, stats, tuple(oddities)), children

    def _sift(self, path: bytes, joined: bytes, oddities: list[Oddity]) -> bytes:
        """Return the names without those that are not tracked and may not be."""
        known = frozenset(self._tracked.names(path).split(b"\0"))
        names = joined.split(b"\0") if joined else []
        if not self._noted:
            kept = [name for name in names if name in known or self._may(path, name, oddities)]
            return b"\0".join(kept)
        said = {name: self._noted.says(under(path, name)) for name in names}
        kept = [
            name
            for name in names
            if (name in known and said[name] is not False)
            or self._may(path, name, oddities, said=said[name])
        ]
        return b"\0".join(kept)

    def _may(
        self, path: bytes, name: bytes, oddities: list[Oddity], *, said: bool | None = None
    ) -> bool:
        """Tell whether a name that is not tracked may be; `said` is what was noted of it."""
        if name in _OWN:
            return False
        if name.startswith(TEMPORARY):
            oddities.append(Oddity(under(path, name), "leftover", _LEFTOVER))
            return False
        if self._sparse is not None and not self._sparse.holds(under(path, name)):
            oddities.append(Oddity(under(path, name), "outside", _OUTSIDE))
            return False
        if said is None and self._rules.ignored(name, is_directory=False):
            self._tell(under(path, name), "ignored", oddities)
            return False
        if said is False:
            self._tell(under(path, name), "untracked", oddities)
            return False
        return not is_refused(path, name, oddities)

    def _tell(self, path: bytes, kind: str, oddities: list[Oddity]) -> None:
        if self._tells:
            oddities.append(Oddity(path, kind, _REASONS[kind]))

    def _children(
        self, path: bytes, names: list[bytes], oddities: list[Oddity]
    ) -> list[tuple[bytes, bool]]:
        children: list[tuple[bytes, bool]] = []
        for name in names:
            if name in _OWN:
                continue
            child = under(path, name)
            said = self._noted.says(child) if self._noted else None
            ignored = said is None and self._rules.ignored(name, is_directory=True)
            if said is False and not self._noted.holds(child):
                self._tell(child + b"/", "untracked", oddities)
                continue
            if ignored and not (self._tracked.holds(child) or self._noted.holds(child)):
                self._tell(child + b"/", "ignored", oddities)
                continue
            if not is_refused(path, name, oddities, room=1):
                children.append((child, ignored))
        return children

    def _stats(self, path: bytes, joined: bytes) -> bytes | None:
        """Return the records; None if a name has gone or is not a file or symlink."""
        if not joined:
            return b""
        look, record = os.stat, RECORD.pack
        fd = self._descent.at(path)
        try:
            # Each stat is packed and dropped at once; kept, they wake the cycle collector.
            records = [
                record(
                    (s := look(name, dir_fd=fd, follow_symlinks=False)).st_size,
                    s.st_mtime_ns,
                    s.st_ctime_ns,
                    s.st_ino,
                    s.st_mode,
                )
                for name in joined.split(b"\0")
            ]
        except FileNotFoundError:
            return None
        except OSError as error:
            raise UnreadableError(path, error) from error
        stats = b"".join(records)
        kinds = {byte >> 4 for byte in set(stats[_KIND_AT :: RECORD.size])}
        return stats if kinds <= _KINDS else None

    def _stats_one_by_one(
        self, path: bytes, joined: bytes, oddities: list[Oddity]
    ) -> tuple[bytes, bytes]:
        names: list[bytes] = []
        records: list[bytes] = []
        for name in joined.split(b"\0"):
            status = status_of(path, name, self._descent.at(path))
            if status is None:
                continue
            if is_special(status, under(path, name), oddities):
                continue
            names.append(name)
            records.append(pack(status))
        return b"\0".join(names), b"".join(records)

    def asked(self, directory: bytes, names: list[bytes]) -> Iterator[Listing]:
        """Yield what is at these names of one directory, by themselves."""
        oddities: list[Oddity] = []
        missing = Listing(directory, b"", b"", asked=tuple(names))
        ignored = self._go_to(directory, oddities)
        if ignored is None:
            yield missing._replace(oddities=tuple(oddities))
            return
        found: list[bytes] = []
        records: list[bytes] = []
        children: list[tuple[bytes, bool]] = []
        for name in names:
            status = status_of(directory, name, self._descent.at(directory))
            if status is None or self._is_out(directory, name, status, oddities):
                continue
            if stat.S_ISDIR(status.st_mode):
                child = under(directory, name)
                said = self._noted.says(child)
                inside = said is None and self._rules.ignored(name, is_directory=True)
                children.append((child, inside))
            elif not is_special(status, under(directory, name), oddities):
                found.append(name)
                records.append(pack(status))
        yield Listing(
            directory, b"\0".join(found), b"".join(records), tuple(oddities), tuple(names)
        )
        for child, inside in children:
            yield from self.below(child, ignored=inside)

    def _go_to(self, directory: bytes, oddities: list[Oddity]) -> bool | None:
        """Bring the rules down to this directory; None if it is not there or not ours."""
        parts = directory.split(b"/") if directory else []
        ignored = False
        for depth in range(len(parts) + 1):
            path = b"/".join(parts[:depth])
            try:
                fd = self._descent.at(path)
            except OSError as error:
                if not _is_gone(error):
                    raise UnreadableError(path, error) from error
                return None
            if path and any(status_of(path, own, fd) is not None for own in _OWN):
                oddities.append(Oddity(path, "nested", _NESTED))
                if not self._tracked.holds(path):
                    return None
                ignored = True
            if path:
                ignored = ignored or self._rules.ignored(parts[depth - 1], is_directory=True)
            self._rules.enter(path, _ALWAYS, ignored=ignored)
        return ignored

    def _is_out(
        self, directory: bytes, name: bytes, status: os.stat_result, oddities: list[Oddity]
    ) -> bool:
        path = under(directory, name)
        inside = stat.S_ISDIR(status.st_mode)
        said = self._noted.says(path) if self._noted else None
        if said is False and not (inside and self._noted.holds(path)):
            if not self._is_tracked(directory, name, path):
                oddities.append(Oddity(path, "untracked", _UNTRACKED))
            return True
        if said is not None or not inside or self._is_tracked(directory, name, path):
            return False
        if self._rules.ignored(name, is_directory=True) and not self._noted.holds(path):
            oddities.append(Oddity(path, "ignored", _IGNORED))
            return True
        return False

    def _is_tracked(self, directory: bytes, name: bytes, path: bytes) -> bool:
        tracked = self._tracked
        return tracked.holds(path) or name in tracked.names(directory).split(b"\0")

    def _read(self, path: bytes) -> bytes | None:
        """Read an ignore file, never through a symlink."""
        from oxy.worktree.patternfile import patterns_of

        try:
            directory = self._descent.at(path.rpartition(b"/")[0])
            return patterns_of(path, directory, os.O_NOFOLLOW)
        except OSError as error:
            if _is_gone(error):
                return None
            raise UnreadableError(path, error) from error


_ALWAYS: Final = (b".gitignore", b".oxyignore", b".git")
_REASONS: Final = {"ignored": _IGNORED, "untracked": _UNTRACKED}


def _everywhere() -> list[bytes]:
    from oxy.worktree.everywhere import patterns

    return patterns()


def _is_gone(error: OSError) -> bool:
    return error.errno in {errno.ENOENT, errno.ENOTDIR, errno.ELOOP}


def _joined(names: list[str]) -> bytes:
    joined = "\0".join(sorted(names))
    if joined.isascii():
        return joined.encode()
    # The order of code points is not that of bytes where a name is not UTF-8.
    return b"\0".join(sorted(os.fsencode("\0".join(names)).split(b"\0")))


def _has_own(joined: bytes) -> bool:
    return (b".git" in joined or b".oxy" in joined) and not _OWN.isdisjoint(joined.split(b"\0"))


def _for_rules(joined: bytes, directories: list[bytes]) -> Sequence[bytes]:
    names = joined.split(b"\0") if b"ignore" in joined else []
    return names + directories
