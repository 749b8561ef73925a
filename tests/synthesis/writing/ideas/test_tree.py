"""Trees of statements: what a line defines and reads, and texts that survive parsing."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from warpsmith.synthesis.writing.ideas.tree import Node, parse, render

TEXT = """\
$a = {x}[$i]
# a comment with $ghost
if $a > 0.0:
    $b = $a

    for $k in range(3):
        $b += {y}[$i, $k]
elif $c == 1:
    return
$d, $e = @pair($b)"""


def test_rendering_restores_the_text() -> None:
    assert "\n".join(render(parse(TEXT))) == TEXT


def test_a_common_indentation_is_removed() -> None:
    indented = "\n".join(f"        {line}" if line else "" for line in TEXT.splitlines())
    assert "\n".join(render(parse(f"\n{indented}\n"))) == TEXT


@pytest.mark.parametrize(
    ("line", "defines", "reads"),
    [
        ("$a = $b + {x}[$i]", ["a"], ["b", "i"]),
        ("$a += $b", [], ["a", "b"]),
        ("$a, $b = @f($c)", ["a", "b"], ["c"]),
        ("for $k in range($n):", ["k"], ["n"]),
        ("{x}[$i] = $v", [], ["i", "v"]),
        ("if $a == $b:", [], ["a", "b"]),
        ("# $a = 1", [], []),
        ("return", [], []),
        ("$a: wp.vec3 = $b", ["a"], ["b"]),
    ],
)
def test_definitions_and_reads(line: str, defines: list[str], reads: list[str]) -> None:
    node = Node(line)
    assert (list(node.defines), list(node.reads)) == (defines, reads)


@pytest.mark.parametrize(
    ("line", "changes"),
    [("$a = $b", ["a"]), ("$a += $b", ["a"]), ("$a |= 1", ["a"]), ("$a[0] = $b", []), ("{x}[$i] += $a", []), ("# $a += 1", [])],
)
def test_changes_are_definitions_and_updates(line: str, changes: list[str]) -> None:
    assert list(Node(line).changes) == changes


def test_jumps_are_found_in_blocks_but_not_in_comments() -> None:
    (branch,) = parse("if $a:\n    if $b:\n        continue")
    (comment,) = parse("if $a:\n    # return early\n    $c = 1")
    assert branch.jumps
    assert not comment.jumps


blocks = st.recursive(
    st.just("$x = 1"),
    lambda inner: st.lists(inner, min_size=1, max_size=3).map(lambda body: "if $c:\n" + _indented(body)),
    max_leaves=12,
)


def _indented(body: list[str]) -> str:
    return "\n".join(f"    {line}" for item in body for line in item.splitlines())


@settings(deadline=None, derandomize=True, database=None)
@given(st.lists(blocks, min_size=1, max_size=4))
def test_any_nesting_survives(body: list[str]) -> None:
    text = "\n".join(body)
    assert "\n".join(render(parse(text))) == text
