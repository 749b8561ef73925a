"""The plain Python of a dry run agrees with Warp: every builtin, and generated kernels of every core category."""

from __future__ import annotations

import importlib.util
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import warp as wp

from synthesis.writing.dry_run.stand_ins import SEED, array, run_stand_in
from warpsmith.core.inputs.values import make_inputs
from warpsmith.core.records.launch import Launch
from warpsmith.synthesis.kernel_key import KernelKey
from warpsmith.synthesis.writing.dry_run import kernel_run
from warpsmith.synthesis.writing.dry_run.builtin_substitutes import FUNCTIONS
from warpsmith.synthesis.writing.dry_run.plain_rotations import ROTATION_FUNCTIONS
from warpsmith.synthesis.writing.dry_run.plain_vectors import Matrix, Vector, components
from warpsmith.synthesis.writing.generate import write_kernel

V, W = "wp.vec3(0.3, -0.7, 1.1)", "wp.vec3(1.2, 0.4, -0.5)"
M, K = "wp.mat33(2.0, 0.5, 0.1, 0.2, 3.0, 0.4, 0.1, 0.3, 2.5)", "wp.mat22(2.0, 0.5, 0.1, 3.0)"
Q, P = "wp.quat_from_axis_angle(wp.vec3(0.0, 0.6, 0.8), 0.7)", "wp.quat_rpy(0.3, -0.2, 0.5)"
T, S = f"wp.transform({V}, {Q})", f"wp.transform({W}, {P})"
TWIST, WRENCH = f"wp.spatial_vector({V}, {W})", "wp.spatial_vector(1.0, 2.0, 3.0, -1.0, 0.5, 0.25)"

EXPRESSIONS = (
    *(f"wp.{name}({x})" for name in ("sin", "cos", "atan", "sinh", "cosh", "tanh", "exp", "erf", "erfc", "degrees",
                                     "radians", "cbrt", "floor", "ceil", "round", "trunc", "frac", "rint", "abs", "sign",
                                     "step")
      for x in (-1.3, 0.4)),
    *(f"wp.{name}({x})" for name in ("log", "log2", "log10", "sqrt") for x in (0.4, 2.5)),
    "wp.tan(0.6)", "wp.asin(-0.4)", "wp.acos(0.3)", "wp.atan2(-0.5, 1.5)", "wp.pow(1.7, 2.5)", "wp.copysign(1.5, -2.0)",
    "wp.smoothstep(0.0, 2.0, 0.7)", "wp.lerp(1.0, 3.0, 0.25)", f"wp.lerp({V}, {W}, 0.25)", "wp.clamp(3.0, -1.0, 2.0)",
    "wp.min(1.5, -2.0)", "wp.max(1.5, -2.0)", f"wp.min({V}, {W})", f"wp.max({V})", "wp.where(True, 1.5, 2.5)",
    f"wp.dot({V}, {W})", f"wp.cross({V}, {W})", f"wp.length({V})", f"wp.length_sq({V})", f"wp.normalize({V})",
    f"wp.cw_mul({V}, {W})", f"wp.cw_div({V}, {W})", f"{V} + {W}", f"{V} - {W} * 2.0", f"-{V} / 4.0", f"0.5 * {V}",
    f"wp.outer({V}, {W})", f"wp.skew({V})", f"wp.diag({V})", f"wp.get_diag({M})", f"wp.transpose({M})", f"wp.trace({M})",
    f"wp.determinant({M})", f"wp.inverse({M})", f"wp.inverse({K})", f"{M} * {V}", f"{M} * {M}", f"wp.ddot({M}, {M})",
    f"wp.matrix_from_rows({V}, {W}, {V})", f"wp.matrix_from_cols({V}, {W}, {V})", "wp.identity(n=3, dtype=float)",
    "wp.mod(5.5, 2.0)", "float(wp.mod(7, 3))", "float(wp.floordiv(7, 3))", "float(wp.uint32(7) % wp.uint32(4))",
    "float(wp.isnan(1.0))", "float(wp.isfinite(1.0))", "float(wp.isinf(1.0))",
    "float(wp.int64(3))", "float(wp.uint8(7))", "wp.float64(0.5)",
    f"wp.quat_rotate({Q}, {V})", f"wp.quat_rotate_inv({Q}, {V})", f"wp.quat_inverse({Q})", f"{Q} * {P}",
    f"wp.quat_to_matrix({P})",
    f"wp.normalize({Q} + {P})", "wp.quat(0.1, 0.2, 0.3, 0.4)", "wp.quat_identity()", f"wp.transform_point({T}, {W})",
    f"wp.transform_vector({T}, {W})", f"wp.transform_point(wp.transform_inverse({T}), {W})",
    f"wp.transform_get_translation({T} * {S})",
    f"wp.transform_get_rotation(wp.transform_multiply({T}, {S}))", "wp.transform_get_translation(wp.transform_identity())",
    f"wp.spatial_top({TWIST})", f"wp.spatial_bottom({WRENCH})", f"wp.spatial_dot({TWIST}, {WRENCH})",
)  # fmt: skip
"""Calls whose every component is compared."""

