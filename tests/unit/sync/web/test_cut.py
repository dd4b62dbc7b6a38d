"""A transfer over HTTP whose every connection is cut, and that ends right (SY9)."""

import os
from contextlib import closing
from pathlib import Path

import pytest

from oxy.actions.init import init
from oxy.actions.web import application, everybody
from oxy.model.digest import ChangeId
from oxy.repo.refs import BOOKMARK
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.writing import writing
from oxy.store.protocol import CHANGE
from oxy.sync import limits
from oxy.sync.address import Web, parse
from oxy.sync.endpoint import Stored, holds_none
from oxy.sync.errors import LostError
from oxy.sync.receiving import receive
from oxy.sync.rounds import common
from oxy.sync.talk import Far
from oxy.sync.web.asker import asking
from oxy.sync.wish import State, Wish
from tests.builders.exchange import STAMP, Silent, ids
from tests.builders.scribe import MAIN, File, Scribe
from tests.builders.web import relayed, serving

CHANGES = 40
TEN = 10 * (limits.PIECE + 5)


def grown(repository: Repository) -> None:
    scribe, context = Scribe(repository), Name()
    for at in range(CHANGES):
        files = {b"f%d" % at: File(b"\0" + os.urandom(60_000))}
        context = Name((scribe.commit(context, files).number,))


def pulled(target: Repository, where: Web) -> LostError | None:
    with asking(where) as carry:
        peer = Far(carry)
        want = sorted({head for each in peer.refs() for head in each.heads})
        parts = peer.missing(want, common(target, peer, want), holds_none)
        with writing(target, STAMP, "fast") as work:
            return receive(target, work.transaction, parts, Silent()).lost


def pushed(source: Repository, where: Web) -> LostError | None:
    held = source.refs.get(MAIN)
    assert held is not None
    want = tuple(ChangeId(each) for each in ids(source, held.state.heads))
    with asking(where) as carry:
        peer = Far(carry)
        have = common(source, peer, {head for each in peer.refs() for head in each.heads})
        parts = Stored(source).missing(want, have, holds_none)
        try:
            peer.take([Wish(BOOKMARK, b"main", State(want))], parts)
        except LostError as error:
            return error
    return None


@pytest.mark.parametrize("way", ["pull", "push"])
def test_a_transfer_that_is_cut_every_ten_packets_ends_right(tmp_path: Path, way: str) -> None:
    init(bytes(tmp_path))
    near = Repository.in_memory()
    with closing(Repository.at(bytes(tmp_path))) as there:
        grown(there if way == "pull" else near)
    with (
        serving(application(bytes(tmp_path), everybody)) as server,
        relayed(server, TEN, upwards=way == "push") as (address, relay),
    ):
        where = parse(b"http://" + address.encode())
        assert isinstance(where, Web)
        for _ in range(CHANGES):
            lost = (pulled if way == "pull" else pushed)(near, where)
            if lost is None:
                break
    # Each brought a part, or they would not have been enough.
    assert lost is None
    assert relay.cuts >= 3
    with closing(Repository.at(bytes(tmp_path))) as there:
        every = range(1, CHANGES + 1)
        assert there.store.count(CHANGE) == CHANGES
        assert ids(there, every) == ids(near, every)
        assert there.refs.get(MAIN) is not None
