"""`oxy serve`: let others pull from and push to this (spec: command-line, SY16, SY51, SY76)."""

from __future__ import annotations

import os

from oxy.actions.serve import serve
from oxy.cli.failure import STATE, exit_code
from oxy.cli.front import UsageError
from oxy.cli.serving import Hooks
from oxy.errors import OxyError, StateError
from oxy.sync.errors import LostError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output
    from oxy.sync.web.application import Application

ADDRESS = "127.0.0.1:8417"


class NoServerError(StateError):
    """What serves over HTTP is not installed."""

    def __init__(self) -> None:
        super().__init__("what serves over HTTP is not installed")


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Let others reach a repository. Over HTTP everybody who reaches the address may read\n"
        "it, until you end it with ^C. Over standard input and output it answers one oxy, as\n"
        "clone, pull and push have it run through ssh; that one may push too."
    )
    parser.add_argument("directory", nargs="?", metavar="DIR", help="the repository (here)")
    parser.add_argument("--stdio", action="store_true", help="over standard input and output")
    parser.add_argument("--http", action="store_true", help="over HTTP")
    parser.add_argument(
        "--address",
        metavar="HOST:PORT",
        default=ADDRESS,
        help=f"where, over HTTP; port 0 is one that is free ({ADDRESS})",
    )
    parser.add_argument(
        "--allow-push", action="store_true", help="let everybody who reaches it push too"
    )
    parser.add_argument(
        "--access",
        nargs="?",
        const="",
        metavar="FILE",
        help="let users do what the file says: `oxy access` (.oxy/access.toml)",
    )
    parser.add_argument(
        "--certificate", metavar="FILE", help="serve over https; needs --key as well"
    )
    parser.add_argument("--key", metavar="FILE", help="the key of the certificate")
    parser.epilog = (
        "example:\n  oxy serve --http work/project\n"
        "  ssh there oxy serve --stdio work/project\n\n"
        "exit codes:\n  0 it was told to end, or the other side has\n"
        "  2 no such address, or what is not here was asked for\n"
        "  3 no repository, nothing can be served there, or the connection was lost\n"
        "  4 what came breaks a rule"
    )


def run(args: Namespace, out: Output) -> int:
    """Serve."""
    if args.stdio == args.http:
        message = "serve needs one of --http and --stdio"
        raise UsageError(message, "serve")
    if bool(args.certificate) != bool(args.key):
        message = "--certificate and --key need each other"
        raise UsageError(message, "serve")
    if args.access is not None and (args.allow_push or args.stdio):
        message = "--access says who may push, over HTTP; it goes without --allow-push"
        raise UsageError(message, "serve")
    given = os.getcwdb() if args.directory is None else os.fsencode(args.directory)
    root = os.path.realpath(given)
    return over_http(args, root, out) if args.http else over_pipes(root, out)


def over_pipes(root: bytes, out: Output) -> int:
    """Answer one other side over standard input and output."""
    # Nothing else that writes to standard output may get between the packets.
    wire = os.dup(1)
    os.dup2(2, 1)
    try:
        serve(root, 0, wire, out.progress(), watch=Hooks(out))
    except LostError:
        # Nobody is there any more who could be told.
        return STATE
    except OxyError as error:
        # It has been told to the other side, which would hear it from here once more.
        if os.isatty(2):
            raise
        return exit_code(error)
    finally:
        os.set_blocking(wire, True)
        os.dup2(wire, 1)
        os.close(wire)
    return 0


def over_http(args: Namespace, root: bytes, out: Output) -> int:
    """Answer everybody who comes, until a signal ends it."""
    app = application_of(args, root, out)
    try:
        from oxy.actions.listening import is_near, listen, listening
    except ImportError as error:
        raise NoServerError from error
    with listening(args.address) as listener:
        scheme = "https" if args.key else "http"
        host, _, _ = args.address.rpartition(":")
        address = f"{scheme}://{host}:{listener.getsockname()[1]}"
        if out.as_json:
            pushes = args.allow_push or args.access is not None
            out.record({"path": root, "address": address, "pushes": pushes})
        else:
            out.line("serving ", root, " at ", address, ", ", rights_in_words(args))
        if args.allow_push and not is_near(listener):
            out.warning("everybody who reaches ", args.address, " may push")
        out.flush()
        listen(app, listener, certificate=(args.certificate, args.key) if args.key else None)
    return 0


def application_of(args: Namespace, root: bytes, out: Output) -> Application:
    """Return what answers, as far as everybody, or each user, may ask it."""
    from oxy.actions.web import application, everybody, guarded, read_only

    watch = Hooks(out)
    if args.access is not None:
        return guarded(root, args.access or None, watch)
    return application(root, everybody if args.allow_push else read_only, watch)


def rights_in_words(args: Namespace) -> str:
    """Return who may do what, in short."""
    if args.access is not None:
        return "to whom the file of access lets in"
    return "to pull from and push to" if args.allow_push else "to pull from"
