"""What went wrong, told to a person, and as an exit code (spec: command-line, L9, L10).

0 fine; 1 the answer is no, or there are differences or conflicts, where a command says so; 2
the request is wrong; 3 the repository or the machine is not ready; 4 something is corrupt; 5
the operating system refused to read or write; 70 a bug; 130 interrupted; 141 nobody reads the
output.
"""

from __future__ import annotations

import contextlib
import errno
import os

from oxy.cli.output import OutputClosedError, Styled
from oxy.errors import CorruptionError, OxyError, RequestError, StateError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from oxy.cli.output import Output

REQUEST = 2
STATE = 3
CORRUPTION = 4
SYSTEM = 5
BUG = 70
INTERRUPTED = 130
UNREAD = 141

# The first that fits counts.
CODES: tuple[tuple[type[BaseException], int], ...] = (
    (KeyboardInterrupt, INTERRUPTED),
    (OutputClosedError, UNREAD),
    (RequestError, REQUEST),
    (StateError, STATE),
    (CorruptionError, CORRUPTION),
    (MemoryError, STATE),
    (PermissionError, STATE),
    (OSError, SYSTEM),
)

# What the machine refuses for a reason that somebody can remove.
NOT_READY = frozenset(
    {errno.EDQUOT, errno.EFBIG, errno.EMFILE, errno.ENFILE, errno.ENOSPC, errno.EROFS}
)

