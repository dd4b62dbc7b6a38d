import io

import pytest

from oxy.actions.going import Went
from oxy.actions.joining import Joined
from oxy.actions.outcome import Author, Conflict, FileChange, Outcome
from oxy.cli.listing import Shower
from oxy.cli.outcome import AUTHORS, record_of, write
from oxy.cli.output import Output

FILES = (FileChange(b"a", "modified"), FileChange(b"c", "renamed", b"b"))


def joined(
    authors: tuple[Author, ...], *, conflicts: tuple[Conflict, ...] = (), went: Went | None
) -> Joined:
    return Joined(b"main", Outcome(3, 0, authors, FILES, conflicts), went)


def told(what: Joined) -> tuple[str, str]:
    out, err = io.BytesIO(), io.BytesIO()
    write(Output(out, err), Shower(b"/nowhere"), ("merged", "merge"), what, "into")
    return out.getvalue().decode(), err.getvalue().decode()


def test_what_was_done_is_told_with_a_hint_where_conflicts_came() -> None:
    conflicts = (Conflict(b"a", ("text", "mode")),)
    what = joined((Author(b"Ada <a@x>", 3),), conflicts=conflicts, went=Went(1, 0))
    assert told(what) == (
        "merged into main: 3 changes by Ada\nM a\nR b -> c\nC a  text, mode\n",
        "hint: `oxy resolve` settles conflicts; they hold nobody up\n",
    )
    out, err = told(what._replace(went=None))
    assert out.startswith("would merge into main: ")
    assert err == ""


def test_only_some_of_many_authors_are_named() -> None:
    authors = tuple(Author(b"N%d <n@x>" % n, 1) for n in range(AUTHORS + 2))
    out, _ = told(joined(authors, went=None))
    assert out.splitlines()[0] == (
        "would merge into main: 3 changes by N0 (1), N1 (1), N2 (1), N3 (1), N4 (1) and 2 more"
    )


@pytest.mark.parametrize("went", [None, Went(2, 1)])
def test_a_record_tells_whether_it_was_done(went: Went | None) -> None:
    record = record_of(Shower(b"/nowhere"), joined((), went=went))
    assert record["done"] is (went is not None)
    assert record.get("written") == (2 if went else None)
    assert record["files"] == [
        {"path": b"a", "kind": "modified"},
        {"path": b"c", "kind": "renamed", "from": b"b"},
    ]
