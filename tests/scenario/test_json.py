"""Every command with --json, and the forms that the specification tells."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from oxy.cli.commands import COMMANDS, Table
from oxy.cli.main import loaded
from oxy.cli.records import Json
from tests.builders.desk import Desk
from tests.builders.forms import Form, forms, keys
from tests.builders.gitrepo import GitRepo
from tests.builders.signer import Signer

# What these write is no fact: a file is edited, a script is for a shell, a wire for a program.
SILENT = {"config edit", "completion", "serve"}


def verbs(table: Table, above: str = "") -> Iterator[str]:
    for verb, (module, _, _) in table.items():
        inner: Table | None = getattr(loaded(module), "COMMANDS", None)
        name = f"{above} {verb}".lstrip()
        if inner is None:
            yield name
        else:
            yield from verbs(inner, name)


class Clerk:
    """Runs commands with --json, and holds what they write against the specification."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.known = forms()
        self.told: set[str] = set()

    def run(self, *words: str, codes: tuple[int, ...] = (0,)) -> list[dict[str, Json]]:
        """Return the objects that a command wrote, each of the form that is told of it."""
        assert self.desk.run("--json", *words) in codes, (words, self.desk.err)
        line = " ".join(words[2:] if words[0] == "-C" else words)
        verb = next(verb for verb in verbs(COMMANDS) if f"{line} ".startswith(f"{verb} "))
        form = self.known.get(verb) or self.known[verb.split()[0]]
        written: list[dict[str, Json]] = []
        for told in self.desk.out.splitlines():
            found = json.loads(told)
            assert form.refuses(found) is None, (words, form.refuses(found))
            written.append(found)
        if written:
            self.told.add(verb)
        return written

    def commit(self, message: str) -> str:
        """Record everything; return the id."""
        return str(self.run("commit", "-m", message)[0]["id"])


@pytest.fixture
def clerk(
    desk: Desk, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Clerk:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("home")))
    return Clerk(desk)


def record(clerk: Clerk) -> list[str]:
    """Record three changes of a text and two files; return their ids."""
    clerk.run("version")
    clerk.desk.write("text", "".join(f"{number}\n" for number in range(20)))
    clerk.desk.write("d/a", "a\n")
    first = clerk.commit("First")
    clerk.desk.write("text", "".join(f"{number}\n" for number in (0, "one", *range(2, 20))))
    clerk.run("status")
    clerk.run("diff", "--hunks")
    clerk.run("hunks")
    second = clerk.commit("Second")
    clerk.desk.write(
        "text", "".join(f"{number}\n" for number in (0, "one", *range(2, 19), "x"))
    )
    return [first, second, clerk.commit("Third")]


def look(clerk: Clerk, change: str) -> None:
    for words in (
        ["log", "--graph"],
        ["show"],
        ["deps", change],
        ["blame", "text"],
        ["cat", "text"],
        ["files"],
        ["op", "log"],
        ["op", "show", "2"],
        ["op", "diff", "1"],
        ["bookmark"],
        ["checkpoint"],
        ["diff", "--from", change],
        ["grep", "one"],
        ["describe", "--always"],
    ):
        assert clerk.run(*words), words


def move_files(clerk: Clerk) -> None:
    clerk.run("mv", "d/a", "d/b")
    clerk.commit("Moved")
    clerk.run("rm", "d/b")
    clerk.run("restore", "--from", "@", "d/b")
    clerk.desk.write("d/b", "b\n")
    clerk.run("discard", "d/b")
    clerk.desk.write("new", "new\n")
    clerk.run("clean")
    clerk.run("undo")
    clerk.run("redo")
    clerk.desk.write("new", "new\n")
    clerk.run("untrack", "d/b")
    clerk.run("track", "d/b")
    clerk.run("shelve", "half")
    clerk.run("shelve", "--list")
    clerk.run("unshelve")
    clerk.run("discard", "--all", codes=(0, 1))
    clerk.run("clean", codes=(0, 1))


