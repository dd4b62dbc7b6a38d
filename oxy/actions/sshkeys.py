"""Signing and checking through the user's own `ssh-keygen -Y` (spec: sync, SY31, SY80).

Which program, key and file of allowed signers that is, only the user's configuration says. No
shell runs it, and nothing of a repository becomes an option: names are read from files.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from oxy.typed import Final, NamedTuple

from oxy.actions.config import text, words
from oxy.errors import StateError
from oxy.model.signature import NAMESPACE

_PROGRAM: Final = ("ssh-keygen",)
_LITERAL: Final = ("key::", "ssh-", "ecdsa-", "sk-")
"""How the text of a public key begins, in place of the name of its file."""

_PATIENCE: Final = 300
"""Seconds that a passphrase or a touch of a token may take."""

_CALENDAR: Final = range(253_402_300_800)
"""Seconds from 1970 to the last of year 9999: times that `ssh-keygen` can be told."""


class NoKeyError(StateError):
    """Nobody said with which key to sign."""

    def __init__(self) -> None:
        super().__init__("no key is known to sign with")


class NoSignersError(StateError):
    """Nobody said whose signatures are believed."""

    def __init__(self) -> None:
        super().__init__("no file of allowed signers is known")


class KeygenError(StateError):
    """`ssh-keygen` cannot be run, or did not sign."""

    def __init__(self, program: str, why: str) -> None:
        super().__init__(f"{program} {why}")
        self.program = program
        self.why = why


class Checked(NamedTuple):
    """What a signature is worth.

    `signers` are the allowed signers that may have made it, empty for a key that is nobody's;
    `key` is the fingerprint of the key, empty where it is no signature of the text at all.
    """

    signers: tuple[str, ...]
    key: str


class Keygen:
    """The user's `ssh-keygen`."""

    __slots__ = ("_words",)

    def __init__(self) -> None:
        self._words = words(None, "signing.program") or list(_PROGRAM)

    def sign(self, key: str, data: bytes) -> bytes:
        """Return an armoured signature of some bytes; a passphrase is asked for by the program.

        Args:
            key: the file of a private or public key, or the text of a public one, whose other
                half the user's agent holds.
            data: what to sign.

        Raises:
            KeygenError: it does not sign.
        """
        with _key_file(key) as (path, is_held):
            agent = ["-U"] if is_held else []
            done = self._run(["-Y", "sign", "-n", NAMESPACE, *agent, "-f", path], data)
        if done.code:
            raise KeygenError(self._words[0], f"did not sign: {done.said or 'no reason given'}")
        return done.out

    def check(self, data: bytes, armor: bytes, allowed: bytes, seconds: int) -> Checked:
        """Return what a signature of some bytes is worth.

        Args:
            data: what was signed.
            armor: the signature.
            allowed: the file of allowed signers.
            seconds: since 1970; keys are looked at as they were valid then.

        Cost: two or three runs of the program.

        Raises:
            KeygenError: it cannot be run, or cannot read the file.
        """
        time = "-Overify-time=" + _local(seconds)
        with _file(armor) as path:
            own = ["-n", NAMESPACE, "-s", path]
            held = ["-f", os.fsdecode(allowed), time]
            if not os.path.isfile(allowed):
                name = os.fsdecode(allowed)
                raise KeygenError(self._words[0], f"has no file of allowed signers {name}")
            found = self._run(["-Y", "find-principals", "-s", path, *held], b"")
            names = found.out.decode("utf-8", "replace").splitlines() if not found.code else []
            good = [
                name
                for name in dict.fromkeys(names)
                if not self._run(["-Y", "verify", *own, *held, "-I", name], data).code
            ]
            valid = self._run(["-Y", "check-novalidate", *own], data)
        if valid.code:
            return Checked((), "")
        fingerprint = valid.out.decode("utf-8", "replace").strip().rpartition(" ")[2]
        return Checked(tuple(good), fingerprint)

    def _run(self, arguments: Sequence[str], data: bytes) -> "_Done":
        from subprocess import TimeoutExpired, run

        command = [*self._words, *arguments]
        try:
            done = run(command, input=data, capture_output=True, check=False, timeout=_PATIENCE)
        except OSError as error:
            why = f"cannot be run: {error.strerror or error}"
            raise KeygenError(command[0], why) from error
        except TimeoutExpired as error:
            raise KeygenError(command[0], f"did not end in {_PATIENCE} seconds") from error
        said = done.stderr.decode("utf-8", "surrogateescape").strip()
        return _Done(done.returncode, done.stdout, said.rpartition("\n")[2].strip())


class _Done(NamedTuple):
    """How a run ended, what it wrote, and the last line of what it complained."""

    code: int
    out: bytes
    said: str


def key_of(given: str | None) -> str:
    """Return the key to sign with: what was given, else what is configured, else Git's.

    Raises:
        NoKeyError: there is none.
        ConfigError: a configuration file cannot be read.
    """
    found = given or text(None, "signing.key") or _of_git("user.signingkey")
    if not found:
        raise NoKeyError
    return found


def allowed_file() -> bytes:
    """Return the file of allowed signers: oxy's, else Git's.

    Raises:
        NoSignersError: there is none.
        ConfigError: a configuration file cannot be read.
    """
    found = text(None, "signing.allowed") or _of_git("gpg.ssh.allowedSignersFile")
    if not found:
        raise NoSignersError
    return os.path.expanduser(os.fsencode(found))


def _of_git(name: str) -> str | None:
    """Return what the user's own Git configuration says for keys of ssh."""
    from oxy.actions.gitconfig import of_git

    return of_git(name) if of_git("gpg.format") == "ssh" else None


def _local(seconds: int) -> str:
    """Return a time as the program reads it: of this machine's zone, clamped to a calendar."""
    from time import localtime, strftime

    clamped = min(max(seconds, _CALENDAR[1]), _CALENDAR[-1])
    return strftime("%Y%m%d%H%M%S", localtime(clamped))


@contextmanager
def _key_file(key: str) -> Iterator[tuple[str, bool]]:
    """Yield the file of a key, and whether the agent alone can have its private half."""
    if not key.startswith(_LITERAL):
        yield os.path.abspath(os.path.expanduser(key)), False
        return
    with _file(os.fsencode(key.removeprefix("key::")) + b"\n") as path:
        yield path, True


@contextmanager
def _file(data: bytes) -> Iterator[str]:
    """Yield the path of a file of nobody else that holds some bytes until the block ends."""
    import tempfile

    descriptor, path = tempfile.mkstemp(prefix="oxy-signing-")
    try:
        with open(descriptor, "wb") as file:
            file.write(data)
        yield path
    finally:
        with suppress(FileNotFoundError):
            os.unlink(path)
