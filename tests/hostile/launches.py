"""Launches that do not describe their kernel, or that ask for too much."""

from __future__ import annotations

import base64
import math
import zlib
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from hostile.row import Record, Row, edited, record_of
from warpsmith.core.inputs.stored import encode_values
from warpsmith.core.records.launch import Argument, Domain, Launch
from warpsmith.core.records.launch_size import COPIES, MAX_BYTES

BOMB = base64.b64encode(zlib.compress(bytes(1 << 26), 9)).decode()
"""A short text that decompresses to 64 MiB."""

SOURCE = """import warp as wp


@wp.struct
class Body:
    mass: float
    speed: wp.vec3


@wp.kernel
def hostile(x: wp.array(dtype=float), a: float, n: int, body: Body, y: wp.array(dtype=wp.vec3)):
    i = wp.tid()
    if i < n:
        y[i] = body.speed * (x[i] * a + body.mass)
"""


def _argument(name: str, dtype: str, shape: tuple[int, ...] = (), role: Any = "input", **more: Any) -> Argument:
    domain = Domain(kind="fill", low=8, high=8) if dtype == "int32" else Domain(kind="uniform", low=0.5, high=1.0)
    return Argument(
        name=name, kind="array" if shape else "value", dtype=dtype, role=role, shape=shape, **{"domain": domain} | more
    )


LAUNCH = Launch(
    dim=(8,),
    args=(
        _argument("x", "float32", (8,)),
        _argument("a", "float32"),
        _argument("n", "int32"),
        Argument(
            name="body", kind="struct", dtype="Body", role="input", shape=(), domain=None,
            fields=(_argument("mass", "float32"), _argument("speed", "vec3f")),
        ),
        _argument("y", "vec3f", (8,), "output", domain=Domain(kind="fill", low=0, high=0)),
    ),
)  # fmt: skip


def record() -> Record:
    """Return the record of a kernel with a launch that fits."""
    return record_of(SOURCE, LAUNCH)


def launch(name: str, attempts: str, edit: Callable[[Any, Any], object], level: str | None = "execute") -> Row:
    """Return a row; ``edit`` receives the launch of `record` and its arguments."""

    def edit_record(record: Record) -> None:
        edit(record["metadata"]["launch"], record["metadata"]["launch"]["args"])

    return edited(f"launch_{name}", attempts, edit_record, level, record)


def member(name: str, attempts: str, number: int, level: str | None = "execute", /, **changes: Any) -> Row:
    """Return a row that changes members of one argument."""
    return launch(name, attempts, lambda _, args: args[number].update(changes), level)


def domain(name: str, attempts: str, level: str | None = "execute", number: int = 0, **changes: Any) -> Row:
    """Return a row that changes the values of one argument."""
    return launch(name, attempts, lambda _, args: args[number]["domain"].update(changes), level)


