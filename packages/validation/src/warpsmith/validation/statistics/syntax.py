"""The question: what Python do kernels and their functions consist of? Kinds of nodes, and how deep control flow nests."""

from __future__ import annotations

import ast
from collections import Counter
from typing import Any

from warpsmith.validation.statistics.reading import Reading

_CONTROL = (ast.If, ast.For, ast.While, ast.With)


def empty() -> dict[str, Any]:
    """Return the look at no pairs."""
    return {"pairs": 0, "nodes": {}, "holding": {}, "depths": {}}


def look(state: dict[str, Any], reading: Reading) -> None:
    """Count the nodes of one pair's kernels and functions; a text that is no Python is not counted."""
    if reading.tree is None:
        return
    state["pairs"] += 1
    found: Counter[str] = Counter()
    deepest = 0
    for function in reading.functions:
        found += kinds(function)
        deepest = max(deepest, depth(function))
    for name, count in found.items():
        state["nodes"][name] = state["nodes"].get(name, 0) + count
        state["holding"][name] = state["holding"].get(name, 0) + 1
    state["depths"][str(deepest)] = state["depths"].get(str(deepest), 0) + 1


def kinds(function: ast.FunctionDef) -> Counter[str]:
    """Count the nodes of a function by kind, itself, arguments and annotations too; not its decorators, nor load and store."""
    found = Counter(type(node).__name__ for node in ast.walk(function) if not isinstance(node, ast.expr_context))
    for decorator in function.decorator_list:
        found -= Counter(type(node).__name__ for node in ast.walk(decorator) if not isinstance(node, ast.expr_context))
    return found


def depth(function: ast.FunctionDef) -> int:
    """Return how many branches and loops the innermost statement stands in; ``elif`` is as deep as its ``if``."""
    deepest = 0
    open_nodes: list[tuple[ast.stmt, int]] = [(statement, 0) for statement in function.body]
    while open_nodes:
        node, around = open_nodes.pop()
        here = around + isinstance(node, _CONTROL)
        deepest = max(deepest, here)
        for field in ("body", "orelse"):
            inner = getattr(node, field, [])
            chained = field == "orelse" and isinstance(node, ast.If) and len(inner) == 1 and isinstance(inner[0], ast.If)
            open_nodes += [(statement, around if chained else here) for statement in inner]
    return deepest


def add(total: dict[str, Any], part: dict[str, Any]) -> None:
    """Put a look at other pairs into ``total``."""
    total["pairs"] += part["pairs"]
    for table in ("nodes", "holding", "depths"):
        for name, count in part[table].items():
            total[table][name] = total[table].get(name, 0) + count


def summarize(total: dict[str, Any]) -> dict[str, Any]:
    """Turn counts into shares: of nodes, and of pairs that hold a kind; depths as counts of pairs."""
    nodes, pairs = max(sum(total["nodes"].values()), 1), max(total["pairs"], 1)
    kinds_found = {
        name: {
            "nodes": count,
            "share": round(count / nodes, 6),
            "pairs": total["holding"][name],
            "share_of_pairs": round(total["holding"][name] / pairs, 6),
        }
        for name, count in sorted(total["nodes"].items(), key=lambda item: (-item[1], item[0]))
    }
    depths = {level: total["depths"][level] for level in sorted(total["depths"], key=int)}
    return {"kinds": kinds_found, "nesting": depths}
