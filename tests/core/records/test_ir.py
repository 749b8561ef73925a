"""Generated code as plain data, and the pairs that are made of it."""

from __future__ import annotations

import doctest
from dataclasses import replace

import pytest

from warpsmith.core.errors import WarpsmithError
from warpsmith.core.records import ir as module
from warpsmith.core.records.ir import Code, KernelIR
from warpsmith.core.records.pair import Pair

CPP, CUDA = Code("scale", "C++ forward", "C++ backward"), Code("scale", "CUDA forward", None)
BOTH = KernelIR("scale", "both", {"cpu": CPP, "cuda": CUDA}, None)


def pair_of(ir: KernelIR) -> Pair:
    return Pair.from_ir(ir, identity="p-0-scale", python_source="…", category="harvested", warp_version="1.19.0")


def test_examples() -> None:
    assert doctest.testmod(module).failed == 0


def test_code_by_target() -> None:
    assert (BOTH.cpp, BOTH.cuda) == (CPP, CUDA)
    assert BOTH.has_backward
    with pytest.raises(WarpsmithError, match="two targets"):
        _ = BOTH.backward_code
    assert KernelIR("scale", "cpu", {"cpu": CPP}, None).backward_code == "C++ backward"


def test_a_pair_has_the_texts_and_the_device_of_its_ir() -> None:
    pair = pair_of(BOTH)
    assert (pair.cpp_forward, pair.cpp_backward) == ("C++ forward", "C++ backward")
    assert (pair.cuda_ir_forward, pair.cuda_ir_backward) == ("CUDA forward", None)
    assert (pair.metadata.device, pair.metadata.ir_type, pair.metadata.has_backward) == ("both", "both", True)
    cuda = pair_of(KernelIR("scale", "cuda", {"cuda": CUDA}, None))
    assert (cuda.cpp_forward, cuda.cuda_ir_forward) == (None, "CUDA forward")
    assert (cuda.metadata.ir_type, cuda.metadata.has_backward) == ("cuda", False)


def test_new_code_replaces_the_texts_alone() -> None:
    pair = pair_of(BOTH)
    changed = replace(BOTH, codes={"cpu": replace(CPP, forward_code="new"), "cuda": CUDA})
    assert pair.with_code(changed) == replace(pair, cpp_forward="new")
