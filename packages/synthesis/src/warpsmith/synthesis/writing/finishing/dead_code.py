"""Removal of dead code: locals, helper functions, parameters and constants that nothing reads."""

from __future__ import annotations

import re
from collections import Counter
from operator import is_

from msgspec.structs import replace

from warpsmith.synthesis.language import nodes
from warpsmith.synthesis.language.nodes import Kernel, Stmt
from warpsmith.synthesis.language.walk import all_parts, statements


def remove_dead_code(kernel: Kernel) -> Kernel:
    """Return the kernel without its dead code."""
    functions = tuple(
        replace(function, body=_remove_unread(function.body, _count_reads(function.body))) for function in kernel.functions
    )
    body = kernel.body
    while True:
        reads = _count_reads(body)
        smaller = _remove_unread(body, reads)
        if smaller is body:
            break
        body = smaller
    called = {name for name in reads if name.startswith("()")}
    return replace(
        kernel,
        body=body,
        functions=tuple(function for function in functions if f"(){function.name}" in called),
        params=tuple(param for param in kernel.params if param.name in reads),
        constants=tuple(constant for constant in kernel.constants if constant.name in reads),
    )


def _count_reads(body: tuple[Stmt, ...]) -> Counter[str]:
    """Count how often each name is read; written arrays count as read, calls count under ``()name``."""
    counts: Counter[str] = Counter()
    for statement in statements(body):
        if isinstance(statement, nodes.Store | nodes.Atomic):
            counts[statement.array] += 1
        elif isinstance(statement, nodes.RawStatement):
            counts.update(_NAME.findall(statement.text))
    for part in all_parts(body):
        if isinstance(part, nodes.Name):
            counts[part.name] += 1
        elif isinstance(part, nodes.Load | nodes.Size):
            counts[part.array] += 1
        elif isinstance(part, nodes.Call):
            counts[f"(){part.function}"] += 1
    return counts


_NAME = re.compile(r"[A-Za-z_]\w*")


def _remove_unread(body: tuple[Stmt, ...], reads: Counter[str]) -> tuple[Stmt, ...]:
    """Return the statements whose results are read; ``body`` itself if all are."""
    kept: list[Stmt] = []
    for statement in body:
        match statement:
            case nodes.Assign(name) | nodes.Declare(name) | nodes.Augment(name):
                if reads[name]:
                    kept.append(statement)
            case nodes.If(condition, block, orelse):
                then, other = _remove_unread(block, reads), _remove_unread(orelse, reads)
                if then and then is block and other is orelse:
                    kept.append(statement)
                elif then or other:
                    written = nodes.If(condition, then, other)
                    kept.append(written if then else _negate(written))
            case nodes.For(body=block) | nodes.While(body=block):
                inner = _remove_unread(block, reads)
                if inner:
                    kept.append(statement if inner is block else replace(statement, body=inner))
            case _:
                kept.append(statement)
    return body if len(kept) == len(body) and all(map(is_, kept, body)) else tuple(kept)


def _negate(branch: nodes.If) -> nodes.If:
    """Return a branch whose first block is empty, with its condition negated."""
    return nodes.If(nodes.Logic("not", (branch.condition,)), branch.orelse)
