"""The line graph of one text: apply, render, conflicts (spec: graph, conflicts). Pure."""
