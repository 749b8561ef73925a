"""`extract_ir`, the public verb, on live kernels; that its bytes are Warp's is `test_byte_identity.py`'s matter."""

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

from warpsmith.core.errors import KernelRejected, WarpsmithError
from warpsmith.core.records.jsonl import read_pairs
from warpsmith.core.records.pair import Pair
from warpsmith.extraction import extract_ir
from warpsmith.extraction.loading import FILE_NAME, MODULE_NAME, loaded_kernel
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


def test_cpu_is_the_default_and_the_adjoint_is_there(kernel: Any) -> None:
    ir = extract_ir(kernel)
    assert ir.device == "cpu"
    assert "scale_cpu_kernel_forward(" in ir.forward_code
    assert ir.backward_code is not None
    assert "scale_cpu_kernel_backward(" in ir.backward_code
    assert "adj_doubled_0" in ir.backward_code
    assert "adj_doubled_0" not in ir.forward_code


def test_both_is_each_of_the_two(kernel: Any) -> None:
    both = extract_ir(kernel, "both")
    assert both.cpp == extract_ir(kernel, "cpu").cpp
    assert both.cuda == extract_ir(kernel, "cuda").cuda
    with pytest.raises(WarpsmithError, match=r"use \.cpp\.forward_code or \.cuda"):
        _ = both.forward_code


def test_without_backward(kernel: Any) -> None:
    ir = extract_ir(kernel, "cuda", include_backward=False)
    assert ir.backward_code is None
    assert "_cuda_kernel_backward(" not in ir.forward_code
    assert ir.note is None


def test_a_kernel_that_has_no_backward_pass_says_so() -> None:
    with loaded_kernel(SOURCE.replace("@wp.kernel", "@wp.kernel(enable_backward=False)")) as kernel:
        assert extract_ir(kernel).note == "the kernel sets enable_backward=False"
    with loaded_kernel(SOURCE, module_options={"enable_backward": False}) as kernel:
        assert extract_ir(kernel).note == "the kernel's module sets enable_backward=False"


def test_the_kernel_is_left_as_it_was() -> None:
    start_runtime()
    with loaded_kernel(SOURCE, module_name="left_as_it_was") as kernel:
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


def test_what_warp_refuses_is_rejected_in_its_words() -> None:
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
def test_sources_that_are_no_kernel(source: str, reason: str) -> None:
    with pytest.raises(KernelRejected, match=reason) as caught, loaded_kernel(source):
        pass
    assert caught.value.stage == "load"


def test_nothing_is_left_behind() -> None:
    def alive() -> int:
        gc.collect()
        return sum(isinstance(thing, wp.Kernel) for thing in gc.get_objects())

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


def of_source(source: str) -> Any:
    with loaded_kernel(source, "scale") as loaded:
        return extract_ir(loaded, "both")


def without_comments(text: str | None) -> str:
    return "".join(line for line in (text or "").splitlines(keepends=True) if not line.lstrip().startswith("//"))


def test_a_generic_kernel_with_one_overload_is_that_overload() -> None:
    """The text is the one of the same kernel with the types in their places, whichever way the overload names them."""
    plain = GENERIC.replace("x: wp.array(dtype=Any)", "x: wp.array(dtype=wp.vec3)").replace("factor: Any", "factor: float")
    plain = plain.replace("out: wp.array(dtype=Any)", "out: wp.array(dtype=wp.vec3)")
    expected = of_source(plain)
    assert expected.kernel_name == "scale"
    for overload in (BY_NAME, IN_ORDER):
        found = of_source(GENERIC + overload)
        assert found.kernel_name == "scale"
        for target in ("cpp", "cuda"):
            for part in ("forward_code", "backward_code"):
                text = getattr(getattr(found, target), part)
                assert without_comments(text) == without_comments(getattr(getattr(expected, target), part))


@pytest.mark.parametrize(("overloads", "count"), [("", 0), (BY_NAME + BY_NAME.replace("vec3", "vec2"), 2)])
def test_a_generic_kernel_without_one_overload_is_refused(overloads: str, count: int) -> None:
    with pytest.raises(KernelRejected, match=f"{count} overloads"):
        of_source(GENERIC + overloads)


@pytest.mark.slow
@pytest.mark.parametrize("count", [1, pytest.param(3, marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize("target", ["cpu", "cuda"])
def test_forward_compiles_alone_and_with_its_backward(root: Path, tmp_path: Path, target: str, count: int) -> None:
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
        opening = preamble(target, forward)
        assert compiles(target, opening + forward), pair.id
        assert compiles(target, opening + forward + backward), pair.id
    assert not compiles(target, opening + forward + backward.replace("wp::", "", 1)), "a compiler that accepts everything"
