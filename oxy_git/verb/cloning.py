"""`oxy git clone`: make a repository of a Git repository (spec: git-bridge, GB54)."""

from __future__ import annotations

import os

from oxy.cli.clock import stamp
from oxy.cli.outcome import counted
from oxy_git.remote.address import shown
from oxy_git.remote.clone import clone
from oxy_git.verb.pulling import record_of
from oxy_git.verb.summary import tell_recognised

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output

GOES_ON = "what came is kept; `oxy git pull` there goes on"


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Make a repository that holds what a Git repository does, and go to the branch that\n"
        "HEAD names there. The other is called origin: pull from it and push to it."
    )
    parser.add_argument(
        "url", metavar="URL", help="a path, or any address that your git reaches"
    )
    parser.add_argument(
        "directory", nargs="?", metavar="DIR", help="where to (called as the other, here)"
    )
    parser.add_argument("-b", "--bookmark", metavar="NAME", help="go to this branch")
    parser.epilog = (
        "example:\n  oxy git clone https://example.org/project.git\n\n"
        "exit codes:\n  0 fine   2 the directory is not empty, no address, or no such branch\n"
        "  3 git failed   4 an object is missing or breaks a rule\n"
        "  130 interrupted: `oxy git pull` there goes on"
    )


def run(args: Namespace, out: Output) -> None:
    """Clone."""
    url = os.fsencode(args.url)
    directory, bookmark = (
        None if given is None else os.fsencode(given)
        for given in (args.directory, args.bookmark)
    )
    command = f"git clone {os.fsdecode(shown(url))}"
    try:
        root, pulled = clone(url, directory, bookmark, lambda: stamp(command), out.progress())
    except KeyboardInterrupt:
        out.note(GOES_ON)
        raise
    if out.as_json:
        out.record({"path": root, **record_of(root, pulled, dry_run=False)})
        return
    landed = pulled.landed
    on = () if landed.joined is None else (", on ", landed.joined.bookmark or b"")
    out.line("made a repository in ", root, ": ", counted(landed.came), *on)
    tell_recognised(out, pulled.tally)
