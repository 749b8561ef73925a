"""Module text is divided at the right positions, whatever users write into it, and joined again without loss."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from warpsmith.core.records.ir import Code
from warpsmith.extraction.codegen.split import join, split
from warpsmith.extraction.targets.loading import loaded_kernel
from warpsmith.extraction.warp.codegen import ModuleText, generate_text_stepwise
from warpsmith.extraction.warp.interleave import run_alone

SOURCE = """import warp as wp


@wp.func_native({snippet!r}, adj_snippet={adjoint!r})
def native(x: wp.array(dtype=float), i: int): ...


@wp.func
def helper(x: float):
    return 2.0 * x


@wp.kernel
def work(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    # {comment}
    native(x, i)
    out[i] = helper(x[i])
"""

MARKERS = [
    " work_cuda_kernel_forward(\n",
    " work_cuda_kernel_backward(\n",
    "struct wp_args_work {\n",
    "void work_cpu_kernel_backward(\n",
    "static void work_cpu_kernel_backward(\n",
    "struct work_cpu_block_payload_forward\n",
    "struct work_cpu_block_payload_backward\n",
    "\n\n",
    "static CUDA_CALLABLE void adj_helper_0(\n",
]
snippets = st.lists(st.sampled_from([*MARKERS, "// ", "x[i] = 1.0f;", "}", "{", "\n", "\\", '"']), max_size=6).map("".join)


def modules(source: str) -> dict[str, ModuleText]:
    with loaded_kernel(source) as kernel:
        return run_alone(generate_text_stepwise(kernel, ("cpu", "cuda"), include_backward=True))


@settings(max_examples=40, deadline=None)
@given(snippet=snippets, adjoint=snippets)
@example(snippet="".join(MARKERS), adjoint="".join(MARKERS))
def test_no_text_is_lost_and_every_part_is_in_its_direction(snippet: str, adjoint: str) -> None:
    # A user's text with the definition of a function of Warp would not compile, but it must not be divided either.
    for target, module in modules(SOURCE.format(snippet=snippet, adjoint=adjoint, comment="plain")).items():
        code = split(module, target)
        assert module.preamble + join(code, target) == module.text
        assert code.backward_code is not None
        assert code.forward_code.rfind(f" work_{target}_kernel_forward(") > 0
        assert code.backward_code.rfind(f" work_{target}_kernel_backward(") > 0
        own = code.forward_code[code.forward_code.rfind(f" work_{target}_kernel_forward(") :]
        assert "adj_x" not in own
        assert " adj_helper_0(" in code.backward_code


@pytest.mark.parametrize("comment", MARKERS)
def test_comments_that_contain_a_marker(comment: str) -> None:
    for target, module in modules(SOURCE.format(snippet="", adjoint="", comment=comment.strip())).items():
        code = split(module, target)
        assert module.preamble + join(code, target) == module.text


def test_a_text_of_unknown_layout_is_rejected() -> None:
    module = modules(SOURCE.format(snippet="", adjoint="", comment=""))["cuda"]
    with pytest.raises(ValueError, match="known layout"):
        split(ModuleText("work", module.text, "another preamble", ""), "cuda")
    with pytest.raises(ValueError, match="known layout"):
        split(ModuleText("missing", module.text, module.preamble, ""), "cuda")


@pytest.mark.parametrize("target", ["cpu", "cuda"])
def test_without_backward_code_all_text_is_forward_code(target: str) -> None:
    code = Code("k", "anything at all", None)
    assert join(code, target) == "anything at all"


def test_forward_and_backward_code_do_not_overlap() -> None:
    source = SOURCE.format(snippet="", adjoint="", comment="")
    for target, module in modules(source).items():
        code: Any = split(module, target)
        assert len(module.preamble) + len(code.forward_code) + len(code.backward_code) == len(module.text)
