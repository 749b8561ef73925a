"""Pairs of every category leave the same results on a CUDA device as on the CPU; skipped without a device."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from warpsmith.core.inputs.values import Values, make_inputs
from warpsmith.core.records.jsonl import Line, read_lines
from warpsmith.core.records.pair import Pair
from warpsmith.gpu_checks import SmokeResult, bench, check, devices, smoke
from warpsmith.gpu_checks.device_launches import built_kernel, launch_kernel, program_of
from warpsmith.gpu_checks.device_results import Results
from warpsmith.gpu_checks.reference import in_double
from warpsmith.synthesis.writing.catalogue.categories import core_categories
from warpsmith.validation.levels.context import BatchContext
from warpsmith.validation.running.tolerance import difference

SAMPLES = Path(__file__).parents[2] / "data" / "samples"
CATEGORIES = [category.name for category in core_categories()]

pytestmark = pytest.mark.gpu


@pytest.fixture
def device() -> str:
    available = devices()
    if not available:
        pytest.skip("CUDA not available: Warp finds no driver and no device on this machine")
    return available[0].alias


@cache
def lines() -> dict[str, Line]:
    return {line.identity: line for shard in sorted(SAMPLES.glob("pairs-*.jsonl")) for line in read_lines(shard)}


def samples() -> list[Pair]:
    return [line.pair for line in lines().values() if line.pair is not None]


@pytest.fixture(scope="module")
def exact(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Pair], Results]:
    """Return a pair's results in double precision."""
    context = BatchContext(tmp_path_factory.mktemp("context"))

    @cache
    def run(identity: str) -> Results:
        line = lines()[identity]
        assert line.pair is not None
        assert line.pair.metadata.launch is not None
        return in_double(line, context, make_inputs(line.pair.metadata.launch, identity))

    return lambda pair: run(pair.id)


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Pair, str], Results]:
    """Build a pair and launch it on a device, once for both directions."""

    @cache
    def run(identity: str, device: str) -> Results:
        pair = next(pair for pair in samples() if pair.id == identity)
        program = program_of(pair, device)
        assert program is not None
        with built_kernel(program, device, tmp_path_factory.mktemp("built") / "module") as kernel:
            return launch_kernel(kernel, program.launch, make_inputs(program.launch, pair.id), device, backward=True)

    return lambda pair, device: run(pair.id, device)


@pytest.mark.parametrize("direction", ["forward", "backward"])
@pytest.mark.parametrize("category", CATEGORIES)
def test_category(
    category: str,
    direction: str,
    device: str,
    results: Callable[[Pair, str], Results],
    exact: Callable[[Pair], Results],
) -> None:
    pairs = [pair for pair in samples() if pair.metadata.category == category]
    assert len(pairs) == 8
    for pair in pairs:
        actual, expected = (arrays(results(pair, target), direction) for target in (device, "cpu"))
        double = arrays(exact(pair), direction)
        assert actual.keys() == expected.keys()
        for name, values in expected.items():
            assert difference(actual[name], values, double.get(name)) is None, f"{pair.id} {direction} {name}"


def arrays(results: Results, direction: str) -> dict[str, Values]:
    return results.outputs if direction == "forward" else results.gradients


def test_a_confined_process_can_use_the_device(device: str, run: Any) -> None:
    first = SAMPLES / "pairs-00000.jsonl"
    figures = json.loads(run("gpu_checks", "bench", first, "--device", device, "--count", 3, "--launches", 3, "--json").stdout)
    assert figures["pairs"] == 3


def test_smoke(device: str) -> None:
    assert smoke(device) == SmokeResult(forward=True, backward=True)


def test_functions_use_the_device(device: str) -> None:
    pairs = samples()[:2]
    assert {verdict.status for verdicts in check(pairs, device) for verdict in verdicts} == {"pass"}
    assert bench(pairs, device, launches=3).pairs == 2
