"""A client that records and pushes again and again, beside others: `python -m` this.

Its arguments: a directory that is made, an address, what it is called, how many changes, and
the bookmark that it pushes to.
"""

import os
import sys
import time

from oxy.actions.clone import clone
from oxy.actions.commit import Request as Commit
from oxy.actions.commit import commit
from oxy.actions.pull import Request, pull
from oxy.actions.push import Request as Push
from oxy.actions.push import UnseenError, push
from oxy.actions.switch import switch
from oxy.cli.watching import Silent
from oxy.errors import StateError
from oxy.worktree.workcopy import working_copy

TRIES = 10_000


def pushed(root: bytes) -> None:
    """Push, and pull first where somebody else was faster."""
    for _ in range(TRIES):
        with working_copy(root) as copy:
            try:
                push(copy, Push(b"origin"), Silent())
            except UnseenError:
                pull(copy, Request(b"origin"), Silent())
            except StateError:
                # It is being written, or has too much to do.
                time.sleep(0.05)
            else:
                return
    message = "it never got through"
    raise AssertionError(message)


def main() -> None:
    root, address, name, count, bookmark = map(os.fsencode, sys.argv[1:])
    clone(address, root, None, Silent())
    if bookmark != b"main":
        with working_copy(root) as copy:
            switch(copy, b"main", bookmark)
    for at in range(int(count)):
        path = os.path.join(root, b"%s-%d" % (name, at))
        with open(path, "wb") as file:
            file.write(b"%s %d\n" % (name, at))
        with working_copy(root) as copy:
            commit(copy, Commit(author=name + b" <soak@example.org>"), lambda _: name)
        pushed(root)


if __name__ == "__main__":
    main()
