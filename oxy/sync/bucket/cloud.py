"""Buckets of S3 and containers of Azure as a store of objects (spec: sync, SY22, SY94).

Through obstore, the Python face of Rust's object_store: one way of speaking with both, with
writing only what is not there, its own retries, and wheels that need nothing else. Loaded only
where such an address is used. Credentials come from the environment or from the machine that
one is on, as that library finds them; an address has none.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from oxy.typed import TYPE_CHECKING, Final, TypeVar

import obstore
from obstore import exceptions
from obstore.store import AzureStore, S3Store

from oxy.errors import OxyError, StateError
from oxy.sync.address import Store
from oxy.sync.bucket.objects import DeniedError, Listed, NoBucketError
from oxy.sync.errors import LostError
from oxy.sync.shelf import File

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from obstore.store import ClientConfig, RetryConfig

_AT_ONCE: Final = 16 << 20
"""Bytes of an object that are sent, or come, with one request; sent so, it can only create."""

_PART: Final = 8 << 20
"""Bytes of the parts of one that is longer."""

_NO_BUCKET: Final = ("NoSuchBucket", "ContainerNotFound")
_RETRIES: "Final[RetryConfig]" = {"max_retries": 4, "retry_timeout": timedelta(seconds=60)}
_DENIED: Final = (exceptions.PermissionDeniedError, exceptions.UnauthenticatedError)
_REFUSED: Final = ("status code: 401", "status code: 403")

_MACHINE: Final = "169.254.169.254"
"""Where a machine in a cloud is asked for its own credentials, when none are set."""

_WORDS: Final = 300
_LISTED: Final = 1000
Got = TypeVar("Got")


class SettingError(StateError):
    """What the environment says of an object store is not understood."""

    def __init__(self, words: str) -> None:
        super().__init__(f"the settings of the object store are not understood: {words}")
        self.words = words


class Cloud:
    """A bucket or container, below a prefix, as Objects."""

    __slots__ = ("_address", "_store")

    def __init__(self, store: S3Store | AzureStore, address: str) -> None:
        self._store = store
        self._address = address

    @classmethod
    def at(cls, where: Store) -> "Cloud":
        """Begin to use what an address means; nothing is asked yet.

        Raises:
            SettingError: the environment says something of it that is not understood.
        """
        import os

        bucket, path = where.bucket.decode(), os.fsdecode(where.path)
        make, allowed = _KINDS[where.scheme]
        options: ClientConfig = {"timeout": "120s", "connect_timeout": "30s"}
        options["allow_http"] = os.environ.get(allowed, "").lower() == "true"
        try:
            store = make(
                bucket, prefix=path or None, client_options=options, retry_config=_RETRIES
            )
        except (exceptions.BaseError, ValueError) as error:
            raise SettingError(_words(str(error))) from error
        return cls(store, f"{where.scheme}://{bucket}" + (path and f"/{path}"))

    def open(self, name: str) -> File | None:
        """See Objects."""
        with self._asking():
            found = self._there(lambda: obstore.get(self._store, name))
            if found is None:
                return None
            size = found.meta["size"]
            # A request may take its time, but not for ever; so what is long takes several.
            pieces = (
                map(bytes, found.stream()) if size <= _AT_ONCE else self._ranges(name, size)
            )
            return _Coming(pieces, self._asking)

    def _ranges(self, name: str, size: int) -> Iterator[bytes]:
        for start in range(0, size, _PART):
            end = min(start + _PART, size)
            yield bytes(obstore.get_range(self._store, name, start=start, end=end))

    def create(self, name: str, file: File, size: int) -> bool:
        """See Objects; what is longer has to have a name that nobody else has."""
        with self._asking():
            try:
                if size <= _AT_ONCE:
                    data = file.read(size)
                    obstore.put(self._store, name, data, mode="create", use_multipart=False)
                else:
                    obstore.put(self._store, name, iter(lambda: file.read(_PART), b""))
            except (exceptions.AlreadyExistsError, exceptions.PreconditionError):
                return False
        return True

    def replace(self, name: str, data: bytes) -> None:
        """See Objects."""
        with self._asking():
            obstore.put(self._store, name, data, use_multipart=False)

    def names(self, under: str, after: str = "") -> Iterator[Listed]:
        """See Objects."""
        found = obstore.list(self._store, under, offset=after or None, chunk_size=_LISTED)
        while True:
            with self._asking():
                some = next(found, None)
            if some is None:
                return
            for each in some:
                # Not every store that speaks as another does knows where a list is to begin.
                if each["path"] > after:
                    written = each["last_modified"].timestamp()
                    yield Listed(each["path"], each["size"], written)

    def delete(self, name: str) -> None:
        """See Objects."""
        with self._asking():
            self._there(lambda: obstore.delete(self._store, name))

    def written(self, name: str) -> float | None:
        """See Objects."""
        with self._asking():
            found = self._there(lambda: obstore.head(self._store, name))
            return None if found is None else found["last_modified"].timestamp()

    @staticmethod
    def _there(ask: Callable[[], Got]) -> Got | None:
        """Return what is asked of an object; None where there is none, but its bucket."""
        try:
            return ask()
        except FileNotFoundError as error:
            if any(word in str(error) for word in _NO_BUCKET):
                raise
            return None

    @contextmanager
    def _asking(self) -> Iterator[None]:
        """Say in our own words why something was not done."""
        try:
            yield
        except (exceptions.BaseError, OSError) as error:
            raise self._told(error, str(error)) from None

    def _told(self, error: Exception, said: str) -> OxyError:
        if any(word in said for word in _NO_BUCKET):
            return NoBucketError(self._address)
        if _MACHINE in said:
            words = "no credentials are set, and this machine has none"
            return DeniedError(words)
        # Of a list that is refused no class of error tells.
        if isinstance(error, _DENIED) or any(word in said for word in _REFUSED):
            return DeniedError(_words(said))
        return LostError(_words(said))


_KINDS: "Final[dict[str, tuple[type[S3Store | AzureStore], str]]]" = {
    "s3": (S3Store, "AWS_ALLOW_HTTP"),
    "az": (AzureStore, "AZURE_ALLOW_HTTP"),
}
"""What speaks with a kind of store, and what allows it to do so without https."""


class _Coming:
    """An object on its way."""

    __slots__ = ("_pieces", "_rest", "_translated")

    def __init__(
        self,
        pieces: Iterator[bytes],
        translated: "Callable[[], AbstractContextManager[None]]",
    ) -> None:
        self._pieces = pieces
        self._translated = translated
        self._rest = memoryview(b"")

    def read(self, size: int) -> bytes:
        """Return at most so many bytes, none only at the end."""
        while not self._rest:
            with self._translated():
                piece = next(self._pieces, None)
            if piece is None:
                return b""
            self._rest = memoryview(piece)
        data, self._rest = bytes(self._rest[:size]), self._rest[size:]
        return data

    def close(self) -> None:
        """Read no more of it."""
        self._pieces = iter(())


def _words(said: str) -> str:
    """Return what a client says, without what an address may have to keep secret."""
    import re

    return re.sub(r"\?[^ ]*", "", said.split("\n", 1)[0])[:_WORDS]