# What to do next. By name, so that no error is imported to be looked up.
HINTS = {
    "oxy.cli.main:UnknownVerbError": "`oxy help` lists the commands",
    "oxy.worktree.unmarked:MarkersLeftError": (
        "take them out, or put the whole conflict back as it was (`oxy cat` shows it)"
    ),
    "oxy.worktree.unmarked:NotAloneError": "resolve it too, or leave a line as it was",
    "oxy.actions.resolving:ManySidesError": "edit the file, and commit it",
    "oxy.actions.mergetool:NoToolError": (
        "name one with --tool, or set merge.tool in oxy's or git's configuration"
    ),
    "oxy.actions.sparse:AllHereError": "`oxy sparse set` says which ones it is to have",
    "oxy.worktree.sparse:OutsideError": "`oxy sparse add` has it here",
    "oxy.actions.push:NotSignedThereError": (
        "`oxy sign` signs what you recorded; who may sign is for the owner of that repository"
    ),
    "oxy.actions.signers:NotSignedError": (
        "`oxy fetch` takes it in without moving bookmarks; `oxy verify` tells who signed"
    ),
    "oxy.actions.sshkeys:NoKeyError": (
        "name one with --key, or set signing.key: `oxy config set --user signing.key FILE`"
    ),
    "oxy.actions.sshkeys:NoSignersError": (
        "`oxy config set --user signing.allowed FILE`; lines of it are `ADDRESS KEY`"
    ),
    "oxy.actions.recording:SubrepoInPlaceError": (
        "`oxy subrepo remove` unpins it; `oxy subrepo update` has it back in an empty place"
    ),
    "oxy.actions.mv:SubrepoThereError": "`oxy subrepo move` does that",
    "oxy.actions.subrepos:NoSourceError": (
        "clone it there by hand, or add a remote to it that has the state, and update again"
    ),
    "oxy.store.errors:SegmentsMissingError": (
        "put it back from a copy, or clone from a repository that pulled or was pushed to"
    ),
    "oxy.repo.owner:ForeignOwnerError": (
        "if you trust it, `oxy config set --user safe.directory DIR...` lists where you work"
    ),
    "oxy.repo.place:PointerError": (
        "if the store was moved, `oxy workspace attach DIR` says where it is now"
    ),
    "oxy.worktree.workcopy:UnknownWorkspaceError": (
        "its files are as they were; `oxy workspace add` makes another"
    ),
    "oxy.actions.undoing:ElsewhereError": "`oxy op restore` makes names what they were",
    "oxy_git.beside.keeping:NoCheckoutError": (
        "`git init` makes one; `oxy init` makes a repository without Git"
    ),
    "oxy_git.verb.beginning:ThereAlreadyError": (
        "`oxy git colocate` keeps it in step with Git's in the same directory"
    ),
    "oxy_git.beside.keeping:UnderWayError": "end that first, and try again",
    "oxy.repo.place:NoRepositoryError": "start one with `oxy init`",
    "oxy.actions.identity:NoIdentityError": (
        "set user.name and user.email with `oxy config set`, or OXY_AUTHOR='Name <address>'"
    ),
    "oxy.actions.commit:NoMessageError": "give one with -m",
    "oxy.cli.verbs.commit:AmendError": (
        "`oxy amend` takes what changed into the newest change, `oxy reword` its message"
    ),
    "oxy.actions.commit:LooksGeneratedError": (
        "name it in .gitignore or .oxyignore, or record it with --all-files"
    ),
    "oxy.actions.grammar:StateSyntaxError": (
        "NAME~N, NAME@{TIME}, A|B, A&B, A-B, (A), and a name of other signs in double quotes"
    ),
    "oxy.actions.grammar:TwoReadingsError": "put spaces around the hyphens that are no names'",
    "oxy.actions.meaning:NotClosedError": "`oxy log` shows it as the set of changes that it is",
    "oxy.actions.bookmarks:BackwardsError": "`--backwards` moves it all the same",
    "oxy.actions.bookmarks:CurrentBookmarkError": "go elsewhere with `oxy switch` first",
    "oxy.actions.going:MovedMeanwhileError": "try again",
    "oxy.actions.recording:OvertakenError": "nothing was recorded; try again",
    "oxy.actions.going:MovedError": "go there with `oxy switch`, and record then",
    "oxy.actions.unrecord:NeededError": "`oxy unrecord --with-dependents` takes them too",
    "oxy.repo.reverting:ResolvedError": "`oxy unrecord` brings the conflict back",
    "oxy.actions.bisect:NotSearchingError": "begin one with `oxy bisect start`",
    "oxy.actions.bisect:SearchingError": "`oxy bisect reset` ends it",
    "oxy.actions.bisect:ContradictionError": "`oxy undo` takes an earlier answer back",
    "oxy.actions.shelves:NoShelfError": "`oxy shelve --list` lists what is put aside",
    "oxy.actions.shelves:ShelfLacksError": "merge or pick them first",
    "oxy.actions.shelves:ShelfConflictError": "nothing was done, and it stays put aside",
    "oxy.worktree.switching:SwitchInterruptedError": "`oxy status` says how to end it",
    "oxy.actions.recording:StillThereError": "name both paths, or take the hunks of both",
    "oxy.actions.rm:NotTrackedError": "`oxy clean` removes what is not tracked",
    "oxy.actions.restoring:EditedError": (
        "commit or shelve them, or throw them away with `oxy discard`, which `oxy undo` undoes"
    ),
    "oxy.worktree.checkout:WouldOverwriteError": (
        "commit or shelve the edits first, and move away what is not tracked"
    ),
    "oxy.worktree.hunks:NoHunkError": "`oxy hunks` with the same paths lists them",
    "oxy.cli.choosing:NoTerminalError": "`oxy hunks` lists them, and `--hunk N` chooses",
    "oxy.actions.push:UnseenError": "pull first, and push then",
    "oxy.actions.push:NotAllowedThereError": "whoever serves it decides that",
    "oxy.actions.push:OtherTagError": "a tag is fixed: give another name",
    "oxy.actions.clone:HalfClonedError": "`oxy pull` there goes on from that",
    "oxy.actions.supplying:NotBroughtError": (
        "do it again when it can be reached; `oxy fetch --all-text` fetches all that is lacked"
    ),
    "oxy.actions.supplying:NotThereError": "`oxy fsck` tells how much is lacked",
    "oxy.actions.remotes:StillNeededError": "`oxy fetch --all-text` fetches them first",
    "oxy.repo.lacking:LackedError": "`oxy fetch --all-text` in it fetches all that it lacks",
    "oxy.sync.silent:ComesWholeError": "clone it without --lazy",
    "oxy.sync.errors:LostError": "do it again: it goes on from what came",
    "oxy.sync.shelf:OnlyReadError": "push to the repository that it is published from",
    "oxy.sync.bucket.objects:NoBucketError": (
        "make it, as a directory or with what its owner offers for that"
    ),
    "oxy.sync.bucket.collecting:PushedMeanwhileError": "do it again when less is pushed",
    "oxy.actions.buckets:NotBucketAddressError": "`oxy help buckets` tells what one is",
    "oxy.sync.bucket.place:NotABucketError": "name its directory, without file://",
    "oxy.sync.bucket.objects:DeniedError": "`oxy help buckets` tells of credentials",
    "oxy.sync.bucket.cloud:SettingError": "`oxy help buckets` tells what is read",
    "oxy.sync.bucket.place:NoClientError": "`pip install 'oxy[buckets]'` installs it",
    "oxy.sync.address:AddressError": "`oxy help clone` tells what an address is",
    "oxy.actions.reach:SilenceError": "`oxy config set sync.silence 300` waits five minutes",
    "oxy.sync.web.errors:CredentialsError": "`oxy help credentials` tells where they are kept",
    "oxy.sync.web.errors:CertificateError": "SSL_CERT_FILE names a file of those you trust",
    "oxy.sync.web.errors:UnreachableError": "try again when it can be reached",
    "oxy.sync.web.errors:BusyError": "try again later",
    "oxy.sync.web.errors:NotServedError": "`oxy serve --http` is to run there",
    "oxy.sync.web.errors:NotAllowedError": "whoever serves it decides that",
    "oxy.actions.credentials:TokensError": "`oxy help credentials` tells of it",
    "oxy.sync.web.proxy:ProxyError": "unset it, or name one of HTTP",
    "oxy.cli.verbs.serve:NoServerError": "`pip install 'oxy[serve]'` installs it",
    "oxy.actions.listening:ListeningError": "`--address` says where; port 0 is any free one",
    "oxy.sync.ssh:NoProgramError": "name one with OXY_SSH, or set ssh.command",
    "oxy.actions.remotes:WhichRemoteError": (
        "name where it is, or add one with `oxy remote add`"
    ),
    "oxy_git.importer.terms:PartialHereError": (
        "import into another directory, or with the same options as before"
    ),
    "oxy_git.importer.refs:NoSuchRefError": "`git branch` and `git tag` list them there",
    "oxy_git.exporter.run:PartialExportError": (
        "import the whole history into another directory, and export from there"
    ),
    "oxy_git.reader.objects:MissingObjectError": (
        "`git fsck` names what is missing; without a file, but not without a tree or a commit, "
        "`oxy git import --allow-missing` goes on"
    ),
    "oxy_git.reader.objects:DamagedObjectError": "`git fsck` tells what is damaged",
    "oxy_git.remote.address:NoGitRemoteError": (
        "name one, or add one with `oxy git remote add NAME URL`"
    ),
    "oxy.actions.remotes:ForeignRemoteError": "use `oxy git pull` and `oxy git push` with it",
    "oxy.actions.bundling:NeededError": "apply a bundle that has it first, or pull",
    "oxy.worktree.reader:ChangedError": "nothing was recorded; try again",
    "oxy.actions.amend:TiedError": "`oxy absorb` takes each edit where its lines are from",
    "oxy.actions.membership:NotHereError": "go where it is with `oxy switch`",
    "oxy.repo.userfile:ConfigError": "`oxy config edit` (or with --repository) opens it",
    "oxy.actions.config:NoSettingError": "`oxy help settings` lists the settings",
    "oxy.actions.config:ValueRefusedError": "`oxy help settings` tells what each may be",
    "oxy.cli.hooks:HookRefusedError": (
        "`oxy -c hook.NAME=true` goes without one; `oxy help hooks`"
    ),
    "oxy.actions.describe:NoTagAtAllError": "`oxy tag NAME` makes one, --always needs none",
    "oxy.actions.archive:InConflictError": "`oxy resolve` settles conflicts",
    "oxy.actions.apply:NoMailError": "apply it without --commit, and record it yourself",
    "oxy.actions.patching:DoesNotApplyError": "nothing was done",
    "oxy.store.errors:FormatTooNewError": "upgrade oxy",
    "oxy.store.errors:FormatTooOldError": "`oxy upgrade` brings it forward",
    "oxy.store.errors:DatabaseDamagedError": "`oxy fsck --rebuild` makes it anew",
    "oxy.repo.tables:MalformedRowError": "`oxy fsck --rebuild` makes the index anew",
    "oxy.store.errors:FrameDamagedError": "`oxy fsck` tells all that is damaged",
    "oxy.store.errors:ObjectDamagedError": "`oxy fsck` tells all that is damaged",
    "oxy.store.errors:SegmentDamagedError": "`oxy fsck` tells all that is damaged",
}


