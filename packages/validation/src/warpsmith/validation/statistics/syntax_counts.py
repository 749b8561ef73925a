"""Syntax: types of nodes in kernels and helper functions, and the depth of nested control flow."""

from __future__ import annotations

import ast
from collections import Counter
from typing import TypedDict

from warpsmith.core.records.syntax_walks import walk
from warpsmith.validation.statistics.parsed_pair import ParsedPair
from warpsmith.validation.statistics.stats_types import NodeShare, SyntaxSummary

_CONTROL = (ast.If, ast.For, ast.While, ast.With)


class State(TypedDict):
    """Counts: pairs, nodes by type, pairs that hold a type, and pairs by depth."""

    pairs: int
    nodes: dict[str, int]
    holding: dict[str, int]
    depths: dict[str, int]


def empty() -> State:
    """Return the state before the first pair."""
    return {"pairs": 0, "nodes": {}, "holding": {}, "depths": {}}


def update(state: State, parsed: ParsedPair) -> None:
    """Count the nodes in the functions of one pair; a text that is not Python is not counted."""
    if parsed.tree is None:
        return
    state["pairs"] += 1
    counts: Counter[str] = Counter()
    deepest = 0
    for function in parsed.functions:
        counts += node_types(function)
        deepest = max(deepest, depth(function))
    for name, count in counts.items():
        state["nodes"][name] = state["nodes"].get(name, 0) + count
        state["holding"][name] = state["holding"].get(name, 0) + 1
    state["depths"][str(deepest)] = state["depths"].get(str(deepest), 0) + 1


def node_types(function: ast.FunctionDef) -> Counter[str]:
    """Count the nodes of a function by type, including itself, arguments and annotations; not decorators, load and store."""
    counts = Counter(type(node).__name__ for node in walk(function) if not isinstance(node, ast.expr_context))
    for decorator in function.decorator_list:
        counts -= Counter(type(node).__name__ for node in walk(decorator) if not isinstance(node, ast.expr_context))
    return counts


def depth(function: ast.FunctionDef) -> int:
    """Return how many branches and loops enclose the innermost statement; ``elif`` is as deep as its ``if``."""
    deepest = 0
    open_nodes: list[tuple[ast.stmt, int]] = [(statement, 0) for statement in function.body]
    while open_nodes:
        node, outer = open_nodes.pop()
        inner_depth = outer + isinstance(node, _CONTROL)
        deepest = max(deepest, inner_depth)
        for field in ("body", "orelse"):
            inner = getattr(node, field, [])
            chained = field == "orelse" and isinstance(node, ast.If) and len(inner) == 1 and isinstance(inner[0], ast.If)
            open_nodes += [(statement, outer if chained else inner_depth) for statement in inner]
    return deepest


def add(total: State, part: State) -> None:
    """Add the state of later pairs to ``total``."""
    total["pairs"] += part["pairs"]
    for counts, more in (
        (total["nodes"], part["nodes"]),
        (total["holding"], part["holding"]),
        (total["depths"], part["depths"]),
    ):
        for name, count in more.items():
            counts[name] = counts.get(name, 0) + count


def summarize(total: State) -> SyntaxSummary:
    """Return the share of each node type among nodes and pairs, and the number of pairs of each depth."""
    nodes, pairs = max(sum(total["nodes"].values()), 1), max(total["pairs"], 1)
    shares: dict[str, NodeShare] = {
        name: {
            "nodes": count,
            "share": round(count / nodes, 6),
            "pairs": total["holding"][name],
            "share_of_pairs": round(total["holding"][name] / pairs, 6),
        }
        for name, count in sorted(total["nodes"].items(), key=lambda item: (-item[1], item[0]))
    }
    depths = {level: total["depths"][level] for level in sorted(total["depths"], key=int)}
    return {"kinds": shares, "nesting": depths}
