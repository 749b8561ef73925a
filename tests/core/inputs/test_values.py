"""Inputs have the right shape, type and domain, and depend on the launch and the id only."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import warp as wp

from warpsmith.core.errors import WarpsmithError
from warpsmith.core.inputs.elements import element
from warpsmith.core.inputs.stored import encode_values
from warpsmith.core.inputs.values import make_inputs
from warpsmith.core.records.jsonl import read_pairs
from warpsmith.core.records.launch import Argument, Domain, Launch
from warpsmith.core.records.pair import Pair


@pytest.fixture(scope="module")
def pairs(dataset: Path) -> list[Pair]:
    return [pair for shard in sorted(dataset.glob("pairs-*.jsonl")) for pair in read_pairs(shard)]


def leaves(pairs: list[Pair]) -> Iterator[tuple[Pair, Argument]]:
    """Yield every argument that is not a struct, and the members of structs."""
    for pair in pairs:
        assert pair.metadata.launch is not None
        rest = list(pair.metadata.launch.args)
        while rest:
            argument = rest.pop()
            rest += argument.fields
            if not argument.fields:
                yield pair, argument


def values_of(argument: Argument, identity: str = "1-2000-7") -> np.ndarray:
    return make_inputs(Launch(dim=(1,), args=(argument,)), identity)[argument.name]


def argument(dtype: str, shape: tuple[int, ...], kind: str, low: float = 0.0, high: float = 1.0, name: str = "x") -> Argument:
    domain = Domain(kind=kind, low=low, high=high)  # type: ignore[arg-type]
    return Argument(name=name, kind="array", dtype=dtype, role="input", shape=shape, domain=domain)


def test_values_of_all_arguments_are_in_their_domain(pairs: list[Pair]) -> None:
    seen = set()
    for pair, one in leaves(pairs):
        if one.kind not in ("array", "value"):
            continue  # objects are built from arrays, and indexed arrays select from one
        values = values_of(one, pair.id)
        kind = getattr(wp, one.dtype)
        scalar = getattr(kind, "_wp_scalar_type_", kind)
        seen.add(one.dtype)
        assert values.dtype == np.dtype(wp.dtype_to_numpy(scalar)), one
        assert values.shape == (*one.shape, *getattr(kind, "_shape_", ())), one
        assert values.flags.c_contiguous
        assert np.all(np.isfinite(values.astype(np.float64)))
        domain = one.domain
        assert domain is not None
        if domain.kind == "fill":
            assert np.all(values == np.asarray(domain.low, dtype=values.dtype)), one
        elif domain.kind == "unit":
            unit = values[..., 3:] if one.dtype.startswith("transform") else values
            assert np.allclose(np.linalg.norm(unit.astype(np.float64), axis=-1), 1.0, rtol=0.0, atol=1e-6), one
        else:
            offset = np.eye(values.shape[-1]) if domain.kind == "near_identity" else 0.0
            within = values.astype(np.float64) - offset
            slack = 0.0 if np.issubdtype(values.dtype, np.integer) else 1e-6 * max(abs(domain.low), abs(domain.high), 1.0)
            assert within.min() >= domain.low - slack, one
            assert within.max() <= domain.high + slack, one
    assert {"float32", "int32"} < seen
    assert any(name.startswith("vec") for name in seen)


def has_one_value(one: Argument) -> bool:
    return one.domain is not None and one.kind in ("array", "value")


def test_all_arguments_of_a_pair_have_values(pairs: list[Pair]) -> None:
    launches = [(pair.metadata.launch, pair.id) for pair in pairs if pair.metadata.launch]
    without_structs = [(launch, identity) for launch, identity in launches if all(map(has_one_value, launch.args))]
    assert len(without_structs) > 50
    for launch, identity in without_structs:
        assert list(make_inputs(launch, identity)) == [one.name for one in launch.args]


def test_members_of_structs_have_values() -> None:
    mass = argument("float32", (), "uniform", name="mass")
    body = Argument(name="body", kind="struct", dtype="Body", role="input", shape=(), domain=None, fields=(mass,))
    crowd = replace(body, kind="array", shape=(3, 2))
    (value,) = make_inputs(Launch(dim=(1,), args=(body,)), "1-2000-7").items()
    assert value == ("body.mass", values_of(replace(mass, kind="value", name="body.mass")))
    assert make_inputs(Launch(dim=(1,), args=(crowd,)), "1-2000-7")["body.mass"].shape == (3, 2)


def test_a_struct_without_members_has_no_values() -> None:
    empty = Argument(name="body", kind="struct", dtype="Body", role="input", shape=(), domain=None)
    assert make_inputs(Launch(dim=(1,), args=(empty,)), "1-2000-7") == {}


def test_too_many_numbers_are_rejected() -> None:
    with pytest.raises(WarpsmithError, match="more than"):
        values_of(argument("mat33f", (1 << 12, 1 << 10), "uniform"))


DIGEST = """
import hashlib, sys
from pathlib import Path
from warpsmith.core.records.jsonl import read_pairs
from warpsmith.core.inputs.stored import encode_values
from warpsmith.core.inputs.values import make_inputs
digest = hashlib.sha256()
for pair in read_pairs(Path(sys.argv[1])):
    if all(one.domain for one in pair.metadata.launch.args):
        for name, values in make_inputs(pair.metadata.launch, pair.id).items():
            digest.update(name.encode() + values.tobytes())