MISMATCHES = (
    launch("without_arguments", "Passes nothing.", lambda launch, _: launch.update(args=[])),
    launch("with_too_few", "Leaves out the last argument.", lambda _, args: args.pop()),
    launch("with_too_many", "Passes an argument more.", lambda _, args: args.append(dict(args[1], name="more"))),
    launch("in_another_order", "Passes arguments in another order.", lambda _, args: args.reverse()),
    launch("of_many_arguments", "Passes 50,000 arguments.",
           lambda _, args: args.extend(dict(args[1], name=f"a{n}") for n in range(50_000))),
    launch("of_one_name", "Passes two arguments of one name.", lambda _, args: args[1].update(name="x"), "schema"),
    member("of_another_name", "Names an argument that the kernel lacks.", 0, name="z"),
    member("of_a_look_alike", "Names an argument in letters that look alike.", 0, name="\u0445"),
    member("of_a_name_in_wide_letters", "Names an argument in letters that Python reads as ASCII.", 0, name="\uff58"),
    member("of_a_name_with_escapes", "Names an argument with escapes of terminals.", 0, "schema", name="x\x1b[2J"),
    member("of_a_path", "Names an argument like a path.", 0, "schema", name="../../x"),
    member("of_an_index", "Names an argument like an index array.", 0, "schema", name="x[0]"),
    member("of_a_member", "Names an argument like a member of a struct.", 1, "schema", name="body.mass"),
    member("of_a_private_name", "Names an argument like a member that Python adds.", 1, name="__class__"),
    member("value_for_an_array", "Passes a value for an array.", 0, kind="value", shape=[]),
    member("array_for_a_value", "Passes an array for a value.", 1, kind="array", shape=[8]),
    member("struct_for_a_value", "Passes a struct for a value.", 1, kind="struct", dtype="Body", domain=None,
           fields=[{"name": "mass", "kind": "value", "dtype": "float32", "role": "input", "shape": [], "fields": [],
                    "domain": {"kind": "fill", "low": 0, "high": 0}}]),
    member("indexed_for_an_array", "Passes an indexed array for an array.", 0, kind="indexed_array"),
    member("mesh_for_an_array", "Passes a mesh for an array.", 0, kind="mesh", dtype="uint64", shape=[4, 4]),
    member("mesh_for_a_value", "Passes the pointer of a mesh as a number.", 2, kind="mesh", dtype="uint64", shape=[4, 4]),
    member("pointer_for_a_number", "Passes a number as a pointer.", 2, dtype="uint64"),
    member("wider_elements", "Passes wider elements.", 0, dtype="float64"),
    member("narrower_elements", "Passes narrower elements than the kernel writes.", 4, dtype="float32"),
    member("huge_elements", "Passes the largest elements.", 0, dtype="spatial_matrixd"),
    member("unknown_elements", "Passes elements of an unknown type.", 0, dtype="__import__('os')"),
    member("elements_of_text", "Passes elements of a type in quotes.", 0, dtype='float32"'),
    member("vector_of_no_length", "Passes vectors of length 0.", 4, dtype="vec0f"),
    member("more_dimensions", "Passes an array with more dimensions.", 0, shape=[2, 2, 2]),
    member("members_in_an_array", "Passes an array of structs for an array.", 0, domain=None, fields=[
        {"name": "mass", "kind": "value", "dtype": "float32", "role": "input", "shape": [], "fields": [],
         "domain": {"kind": "fill", "low": 0, "high": 0}}]),
    member("struct_of_another_name", "Names another struct.", 3, dtype="Elsewhere"),
    launch("struct_with_another_member", "Names another member.", lambda _, args: args[3]["fields"][0].update(name="weight")),
    launch("struct_without_a_member", "Leaves out a member.", lambda _, args: args[3]["fields"].pop()),
    launch("struct_of_its_builtin", "Names a member like a method of structs.",
           lambda _, args: args[3]["fields"][0].update(name="numpy_dtype")),
    launch("struct_in_structs", "Nests a struct a hundred times.",
           lambda _, args: args[3].update(fields=[_nested(100)])),
    launch("struct_in_some_structs", "Nests a struct sixty times.", lambda _, args: args[3].update(fields=[_nested(60)])),
    member("role_of_another", "Calls an output an input.", 4, role="input"),
    member("role_of_an_input", "Calls an input an output.", 0, None, role="output"),
    member("build_of_a_value", "Says how to build a value.", 1, "schema", build={"width": 1.0}),
    launch("hash_grid_over_itself", "Builds a hash grid over itself.", lambda _, args: args.append(
        {"name": "g", "kind": "hash_grid", "dtype": "uint64", "role": "input", "shape": [4, 4, 4], "domain": None, "fields": [],
         "build": {"width": 1.0, "points": "g"}}), "schema"),
    launch("hash_grid_of_no_width", "Builds a hash grid of cells without width.", lambda _, args: args.append(
        {"name": "g", "kind": "hash_grid", "dtype": "uint64", "role": "input", "shape": [4, 4, 4], "domain": None, "fields": [],
         "build": {"width": 0.0, "points": "y"}}), "schema"),
    launch("large_mesh", "Builds a mesh with more vertices than allowed.", lambda _, args: args.append(
        {"name": "g", "kind": "mesh", "dtype": "uint64", "role": "input", "shape": [4096, 4096], "fields": [],
         "domain": {"kind": "uniform", "low": 0, "high": 1}}), "schema"),
)  # fmt: skip

