"""Launches that do not fit their kernel are refused before anything runs, and those of right pairs are not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from hostile import launches
from hostile.row import Row, Setting
from warpsmith.core.records.ir import Code
from warpsmith.core.records.jsonl import Line, decode, read_pairs
from warpsmith.core.records.launch import Argument, Launch
from warpsmith.core.records.pair import Pair
from warpsmith.validation.running.entry_signature import mismatch

LATER = {"launch_role_of_another"}
"""Rows that only the results of a launch show."""

ROWS = [row for row in launches.MISMATCHES if row.level == "execute" and row.name not in LATER]

SAMPLES = Path(__file__).parents[3] / "data" / "samples"

SOURCE = """import warp as wp


@wp.struct
class Item:
    weights: wp.array2d(dtype=wp.float16)
    turn: wp.quat


@wp.kernel
def all_of_these(
    a: wp.array(dtype=wp.spatial_vector, ndim=2), b: wp.array3d(dtype=bool), c: wp.indexedarray(dtype=wp.vec2ui),
    d: wp.array(dtype=Item), e: wp.uint64, f: wp.Texture2D, g: wp.transformd, h: wp.mat33h, i: wp.int8,
):
    j = wp.tid()
    b[j, j, j] = d[j].weights[j, j] > wp.float16(h[0, 0]) and c[j][0] > wp.uint32(i) and a[j, j][0] > float(g[0])
    if wp.mesh_get(e).points[0][0] > wp.texture_sample(f, wp.vec2(0.0, 0.0), dtype=float):
        b[j, j, j] = True
"""


def row_mismatch(row: Row) -> str | None:
    return pair_mismatch(decode(row.content(Setting(Path(), ())), Path(), 1).checked())


def pair_mismatch(pair: Pair) -> str | None:
    forward, backward = pair.code("cpu")
    assert forward is not None
    assert pair.metadata.launch is not None
    return mismatch(pair.metadata.launch, Code(pair.metadata.kernel_name, forward, backward), pair.python_source)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_a_launch_that_does_not_fit_is_refused(row: Row) -> None:
    assert (row_mismatch(row) or "").startswith("the launch does not fit the kernel: ")


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("with_too_few", "4 arguments, the kernel takes 5"),
        ("of_another_name", "argument 'z', the kernel takes 'x' in this place"),
        ("pointer_for_a_number", "argument 'n' is uint64, the kernel takes int32"),
        ("wider_elements", "argument 'x' is an array of float64, the kernel takes an array of float32"),
        ("more_dimensions", "argument 'x' has 3 dimensions, the kernel takes 1"),
        ("struct_of_another_name", "argument 'body' is struct Elsewhere, the kernel takes Body"),
        ("struct_with_another_member", "argument 'body.weight', the kernel takes 'body.mass' in this place"),
        ("five_dimensions", "5 dimensions, Warp supports 4"),
        ("more_dimensions_than_the_kernel", "2 dimensions, the kernel has 1"),
    ],
)
def test_the_reason_names_what_differs(name: str, reason: str) -> None:
    (row,) = (row for row in launches.ROWS if row.name == f"launch_{name}")
    assert row_mismatch(row) == f"the launch does not fit the kernel: {reason}"


def test_every_sample_fits() -> None:
    pairs = [pair for path in sorted(SAMPLES.glob("pairs-*.jsonl")) for pair in read_pairs(path)]
    found = {pair.id: pair_mismatch(pair) for pair in pairs if pair.code("cpu")[0] is not None}
    assert found
    assert set(found.values()) == {None}


@pytest.fixture(scope="module")
def mixed(argument: Callable[..., Argument], pair_line: Callable[..., Line]) -> tuple[Code, Launch]:
    members = (argument("weights", "float16", (2, 2)), argument("turn", "quatf"))
    item = replace(argument("d", "Item", (2,)), fields=members, domain=None)
    args = (
        argument("a", "spatial_vectorf", (2, 2)), argument("b", "bool", (2, 2, 2)),
        replace(argument("c", "vec2u", (2,)), kind="indexed_array"), item, replace(argument("e", "uint64"), kind="mesh"),
        replace(argument("f", "Texture2D", (2, 2)), kind="texture"), argument("g", "transformd"), argument("h", "mat33h"),
        argument("i", "int8"),
    )  # fmt: skip
    pair = pair_line(SOURCE, None, "cpu", backward=False).checked()
    forward, _ = pair.code("cpu")
    assert forward is not None
    return Code(pair.metadata.kernel_name, forward, None), Launch(dim=(2,), args=args)


def edited(launch: Launch, place: int, **changes: object) -> Launch:
    changed = replace(launch.args[place], **changes)  # type: ignore[arg-type]
    return replace(launch, args=(*launch.args[:place], changed, *launch.args[place + 1 :]))


def test_types_of_all_kinds_fit(mixed: tuple[Code, Launch]) -> None:
    code, launch = mixed
    assert mismatch(launch, code, SOURCE) is None
    assert mismatch(edited(launch, 0, dtype="vec6f"), code, SOURCE) is None
    assert mismatch(edited(launch, 2, dtype="vec2ui"), code, SOURCE) is None


@pytest.mark.parametrize(
    ("place", "changes"),
    [
        (0, {"dtype": "spatial_vectord"}), (0, {"shape": (2,)}), (1, {"dtype": "int8"}), (1, {"shape": (2, 2)}),
        (2, {"kind": "array"}), (2, {"shape": (2, 2)}), (3, {"dtype": "Items"}), (3, {"shape": (2, 2)}), (3, {"fields": ()}),
        (4, {"kind": "value", "dtype": "int64"}), (5, {"dtype": "Texture3D"}), (5, {"kind": "mesh"}), (6, {"dtype": "vec7d"}),
        (7, {"dtype": "mat33f"}), (8, {"dtype": "uint8"}), (8, {"name": "k"}), (8, {"dtype": "bool"}),
    ],
)  # fmt: skip
def test_one_change_no_longer_fits(mixed: tuple[Code, Launch], place: int, changes: dict[str, object]) -> None:
    code, launch = mixed
    assert mismatch(edited(launch, place, **changes), code, SOURCE) is not None


def test_members_of_structs_in_arrays_are_compared(mixed: tuple[Code, Launch]) -> None:
    code, launch = mixed
    weights, turn = launch.args[3].fields
    for members in ((turn, weights), (weights,), (replace(weights, shape=(2,)), turn), (weights, replace(turn, dtype="vec4f"))):
        assert mismatch(edited(launch, 3, fields=members), code, SOURCE) is not None


def test_annotations_of_unknown_form_leave_the_number_of_dimensions_open(mixed: tuple[Code, Launch]) -> None:
    code, launch = mixed
    source = SOURCE.replace("ndim=2", "ndim=1 + 1")
    assert mismatch(edited(launch, 0, shape=(2,)), code, source) is None
