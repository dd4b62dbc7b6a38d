"""A server of S3 on the loopback, as another process."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.request import Request, urlopen

SERVER = """
import logging, sys
from werkzeug.serving import make_server
from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app

logging.getLogger("werkzeug").setLevel(logging.CRITICAL)
server = make_server(
    "127.0.0.1", 0, DomainDispatcherApplication(create_backend_app), threaded=True
)
print(server.server_port, flush=True)
server.serve_forever()
"""


@contextmanager
def s3() -> Iterator[dict[str, str]]:
    """Run it with a bucket `team`; yield the environment in which it is used."""
    with subprocess.Popen(
        [sys.executable, "-c", SERVER],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=dict(os.environ),
    ) as process:
        assert process.stdout is not None
        try:
            endpoint = f"http://127.0.0.1:{int(process.stdout.readline())}"
            made = Request(f"{endpoint}/team", data=b"", method="PUT")  # noqa: S310 -- to ourselves
            with urlopen(made) as answer:  # noqa: S310 -- likewise
                assert answer.status == 200
            yield {
                "AWS_ENDPOINT_URL": endpoint,
                "AWS_ALLOW_HTTP": "true",
                "AWS_REGION": "us-east-1",
                "AWS_ACCESS_KEY_ID": "who",
                "AWS_SECRET_ACCESS_KEY": "nobody-sees-this",
            }
        finally:
            process.send_signal(signal.SIGKILL)
            process.wait()
