"""Arguments in the order of the parameters, and mistakes that are found before a launch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from warpsmith.core.errors import WarpsmithError
from warpsmith.simt.launches.argument_matching import Signature, find_signature, match_arguments
from warpsmith.simt.launches.argument_specs import parse_argument
from warpsmith.simt.launches.kernel_signatures import declared_kernels

SAXPY = "__global__ void saxpy(int n, float a, const float* x, float* y) {}"
SIZES = (4, 4, 8, 8)


def signature(text: str = SAXPY, sizes: tuple[int, ...] = SIZES) -> Signature:
    return find_signature("saxpy", sizes, declared_kernels(text)["saxpy"])


UNKNOWN = Signature("saxpy", SIZES, None)


def matched(signature: Signature, *texts: str, seed: int = 0) -> list[Any]:
    return match_arguments(signature, [parse_argument(text) for text in texts], seed)


def test_names_decide_the_order() -> None:
    n, a, x, y = matched(signature(), "y=float32[3]:ones", "n=int32:3", "x=float32[3]:zeros", "a=float32:2")
    assert (int(n), float(a), x.tolist(), y.tolist()) == (3, 2.0, [0] * 3, [1] * 3)


@pytest.mark.parametrize("found", [signature(), UNKNOWN])
@pytest.mark.parametrize("texts", [("int32:3", "float32:2", "float32[3]", "float32[3]:ones")])
def test_positions_without_names(found: Signature, texts: tuple[str, ...]) -> None:
    assert matched(found, *texts)[3].tolist() == [1, 1, 1]
    if found is UNKNOWN:
        assert matched(found, *(f"name{index}={text}" for index, text in enumerate(texts)))[3].tolist() == [1, 1, 1]


def test_random_elements_depend_on_the_parameter_and_the_seed() -> None:
    texts = ("n=int32:3", "a=float32:2", "x=float32[9]", "y=float32[9]")
    _, _, x, y = matched(signature(), *texts)
    assert not np.array_equal(x, y)
    assert np.array_equal(x, matched(signature(), *reversed(texts))[2])
    assert not np.array_equal(x, matched(signature(), *texts, seed=1)[2])


GOOD = {"n": "n=int32:3", "a": "a=float32:2", "x": "x=float32[3]", "y": "y=float32[3]"}


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"y": None}, r"has 4 parameters, and 3 arguments are given: missing: y"),
        ({"y": "z=float32[3]"}, "'z' is not a parameter: saxpy"),
        ({"y": "x=float32[3]"}, "'x' is there twice"),
        ({"n": "n=int64:3"}, "n has 4 bytes, int64 has 8"),
        ({"n": "n=float32:3"}, "n has the type int, float32 is given"),
        ({"a": "a=int32:3"}, "a has the type float"),
        ({"n": "n=int32[3]"}, "n has 4 bytes and is no pointer"),
        ({"x": "x=float64[3]"}, r"x has the type float\*, float64\[3\] is given"),
        ({"x": "x=uint64:5"}, "x is a pointer, uint64 is a number"),
    ],
)
def test_mistakes_show_the_signature(changes: dict[str, str | None], reason: str) -> None:
    texts = [text for text in (GOOD | changes).values() if text is not None]
    with pytest.raises(WarpsmithError, match=reason) as failure:
        matched(signature(), *texts)
    assert "saxpy(int n, float a, float* x, float* y)" in str(failure.value)


def test_without_names_sizes_are_checked() -> None:
    with pytest.raises(
        WarpsmithError, match=r"argument 0 has 4 bytes, int64 has 8: saxpy\(4 bytes, 4 bytes, 8 bytes, 8 bytes\)"
    ):
        matched(UNKNOWN, "int64:3", "float32:2", "float32[3]", "float32[3]")
    with pytest.raises(WarpsmithError, match="has 4 parameters, and 0 arguments"):
        matched(UNKNOWN)


def test_accepted_variants() -> None:
    assert matched(signature(), "n=uint32:3", "a=float32:2", "x=null", "y=float32[3]")[2] == 0
    large = signature("__global__ void saxpy(size_t n, unsigned char* x, float4* y, T z)", (8, 8, 8, 4))
    assert matched(large, "n=uint64:3", "x=bool[3]", "y=float32[4]", "z=int32:1")


def test_overloads_are_chosen_by_their_number_of_parameters() -> None:
    text = f"{SAXPY} __global__ void saxpy(int n) {{}}"
    assert signature(text).names == ("n", "a", "x", "y")
    assert signature(text, (4,)).names == ("n",)
    same = f"{SAXPY} __global__ void saxpy(int n, float a, float* p, float* q) {{}}"
    assert signature(same).declared is None
