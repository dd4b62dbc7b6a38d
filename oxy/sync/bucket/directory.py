"""A directory as a store of objects (spec: sync, SY22): `file://`, also on a shared disk.

An object is written beside and linked into its place: a link to a name that is taken fails, on
every file system and also over a network. What is acknowledged has been synced.
"""

import os
from collections.abc import Iterator
from contextlib import suppress
from oxy.typed import TYPE_CHECKING, Final

from oxy.sync.bucket.objects import PIECE, DeniedError, Listed, NoBucketError
from oxy.sync.errors import LostError

if TYPE_CHECKING:
    from oxy.sync.shelf import File

_PART: Final = ".part"


class Directory:
    """A directory of this machine, or one that it sees, as Objects."""

    __slots__ = ("_root",)

    def __init__(self, root: bytes) -> None:
        """Begin to use a directory, which has to be there.

        Raises:
            NoBucketError: it is not.
        """
        self._root = os.fsdecode(root)
        if not os.path.isdir(root):
            raise NoBucketError(self._root)

    def open(self, name: str) -> "File | None":
        """See Objects."""
        try:
            return open(self._path(name), "rb")
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise _said(error) from error

    def create(self, name: str, file: "File", size: int) -> bool:
        """See Objects."""
        del size
        path = self._path(name)
        try:
            beside = self._beside(path, file)
            try:
                os.link(beside, path)
            except FileExistsError:
                return False
            finally:
                os.unlink(beside)
            _sync(os.path.dirname(path))
        except OSError as error:
            raise _said(error) from error
        return True

    def replace(self, name: str, data: bytes) -> None:
        """See Objects."""
        import io

        path = self._path(name)
        try:
            os.replace(self._beside(path, io.BytesIO(data)), path)
            _sync(os.path.dirname(path))
        except OSError as error:
            raise _said(error) from error

    def _beside(self, path: str, file: "File") -> str:
        """Write a file with a name that nobody else has, and return it."""
        self._make(os.path.dirname(path))
        beside = f"{path}.{os.urandom(8).hex()}{_PART}"
        try:
            with open(beside, "xb") as target:
                while data := file.read(PIECE):
                    target.write(data)
                target.flush()
                os.fsync(target.fileno())
        except BaseException:
            with suppress(OSError):
                os.unlink(beside)
            raise
        return beside

    def _make(self, directory: str) -> None:
        """Make a directory and those above it, so that they stay."""
        if os.path.isdir(directory):
            return
        above = os.path.dirname(directory)
        self._make(above)
        with suppress(FileExistsError):
            os.mkdir(directory)
        _sync(above)

    def names(self, under: str, after: str = "") -> Iterator[Listed]:
        """See Objects."""
        try:
            found = sorted(os.scandir(self._path(under)), key=lambda each: each.name)
        except (FileNotFoundError, NotADirectoryError):
            return
        except OSError as error:
            raise _said(error) from error
        for each in found:
            name = f"{under}/{each.name}"
            if each.is_dir(follow_symlinks=False):
                yield from self.names(name, after)
            elif name > after and (listed := _listed(name, each)):
                yield listed

    def delete(self, name: str) -> None:
        """See Objects."""
        try:
            with suppress(FileNotFoundError):
                os.unlink(self._path(name))
        except OSError as error:
            raise _said(error) from error

    def written(self, name: str) -> float | None:
        """See Objects."""
        try:
            return os.stat(self._path(name)).st_mtime
        except FileNotFoundError:
            return None
        except OSError as error:
            raise _said(error) from error

    def _path(self, name: str) -> str:
        return os.path.join(self._root, name)


def _listed(name: str, each: "os.DirEntry[str]") -> Listed | None:
    # Another process may have removed it meanwhile.
    with suppress(FileNotFoundError):
        found = each.stat(follow_symlinks=False)
        return Listed(name, found.st_size, found.st_mtime)
    return None


def _sync(directory: str) -> None:
    """Let the entries of a directory survive a loss of power."""
    handle = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _said(error: OSError) -> DeniedError | LostError:
    words = f"{error.strerror or error} ({error.filename})"
    return DeniedError(words) if isinstance(error, PermissionError) else LostError(words)