print(digest.hexdigest())
"""


def test_values_are_the_same_in_another_process(dataset: Path) -> None:
    shard = dataset / "pairs-00000.jsonl"
    digests = {
        subprocess.run(
            [sys.executable, "-c", DIGEST, str(shard)],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(digests) == 1
    assert len(digests.pop().strip()) == hashlib.sha256().digest_size * 2


def test_values_do_not_depend_on_other_arguments() -> None:
    one, other = argument("float32", (50,), "uniform", name="a"), argument("float32", (50,), "uniform", name="b")
    alone = make_inputs(Launch(dim=(1,), args=(one,)), "1-2000-7")
    both = make_inputs(Launch(dim=(1,), args=(other, one)), "1-2000-7")
    assert np.array_equal(alone["a"], both["a"])
    assert not np.array_equal(both["a"], both["b"])
    assert not np.array_equal(alone["a"], values_of(one, "1-2000-8"))


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int32", "uint32", "int64", "uint64", "vec3i", "bool"])
def test_integers_reach_both_ends(dtype: str) -> None:
    high = 1 if dtype == "bool" else 3
    values = values_of(argument(dtype, (400,), "uniform", 0, high))
    assert set(np.unique(values).tolist()) == set(range(high + 1))


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "vec2f", "quatd", "mat33h"])
def test_floats_fill_their_range(dtype: str) -> None:
    values = values_of(argument(dtype, (400,), "uniform", -2.0, 6.0)).astype(np.float64)
    assert values.min() < -1.5
    assert values.max() > 5.5
    assert abs(values.mean() - 2.0) < 0.5


@pytest.mark.parametrize("dtype", ["transformh", "transformf", "transformd"])
def test_unit_transforms_have_unit_quaternions(dtype: str) -> None:
    values = values_of(argument(dtype, (400,), "unit", 2.0, 6.0)).astype(np.float64)
    slack = 5.0 * float(np.finfo(element(dtype)[0]).eps)
    assert np.allclose(np.linalg.norm(values[:, 3:], axis=-1), 1.0, rtol=0.0, atol=slack)
    assert values[:, :3].min() >= 2.0
    assert values[:, :3].max() <= 6.0
    assert np.ptp(values[:, :3]) > 3.0


def test_unsigned_integers_of_64_bits() -> None:
    high = np.iinfo(np.uint64).max
    values = values_of(argument("uint64", (50,), "uniform", 2**63, int(high)))
    assert values.dtype == np.uint64
    assert values.min() >= 2**63


@pytest.mark.parametrize(
    ("dtype", "scalar", "shape"),
    [
        ("float32", np.float32, ()),
        ("bool", np.bool_, ()),
        ("vec3f", np.float32, (3,)),
        ("vec2ub", np.uint8, (2,)),
        ("vec4ul", np.uint64, (4,)),
        ("quatf", np.float32, (4,)),
        ("mat22d", np.float64, (2, 2)),
        ("mat44h", np.float16, (4, 4)),
        ("vec3us", np.uint16, (3,)),
        ("transformd", np.float64, (7,)),
        ("spatial_vectorh", np.float16, (6,)),
        ("spatial_matrixf", np.float32, (6, 6)),
    ],
)
def test_elements_have_the_size_of_the_warp_type(dtype: str, scalar: type, shape: tuple[int, ...]) -> None:
    assert element(dtype) == (scalar, shape)
    assert np.dtype(scalar).itemsize * int(np.prod(shape)) == wp.types.type_size_in_bytes(getattr(wp, dtype))


@pytest.mark.parametrize(("dtype", "scalar", "length"), [("vec10f", wp.float32, 10), ("vec12d", wp.float64, 12)])
def test_long_vectors_have_the_size_of_the_warp_type(dtype: str, scalar: type, length: int) -> None:
    assert element(dtype) == (getattr(np, scalar.__name__), (length,))
    long_vector = wp.types.vector(length=length, dtype=scalar)
    assert wp.types.type_size_in_bytes(long_vector) == length * wp.types.type_size_in_bytes(scalar)


@pytest.mark.parametrize(
    "dtype", ["Body", "", "vec0f", "vec3", "vec3x", "mat3f", "mat33", "float", "object", "bfloat16", "quati", "__class__"]
)
def test_types_without_values_are_rejected(dtype: str) -> None:
    with pytest.raises(WarpsmithError, match="no values"):
        element(dtype)


def test_all_types_of_the_samples_have_values(root: Path) -> None:
    records = [json.loads(line) for path in (root / "data/samples").glob("pairs-*") for line in path.read_text().splitlines()]
    assert all(element(one["dtype"]) for record in records for one in record["metadata"]["launch"]["args"] if not one["fields"])


def launch_of(*args: Argument, **stored: np.ndarray) -> Launch:
    texts = {name.replace("__", "."): encode_values(values) for name, values in stored.items()}
    return Launch(dim=(1,), args=args, stored=texts)


@pytest.mark.parametrize("dtype", ["float32", "int32", "uint64"])
def test_sorted_values_do_not_decrease(dtype: str) -> None:
    values = values_of(argument(dtype, (4, 100), "sorted", 0, 50))
    assert np.all(values[:, 1:] >= values[:, :-1])
    assert 0 <= values.min() < values.max() <= 50
    assert not np.array_equal(values[0], values[1])


def test_offsets_have_their_ends() -> None:
    values = values_of(argument("int32", (3, 40), "offsets", 5, 300))
    assert np.all(values[:, 1:] >= values[:, :-1])
    assert set(values[:, 0]) == {5}
    assert set(values[:, -1]) == {300}
    assert len(np.unique(values)) > 60


@pytest.mark.parametrize(("low", "high"), [(0, 99), (3, 104), (-(2**31), 2**31 - 1)])
def test_permutations_have_different_values(low: int, high: int) -> None:
    values = values_of(argument("int32", (10, 10), "permutation", low, high))
    assert len(np.unique(values)) == 100
    assert low <= values.min() <= values.max() <= high
    assert not np.array_equal(np.sort(values.ravel()), values.ravel())


@pytest.mark.parametrize("kind", ["uniform", "unit", "fill", "sorted", "offsets", "permutation"])
def test_empty_arrays_have_no_values(kind: str) -> None:
    dtype = "vec3f" if kind == "unit" else "int32"
    assert values_of(argument(dtype, (0,), kind, 0, 5)).shape[0] == 0
    assert values_of(argument(dtype, (3, 0), kind, 0, 5)).size == 0


def test_stored_values_are_taken_as_they_are() -> None:
    x = np.array([[1.0, -0.0, np.nan], [np.inf, 2.0, 3.0]], np.float32)
    launch = launch_of(argument("vec3f", (2,), "stored", -0.0, 3.0), x=x)
    assert make_inputs(launch, "a")["x"].tobytes() == make_inputs(launch, "b")["x"].tobytes() == x.tobytes()


def test_stored_values_of_members_and_outputs() -> None:
    mass = replace(argument("float32", (), "stored", 1.0, 2.0, name="mass"), kind="value", role="output")
    crowd = Argument(name="body", kind="array", dtype="Body", role="output", shape=(2,), domain=None, fields=(mass,))
    values = make_inputs(launch_of(crowd, body__mass=np.array([1.0, 2.0], np.float32)), "a")
    assert values["body.mass"].tolist() == [1.0, 2.0]


def test_stored_values_of_an_indexed_array_are_the_selected_ones() -> None:
    leaf = replace(argument("float32", (2, 3), "stored", 0.0, 5.0), kind="indexed_array")
    selected = np.arange(6, dtype=np.float32).reshape(2, 3)
    values = make_inputs(launch_of(leaf, x=selected), "a")
    assert values["x"].shape == (4, 6)
    assert np.array_equal(values["x"][np.ix_(values["x[0]"], values["x[1]"])], selected)


def test_null_arrays_have_no_values() -> None:
    null = Argument(name="x", kind="null_array", dtype="vec3f", role="input", shape=(), domain=None)
    body = Argument(name="body", kind="struct", dtype="Body", role="input", shape=(), domain=None, fields=(null,))
    assert make_inputs(Launch(dim=(1,), args=(null, body)), "a") == {}
