"""The opening of a kernel: every thread computes what its indices say, and threads beyond the end do nothing."""

from __future__ import annotations

import math
import re
from collections import Counter

import numpy as np
import pytest

from synthesis.writing.dry_run.stand_ins import run_stand_in
from synthesis.writing.ideas.small_domain import ADVANCE, COUNT, body_of, composed
from warpsmith.core.inputs.values import make_inputs
from warpsmith.synthesis.language.composed_kernel import Kernel
from warpsmith.synthesis.language.render import Style, render
from warpsmith.synthesis.random_stream import RandomStream
from warpsmith.synthesis.writing.ideas.opening import choose_dim, choose_opening
from warpsmith.synthesis.writing.kernel_launch import describe_launch

SEEDS = range(450)


def opening_of(kernel: Kernel) -> str:
    first, second = kernel.body[0], next(line for line in kernel.body[1:] if line)
    if " // " in second and first.partition(" = ")[0] in second:
        return "flat"
    if body_of(kernel) != list(kernel.body):
        return "around"
    return "exit" if re.match(r"if \w+ >= ", second) else "plain"


def test_every_opening_occurs() -> None:
    found = Counter(opening_of(composed(ADVANCE, seed=seed, extras=0.0)[0]) for seed in SEEDS)
    assert found.keys() == {"plain", "flat", "exit", "around"}
    assert min(found.values()) >= 5, found


def test_all_openings_compute_the_same_for_every_element() -> None:
    for seed in SEEDS:
        kernel, _ = composed(ADVANCE, seed=seed, extras=0.0)
        launch = describe_launch(kernel)
        values = make_inputs(launch, "opening")
        outputs = run_stand_in(render(kernel, Style()), kernel.name, launch, "opening")
        positions = next(values[one.name] for one in launch.args if one.name in ("positions", "x", "q"))
        moved = next(outputs[one.name] for one in launch.args if one.name in ("positions_out", "new_positions"))
        assert not np.isclose(moved.reshape(positions.shape), 0.0).all(axis=-1).any(), kernel.body


def test_only_kernels_that_test_for_the_end_have_wider_launches() -> None:
    wider: Counter[str] = Counter()
    for seed in SEEDS:
        kernel, _ = composed(COUNT, seed=seed)
        opening, sizes = opening_of(kernel), dict(kernel.sizes)
        count = sizes["n"] * (sizes["worlds"] if len(kernel.body[0].split(", ")) > 1 or opening == "flat" else 1)
        wider[opening] += math.prod(kernel.dim) > count
    assert wider["plain"] == wider["flat"] == 0
    assert wider["exit"] > 0 < wider["around"]


@pytest.mark.parametrize("seed", range(20))
def test_a_launch_is_as_wide_as_its_data_or_a_multiple_of_threads(seed: int) -> None:
    rng = RandomStream(str(seed))
    assert choose_opening(2, 64, rng) == "plain", "the number of threads per block is fixed"
    (width,) = choose_dim("around", (37,), rng)
    assert width in (37, 40, 48, 64)
    rows, columns = choose_dim("exit", (5, 37), rng)
    assert rows == 5
    assert columns in (37, 40)
    assert choose_dim("flat", (5, 37), rng) == (185,)