def rewrite(clerk: Clerk, ids: list[str]) -> None:
    clerk.desk.write("d/b", "b2\n")
    clerk.run("amend")
    clerk.desk.write("d/b", "b3\n")
    clerk.run("absorb")
    newest = str(clerk.run("log", "-n", "1")[0]["id"])
    clerk.run("reword", newest, "-m", "Moved it")
    clerk.run("reorder", ids[2], "--before", ids[1])
    second, third = (str(each["id"]) for each in clerk.run("log", "-n", "3")[1:])
    clerk.run("fold", second, third)
    folded = str(clerk.run("log", "-n", "2")[1]["id"])
    clerk.run("split", folded, "--hunk", "1", "-m", "Half")
    clerk.run("revert", "@", codes=(0, 1))
    clerk.run("uncommit")
    clerk.run("discard", "--all", codes=(0, 1))
    clerk.run("op", "restore", "9")


def unite(clerk: Clerk) -> None:
    desk = clerk.desk
    clerk.run("switch", "-c", "topic")
    desk.write("text", "left\n")
    clerk.commit("Left")
    clerk.run("switch", "main")
    desk.write("text", "right\n")
    desk.write("more", "more\n")
    right = clerk.commit("Right")
    clerk.run("merge", "topic", "--dry-run")
    clerk.run("merge", "topic")
    clerk.run("status")
    clerk.run("resolve", codes=(1,))
    clerk.run("resolve", "--take", "left", "text")
    clerk.commit("Settled")
    clerk.run("undo")
    clerk.run("discard", "--all", codes=(0, 1))
    clerk.run("unrecord", right, codes=(0,))
    clerk.run("pick", right)
    clerk.run("tag", "v1", "-m", "One")
    clerk.run("tag")
    clerk.run("switch", "topic")
    clerk.run("rebase", "--onto", "main", codes=(0, 1))


def search(clerk: Clerk, first: str) -> None:
    clerk.run("switch", "main")
    clerk.run("discard", "--all", codes=(0, 1))
    clerk.run("bisect", "start")
    clerk.run("bisect", "bad")
    clerk.run("bisect", "good", first)
    clerk.run("bisect", "skip")
    clerk.run("bisect", "run", "true")
    clerk.run("bisect", "reset")


def share(clerk: Clerk, place: Path) -> None:
    desk = clerk.desk
    other, bundle = str(place / "other"), str(place / "bundle")
    clerk.run("clone", str(desk.root), other)
    clerk.run("remote", "add", "friend", other)
    clerk.run("remote", "list")
    desk.write("more", "shared\n")
    clerk.commit("Shared")
    clerk.run("push", "friend")
    clerk.run("fetch", "friend")
    clerk.run("pull", "friend")
    clerk.run("bundle", "create", bundle, "main")
    clerk.run("bundle", "inspect", bundle)
    clerk.run("bundle", "verify", bundle)
    clerk.run("bundle", "apply", bundle)
    clerk.run("remote", "show", "friend")
    clerk.run("remote", "rename", "friend", "mate")
    clerk.run("remote", "remove", "mate")
    clerk.run("publish", str(place / "published"))
    (place / "bucket").mkdir()
    clerk.run("push", f"file://{place / 'bucket'}", "main")
    clerk.run("bucket", "gc", f"file://{place / 'bucket'}")
    clerk.run("archive", "main", "more", "-o", str(place / "main.tar"))
    assert desk.run("diff", "--from", "main~1", "--to", "main") == 0
    (place / "patch").write_text(desk.out)
    clerk.run("-C", str(place / "other"), "apply", str(place / "patch"))
    clerk.run("workspace", "add", str(place / "beside"))
    clerk.run("workspace", "list")
    clerk.run("-C", str(place / "beside"), "workspace", "attach", str(desk.root))
    clerk.run("workspace", "remove", "beside")
    clerk.run("subrepo", "add", "vendor", str(place / "other"))
    clerk.run("subrepo", "list")
    clerk.run("subrepo", "record")
    clerk.run("subrepo", "update")
    clerk.run("subrepo", "move", "vendor", "third")
    clerk.run("subrepo", "remove", "third")


def nest(clerk: Clerk, place: Path) -> None:
    library = clerk.desk.root / "library"
    clerk.run("subrepo", "add", "library", str(place / "other"))
    clerk.run("subrepo", "list")
    before = str(clerk.run("-C", str(library), "log", "-n", "1")[0]["id"])
    clerk.desk.write("library/new", "new\n")
    clerk.run("-C", str(library), "commit", "-m", "New")
    clerk.run("subrepo", "record")
    clerk.run("-C", str(library), "switch", before)
    clerk.run("subrepo", "update")
    clerk.run("subrepo", "remove", "library")


