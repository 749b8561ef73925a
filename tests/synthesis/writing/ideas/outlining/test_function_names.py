"""Names of functions say what they compute."""

from __future__ import annotations

import re

import pytest

from warpsmith.synthesis.language.warp_types import BOOL, FLOAT, INT, VEC3
from warpsmith.synthesis.random_stream import RandomStream
from warpsmith.synthesis.writing.ideas.outlining.function_names import Endings, FunctionNamer, receiver_of, subject_of
from warpsmith.synthesis.writing.ideas.outlining.functions import Function
from warpsmith.synthesis.writing.ideas.outlining.long_values import LongValues
from warpsmith.synthesis.writing.ideas.outlining.static_types import Kind
from warpsmith.synthesis.writing.ideas.outlining.surroundings import Surroundings
from warpsmith.synthesis.writing.ideas.tree import parse

KERNEL = "$f = $d * {gain}\n$total = $f + $d\n{forces_out}[$i] = $total\nwp.atomic_add({energies}, 0, $e * 0.5)"
NAMES = {"d": "delta d dx", "f": "f", "total": "total sum", "e": "e en", "{forces_out}": "forces f_out"}

VOCABULARY = frozenset("pressure forces energies count inside bucket hits rate axis gap speed angle rotation velocity".split())


def names_of(text: str, results: dict[str, Kind], parameters: dict[str, Kind] | None = None) -> tuple[str, ...]:
    """Return candidates for the name of a function with these statements."""
    function = Function(
        "f", parse(text), {"a": FLOAT, "b": FLOAT, "c": FLOAT} if parameters is None else parameters, results, []
    )
    around = Surroundings({}, frozenset(), {}, {}, {}, subject="node along z", vocabulary=VOCABULARY)
    return FunctionNamer(parse(KERNEL), LongValues(), NAMES, around, RandomStream("names")).names(function)


@pytest.mark.parametrize(
    ("text", "results", "name"),
    [
        ("$pressure = $a * $b", {"pressure": FLOAT}, "compute_pressure"),
        ("$total = $a * $b", {"total": FLOAT}, "compute_force"),
        ("$e = $a * $b", {"e": FLOAT}, "compute_energy"),
        ("$inside = $a > $b", {"inside": BOOL}, "is_inside"),
        ("$state_b = 0\nif $a > $b:\n    $state_b = 1", {"bucket_b": INT}, "select_bucket"),
        ("$box_count = int(0)\nfor $k in range(3):\n    $box_count += $k", {"box_count": INT}, "count_boxes"),
        ("$hits = int(0)\nfor $k in range(3):\n    $hits += $k", {"hits": INT}, "count_hits"),
        ("$rate = float(0.0)\nfor $k in range(3):\n    $rate += $a", {"rate": FLOAT}, "sum_rate"),
        ("$axis = $a\n$gap = $b", {"axis": VEC3, "gap": FLOAT}, "compute_axis_and_gap"),
        ("if $a > $b:\n    $speed = $speed * 0.5", {"speed": FLOAT}, "compute_speed"),
    ],
)
def test_names_follow_from_results(text: str, results: dict[str, Kind], name: str) -> None:
    assert name in names_of(text, results)


def test_a_result_that_is_a_parameter_is_updated() -> None:
    assert names_of("if $a > 1.0:\n    $speed = $speed * 0.5", {"speed": FLOAT}, {"speed": FLOAT})[0] == "update_speed"


def test_few_parameters_may_be_in_the_name() -> None:
    names = names_of("$angle = $rotation * 2.0", {"angle": FLOAT}, {"rotation": FLOAT})
    assert any(re.fullmatch("angle_from_rotation", name) for name in names)


@pytest.mark.parametrize("key", ["z", "total_x", "prs", "gap_prs"])
def test_functions_without_a_subject_have_no_name(key: str) -> None:
    assert names_of(f"${key} = $a * $b", {key: FLOAT}) == ()


def test_subjects_have_no_endings_and_are_no_items() -> None:
    assert subject_of(("r_ij", "total", "velocity_a"), VOCABULARY) == "velocity"
    assert subject_of(("particle", "pressure"), VOCABULARY, "particle") == "pressure"
    assert subject_of(("x", "res"), VOCABULARY) == ""


def test_receivers_are_arrays_or_locals() -> None:
    assert receiver_of("{out}[$i] = $x") == ("$x", "{out}", "")
    assert receiver_of("$y = $x * 2.0") == ("$x * 2.0", "", "y")
    assert receiver_of("$y = $x * 2.0 + $z") == ("", "", "")


def test_the_same_index_has_the_same_ending() -> None:
    endings = Endings(RandomStream("endings"))
    first, other = endings.of("$i"), endings.of("$j")
    assert first != other
    assert endings.of("$i") == first
