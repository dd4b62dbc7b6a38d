from oxy.graph.net import Net
from oxy.graph.sweep import Sweep
from tests.graphs.sketch import Sketch


def fork() -> tuple[Sketch, Net, dict[str, int]]:
    """Return the net of a{x|y}bc and its runs by their letters."""
    sketch = Sketch()
    base = sketch.tell([], "abc")
    net = Net(sketch.graph, sketch.tell(base, "axbc") | sketch.tell(base, "aybc"))
    return sketch, net, {sketch.letters[start]: run for run, start in enumerate(net.starts)}


def test_what_has_an_order_with_everything_is_found() -> None:
    _, net, runs = fork()
    assert Sweep(net).ordered(net.live()) == {runs["a"], runs["b"]}


def test_only_what_is_asked_about_matters() -> None:
    _, net, runs = fork()
    some = [runs["a"], runs["x"], runs["b"]]
    assert Sweep(net).ordered(some) == set(some)
    assert Sweep(net).ordered([runs["x"], runs["y"]]) == set()


def test_runs_lie_between_cuts() -> None:
    _, net, runs = fork()
    between = Sweep(net).between([runs["a"], runs["b"]])
    assert between == {1: sorted([runs["x"], runs["y"]])}


def test_without_cuts_everything_is_in_one_stretch() -> None:
    _, net, _ = fork()
    assert Sweep(net).between([]) == {0: list(range(len(net.starts)))}


def test_what_has_no_order_with_a_cut_is_in_no_stretch() -> None:
    _, net, runs = fork()
    assert Sweep(net).between([runs["x"]]) == {0: [runs["a"]], 1: [runs["b"]]}
