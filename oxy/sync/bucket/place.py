"""The store of objects that an address means (spec: sync, SY22, SY94)."""

import os

from oxy.errors import RequestError, StateError
from oxy.repo.place import CONTROL
from oxy.sync.address import Store
from oxy.sync.bucket.objects import Objects


class NoClientError(StateError):
    """A bucket is to be used, and what speaks with one is not installed."""

    def __init__(self, scheme: str) -> None:
        super().__init__(f"{scheme}:// needs obstore, which is not installed")
        self.scheme = scheme


class NotABucketError(RequestError):
    """A repository is at an address that means a bucket."""

    def __init__(self, path: bytes) -> None:
        super().__init__(f"{os.fsdecode(path)} is a repository, not a bucket")
        self.path = path


def objects_at(where: Store) -> Objects:
    """Return the objects at an address.

    Raises:
        NoBucketError: there is no such directory.
        NotABucketError: it has a repository in it.
        NoClientError: the client of object stores is not installed.
        SettingError: what the environment says of it is not understood.
    """
    if where.scheme == "file":
        from oxy.sync.bucket.directory import Directory

        if os.path.lexists(os.path.join(where.path, CONTROL)):
            raise NotABucketError(where.path)
        return Directory(where.path)
    try:
        from oxy.sync.bucket.cloud import Cloud
    except ModuleNotFoundError as error:
        raise NoClientError(where.scheme) from error
    return Cloud.at(where)