def exit_code(error: BaseException) -> int:
    """Return the exit code of what ended a command."""
    if isinstance(error, OSError) and error.errno in NOT_READY:
        return STATE
    return next((code for kind, code in CODES if isinstance(error, kind)), BUG)


def report(error: BaseException, out: Output) -> int:
    """Tell what ended a command on standard error, and return its exit code.

    No traceback unless OXY_TRACEBACK is set. Where standard output fails as well, that is not
    told.
    """
    with contextlib.suppress(OutputClosedError, OSError):
        out.flush()
    if os.environ.get("OXY_TRACEBACK"):
        from traceback import format_exception

        for line in "".join(format_exception(error)).splitlines():
            out.note(line)
    for line in told(error):
        out.note(Styled("warning", "oxy: "), line)
    for hint in hints(error):
        out.note("hint: ", hint)
    return exit_code(error)


def told(error: BaseException) -> list[str]:
    """Return the lines that say what happened."""
    if isinstance(error, OutputClosedError):
        return []
    if isinstance(error, KeyboardInterrupt):
        return ["interrupted"]
    if isinstance(error, MemoryError):
        return ["out of memory"]
    if isinstance(error, OxyError):
        return [str(error)]
    if isinstance(error, OSError):
        return [refusal(error)]
    kind = type(error).__name__
    bug = f"this is a bug in oxy: {kind}: {error}"
    return [bug, "run with OXY_TRACEBACK=1 to see where"]


def refusal(error: OSError) -> str:
    """Return what the operating system refused, and where."""
    reason = error.strerror or str(error) or type(error).__name__
    files = [name for name in (error.filename, error.filename2) if name is not None]
    if not files and error.errno == errno.ENOENT and not is_somewhere():
        return "the current directory does not exist any more"
    # A call on an open descriptor has its number for a name, which tells a user nothing.
    names = [os.fsdecode(name) for name in files if not isinstance(name, int)]
    return ": ".join([*names, reason])


def is_somewhere() -> bool:
    """Tell whether the current directory still exists."""
    try:
        os.getcwdb()
    except FileNotFoundError:
        return False
    return True


def hints(error: BaseException) -> list[str]:
    """Return what the user may do next.

    An error that names something unknown may have a field `near`: the names it may have meant.
    """
    near: tuple[str, ...] = tuple(getattr(error, "near", ()))
    found = [f"did you mean {' or '.join(near)}?"] if near else []
    command: str = getattr(error, "command", "")
    if command and isinstance(error, RequestError):
        found.append(f"`oxy help {command}` tells what it takes")
    kind = type(error)
    hint = HINTS.get(f"{kind.__module__}:{kind.__qualname__}")
    return [*found, hint] if hint else found