SIZES = (
    launch("no_dimensions", "Has no dimensions.", lambda launch, _: launch.update(dim=[]), "schema"),
    launch("dimension_of_zero", "Has a dimension of zero.", lambda launch, _: launch.update(dim=[0]), "schema"),
    launch("negative_dimension", "Has a negative dimension.", lambda launch, _: launch.update(dim=[-8]), "schema"),
    launch("many_dimensions", "Has 1,000 dimensions.", lambda launch, _: launch.update(dim=[1] * 1000)),
    launch("five_dimensions", "Has one dimension more than Warp.", lambda launch, _: launch.update(dim=[1] * 5)),
    launch("more_dimensions_than_the_kernel", "Has more dimensions than the kernel.", lambda launch, _: launch.update(dim=[8, 8])),
    launch("many_threads", "Has as many threads as an int can count.", lambda launch, _: launch.update(dim=[2**31 - 1])),
    launch("more_threads", "Has more threads than an int can count.", lambda launch, _: launch.update(dim=[2**31 + 8])),
    launch("product_of_threads", "Has a number of threads that is zero modulo a word.",
           lambda launch, _: launch.update(dim=[2**16, 2**16, 2**16, 2**16])),
    launch("long_dimension", "Has a dimension beyond 64 bits.", lambda launch, _: launch.update(dim=[2**70]), "schema"),
    member("large_array", "Has an array of a gigabyte.", 0, shape=[1 << 28]),
    member("largest_array", "Has the largest array that is allowed.", 0, None, shape=[MAX_BYTES // COPIES // 4 - 256]),
    member("product_of_lengths", "Has an array whose length is zero modulo a word.", 0, shape=[2**32, 2**32]),
    member("negative_lengths", "Has an array whose lengths have a small product.", 0, "schema", shape=[-4, -2]),
    member("empty_array", "Has an empty array.", 0, None, shape=[0]),
    member("short_array", "Has an array that is shorter than what the kernel reads.", 0, None, shape=[4]),
    member("short_output", "Has an output that is shorter than what the kernel writes.", 4, shape=[2]),
    domain("no_number", "Has values that are no numbers.", "schema", low=math.nan, high=math.nan),
    domain("infinite", "Has infinite values.", "schema", low=-math.inf, high=math.inf),
    domain("beyond_floats", "Has values beyond single precision, which make all results infinite, as they should be.", None,
           low=-1e300, high=1e300),
    domain("beyond_doubles", "Has a value of 400 digits.", "schema", low=-(10**400), high=10**400),
    domain("reversed", "Has a least value above the largest.", "schema", low=1.0, high=0.0),
    domain("of_many_numbers", "Has integers beyond 32 bits.", number=2, low=2**40, high=2**40),
    domain("of_large_numbers", "Has integers beyond 64 bits.", None, number=2, low=2**64 - 1, high=2**64 - 1),
    domain("of_no_numbers", "Has a number of elements beyond the array.", None, number=2, low=10**6, high=10**6),
    domain("of_halves", "Has integers between two halves.", None, number=2, kind="uniform", low=7.5, high=7.6),
    domain("of_a_matrix", "Has values of a matrix for a number.", None, number=1, kind="near_identity"),
    domain("of_a_unit", "Has values of a unit vector for an integer.", None, number=2, kind="unit"),
)  # fmt: skip


FLOATS = encode_values(np.linspace(0.5, 1.0, 8, dtype=np.float32))


def stored(
    name: str, attempts: str, text: str, level: str | None = "schema", shape: Sequence[int] = (8,), **domain: Any
) -> Row:
    """Return a row that stores the values of the first argument."""

    def edit(launch: Any, args: Any) -> None:
        args[0].update(domain={"kind": "stored", "low": 0.5, "high": 1.0} | domain, shape=list(shape))
        launch.update(stored={"x": text})

    return launch(f"stored_{name}", attempts, edit, level)


def _object(launch: Any, args: Any, kind: str, shape: list[int], **parts: np.ndarray) -> None:
    """Append an object with stored values."""
    args.append({"name": "g", "kind": kind, "dtype": "uint64", "role": "input", "shape": shape, "fields": [],
                 "domain": {"kind": "stored", "low": -1.0, "high": 1.0}, "build": {"width": 0.5}})  # fmt: skip
    launch.update(stored={f"g.{name}": encode_values(values) for name, values in parts.items()})


def mesh(name: str, attempts: str, indices: Sequence[int], points: float = 0.5, **more: Any) -> Row:
    """Return a row with a mesh of four points."""
    parts = {"points": np.full((4, 3), points, np.float32), "indices": np.array(indices, np.int32)} | more
    shape = [4, len(indices) // 3]
    return launch(f"mesh_{name}", attempts, lambda launch, args: _object(launch, args, "mesh", shape, **parts), "schema")


STORED = (
    stored("as_they_are", "Stores the values of an argument.", FLOATS, None),
    stored("no_text", "Stores nothing.", ""),
    stored("no_base64", "Stores text that is no base64.", "\u2028" * 40),
    stored("too_few", "Stores fewer values than the array has.", encode_values(np.ones(4, np.float32))),
    stored("too_many", "Stores more values than the array has.", encode_values(np.ones(1 << 20, np.float32))),
    stored("bomb", "Stores a text that decompresses to 64 MiB.", BOMB),
    stored("large", "Stores more than a megabyte.", BOMB, shape=(1 << 20,)),
    stored("beyond_domain", "Stores values beyond the domain.", FLOATS, high=0.6),
    stored("without_end", "Stores values that are infinite.", encode_values(np.full(8, np.inf, np.float32)), None),
    launch("stored_nothing", "Has no stored values.", lambda _, args: args[0]["domain"].update(kind="stored"), "schema"),
    launch("stored_surplus", "Stores values of no argument.", lambda launch, _: launch.update(stored={"__class__": FLOATS}), "schema"),
    launch("stored_many", "Stores values of 100,000 names.",
           lambda launch, _: launch.update(stored={f"x{n}": FLOATS for n in range(100_000)}), "schema"),
    launch("stored_number", "Stores a number.", lambda launch, _: launch.update(stored={"x": 7}), "schema"),
    launch("stored_list", "Stores a list.", lambda launch, _: launch.update(stored=[FLOATS]), "schema"),
    mesh("index_below", "Has a mesh with a negative index.", [0, 1, -1]),
    mesh("index_beyond", "Has a mesh with an index beyond its points.", [0, 1, 4]),
    mesh("far_index", "Has a mesh with the largest index.", [0, 1, 2**31 - 1]),
    mesh("without_triangles", "Has a mesh without triangles.", []),
    mesh("of_nan", "Has a mesh of points that are no numbers.", [0, 1, 2], math.nan),
    mesh("of_far_points", "Has a mesh of points that are far away.", [0, 1, 2], 1e30),
    mesh("of_halves", "Has a mesh with indices that are no triangles.", [0, 1, 2, 3]),
    mesh("few_velocities", "Has a mesh with fewer velocities than points.", [0, 1, 2], velocities=np.ones((3, 3), np.float32)),
    launch("mesh_without_points", "Has a mesh without arrays.",
           lambda launch, args: _object(launch, args, "mesh", [4, 1]), "schema"),
    launch("mesh_of_one_length", "Has a stored mesh of one length.",
           lambda launch, args: _object(launch, args, "mesh", [4], points=np.ones((4, 3), np.float32)), "schema"),
    launch("mesh_of_negative_lengths", "Has a stored mesh whose lengths cancel.",
           lambda launch, args: _object(launch, args, "mesh", [2**40, 1 - 2**40]), "schema"),
    launch("bvh_upside_down", "Has a BVH of boxes that are upside down.", lambda launch, args: _object(
        launch, args, "bvh", [2], lowers=np.ones((2, 3), np.float32), uppers=np.zeros((2, 3), np.float32)), "schema"),
    launch("hash_grid_of_a_bomb", "Has a hash grid of points that decompress to 64 MiB.", lambda launch, args: (
        _object(launch, args, "hash_grid", [4, 4, 4]), launch.update(stored={"g.points": BOMB})), "schema"),
    launch("null_with_a_shape", "Passes None with a shape.", lambda _, args: args[0].update(kind="null_array"), "schema"),
    launch("null_for_an_array", "Passes None for an array that the kernel reads.",
           lambda _, args: args[0].update(kind="null_array", shape=[], domain=None)),
    launch("null_for_a_value", "Passes None for a number.",
           lambda _, args: args[1].update(kind="null_array", shape=[], domain=None)),
    domain("sorted_number", "Has a sorted number.", "schema", number=1, kind="sorted"),
    domain("offsets_of_floats", "Has offsets that are no integers.", "schema", kind="offsets"),
    domain("permutation_of_few", "Has more different integers than there are.", "schema", kind="permutation"),
)  # fmt: skip


def _nested(depth: int) -> dict[str, Any]:
    leaf = {"name": "mass", "kind": "value", "dtype": "float32", "role": "input", "shape": [], "fields": [],
            "domain": {"kind": "fill", "low": 0, "high": 0}}  # fmt: skip
    for _ in range(depth):
        leaf = dict(leaf, kind="struct", dtype="Body", domain=None, fields=[leaf])
    return leaf


ROWS = (*MISMATCHES, *SIZES, *STORED)
