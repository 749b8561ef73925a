"""Long values: split and merged again they give the same text."""

from __future__ import annotations

import pytest

from warpsmith.synthesis.kernel_key import KernelKey
from warpsmith.synthesis.random_stream import RandomStream
from warpsmith.synthesis.writing.catalogue.domains import all_domains
from warpsmith.synthesis.writing.ideas.expand import Expansion
from warpsmith.synthesis.writing.ideas.notation import Choices
from warpsmith.synthesis.writing.ideas.outlining.long_values import LongValues, singular
from warpsmith.synthesis.writing.ideas.tree import parse, render

TEXT = """\
$total += {masses}[$j] * wp.length($d)
if {flags}[$i] == 1:
    {kinds}[$i] = 2
elif $total > 1.0:
    # far away
    {kinds}[$i] = 3
else:
    {kinds}[$i] = 4
if $row >= 0 and $row < {rows}:
    wp.atomic_add({forces}, $i, $f * ($total - 1.0))
{out}[$i] = $f"""


def test_long_values_have_a_local_and_are_put_back() -> None:
    body, values = parse(TEXT), LongValues()
    values.split(body, {"{masses}": "masses m", "{forces}": "forces f_out", "total": "total sum"})
    lines = render(body)
    assert lines[:2] == ["$total__v3 = {masses}[$j] * wp.length($d)", "$total += $total__v3"]
    assert "{kinds}[$i] = $kinds__v2" in lines
    assert "    # far away" in lines
    assert values.owners["forces__v0"] == "{forces}"
    assert values.names["forces__v0"] == "force f"
    values.merge(body)
    assert render(body) == TEXT.split("\n")


@pytest.mark.parametrize("domain", all_domains(), ids=lambda domain: domain.name)
def test_all_ideas_are_put_back(domain) -> None:  # type: ignore[no-untyped-def]
    for number, idea in enumerate(domain.ideas):
        rng = RandomStream(f"{KernelKey(1, number).id}")
        body = Expansion(domain, rng, 0.5, 1).expand(idea, Choices(rng))
        before, values = render(body), LongValues()
        values.split(body, {})
        values.merge(body)
        assert render(body) == before


@pytest.mark.parametrize(
    ("word", "element"),
    [
        ("positions", "position"),
        ("inv_masses_out", "inv_mass"),
        ("body_q", "body_q"),
        ("vertices", "vertex"),
        ("densities", "density"),
        ("axes", "axis"),
        ("radius", "radius"),
        ("new_velocities", "velocity"),
        ("loss", "loss"),
    ],
)
def test_elements_are_singular(word: str, element: str) -> None:
    assert singular(word) == element
