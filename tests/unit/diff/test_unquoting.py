import pytest

from oxy.diff.quoting import quoted
from oxy.diff.unquoting import unquoted


def test_a_quoted_path_reads_back() -> None:
    path = bytes(range(1, 256))
    text = quoted(path)
    assert unquoted(text + b" rest") == (path, len(text))


@pytest.mark.parametrize("text", [b"plain", b'"open', b'"a\\q"', b'"\\400"'])
def test_what_is_not_well_quoted_is_no_path(text: bytes) -> None:
    assert unquoted(text) is None
