"""Which file that a commit takes away became which that it brings (spec: git-bridge, GB6)."""

from typing import Final, NamedTuple

from oxy.diff.renames import Candidate, match_renames
from oxy.diff.similarity import Fingerprint, fingerprint
from oxy.model.operation import KIND_SUBREPO
from oxy.repo.tree import Entry
from oxy_git.importer.caches import Texts
from oxy_git.importer.content import Want
from oxy_git.reader.objects import object_id

_NOTHING: Final = object_id(b"blob", b"")


class Came(NamedTuple):
    """A path where a commit brings a file."""

    path: bytes
    want: Want


class Went(NamedTuple):
    """A path where a commit takes a file away."""

    path: bytes
    entry: Entry


def matched(gone: list[Went], new: list[Came], texts: Texts) -> dict[int, int]:
    """Return the positions of the files that moved, by the positions that they came to."""
    if not gone or not new:
        return {}
    pairs = match_renames(
        [_candidate(went.path, _blob_of(went.entry), texts) for went in gone],
        [_candidate(came.path, _blob_wanted(came.want), texts) for came in new],
    )
    return {pair.added: pair.removed for pair in pairs}


def _blob_of(entry: Entry) -> bytes:
    """Return the blob of a file; none for a pin, or where a conflict has none."""
    return b"" if entry.kind == KIND_SUBREPO else entry.digest


def _blob_wanted(want: Want) -> bytes:
    return b"" if want.is_submodule else want.oid


def _candidate(path: bytes, oid: bytes, texts: Texts) -> Candidate:
    def load() -> Fingerprint:
        return fingerprint(texts.get(oid) if oid else b"")

    return Candidate(path, b"" if oid == _NOTHING else oid, load)
