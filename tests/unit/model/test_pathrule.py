import subprocess
import sys

import pytest

from oxy.model.pathrule import MAX_DEPTH, MAX_NAME, MAX_PATH, fold, path_refusal, refusal

ALLOWED = [
    b"a",
    b"README.md",
    b".gitignore",
    b".oxyignore",
    b".gitmodules",
    b".github",
    b"..a",
    b"...",
    b" a",
    b"git",
    b"oxy",
    b"git~",
    b"git~x",
    b"agit~1",
    b".git2",
    b"x.git",
    b"a\\b",
    b"dev-disk\\x2dlabel",
    b"a:b",
    b"-rf",
    b"CON",
    "naïve".encode(),
    "日本".encode(),
    "❤️".encode(),
    b"\xff\xfe",
    b"caf\xe9",
    b"x" * MAX_NAME,
]

OWN_SPELLINGS = [
    b".git",
    b".oxy",
    b".GIT",
    b".Oxy",
    b".gIt",
    b".git.",
    b".oxy ",
    b".git . .",
    b"git~1",
    b"GIT~1",
    b"oxy~1",
    b"OXY~12",
    b"git~1.",
    b".git:x",
    b".oxy::$DATA",
    b".git::$INDEX_ALLOCATION",
    b".git ::$INDEX_ALLOCATION",
    b"git~1:x",
    ".g\u200cit".encode(),
    "\ufeff.oxy".encode(),
    ".git\u200d".encode(),
    ".o\u206axy".encode(),
    ".g\u00adit".encode(),
    ".GI\u202eT".encode(),
    ".oxy\ufe0f .".encode(),
    ".g\u0131t".encode(),
    ".git\U000e0041".encode(),
    b"a\\.git",
    b".git\\config",
    b".oxy\\",
    b"x\\GIT~1\\y",
]


@pytest.mark.parametrize("name", ALLOWED)
def test_an_ordinary_name_is_allowed(name: bytes) -> None:
    assert refusal(name) is None


@pytest.mark.parametrize("name", OWN_SPELLINGS)
def test_every_spelling_of_the_own_directories_is_refused(name: bytes) -> None:
    reason = refusal(name)
    assert reason is not None
    assert "is a spelling of .oxy or .git" in reason


@pytest.mark.parametrize(
    "name", [b".", b"..", b".. ", b". ", b"..:x", b"..\\x", b"x\\..", b"a\\.\\b"]
)
def test_a_name_that_walks_the_tree_is_refused(name: bytes) -> None:
    reason = refusal(name)
    assert reason is not None
    assert "is . or .." in reason


def test_ignorable_code_points_do_not_hide_a_name_that_walks() -> None:
    assert refusal(".\u200b.".encode()) == "is . or .."


@pytest.mark.parametrize("byte", [*range(0x20), 0x7F])
def test_every_control_byte_is_refused(byte: int) -> None:
    assert refusal(b"a" + bytes([byte]) + b"b") == "contains a control byte"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        (b"", "is empty"),
        (b"a/b", "contains a slash"),
        (b"/", "contains a slash"),
        (b"x" * (MAX_NAME + 1), "is longer than 255 bytes"),
        (b"\\a", "is empty between backslashes"),
        (b"a\\", "is empty between backslashes"),
    ],
)
def test_a_refusal_names_its_reason(name: bytes, reason: str) -> None:
    assert refusal(name) == reason


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        (b"", "is empty"),
        (b"/etc/passwd", "is empty"),
        (b"a//b", "is empty"),
        (b"a/", "is empty"),
        (b"a/../b", "is . or .."),
        (b"a/.GIT/hooks", "is a spelling of .oxy or .git"),
        (b"a/b\nc", "contains a control byte"),
        (b"/".join([b"d"] * (MAX_DEPTH + 1)), "is deeper than 600 directories"),
        (b"/".join([b"x" * 200] * 21), "is longer than 4096 bytes"),
    ],
)
def test_a_path_is_refused_for_its_worst_component_or_its_size(
    path: bytes, reason: str
) -> None:
    assert path_refusal(path) == reason


def test_a_path_at_the_limits_is_allowed() -> None:
    assert path_refusal(b"/".join([b"d"] * MAX_DEPTH)) is None
    longest = (b"x" * 127 + b"/") * 31 + b"y" * 128
    assert len(longest) == MAX_PATH
    assert path_refusal(longest) is None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (b"README", b"readme"),
        ("É".encode(), "é".encode()),
        ("é".encode(), "e\u0301".encode()),
        ("É".encode(), "e\u0301".encode()),
        ("straße".encode(), b"STRASSE"),
        ("Σ".encode(), "ς".encode()),
        ("a\u200cb".encode(), b"AB"),
        ("\u1e9b\u0323".encode(), "\u017f\u0323\u0307".encode()),
        (b"\xffA", b"\xffa"),
    ],
)
def test_names_that_some_file_system_folds_share_a_key(one: bytes, other: bytes) -> None:
    assert fold(one) == fold(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (b"a", b"b"),
        (b"a", b"a."),
        ("é".encode(), b"e"),
        (b"\xe9", b"\xc9"),
        ("é".encode(), b"\xe9"),
    ],
)
def test_names_that_stay_apart_have_different_keys(one: bytes, other: bytes) -> None:
    assert fold(one) != fold(other)


def test_ascii_names_load_no_unicode_tables() -> None:
    code = (
        "import sys; from oxy.model.pathrule import fold, refusal\n"
        "fold(b'README'); refusal(b'README')\n"
        "print('unicodedata' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert done.stdout.strip() == b"False"
