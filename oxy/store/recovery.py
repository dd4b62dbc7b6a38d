"""Indexing what segments hold and the database does not (spec: store, ST15, ST27).

After a crash, whole frames past the indexed end are indexed; only what is torn is cut off. A
database that is lost is made anew from the segments alone, beside its place, and moved there.
"""

import os
from collections.abc import Iterable
from contextlib import suppress
from oxy.typed import Final

from oxy.store.database import Database
from oxy.store.ends import wrong_end
from oxy.store.errors import (
    DatabaseDamagedError,
    SegmentDamagedError,
    StoreBusyError,
    StoreIOError,
)
from oxy.store.index import Index
from oxy.store.protocol import Durability, Identify, Reindex
from oxy.store.reader import Pending, Session
from oxy.store.scan import Assembler, Damage, Found, Sealed, scan, tail
from oxy.store.segment import SegmentFiles
from oxy.store.transaction import RowWriter
from oxy.store.writer import SegmentWriter, sync_path

WHOLE: Final = b".whole"
"""Ends the name of a database that is whole and takes the place of one that is gone."""


def recover(session: Session, reindex: Reindex, durability: Durability) -> None:
    """Index whole frames past the indexed end, and cut off the rest, under the writer lock.

    A crash at any point leaves this to be done again.

    Raises:
        SegmentDamagedError: the segment is shorter than what is indexed of it.
        DatabaseDamagedError: the index is wrong about where segments end.
        StoreIOError: the system refuses; nothing is indexed.
    """
    database, files = session.lookup.database, session.files
    begun = session.lookup.position()
    size = files.size(begun[0]) or 0
    if size < begun[1]:
        raise SegmentDamagedError(begun[0], f"{size} bytes are there, {begun[1]} are indexed")
    wrong = wrong_end(session)
    if wrong is not None:
        raise DatabaseDamagedError(database.path, wrong)
    files.forget()
    writer = SegmentWriter(files, begun)
    database.begin(durability)
    try:
        writer.adopt(_index_tail(session, reindex, begun))
        for segment, end in writer.ends().items():
            session.lookup.set_position(segment, end)
        database.commit()
    except BaseException as error:
        session.pending.drop()
        with suppress(StoreIOError, StoreBusyError):
            database.rollback()
        if isinstance(error, StoreIOError) and error.doing == "sync":
            # What could not be synced was never acknowledged and must not be taken for durable.
            writer.rollback()
        raise
    finally:
        session.pending.counts.clear()


def rebuild_database(
    directory: bytes, path: bytes, identify: Identify, reindex: Reindex, wait: float
) -> list[Damage]:
    """Make the database at `path` anew from the segments, under the writer lock.

    Cost: reads every segment once. The new database takes the old one's place only when whole.

    Returns:
        What is damaged in the segments; everything else is indexed.
    """
    fresh = path + b".new"
    for leftover in (fresh, fresh + b"-journal", path + WHOLE):
        _remove(leftover)
    database = Database.create(fresh, wait)
    session = Session(Index(database), SegmentFiles(directory), Pending(), identify)
    try:
        database.begin("fast")
        damaged = _index_all(session, reindex)
        database.commit()
    finally:
        session.files.forget()
        database.close()
    _install(fresh, path)
    return damaged


def is_unfinished(path: bytes) -> bool:
    """Tell whether a whole database waits to be put where none is."""
    return not os.path.lexists(path) and os.path.lexists(path + WHOLE)


def finish_install(path: bytes) -> bool:
    """Put a whole database in its place where that was interrupted, under the writer lock.

    Returns:
        Whether one is there now that was not.

    Raises:
        StoreIOError: the system refuses.
    """
    if not is_unfinished(path):
        return False
    try:
        _put_in_place(path)
    except OSError as error:
        raise StoreIOError.of(path, "replace", error) from error
    return True


def _index_tail(session: Session, reindex: Reindex, begun: tuple[int, int]) -> tuple[int, int]:
    """Index the valid tail; return where the last whole object in it ends."""
    assembler = Assembler()
    writer = RowWriter(session)
    good = begun
    for frame in tail(session.files, begun):
        items = assembler.feed(frame)
        found = [item for item in items if isinstance(item, Found)]
        if len(found) < len(items):
            break
        _index_found(writer, session, found, reindex)
        if not assembler.incomplete:
            good = frame.segment, frame.end
    session.pending.flush_rows(session.lookup)
    return good


def _index_all(session: Session, reindex: Reindex) -> list[Damage]:
    writer = RowWriter(session)
    damaged: list[Damage] = []
    for item in scan(session.files, session.identify):
        if isinstance(item, Damage):
            damaged.append(item)
        elif isinstance(item, Sealed):
            session.lookup.set_position(item.segment, item.end)
        else:
            _index_found(writer, session, (item,), reindex)
    session.pending.flush_rows(session.lookup)
    return damaged


def _index_found(
    writer: RowWriter, session: Session, found: Iterable[Found], reindex: Reindex
) -> None:
    for kind, object_id, place, payload in found:
        known = session.lookup.number_of(kind, object_id)
        if known is not None:
            # What was written again stays where it lies last: that is not replaced (ST29).
            session.lookup.move_objects([(kind, known, place)])
            continue
        number = writer.new_number(kind)
        session.lookup.add_objects([(kind, number, object_id, place)])
        reindex(writer, kind, number, object_id, payload)


def _install(fresh: bytes, path: bytes) -> None:
    """Put a whole database in its place.

    It is called whole first, by a name that `finish_install` knows. The old one goes then, and
    its journal after it: beside another database the journal would be played back into that,
    and without its journal the old database may be a torn one.
    """
    parent = os.path.dirname(path)
    sync_path(fresh)
    try:
        _remove(fresh + b"-journal")
        os.rename(fresh, path + WHOLE)
        sync_path(parent)
        _remove(path)
        sync_path(parent)
        _put_in_place(path)
    except OSError as error:
        raise StoreIOError.of(path, "replace", error) from error


def _put_in_place(path: bytes) -> None:
    parent = os.path.dirname(path)
    _remove(path + b"-journal")
    sync_path(parent)
    os.rename(path + WHOLE, path)
    sync_path(parent)


def _remove(path: bytes) -> None:
    with suppress(FileNotFoundError):
        os.unlink(path)
