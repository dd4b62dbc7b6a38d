import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oxy.cli.records import Record, encode, plain


def test_text_that_is_not_utf_8_has_its_bytes_beside_it() -> None:
    assert json.loads(encode({"path": b"caf\xe9"})) == {
        "path": "caf\ufffd",
        "path_bytes": "636166e9",
    }


def test_a_name_from_the_system_is_treated_as_its_bytes_are() -> None:
    assert encode({"path": "caf\udce9"}) == encode({"path": b"caf\xe9"})


def test_the_rule_holds_at_every_depth() -> None:
    record: Record = {"a": {"n": b"\xff"}, "b": [{"n": b"\xfe"}, 1, None], "c": [], "d": True}
    assert json.loads(encode(record)) == {
        "a": {"n": "\ufffd", "n_bytes": "ff"},
        "b": [{"n": "\ufffd", "n_bytes": "fe"}, 1, None],
        "c": [],
        "d": True,
    }


def test_a_terminal_sees_only_ascii() -> None:
    assert encode({"name": "\x1b\u202e\u00e9"}) == b'{"name": "\\u001b\\u202e\\u00e9"}\n'


@given(st.binary())
def test_bytes_can_be_had_back(data: bytes) -> None:
    read: dict[str, str] = json.loads(encode({"k": data}))
    kept = bytes.fromhex(read["k_bytes"]) if "k_bytes" in read else read["k"].encode()
    assert kept == data


Scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text()
)


@given(st.dictionaries(st.text(), st.lists(Scalars) | st.dictionaries(st.text(), Scalars)))
def test_a_record_is_written_as_the_standard_library_would(record: Record) -> None:
    assert encode(record) == json.dumps(plain(record)).encode() + b"\n"


def test_what_json_has_no_word_for_is_refused() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        encode({"x": float("nan")})
