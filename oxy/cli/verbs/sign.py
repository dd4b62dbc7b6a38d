"""`oxy sign`: signatures of changes and tags (spec: command-line, L80; sync, SY31)."""

from __future__ import annotations

import os

from oxy.actions.signing import changes_meant, sign, sign_tag
from oxy.actions.sshkeys import key_of
from oxy.cli.clock import stamp
from oxy.cli.proof import add_what, what_of
from oxy.model.digest import short
from oxy.repo.repository import opened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Sign changes or tags with your ssh key, through ssh-keygen. A signature is kept\n"
        "beside what it signs, whose id stays as it is, and travels with it."
    )
    add_what(parser)
    parser.add_argument(
        "--key", metavar="FILE", help="with this key, in place of the setting signing.key"
    )
    parser.epilog = (
        "example:\n  oxy sign\n  oxy sign 'main - main@origin' --key ~/.ssh/id_ed25519\n\n"
        "exit codes:\n  0 signed   1 all was signed so already   2 no such state or tag\n"
        "  3 no repository, no key, or ssh-keygen did not sign"
    )


def run(args: Namespace, out: Output) -> int:
    """Sign what is named."""
    what = what_of(args, "signed")
    key = key_of(args.key)
    with opened(os.getcwdb()) as repository:
        for name in args.tag:
            sign_tag(repository, os.fsencode(name), key, stamp(f"sign --tag {name}"))
            write(out, "tag", name)
        if args.tag:
            return 0
        changes = changes_meant(repository, what)
        signed = sign(repository, changes, key, stamp("sign"))
    for each in signed:
        write(out, "change", each.hex() if out.as_json else short(each))
    if not signed and not out.as_json:
        out.note("nothing to sign: it bears this signature")
    return int(not signed)


def write(out: Output, kind: str, name: str) -> None:
    """Tell what was signed."""
    if out.as_json:
        out.record({kind: name})
    else:
        out.line("signed ", kind, " ", name)
