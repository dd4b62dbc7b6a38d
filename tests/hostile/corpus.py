"""Every bad input of the corpus by its number, and the doors that it is sent through.

A row is run in a yard of its own: no byte outside of the repository changes, and memory and
time are bounded. What takes a machine of its own is proven elsewhere: those tests are named.
"""

from collections.abc import Callable
from typing import Final

from tests.hostile import damaged, received, standing
from tests.hostile.addresses import leading_dash, line_breaks, quoted, schemes, secrets
from tests.hostile.yard import Yard

Row = Callable[[Yard], None]

_RECEIVED: Final[dict[int, dict[str, Row]]] = {}
for _label, _entry in received.OF.items():
    _rows = _RECEIVED.setdefault(_entry, {})
    _rows[f"bundle: {_label}"] = received.forged(_label, received.by_bundle)
    _rows[f"store, pull, http: {_label}"] = received.by_store(_label)
    _rows[f"pull over ssh: {_label}"] = received.forged(_label, received.by_ssh)

_OWN: Final[dict[int, dict[str, Row]]] = {
    **{
        entry: {
            "git import": standing.git_names(entry),
            "working copy": standing.kept_names(entry),
        }
        for entry in standing.ODD_NAMES
    },
    4: {"working copy, pull": standing.folded_names},
    5: {"working copy": standing.link_out},
    8: {"working copy": standing.in_the_way},
    9: {"working copy": standing.devices},
    10: {"working copy, pull": standing.bytes_as_names},
    12: {"working copy, pull": standing.odd_modes},
    13: {"working copy": standing.hard_links},
    14: {"working copy": standing.nested},
    16: {"bundle": received.same_id},
    17: {"bundle": received.itself},
    22: {"bundle": received.far_times},
    25: {"bundle": received.names},
    27: {"bundle": received.many_good},
    29: {
        "bundle, lies": received.lies(received.by_bundle),
        "pull over ssh, lies": received.lies(received.by_ssh),
    },
    31: {"store": damaged.flipped},
    32: {"store": damaged.torn},
    33: {"store": damaged.zeroed},
    34: {"store": damaged.missing},
    35: {
        "store, none": damaged.no_index(None),
        "store, empty": damaged.no_index(b""),
        "store, malformed": damaged.no_index(b"SQLite format 3\0" + bytes(4096)),
    },
    36: {"store": damaged.crossed},
    37: {"store": damaged.stale_journal},
    38: {"store": damaged.planted},
    39: {"store": damaged.emptied},
    40: {
        "store, none": damaged.caches(None),
        "store, empty": damaged.caches(b""),
        "store, others": damaged.caches(b"\x91" * 9000),
    },
    52: {"store": damaged.DESCRIPTORS},
    55: {"pull": damaged.foreign_links},
    65: {
        "bundle": received.bombs(received.by_bundle),
        "pull over ssh": received.bombs(received.by_ssh),
    },
    66: {"bundle, floods": received.floods},
    67: {"working copy": standing.backtracking},
    68: {"working copy, pull": standing.large},
    69: {"bundle": received.promises},
    70: {
        "working copy": standing.messages,
        "git import": standing.from_git,
        "pull over ssh": standing.far_words,
    },
    71: {"working copy": standing.names},
    72: {"address": leading_dash},
    73: {"address": quoted},
    74: {"address": schemes},
    75: {"address": line_breaks},
    79: {"serve": received.not_allowed},
    80: {"address": secrets},
}

ROWS: Final = {
    entry: _RECEIVED.get(entry, {}) | _OWN.get(entry, {}) for entry in {*_RECEIVED, *_OWN}
}

_CRASH = "tests/fault/test_store_crash.py"
_DISK = "tests/fault/test_store_disk.py"
_COPY = "tests/fault/test_working_copy_crash.py"
_MANY = "tests/fault/test_store_processes.py"
_TRUTH = "tests/property/test_manifest_truth.py"
_WORDS = "tests/scenario/test_no_traceback.py"
_WEB = "tests/unit/sync/web/test_asker.py"

ELSEWHERE: Final = {
    6: ("tests/unit/worktree/test_writer.py", "a_directory_swapped_for_a_symlink_meanwhile"),
    7: ("tests/unit/worktree/test_folding.py", "nothing_is_written_where_names_would_fold"),
    26: ("tests/slow/test_merge_sizes.py", "10_000_sides_are_read"),
    41: (_COPY, "a_commit_that_died_has_happened_or_not"),
    42: (_CRASH, "a_bulk_that_dies_leaves_whole_frames"),
    43: (_MANY, "what_was_acknowledged_before_a_kill_is_there"),
    44: (_CRASH, "recovery_may_die_again_and_again"),
    45: (_CRASH, "a_creation_that_dies_is_done_again"),
    46: (_COPY, "a_switch_that_died_is_told_and_ended_by_the_same_switch"),
    47: (_DISK, "a_full_database_keeps_nothing"),
    48: ("tests/unit/worktree/test_writer.py", "short_writes_are_continued"),
    49: (_DISK, "a_refused_step_keeps_nothing_and_the_next_works"),
    50: (_DISK, "a_failed_sync_gives_the_segment_up"),
    51: (
        "tests/scenario/test_no_traceback.py",
        "a_repository_that_nobody_may_write_is_told_of",
    ),
    53: ("tests/scenario/test_no_traceback.py", "a_pipe_that_nobody_reads_is_no_failure"),
    54: ("tests/unit/repo/test_owner.py", "the_repository_of_another_user_is_found_and_not"),
    56: (_MANY, "what_many_record_at_once_is_all_there"),
    57: (_MANY, "what_many_record_at_once_is_all_there"),
    58: ("tests/scenario/test_far.py", "of_two_who_push_at_once_one_wins"),
    59: (_MANY, "what_was_acknowledged_before_a_kill_is_there"),
    60: (_TRUTH, "the_manifest_never_changes_an_answer"),
    61: (_CRASH, "a_creation_that_dies_is_done_again"),
    62: (_TRUTH, "the_manifest_never_changes_an_answer"),
    63: (_TRUTH, "the_manifest_never_changes_an_answer"),
    64: (_TRUTH, "the_manifest_never_changes_an_answer"),
    76: (_WEB, "credentials_do_not_follow_to_another_server"),
    77: (_WEB, "a_server_that_stalls_is_not_waited_for"),
    78: (_WEB, "where_one_does_not_go_is_not_gone"),
}
"""Entries that other suites prove: where, and how the name of a test begins."""
