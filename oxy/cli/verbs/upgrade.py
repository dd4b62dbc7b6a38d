"""`oxy upgrade`: bring an older repository forward (spec: store, ST31)."""

from __future__ import annotations

import os

from oxy.actions.upgrade import upgrade

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Bring a repository that an older oxy made to the format of this one. When it is\n"
        "interrupted, do it again: nothing is lost, and what is done is not done twice."
    )
    parser.epilog = (
        "example:\n  oxy upgrade\n\n"
        "exit codes:\n  0 fine   3 no repository, of a later format, or another writes\n"
        "  4 something is damaged: nothing is removed"
    )


def run(_args: Namespace, out: Output) -> None:
    """Upgrade, and tell from what to what."""
    done = upgrade(os.getcwdb(), out.progress())
    if out.as_json:
        out.record(done._asdict())
        return
    for what, before, now in (
        ("index", done.index_before, done.index_now),
        ("segments", done.segments_before, done.segments_now),
    ):
        if before == now:
            out.line(f"{what}: format {now}, as it was")
        else:
            out.line(f"{what}: brought from format {before} to {now}")
