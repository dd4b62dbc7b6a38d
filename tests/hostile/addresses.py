"""Rows of the corpus for addresses and settings (hostile 72 to 75, 80)."""

from tests.hostile.yard import Yard

SECRET = "hunter2"  # noqa: S105 - of an address that a test makes up


ADD = ("remote", "add", "x")


def _stand_in(yard: Yard) -> None:
    """Put a program in the place of ssh and git's helpers that tells that it ran."""
    server = yard.stage / "ssh"
    server.write_text(f"#!/bin/sh\nprintf '%s\\n' \"$@\" > '{yard.stage}/ran'\nexit 1\n")
    server.chmod(0o755)
    yard.patch.setenv("OXY_SSH", str(server))


def _refused(yard: Yard, *addresses: str) -> None:
    _stand_in(yard)
    for address in addresses:
        for words in (
            ("clone", address, "c"),
            ("pull", address),
            ("remote", "add", "x", address),
        ):
            said = yard.oxy(*words)
            assert said.code in {2, 3}, (address, said)
            assert b"Traceback" not in said.err
        assert yard.oxy("git", "clone", address, "g").code in {2, 3}, address
    assert not (yard.stage / "ran").exists()


def leading_dash(yard: Yard) -> None:
    """A host, a user or a path that would be an option starts nothing."""
    _refused(
        yard,
        "ssh://-oProxyCommand=touch%20x/y",
        "ssh://-u@host/y",
        "-oProxyCommand=x:y",
        "ssh://host:-p/y",
    )


def schemes(yard: Yard) -> None:
    """Schemes that nobody knows, and helpers, start nothing."""
    _refused(yard, "ext::sh -c touch", "fd::7", "gopher://host/x", "ext://x")


def line_breaks(yard: Yard) -> None:
    """Line breaks, other controls and an empty host start nothing."""
    _refused(yard, "ssh://host/a\nb", "host:a\rb", "ssh:///path", "ssh://@/x", ":path")


def quoted(yard: Yard) -> None:
    """A path is one word of the shell there."""
    _stand_in(yard)
    path = "a b;touch x`id`$(id)'\"|&"
    yard.oxy("clone", f"ssh://host/{path}", "c")
    words = (yard.stage / "ran").read_text().splitlines()
    assert words[:2] == ["--", "host"]
    assert words[2].endswith("'/" + path.replace("'", "'\\''") + "'")


def secrets(yard: Yard) -> None:
    """A password in an address is neither printed nor kept."""
    _stand_in(yard)
    for address in (f"ssh://u:{SECRET}@h/x", f"u:{SECRET}@h:x", f"gopher://u:{SECRET}@h/x"):
        for words in (
            ("clone", address, "c"),
            ("remote", "add", "x", address),
            ("pull", address),
        ):
            said = yard.oxy(*words)
            assert said.code != 0, (words, said)
            assert SECRET.encode() not in said.out + said.err, said
    assert SECRET.encode() not in yard.works("op", "log")
    assert SECRET.encode() not in yard.segment().read_bytes()
