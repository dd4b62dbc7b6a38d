"""The files of a state as a tar or zip archive (spec: command-line, L68).

The same state gives the same bytes: files in order of their paths, all of the time of the
newest change, of nobody in particular. Archives are made piece by piece as they are taken.
"""

import os
import tarfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from oxy.typed import TYPE_CHECKING, Final, NamedTuple

from oxy.actions.paths import is_asked
from oxy.actions.tree import files_at
from oxy.errors import RequestError
from oxy.model.operation import KIND_BINARY, KIND_SUBREPO, KIND_SYMLINK
from oxy.model.pathrule import path_refusal
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.tree import Directory, Entry, disputed
from oxy.repo.trees import tree_of
from oxy.worktree.content import Content
from oxy.worktree.item import UNHASHED, Item

if TYPE_CHECKING:
    from zipfile import ZipInfo

FORMATS: Final = {".tar": "tar", ".tar.gz": "tar.gz", ".tgz": "tar.gz", ".zip": "zip"}
"""The formats by the endings of files."""

SHOWN: Final = 10
"""Most paths that an error names."""

_BLOCK: Final = 512
_RECORD: Final = 20 * _BLOCK
_GZIP: Final = 31
_FIRST_ZIP_YEAR: Final = 1980
_LAST_ZIP_YEAR: Final = 2107


class InConflictError(RequestError):
    """A state in conflict has no files to give away."""

    def __init__(self, paths: Sequence[bytes]) -> None:
        named = ", ".join(os.fsdecode(path) for path in paths[:SHOWN])
        more = f" and {len(paths) - SHOWN} more" if len(paths) > SHOWN else ""
        super().__init__(f"the state is in conflict: {named}{more}")
        self.paths = tuple(paths)


class PrefixError(RequestError):
    """What is to stand before the paths would lead out of where an archive is unpacked."""

    def __init__(self, prefix: bytes, reason: str) -> None:
        super().__init__(f"prefix {os.fsdecode(prefix)} {reason}")
        self.prefix = prefix
        self.reason = reason


class UnzippableNameError(RequestError):
    """A zip archive has names in UTF-8 only."""

    def __init__(self, path: bytes) -> None:
        super().__init__(f"{os.fsdecode(path)} is not UTF-8, as names in a zip archive are")
        self.path = path


class Member(NamedTuple):
    """A file of an archive: its path there, its kind, whether it is executable, its bytes."""

    path: bytes
    is_link: bool
    executable: bool
    size: int
    chunks: Iterable[bytes]

    @property
    def mode(self) -> int:
        """The permissions that it is unpacked with."""
        return 0o777 if self.is_link else 0o755 if self.executable else 0o644


class Request(NamedTuple):
    """What to archive: a state, paths in it (none: everything), and what comes before them."""

    state: Name
    paths: tuple[bytes, ...] = ()
    prefix: bytes = b""


Held = Callable[[bytes, Entry], bytes | None]
"""Returns the content of a file where that is at hand; see `oxy.worktree.vouched`."""


def archive(
    repository: Repository, request: Request, kind: str, at_hand: Held = lambda *_: None
) -> Iterator[bytes]:
    """Return an archive in pieces, of the kind `tar`, `tar.gz` or `zip`.

    What is refused is refused at once, before the first piece. Subrepos are left out.
    Cost: reading every file; memory for one text, or a piece of a binary.

    Raises:
        InConflictError: a file that is asked for is in conflict.
        NoPathError: the state has nothing at a path.
        PrefixError: the prefix leads elsewhere.
        UnzippableNameError: a name does not go into a zip.
    """
    root = tree_of(repository, request.state)
    wanted = _wanted(root, request, kind)
    members = _members(repository, wanted, request, at_hand)
    seconds = _newest(repository, request.state)
    if kind == "zip":
        return _zipped(members, seconds)
    made = _tarred(members, seconds)
    return _gzipped(made) if kind == "tar.gz" else made


def _wanted(root: Directory, request: Request, kind: str) -> list[tuple[bytes, Entry]]:
    """Return the files to archive, unless they may not be."""
    reason = path_refusal(request.prefix.removesuffix(b"/")) if request.prefix else None
    if reason is not None:
        raise PrefixError(request.prefix, reason)
    wanted = files_at(root, request.paths)
    found = [path for path, _ in disputed(root) if is_asked(path, request.paths)]
    if found:
        raise InConflictError(found)
    if kind == "zip":
        for path, _ in wanted:
            if not _is_utf8(request.prefix + path):
                raise UnzippableNameError(path)
    return wanted


