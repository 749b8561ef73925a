"""Verification of stand-alone CUDA: texts of the samples pass, and each text with one mistake fails for this mistake."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace

import pytest

from shift_pair import make_pair
from warpsmith.core.records.pair import Pair
from warpsmith.scoring.cuda_verification import CudaVerifier
from warpsmith.scoring.cuda_writer.idioms import idioms_of
from warpsmith.scoring.cuda_writer.write_cuda import CudaText, write_cuda

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the confinement of workers requires Linux")

IDIOMS = replace(idioms_of("x"), strides=False, braces=False, restrict=False, const_locals=False, includes=(), launcher=False)


@pytest.fixture(scope="module")
def verifier() -> Iterator[CudaVerifier]:
    with CudaVerifier() as one:
        yield one


@pytest.fixture(scope="module")
def pair() -> Pair:
    return make_pair()


@pytest.fixture(scope="module")
def right(pair: Pair) -> CudaText:
    return write_cuda(pair, IDIOMS)


def test_texts_of_samples_are_right(verifier: CudaVerifier, all_samples: list[Pair]) -> None:
    pairs = [pair for pair in all_samples if pair.cuda_ir_forward and pair.metadata.launch]
    pairs = [pair for pair in pairs if "float64" not in pair.python_source][:5]  # a zero of float64 may round
    found = verifier.texts(pairs)
    verified = [each for each in found if each.text is not None]
    assert len(verified) >= 3
    assert all(each.outcome.launches >= 4 and each.outcome.status == "verified" for each in verified)
    assert all("wp::" not in (each.text or "") and "__global__" in (each.text or "") for each in verified)
    assert {each.outcome.problem for each in found if each.text is None} <= {"unsupported"}


def broken(text: CudaText, before: str, after: str) -> CudaText:
    assert before in text.device_text
    return replace(text, device_text=text.device_text.replace(before, after, 1))


def test_each_mistake_is_found(verifier: CudaVerifier, pair: Pair, right: CudaText) -> None:
    mistakes = [
        (right, "", ""),
        (broken(right, "y[i] = ", "y[i] = 1.001f + "), "result", "y["),
        (broken(right, "if (i >= n) return;", ""), "launch", "out_of_bounds"),
        (broken(right, "atomicAdd(&sums[bins[i]], ", "sums[bins[i]] += ("), "launch", "global_race"),
        (broken(right, "y[i] = ", "if (i > 0) y[i] = "), "result", "y["),
        (broken(right, "float* y", "double* y"), "compile", "types of the kernel's parameters"),
        (broken(right, "y[i] = ", "y[i] = undefined + "), "compile", "undefined"),
        (broken(right, "__global__", '#include "/etc/passwd"\n__global__'), "compile", "not allowed"),
    ]
    found = verifier.verify([(pair, text) for text, _, _ in mistakes])
    assert [each.outcome.problem for each in found] == [problem for _, problem, _ in mistakes]
    for each, (_, _, reason) in zip(found, mistakes, strict=True):
        assert reason in each.outcome.reason


def test_a_contract_that_few_launches_fulfil_is_no_verification(verifier: CudaVerifier, pair: Pair, right: CudaText) -> None:
    narrow = replace(right, contract=replace(right.contract, equal=((("x", 0), ("sums", 0)),)))
    (found,) = verifier.verify([(pair, narrow)])
    assert (found.outcome.problem, found.text) == ("reference", None)
    assert "fulfil the contract" in found.outcome.reason


def test_sizes_that_are_equal_have_other_lengths_in_a_launch(verifier: CudaVerifier, pair: Pair, right: CudaText) -> None:
    launch = pair.metadata.launch
    assert launch is not None
    length = next(argument for argument in launch.args if argument.name == "x").shape[0]
    equal = replace(right.contract, equal=((("x", 0), ("y", 0)),))
    only_own = replace(equal, fixed=((("x", 0), length),))
    found = verifier.verify([(pair, replace(right, contract=equal))])
    found += verifier.verify([(pair, replace(right, contract=only_own))])
    assert [each.outcome.problem for each in found] == ["", "reference"]
    assert "no launch of another size" in found[1].outcome.reason
