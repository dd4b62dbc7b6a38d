import pytest

from oxy.diff.quoting import quoted


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
