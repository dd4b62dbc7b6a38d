"""Give a change another message or author (spec: command-line, reword; states, S12)."""

from collections.abc import Callable

from oxy.actions.commit import NoMessageError
from oxy.actions.membership import member
from oxy.actions.rewriting import Outcome, Request, carry_out, words_of
from oxy.repo.rewriting.steps import Plan, Step
from oxy.worktree.workcopy import WorkingCopy


def reword(
    copy: WorkingCopy,
    called: bytes,
    ask: Callable[[bytes], bytes],
    *,
    author: bytes | None = None,
    is_trial: bool = False,
) -> Outcome | None:
    """Record a change anew with another message, and all that know it after it.

    Args:
        copy: the working copy.
        called: the change.
        ask: shows the message that it has, and returns the one that it is to have.
        author: who it is to be by, if not who it was by.
        is_trial: whether to take it back at once.

    Returns:
        What came of it; None where nothing would change.

    Raises:
        NotHereError: the change is not in the state of the working copy.
        NoMessageError: the message is empty.
    """
    copy.look()
    clock = copy.clock()
    change = member(copy, called)
    header = copy.repository.header(change)
    message = ask(header.message).strip()
    if not message:
        raise NoMessageError
    if message == header.message.strip() and author in (None, header.author):
        return None
    request = Request(words_of(b"reword", copy.repository, [change]), is_trial, clock)
    step = Step((change,), change, message=message, author=author)
    return carry_out(copy, request, lambda _: Plan(copy.base.state, (step,)))
