"""Level gradient checks kernels that read objects or noise in single precision, with wide steps."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from object_kernels import HEAD, object_parameter
from selected import selected
from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.launch import Argument, Launch
from warpsmith.validation.levels.finding import Finding

pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")

SIZE = 48

SOURCE = (
    HEAD
    + """@wp.kernel
def k(
    mesh: wp.uint64, volume: wp.uint64, image: wp.Texture2D, grid: wp.uint64, x: wp.array(dtype=wp.vec3),
    y: wp.array(dtype=float), a: float, total: wp.array(dtype=float), out: wp.array(dtype=float)
):
    i = wp.tid()
    p = x[i]
"""
)

KERNELS = {
    "closest point": """query = wp.mesh_query_point(mesh, p, 10.0)
    out[i] = y[i] * wp.length(wp.mesh_eval_position(mesh, query.face, query.u, query.v))""",
    "ray": """ray = wp.mesh_query_ray(mesh, p + wp.vec3(0.0, 0.0, 5.0), wp.vec3(0.1, 0.0, -1.0), 100.0)
    if ray.result:
        out[i] = ray.t * y[i]""",
    "volume": """q = wp.volume_world_to_index(volume, p)
    out[i] = wp.volume_sample_f(volume, q, wp.Volume.LINEAR) * wp.sin(y[i])""",
    "texture": "out[i] = wp.texture_sample(image, wp.vec2(p[0], p[1] * y[i]), dtype=float)",
    "neighbours": """s = float(0.0)
    for j in wp.hash_grid_query(grid, p, 0.5):
        s += wp.max(0.25 - wp.length_sq(p - x[j]), 0.0)
    out[i] = s + y[i]""",
    "noise": "out[i] = wp.noise(wp.rand_init(7), p * 1.5) * y[i] * a",
    "a small share": """q = wp.volume_world_to_index(volume, p)
    out[i] = 0.01 * wp.volume_sample_f(volume, q, wp.Volume.LINEAR) + 0.5 * y[i]""",
    "counts that jump": """it = wp.hash_grid_query(grid, p, 0.5)
    count = int(0)
    for j in it:
        if wp.length(p - x[j]) < 0.4:
            count += 1
    out[i] = float(count) * 0.3 + y[i]""",
    "sums": """q = wp.volume_world_to_index(volume, p)
    wp.atomic_add(total, i % 8, wp.volume_sample_f(volume, q, wp.Volume.LINEAR) * y[i])
    out[i] = y[i]""",
    "no effect": """q = wp.volume_world_to_index(volume, p)
    out[i] = y[i] + float(wp.volume_lookup_f(volume, int(q[0]), int(q[1]), int(q[2])))""",
}

DAMAGES = {
    # error: (kernel, the line of the adjoint that is missing)
    "closest point without its adjoint": ("closest point", r"adj_mesh_query_point\("),
    "position without its adjoint": ("closest point", r"adj_mesh_eval_position\("),
    "ray without its adjoint": ("ray", r"adj_mesh_query_ray\("),
    "volume without its adjoint": ("volume", r"adj_volume_sample_f\("),
    "sine without its adjoint": ("volume", r"adj_sin\("),
    "texture without its adjoint": ("texture", r"adj_texture_sample\("),
    "distances without their adjoint": ("neighbours", r"adj_length_sq\("),
    "noise without its adjoint": ("noise", r"adj_noise\("),
    "the adjoint of a small share": ("a small share", r"adj_volume_sample_f\("),
    "the adjoint of a sum": ("sums", r"adj_volume_sample_f\("),
}

OWN_ERRORS = {
    "the furthest point": """query = wp.mesh_query_furthest_point_no_sign(mesh, p, 0.0)
    out[i] = y[i] * wp.length(wp.mesh_eval_position(mesh, query.face, query.u, query.v))""",
}
"""Adjoints of Warp that are wrong."""


def without_line(pattern: str) -> Callable[[dict[str, Any]], None]:
    """Return a change that removes the lines of the adjoint that match a pattern, in both texts."""

    def change(record: dict[str, Any]) -> None:
        for key in ("cpp_backward", "cuda_ir_backward"):
            lines = record[key].splitlines(keepends=True)
            kept = [line for line in lines if not re.search(pattern, line)]
            assert len(kept) == len(lines) - 1, (pattern, record[key])
            record[key] = "".join(kept)

    return change


@pytest.fixture(scope="module")
def lines(argument: Callable[..., Argument], pair_line: Callable[..., Line], change_line: Any) -> dict[str, Line]:
    args = (
        object_parameter("mesh", "mesh", (7, 6), low=-0.2, high=0.2),
        object_parameter("volume", "volume", (9, 9, 9), width=0.25),
        object_parameter("image", "texture", (5, 8), "Texture2D"),
        object_parameter("grid", "hash_grid", (8, 8, 8), width=0.5, points="x"),
        argument("x", "vec3f", (SIZE,), low=0.05, high=0.95),
        argument("y", "float32", (SIZE,), low=0.5, high=1.0),
        argument("a", "float32"),
        argument("total", "float32", (8,), role="inout"),
        argument("out", "float32", (SIZE,), role="output"),
    )
    launch = Launch(dim=(SIZE,), args=args)

    def line(name: str, body: str) -> Line:
        total = "" if "total" in body else "    wp.atomic_add(total, i % 8, y[i])\n"
        return pair_line(f"{SOURCE}{total}    {body}\n", launch, identity=name)

    found = {name: line(name, body) for name, body in (KERNELS | OWN_ERRORS).items()}
    found |= {name: change_line(found[kernel], without_line(pattern)) for name, (kernel, pattern) in DAMAGES.items()}
    return {name: replace(one, number=number) for number, (name, one) in enumerate(found.items(), start=1)}


@pytest.fixture(scope="module")
def findings(request: pytest.FixtureRequest, lines: dict[str, Line], run_levels: Any) -> dict[str, Finding]:
    chosen = selected(request, lines)
    by_level = run_levels(list(chosen.values()), "execute", "gradient")
    assert {(name, one.reason) for name, one in zip(chosen, by_level["execute"], strict=True) if one.status != "pass"} == set()
    return dict(zip(chosen, by_level["gradient"], strict=True))


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", KERNELS)
def test_a_correct_adjoint_passes(findings: dict[str, Finding], name: str) -> None:
    assert findings[name] == Finding("pass")


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", DAMAGES)
def test_a_missing_adjoint_fails(findings: dict[str, Finding], name: str) -> None:
    assert findings[name].status == "fail", findings[name]
    assert "central differences" in findings[name].reason


@pytest.mark.parametrize("name", OWN_ERRORS)
def test_a_wrong_adjoint_of_warp_fails(findings: dict[str, Finding], name: str) -> None:
    assert findings[name].status == "fail", findings[name]


def test_jumps_at_equal_distances_are_no_slope(
    argument: Callable[..., Argument], pair_line: Callable[..., Line], run_levels: Any
) -> None:
    """With these inputs, a wide step changes a number of neighbours by two, half a step by one."""
    source = HEAD + (
        "@wp.kernel\n"
        "def k(out: wp.array(dtype=wp.vec3), grid: wp.uint64, y: wp.array(dtype=float), x: wp.array(dtype=wp.vec3)):\n"
        "    i = wp.tid()\n    count = int(0)\n    for j in wp.hash_grid_query(grid, x[i], 0.5):\n"
        "        if wp.length(x[i] - x[j]) < 0.5 and j != i:\n            count += 1\n"
        "    out[i] = wp.vec3(0.05, 0.025, 0.0125) * float(count) + 0.15 * wp.vec3(y[i], y[i], y[i])\n"
    )
    args = (
        argument("out", "vec3f", (79,), role="output"),
        object_parameter("grid", "hash_grid", (8, 8, 8), width=0.5, points="x"),
        argument("y", "float32", (79,), low=0.5, high=3.0),
        argument("x", "vec3f", (79,), low=-1.0, high=1.0),
    )
    line = pair_line(source, Launch(dim=(79,), args=args), identity="draw 12")
    assert run_levels([line], "execute", "gradient")["gradient"] == [Finding("pass")]


def test_plain_arguments_alone_are_inconclusive(
    argument: Callable[..., Argument], pair_line: Callable[..., Line], run_levels: Any
) -> None:
    source = HEAD + (
        "@wp.kernel\ndef k(a: float, out: wp.array(dtype=float)):\n"
        "    i = wp.tid()\n    out[i] = wp.noise(wp.rand_init(7), wp.vec2(a, float(i) * 0.3))\n"
    )
    launch = Launch(dim=(9,), args=(argument("a", "float32"), argument("out", "float32", (9,), role="output")))
    [finding] = run_levels([pair_line(source, launch)], "execute", "gradient")["gradient"]
    assert finding.status == "inconclusive"
    assert finding.reason.startswith("only plain arguments hold floats")
