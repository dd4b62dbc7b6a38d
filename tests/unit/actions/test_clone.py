"""What a clone is called that was given no name (spec: command-line, clone)."""

import pytest

from oxy.actions.clone import named_after


@pytest.mark.parametrize(
    ("address", "name"),
    [
        (b"/srv/project/", b"project"),
        (b"host:project", b"project"),
        (b"https://example.org/a/project", b"project"),
        (b"https://example.org", b"clone"),
        (b"s3://team/a/project", b"project"),
        (b"s3://team", b"team"),
        (b"az://box/", b"box"),
        (b"file:///srv/project", b"project"),
    ],
)
def test_a_clone_is_called_as_what_it_was_made_from(address: bytes, name: bytes) -> None:
    assert named_after(address) == name
