"""Which proxy the environment names for a server."""

import os

import pytest

from oxy.sync.address import Web
from oxy.sync.web.line import Proxy
from oxy.sync.web.proxy import ProxyError, proxy_for

HTTP = Web(is_secure=False, user=None, host=b"example.org", port=80, path=b"")
HTTPS = HTTP._replace(is_secure=True, port=443)


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.lower().endswith("_proxy") or name == "REQUEST_METHOD":
            monkeypatch.delenv(name)


def test_without_one_there_is_none() -> None:
    assert proxy_for(HTTP) is None


def test_each_scheme_has_its_own_and_all_stands_for_the_rest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("https_proxy", "http://one:8080/")
    assert proxy_for(HTTPS) == Proxy("one", 8080)
    assert proxy_for(HTTP) is None
    monkeypatch.setenv("ALL_PROXY", "two:3128")
    assert proxy_for(HTTPS) == Proxy("one", 8080)
    assert proxy_for(HTTP) == Proxy("two", 3128)


def test_some_servers_are_reached_without(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://one:8080")
    monkeypatch.setenv("no_proxy", "other.org,.example.org,example.org")
    assert proxy_for(HTTP) is None
    assert proxy_for(HTTP._replace(host=b"example.com")) == Proxy("one", 8080)


def test_what_lets_one_through_is_unescaped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://me:p%40ss@one")
    assert proxy_for(HTTP) == Proxy("one", 80, b"Basic bWU6cEBzcw==")


@pytest.mark.parametrize("given", ["socks5://me:hunter2@one", "http://:1", "http://one:x"])
def test_another_kind_is_refused_without_its_secret(
    monkeypatch: pytest.MonkeyPatch, given: str
) -> None:
    monkeypatch.setenv("http_proxy", given)
    with pytest.raises(ProxyError) as caught:
        proxy_for(HTTP)
    assert "hunter2" not in str(caught.value)
