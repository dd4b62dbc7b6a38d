"""How differences are asked for, and written in that form (spec: command-line, L61, L62)."""

from __future__ import annotations

from oxy.cli.front import UsageError
from oxy.cli.number import whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable, Iterable

    from oxy.actions.diffstat import Stat
    from oxy.actions.patch import FileDiff, Manner
    from oxy.cli.output import Output

    Show = Callable[[bytes], bytes]

FORMS = ("stat", "name_only", "name_status", "word_diff")
LETTERS = {"added": "A", "deleted": "D", "modified": "M", "renamed": "R"}


def add_form(parser: ArgumentParser) -> None:
    """Declare the options that say how differences are shown."""
    parser.add_argument(
        "-U", dest="context", type=whole, metavar="N", help="lines around each edit (3)"
    )
    parser.add_argument("--stat", action="store_true", help="lines added and removed a file")
    parser.add_argument("--name-only", action="store_true", help="the paths alone")
    parser.add_argument(
        "--name-status", action="store_true", help="the paths, and what happened there"
    )
    parser.add_argument(
        "-z", dest="nul", action="store_true", help="end each path with NUL, and escape nothing"
    )
    parser.add_argument("--word-diff", action="store_true", help="changed words within lines")
    parser.add_argument(
        "-w", "--ignore-whitespace", action="store_true", help="look past all white space"
    )
    parser.add_argument(
        "-b",
        "--ignore-space-change",
        action="store_true",
        help="look past how much white space there is",
    )
    parser.add_argument(
        "--binary", action="store_true", help="binary content on a terminal too"
    )


def form_of(args: Namespace) -> str:
    """Return the form that was asked for; empty for a patch.

    Raises:
        UsageError: more than one was, or -z without paths alone.
    """
    asked = [form for form in FORMS if getattr(args, form)]
    if len(asked) > 1:
        one, other = (f"--{form.replace('_', '-')}" for form in asked[:2])
        message = f"{one} and {other} do not go together"
        raise UsageError(message)
    if args.nul and (not asked or asked[0] not in {"name_only", "name_status"}):
        message = "-z goes with --name-only or --name-status"
        raise UsageError(message)
    return asked[0] if asked else ""


def manner_of(args: Namespace, out: Output) -> Manner:
    """Return how differences are to be shown."""
    from oxy.actions.patch import PLAIN, Manner
    from oxy.diff.blank import ALL, AMOUNT

    past = ALL if args.ignore_whitespace else AMOUNT if args.ignore_space_change else None
    context = PLAIN.context if args.context is None else args.context
    return Manner(context, past, out.is_terminal and not args.binary)


def differs(out: Output, diffs: Iterable[FileDiff], args: Namespace) -> bool:
    """Tell whether anything differs. Cost: ends with the first difference."""
    from oxy.actions.patch import says_nothing

    manner = manner_of(args, out)
    return any(not says_nothing(diff, manner) for diff in diffs)


def write(out: Output, diffs: Iterable[FileDiff], args: Namespace, show: Show) -> int:
    """Write differences in the form that was asked for; return how many files differ.

    `show` returns a path as it is from where the user stands.
    """
    from oxy.actions.patch import says_nothing

    form, manner = form_of(args), manner_of(args, out)
    left = Counted(diff for diff in diffs if not says_nothing(diff, manner))
    if out.as_json:
        from oxy.cli.patch import brief_record_of, record_of

        for diff in left:
            out.record(brief_record_of(diff, manner) if form else record_of(diff, manner))
    elif form == "stat":
        write_stat(out, left, manner, show)
    elif form in {"name_only", "name_status"}:
        write_names(out, left, args, show)
    else:
        from oxy.cli.patch import write_patch, write_words

        (write_words if form else write_patch)(out, left, manner)
    return left.count


class Counted:
    """Differences as they pass, and how many there were."""

    __slots__ = ("_diffs", "count")

    def __init__(self, diffs: Iterable[FileDiff]) -> None:
        self._diffs = iter(diffs)
        self.count = 0

    def __iter__(self) -> Counted:
        """Return itself."""
        return self

    def __next__(self) -> FileDiff:
        """Return the next difference."""
        diff = next(self._diffs)
        self.count += 1
        return diff


def write_stat(out: Output, diffs: Iterable[FileDiff], manner: Manner, show: Show) -> None:
    """Write how many lines were added and removed, and a line that counts all of it."""
    from oxy.actions.diffstat import stat_of

    write_stats(out, [seen_from(stat_of(diff, manner), show) for diff in diffs])


def seen_from(stat: Stat, show: Show) -> Stat:
    """Return it with paths from where the user stands."""
    source = None if stat.source is None else show(stat.source)
    return stat._replace(path=show(stat.path), source=source)


def write_stats(out: Output, stats: list[Stat]) -> None:
    """Write the picture of how much files differ; nothing where none does."""
    from oxy.actions.diffstat import lines_of, summary_of
    from oxy.cli.output import Styled

    for text, pluses, minuses in lines_of(stats):
        out.line(text, Styled("added", pluses), Styled("removed", minuses))
    if stats:
        out.line(summary_of(stats))


def write_names(out: Output, diffs: Iterable[FileDiff], args: Namespace, show: Show) -> None:
    """Write the paths of what differs; with what happened there, both where one moved."""
    from oxy.cli.patch import kind_of

    for diff in diffs:
        kind = kind_of(diff)
        paths = [show(diff.new_path or diff.old_path or b"")]
        if args.name_status and kind == "renamed":
            paths.insert(0, show(diff.old_path or b""))
        letter = [LETTERS[kind]] if args.name_status else []
        if args.nul:
            out.raw(b"".join(part + b"\0" for part in (*map(str.encode, letter), *paths)))
        else:
            out.line("\t".join(letter + [""] * bool(letter)), b"\t".join(paths))
