import pytest

from oxy.model.change import subject


@pytest.mark.parametrize("message", [b"one", b"\n\none\ntwo", b"one\r\ntwo\r\n"])
def test_the_subject_of_a_message_is_its_first_line(message: bytes) -> None:
    assert subject(message) == b"one"
