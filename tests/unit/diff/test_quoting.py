import pytest

from oxy.diff.quoting import quoted, unquoted


@pytest.mark.parametrize(
    ("path", "wanted"),
    [
        (b"plain name", b"plain name"),
        (b'a"b\\c', b'"a\\"b\\\\c"'),
        (b"tab\tlf\n", b'"tab\\tlf\\n"'),
        (b"\xff\x01", b'"\\377\\001"'),
    ],
)
def test_a_path_that_would_mislead_is_quoted(path: bytes, wanted: bytes) -> None:
    assert quoted(path) == wanted


def test_a_quoted_path_reads_back() -> None:
    path = bytes(range(1, 256))
    text = quoted(path)
    assert unquoted(text + b" rest") == (path, len(text))


@pytest.mark.parametrize("text", [b"plain", b'"open', b'"a\\q"', b'"\\400"'])
def test_what_is_not_well_quoted_is_no_path(text: bytes) -> None:
    assert unquoted(text) is None
