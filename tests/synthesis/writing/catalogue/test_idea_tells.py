"""Tells of the catalogue: each kind is one line with its file and its line number, and natural texts have none."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from warpsmith.synthesis.writing.catalogue.contradictions import contradiction
from warpsmith.synthesis.writing.catalogue.idea_tells import find_tells

SPRINGS = """# Springs between points.

size n: 24..80 | num_points n | number of points
array positions: vec3f -1.0..1.0 | positions x | position of each point
array ends: vec2i 0..n | ends edges | points of each spring
array rest: float32 0.5..1.0 | rest_lengths | rest length of each spring
array forces: vec3f start=0.0 | forces f | force on each point
array counter: int32 [1] start=0 | num_active counter | number of springs that were counted
code FIXED: 2 | FLAG_FIXED PINNED | flag of points that do not move | PointFlag
number stiffness: float32 1.0..2.0 | ke stiffness | stiffness in N/m
index i: n | i tid | spring
name delta: delta edge_vec d
name length: length l
local position
    {positions}[$i]

helper spring_force: spring_force eval_spring
    def spring_force($delta: wp.vec3, $rest_length: float) -> wp.vec3:
        $dist = wp.length($delta)
        return $delta * (1.0 - $rest_length / $dist)

extra force
    $force = $force * 0.5

extra force
    if {counter}[0] < 0:
        return

idea stretch
names: eval_springs
purpose: compute the forces of springs
categories: vector
    $a = {ends}[$i][0]
    $delta = {positions}[$a] - $position
    $length = wp.length($delta)
    if $length < 1.0e-6:
        return
    $force = @spring_force($delta, {rest}[$i]) * {stiffness}
    hook force
    wp.atomic_add({forces}, $a, $force)
    wp.atomic_sub({forces}, $i, $force)
