"""`capture`: the program runs as without it, and every kernel that it launches becomes a pair with a launch."""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import warp as wp
from warp import launch as launch_imported_before

import launched_kernels
from warpsmith.core.errors import WarpsmithError
from warpsmith.core.inputs.values import make_inputs
from warpsmith.core.records.launch import Argument, Launch
from warpsmith.core.records.pair import Pair
from warpsmith.extraction import capture
from warpsmith.extraction.capturing.capture_session import Captured
from warpsmith.extraction.warp.private import warp_context
from warpsmith.validation.running.warp_objects import build

KERNELS = {"members", "copies", "queries", "generic", "scaled", "tiles", "gather"}


@wp.kernel
def step(x: wp.array(dtype=float), factor: float):
    i = wp.tid()
    x[i] = x[i] * factor


@pytest.fixture(scope="module")
def results() -> tuple[dict[str, bytes], dict[str, bytes], Captured]:
    """Return what the launches wrote without and with a capture, and the capture."""
    plain = contents(launched_kernels.launch_all())
    with capture() as captured:
        observed = contents(launched_kernels.launch_all())
    return plain, observed, captured


@pytest.fixture(scope="module")
def pairs(results: Any) -> list[Pair]:
    made = list(results[2].pairs("both"))
    assert all(isinstance(pair, Pair) for pair in made), made
    return made


def contents(arrays: dict[str, Any]) -> dict[str, bytes]:
    return {name: array.numpy().tobytes() for name, array in arrays.items()}


def launches_of(pairs: list[Pair], name: str) -> list[Launch]:
    return [pair.metadata.launch for pair in pairs if pair.metadata.kernel_name.endswith(name) and pair.metadata.launch]


def arguments_of(launch: Launch) -> dict[str, Argument]:
    return dict(_leaves(launch.args, ""))


def _leaves(arguments: tuple[Argument, ...], prefix: str) -> Iterator[tuple[str, Argument]]:
    for argument in arguments:
        yield prefix + argument.name, argument
        yield from _leaves(argument.fields, f"{prefix}{argument.name}.")


def test_results_are_the_same_bytes(results: Any) -> None:
    plain, observed, captured = results
    assert observed == plain
    assert captured.recorder.faults == []


def test_every_kernel_becomes_pairs_with_launches(pairs: list[Pair]) -> None:
    assert {pair.metadata.kernel_name for pair in pairs} == KERNELS
    assert all(pair.metadata.launch is not None for pair in pairs), [pair.metadata.origin for pair in pairs]
    assert len({pair.id for pair in pairs}) == len(pairs)
    assert len(launches_of(pairs, "generic")) == 2, "one of each overload"
    assert len(launches_of(pairs, "scaled")) == 3, "one of each factor, the last one from a recorded launch"


def test_where_a_kernel_comes_from(pairs: list[Pair]) -> None:
    lines = Path(launched_kernels.__file__).read_text().splitlines()
    for pair in pairs:
        origin = pair.metadata.origin
        assert origin is not None
        assert (origin.file, origin.launch, origin.reason) == ("tests/helpers/launched_kernels.py", "captured", "")
        assert lines[origin.line - 1].strip().startswith(f"def {pair.metadata.kernel_name}(")


def test_structs_null_arrays_and_plain_values(pairs: list[Pair]) -> None:
    (launch,) = launches_of(pairs, "members")
    arguments = arguments_of(launch)
    assert launch.dim == (10,)
    assert [argument.kind for argument in launch.args] == ["struct", "array", "null_array", "value", "value"]
    assert arguments["state.velocity"].shape == (3000,)
    assert arguments["particles.position"].role == "output"
    values = make_inputs(launch, "an id")
    assert sorted(values["state.weights.table"]) == list(range(12))
    np.testing.assert_array_equal(values["gravity"], np.float32([0.0, -9.8, 0.0]))
    np.testing.assert_array_equal(values["state.axis"], np.float32([1.0, 2.0, 3.0]))
    assert (values["state.weights.scale"], values["count"]) == (2.5, 7)


