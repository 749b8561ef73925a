"""The promise that kernels run: within the domains of their launch all they write is finite, and Warp's adjoint of it is right.

Gradients are compared with central differences along a random direction, on two kernels of each kind with no kink nearby.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
import warp as wp

from plans import core_plan
from warpsmith.core.inputs.values import Values, make_inputs
from warpsmith.core.records.launch import Launch
from warpsmith.core.records.pair import Pair
from warpsmith.gpu_checks.launching import Results, compiled_kernel, launch_kernel, seed
from warpsmith.synthesis.production.generate_pairs import generate_pairs

pytestmark = pytest.mark.slow

PLAN = core_plan(10, device="cpu")
INDICES = range(10, 30)
STEPS = (2.0e-3, 1.0e-3, 5.0e-4)


@dataclass(frozen=True)
class Ran:
    how: Launch
    values: dict[str, Values]
    results: Results
    differences: list[float]
    slope: float


@pytest.fixture(scope="module", params=INDICES, ids=lambda index: f"{PLAN.categories[index % 10]}-{index}")
def ran(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Ran:
    (pair,) = generate_pairs(PLAN, [PLAN.key(request.param)])
    assert isinstance(pair, Pair)
    how = pair.metadata.launch
    assert how is not None
    values = make_inputs(how, pair.id)
    kept = wp.config.enable_cpu_blocks
    with compiled_kernel(pair, "cpu", tmp_path_factory.mktemp("built")) as kernel:
        results = launch_kernel(kernel, how, values, "cpu", backward=True)
        random = np.random.default_rng(request.param)
        direction = {name: random.standard_normal(gradient.shape) for name, gradient in results.gradients.items()}

        def loss(step: float) -> float:
            moved = {name: (values[name] + step * along).astype(np.float32) for name, along in direction.items()}
            outputs = launch_kernel(kernel, how, values | moved, "cpu", backward=False).outputs
            return sum(
                float((value.astype(float) * seed(value)).sum()) for value in outputs.values() if value.dtype == np.float32
            )

        differences = [(loss(step) - loss(-step)) / (2.0 * step) for step in STEPS]
    wp.config.enable_cpu_blocks = kept
    slope = sum(float((gradient.astype(float) * direction[name]).sum()) for name, gradient in results.gradients.items())
    return Ran(how, values, results, differences, slope)


def test_outputs_are_finite_and_written(ran: Ran) -> None:
    assert ran.results.outputs
    for name, output in ran.results.outputs.items():
        assert np.isfinite(output).all()
        assert not np.array_equal(output, ran.values[name])


def test_gradients_are_finite_and_those_of_central_differences(ran: Ran) -> None:
    assert ran.results.gradients
    assert all(np.isfinite(gradient).all() for gradient in ran.results.gradients.values())
    errors = [abs(found - ran.slope) / max(abs(ran.slope), abs(found), 1.0e-5) for found in ran.differences]
    assert min(errors) < 0.01, f"the adjoint says {ran.slope}, differences say {ran.differences}"
    assert ran.slope != 0.0
