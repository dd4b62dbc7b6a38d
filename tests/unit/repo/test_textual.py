"""What is text, and what its graph sees."""

from oxy.codec.limits import TEXT
from oxy.model.operation import KIND_BINARY, KIND_TEXT
from oxy.repo.textual import kind_of, with_final_lf


def test_a_nul_in_the_first_8000_bytes_makes_a_file_binary() -> None:
    assert kind_of(b"", 0) == KIND_TEXT
    assert kind_of(b"a" * 7999 + b"\0", 8000) == KIND_BINARY
    assert kind_of(b"a" * 8000 + b"\0", 8001) == KIND_TEXT
    assert kind_of(b"caf\xe9", 4) == KIND_TEXT


def test_what_is_over_the_text_limit_is_binary() -> None:
    assert kind_of(b"one line", TEXT) == KIND_TEXT
    assert kind_of(b"one line", TEXT + 1) == KIND_BINARY


def test_a_graph_sees_every_line_end() -> None:
    assert with_final_lf(b"a\nb") == b"a\nb\n"
    assert with_final_lf(b"a\n") == b"a\n"
    assert with_final_lf(b"") == b""
