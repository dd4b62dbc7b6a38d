"""The topics of `oxy help` that are no command (spec: command-line, L36).

Texts of their own lie beside this module; what is a table of the code is made of that table.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from oxy.actions.settings import Setting

TOPICS = {
    "tutorial": "a first half hour",
    "from-git": "what is called how, for those who come from Git",
    "states": "what a state is, and how one is called",
    "conflicts": "what a conflict is, and how it is settled",
    "settings": "all that may be configured",
    "hooks": "programs of your own that run before or after a command",
    "buckets": "a repository in an object store",
    "credentials": "what tells a server of HTTP who you are",
    "lazy": "clones that have the text of large files come later",
    "templates": "texts with which messages begin",
    "environment": "the variables that are read",
    "exit-codes": "what a command's end says",
}

EXIT_CODES = {
    0: "fine",
    1: "the answer is no: nothing to do, differences or conflicts where a command says so",
    2: "the request is wrong: an unknown name, a bad argument, something that is refused",
    3: "not ready: no repository or author, locked, a full disk, no permission",
    4: "corrupt: bytes are not what they claim to be",
    5: "the operating system failed to read or write",
    70: "a bug in oxy",
    130: "interrupted",
    141: "nobody reads the output any more",
}

ENVIRONMENT = {
    "OXY_AUTHOR": "who records, in place of user.name and user.email: Name <address>",
    "OXY_EDITOR": "the editor of messages, before ui.editor",
    "OXY_PAGER": "the pager, before ui.pager; empty for none",
    "OXY_TIMINGS": "1: what each phase took, and the peak memory; memory: what it held too",
    "OXY_SSH": "what reaches another machine, in place of ssh.command: words, no shell",
    "OXY_TOKENS": "what tells servers who you are: HOST=TOKEN, several with blanks between",
    "NETRC": "the file that tells it too, in place of ~/.netrc",
    "http_proxy": "a proxy to servers; so https_proxy, all_proxy; no_proxy: where to without",
    "SSL_CERT_FILE": "certificates to trust, in place of the machine's",
    "OXY_TRACEBACK": "where in oxy an error arose",
    "VISUAL": "the editor, if nothing of oxy names one",
    "EDITOR": "the editor, if VISUAL does not",
    "PAGER": "the pager, if nothing of oxy names one",
    "LESS": "what less is told; FRX where it is not set",
    "NO_COLOR": "no colour, unless --color says so",
    "TERM": "dumb: no colour and no pager",
    "XDG_CONFIG_HOME": "where oxy/config.toml and git/ignore are, in place of ~/.config",
}
ENVIRONMENT_OF_HOOKS = {
    "OXY_HOOK": "set for a hook: its name",
    "OXY_ROOT": "set for a hook: the directory of the working copy",
}

WIDTH = 88


def topic(name: str) -> str:
    """Return the text on a topic of `TOPICS`."""
    if name == "settings":
        return settings()
    if name == "environment":
        rows = (ENVIRONMENT | ENVIRONMENT_OF_HOOKS).items()
        return f"Variables of the environment:\n\n{table(rows)}"
    if name == "exit-codes":
        codes = ((str(code), what) for code, what in EXIT_CODES.items())
        return f"Each command's help tells which of these it ends with:\n\n{table(codes)}"
    with open(os.path.join(os.path.dirname(__file__), f"{name}.txt"), encoding="utf-8") as file:
        return file.read()


def table(rows: Iterable[tuple[str, str]]) -> str:
    """Return rows of a word and what it means, which is wrapped."""
    import textwrap

    held = list(rows)
    widest = max(len(word) for word, _ in held)
    lines = []
    for word, meaning in held:
        first, *rest = textwrap.wrap(meaning, WIDTH - widest - 4)
        lines.append(f"  {word:<{widest}}  {first}\n")
        lines += [f"  {'':<{widest}}  {line}\n" for line in rest]
    return "".join(lines)


SETTINGS_HEAD = """\
Your own file counts everywhere, and the file of a repository there, before yours, as far as it
may say. `oxy config where` tells where they are, `oxy config set NAME VALUE` sets a value, and
`oxy -c NAME=VALUE COMMAND` lets one hold for a command. They are TOML:

  [user]
  name = "Ada Lovelace"

  [hook]
  before-commit = ["make", "lint"]

In brackets is what holds where nothing is set.
"""


def settings() -> str:
    """Return all settings, from their table."""
    from oxy.actions.settings import SETTINGS

    parts = [SETTINGS_HEAD]
    for file, heading in {"either": "in either file", "user": "in your own file only"}.items():
        held = [each for each in SETTINGS if each.file == file]
        rows = ((each.name, f"{purpose_of(each)} ({each.default})") for each in held)
        parts.append(f"\n{heading}:\n{table(rows)}")
    return "".join(parts)


def purpose_of(setting: Setting) -> str:
    """Return what a setting is for, with what it may be."""
    return ": ".join(filter(None, (setting.purpose, ", ".join(setting.choices))))
