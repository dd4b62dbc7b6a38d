"""What came of a rewrite, told to people and as JSON (spec: command-line, L19)."""

from __future__ import annotations

import os

from oxy.cli.output import Styled
from oxy.model.change import subject
from oxy.model.digest import short

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Sequence

    from oxy.actions.rewriting import Outcome
    from oxy.cli.output import Output, Part
    from oxy.cli.records import Record, Scalar

    Fields = dict[str, bytes | Scalar | Record | Sequence[Scalar | Record]]

NOTHING = "nothing to rewrite"
CODES = (
    "exit codes:\n  0 rewritten   1 nothing to rewrite   2 refused, or a bad argument\n"
    "  3 no repository, or it or a file changed meanwhile"
)


def add_trial(parser: ArgumentParser) -> None:
    """Declare the option that only tries."""
    parser.add_argument(
        "--dry-run", dest="is_trial", action="store_true", help="say what would come of it"
    )


def add_message(parser: ArgumentParser, what: str) -> None:
    """Declare the option for a message."""
    parser.add_argument(
        "-m",
        dest="messages",
        metavar="MESSAGE",
        action="append",
        help=f"{what}; given again, another paragraph",
    )


def message_of(messages: Sequence[str] | None) -> bytes | None:
    """Return the message that was given as paragraphs, if one was."""
    if messages is None:
        return None
    return b"\n\n".join(os.fsencode(paragraph).strip() for paragraph in messages)


def record_of(outcome: Outcome, *, is_trial: bool) -> Fields:
    """Return what came of a rewrite for JSON."""
    return {
        "bookmark": outcome.bookmark,
        "heads": [name.hex() for name in outcome.heads],
        "rewritten": [
            {
                "id": new.id.hex(),
                "replaces": [name.hex() for name in new.replaces],
                "follows": new.follows,
            }
            for new in outcome.replacements
        ],
        "kept_by": [{"name": name} for name in outcome.kept_by],
        "dry_run": is_trial,
    }


def tell(out: Output, outcome: Outcome, *, is_trial: bool) -> None:
    """Tell what came of a rewrite."""
    if out.as_json:
        out.record(record_of(outcome, is_trial=is_trial))
        return
    if is_trial:
        out.line("nothing is done yet; this would be:")
    for new in outcome.replacements:
        if not new.follows:
            parts: list[Part] = []
            for name in new.replaces:
                parts += [", " if parts else "", Styled("id", short(name))]
            first = subject(new.message)
            out.line(*parts, " -> ", Styled("id", short(new.id)), " ", first)
    following = sum(new.follows for new in outcome.replacements)
    if following:
        out.line(f"{following} more followed" if following > 1 else "1 more followed")
    if outcome.kept_by:
        out.line("the old changes stay in ", b", ".join(outcome.kept_by))


def tell_nothing(out: Output, *, is_trial: bool) -> int:
    """Tell that nothing came of it; return the exit code."""
    if out.as_json:
        out.record({"rewritten": [], "dry_run": is_trial})
    else:
        out.line(NOTHING)
    return 1
