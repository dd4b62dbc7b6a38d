"""Let a directory hold a repository as files for any web server (spec: sync, SY56, SY60)."""

import os
from collections.abc import Sequence

from oxy.actions.near import alike
from oxy.errors import RequestError
from oxy.progress import Progress
from oxy.repo.place import CONTROL
from oxy.repo.refs import BOOKMARK, HERE
from oxy.repo.repository import Repository
from oxy.sync.endpoint import Offered, Stored
from oxy.sync.folder import Folder
from oxy.sync.publishing import Published
from oxy.sync.publishing import publish as write


class NoBookmarkToPublishError(RequestError):
    """There is no bookmark of that name; `near` look like it."""

    def __init__(self, name: bytes, near: tuple[str, ...]) -> None:
        super().__init__(f"there is no bookmark '{os.fsdecode(name)}': nothing to publish")
        self.name = name
        self.near = near


class PublishInsideError(RequestError):
    """A repository is to be published inside of what oxy keeps of it."""

    def __init__(self, directory: bytes) -> None:
        super().__init__(
            f"{os.fsdecode(directory)} is inside of {os.fsdecode(CONTROL)}: "
            "a web server is to hand out nothing of that"
        )
        self.directory = directory


def publish(
    repository: Repository, directory: bytes, bookmarks: Sequence[bytes], progress: Progress
) -> Published:
    """Let a directory hold bookmarks and tags, with all that they reach, and nothing else.

    Args:
        repository: what is published.
        directory: where to; made if it is not there, and added to if it is.
        bookmarks: which bookmarks, and no tags; none is all of both.
        progress: told of each change.

    Cost: what is new there, and the ids of all that is published.

    Raises:
        NoBookmarkToPublishError: there is none that is called so.
        PublishInsideError: the directory is of the repository itself.
        OSError: it cannot be written.
    """
    root = os.path.realpath(directory)
    if CONTROL in root.split(b"/"):
        raise PublishInsideError(root)
    known = repository.refs.names(BOOKMARK)
    for name in bookmarks:
        if name not in known:
            raise NoBookmarkToPublishError(name, alike(name, known))
    names = [each for each in Stored(repository).refs() if _is_meant(each, bookmarks)]
    here = repository.refs.get(HERE)
    on = here.bookmark if here else None
    current = on if any(on == each.name and each.kind == BOOKMARK for each in names) else None
    return write(repository, Folder(root), names, current or b"", progress)


def _is_meant(each: Offered, bookmarks: Sequence[bytes]) -> bool:
    return not bookmarks or (each.kind == BOOKMARK and each.name in bookmarks)
