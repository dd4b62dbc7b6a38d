"""What each argument of each verb takes, by the word that help calls it (spec: L38)."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, TypeAlias

    Kind: TypeAlias = Literal[
        "files",
        "dirs",
        "states",
        "changes",
        "bookmarks",
        "tags",
        "remotes",
        "shelves",
        "settings",
        "given settings",
        "free",
    ]

KINDS: dict[str, tuple[Kind, ...]] = {
    "PATH": ("files",),
    "[CHANGE] PATH": ("changes", "files"),
    "[STATE] PATH": ("states", "files"),
    "FILE": ("files",),
    "SOURCE": ("files",),
    "WHERE": ("dirs",),
    "TARGET": ("files",),
    "DIR": ("dirs",),
    "STATE": ("states",),
    "STATE|A..B": ("states",),
    "BAD": ("states",),
    "GOOD": ("states",),
    "CHANGE": ("changes",),
    "CHANGE|BOOKMARK": ("changes",),
    "BOOKMARK": ("bookmarks",),
    "BRANCH": ("bookmarks",),
    "REMOTE": ("remotes", "dirs"),
    "SETTING": ("settings",),
    "NAME=VALUE": ("given settings",),
}
"""By the words of several verbs."""

OF_VERBS: dict[tuple[str, str], tuple[Kind, ...]] = {
    ("bookmark", "--delete"): ("bookmarks",),
    ("bookmark", "--describe"): ("bookmarks", "free"),
    ("bookmark", "--move"): ("bookmarks", "states"),
    ("bookmark", "--rename"): ("bookmarks", "free"),
    ("bookmark", "--upstream"): ("bookmarks", "remotes"),
    ("clone", "SOURCE"): ("dirs",),
    ("push", "--delete"): ("bookmarks",),
    ("push", "--tag"): ("tags",),
    ("remote remove", "NAME"): ("remotes",),
    ("remote rename", "OLD"): ("remotes",),
    ("remote show", "NAME"): ("remotes",),
    ("shelve", "--delete"): ("shelves",),
    ("tag", "--delete"): ("tags",),
    ("tag", "--show"): ("tags",),
    ("unshelve", "NAME"): ("shelves",),
}
"""By one verb and its option, or its word."""

FREE = frozenset(
    {
        "AUTHOR",
        "COMMAND",
        "DATE",
        "DAYS",
        "DESCRIPTION",
        "FORMAT",
        "MESSAGE",
        "N",
        "NAME",
        "NEW",
        "OLD",
    }
    | {
        "HOST:PORT",
        "N|N%",
        "OPERATION",
        "PATTERN",
        "PREFIX",
        "RANGE",
        "RANGE:PATH",
        "REGEX",
        "TEMPLATE",
        "TEXT",
        "USER",
    }
    | {"TIME", "URL", "VALUE", "WORD"}
)
"""What nobody can guess."""


def kinds_of(verb: str, option: str, called: str) -> tuple[Kind, ...]:
    """Return what an argument takes: of which kinds a word may be.

    Args:
        verb: such as `remote add`.
        option: the long name of an option, or nothing.
        called: what help calls its value.
    """
    own = OF_VERBS.get((verb, option or called))
    return own or KINDS.get(called.upper(), ("free",))
