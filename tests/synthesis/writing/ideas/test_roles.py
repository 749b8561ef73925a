"""Roles of arrays, and which kernels can run for several worlds."""

from __future__ import annotations

import pytest

from warpsmith.synthesis.writing.ideas.roles import can_batch, find_nested, find_roles


@pytest.mark.parametrize(
    ("line", "role"),
    [
        ("$a = {x}[$i]", "input"),
        ("{x}[$i] = 1.0", "output"),
        ("{x}[$i, 2] = 1.0", "output"),
        ("{x}[{map}[$i]] = 1.0", "output"),
        ("{x}[$i] += 1.0", "inout"),
        ("{x}[$i] |= 1", "inout"),
        ("{x}[$i] = {x}[$i] + 1.0", "inout"),
        ("wp.atomic_add({x}, $i, 1.0)", "inout"),
        ("$old = wp.atomic_max({x}, 0, $v)", "inout"),
        ("wp.tile_store({x}, $t, offset=$i * 16)", "output"),
        ("if {x}[$i] == 1:", "input"),
        ("if {x}[$i] <= 1.0:", "input"),
        ("$a = @f({x}, $i)", "input"),
    ],
)
def test_roles(line: str, role: str) -> None:
    assert find_roles([f"    {line}"])["x"] == role


def test_an_array_that_is_stored_and_read_on_another_line_changes_in_place() -> None:
    assert find_roles(["{x}[$i] = 0.0", "{y}[$i] = {x}[$j]"]) == {"x": "inout", "y": "output"}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("$a = {x}[$i]", True),
        ("wp.atomic_add({x}, $i, 1.0)", True),
        ("$a = @f({x}, $i)", False),
        ("$n = {x}.shape[0]", False),
        ("$a = {table}", True),
    ],
)
def test_batching_needs_accesses_by_index(line: str, expected: bool) -> None:
    assert can_batch({"x"}, [line]) is expected


@pytest.mark.parametrize(
    ("text", "nested"),
    [
        ("if $a == {A}:\n    {x}[$i] = {B}\n{y}[$i] = {B}", set()),
        ("if $a == 0:\n    {x}[$i] = 1\nelif $a == 1:\n    {x}[$i] = {B}\nelif $a == {B}:\n    {x}[$i] = 2", {"x", "B"}),
        ("if $a == 0:\n    {x}[$i] = {B}\nelif $a == {B}:\n    {y}[$i] = 2", set()),
        ("if $a == 0:\n    pass\nelse:\n    if $b == 1:\n        {y}[$i] = {B}\n    else:\n        {x}[$i] = {B}", {"B"}),
        ("if $a == 0:\n    pass\nelse:\n    {y}[$i] = {B}\n{x}[$i] = {B}", set()),
    ],
)
def test_keys_of_nested_blocks(text: str, nested: set[str]) -> None:
    """An ``elif`` is an ``if`` inside an ``else``: what both of its branches name is nested."""
    assert find_nested(text.splitlines()) == nested
