"""The text of a pair, launched through a stand-in for its kernel, leaves what the kernel itself leaves through Warp."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import warp as wp

from warpsmith.core.errors import WarpsmithError
from warpsmith.core.inputs.values import make_inputs
from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.launch import Argument, Domain, Launch
from warpsmith.extraction.codegen.split import join
from warpsmith.extraction.targets.loading import loaded_kernel
from warpsmith.extraction.warp.ahead_of_time import compile_text
from warpsmith.gpu_checks.device_launches import built_kernel, launch_kernel, program_of
from warpsmith.gpu_checks.device_results import empty_results, from_bytes, size_of, to_bytes
from warpsmith.gpu_checks.kernel_stub import stand_in

UNIFORM = Domain(kind="uniform", low=0.0, high=1.0)


def argument(name: str, kind: str, dtype: str, shape: tuple[int, ...] = (), **other: object) -> Argument:
    members = {"role": "input", "domain": None if other.get("fields") else UNIFORM} | other
    return Argument(name=name, kind=kind, dtype=dtype, shape=shape, **members)  # type: ignore[arg-type]


X = argument("x", "array", "float32", (4, 6), role="inout")
BODY = argument("body", "struct", "Body", fields=(argument("mass", "value", "float32"), argument("at", "array", "vec3f", (4,))))
NODES = argument("nodes", "array", "Node", (4,), fields=(argument("w", "value", "float64"), argument("k", "value", "vec2f")))

SOURCES = {
    "struct": (
        """import warp as wp

@wp.struct
class Body:
    mass: float
    at: wp.array(dtype=wp.vec3)

@wp.kernel
def move(body: Body, x: wp.array2d(dtype=float)):
    i, j = wp.tid()
    x[i, j] = x[i, j] * body.mass + body.at[i][1]
""",
        Launch(dim=(4, 6), args=(BODY, X)),
    ),
    "array of structs": (
        """import warp as wp

@wp.struct
class Node:
    w: wp.float64
    k: wp.vec2

@wp.kernel
def weigh(nodes: wp.array(dtype=Node), x: wp.array2d(dtype=float)):
    i = wp.tid()
    x[i, 1] = float(nodes[i].w) * nodes[i].k[1] * x[i, 0]
""",
        Launch(dim=(4,), args=(NODES, X)),
    ),
    "coordinates and types": (
        """import warp as wp

@wp.kernel
def spread(
    s: wp.array(dtype=wp.types.vector(length=5, dtype=wp.float64)),
    m: wp.types.matrix(shape=(2, 3), dtype=wp.float32), b: wp.bool, x: wp.array2d(dtype=float),
):
    i, j, k = wp.tid()
    if b:
        x[i, j] = float(s[k][4]) + m[1, 2]
    else:
        wp.atomic_add(x, i, j, float(s[k][k]) + m[0, k])
""",
        Launch(
            dim=(4, 6, 2),
            args=(
                argument("s", "array", "vec5d", (2,)),
                argument("m", "value", "mat23f"),
                argument("b", "value", "bool", domain=Domain(kind="fill", low=0, high=0)),
                X,
            ),
        ),
    ),
    "tile": (
        """import warp as wp

@wp.kernel
def total(x: wp.array2d(dtype=float)):
    i = wp.tid()
    t = wp.tile_load(x[i // 32], shape=6)
    wp.tile_store(x[i // 32], t * 2.0)
    wp.tile_atomic_add(x[i // 32], wp.tile_sum(t))
""",
        Launch(dim=(4 * 32,), args=(X,)),
    ),
}


SLOW = ("struct", "tile")
"""Sources whose compilation takes longest: others have structs, and level gradient has tiles."""


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.exhaustive] * (name in SLOW)) for name in SOURCES])
def test_results_are_those_of_the_kernel(name: str, make_line: Callable[..., Line], tmp_path: Path) -> None:
    source, launch = SOURCES[name]
    options = {"block_dim": 32} if name == "tile" else {}
    pair = make_line(source, launch, options=options).pair
    assert pair is not None
    program = program_of(pair, "cpu")
    assert program is not None
    values = make_inputs(launch, pair.id)
    with built_kernel(program, "cpu", tmp_path / "module") as kernel:
        actual = launch_kernel(kernel, launch, values, "cpu", backward=True)
    with loaded_kernel(source, None, options, f"itself_{name.replace(' ', '_')}") as kernel:
        wp.set_module_options({"optimization_level": 0, "cpu_compiler_flags": ""}, kernel.module)
        expected = launch_kernel(kernel, launch, values, "cpu", backward=True)
    assert actual.outputs.keys() == {"x"}
    for before, after in ((expected.outputs, actual.outputs), (expected.gradients, actual.gradients)):
        assert before.keys() == after.keys()
        for leaf, array in before.items():
            np.testing.assert_array_equal(array, after[leaf])
    assert not np.array_equal(actual.outputs["x"], values["x"])


def test_results_survive_as_bytes() -> None:
    launch = SOURCES["struct"][1]
    values = make_inputs(launch, "any")
    like = empty_results(launch, values, backward=True)
    assert set(like.outputs) == {"x"}
    assert set(like.gradients) == {"body.at"}
    content = to_bytes(like, like)
    assert len(content) == size_of(like)
    np.testing.assert_array_equal(from_bytes(content, like).gradients["body.at"], values["body.at"])
    with pytest.raises(ValueError, match="not of float32"):
        to_bytes(empty_results(launch, values | {"x": np.zeros(3)}, backward=True), like)


@pytest.mark.parametrize("name", ["x; import os", "x\nimport os", "class", "", "wp", "ä", "x.y"])
def test_names_that_no_kernel_has_are_refused(name: str) -> None:
    with pytest.raises(WarpsmithError, match="cannot have the name"):
        stand_in(name, Launch(dim=(1,), args=()), 1)


@pytest.mark.parametrize(
    "hostile",
    [
        argument("x", "value", "float32)): import os  #"),
        argument("x", "texture", "Texture2D; import os"),
        argument("x", "struct", "S", fields=(argument("m: float\nimport os\nn", "value", "float32"),)),
    ],
)
def test_no_text_of_a_launch_becomes_python(hostile: Argument) -> None:
    with pytest.raises(WarpsmithError):
        stand_in("kernel", Launch(dim=(1,), args=(hostile,)), 1)
    named = argument("x: float = 1):\n import os", "value", "int32")
    assert "import os" not in stand_in("kernel", Launch(dim=(1,), args=(named,)), 1)


@pytest.mark.exhaustive
def test_cuda_texts_are_compiled_as_warp_compiles_the_kernel(sample_lines: list[Line], tmp_path: Path) -> None:
    """The PTX is byte for byte the PTX of the kernel itself; no GPU is needed to compile it."""
    pair = sample_lines[0].pair
    assert pair is not None
    program = program_of(pair, "cuda")
    assert program is not None
    written = {}
    for name, source in (("itself", pair.python_source), ("stand-in", stand_in(pair.metadata.kernel_name, program.launch, 1))):
        with loaded_kernel(source, pair.metadata.kernel_name, {}, "one_name") as kernel:
            if name == "itself":
                wp.compile_aot_module(kernel.module, arch=90, use_ptx=True, module_dir=tmp_path / name, strip_hash=True)
            else:
                compile_text(kernel, join(program.code, "cuda"), "cuda", tmp_path / name, arch=90, use_ptx=True)
        written[name] = {path.name: path.read_bytes() for path in (tmp_path / name).iterdir()}
    assert written["itself"] == written["stand-in"]
