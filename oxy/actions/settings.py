"""The table of the settings: what may be set, in which file, and what for (spec: L31).

Nothing else can be read from a configuration file: `oxy.actions.config` looks here first.
"""

from oxy.typed import Final, Literal, NamedTuple

Kind = Literal["text", "path", "choice", "words"]
"""What a value is: any text, a file, one of some words, or a command and its arguments."""


class Setting(NamedTuple):
    """One setting.

    Args:
        name: its name; a part that is `*` stands for any word.
        kind: what its value is.
        default: what holds where nothing is set, as it is told to people.
        file: which file may set it. That of a repository may be somebody else's choice, as in
            a directory that was unpacked: what it sets never runs a program, and names no
            file outside.
        purpose: what it is for.
        choices: what a choice may be.
    """

    name: str
    kind: Kind
    default: str
    file: Literal["either", "user"]
    purpose: str
    choices: tuple[str, ...] = ()


WHEN: Final = ("auto", "always", "never")

SETTINGS: Final = (
    Setting("user.name", "text", "Git's", "either", "your name, in what you record"),
    Setting("user.email", "text", "Git's", "either", "your address, in what you record"),
    Setting(
        "commit.template",
        "path",
        "none",
        "either",
        "a file with which a message begins in the editor; a relative path is the "
        "repository's, whose own file may name no other",
    ),
    Setting("ui.color", "choice", "auto", "user", "when to use colour", WHEN),
    Setting(
        "ui.pager",
        "text",
        "PAGER, else less -FRX",
        "user",
        "the program that shows what is longer than the terminal; empty for none",
    ),
    Setting(
        "ui.editor", "text", "VISUAL, else EDITOR, else vi", "user", "the editor of messages"
    ),
    Setting(
        "merge.tool", "text", "Git's", "user", "the merge tool of `oxy resolve --tool`, by name"
    ),
    Setting(
        "mergetool.*.cmd",
        "text",
        "what Git knows of it",
        "user",
        "how a merge tool is run: a shell command that has $BASE, $LOCAL, $REMOTE and $MERGED",
    ),
    Setting(
        "ssh.command",
        "words",
        "ssh",
        "user",
        "the program that reaches another machine, and its arguments; OXY_SSH goes before it",
    ),
    Setting(
        "sync.silence",
        "text",
        "120",
        "user",
        "seconds of silence after which another machine counts as lost",
    ),
    Setting(
        "gc.auto",
        "choice",
        "true",
        "either",
        "whether commands that write pack a little of what was written when they have ended",
        ("true", "false"),
    ),
    Setting(
        "gc.grace",
        "text",
        "14",
        "either",
        "days for which `oxy gc` keeps what nothing reaches any more",
    ),
    Setting(
        "gc.log",
        "text",
        "90",
        "either",
        "days after which `oxy gc` lets go of operations, and of what only they reach",
    ),
    Setting("ssh.oxy", "text", "oxy", "user", "what oxy is called on the other machine"),
    Setting(
        "safe.directory",
        "words",
        "none",
        "user",
        "directories in which you work though another user owns the repository; `*` for all",
    ),
    Setting(
        "signing.key",
        "text",
        "Git's, where gpg.format is ssh",
        "user",
        "the key to sign with: a file of ssh, or the text of a public key that an agent holds",
    ),
    Setting(
        "signing.allowed",
        "text",
        "Git's",
        "user",
        "the file of allowed signers: whose signatures are believed (`man ssh-keygen`)",
    ),
    Setting(
        "signing.when",
        "choice",
        "never",
        "user",
        "whether what you record is signed at once",
        ("always", "never"),
    ),
    Setting(
        "signing.program",
        "words",
        "ssh-keygen",
        "user",
        "the program that signs and checks, and its arguments",
    ),
    Setting(
        "signers.*",
        "words",
        "none",
        "user",
        "who has to have signed what comes to a bookmark whose name fits: names of allowed "
        "signers, or `*` for any of them",
    ),
    Setting(
        "alias.*",
        "text",
        "none",
        "user",
        "a command of your own: the words that it stands for, the first a command of oxy",
    ),
    Setting(
        "hook.before-commit",
        "words",
        "none",
        "user",
        "a program that runs before `oxy commit` records, and stops that where it fails",
    ),
    Setting("hook.after-commit", "words", "none", "user", "one that runs after that"),
    Setting(
        "hook.before-push",
        "words",
        "none",
        "user",
        "a program that runs before bookmarks are pushed, and stops that where it fails",
    ),
    Setting("hook.after-pull", "words", "none", "user", "one that runs after a pull"),
    Setting(
        "hook.before-take",
        "words",
        "none",
        "user",
        "a program that runs before `oxy serve` takes in a push, and refuses it where it fails",
    ),
    Setting("hook.after-take", "words", "none", "user", "one that runs after that"),
    Setting("hook.after-switch", "words", "none", "user", "one that runs after a switch"),
)


def setting_of(name: str) -> Setting | None:
    """Return the setting of a name, or None."""
    return next((each for each in SETTINGS if _fits(each, name)), None)


def keys_of(setting: Setting, name: str) -> list[str]:
    """Return the keys by which TOML has a name, from the outermost table on.

    What stands for `*` is one key, dots in it or not.
    """
    before, star, after = setting.name.partition("*")
    if not star:
        return name.split(".")
    word = name[len(before) : len(name) - len(after)]
    return [*before.split(".")[:-1], word, *after.split(".")[1:]]


def near(name: str) -> tuple[str, ...]:
    """Return the names that look like one that is none."""
    from difflib import get_close_matches

    return tuple(get_close_matches(name, [each.name for each in SETTINGS]))


def _fits(setting: Setting, name: str) -> bool:
    before, star, after = setting.name.partition("*")
    if not star:
        return name == setting.name
    long_enough = len(name) > len(before) + len(after)
    return long_enough and name.startswith(before) and name.endswith(after)