def configure(clerk: Clerk) -> None:
    clerk.run("config", "set", "user.name", "Ada")
    clerk.run("config", "get", "user.name")
    clerk.run("config", "list")
    clerk.run("config", "where")
    clerk.run("config", "unset", "user.name")
    clerk.desk.write(".oxy/config.toml", "nonsense = 1\n")
    clerk.run("config", "check", codes=(1,))


def thin(clerk: Clerk) -> None:
    clerk.run("sparse", "set", "text")
    clerk.run("sparse", "add", "*")
    clerk.run("sparse", "list")
    clerk.run("sparse", "reset")


def admit(clerk: Clerk) -> None:
    clerk.run("access", "add", "ada", "--push", "main")
    clerk.run("access", "add", "anyone")
    clerk.run("access", "renew", "ada")
    clerk.run("access", "list")
    clerk.run("access", "remove", "ada")


def vouch(clerk: Clerk, place: Path) -> None:
    signer = Signer(place)
    allowed = signer.allow(place / "allowed")
    clerk.run("config", "set", "--user", "signing.allowed", str(allowed))
    clerk.run("sign", "--key", str(signer.key))
    clerk.run("tag", "signed")
    clerk.run("sign", "--key", str(signer.key), "--tag", "signed")
    clerk.run("verify")
    clerk.run("verify", "--tag", "signed")
    clerk.run("log", "--show-signature")


def bring(clerk: Clerk, place: Path) -> None:
    git = GitRepo(place / "git")
    git.main({b"a": b"a\n"})
    clerk.run("git", "import", str(git.root), str(place / "from-git"))
    clerk.run("-C", str(place / "from-git"), "git", "verify")
    clerk.run("-C", str(place / "from-git"), "git", "export", str(place / "to-git"))
    clerk.run("git", "init", str(git.root))
    clerk.run("-C", str(git.root), "git", "colocate")
    clerk.run("git", "clone", str(git.root), str(place / "git-clone"))
    there = ("-C", str(place / "git-clone"), "git")
    clerk.run(*there, "remote", "add", "other", str(git.root))
    for words in ("remote list", "pull origin", "fetch origin", "push origin", "status"):
        assert clerk.run(*there, *words.split()), words
    clerk.run(*there, "remote", "remove", "other")


def damage(clerk: Clerk) -> None:
    clerk.run("upgrade")
    clerk.run("gc")
    segments = (clerk.desk.root / ".oxy/segments").iterdir()
    segment = max(segments, key=lambda each: each.stat().st_size)
    data = bytearray(segment.read_bytes())
    data[len(data) // 2] ^= 1
    segment.chmod(0o644)
    segment.write_bytes(data)
    clerk.run("fsck", codes=(4,))


def test_every_command_writes_the_form_that_is_told_of_it(
    clerk: Clerk, tmp_path_factory: pytest.TempPathFactory
) -> None:
    place = tmp_path_factory.mktemp("place")
    clerk.run("init", str(place / "init"))
    ids = record(clerk)
    look(clerk, ids[1])
    move_files(clerk)
    rewrite(clerk, ids)
    unite(clerk)
    search(clerk, ids[0])
    share(clerk, place)
    nest(clerk, place)
    vouch(clerk, place)
    admit(clerk)
    thin(clerk)
    configure(clerk)
    bring(clerk, place)
    damage(clerk)
    assert set(verbs(COMMANDS)) - clerk.told == SILENT


def test_a_form_refuses_what_it_does_not_tell() -> None:
    form = Form('{"a", "b"?: [{"c"}], "d": {"e"}} with `--x` {"f"}')
    assert form.objects == [{"a", "d"}, {"f"}]
    assert form.refuses({"a": 1, "d": {"e": 1}}) is None
    assert form.refuses({"a": "x", "a_bytes": "78", "b": [], "d": None}) is None
    assert form.refuses({"f": 1}) is None
    assert form.refuses({"a": 1}) == "d missing"
    assert form.refuses({"f": [{"g": 1}]}) == "g not told"
    assert keys({"a": [{"b": {"c": 1}}, 1]}) == {"a", "b", "c"}
