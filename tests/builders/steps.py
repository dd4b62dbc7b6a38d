"""Trees of files and steps from one to the next, as a seed has them."""

from random import Random

from tests.builders.tree import File, Tree

NAMES = ["a", "b", "d/a", "d/e/c", "e"]
LINES = [b"one\n", b"two\n", b"\n", b"a longer line of text\n"]


def text(rng: Random) -> File:
    """Return a text, in which lines may be alike."""
    size = rng.randrange(14)
    lines = [b"%d\n" % n if rng.random() < 0.7 else rng.choice(LINES) for n in range(size)]
    return File(b"".join(lines))


def edited(rng: Random, file: File) -> File:
    """Return a file with a few lines edited, or something else of it."""
    way = rng.random()
    if file.is_link or b"\0" in file.data or way < 0.1:
        return rng.choice(
            [
                File(b"\0binary%d" % rng.randrange(3)),
                File(b"a", is_link=True),
                file._replace(executable=not file.executable and not file.is_link),
                text(rng),
            ]
        )
    lines = file.data.splitlines(keepends=True)
    for _ in range(rng.randrange(1, 3)):
        at = rng.randrange(len(lines) + 1)
        new = [rng.choice([b"new %d\n" % rng.randrange(9), *LINES])] * rng.randrange(3)
        lines[at : at + rng.randrange(3)] = new
    data = b"".join(lines)
    data = data.removesuffix(b"\n") if rng.random() < 0.1 else data
    return File(data, file.executable ^ (rng.random() < 0.1))


def stepped(rng: Random, tree: Tree) -> Tree:
    """Return a tree with some files edited, moved, added, deleted."""
    after = dict(tree)
    for name, file in tree.items():
        way = rng.random()
        if way < 0.5:
            after[name] = edited(rng, file)
        elif way < 0.6:
            del after[name]
        elif way < 0.75:
            del after[name]
            after[rng.choice(["moved/", ""]) + name.replace("/", "-") + "x"] = file
    if rng.random() < 0.3:
        after[rng.choice(["new", *NAMES])] = text(rng)
    return {n: f for n, f in after.items() if not any(m.startswith(n + "/") for m in after)}


def planted(rng: Random) -> Tree:
    """Return a tree of texts."""
    return {name: text(rng) for name in NAMES if rng.random() < 0.7}
