"""A domain of points, small enough to know every kernel that it can compose."""

from __future__ import annotations

from warpsmith.synthesis.language.composed_kernel import Kernel
from warpsmith.synthesis.language.warp_types import FLOAT, INT, VEC3
from warpsmith.synthesis.random_stream import RandomStream
from warpsmith.synthesis.writing.ideas.compose import Composition, Plan
from warpsmith.synthesis.writing.ideas.parts import (
    Code,
    Data,
    Domain,
    Extra,
    Helper,
    Idea,
    Index,
    Local,
    Loop,
    Number,
    Record,
    Size,
)
from warpsmith.synthesis.writing.policy import Length

ADVANCE = Idea(
    "advance",
    "advance step",
    "advance ⟨what¦points|the points⟩ by one step",
    """
    hook begin
    # explicit Euler
    $p = $p + $v * {dt}

    {x_out}[$i] = $p
    ⟨what¦|{speed}[$i] = wp.length($v)⟩
    """,
    categories="vector",
)
SUM = Idea(
    "sum",
    "sum_neighbors",
    "sum the masses of neighbours",
    """
    $total = float(0.0)
    each neighbor:
        $total += {m}[$j] * @fall_off(wp.length({x}[$j] - $p))
    {rho}[$i] = $total
    """,
    categories="vector nested_loop",
)
COUNT = Idea(
    "count", "count_flags", "count the points with a flag", "if {flags}[$i] == {ACTIVE}:\n    wp.atomic_add({counter}, 0, 1)",
    categories="vector", integer=True,
)  # fmt: skip
ALONE = Idea("alone", "fill", "fill the flags", "{flags_out}[$i] = {ACTIVE}", categories="vector", integer=True)
FORWARD = Idea(
    "forward", "normalize_in_place", "normalize velocities", "{v}[$i] = wp.normalize({v}[$i])",
    categories="vector", forward_only=True,
)  # fmt: skip

DOMAIN = Domain(
    "points",
    (
        Size("n", 8, 8, "n count", about="number of points"),
        Size("worlds", 2, 2, "num_worlds", about="number of worlds"),
        Size("k", 4, 4, "max_neighbors", about="largest number of neighbours"),
        Data("x", VEC3, -1.0, 1.0, "positions x q", "position in m"),
        Data("v", VEC3, -1.0, 1.0, "velocities v qd", "velocity in m/s"),
        Data("m", FLOAT, 0.5, 2.0, "masses m", "mass in kg"),
        Data("flags", INT, 0, 3, "flags", "state"),
        Data("table", INT, -1, "n", "table", "neighbours, -1 for none", "n k", shared=True),
        Data("x_out", VEC3, 0.0, 0.0, "positions_out", "new position in m"),
        Data("speed", FLOAT, 0.0, 0.0, "speeds", "speed in m/s"),
        Data("rho", FLOAT, 0.0, 0.0, "densities", "density"),
        Data("flags_out", INT, 0, 0, "flags_out", "new state"),
        Data("counter", INT, 0, 0, "counter", "number of points", "1", start=0),
        Number("dt", FLOAT, 0.01, 0.1, "dt", "time step in s", "DT", (0.05,)),
        Code("ACTIVE", 1, "ACTIVE", "the flag of points that move"),
    ),
    (Index("i", "n", "i tid", "point"),),
    {"p": "pos p", "v": "vel v", "total": "total acc", "j": "j other", "k": "k slot"},
    (Local("p", ("{x}[$i]",)), Local("v", ("{v}[$i]", "{v}[$i] * 2.0"))),
    (ADVANCE, SUM, COUNT, ALONE, FORWARD),
    (
        Loop(
            "neighbor",
            (
                "for $k in range({k}):\n    $j = {table}[$i, $k]\n    if $j < 0:\n        continue\n    body",
                "for $k in range({k}):\n    $j = {table}[$i, $k]\n    if $j >= 0:\n        body",
            ),
        ),
    ),
    (Extra("begin", "if {flags}[$i] != {ACTIVE}:\n    return"),),
    (Helper("fall_off", ("def fall_off(r: float):\n    return 1.0 / (1.0 + r)",)),),
    (Record("State", "state", "x v m flags"),),
    Index("world", "worlds", "world env", "world"),
)


def body_of(kernel: Kernel) -> list[str]:
    """Return the statements of a kernel, without the test of threads beyond the end that may be around them."""
    lines = list(kernel.body)
    for position, line in enumerate(lines[:3]):
        if line.startswith("if ") and " < " in line:
            return lines[:position] + [inner.removeprefix("    ") for inner in lines[position + 1 :]]
    return lines


def composed(idea: Idea, seed: int = 0, extras: float = 0.5, domain: Domain = DOMAIN, **plan: bool) -> tuple[Kernel, str]:
    """Compose and describe a kernel of an idea of the domain."""
    length = Length(extra_chance=extras, extra_count=1)
    composition = Composition(domain, idea, RandomStream(f"test/{seed}"), Plan(length, **plan))
    return composition.kernel, composition.describe(composition.kernel.params)
