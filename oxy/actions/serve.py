"""Answer one other side over a pair of pipes, until it ends (spec: sync, SY16, SY51)."""

from contextlib import closing, suppress

from oxy.actions.hosting import Hosted, Watch
from oxy.errors import OxyError
from oxy.progress import Progress
from oxy.sync import limits
from oxy.sync.errors import LostError
from oxy.sync.pipes import Pipes
from oxy.sync.wire import refused, served


def serve(
    root: bytes,
    source: int,
    target: int,
    progress: Progress,
    limit: float = limits.SILENCE,
    watch: Watch | None = None,
) -> None:
    """Answer what is asked of the repository in a directory.

    Args:
        root: its directory.
        source: the descriptor that questions come from.
        target: the one that answers go to.
        progress: told of each object that is taken in.
        limit: seconds of silence after which the other side counts as gone.
        watch: asked before something is taken in, and told after.

    Raises:
        NoRepositoryError: there is none; the other side has been told.
        LostError: the other side is gone, or silent.
        RefusedTransferError: it says what makes no sense; it has been told.
        OxyError: whatever was wrong here; the other side has been told.
    """
    pipes = Pipes(source, target, limit)
    try:
        host = Hosted(root, b"serve", progress, None, watch)
    except OxyError as error:
        with suppress(LostError):
            pipes.write(refused(error))
        raise
    with closing(host):
        for packet in served(host, pipes.read):
            pipes.write(packet)