ELSEWHERE = {
    "kernel", "func", "constant", "struct", "types", "overload", "bool", "select", "print", "printf",
    *(name for name in FUNCTIONS
      if re.match(r"atomic_|expect_|rand|sample_|u?int\d|float\d|(?:indexed)?array|vec\d|mat\d", name)),
    *(f"{name}{kind}" for name in ("quat", "transform", "spatial_vector") for kind in "fdh"),
}  # fmt: skip
"""Names that are no functions of values, whose numbers are random, or that other tests and expressions use."""


def load(source: str, path: Path) -> Any:
    """Import a source as a module, which Warp compiles without adjoints."""
    path.write_text(source)
    spec = importlib.util.spec_from_file_location(f"warpsmith_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    wp.set_module_options({"enable_backward": False, "optimization_level": 0}, module)
    return module


def launch_with_warp(kernel: Any, launch: Launch, identity: str) -> dict[str, np.ndarray[Any, Any]]:
    """Return the outputs of a launch."""
    values = make_inputs(launch, identity)
    given = {
        one.name: wp.array(values[one.name], dtype=getattr(wp, one.dtype), device="cpu")
        if one.kind == "array"
        else getattr(wp, one.dtype)(*np.ravel(values[one.name]))
        for one in launch.args
    }
    wp.launch(kernel, dim=launch.dim, inputs=list(given.values()), device="cpu")
    return {one.name: given[one.name].numpy() for one in launch.args if one.role != "input"}


def every_builtin() -> tuple[str, int]:
    """Return a kernel that stores every component of the expressions, and their number."""
    lines, count = [], 0
    for number, expression in enumerate(EXPRESSIONS):
        value = eval(expression, {"wp": kernel_run.StandIn(), "float": float})  # noqa: S307 - the table above
        lines.append(f"v{number} = {expression}")
        shape = (
            np.shape(value.rows)
            if isinstance(value, Matrix)
            else np.shape(components(value))
            if isinstance(value, Vector)
            else ()
        )
        for place in np.ndindex(shape):
            part = f"v{number}[{', '.join(map(str, place))}]" if shape else f"float(v{number})"
            lines.append(f"everything[{count}] = {part}")
            count += 1
    body = "\n".join(f"    {line}" for line in lines)
    return f"import warp as wp\n\n\n@wp.kernel\ndef every_builtin(everything: wp.array(dtype=float)):\n{body}\n", count


def test_every_builtin_agrees_with_warp(tmp_path: Path) -> None:
    source, count = every_builtin()
    launch = Launch(dim=(1,), args=(array("everything", "float32", (count,), -1.0e6, role="output"),))
    warps = launch_with_warp(load(source, tmp_path / "every_builtin.py").every_builtin, launch, "builtins")["everything"]
    ours = run_stand_in(source, "every_builtin", launch, "builtins")["everything"].ravel()
    assert np.isfinite(warps).all()
    labels = re.findall(r"everything\[\d+\] = (.*)", source)
    assert [(label, one, other) for label, one, other in zip(labels, ours, warps, strict=True)
            if one != pytest.approx(other, 1.0e-3, 1.0e-5)] == []  # fmt: skip


def test_every_builtin_of_the_stand_in_is_compared() -> None:
    text = " ".join(EXPRESSIONS)
    missing = {name for name in {**FUNCTIONS, **ROTATION_FUNCTIONS} if not re.search(rf"\bwp\.{name}\(", text)}
    assert missing - ELSEWHERE == set()


def plain(make: Callable[[int], Any], count: int) -> list[Any]:
    """Return the first samples with arrays and values only, whose numbers are not random."""
    found, index = [], 0
    while len(found) < count:
        sample = make(index)
        index += 1
        kinds = {argument.kind for argument in sample.launch.args}
        if kinds <= {"array", "value"} and "rand" not in sample.source and "float16" not in sample.source:
            found.append(sample)
    return found


@pytest.mark.sampled(3)
@pytest.mark.parametrize("category", range(10))
def test_generated_kernels_have_the_outputs_of_warp(category: int, tmp_path: Path) -> None:
    compared = 0
    for number, sample in enumerate(plain(lambda index: write_kernel(KernelKey(SEED, 10 * index + category)), 4)):
        try:
            ours = run_stand_in(sample.source, sample.kernel_name, sample.launch, sample.id)
        except (AttributeError, TypeError, NotImplementedError):
            continue  # a gap of the stand-in, which keeps the kernel
        module = load(sample.source, tmp_path / f"several_{category}_{number}.py")
        warps = launch_with_warp(getattr(module, sample.kernel_name), sample.launch, sample.id)
        assert ours.keys() == warps.keys() != set()
        for name, left in warps.items():
            np.testing.assert_allclose(
                ours[name], left.reshape(ours[name].shape), rtol=2.0e-3, atol=2.0e-4, err_msg=sample.source
            )
        compared += 1
    assert compared >= 2
