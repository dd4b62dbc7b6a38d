"""`oxy fsck`: is everything what it should be (spec: command-line, store ST26)."""

from __future__ import annotations

import os

from oxy.cli.failure import CORRUPTION
from oxy.cli.output import Styled
from oxy.repo.fsck import fsck, rebuild
from oxy.repo.repository import opened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Iterable

    from oxy.cli.output import Output
    from oxy.repo.check.finding import Finding
    from oxy.repo.repository import Repository


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Prove every digest, dependency, reference, line, index row and kept tree, and name\n"
        "what is damaged and what needs it."
    )
    parser.add_argument(
        "--rebuild",
        action="store_true",
        help="make the index anew from the segments instead, and remove the caches",
    )
    parser.add_argument(
        "--salvage",
        metavar="DIR",
        help="bring all that is whole into a new repository in DIR instead",
    )
    parser.epilog = (
        "--salvage writes nothing to the repository itself. A bookmark that lost changes has\n"
        "what is whole of it there, and a change with the files that can still be read.\n\n"
        "examples:\n  oxy fsck\n  oxy fsck --salvage ../rescued\n\n"
        "exit codes:\n  0 nothing is wrong   2 both options, or DIR is not empty\n"
        "  3 no repository   4 something is wrong, or did not come"
    )


def run(args: Namespace, out: Output) -> int:
    """Check, or rebuild."""
    here = os.getcwdb()
    if args.salvage is not None:
        return _salvage(here, args, out)
    if args.rebuild:
        return told(out, rebuild(here), "the index is made anew; nothing is damaged")
    with opened(here) as repository:
        code = told(out, fsck(repository, out.progress()), "nothing is wrong")
        if repository.is_lazy:
            _tell_lacked(out, repository)
        return code


def _tell_lacked(out: Output, repository: Repository) -> None:
    """Tell what is not here because the repository is lazy, which is no damage."""
    from oxy.repo.promised import count

    blobs, size = count(repository.store)
    remote = repository.refs.lender() or b""
    if out.as_json:
        out.record({"lacked_blobs": blobs, "lacked_bytes": size, "remote": remote})
        return
    what = "1 blob" if blobs == 1 else f"{blobs} blobs"
    out.line(f"lazy: {what} of {size} bytes not here yet; ", remote, " has them")


def _salvage(here: bytes, args: Namespace, out: Output) -> int:
    from oxy.actions.salvage import salvage
    from oxy.cli.front import UsageError

    if args.rebuild:
        message = "--salvage and --rebuild do not go together"
        raise UsageError(message)
    root, changes, names, files, lost = salvage(here, os.fsencode(args.salvage), out.progress())
    code = told(out, lost, "nothing is lost")
    if out.as_json:
        count = {"changes": changes, "names": names, "files": files}
        out.record({"salvaged": root, **count})
    else:
        out.line("brought to ", root, f": changes {changes}, names {names}, files anew {files}")
    return code


def told(out: Output, findings: Iterable[Finding], fine: str) -> int:
    """Tell what was found; return the exit code."""
    count = 0
    for count, finding in enumerate(findings, 1):  # noqa: B007 - the count is what is wanted
        area, what, change, path = finding
        if out.as_json:
            name = None if change is None else change.hex()
            out.record({"area": area, "what": what, "change": name, "path": path})
        else:
            where = () if path is None else (" (", path, ")")
            out.line(Styled("warning", area), ": ", what, *where)
    if not out.as_json:
        out.line(fine if not count else f"{count} {'thing' if count == 1 else 'things'} wrong")
    return CORRUPTION if count else 0
