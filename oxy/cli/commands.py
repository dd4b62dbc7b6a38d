"""The table of the verbs (spec: command-line).

A static table of names: nothing here imports a verb, and entry points would cost 60 ms of
start-up. A verb's module has `configure(parser)`, which declares its description, arguments and
an example, and `run(args, out)`, which returns an exit code or None for 0. It may have
`bare(out)`, which is run instead, without a parser, where no argument follows the verb. A
module with a table `COMMANDS` of its own is a group: the next word is looked up there.
"""

# Verb: module, summary, group of the help. Rows are in the order of the help.
Table = dict[str, tuple[str, str, str]]

COMMANDS: Table = {
    "init": ("oxy.cli.verbs.init", "make a repository", "working"),
    "status": ("oxy.cli.verbs.status", "what is not as the base state has it", "working"),
    "commit": ("oxy.cli.verbs.commit", "record what changed", "working"),
    "track": ("oxy.cli.verbs.track", "record paths though they are ignored", "working"),
    "untrack": ("oxy.cli.verbs.untrack", "leave paths alone that are on disk", "working"),
    "mv": ("oxy.cli.verbs.mv", "move files and directories", "working"),
    "rm": ("oxy.cli.verbs.rm", "delete tracked files", "working"),
    "discard": ("oxy.cli.verbs.discard", "throw local edits away", "working"),
    "restore": ("oxy.cli.verbs.restore", "have files as another state has them", "working"),
    "clean": ("oxy.cli.verbs.clean", "remove files that nobody tracks", "working"),
    "diff": ("oxy.cli.verbs.diff", "what differs, as a patch", "working"),
    "apply": ("oxy.cli.verbs.apply", "patches put on the files", "working"),
    "resolve": (
        "oxy.cli.verbs.resolve",
        "what is in conflict, and settling it",
        "working",
    ),
    "hunks": ("oxy.cli.verbs.hunks", "what differs, hunk by hunk", "working"),
    "switch": ("oxy.cli.verbs.switch", "go to another state", "working"),
    "shelve": ("oxy.cli.verbs.shelve", "put local edits aside", "working"),
    "unshelve": ("oxy.cli.verbs.unshelve", "take up what was put aside", "working"),
    "merge": ("oxy.cli.verbs.merge", "unite with other states", "sets of changes"),
    "pick": ("oxy.cli.verbs.pick", "take single changes from elsewhere", "sets of changes"),
    "unrecord": ("oxy.cli.verbs.unrecord", "take changes out", "sets of changes"),
    "uncommit": (
        "oxy.cli.verbs.uncommit",
        "have what was recorded last as local edits",
        "sets of changes",
    ),
    "revert": ("oxy.cli.verbs.revert", "record what takes changes back", "sets of changes"),
    "clone": ("oxy.cli.verbs.clone", "make a repository like another", "sharing"),
    "fetch": ("oxy.cli.verbs.fetch", "see what another repository holds", "sharing"),
    "pull": ("oxy.cli.verbs.pull", "take in what another repository holds", "sharing"),
    "push": ("oxy.cli.verbs.push", "let another repository have what is here", "sharing"),
    "remote": ("oxy.cli.verbs.remote", "names for other repositories", "sharing"),
    "bundle": ("oxy.cli.verbs.bundle", "changes in a file", "sharing"),
    "serve": ("oxy.cli.verbs.serve", "let others pull and push", "sharing"),
    "publish": ("oxy.cli.verbs.publish", "plain files that others pull from", "sharing"),
    "bucket": ("oxy.cli.verbs.bucket", "a repository in an object store", "sharing"),
    "access": ("oxy.cli.verbs.access", "who may do what with what is served", "sharing"),
    "log": ("oxy.cli.verbs.log", "the changes of a state, newest first", "looking"),
    "show": ("oxy.cli.verbs.show", "one change and what it did", "looking"),
    "deps": ("oxy.cli.verbs.deps", "what a change depends on, and why", "looking"),
    "bisect": ("oxy.cli.verbs.bisect", "find the change that made it bad", "looking"),
    "blame": ("oxy.cli.verbs.blame", "which change each line came from", "looking"),
    "cat": ("oxy.cli.verbs.cat", "the content of a file of a state", "looking"),
    "grep": ("oxy.cli.verbs.grep", "lines that match, in the files or a state", "looking"),
    "files": ("oxy.cli.verbs.files", "the files of a state", "looking"),
    "archive": ("oxy.cli.verbs.archive", "the files of a state as tar or zip", "looking"),
    "amend": ("oxy.cli.verbs.amend", "take what changed into a change", "rewriting"),
    "absorb": ("oxy.cli.verbs.absorb", "take each edit into its lines' change", "rewriting"),
    "reword": ("oxy.cli.verbs.reword", "give a change another message", "rewriting"),
    "fold": ("oxy.cli.verbs.fold", "make one change of several", "rewriting"),
    "split": ("oxy.cli.verbs.split", "make two changes of one", "rewriting"),
    "reorder": ("oxy.cli.verbs.reorder", "put a change before or after another", "rewriting"),
    "rebase": ("oxy.cli.verbs.rebase", "record changes as if on another state", "rewriting"),
    "bookmark": ("oxy.cli.verbs.bookmark", "movable names for states", "names and steps"),
    "tag": ("oxy.cli.verbs.tag", "fixed names for states", "names and steps"),
    "subrepo": ("oxy.cli.verbs.subrepo", "repositories pinned in changes", "sharing"),
    "workspace": (
        "oxy.cli.verbs.workspace",
        "several working copies of one store",
        "names and steps",
    ),
    "sign": ("oxy.cli.verbs.sign", "signatures of changes and tags", "names and steps"),
    "verify": ("oxy.cli.verbs.verify", "who stands behind changes and tags", "names and steps"),
    "sparse": (
        "oxy.cli.verbs.sparse",
        "have only some files of a state here",
        "names and steps",
    ),
    "describe": ("oxy.cli.verbs.describe", "a state by the nearest tag", "names and steps"),
    "op": ("oxy.cli.verbs.op", "the operation log, and going back in it", "names and steps"),
    "undo": ("oxy.cli.verbs.undo", "take the last step back", "names and steps"),
    "redo": ("oxy.cli.verbs.redo", "take an undo back", "names and steps"),
    "gc": ("oxy.cli.verbs.gc", "make the store small, without what is out of reach", "care"),
    "upgrade": ("oxy.cli.verbs.upgrade", "bring an older repository forward", "care"),
    "fsck": ("oxy.cli.verbs.fsck", "prove that everything is what it should be", "care"),
    "checkpoint": ("oxy.cli.verbs.checkpoint", "keep what loads a state quickly", "care"),
    "git": ("oxy_git.verb.main", "Git histories in and out, and proven", "other systems"),
    "config": ("oxy.cli.verbs.config", "what is set, and setting it", "oxy itself"),
    "completion": (
        "oxy.cli.verbs.completion",
        "let a shell complete what one types",
        "oxy itself",
    ),
    "version": ("oxy.cli.verbs.version", "print the version", "oxy itself"),
}

RECORDING = frozenset(
    {
        "absorb",
        "amend",
        "commit",
        "fold",
        "rebase",
        "reorder",
        "resolve",
        "revert",
        "reword",
        "split",
    }
)
"""The commands whose changes are the user's own."""
