"""The PTX of pairs: one kernel in each field, with the figures of the cubin, whatever was compiled before."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from warpsmith.core.errors import WarpsmithError
from warpsmith.core.records.encoding import encode
from warpsmith.core.records.ir import Code
from warpsmith.core.records.jsonl import read_pairs
from warpsmith.core.records.pair import Pair, from_dict
from warpsmith.extraction.codegen.preamble import pair_preamble
from warpsmith.extraction.codegen.split import join
from warpsmith.simt import CudaCompileError, compile_cubin, compile_ptx, resource_usage, warp_options, with_ptx
from warpsmith.simt.ptx.module_parser import parse_module

SAMPLES = Path(__file__).parents[3] / "data" / "samples"


@pytest.fixture(scope="module")
def sample() -> Pair:
    """Return a sample of a short text: NVRTC takes as long as the text is."""
    pairs = (pair for pair in _samples() if pair.cuda_ir_backward and "wp.float64" not in pair.python_source)
    return sorted(pairs, key=lambda pair: len(pair.cuda_ir_backward or ""))[12]


@pytest.fixture(scope="module")
def made(sample: Pair) -> Pair:
    return with_ptx(sample, "sm_80")


def _samples() -> Iterator[Pair]:
    for path in sorted(SAMPLES.glob("pairs-*.jsonl")):
        yield from (pair for pair in read_pairs(path) if pair.cuda_ir_forward is not None)


def test_each_field_has_one_kernel_of_the_file_that_warp_compiles(sample: Pair, made: Pair) -> None:
    name = sample.metadata.kernel_name
    text = pair_preamble(sample, "cuda") + join(Code(name, sample.cuda_ir_forward or "", sample.cuda_ir_backward), "cuda")
    options = warp_options(precompiled=False)
    whole = compile_ptx(text, 80, options, lines=False)
    usage = resource_usage(compile_cubin(text, 80, options))
    assert made.metadata.ptx is not None
    for direction, ptx, figures in (
        ("forward", made.ptx_forward, made.metadata.ptx.forward),
        ("backward", made.ptx_backward, made.metadata.ptx.backward),
    ):
        kernel = f"{name}_cuda_kernel_{direction}"
        assert ptx is not None
        assert figures is not None
        assert [function.name for function in parse_module(ptx).functions.values() if function.is_kernel] == [kernel]
        start = ptx.index(f".visible .entry {kernel}(")
        assert ptx[start:].rstrip() in whole
        assert set(ptx.splitlines()) <= set(whole.splitlines())
        assert (figures.registers, figures.stack, figures.shared) == (
            usage[kernel].registers,
            usage[kernel].stack,
            usage[kernel].shared,
        )
        assert (figures.spill_stores, figures.spill_loads) == (usage[kernel].spill_stores, usage[kernel].spill_loads)
        assert figures.instructions == sum(
            line.rstrip().endswith(";") and line[:2] != "\t." for line in ptx[start:].splitlines()
        )


def test_the_bytes_do_not_depend_on_earlier_texts(sample: Pair, made: Pair) -> None:
    other = next(pair for pair in _samples() if pair.id != sample.id)
    with_ptx(other, "sm_90")
    assert encode(with_ptx(sample, "sm_80")) == encode(made)


def test_a_record_is_read_back(sample: Pair, made: Pair) -> None:
    line = json.loads(encode(made))
    assert list(line)[-3:] == ["ptx_forward", "ptx_backward", "metadata"]
    assert from_dict(line) == made
    plain = json.loads(encode(sample))
    assert not {"ptx_forward", "ptx_backward"} & plain.keys()
    assert "ptx" not in plain["metadata"]


def test_products_and_sums_are_not_fused_where_the_module_says_so(sample: Pair) -> None:
    separate = replace(sample, metadata=replace(sample.metadata, module_options={"fuse_fp": False}))
    fused, apart = with_ptx(sample, "sm_80").ptx_backward or "", with_ptx(separate, "sm_80").ptx_backward or ""
    assert apart.count("fma.rn") < fused.count("fma.rn")  # functions of the library are fused in both
    assert len(re.findall(r"mul(?:\.rn)?\.f32", apart)) > len(re.findall(r"mul(?:\.rn)?\.f32", fused))


def test_errors(sample: Pair) -> None:
    for arch, words in (("80", "write it as sm_80"), ("sm_10", "not supported"), ("sm_\u0668\u0660", "write it as")):
        with pytest.raises(WarpsmithError, match=words):
            with_ptx(sample, arch)
    with pytest.raises(WarpsmithError, match="no CUDA code"):
        with_ptx(replace(sample, cuda_ir_forward=None, cuda_ir_backward=None), "sm_80")
    with pytest.raises(CudaCompileError, match="error"):
        with_ptx(replace(sample, cuda_ir_forward="nonsense", cuda_ir_backward=None), "sm_80")