def test_objects_are_described_by_their_own_arrays(pairs: list[Pair]) -> None:
    (launch,) = launches_of(pairs, "queries")
    arguments = arguments_of(launch)
    kinds = {name: argument.kind for name, argument in arguments.items()}
    assert [kinds[name] for name in ("mesh", "bvh", "grid", "some")] == ["mesh", "bvh", "hash_grid", "indexed_array"]
    assert arguments["mesh"].shape == (20, 10)
    assert arguments["grid"].shape == (8, 8, 8)
    assert arguments["grid"].build is not None
    assert arguments["grid"].build.width == 0.5
    values = make_inputs(launch, "an id")
    random = np.random.default_rng(1)
    random.permutation(12)
    np.testing.assert_array_equal(values["mesh.points"], random.uniform(size=(20, 3)).astype(np.float32))
    np.testing.assert_array_equal(values["mesh.indices"], random.integers(0, 20, 30))
    np.testing.assert_array_equal(values["bvh.lowers"], values["mesh.points"])
    assert arguments["q"].domain is not None
    assert arguments["q"].domain.kind == "unit"


@wp.kernel
def count_near(grid: wp.uint64, points: wp.array(dtype=wp.vec3), radius: float, near: wp.array(dtype=int)):
    i = wp.tid()
    for j in wp.hash_grid_query(grid, points[i], radius):
        if wp.length(points[i] - points[j]) < radius:
            near[i] += 1


@pytest.mark.exhaustive
def test_a_large_hash_grid_has_fewer_cells_and_the_same_neighbours() -> None:
    positions = np.random.default_rng(3).uniform(-9.0, 9.0, (400, 3)).astype(np.float32)
    points = wp.array(positions, dtype=wp.vec3, device="cpu")
    near = wp.zeros(400, dtype=int, device="cpu")
    grid = wp.HashGrid(64, 128, 64, device="cpu")
    with capture() as captured:
        grid.build(points, 1.0)
        wp.launch(count_near, 400, inputs=[grid.id, points, 1.5, near], device="cpu")
    (pair,) = captured.pairs()
    assert isinstance(pair, Pair)
    assert pair.metadata.launch is not None
    cells = arguments_of(pair.metadata.launch)["grid"].shape
    assert cells == (32, 32, 32)
    smaller = wp.HashGrid(*cells, device="cpu")
    smaller.build(points, 1.0)
    again = wp.zeros(400, dtype=int, device="cpu")
    wp.launch(count_near, 400, inputs=[smaller.id, points, 1.5, again], device="cpu")
    np.testing.assert_array_equal(again.numpy(), near.numpy())
    assert near.numpy().max() > 1


@wp.kernel
def look_up(volume: wp.uint64, voxels: wp.array(dtype=wp.vec3i), found: wp.array(dtype=int), at: wp.array(dtype=wp.vec3)):
    i = wp.tid()
    found[i] = wp.volume_lookup_index(volume, voxels[i][0], voxels[i][1], voxels[i][2])
    at[i] = wp.volume_index_to_world(volume, wp.vec3(voxels[i]))


@wp.kernel
def sample(volume: wp.uint64, points: wp.array(dtype=wp.vec3), found: wp.array(dtype=float)):
    i = wp.tid()
    found[i] = wp.volume_sample_f(volume, points[i], wp.Volume.LINEAR)


def rebuilt(captured: Captured) -> Any:
    """Return the volume that a check builds for the only launch of a capture."""
    (pair,) = captured.pairs()
    assert isinstance(pair, Pair)
    launch = pair.metadata.launch
    assert launch is not None, pair.metadata.origin
    return build(launch.args[0], make_inputs(launch, ""), "cpu")


@pytest.mark.sampled(1)
@pytest.mark.parametrize("capacity", [None, 500])
def test_the_voxels_of_an_index_volume_keep_their_numbers(capacity: int | None) -> None:
    random = np.random.default_rng(5)
    voxels = random.integers(-40, 40, (300, 3)).astype(np.int32)
    points = wp.array(np.concatenate([voxels, voxels + 1]), dtype=wp.vec3i, device="cpu")
    volume = wp.Volume.allocate_by_voxels(
        points[:300], voxel_size=(0.5, 0.25, 1.0), translation=(1.0, 2.0, 3.0), device="cpu", max_active_voxels=capacity
    )
    found, at = wp.zeros(600, dtype=int, device="cpu"), wp.zeros(600, dtype=wp.vec3, device="cpu")
    with capture() as captured:
        wp.launch(look_up, 600, inputs=[volume.id, points, found, at], device="cpu")
    again = rebuilt(captured)
    found_again, at_again = wp.zeros_like(found), wp.zeros_like(at)
    wp.launch(look_up, 600, inputs=[again.id, points, found_again, at_again], device="cpu")
    np.testing.assert_array_equal(found_again.numpy(), found.numpy())
    np.testing.assert_array_equal(at_again.numpy(), at.numpy())
    assert len(np.unique(found.numpy())) > 250


