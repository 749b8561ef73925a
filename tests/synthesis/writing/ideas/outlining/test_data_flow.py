"""Data flow: what statements expose, assign in any case, and leave for statements after them."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.outlining.data_flow import Block, Flow, Item
from warpsmith.synthesis.writing.ideas.tree import parse


def flow_of(text: str, results: tuple[str, ...] = ()) -> Flow:
    return Flow(parse(text), lambda key: key != "stores", results)


def sets(flow: Flow, item: Item) -> tuple[set[str], set[str], set[str], set[str]]:
    """Return what a statement exposes, assigns in any case, may change, and leaves."""
    exposed, always, changed, live = (set(flow.keys(mask)) for mask in (item.exposed, item.always, item.changed, item.live))
    return exposed, always, changed, live


def blocks(flow: Flow) -> list[Block]:
    return list(flow.top.walk())


def test_branches_assign_what_all_of_them_assign() -> None:
    flow = flow_of("if $a > 0.0:\n    $x = $b\n    $y = 1.0\nelif $c:\n    $x = 2.0\nelse:\n    $x = $y\n{out}[$i] = $x")
    branches, store = flow.top.items
    assert sets(flow, branches) == ({"a", "b", "c", "y"}, {"x"}, {"x", "y"}, {"i", "x"})
    assert (branches.pure, store.pure, branches.statements) == (True, False, 7)


def test_a_branch_that_leaves_the_loop_assigns_nothing_for_statements_after_it() -> None:
    flow = flow_of("for $k in range({n}):\n    if $k > 2:\n        continue\n    else:\n        $x = 1.0\n    $s += $x")
    inner = blocks(flow)[1].items[0]
    assert sets(flow, inner)[1] == {"x"}
    assert inner.jumps
    assert not flow.top.items[0].jumps


def test_a_loop_may_read_what_its_last_round_assigned() -> None:
    flow = flow_of("$s = 0.0\nfor $k in range({n}):\n    $d = $s * 2.0\n    $s = $d + 1.0\n{out}[$i] = $s")
    body = blocks(flow)[1]
    assert sets(flow, flow.top.items[1])[0] == {"s"}
    assert sets(flow, body.items[1])[3] == {"i", "s"}
    assert set(flow.keys(flow.top.items[1].looped)) == {"s", "d", "k"}


def test_a_jump_leaves_values_that_statements_after_it_overwrite() -> None:
    text = "$x = 0.0\nfor $k in range({n}):\n    $x = 1.0\n    if $k > 2:\n        break\n    $x = 2.0\n{out}[$i] = $x"
    flow = flow_of(text)
    assert "x" in sets(flow, blocks(flow)[1].items[0])[3]


def test_effects_of_helper_functions_and_results_count() -> None:
    flow = flow_of("$x = @stores($a)\n$y = @adds($a)", ("y",))
    assert [item.pure for item in flow.top.items] == [False, True]
    assert sets(flow, flow.top.items[1])[3] == {"y"}
