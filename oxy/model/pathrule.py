"""What a name in a tree may be, in one function (spec: names, N22 to N26, N35, N36). Pure.

The rule holds on every machine alike: a name that some other file system would read as oxy's
or Git's own directory is refused here too, so a repository made on one machine is safe on all.

A backslash is an ordinary byte on POSIX and a separator elsewhere. A name that holds one is
refused exactly if one of the parts between backslashes would be refused as a name of its own.
"""

MAX_NAME = 255
"""Longest component, in bytes: what common file systems take."""

MAX_PATH = 4096
"""Longest path, in bytes, separators included."""

MAX_DEPTH = 600
"""Most components of one path: no deeper than tools that recurse can still remove."""

# Names of these bytes alone, if not hidden, need no closer look; nearly all names are such.
_PLAIN = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-."
_CONTROL = bytes(range(0x20)) + b"\x7f"
_OWN = frozenset({".oxy", ".git"})
_SHORT = ("oxy~", "git~")

# Code points that HFS+ skips when it compares, and those that ext4 and f2fs skip in directories
# that fold case (Default_Ignorable_Code_Point); pairs of first and last.
_IGNORABLE = (
    (0x00AD, 0x00AD),
    (0x034F, 0x034F),
    (0x061C, 0x061C),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x200B, 0x200F),
    (0x202A, 0x202E),
    (0x2060, 0x206F),
    (0x3164, 0x3164),
    (0xFE00, 0xFE0F),
    (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFF8),
    (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A),
    (0xE0000, 0xE0FFF),
)


def refusal(name: bytes) -> str | None:
    """Return why this one component may not be a name, or None if it may.

    Cost: a few scans of the name; Unicode is looked at only if the name is not ASCII.
    """
    if len(name) > MAX_NAME:
        return f"is longer than {MAX_NAME} bytes"
    if name and not name.startswith(b".") and not name.translate(None, _PLAIN):
        return None
    if b"/" in name:
        return "contains a slash"
    if len(name.translate(None, _CONTROL)) != len(name):
        return "contains a control byte"
    for part in name.split(b"\\"):
        reason = _part_refusal(part)
        if reason is not None:
            return reason if part == name else f"{reason} between backslashes"
    return None


def path_refusal(path: bytes) -> str | None:
    """Return why this whole path may not be in a tree, or None if it may.

    An absolute path and a doubled or final slash show as empty components.
    """
    if len(path) > MAX_PATH:
        return f"is longer than {MAX_PATH} bytes"
    names = path.split(b"/")
    if len(names) > MAX_DEPTH:
        return f"is deeper than {MAX_DEPTH} directories"
    for name in names:
        reason = refusal(name)
        if reason is not None:
            return reason
    return None


def fold(name: bytes) -> bytes:
    """Return a key that is equal for two names which some file system takes for one.

    Valid UTF-8: case folded, in normal form C, without ignorable code points. Other bytes:
    ASCII letters lowered. Trailing dots and spaces count, as they do wherever they can be
    written.
    """
    if name.isascii():
        return name.lower()
    try:
        text = name.decode()
    except UnicodeDecodeError:
        return name.lower()
    import unicodedata

    # Folding can undo a normal form and normalising can bring forth foldable letters, so the
    # text is decomposed before and composed after (Unicode's canonical caseless matching).
    text = unicodedata.normalize("NFD", _without_ignorable(text)).casefold()
    return unicodedata.normalize("NFC", text).encode()


def _part_refusal(part: bytes) -> str | None:
    if not part:
        return "is empty"
    if part.isascii():
        text = part.decode("ascii").lower()
    else:
        # By way of capitals, so that letters which only share a capital fold as well.
        text = _without_ignorable(part.decode("utf-8", "surrogateescape")).upper().casefold()
    # `.git::$INDEX_ALLOCATION` and `.git:x` are streams of `.git` on NTFS.
    text = text.partition(":")[0]
    if text.rstrip(" ") in {".", ".."}:
        return "is . or .."
    text = text.rstrip(" .")
    if text in _OWN or (text.startswith(_SHORT) and text[4:].isdigit()):
        return "is a spelling of .oxy or .git"
    return None


def _without_ignorable(text: str) -> str:
    return "".join(c for c in text if not _is_ignorable(ord(c)))


def _is_ignorable(point: int) -> bool:
    return point > 0x7F and any(first <= point <= last for first, last in _IGNORABLE)  # noqa: PLR2004 - end of ASCII