def test_a_volume_of_values_is_kept_as_it_is() -> None:
    random = np.random.default_rng(6)
    values = random.uniform(-1.0, 1.0, (9, 8, 7)).astype(np.float32)
    volume = wp.Volume.load_from_numpy(values, (2.0, 2.0, 2.0), 0.5, -3.0, device="cpu")
    points = wp.array(random.uniform(0.0, 12.0, (200, 3)).astype(np.float32), dtype=wp.vec3, device="cpu")
    found = wp.zeros(200, dtype=float, device="cpu")
    with capture() as captured:
        wp.launch(sample, 200, inputs=[volume.id, points, found], device="cpu")
    again = rebuilt(captured)
    found_again = wp.zeros_like(found)
    wp.launch(sample, 200, inputs=[again.id, points, found_again], device="cpu")
    np.testing.assert_array_equal(found_again.numpy(), found.numpy())
    assert {-3.0} < set(found.numpy())


@wp.kernel
def count_in_group(tree: wp.uint64, points: wp.array(dtype=wp.vec3), group: int, found: wp.array(dtype=int)):
    i = wp.tid()
    root = wp.bvh_get_group_root(tree, group)
    query = wp.bvh_query_aabb(tree, points[i] - wp.vec3(0.5), points[i] + wp.vec3(0.5), root)
    box = int(0)  # noqa: RUF046, UP018 - Warp makes a constant of a literal
    while wp.bvh_query_next(query, box):
        found[i] += 1


def test_the_groups_of_a_bvh_are_kept() -> None:
    random = np.random.default_rng(7)
    corners = random.uniform(-2.0, 2.0, (60, 3)).astype(np.float32)
    lowers, uppers = (wp.array(corners + offset, dtype=wp.vec3, device="cpu") for offset in (0.0, 0.5))
    groups = wp.array(np.arange(60, dtype=np.int32) % 3, dtype=int, device="cpu")
    tree = wp.Bvh(lowers, uppers, groups=groups)
    found = wp.zeros(60, dtype=int, device="cpu")
    with capture() as captured:
        wp.launch(count_in_group, 60, inputs=[tree.id, lowers, 1, found], device="cpu")
    again = rebuilt(captured)
    found_again = wp.zeros_like(found)
    wp.launch(count_in_group, 60, inputs=[again.id, lowers, 1, found_again], device="cpu")
    np.testing.assert_array_equal(found_again.numpy(), found.numpy())
    everything = wp.zeros_like(found)
    plain = wp.Bvh(lowers, uppers)
    wp.launch(count_in_group, 60, inputs=[plain.id, lowers, 0, everything], device="cpu")
    assert 0 < found.numpy().sum() < everything.numpy().sum()


@wp.struct
class Nothing:
    pass


@wp.kernel
def fill_by_nothing(nothing: Nothing, x: wp.array(dtype=float)):  # noqa: ARG001 - an argument of this type
    x[wp.tid()] = 1.0


def test_a_struct_without_members_has_no_values() -> None:
    with capture() as captured:
        wp.launch(fill_by_nothing, 4, inputs=[Nothing(), wp.zeros(4, dtype=float, device="cpu")], device="cpu")
    (pair,) = captured.pairs()
    assert isinstance(pair, Pair)
    assert pair.metadata.launch is not None
    nothing = pair.metadata.launch.args[0]
    assert (nothing.kind, nothing.dtype, nothing.fields, nothing.domain) == ("struct", "Nothing", (), None)


def test_connectivity_is_kept(pairs: list[Pair]) -> None:
    (launch,) = launches_of(pairs, "gather")
    values = make_inputs(launch, "an id")
    rows, columns = values["rows"], values["columns"]
    assert rows[0] == 0
    assert rows[-1] == len(columns)
    assert (np.diff(rows) >= 0).all()
    assert 0 <= columns.min() <= columns.max() < 500
    assert launch.stored.keys() >= {"rows", "columns"}


def test_a_block_size_is_a_module_option_of_the_pair(pairs: list[Pair]) -> None:
    (pair,) = (pair for pair in pairs if pair.metadata.kernel_name == "tiles")
    assert pair.metadata.launch is not None
    assert pair.metadata.launch.dim == (4, 64)
    assert pair.metadata.module_options == {"block_dim": 64}


def test_warps_functions_are_restored_and_report_names_imported_before() -> None:
    code = launch_imported_before.__code__
    x = wp.ones(4, dtype=float, device="cpu")
    with capture() as captured:
        launch_imported_before(step, 4, inputs=[x, 2.0], device="cpu")
    launch_imported_before(step, 4, inputs=[x, 2.0], device="cpu")
    assert [kernel.count for kernel in captured.kernels] == [1]
    assert launch_imported_before.__code__ is code
    assert not hasattr(warp_context, "_warpsmith_observer")
    with capture(), pytest.raises(WarpsmithError, match="already observed"), capture():
        pass


