"""Generated kernels run: outputs are finite, and adjoints agree with central differences along a random direction.

The tests use two kernels of each core category, at points without a kink nearby: a kernel with a kink in each of many threads
is measured along directions that move fewer elements.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
import warp as wp

from plans import core_plan
from warpsmith.core.inputs.values import Values, make_inputs
from warpsmith.core.records.launch import Launch
from warpsmith.core.records.pair import Pair
from warpsmith.gpu_checks.device_launches import built_kernel, launch_kernel, program_of
from warpsmith.gpu_checks.device_results import Results
from warpsmith.synthesis.production.generate_pairs import generate_pairs
from warpsmith.validation.running.entry_calls import seed

PLAN = core_plan(10, device="cpu")
INDICES = range(10, 30)
STEPS = (2.0e-3, 1.0e-3, 5.0e-4)
DRAWS = 24
FLOATS = (np.float32, np.float64)


@dataclass(frozen=True)
class Measured:
    launch: Launch
    values: dict[str, Values]
    results: Results
    differences: list[float]
    slope: float

    @property
    def is_smooth(self) -> bool:
        """Whether the steps agree on the slope."""
        return max(self.differences) - min(self.differences) <= 0.01 * max(1.0e-5, *map(abs, self.differences))


@pytest.fixture(scope="module", params=INDICES, ids=lambda index: f"{PLAN.categories[index % 10]}-{index}")
def measured(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Measured:
    (pair,) = generate_pairs(PLAN, [PLAN.key(request.param)])
    assert isinstance(pair, Pair)
    launch = pair.metadata.launch
    assert launch is not None
    enabled = wp.config.enable_cpu_blocks
    program = program_of(pair, "cpu")
    assert program is not None
    with built_kernel(program, "cpu", tmp_path_factory.mktemp("built")) as kernel:
        draws = (
            _measure(kernel, launch, make_inputs(launch, f"{pair.id}{draw * '+'}"), request.param, 0.5 ** min(draw, 8))
            for draw in range(DRAWS)
        )
        found = next((one for one in draws if one.is_smooth), None)
    wp.config.enable_cpu_blocks = enabled
    assert found is not None, "a kink or a jump is near each of the points"
    return found


def _measure(kernel: Any, launch: Launch, values: dict[str, Values], number: int, moved_share: float) -> Measured:
    results = launch_kernel(kernel, launch, values, "cpu", backward=True)
    random = np.random.default_rng(number)
    direction = {
        name: random.standard_normal(gradient.shape) * (random.random(gradient.shape) < moved_share)
        for name, gradient in results.gradients.items()
    }
    for argument in launch.args:
        if argument.name in direction and argument.dtype.startswith(("quat", "transform")):
            _keep_rotations(values[argument.name], direction[argument.name])

    def loss(step: float) -> float:
        moved = {name: (values[name] + step * along).astype(values[name].dtype) for name, along in direction.items()}
        outputs = launch_kernel(kernel, launch, values | moved, "cpu", backward=False).outputs
        return sum(float((value.astype(float) * seed(value)).sum()) for value in outputs.values() if value.dtype in FLOATS)

    differences = [(loss(step) - loss(-step)) / (2.0 * step) for step in STEPS]
    slope = sum(float((gradient.astype(float) * direction[name]).sum()) for name, gradient in results.gradients.items())
    return Measured(launch, values, results, differences, slope)


def _keep_rotations(values: Values, direction: Values) -> None:
    """Remove what lengthens quaternions: Warp's adjoints of rotations are those of unit quaternions."""
    turns, along = values[..., -4:], direction[..., -4:]
    along -= turns * (along * turns).sum(-1, keepdims=True) / (turns * turns).sum(-1, keepdims=True)


@pytest.mark.sampled(5)
def test_outputs_are_finite_and_written(measured: Measured) -> None:
    assert measured.results.outputs
    for name, output in measured.results.outputs.items():
        assert np.isfinite(output).all()
        assert not np.array_equal(output, measured.values[name])


@pytest.mark.sampled(10)
def test_gradients_are_finite_and_agree_with_central_differences(measured: Measured) -> None:
    outputs = measured.results.outputs.values()
    if not measured.results.gradients or not any(output.dtype in FLOATS for output in outputs):
        assert any(re.search(r"int|float16|\dh$", argument.dtype) for argument in measured.launch.args)
        pytest.skip("a kernel of integers has no gradient, and that of a half has another tolerance")
    assert all(np.isfinite(gradient).all() for gradient in measured.results.gradients.values())
    errors = [
        abs(difference - measured.slope) / max(abs(measured.slope), abs(difference), 1.0e-5)
        for difference in measured.differences
    ]
    assert min(errors) < 0.01, f"adjoint {measured.slope}, central differences {measured.differences}"
    assert measured.slope != 0.0
