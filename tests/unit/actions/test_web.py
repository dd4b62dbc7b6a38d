"""A repository as an application of one's own server."""

from pathlib import Path

import pytest

from oxy.actions.init import init
from oxy.actions.web import application, everybody, read_only
from oxy.repo.place import NoRepositoryError
from oxy.sync.address import Web, parse
from oxy.sync.message import AskTake, encode
from oxy.sync.talk import Far
from oxy.sync.web.application import Asking
from oxy.sync.web.asker import asking
from oxy.sync.web.errors import CredentialsError, NotAllowedError
from tests.builders.web import serving

READ = Asking(None, "", takes=False)
TAKE = Asking(None, "", takes=True)


def test_where_there_is_no_repository_there_is_no_application(tmp_path: Path) -> None:
    with pytest.raises(NoRepositoryError):
        application(bytes(tmp_path))


def test_who_is_not_told_otherwise_may_only_read() -> None:
    assert (read_only(READ), read_only(TAKE)) == (None, 403)
    assert (everybody(READ), everybody(TAKE)) == (None, None)


def test_a_guard_of_ones_own_decides_by_who_asks(tmp_path: Path) -> None:
    init(bytes(tmp_path))

    def guard(asking: Asking) -> int | None:
        if asking.authorization != b"Bearer t":
            return 401
        return 403 if asking.takes else None

    with serving(application(str(tmp_path), guard)) as address:
        where = parse(b"http://" + address.encode())
        assert isinstance(where, Web)
        for given, told in ((None, "wants credentials"), (b"Bearer x", "does not take")):
            with asking(where, given) as carry, pytest.raises(CredentialsError, match=told):
                Far(carry).refs()
        with asking(where, b"Bearer t") as carry:
            assert Far(carry).current() == b"main"
            with pytest.raises(NotAllowedError, match="does not let you push"):
                list(carry(encode(AskTake(())), ()))
