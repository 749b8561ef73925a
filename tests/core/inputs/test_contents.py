"""Stored values that do not fit their launch are errors that name the argument."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from warpsmith.core.errors import WarpsmithError
from warpsmith.core.inputs.stored import encode_values
from warpsmith.core.inputs.values import check_values, make_inputs
from warpsmith.core.records.launch import Argument, Build, Domain, Launch

STORED = Domain(kind="stored", low=-2.0, high=9.0)
TRIANGLES = np.array([0, 1, 2, 0, 2, 3], np.int32)
POINTS = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0.5]], np.float32)


def _object(kind: Any, shape: tuple[int, ...], build: Build | None = None, dtype: str = "uint64") -> Argument:
    return Argument(name="g", kind=kind, dtype=dtype, role="input", shape=shape, domain=STORED, build=build)


def _launch(argument: Argument, **stored: np.ndarray) -> Launch:
    return Launch(
        dim=(1,), args=(argument,), stored={f"g.{name}" if name else "g": encode_values(v) for name, v in stored.items()}
    )


def mesh(points: np.ndarray = POINTS, indices: np.ndarray = TRIANGLES, **more: np.ndarray) -> Launch:
    return _launch(_object("mesh", (4, 2)), points=points, indices=indices, **more)


def bvh(lowers: np.ndarray = POINTS, uppers: np.ndarray = POINTS + 1.0) -> Launch:
    return _launch(_object("bvh", (4,)), lowers=lowers, uppers=uppers)


def hash_grid(points: np.ndarray = POINTS, build: Build | None = None) -> Launch:
    return _launch(_object("hash_grid", (4, 4, 4), build or Build(width=0.5)), points=points)


def array(values: np.ndarray, dtype: str = "float32", shape: tuple[int, ...] = (4,), **changes: Any) -> Launch:
    leaf = Argument(name="x", kind="array", dtype=dtype, role="input", shape=shape, domain=STORED)
    return Launch(**{"dim": (1,), "args": (leaf,), "stored": {"x": encode_values(values)}} | changes)


def test_objects_have_their_arrays() -> None:
    assert make_inputs(mesh(), "a").keys() == {"g.points", "g.indices"}
    values = make_inputs(mesh(velocities=POINTS), "a")
    assert np.array_equal(values["g.velocities"], POINTS)
    assert np.array_equal(values["g.indices"], TRIANGLES)
    assert make_inputs(bvh(), "a").keys() == {"g.lowers", "g.uppers"}
    assert make_inputs(hash_grid(), "a")["g.points"].shape == (4, 3)
    voxels = np.full((2, 3, 4, 3), 1.5, np.float32)
    volume = _object("volume", (2, 3, 4), Build(width=0.5, voxels="vec3f"))
    assert np.array_equal(make_inputs(Launch(dim=(1,), args=(volume,), stored={"g": encode_values(voxels)}), "a")["g"], voxels)


def _with(values: np.ndarray, place: Any, number: float) -> np.ndarray:
    changed = values.copy()
    changed[place] = number
    return changed


BROKEN: dict[str, tuple[Callable[[], Launch], str]] = {
    "an index below": (lambda: mesh(indices=_with(TRIANGLES, 2, -1)), "argument 'g': indices from -1 to 3 for 4 points"),
    "an index beyond": (lambda: mesh(indices=_with(TRIANGLES, 2, 4)), "argument 'g': indices from 0 to 4 for 4 points"),
    "too few indices": (lambda: mesh(indices=TRIANGLES[:3]), "argument 'g.indices': stored values that are not 24 bytes"),
    "too few points": (lambda: mesh(points=POINTS[:3]), "argument 'g.points': stored values that are not 48 bytes"),
    "a point that is no number": (lambda: mesh(points=_with(POINTS, (1, 1), np.nan)), "'g': values that are not finite"),
    "velocities without an end": (lambda: mesh(velocities=_with(POINTS, 0, np.inf)), "'g': values that are not finite"),
    "a mesh of another array": (lambda: mesh(normals=POINTS), "stored values of 'g.normals', which no argument"),
    "a mesh without indices": (lambda: _launch(_object("mesh", (4, 2)), points=POINTS), "'g.indices': no stored values"),
    "boxes upside down": (lambda: bvh(uppers=POINTS - 1.0), "boxes whose lower corner is above the upper one"),
    "no points": (lambda: _launch(_object("hash_grid", (4, 4, 4), Build(width=0.5))), "argument 'g.points': no stored values"),
    "points without rows": (lambda: hash_grid(POINTS.ravel()[:5]), "no rows of 12 bytes"),
    "two kinds of points": (lambda: hash_grid(build=Build(width=0.5, points="x")), "with stored points and over 'x'"),
    "many points": (lambda: hash_grid(np.zeros((70_000, 3), np.float32)), "objects of 70064 elements, more than 65536"),
    "far points": (
        lambda: _launch(_object("hash_grid", (4, 4, 4), Build(width=1.0e-6)), points=POINTS * 3.0), "too far away for cells",
    ),
    "values beyond their domain": (lambda: array(_with(np.ones(4, np.float32), 1, 9.5)), "argument 'x': stored values beyond"),
    "a value more": (lambda: array(np.ones(5, np.float32)), "argument 'x': stored values that are not 16 bytes"),
    "wider values": (lambda: array(np.ones(4)), "argument 'x': stored values that are not 16 bytes"),
    "a bool of two": (lambda: array(np.full(4, 2, np.uint8), "bool"), "argument 'x': stored values of bool"),
    "no text": (lambda: array(np.ones(4, np.float32), stored={"x": "?"}), "argument 'x': stored values that cannot be read"),
    "nothing stored": (lambda: array(np.ones(4, np.float32), stored={}), "argument 'x': no stored values"),
    "a struct": (lambda: array(np.ones(4, np.float32), "Body"), "no values can be made for the type 'Body'"),
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_values_that_do_not_fit_are_errors(name: str) -> None:
    make, reason = BROKEN[name]
    launch = make()
    for check in (check_values, lambda launch: make_inputs(launch, "a")):
        with pytest.raises(WarpsmithError) as error:
            check(launch)
        assert reason in str(error.value)


def test_surplus_values_are_errors() -> None:
    leaf = Argument(
        name="x", kind="array", dtype="float32", role="input", shape=(4,), domain=Domain(kind="fill", low=0, high=0)
    )
    with pytest.raises(WarpsmithError, match="stored values of 'x', which no argument"):
        make_inputs(array(np.ones(4, np.float32), args=(leaf,)), "a")
