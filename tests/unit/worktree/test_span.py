from oxy.worktree.span import WHOLE, Span


def test_a_directory_is_in_the_span_out_of_it_or_on_the_way() -> None:
    span = Span((b"a", b"m"), (b"b", b"m"))
    places = {
        b"": "way",
        b"a": "way",
        b"a/a": "out",
        b"a/m": "in",
        b"a/m/x": "in",
        b"a/z": "in",
        b"a-z": "in",
        b"b": "in",
        b"b/a": "in",
        b"b/m": "out",
        b"b/m/x": "out",
        b"c": "out",
        b"A": "out",
    }
    assert {path: span.place(path) for path in places} == places


def test_the_whole_span_holds_everything() -> None:
    assert {WHOLE.place(path) for path in (b"", b"a", b"\xff/x")} == {"in"}
