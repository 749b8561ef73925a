"""`extract_ir` and `extract_pair` on live kernels; `test_byte_identity.py` compares the bytes with Warp's files."""

from __future__ import annotations

import gc
import linecache
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import warp as wp
from warp.examples.core.example_sph import kick

from warpsmith.core.errors import KernelRejected, WarpsmithError
from warpsmith.core.records.ir import KernelIR
from warpsmith.core.records.jsonl import read_pairs
from warpsmith.core.records.pair import Pair
from warpsmith.extraction import extract_ir, extract_pair
from warpsmith.extraction.targets.loading import FILE_NAME, MODULE_NAME, loaded_kernel
from warpsmith.extraction.warp.codegen import preamble
from warpsmith.extraction.warp.compilers import NATIVE, compile_cpp, compile_cuda
from warpsmith.extraction.warp.runtime import start_runtime

SOURCE = """import warp as wp


@wp.func
def doubled(x: float):
    return 2.0 * x


@wp.kernel
def scale(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    out[i] = doubled(x[i])
"""


@pytest.fixture
def kernel() -> Iterator[Any]:
    with loaded_kernel(SOURCE) as loaded:
        yield loaded


def test_the_default_is_cpu_with_the_adjoint(kernel: Any) -> None:
    ir = extract_ir(kernel)
    assert ir.device == "cpu"
    assert "scale_cpu_kernel_forward(" in ir.forward_code
    assert ir.backward_code is not None
    assert "scale_cpu_kernel_backward(" in ir.backward_code
    assert "adj_doubled_0" in ir.backward_code
    assert "adj_doubled_0" not in ir.forward_code


def test_both_contains_the_code_of_each_target(kernel: Any) -> None:
    both = extract_ir(kernel, "both")
    assert both.cpp == extract_ir(kernel, "cpu").cpp
    assert both.cuda == extract_ir(kernel, "cuda").cuda
    with pytest.raises(WarpsmithError, match=r"use \.cpp\.forward_code or \.cuda"):
        _ = both.forward_code


def test_without_the_adjoint(kernel: Any) -> None:
    ir = extract_ir(kernel, "cuda", include_backward=False)
    assert ir.backward_code is None
    assert "_cuda_kernel_backward(" not in ir.forward_code
    assert ir.note is None


def test_the_note_explains_why_there_is_no_backward_code() -> None:
    with loaded_kernel(SOURCE.replace("@wp.kernel", "@wp.kernel(enable_backward=False)")) as kernel:
        assert extract_ir(kernel).note == "the kernel sets enable_backward=False"
    with loaded_kernel(SOURCE, module_options={"enable_backward": False}) as kernel:
        assert extract_ir(kernel).note == "the kernel's module sets enable_backward=False"


def test_the_kernel_is_unchanged() -> None:
    start_runtime()
    with loaded_kernel(SOURCE, module_name="unchanged_kernel") as kernel:
        options, hashed = dict(kernel.module.options), kernel.hash
        extract_ir(kernel, "both")
        assert kernel.module.options == options
        assert kernel.hash == hashed
        x, out = wp.array([1.0, 2.0], dtype=float, device="cpu"), wp.zeros(2, dtype=float, device="cpu")
        wp.launch(kernel, dim=2, inputs=[x, out], device="cpu")
        assert np.array_equal(out.numpy(), [2.0, 4.0])


@pytest.mark.parametrize(("kernel", "device", "reason"), [(print, "cpu", "decorate it"), (None, "tpu", "unknown device 'tpu'")])
def test_wrong_arguments(kernel: Any, device: Any, reason: str) -> None:
    with pytest.raises(WarpsmithError, match=reason):
        extract_ir(kernel, device)


def test_a_kernel_that_warp_rejects_has_the_reason_of_warp() -> None:
    with loaded_kernel(SOURCE.replace("2.0 * x", "wp.no_such_thing(x)")) as kernel, pytest.raises(KernelRejected) as caught:
        extract_ir(kernel)
    assert caught.value.stage == "codegen"
    assert "no_such_thing" in caught.value.reason


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("import warp as wp", "defines 0"),
        (SOURCE + SOURCE.replace("scale", "other"), "defines 2"),
        ("1 / 0", "ZeroDivisionError"),
        ("def", "SyntaxError"),
    ],
)
def test_sources_without_exactly_one_kernel(source: str, reason: str) -> None:
    with pytest.raises(KernelRejected, match=reason) as caught, loaded_kernel(source):
        pass
    assert caught.value.stage == "load"


def test_no_kernel_and_no_module_stay_in_memory() -> None:
    def alive() -> int:
        gc.collect()
        return sum(isinstance(item, wp.Kernel) for item in gc.get_objects())

    before = alive()
    texts = set()
    for _ in range(20):
        with loaded_kernel(SOURCE) as kernel:
            texts.add(extract_ir(kernel, "cuda").forward_code)
        del kernel
    assert len(texts) == 1
    assert alive() == before
    assert MODULE_NAME not in sys.modules
    assert FILE_NAME not in linecache.cache


