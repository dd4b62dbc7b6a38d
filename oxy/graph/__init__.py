"""The line graph of one text: apply, render, order, conflicts (spec: graph, conflicts). Pure."""
