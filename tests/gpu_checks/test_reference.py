"""What the results on the CPU show about the rounding of a kernel."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from warpsmith.core.inputs.values import make_inputs
from warpsmith.core.records.launch import Argument, Build, Domain, Launch
from warpsmith.gpu_checks.device_launches import built_kernel, program_of
from warpsmith.gpu_checks.device_results import Results
from warpsmith.gpu_checks.level import compare
from warpsmith.gpu_checks.reference import Reference, measure_changes, run_on_cpu
from warpsmith.validation.levels.context import BatchContext
from warpsmith.validation.running.tolerance import difference

UNIT = Domain(kind="uniform", low=0.0, high=1.0)
ZERO = Domain(kind="fill", low=0.0, high=0.0)

SAMPLED = """import warp as wp


@wp.kernel
def sampled(image: wp.Texture1D, places: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    out[i] = wp.texture_sample(image, places[i], dtype=float)
"""


def array(name: str, dtype: str, size: int, role: str) -> Argument:
    return Argument(name=name, kind="array", dtype=dtype, role=role, shape=(size,), domain=UNIT if role == "input" else ZERO)


@pytest.fixture
def context(scratch: Path) -> BatchContext:
    return BatchContext(scratch)


def test_textures_are_compared_as_exactly_as_a_device_interpolates(make_line: object, context: BatchContext) -> None:
    image = Argument(
        name="image", kind="texture", dtype="Texture1D", role="input", shape=(8,), domain=UNIT, build=Build(filter="linear")
    )
    launch = Launch(dim=(64,), args=(image, array("places", "float32", 64, "input"), array("out", "float32", 64, "output")))
    line = make_line(SAMPLED, launch)  # type: ignore[operator]
    values = make_inputs(launch, line.pair.id)
    expected = run_on_cpu(line, context, values)
    assert isinstance(expected, Results)
    reference = Reference(expected, measure=lambda: measure_changes(line, context, values, expected))
    texels, places = values["image"].astype(float), values["places"].astype(float) * 8 - 0.5
    first, weight = np.floor(places).astype(int), np.rint((places - np.floor(places)) * 256) / 256
    low, high = (texels[np.clip(first + step, 0, 7)] for step in (0, 1))
    on_device = (low * (1 - weight) + high * weight).astype(np.float32)
    assert difference(on_device, expected.outputs["out"]) is not None
    assert compare(Results({"out": on_device}, expected.gradients), reference).status == "pass"
    assert compare(Results({"out": on_device + 0.1}, expected.gradients), reference).status == "fail"


def test_a_block_is_no_larger_than_its_bound(make_line: object, tmp_path: Path) -> None:
    source = SAMPLED.replace("@wp.kernel", "@wp.kernel(launch_bounds=64)").replace("image: wp.Texture1D, ", "")
    source = source.replace("wp.texture_sample(image, places[i], dtype=float)", "places[i]")
    launch = Launch(dim=(64,), args=(array("places", "float32", 64, "input"), array("out", "float32", 64, "output")))
    program = program_of(make_line(source, launch).pair, "cuda")  # type: ignore[operator]
    assert program is not None
    assert program.block_dim == 64
    with built_kernel(program_of(make_line(source, launch).pair, "cpu"), "cpu", tmp_path / "built") as kernel:  # type: ignore[operator, arg-type]
        assert kernel.module.options["block_dim"] == 256


def test_an_array_of_rounding_errors_has_their_size_as_tolerance() -> None:
    noise = np.array([1.2e-7, 0.0, -2.4e-7, 0.0], np.float32)
    assert difference(noise[::-1].copy(), noise, np.zeros(4)) is None
    assert difference(noise + np.float32(1e-5), noise, np.zeros(4)) is not None
