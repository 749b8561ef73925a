"""Every level supports arguments of every value type of Warp."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.launch import Argument, Launch

pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")

SIZE = 16
LEVELS = ("execute", "emulate", "gradient", "oracle")

KERNEL = """import warp as wp


@wp.kernel
def k(x: wp.array(dtype=wp.{dtype}), s: wp.{dtype}, out: wp.array(dtype=wp.{out})):
    i = wp.tid()
    out[i] = {value}
"""

FLOATS = {
    # type: an expression of x[i] and s
    "float": "x[i] * s * x[i] + x[i]",
    "vec3": "wp.cw_mul(x[i], s) + x[i]",
    "mat22": "x[i] * s + x[i]",
    "quat": "wp.normalize(x[i] * s) * x[i]",
    "transform": "x[i] * s * x[i]",
    "spatial_vector": "wp.cw_mul(x[i], s) + x[i]",
    "spatial_matrix": "x[i] * s - s",
}
BITS = {"h": "16", "f": "32", "d": "64"}
WHOLE = ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64")
WHOLE += tuple(f"vec{length}{letter}" for length, letter in zip("234234234", ["b", "ub", "s", "us", "i", "ui", "l", "ul"]))

SOME = "float16 float32 float64 vec3d mat22h quatf transformh spatial_vectorf spatial_matrixd int8 uint16 int32 uint64".split()
FEW = (*SOME, "vec2b", "vec3ul", "bool", "half and double", "single by a cast", "double and half")
"""Each type once, and each precision several times; the other types are checked in exhaustive runs."""


def case(argument: Any, dtype: str, value: str, out: str = "", **domain: Any) -> tuple[str, Launch]:
    out = out or dtype
    args = (
        argument("x", dtype, (SIZE,), **domain),
        argument("s", dtype, **domain),
        argument("out", out, (SIZE,), role="output"),
    )
    return KERNEL.format(dtype=dtype, out=out, value=value), Launch(dim=(SIZE,), args=args)


@pytest.fixture(scope="module")
def cases(argument: Callable[..., Argument]) -> dict[str, tuple[str, Launch]]:
    found = {}
    for base, value in FLOATS.items():
        for letter, bits in BITS.items():
            dtype = f"float{bits}" if base == "float" else f"{base}{letter}"
            domain = {"kind": "unit"} if base in ("quat", "transform") else {}
            found[dtype] = case(argument, dtype, value, **domain)
    for dtype in WHOLE:
        found[dtype] = case(argument, dtype, "x[i] + s", low=0, high=50)
    found["bool"] = case(argument, "bool", "x[i] == s", low=0, high=1)
    found["half and double"] = case(argument, "vec3h", "wp.float64(wp.dot(x[i], s)) * wp.float64(0.5)", "float64")
    found["single by a cast"] = case(argument, "float32", "float(x[i]) * float(s) * float(float(i))")
    found["double and half"] = case(argument, "mat33d", "wp.float16(wp.ddot(x[i], s))", "float16")
    return found


@pytest.fixture(scope="module", params=["few", pytest.param("all", marks=pytest.mark.exhaustive)])
def findings(
    request: pytest.FixtureRequest, cases: dict[str, tuple[str, Launch]], pair_line: Callable[..., Line], run_levels: Any
) -> dict[str, dict[str, Any]]:
    names = FEW if request.param == "few" else list(cases)
    lines = [pair_line(*cases[name], identity=name, number=number) for number, name in enumerate(names)]
    by_level = run_levels(lines, *LEVELS)
    return {name: {level: by_level[level][number] for level in LEVELS} for number, name in enumerate(names)}


@pytest.mark.exhaustive
def test_all_types_run_and_agree(findings: dict[str, dict[str, Any]]) -> None:
    wrong = {
        (name, level): found[level].reason
        for name, found in findings.items()
        for level in ("execute", "emulate", "oracle")
        if found[level].status != "pass"
    }
    assert wrong == {}


@pytest.mark.exhaustive
def test_only_floats_have_gradients(findings: dict[str, dict[str, Any]]) -> None:
    for name, found in findings.items():
        whole = name in WHOLE or name == "bool"
        assert found["gradient"].status == ("not_applicable" if whole else "pass"), (name, found["gradient"].reason)


@pytest.mark.sampled(1)
@pytest.mark.parametrize("dtype", ["transformh", "vec3h", "spatial_matrixf"])
def test_an_incorrect_adjoint_fails(
    cases: dict[str, tuple[str, Launch]], pair_line: Callable[..., Line], change_line: Any, run_levels: Any, dtype: str
) -> None:
    line = pair_line(*cases[dtype], identity=dtype)

    def without_products(record: dict[str, Any]) -> None:
        for key in ("cpp_backward", "cuda_ir_backward"):
            kept = [
                one for one in record[key].splitlines(keepends=True) if "wp::adj_mul(" not in one and "adj_cw_mul(" not in one
            ]
            assert len(kept) < record[key].count("\n")
            record[key] = "".join(kept)

    assert run_levels([change_line(line, without_products)], "execute", "gradient")["gradient"][0].status == "fail"
