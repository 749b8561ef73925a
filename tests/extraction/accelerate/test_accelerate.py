"""Accelerated and unaccelerated processes generate the same bytes; a Warp with untested sources is not accelerated."""

from __future__ import annotations

import functools
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import warp as wp

from extraction.accelerate.named_kernel import NAMED
from warpsmith.core.errors import KernelRejected
from warpsmith.extraction import accelerate
from warpsmith.extraction.accelerate import accelerated, builtin_calls, signatures
from warpsmith.extraction.codegen.extract import extract_ir
from warpsmith.extraction.targets.loading import loaded_kernel
from warpsmith.extraction.warp.private import PRIVATE
from warpsmith.extraction.warp.tested_sources import TESTED_SOURCES, first_difference

TEXTS = Path(__file__).with_name("accelerated_texts.py")

if (reason := accelerate.unsupported_reason()) is not None:
    pytest.skip(f"Warp {wp.__version__} is not accelerated: {reason}", allow_module_level=True)


def digests(cache: Path, mode: str, *selection: str) -> dict[str, str]:
    """Return the digests of texts by kernel. The process has its own cache, which some of Warp's examples clear."""
    command = [sys.executable, str(TEXTS), mode, *selection]
    environment = {**os.environ, "PYTHONHASHSEED": "0", "WARP_CACHE_PATH": str(cache)}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    return json.loads(done.stdout)


@pytest.mark.parametrize(
    ("selection", "least"),
    [
        pytest.param(("1",), 60, id="one of each category"),
        pytest.param(("60",), 3600, id="many of each category", marks=pytest.mark.exhaustive),
        pytest.param(("examples",), 120, id="warp.examples", marks=pytest.mark.exhaustive),
    ],
)
def test_the_bytes_are_the_same(selection: tuple[str, ...], least: int, tmp_path: Path) -> None:
    stock, faster = digests(tmp_path, "stock", *selection), digests(tmp_path, "accelerated", *selection)
    assert len(stock) >= least
    assert {identity for identity in stock if stock[identity] != faster.get(identity)} == set()


def text(source: str) -> str:
    with loaded_kernel(source) as kernel:
        ir = extract_ir(kernel, "cuda")
    return ir.forward_code + (ir.backward_code or "")


KERNEL = """import warp as wp

@wp.kernel
def scale(x: wp.array(dtype={0}), y: wp.array(dtype={0})):
    i = wp.tid()
    {1}
"""


@pytest.mark.parametrize(
    "pair",
    [
        # the same call with other names, with a repeated argument, and with references instead of values
        ("y[i] = x[i] * x[i]", "a = x[i]\n    b = a * a\n    y[i] = b * a"),
        ("y[i] = wp.max(x[i], 2.0)", "y[i] = wp.max(2.0, x[i])"),
        ("adj = x[i]\n    y[i] = adj + x[i]", "var_1 = x[i]\n    y[i] = var_1 + x[i]"),
        ("y[i] = wp.clamp(x[i], x[i], 2.0)", "lo = x[i]\n    y[i] = wp.clamp(lo, lo, lo)"),
        ("y[i] = float(wp.float64(2.0))", "two = x[i]\n    y[i] = float(wp.float64(two))"),
        ("y[i] = float(wp.float64(2.0))", "y[i] = float(wp.float64(3.0) + wp.float64(4.0))"),
        ("y[i] = wp.vec3(x[i], x[i], 1.0)[0]", "y[i] = wp.vec3(x[i])[1]"),
        ("y[i] = wp.vec3(x[i], x[i], x[i])[0]", "a = x[i]\n    y[i] = wp.vec3(a, x[i], a)[1]"),
        ("y[i] = wp.vec2(1.0, x[i])[0]", "y[i] = wp.vec2(2.0, x[i])[0]"),
        ("y[i] = wp.vec2(1.0, 2.0)[0]", "y[i] = float(wp.vec2d(1.0, 2.0)[0])"),
        ("y[i] = wp.vec2(x[i], 2.0)[0]", "y[i] = float(wp.vec2d(wp.float64(x[i]), 0.1)[1])"),
        ("y[i] = wp.vec3(x[i])[0]", "y[i] = wp.vec4(x[i])[0] + wp.vec3(wp.vec3(x[i]))[1]"),
        ("y[i] = float(wp.vec2i(1, 2)[0])", "y[i] = float(wp.vec2i(i, 2)[1]) + float(wp.vec2ub(wp.uint8(i), wp.uint8(2))[0])"),
    ],
)
def test_the_template_of_a_call_fits_later_calls(pair: tuple[str, str]) -> None:
    sources = [KERNEL.format("float", body) for body in (*pair, *reversed(pair))]
    expected = [text(source) for source in sources]
    with accelerated() as on:
        assert on
        assert [text(source) for source in sources] == expected


def texts_of_both(source: str, **options: Any) -> str:
    with loaded_kernel(source, module_options=options) as kernel:
        return repr(extract_ir(kernel, "both", include_backward=options.get("enable_backward", True)).codes)


@pytest.mark.parametrize("options", [{}, {"lineinfo": True}, {"mode": "debug"}, {"enable_backward": False},
                                     {"default_grid_stride": True}, {"default_grid_stride": False}], ids=str)  # fmt: skip
