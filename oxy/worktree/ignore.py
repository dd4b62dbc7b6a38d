"""Which untracked names are left alone: the rules of `.gitignore` and `.oxyignore`.

Spec: working-copy, W10, W44. Git's order: the last pattern that matches decides; a deeper
file comes after one higher up, `.oxyignore` after `.gitignore` in one directory, and before
all `.git/info/exclude`, and before that the user's own. Below an ignored directory everything
is ignored.

Nothing is read before the first question: where every name is tracked, and so not asked about,
no ignore file costs anything. Going down, patterns that can no longer match are dropped; most
directories share the compiled rules of their parent.
"""

from collections.abc import Callable, Container, Sequence
from oxy.typed import Final

from oxy.worktree.wildmatch import (
    Pattern,
    Segment,
    matches_path,
    matches_segment,
    parse,
    spellings,
)

IGNORE_FILES: Final = (b".gitignore", b".oxyignore")
_EXCLUDE: Final = b".git/info/exclude"
_BOM: Final = b"\xef\xbb\xbf"

Reader = Callable[[bytes], bytes | None]
"""The bytes of the file at a path, or None if no regular file is there."""

Beyond = Callable[[], Sequence[bytes]]
"""The contents of files that hold in every repository, the weakest first."""


class _Rule:
    """A pattern as it stands in one directory: how many of its segments are behind."""

    __slots__ = ("depth", "pattern")

    def __init__(self, pattern: Pattern, depth: int) -> None:
        self.pattern = pattern
        self.depth = depth

    def is_everywhere(self) -> bool:
        return self.pattern.floating

    def segment_here(self) -> Segment | None:
        """Return what one name must match here, where that is all there is to match."""
        groups = self.pattern.groups
        if self.pattern.floating:
            return groups[0][0]
        return groups[0][self.depth] if len(groups) == 1 else None

    def is_due(self) -> bool:
        """Tell whether the pattern can match a name of this very directory."""
        groups = self.pattern.groups
        return self.pattern.floating or len(groups) > 1 or len(groups[0]) == self.depth + 1

    def below(self, name: bytes) -> "_Rule | None":
        """Return the rule in the child of this name, or None if it can match nothing there."""
        groups = self.pattern.groups
        if self.pattern.floating:
            return self
        if self.depth < len(groups[0]) and not matches_segment(groups[0][self.depth], name):
            return None
        if len(groups) == 1 and self.depth + 1 >= len(groups[0]):
            return None
        return _Rule(self.pattern, self.depth + 1)


class _Rules:
    """The rules that hold in one directory, with a quick answer for names that none touches."""

    __slots__ = ("_due", "_heads", "_odd", "_plain", "_tails", "carried")

    def __init__(self, carried: list[_Rule]) -> None:
        self.carried = carried
        self._due = [rule for rule in reversed(carried) if rule.is_due()]
        self._plain: set[bytes] = set()
        self._heads: tuple[bytes, ...] = ()
        self._tails: tuple[bytes, ...] = ()
        self._odd: list[_Rule] = []
        for rule in self._due:
            self._sort_in(rule)

    def _sort_in(self, rule: _Rule) -> None:
        match rule.segment_here():
            case (name,) if spelled := spellings(name):
                self._plain.update(spelled)
            case (b"", tail) if spelled := spellings(tail):
                self._tails += spelled
            case (head, b"") if spelled := spellings(head):
                self._heads += spelled
            case _:
                self._odd.append(rule)

    def same_below(self) -> bool:
        return all(rule.is_everywhere() for rule in self.carried)

    def below(self, name: bytes) -> list[_Rule]:
        children = (rule.below(name) for rule in self.carried)
        return [rule for rule in children if rule is not None]

    def verdict(self, names: tuple[bytes, ...], *, is_directory: bool) -> bool:
        """Answer for the last of these names; the others are the directories it lies in."""
        name = names[-1]
        near = name in self._plain or name.endswith(self._tails) or name.startswith(self._heads)
        for rule in self._due if near else self._odd:
            if rule.pattern.only_directories and not is_directory:
                continue
            segment = rule.segment_here()
            if segment is None:
                hit = matches_path(rule.pattern, names[len(names) - 1 - rule.depth :])
            else:
                hit = matches_segment(segment, name)
            if hit:
                return not rule.pattern.negated
        return False


class _Frame:
    """One directory on the way down; its rules are read when they are first asked for."""

    __slots__ = ("all_ignored", "ignore_files", "path", "rules")

    def __init__(self, path: bytes, ignore_files: list[bytes], *, all_ignored: bool) -> None:
        self.path = path
        self.ignore_files = ignore_files
        self.all_ignored = all_ignored
        self.rules: _Rules | None = None


class Ignore:
    """The rules as a walk goes through the tree, parents before children."""

    __slots__ = ("_beyond", "_frames", "_names", "_read")

    def __init__(self, read: Reader, beyond: Beyond = tuple) -> None:
        """Take how to read a file of the tree, following no symlinks, and the user's own."""
        self._read = read
        self._beyond = beyond
        self._frames: list[_Frame] = []
        self._names: tuple[bytes, ...] = ()

    def enter(self, path: bytes, names: Container[bytes], *, ignored: bool = False) -> None:
        """Make `path` the directory that is asked about.

        The root is the empty path; the parent of any other must have been entered before.
        `names` are the names in it. `ignored`: the directory is ignored itself, and entered for
        the sake of something tracked.
        """
        while self._frames and not _is_inside(path, self._frames[-1].path):
            self._frames.pop()
        files = [path + b"/" + name if path else name for name in IGNORE_FILES if name in names]
        if not path and b".git" in names:
            files.insert(0, _EXCLUDE)
        above = bool(self._frames) and self._frames[-1].all_ignored
        self._frames.append(_Frame(path, files, all_ignored=ignored or above))
        self._names = tuple(path.split(b"/")) if path else ()

    def ignored(self, name: bytes, *, is_directory: bool) -> bool:
        """Tell whether this name in the entered directory is ignored.

        Cost: a few set and prefix look-ups where no pattern comes near the name.
        """
        frame = self._frames[-1]
        if frame.all_ignored:
            return True
        rules = frame.rules or self._resolve()
        return rules.verdict((*self._names, name), is_directory=is_directory)

    def _resolve(self) -> _Rules:
        rules = _Rules([])
        for frame in self._frames:
            if frame.rules is None:
                frame.rules = self._rules_of(frame, rules)
            rules = frame.rules
        return rules

    def _rules_of(self, frame: _Frame, above: _Rules) -> _Rules:
        if not frame.path:
            carried = [rule for content in self._beyond() for rule in _rules_in(content)]
        elif not frame.ignore_files and above.same_below():
            return above
        else:
            carried = above.below(frame.path.rpartition(b"/")[2])
        for path in frame.ignore_files:
            carried += _rules_in(self._read(path))
        return _Rules(carried)


def _rules_in(content: bytes | None) -> list[_Rule]:
    if content is None:
        return []
    patterns = map(parse, content.removeprefix(_BOM).split(b"\n"))
    return [_Rule(pattern, 0) for pattern in patterns if pattern is not None]


def _is_inside(path: bytes, directory: bytes) -> bool:
    return not directory or path.startswith(directory + b"/")
