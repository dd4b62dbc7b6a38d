"""What came from elsewhere, shown to people and as JSON (spec: command-line, pull, bundle)."""

from __future__ import annotations

from oxy.cli.outcome import by, counted, record_of, write
from oxy.cli.output import Styled
from oxy.model.change import subject
from oxy.model.digest import short

NAMES = 20
"""Most bookmarks of the other repository that are named."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from oxy.actions.joining import Joined
    from oxy.actions.landing import Landed, Merged
    from oxy.cli.listing import Shower
    from oxy.cli.output import Output
    from oxy.cli.records import Record, Scalar


def tell(out: Output, shower: Shower, landed: Landed, *, dry_run: bool) -> None:
    """Tell what came, from whom, and what it did."""
    if out.as_json:
        out.record(record_of_landed(shower, landed, dry_run=dry_run))
        return
    tell_changes(out, landed, "would come" if dry_run else "came")
    for name in landed.tags:
        out.line("tag ", name)
    for name in landed.other_tags:
        out.warning("tag ", name, " is another there; yours stays")
    for merged in landed.merged:
        is_shown = landed.joined is not None and landed.joined.bookmark == merged.bookmark
        tell_merged(out, merged, is_shown=is_shown)
    tell_names(out, landed)
    if landed.joined is not None:
        tell_joined(out, shower, landed, landed.joined)
    elif not (landed.came or landed.tags or any(map(does_something, landed.merged))):
        out.line("nothing new")
    if not dry_run:
        hint_at_rebase(out, landed)


def hint_at_rebase(out: Output, landed: Landed) -> None:
    """Say how one's own changes come to depend on what stands in for what they depend on."""
    replaced = {old for old, _ in landed.replaced}
    for merged in landed.merged:
        if not replaced.isdisjoint(merged.stays):
            there = merged.bookmark + b"@" + landed.remote
            out.note(
                "hint: `oxy rebase --onto ", there, "` puts yours on what stands in for them"
            )


def tell_joined(out: Output, shower: Shower, landed: Landed, joined: Joined) -> None:
    """Tell what became of the bookmark that the working copy is on, and of the files."""
    if landed.is_first:
        write(out, shower, ("started", "start"), joined, "")
    else:
        write(out, shower, ("merged", "merge"), joined, "into")


def tell_changes(out: Output, landed: Landed, came: str) -> None:
    """Tell which changes came, and which of them stand in for others."""
    if landed.came:
        out.line(counted(landed.came), f" {came}", *by(landed.authors))
    for arrival in landed.newest:
        out.line("  ", Styled("id", short(arrival.id)), " ", subject(arrival.header.message))
    if landed.came > len(landed.newest):
        out.line(f"  and {landed.came - len(landed.newest)} more")
    for old, new in landed.replaced:
        out.line("  ", Styled("id", short(new)), " stands in for ", Styled("id", short(old)))


def tell_names(out: Output, landed: Landed) -> None:
    """Tell by what names the other's bookmarks are known here that no own one followed."""
    followed = {merged.bookmark for merged in landed.merged}
    names = [name for name in landed.names if name not in followed]
    for name in names[:NAMES]:
        out.line("bookmark ", name, "@", landed.remote)
    if len(names) > NAMES:
        out.line(f"and {len(names) - NAMES} more bookmarks")


def does_something(merged: Merged) -> bool:
    """Tell whether anything became of a bookmark."""
    return bool(merged.is_new or merged.came or merged.gone or merged.stays)


def tell_merged(out: Output, merged: Merged, *, is_shown: bool) -> None:
    """Tell what became of a bookmark, if anything did.

    Of that which the working copy is on it is shown elsewhere how many changes came.
    """
    if does_something(merged) and not is_shown:
        made = " (new)" if merged.is_new else ""
        out.line(Styled("heading", merged.bookmark), made, ": ", counted(merged.came), " came")
    for name in merged.gone:
        out.line("  ", Styled("id", short(name)), " was taken back there, and is gone here too")
    for name in merged.stays:
        told = " was taken back there; it stays, for yours depend on it"
        out.line("  ", Styled("id", short(name)), told)


def record_of_landed(
    shower: Shower, landed: Landed, *, dry_run: bool
) -> dict[str, bytes | Scalar | Sequence[Scalar | Record]]:
    """Return what came for JSON; what became of the working copy is there where it moved."""
    record: dict[str, bytes | Scalar | Sequence[Scalar | Record]] = {
        "remote": landed.remote,
        "done": not dry_run,
        "came": landed.came,
        "authors": [{"author": each.name, "changes": each.changes} for each in landed.authors],
        "newest": [
            {"id": each.id.hex(), "author": each.header.author, "message": each.header.message}
            for each in landed.newest
        ],
        "replaced": [{"old": old.hex(), "new": new.hex()} for old, new in landed.replaced],
        "names": [{"name": name} for name in landed.names],
        "tags": [{"name": name} for name in landed.tags],
        "other_tags": [{"name": name} for name in landed.other_tags],
        "bookmarks": [
            {
                "name": each.bookmark,
                "created": each.is_new,
                "came": each.came,
                "gone": [name.hex() for name in each.gone],
                "stays": [name.hex() for name in each.stays],
            }
            for each in landed.merged
        ],
    }
    if landed.joined is not None:
        joined = record_of(shower, landed.joined)
        record |= {
            key: joined[key]
            for key in ("bookmark", "files", "conflicts", "in_the_way", "written", "removed")
            if key in joined
        }
    return record
