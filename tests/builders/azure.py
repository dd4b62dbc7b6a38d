"""A server of Azure's blobs on the loopback: Azurite, where it is installed."""

import base64
import hashlib
import hmac
import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from email.utils import formatdate
from urllib.request import Request, urlopen

ACCOUNT = "devstoreaccount1"
KEY = base64.b64encode(b"a key that is known to everybody, and so no secret at all").decode()
CONTAINER = "team"
VERSION = "2021-12-02"


def azurite() -> str:
    """Return the program; empty where it is not installed."""
    return os.environ.get("OXY_AZURITE", "")


@contextmanager
def azure() -> Iterator[dict[str, str]]:
    """Run it with a container `team`; yield the environment in which it is used."""
    words = [azurite(), "--blobHost", "127.0.0.1", "--blobPort", "0", "--inMemoryPersistence"]
    words += ["--skipApiVersionCheck", "--disableTelemetry"]
    with subprocess.Popen(
        words,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "AZURITE_ACCOUNTS": f"{ACCOUNT}:{KEY}"},
    ) as process:
        assert process.stdout is not None
        try:
            said = ""
            while not (found := re.search(r"listens on http://127\.0\.0\.1:(\d+)", said)):
                said = process.stdout.readline()
                assert said
            endpoint = f"http://127.0.0.1:{found[1]}/{ACCOUNT}"
            _make(endpoint)
            yield {
                "AZURE_STORAGE_ENDPOINT": endpoint,
                "AZURE_STORAGE_ACCOUNT_NAME": ACCOUNT,
                "AZURE_STORAGE_ACCOUNT_KEY": KEY,
                "AZURE_ALLOW_HTTP": "true",
            }
        finally:
            process.kill()
            process.wait()


def _make(endpoint: str) -> None:
    """Make the container, which nothing that oxy uses does."""
    date = formatdate(usegmt=True)
    headers = f"x-ms-date:{date}\nx-ms-version:{VERSION}"
    path = f"/{ACCOUNT}/{ACCOUNT}/{CONTAINER}"
    text = "PUT" + "\n" * 12 + f"{headers}\n{path}\nrestype:container"
    digest = hmac.digest(base64.b64decode(KEY), text.encode(), hashlib.sha256)
    made = Request(  # noqa: S310 -- to ourselves
        f"{endpoint}/{CONTAINER}?restype=container",
        method="PUT",
        headers={
            "x-ms-date": date,
            "x-ms-version": VERSION,
            "Content-Length": "0",
            "Authorization": f"SharedKey {ACCOUNT}:{base64.b64encode(digest).decode()}",
        },
    )
    with urlopen(made) as answer:  # noqa: S310 -- likewise
        assert answer.status == 201
