"""Launches of kernels that were not run: from real arguments, from a file, and guessed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click
import numpy as np
import pytest
import warp as wp

from warpsmith.core.errors import WarpsmithError
from warpsmith.core.inputs.values import make_inputs
from warpsmith.core.records.pair import Pair
from warpsmith.extraction import extract_pair
from warpsmith.extraction.cli import cli
from warpsmith.extraction.launches.launch_source import LaunchSource
from warpsmith.extraction.targets.origin import origin_of
from warpsmith.validation import validate


@wp.struct
class Body:
    mass: float
    forces: wp.array(dtype=wp.vec3)


@wp.kernel
def gather(index: wp.array(dtype=int), x: wp.array(dtype=float), n: int, body: Body, out: wp.array(dtype=float)):
    i = wp.tid()
    if i < n:
        out[i] = x[index[i]] * body.mass + body.forces[i][0]


@wp.kernel
def rotated(q: wp.array(dtype=wp.quat), axis: wp.vec3, total: wp.array2d(dtype=float), some: wp.array(dtype=float)):
    i, j = wp.tid()
    wp.atomic_add(total, i, j, wp.quat_rotate(q[i], axis)[0])
    if some:
        total[i, j] = some[i]


@wp.kernel
def ray(mesh: wp.uint64, hits: wp.array(dtype=float)):
    hit = wp.mesh_query_ray(mesh, wp.vec3(0.0), wp.vec3(1.0), 9.0)
    hits[wp.tid()] = hit.t


@wp.kernel
def row_sums(x: wp.array2d(dtype=float), sums: wp.array(dtype=float)):
    i = wp.tid()
    row = wp.tile_load(x[i], shape=16)
    wp.tile_store(sums, wp.tile_sum(row), offset=i)


@wp.kernel
def doubled(x: wp.array(dtype=Any), out: wp.array(dtype=Any)):
    i = wp.tid()
    out[i] = x[i] + x[i]


def array(values: Any, dtype: Any = float) -> Any:
    return wp.array(values, dtype=dtype, device="cpu")


def body() -> Any:
    value = Body()
    value.mass = 2.0
    value.forces = array(np.ones((5, 3), np.float32), wp.vec3)
    return value


def gather_inputs() -> list[Any]:
    return [array([4, 0, 3, 1, 2], int), array([1.5, 2.5, -3.0, 4.0, 5.0]), 5, body(), array(np.zeros(5, np.float32))]


def launch_and_origin(pair: Pair) -> tuple[Any, Any]:
    assert pair.metadata.launch is not None, pair.metadata.origin
    return pair.metadata.launch, pair.metadata.origin


def test_real_arguments_give_the_launch_and_stay_unchanged() -> None:
    inputs = gather_inputs()
    pair = extract_pair(gather, dim=5, inputs=inputs)
    launch, origin = launch_and_origin(pair)
    assert (origin.launch, Path(origin.file).name) == ("given", "test_given_launches.py")
    assert launch.dim == (5,)
    assert {argument.name: argument.role for argument in launch.args} == {
        "index": "input", "x": "input", "n": "input", "body": "input", "out": "output"
    }  # fmt: skip
    values = make_inputs(launch, "an id")
    np.testing.assert_array_equal(values["index"], [4, 0, 3, 1, 2])
    np.testing.assert_array_equal(values["x"], np.float32([1.5, 2.5, -3.0, 4.0, 5.0]))
    np.testing.assert_array_equal(values["body.forces"], np.ones((5, 3)))
    assert (values["n"], values["body.mass"]) == (5, 2.0)
    assert inputs[-1].numpy().tolist() == [0.0] * 5


def test_a_generic_kernel_gets_the_overload_of_its_arguments() -> None:
    inputs = [np.arange(4, dtype=np.float64), np.zeros(4)]
    pair = extract_pair(doubled, dim=4, inputs=[array(values, wp.float64) for values in inputs])
    launch, _ = launch_and_origin(pair)
    assert [argument.dtype for argument in launch.args] == ["float64", "float64"]


def test_numpy_arrays_are_arguments_as_for_warp() -> None:
    x, out = np.float32([[1, 0, 0, 0], [0, 1, 0, 0]]), np.zeros((2, 3), np.float32)
    launch, _ = launch_and_origin(extract_pair(rotated, dim=(2, 3), inputs=[x, (1.0, 2.0, 3.0), out, None]))
    assert [argument.shape for argument in launch.args] == [(2,), (), (2, 3), ()]
    np.testing.assert_array_equal(make_inputs(launch, "")["q"], x)


WRONG = {
    "no dim": ({"inputs": [1, 2]}, "pass dim as well"),
    "no inputs": ({"dim": 4}, "pass inputs as well"),
    "too few": ({"dim": 4, "inputs": [1, 2]}, "2 inputs for 5 arguments; pass a value for each of: index, x, n, body, out"),
    "no threads": ({"dim": 0, "inputs": [1] * 5}, "one to four positive integers"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_launch_that_is_incomplete(name: str) -> None:
    arguments, message = WRONG[name]
    with pytest.raises(WarpsmithError, match=message):
        extract_pair(gather, **arguments)


@pytest.mark.parametrize(
    ("position", "value", "message"),
    [
        (0, array([1.0]), "'index': an array of float32 for one of int32"),
        (1, array(np.zeros((2, 2), np.float32)), "'x': an array of 2 dimensions for one of 1"),
        (1, 3.0, "'x': an array given as float"),
        (3, 3.0, "do not fit the signature"),
    ],
)
def test_an_argument_that_does_not_fit(position: int, value: Any, message: str) -> None:
    inputs = gather_inputs()
    inputs[position] = value
    with pytest.raises(WarpsmithError, match=message):
        extract_pair(gather, dim=5, inputs=inputs)


def test_an_object_that_no_record_describes() -> None:
    grid = wp.HashGrid(8, 8, 8, device="cpu")
    with pytest.raises(WarpsmithError, match="a hash grid that was not built during the capture; pass another value"):
        extract_pair(ray, dim=1, inputs=[grid.id, array([0.0])])


GATHER = {
    "dim": 8,
    "inputs": {
        "index": {"shape": [8], "kind": "permutation"},
        "x": {"shape": [8], "low": -1, "high": 1, "kind": "sorted"},
        "n": 8,
        "body.mass": 2,
        "body.forces": {"shape": [8], "kind": "unit"},
        "out": {"shape": [8]},
    },
}


def with_launch(kernel: Any, tmp_path: Path, entry: dict[str, Any] | None, guess: bool = False) -> Pair:
    path = tmp_path / "launches.json"
    path.write_text(json.dumps({kernel.func.__name__: entry} if entry else {}))
    source = LaunchSource.read(path, guess, [kernel])
    return source.added_to(extract_pair(kernel), kernel, origin_of(kernel, __name__))


def test_a_file_describes_a_launch(tmp_path: Path) -> None:
    launch, origin = launch_and_origin(with_launch(gather, tmp_path, GATHER))
    assert (launch.dim, origin.launch) == ((8,), "given")
    assert [argument.role for argument in launch.args] == ["input", "input", "input", "input", "output"]
    values = make_inputs(launch, "an id")
    assert sorted(values["index"]) == list(range(8))
    assert (np.diff(values["x"]) >= 0).all()
    assert -1 <= values["x"].min() < values["x"].max() <= 1
    assert (values["n"], values["body.mass"], values["out"].tolist()) == (8, 2.0, [0.0] * 8)
    np.testing.assert_allclose(np.linalg.norm(values["body.forces"], axis=1), np.ones(8), rtol=1e-6)


def test_a_file_contains_values_and_null_arrays(tmp_path: Path) -> None:
    inputs = {"q": [[0, 0, 0, 1]] * 2, "axis": [1, 2, 3], "total": {"shape": [2, 3], "kind": "fill"}, "some": None}
    launch, _ = launch_and_origin(with_launch(rotated, tmp_path, {"dim": [2, 3], "inputs": inputs}))
    assert [argument.kind for argument in launch.args] == ["array", "value", "array", "null_array"]
    assert launch.args[2].role == "inout"
    values = make_inputs(launch, "an id")
    np.testing.assert_array_equal(values["q"], [[0, 0, 0, 1]] * 2)
    np.testing.assert_array_equal(values["axis"], [1, 2, 3])


BAD_ENTRIES = {
    "unknown": ({"y": 1}, "'gather' has no argument 'y'; it has: index, x, n, body.mass"),
    "float for int": ({"n": 1.5}, "argument 'n': numbers that int32 does not contain"),
    "number for array": ({"x": 1.5}, "argument 'x': a number for an array: give a list"),
    "no range": ({"x": {"shape": [8]}}, "argument 'x': the kernel reads it, so that it needs low and high"),
    "dimensions": ({"x": {"shape": [8, 2], "low": 0, "high": 1}}, r"shape \[8, 2\] for an array of 1 dimensions"),
    "reversed": ({"x": {"shape": [8], "low": 1, "high": 0}}, "values from 1 to 0"),
    "repeated": ({"index": {"shape": [8], "kind": "permutation", "high": 3}}, "8 different integers from 0 to 3"),
    "unit floats": ({"x": {"shape": [8], "kind": "unit"}}, "unit vectors, as float32"),
    "other member": ({"x": {"size": [8]}}, "unknown field `size`.*notes/real_projects.md"),
    "null value": ({"n": None}, "argument 'n': null, which only an array can be"),
}


@pytest.mark.parametrize("name", BAD_ENTRIES)
def test_an_entry_that_does_not_fit(tmp_path: Path, name: str) -> None:
    inputs, message = BAD_ENTRIES[name]
    with pytest.raises(WarpsmithError, match=message):
        with_launch(gather, tmp_path, {"dim": 8, "inputs": GATHER["inputs"] | inputs})  # type: ignore[operator]


def test_a_kernel_that_does_not_exist(tmp_path: Path) -> None:
    path = tmp_path / "launches.json"
    path.write_text(json.dumps({"gathers": GATHER}))
    with pytest.raises(WarpsmithError, match=r"launches\.json: no kernel 'gathers'; the kernels are: gather, ray"):
        LaunchSource.read(path, guess=False, kernels=[gather, ray])


def test_a_number_is_no_handle(tmp_path: Path) -> None:
    with pytest.raises(WarpsmithError, match="'ray': argument 'mesh': it may be the handle of an object"):
        with_launch(ray, tmp_path, {"dim": 8, "inputs": {"mesh": 5, "hits": {"shape": [8]}}})


def test_an_entry_that_is_missing(tmp_path: Path) -> None:
    with pytest.raises(WarpsmithError, match=r"needs a value or a shape for: index, x, body\.mass, body\.forces, out"):
        with_launch(gather, tmp_path, {"dim": 8, "inputs": {"n": 8}})


def test_a_guess_from_the_signature(tmp_path: Path) -> None:
    launch, origin = launch_and_origin(with_launch(gather, tmp_path, None, guess=True))
    assert (launch.dim, origin.launch, origin.reason) == ((64,), "guessed", "")
    values = make_inputs(launch, "an id")
    assert values["index"].shape == values["x"].shape == (64,)
    assert values["index"].min() >= 0
    assert 32 < values["index"].max() < 64
    assert (values["n"], values["body.mass"]) == (64, 0.5)
    assert not values["out"].any(), "what is only written starts at zero"
    assert 0.1 <= values["body.forces"].min() < values["body.forces"].max() <= 1.0
    launch, _ = launch_and_origin(with_launch(rotated, tmp_path, None, guess=True))
    assert (launch.dim, launch.args[2].shape) == ((64, 64), (64, 64))
    np.testing.assert_allclose(np.linalg.norm(make_inputs(launch, "")["q"], axis=1), np.ones(64), rtol=1e-6)


@pytest.mark.parametrize(("kernel", "reason"), [(ray, "'mesh': it may be the handle of an object"), (row_sums, "for tiles")])
def test_no_guess_has_a_reason(tmp_path: Path, kernel: Any, reason: str) -> None:
    pair = with_launch(kernel, tmp_path, None, guess=True)
    assert pair.metadata.launch is None
    assert pair.metadata.origin is not None
    assert pair.metadata.origin.launch == "none"
    assert reason in pair.metadata.origin.reason


@pytest.mark.exhaustive
def test_pairs_with_given_launches_run(tmp_path: Path) -> None:
    pairs = [
        extract_pair(gather, dim=5, inputs=gather_inputs(), identity="real"),
        with_launch(gather, tmp_path, GATHER),
        with_launch(rotated, tmp_path, None, guess=True),
    ]
    verdicts = validate(pairs, level="gradient", unconfined=True)
    assert [each[-1].status for each in verdicts] == ["pass"] * 3, [each[-1] for each in verdicts]


PROJECT = """import warp as wp