def test_names_and_function_texts(options: dict[str, Any]) -> None:
    """Sources contain names and variables of every kind, early returns, a closure, arrays of matrices and 64-bit constants."""
    tiled = KERNEL.format("float", "t = wp.tile_load(x, shape=16)\n    wp.tile_store(y, t * 2.0)")
    sources = [NAMED, tiled, NAMED]
    expected = [texts_of_both(source, **options) for source in sources]
    assert "early" in expected[0]
    with accelerated() as on:
        assert on
        assert [texts_of_both(source, **options) for source in sources] == expected


def test_structs_of_the_same_name_are_distinguished() -> None:
    """Kernels have structs of one name with different members; no cached text of one may appear in another."""
    source = (
        "import warp as wp\n\n@wp.struct\nclass Item:\n    value: {0}\n\n"
        "@wp.kernel\ndef read(items: wp.array(dtype=Item), y: wp.array(dtype=float)):\n"
        "    i = wp.tid()\n    item = items[i]\n    y[i] = float(item.value) * 2.0\n"
    )
    sources = [source.format(kind) for kind in ("float", "wp.float64", "int", "wp.vec2")]
    expected = [_text_or_error(item) for item in sources]
    with accelerated():
        assert [_text_or_error(item) for item in (*sources, *sources)] == [*expected, *expected]


def _text_or_error(source: str) -> str:
    try:
        return text(source)
    except KernelRejected as error:
        return str(error)


@pytest.mark.parametrize(
    "wrong",
    [
        'x[i] + "a"', "wp.dot(x[i], x[i])", "wp.max(x[i])", "wp.sin(x[i], 1.0)", "wp.max(x[i], b=1)",
        "wp.vec3(x[i], x[i])[0]", "wp.vec3(x[i], wp.float64(x[i]), x[i])[0]", "wp.vec2(i, 1)[0]", "wp.vec3(wp.vec2(x[i]))[0]",
        "wp.no_such_thing(x[i])", "wp.types.no_such_thing(x[i])", "no_such_thing(x[i])", "no_such_thing.sin(x[i])", "wp.sin",
    ],
)  # fmt: skip
def test_errors_are_the_same(wrong: str) -> None:
    source = KERNEL.format("float", f"y[i] = {wrong}")
    expected = _text_or_error(source)
    with accelerated():
        assert [_text_or_error(source) for _ in range(3)] == [expected] * 3


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (lambda types, values: types["a"] if values["n"] else None, True),
        (lambda types, values: [types["a"] for _ in values], True),
        (lambda types, values: lambda: (types, values), True),
        (lambda types, values: types["a"], False),  # noqa: ARG005 - the values are unused on purpose
        (lambda types: types["a"], True),  # not a value function: one parameter
    ],
)
def test_functions_that_read_values_are_recognized_by_their_code(function: Any, expected: bool) -> None:
    assert builtin_calls._reads_values(function) == expected


def plain(x: int, y: float = 2.0, /, z=None) -> bool:  # type: ignore[no-untyped-def]
    return bool(x and y and z)


def starred(x: int, *rest: float, **more: int) -> None: ...


def keyword(x: int, *, y: float = 1.0) -> None: ...


@functools.wraps(plain)
def wrapping(*arguments: Any) -> Any:
    return plain(*arguments)


def closing(annotation: type) -> Any:
    def inner(x: annotation, y: int = 1) -> annotation: ...  # type: ignore[valid-type]

    return inner


@pytest.mark.parametrize("function", [plain, starred, keyword, wrapping, closing(bytes), dict.get, lambda: 0, Path, print])
def test_parameters_are_those_of_inspect(function: Any) -> None:
    stock = PRIVATE["codegen"].get_full_arg_spec
    try:
        expected = stock(function)
    except (AttributeError, NameError, TypeError, ValueError) as error:
        with pytest.raises(type(error)):
            signatures.get_full_arg_spec(stock)(function)
    else:
        assert signatures.get_full_arg_spec(stock)(function) == expected


def test_debug_information_is_still_written() -> None:
    source = KERNEL.format("float", "y[i] = x[i] * 2.0")

    def lines(options: dict[str, Any]) -> int:
        with loaded_kernel(source, module_options=options) as kernel:
            return extract_ir(kernel, "cuda").forward_code.count("#line")

    with accelerated():
        assert [lines(options) for options in ({}, {"lineinfo": True}, {}, {"lineinfo": True})] == [
            0,
            lines({"lineinfo": True}),
        ] * 2
    assert lines({"lineinfo": True}) > 0


def test_all_functions_are_restored() -> None:
    def functions() -> dict[str, Any]:
        return {
            where: PRIVATE[where.split(".")[0]].__dict__.copy() for where in ("codegen.", "context.", "types.", "builtins.")
        }

    before, adjoint = functions(), dict(vars(PRIVATE["codegen"].Adjoint))
    with accelerated():
        assert dict(vars(PRIVATE["codegen"].Adjoint)) != adjoint
    assert functions() == before
    assert dict(vars(PRIVATE["codegen"].Adjoint)) == adjoint


@pytest.mark.parametrize("path", sorted(TESTED_SOURCES))
def test_an_untested_source_prevents_acceleration(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(TESTED_SOURCES, path, ("0" * 16,))
    assert first_difference() == f"the source of Warp's {path} is not one that was tested"


def test_a_missing_name_prevents_acceleration(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(TESTED_SOURCES, "codegen.Adjoint.no_such", ("0" * 16,))
    assert first_difference() == "Warp has no codegen.Adjoint.no_such"


def test_acceleration_can_be_switched_off() -> None:
    with accelerated(wanted=False) as on:
        assert not on