def _is_utf8(path: bytes) -> bool:
    try:
        path.decode()
    except UnicodeDecodeError:
        return False
    return True


def _members(
    repository: Repository,
    wanted: Sequence[tuple[bytes, Entry]],
    request: Request,
    at_hand: Held,
) -> Iterator[Member]:
    content = Content(repository, request.state)
    for path, entry in wanted:
        if entry.kind == KIND_SUBREPO:
            continue
        item = Item(entry.node, entry.kind, entry.mode, entry.digest or UNHASHED)
        is_link = entry.kind == KIND_SYMLINK
        name = request.prefix + path
        data = at_hand(path, entry)
        if data is None and item.kind == KIND_BINARY:
            chunks: Iterable[bytes] = content.chunks(item)
            yield Member(name, is_link, bool(entry.mode), content.size(item), chunks)
        else:
            data = content.read(item) if data is None else data
            yield Member(name, is_link, bool(entry.mode), len(data), (data,))


def _newest(repository: Repository, state: Name) -> int:
    """Return when the newest change was made, in seconds; what is before 1970 is 1970."""
    times = [repository.header(change).time.microseconds for change in state.heads]
    return max(0, max(times, default=0) // 1_000_000)


def _tarred(members: Iterable[Member], seconds: int) -> Iterator[bytes]:
    done = 0
    for member in members:
        header = tarfile.TarInfo(os.fsdecode(member.path))
        header.mode, header.mtime = member.mode, seconds
        chunks = member.chunks
        if member.is_link:
            header.type = tarfile.SYMTYPE
            header.linkname = os.fsdecode(b"".join(chunks))
            chunks = ()
        else:
            header.size = member.size
        block = header.tobuf(tarfile.GNU_FORMAT, "utf-8", "surrogateescape")
        yield block
        yield from chunks
        padding = bytes(-header.size % _BLOCK)
        yield padding
        done += len(block) + header.size + len(padding)
    yield bytes(2 * _BLOCK + -(done + 2 * _BLOCK) % _RECORD)


def _gzipped(pieces: Iterable[bytes]) -> Iterator[bytes]:
    deflater = zlib.compressobj(wbits=_GZIP)
    for piece in pieces:
        made = deflater.compress(piece)
        if made:
            yield made
    yield deflater.flush()


class _Sink:
    """Takes what a zip archive is made of, until somebody wants it."""

    __slots__ = ("_held",)

    def __init__(self) -> None:
        self._held: list[bytes] = []

    def write(self, data: bytes) -> int:
        """Take bytes."""
        self._held.append(bytes(data))
        return len(data)

    def flush(self) -> None:
        """Do nothing: they are taken as they come."""

    def close(self) -> None:
        """Do nothing: what is left is taken still."""

    def taken(self) -> bytes:
        """Return what was written since the last time."""
        made = b"".join(self._held)
        self._held.clear()
        return made


def _zipped(members: Iterable[Member], seconds: int) -> Iterator[bytes]:
    from zipfile import ZIP_DEFLATED, ZipFile

    sink = _Sink()
    with ZipFile(sink, "w", ZIP_DEFLATED) as made:
        for member in members:
            with made.open(_zip_header(member, seconds), "w") as file:
                for chunk in member.chunks:
                    file.write(chunk)
                    yield sink.taken()
            yield sink.taken()
    yield sink.taken()


def _zip_header(member: Member, seconds: int) -> "ZipInfo":
    import stat
    from time import gmtime
    from zipfile import ZIP_DEFLATED, ZipInfo

    at = gmtime(seconds)
    year = max(_FIRST_ZIP_YEAR, min(_LAST_ZIP_YEAR, at.tm_year))
    header = ZipInfo(member.path.decode(), (year, *at[1:6]))
    header.compress_type = ZIP_DEFLATED
    header.create_system = 3  # Unix, so that modes count
    header.file_size = member.size
    kind = stat.S_IFLNK if member.is_link else stat.S_IFREG
    header.external_attr = (kind | member.mode) << 16
    return header
