"""On a GPU: every type, forward and backward, leaves on the device what it leaves on the CPU. Skipped where there is none."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from warpsmith.core.inputs.values import make_inputs
from warpsmith.core.records.jsonl import Line, read_lines
from warpsmith.core.records.pair import Pair
from warpsmith.gpu_checks.device import devices
from warpsmith.gpu_checks.launching import Results, built, launch
from warpsmith.gpu_checks.smoke import launch_one
from warpsmith.gpu_checks.tolerance import difference, in_double
from warpsmith.synthesis.writing.catalogue.categories import all_categories
from warpsmith.validation.levels.context import BatchContext

SAMPLES = Path(__file__).parents[2] / "data" / "samples"
CATEGORIES = [category.name for category in all_categories()]

pytestmark = pytest.mark.gpu


@pytest.fixture
def device() -> str:
    found = devices()
    if not found:
        pytest.skip("CUDA not available: Warp finds no driver and no device on this machine")
    return found[0].alias


@cache
def lines() -> dict[str, Line]:
    return {line.identity: line for shard in sorted(SAMPLES.glob("pairs-*.jsonl")) for line in read_lines(shard)}


def samples() -> list[Pair]:
    return [line.pair for line in lines().values() if line.pair is not None]


@pytest.fixture(scope="module")
def exact(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Pair], Results | None]:
    """A pair's results in double precision."""
    bench = BatchContext(tmp_path_factory.mktemp("bench"))

    @cache
    def run(identity: str) -> Results | None:
        line = lines()[identity]
        assert line.pair is not None
        assert line.pair.metadata.launch is not None
        return in_double(line, bench, make_inputs(line.pair.metadata.launch, identity))

    return lambda pair: run(pair.id)


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Pair, str], Results]:
    """Build and launch a pair on a device, once for both directions."""

    @cache
    def run(identity: str, device: str) -> Results:
        pair = next(pair for pair in samples() if pair.id == identity)
        how = pair.metadata.launch
        assert how is not None
        with built(pair, device, tmp_path_factory.mktemp("built")) as kernel:
            return launch(kernel, how, make_inputs(how, pair.id), device, backward=True)

    return lambda pair, device: run(pair.id, device)


@pytest.mark.parametrize("direction", ["forward", "backward"])
@pytest.mark.parametrize("category", CATEGORIES)
def test_type(
    category: str,
    direction: str,
    device: str,
    results: Callable[[Pair, str], Results],
    exact: Callable[[Pair], Results | None],
) -> None:
    pairs = [pair for pair in samples() if pair.metadata.category == category]
    assert len(pairs) == 10
    for pair in pairs:
        there, here = results(pair, device), results(pair, "cpu")
        ours, theirs = (there.outputs, here.outputs) if direction == "forward" else (there.gradients, here.gradients)
        assert ours.keys() == theirs.keys()
        for name, expected in theirs.items():
            better = exact(pair)
            double = None if better is None else (better.outputs if direction == "forward" else better.gradients).get(name)
            assert difference(ours[name], expected, double) is None, f"{pair.id} {direction} {name}"


def test_smoke(device: str) -> None:
    assert launch_one(device) == {"forward": True, "backward": True}
