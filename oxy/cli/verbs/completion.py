"""`oxy completion`: let a shell complete the words of a command (spec: command-line, L38)."""

from __future__ import annotations

from oxy.cli.front import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output

SHELLS = ("bash", "zsh", "fish")

BASH_SENDS = 2


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Print a script for a shell, which then completes commands, options, paths, settings,\n"
        "and the names of the repository that one is in. Its first lines say where to put it."
    )
    parser.add_argument("shell", choices=SHELLS, help="the shell")
    parser.add_argument(
        "words", nargs="*", metavar="WORD", help="what the script asks about: a line so far"
    )
    parser.epilog = (
        'example:\n  eval "$(oxy completion bash)"\n\nexit codes:\n  0 fine   2 no such shell'
    )


def run(args: Namespace, out: Output) -> None:
    """Print the script, or answer it."""
    from oxy.cli.completion.shells import SCRIPTS, answer, words_of_line

    if not args.words:
        out.raw(SCRIPTS[args.shell].encode())
        return
    from oxy.cli.completion.words import completed

    words: list[str] = args.words
    skipped = 0
    if args.shell == "bash":
        if len(words) != BASH_SENDS:
            message = (
                "the script of bash asks with two words: the line, and the word at its end"
            )
            raise UsageError(message)
        line, standing = words
        words = words_of_line(line)
        # bash takes a word to begin anew behind a colon or an equals sign.
        whole = words[-1] if words else ""
        skipped = len(whole) - len(standing) if whole.endswith(standing) else 0
    for each in answer(args.shell, completed(words), skipped):
        out.line(each)