"""


@pytest.fixture
def tells(tmp_path: Path) -> Callable[..., list[str]]:
    """Return a function that changes the file of springs and returns the tells that are found in it."""

    def find(old: str = "", new: str = "") -> list[str]:
        assert old in SPRINGS
        path = tmp_path / "springs" / "springs.ideas"
        path.parent.mkdir(exist_ok=True)
        path.write_text(SPRINGS.replace(old, new, 1), encoding="utf-8")
        return [str(tell).removeprefix(f"{path.resolve()}:") for tell in find_tells([path])]

    return find


def line(text: str) -> int:
    return next(number for number, content in enumerate(SPRINGS.split("\n"), 1) if content.strip() == text)


STORE = "    wp.atomic_sub({forces}, $i, $force)\n"
LENGTH = "    $length = wp.length($delta)\n"
FORCE = "    $force = @spring_force($delta, {rest}[$i]) * {stiffness}\n"
HELPER = "        $dist = wp.length($delta)\n"

FOUND = {
    # name: the text that is replaced, its replacement, the line of the tell, and the tell
    "unread local": (
        LENGTH,
        LENGTH + "    $speed = 2.0 * $length\n",
        "if $length < 1.0e-6:",
        "idea stretch: nothing reads $speed",
    ),
    "unread sum": (
        STORE,
        "    $sum = 0.0\n    $sum += 1.0\n" + STORE,
        "wp.atomic_sub({forces}, $i, $force)",
        "idea stretch: nothing reads $sum",
    ),
    "unread parameter": (
        "1.0 - $rest_length / $dist",
        "1.0 - 1.5 / $dist",
        "def spring_force($delta: wp.vec3, $rest_length: float) -> wp.vec3:",
        "helper spring_force: nothing reads $rest_length",
    ),
    "constant": (
        "* {stiffness}\n",
        "* (9.0 - 1.0)\n",
        FORCE.strip(),
        "idea stretch: 9.0 - 1.0 is a constant: write its value, or name it",
    ),
    "times one": (
        "wp.length($delta)\n    if",
        "wp.length($delta) * 1.0\n    if",
        "$length = wp.length($delta)",
        "idea stretch: wp.length($delta) * 1.0 multiplies by one",
    ),
    "plus zero": (
        "wp.length($delta)\n    if",
        "wp.length($delta) + 0.0\n    if",
        "$length = wp.length($delta)",
        "idea stretch: wp.length($delta) + 0.0 adds zero",
    ),
    "scalar named as a vector": (
        "name length: length l",
        "name length: length len_vec",
        "$length = wp.length($delta)",
        "$length: 'len_vec' names a vector, and the value is a float",
    ),
    "vector named as a scalar": (
        "name delta: delta edge_vec d",
        "name delta: delta distance",
        "$delta = {positions}[$a] - $position",
        "$delta: 'distance' names a scalar, and the value is a vector",
    ),
    "array of floats named as indices": (
        "rest_lengths |",
        "rest_ids |",
        "array rest: float32 0.5..1.0 | rest_lengths | rest length of each spring",
        "array rest: 'rest_ids' names indices, and its elements are floats",
    ),
    "detached extra": (
        "    $force = $force * 0.5\n",
        "    wp.atomic_add({counter}, 0, $i)\n",
        "$force = $force * 0.5",
        "extra force: it reads no local of its place",
    ),
    "counter": (
        STORE,
        STORE + "    wp.atomic_add({counter}, 0, 1)\n",
        "",
        "idea stretch: a counter at the end that its purpose does not name",
    ),
}


@pytest.mark.parametrize("name", FOUND)
def test_each_tell_has_its_line(tells: Callable[..., list[str]], name: str) -> None:
    old, new, place, tell = FOUND[name]
    found = tells(old, new)
    where = line(place) if place else SPRINGS.count("\n") + 1
    assert f"{where}: {tell}" in found
    assert all(tell.partition(":")[2] in text for text in found if not text.startswith(f"{where}:"))


NATURAL = {
    "as it is": ("", ""),
    "a row that cannot be read": ("array rest: float32 0.5..1.0 | rest_lengths | rest length of each spring", "array rest"),
    "a counter that the purpose names": (
        "purpose: compute the forces of springs",
        "purpose: compute the forces and count the springs",
    ),
    "a fraction": ("* {stiffness}\n", "* (1.0 / 3.0)\n"),
    "a normal component": ("name length: length l", "name length: normal_vel along_axis"),
    "an index of a vector of integers": ("    if $length", "    $node_idx = {ends}[$i][1]\n    if $node_idx < 0 or $length"),
    "a random number that only advances": (STORE, "    $state = wp.rand_init(1, $i)\n" + STORE),
    "an extra that sets what the idea reads": ("    $force = $force * 0.5\n", "    $force = wp.vec3(0.0, 0.0, 0.0)\n"),
    "a local that only an extra reads": ("    $force = $force * 0.5\n", "    $force = $force * $length\n"),
}


@pytest.mark.parametrize("name", NATURAL)
def test_natural_texts_have_no_tell(tells: Callable[..., list[str]], name: str) -> None:
    assert tells(*NATURAL[name]) == []


@pytest.mark.parametrize(
    ("name", "value", "fits"),
    [
        ("edge_vec", "float", False),
        ("edge_vec", "vec", True),
        ("edge_vec", None, True),
        ("face_idx0", "float", False),
        ("face_idx0", "int", True),
        ("normal", "float", False),
        ("normal_speed", "float", True),
        ("matrix_to_quat", "mat", False),
        ("distance", "vec", False),
        ("lens_dist", "vec", True),
        ("quat", "vec", True),
        ("dist", "int", True),
    ],
)
def test_contradictions(name: str, value: str | None, fits: bool) -> None:
    assert (contradiction(name, value) is None) == fits


def test_command(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "springs" / "springs.ideas"
    path.parent.mkdir()
    path.write_text(SPRINGS.replace("* {stiffness}\n", "* 1.0\n"), encoding="utf-8")
    assert run("synthesis", "ideas", "check", "--tells", path, expect=1).stdout.endswith("1 file, 1 tell\n")
    found = json.loads(run("synthesis", "ideas", "check", "--tells", "--json", path, expect=1).stdout)
    assert [tell["line"] for tell in found] == [line(FORCE.strip())]
