from oxy.graph.leading import leading
from oxy.graph.net import Net
from tests.graphs.sketch import Sketch


def test_runs_that_lead_to_others_are_found_together() -> None:
    sketch = Sketch()
    base = sketch.tell([], "abcd")
    union = sketch.tell(base, "aXbcd") | sketch.tell(base, "aYbZd") | sketch.tell(base, "abcdW")
    circle = sketch.tell(union, "aXYbZdW") | sketch.tell(union, "aYXbZdW")
    for state in (base, union, circle):
        net = Net(sketch.graph, state)
        runs = range(len(net.starts))
        for after in runs:
            alone = {run for run in runs if net.leads_any([run], [after, runs[-1]])}
            assert leading(net, runs, [after, runs[-1]]) == alone
        assert leading(net, runs, []) == set()
