"""Four changes in a row, and the order in which their messages stand."""

from pathlib import Path

from oxy.actions.newest import Newest
from tests.builders.workshop import Workshop


def row(root: Path) -> Workshop:
    """Return a working copy on main: four changes of a file each, the last on the second's."""
    shop = Workshop(root)
    shop.commit("a", a="a\n")
    shop.commit("b", b="b\n")
    shop.commit("c", c="c\n")
    shop.commit("d", b="b\nd\n")
    return shop


def name(shop: Workshop, change: int) -> bytes:
    """Return what a change is called, given its number."""
    with shop.repository() as repository:
        return repository.store.id_of(1, change).hex().encode()


def log(shop: Workshop) -> str:
    """Return the messages of the state, oldest first."""
    state = shop.base()
    with shop.repository() as repository:
        found = [step.header.message.decode() for step in Newest(repository, state)]
    return "".join(reversed(found))
