"""`oxy verify`: what signatures are worth (spec: command-line, L81; sync, SY81)."""

from __future__ import annotations

import os

from oxy.actions.signing import GOOD, changes_meant, judged, judged_tag
from oxy.actions.sshkeys import allowed_file
from oxy.actions.tags import existing
from oxy.cli.output import Styled
from oxy.cli.proof import add_what, what_of
from oxy.cli.signatures import parts_of, records_of
from oxy.model.digest import short
from oxy.repo.refs import TAG, Ref, Target
from oxy.repo.repository import opened
from oxy.repo.states import Name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output
    from oxy.repo.repository import Repository


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Tell who signed changes or tags, as far as the file of allowed signers says so.\n"
        "A key counts if it was valid when its change says that it was made; of a tag, if it\n"
        "is now."
    )
    add_what(parser)
    parser.add_argument(
        "--allowed", metavar="FILE", help="in place of the setting signing.allowed"
    )
    parser.epilog = (
        "example:\n  oxy verify 'main - v1.0'\n\n"
        "exit codes:\n  0 an allowed signer stands behind each   1 not behind all of them\n"
        "  2 no such state or tag   3 no repository, no allowed signers, or no ssh-keygen"
    )


def run(args: Namespace, out: Output) -> int:
    """Judge what is named."""
    what = what_of(args, "verified")
    allowed = allowed_file() if args.allowed is None else os.fsencode(args.allowed)
    with opened(os.getcwdb()) as repository:
        if args.tag:
            wrong = [n for n in args.tag if not verify_tag(out, repository, n, allowed)]
            return int(bool(wrong))
        is_good = True
        for each in judged(repository, changes_meant(repository, what), allowed):
            is_good = is_good and each.is_good
            if out.as_json:
                out.record(
                    {
                        "id": each.id.hex(),
                        "is_good": each.is_good,
                        "signatures": records_of(each.verdicts),
                    }
                )
                continue
            for verdict in each.verdicts:
                name = Styled("id", f"change {short(each.id)}")
                out.line(name, "  ", *parts_of(verdict))
    return int(not is_good)


def verify_tag(out: Output, repository: Repository, called: str, allowed: bytes) -> bool:
    """Judge one tag; return whether its signature is good."""
    name = existing(repository, os.fsencode(called)).held.name
    target = repository.refs.get(Ref(TAG, name)) or Target(Name())
    verdict = judged_tag(repository, name, target, allowed)
    is_good = verdict.word == GOOD
    if out.as_json:
        out.record({"tag": name, "is_good": is_good, "signatures": records_of([verdict])})
    else:
        out.line(Styled("id", b"tag " + name), "  ", *parts_of(verdict))
    return is_good