def test_a_kernel_of_a_program_keeps_nothing_that_the_generator_made() -> None:
    start_runtime()
    with loaded_kernel(SOURCE, module_name="kept_kernel") as kernel:
        helper = kernel.func.__globals__["doubled"]
        for _ in range(2):
            extract_ir(kernel, "both")
            for adjoint in (kernel.adj, helper.adj):
                assert (adjoint.builder, adjoint.blocks, adjoint.variables, adjoint.symbols) == (None, [], [], {})
        x, out = wp.array([1.0], dtype=float, device="cpu"), wp.zeros(1, dtype=float, device="cpu")
        wp.launch(kernel, dim=1, inputs=[x, out], device="cpu")
        assert out.numpy() == [2.0]


def test_a_pair_of_a_live_kernel() -> None:
    pair = extract_pair(kick, "both", identity="sph-kick")
    assert pair.id == "sph-kick"
    assert extract_pair(kick).id == "warp.examples.core.example_sph.kick"
    assert pair.metadata.launch is None
    assert pair.metadata.has_backward
    with loaded_kernel(pair.python_source) as loaded:
        ir = extract_ir(loaded, "both")
    assert (pair.cpp_forward, pair.cuda_ir_backward) == (ir.cpp.forward_code, ir.cuda.backward_code)


@pytest.mark.parametrize(("kernel", "device", "reason"), [(print, "cpu", "decorate it"), (kick, "tpu", "unknown device 'tpu'")])
def test_wrong_arguments_for_a_pair(kernel: Any, device: Any, reason: str) -> None:
    with pytest.raises(WarpsmithError, match=reason):
        extract_pair(kernel, device)


GENERIC = """from typing import Any

import warp as wp


@wp.func
def twice(x: Any):
    return x + x


@wp.kernel
def scale(x: wp.array(dtype=Any), factor: Any, out: wp.array(dtype=Any)):
    i = wp.tid()
    out[i] = twice(x[i]) * factor


"""
BY_NAME = 'wp.overload(scale, {"x": wp.array(dtype=wp.vec3), "factor": float, "out": wp.array(dtype=wp.vec3)})\n'
IN_ORDER = "wp.overload(scale, [wp.array(dtype=wp.vec3), wp.float32, wp.array(dtype=wp.vec3)])\n"


def ir_of(source: str) -> KernelIR:
    with loaded_kernel(source, "scale") as loaded:
        return extract_ir(loaded, "both")


def without_comments(text: str | None) -> str:
    return "".join(line for line in (text or "").splitlines(keepends=True) if not line.lstrip().startswith("//"))


def test_a_generic_kernel_with_one_overload_is_that_overload() -> None:
    """The text is equal to the text of the same kernel with concrete types; overloads name types by argument or in order."""
    plain = GENERIC.replace("x: wp.array(dtype=Any)", "x: wp.array(dtype=wp.vec3)").replace("factor: Any", "factor: float")
    plain = plain.replace("out: wp.array(dtype=Any)", "out: wp.array(dtype=wp.vec3)")
    expected = ir_of(plain)
    assert expected.kernel_name == "scale"
    for overload in (BY_NAME, IN_ORDER):
        ir = ir_of(GENERIC + overload)
        assert ir.kernel_name == "scale"
        for target in ("cpp", "cuda"):
            for direction in ("forward_code", "backward_code"):
                text = getattr(getattr(ir, target), direction)
                assert without_comments(text) == without_comments(getattr(getattr(expected, target), direction))


@pytest.mark.parametrize(("overloads", "count"), [("", 0), (BY_NAME + BY_NAME.replace("vec3", "vec2"), 2)])
def test_a_generic_kernel_needs_exactly_one_overload(overloads: str, count: int) -> None:
    with pytest.raises(KernelRejected, match=f"{count} overloads"):
        ir_of(GENERIC + overloads)


@pytest.mark.exhaustive
@pytest.mark.parametrize("count", [1, pytest.param(3, marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize("target", ["cpu", "cuda"])
def test_forward_code_compiles_alone_and_with_the_backward_code(root: Path, tmp_path: Path, target: str, count: int) -> None:
    def compiles(target: str, text: str) -> bool:
        if target == "cuda":
            return compile_cuda(text, tmp_path)
        return compile_cpp(text, tmp_path / "pair.o", NATIVE, block_dim=256)

    start_runtime()
    pairs: list[Pair] = list(read_pairs(root / "data" / "samples" / "pairs-00000.jsonl"))[:count]
    for pair in pairs:
        forward, backward = pair.code(target)
        assert forward is not None
        assert backward is not None
        start = preamble(target, forward)
        assert compiles(target, start + forward), pair.id
        assert compiles(target, start + forward + backward), pair.id
    assert not compiles(target, start + forward + backward.replace("wp::", "", 1)), "the compiler accepts invalid code"