@wp.kernel
def scale(x: wp.array(dtype=float), n: int, out: wp.array(dtype=float)):
    i = wp.tid()
    if i < n:
        out[i] = 2.0 * x[i]


@wp.kernel
def shift(x: wp.array(dtype=float)):
    x[wp.tid()] += 1.0
"""


def test_launches_are_not_for_programs() -> None:
    with pytest.raises(click.UsageError, match="--run captures the real launches"):
        cli.main(["--guess-launches", "--run", "program.py"], standalone_mode=False)


def test_the_command_reads_a_file_and_guesses_the_rest(run: Any, tmp_path: Path) -> None:
    project, launches = tmp_path / "project.py", tmp_path / "launches.json"
    project.write_text(PROJECT)
    inputs = {"x": {"shape": [9], "low": 0, "high": 1}, "n": 9, "out": {"shape": [9]}}
    launches.write_text(json.dumps({"scale": {"dim": 9, "inputs": inputs}}))
    done = run("extraction", project, "--launches", launches, "--guess-launches")
    scale, shift = (json.loads(line)["metadata"] for line in done.stdout.splitlines())
    assert (scale["launch"]["dim"], scale["origin"]["launch"]) == ([9], "given")
    assert (shift["launch"]["dim"], shift["origin"]["launch"]) == ([64], "guessed")