def test_tapes_record_the_caller_and_adjoint_launches_are_no_launches() -> None:
    recorded = []
    gradients = []
    for observed in (False, True):
        x = wp.full(4, 3.0, dtype=float, device="cpu", requires_grad=True)
        with capture() if observed else threading.Lock() as captured:
            with wp.Tape() as tape:
                wp.launch(step, 4, inputs=[x, 2.0], device="cpu")
            recorded.append(tape.launches[0][7]["caller"])
            tape.backward(grads={x: wp.ones(4, dtype=float, device="cpu")})
            gradients.append(x.grad.numpy().tobytes())
    assert recorded[0] == recorded[1]
    assert gradients[0] == gradients[1]
    assert [kernel.count for kernel in captured.kernels] == [1]


def test_launches_that_do_not_happen_are_not_captured() -> None:
    x = wp.ones(4, dtype=float, device="cpu")
    with capture() as captured:
        wp.launch(step, 0, inputs=[x, 2.0], device="cpu")
        command = wp.launch(step, 4, inputs=[x, 2.0], device="cpu", record_cmd=True)
        with pytest.raises(RuntimeError):
            wp.launch(step, 4, inputs=[3, 2.0], device="cpu")
    assert captured.kernels == ()
    assert command is not None


def test_dimensions_of_one_thread_that_a_kernel_of_tiles_does_not_read_are_dropped() -> None:
    arrays = [wp.ones(shape, dtype=float, device="cpu") for shape in ((4, 32), (4, 32), (1,))]
    with capture() as captured:
        wp.launch_tiled(launched_kernels.tiles, dim=[4, 1], inputs=arrays, block_dim=64, device="cpu")
    (pair,) = captured.pairs()
    assert isinstance(pair, Pair)
    assert pair.metadata.launch is not None
    assert pair.metadata.launch.dim == (4, 64)


def test_recorded_launches_have_the_arguments_of_the_moment() -> None:
    x, y = wp.ones(4, dtype=float, device="cpu"), wp.full((8,), 5.0, dtype=float, device="cpu")
    with capture() as captured:
        command = wp.launch(step, 4, inputs=[x, 2.0], device="cpu", record_cmd=True)
        command.set_param_by_name("x", y)
        command.set_dim(8)
        command.launch()
    (pair,) = captured.pairs()
    assert isinstance(pair, Pair)
    assert pair.metadata.launch is not None
    assert pair.metadata.launch.dim == (8,)
    assert (make_inputs(pair.metadata.launch, "")["x"] == 5.0).all()


def test_graphs_are_captured_when_they_are_launched() -> None:
    x = wp.ones(4, dtype=float, device="cpu")
    with capture() as captured:
        with wp.ScopedCapture(device="cpu") as graph:
            wp.launch(step, 4, inputs=[x, 2.0], device="cpu")
        assert captured.kernels == ()
        for _ in range(5):
            wp.capture_launch(graph.graph)
    assert (x.numpy() == 32.0).all()
    (kernel,) = captured.kernels
    assert kernel.count == 5
    (pair,) = captured.pairs()
    assert isinstance(pair, Pair)
    assert pair.metadata.launch is not None
    assert (make_inputs(pair.metadata.launch, "")["x"] == 8.0).all(), "the contents before the fourth launch"


def test_bounds_on_bytes_leave_a_reason() -> None:
    x = wp.ones(1000, dtype=float, device="cpu")
    with capture(launch_bytes=100) as captured:
        wp.launch(step, 4, inputs=[x, 2.0], device="cpu")
    (pair,) = captured.pairs()
    assert isinstance(pair, Pair)
    assert pair.metadata.launch is None
    assert pair.metadata.origin is not None
    assert pair.metadata.origin.launch == "none"
    assert "more than 100 bytes" in pair.metadata.origin.reason


def test_launches_of_all_threads_are_counted() -> None:
    arrays = [wp.ones(4 + number, dtype=float, device="cpu") for number in range(4)]
    with capture(launches=4) as captured:
        threads = [threading.Thread(target=launch_often, args=(array,)) for array in arrays]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    (kernel,) = captured.kernels
    assert kernel.count == 80
    assert sorted(math.prod(launch.dim) for launch in kernel.launches) == [4, 5, 6, 7]


def launch_often(array: Any) -> None:
    for _ in range(20):
        wp.launch(step, len(array), inputs=[array, 1.0], device="cpu")
