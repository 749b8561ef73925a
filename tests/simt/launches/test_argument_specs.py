"""Arguments as texts: what is accepted, and what they become."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from warpsmith.core.errors import WarpsmithError
from warpsmith.simt.launches.argument_specs import LARGEST_ARRAY, TYPES, build_argument, parse_argument


def built(text: str, seed: int = 0) -> Any:
    return build_argument(parse_argument(text), np.random.default_rng(seed))


NAMES = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,8}", fullmatch=True)
INTEGERS = [name for name in TYPES if "int" in name]


@given(NAMES, st.sampled_from(INTEGERS), st.data())
def test_integers_keep_their_value(name: str, kind: str, data: st.DataObject) -> None:
    limits = np.iinfo(kind)
    number = data.draw(st.integers(int(limits.min), int(limits.max)))
    spec = parse_argument(f"{name}={kind}:{number}")
    value = build_argument(spec, np.random.default_rng())
    assert (spec.name, value.dtype, int(value)) == (name, np.dtype(kind), number)
    outside = data.draw(st.one_of(st.integers(max_value=int(limits.min) - 1), st.integers(int(limits.max) + 1)))
    with pytest.raises(WarpsmithError, match="is outside"):
        parse_argument(f"{kind}:{outside}")


@given(st.sampled_from(["float32", "float64"]), st.floats(width=32))
def test_floats_keep_their_value(kind: str, number: float) -> None:
    assert np.array_equal(built(f"{kind}:{number!r}"), np.dtype(kind).type(number), equal_nan=True)


@given(st.sampled_from(TYPES), st.lists(st.integers(0, 7), min_size=1, max_size=3), st.integers(0, 5))
def test_arrays_have_type_and_shape(kind: str, shape: list[int], seed: int) -> None:
    text = f"x={kind}[{','.join(map(str, shape))}]"
    for fill in ("", ":random", ":zeros", ":ones", ":arange", ":1", ":0..1"):
        array = built(text + fill, seed)
        assert (array.dtype, array.shape) == (np.dtype(kind), tuple(shape))
    assert np.array_equal(built(text, seed), built(f"{text}:random", seed))


@given(st.sampled_from(INTEGERS), st.integers(0, 100), st.integers(0, 27))
def test_random_integers_are_in_their_range(kind: str, low: int, more: int) -> None:
    array = built(f"{kind}[500]:{low}..{low + more}")
    assert array.min() >= low
    assert array.max() <= low + more
    if more < 20:
        assert set(array.tolist()) == set(range(low, low + more + 1))


@given(st.floats(-100, 100), st.floats(0, 100))
def test_random_floats_are_in_their_range(low: float, more: float) -> None:
    array = built(f"float64[200]:{low!r}..{low + more!r}")
    assert array.min() >= low
    assert array.max() <= low + more


def test_fills() -> None:
    assert built("int[4]:arange").tolist() == [0, 1, 2, 3]
    assert built("float[2]:ones").tolist() == [1.0, 1.0]
    assert built("half[2]:zeros").dtype == np.float16
    assert built("double[3]:-2.5").tolist() == [-2.5] * 3
    assert built("int16[2]:-3..-3").tolist() == [-3, -3]
    assert built("uint32:0xff") == 255
    assert built("bool:true")
    assert not built("bool:0")
    assert np.isnan(built("float[1]:nan")[0])
    assert np.isinf(built("float:inf"))
    assert built("p=null") == 0
    assert built("p=null").dtype == np.uint64


def test_the_default_of_random_elements() -> None:
    floats, integers = built("float[10000]"), built("int[10000]")
    assert -1 <= floats.min() < -0.9 < 0.9 < floats.max() < 1
    assert set(integers.tolist()) == set(range(10))
    assert not np.array_equal(floats, built("float[10000]", seed=1))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "the forms are"),
        ("x=", "the forms are"),
        ("x=int32", "needs a value"),
        ("x=float33:1", "'float33' is not a type: int8"),
        ("x=float32[a]", r"the size \[a\]"),
        ("x=float32[]", "the size"),
        ("x=float32[-1]", "the size"),
        ("x=float32[1,2", "the forms are"),
        ("x=float32[4]:zeroes", "'zeroes' is not a number of type float32 and not one of random, zeros"),
        ("x=int32:1.5", "'1.5' is not a number of type int32"),
        ("x=int8:128", "outside int8: -128 to 127"),
        ("x=float16:1e6", "is not a number of type float16"),
        ("x=int32[4]:5..1", "LOW..HIGH"),
        ("x=float32[4]:0..inf", "LOW..HIGH"),
        ("x=int32[4]:a..b", "'a' is not a number"),
        ("x=bool:2", "outside bool"),
        (f"x=int8[{LARGEST_ARRAY + 1}]", "more than"),
        ("x=int8[99999,99999,99999]", "more than"),
        ("1x=int32:1", "the forms are"),
    ],
)
def test_mistakes_are_explained(text: str, reason: str) -> None:
    with pytest.raises(WarpsmithError, match=reason):
        parse_argument(text)


@given(st.text(max_size=30))
def test_any_text_is_an_argument_or_an_error_of_one_line(text: str) -> None:
    try:
        parse_argument(text)
    except WarpsmithError as error:
        assert "\n" not in str(error)  # noqa: PT017


@given(
    st.lists(
        st.sampled_from(["x", "=", "float32", "int8", "[", "]", "4", ",", ":", "zeros", "..", "-", "1e3", "@"]), max_size=9
    )
)
def test_any_sequence_of_words_is_an_argument_or_an_error(words: list[str]) -> None:
    try:
        spec = parse_argument("".join(words))
    except WarpsmithError:
        return
    if spec.file is None:
        build_argument(spec, np.random.default_rng())


def test_files(tmp_path: Path) -> None:
    values = np.arange(6, dtype=np.float64).reshape(2, 3).T
    np.save(tmp_path / "x.npy", values)
    array = built(f"x=@{tmp_path / 'x.npy'}")
    assert np.array_equal(array, values)
    assert array.flags.c_contiguous
    (tmp_path / "bad.npy").write_text("no")
    np.save(tmp_path / "text.npy", np.array(["a"]))
    np.save(tmp_path / "objects.npy", np.array([{}]), allow_pickle=True)
    for name, reason in (
        ("bad", "cannot be read"),
        ("text", "contains str"),
        ("objects", "cannot be read"),
        ("none", "No such"),
    ):
        with pytest.raises(WarpsmithError, match=reason):
            built(f"x=@{tmp_path / name}.npy")
