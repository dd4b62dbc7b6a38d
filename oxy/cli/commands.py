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
    "version": ("oxy.cli.verbs.version", "print the version", "oxy itself"),
}
