"""What nobody would leave in their code is taken out: locals, helpers, parameters and constants that nothing reads."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace

from warpsmith.synthesis.language import nodes
from warpsmith.synthesis.language.nodes import Kernel, Stmt
from warpsmith.synthesis.language.walk import expressions, statements, subexpressions


def tidy(kernel: Kernel) -> Kernel:
    """Return the kernel without what nothing reads."""
    functions = tuple(replace(function, body=_live(function.body, _reads(function.body))) for function in kernel.functions)
    body = kernel.body
    while True:
        reads = _reads(body)
        smaller = _live(body, reads)
        if smaller == body:
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


def _reads(body: tuple[Stmt, ...]) -> Counter[str]:
    """How often each name is read; written arrays count as read, calls count under ``()name``."""
    found: Counter[str] = Counter()
    for statement in statements(body):
        if isinstance(statement, nodes.Store | nodes.Atomic):
            found[statement.array] += 1
        if isinstance(statement, nodes.Verbatim):
            found.update(_NAME.findall(statement.text))
        for expr in expressions(statement):
            for part in subexpressions(expr):
                if isinstance(part, nodes.Name):
                    found[part.name] += 1
                elif isinstance(part, nodes.Load | nodes.Size):
                    found[part.array] += 1
                elif isinstance(part, nodes.Call):
                    found[f"(){part.function}"] += 1
    return found


_NAME = re.compile(r"[A-Za-z_]\w*")


def _live(body: tuple[Stmt, ...], reads: Counter[str]) -> tuple[Stmt, ...]:
    kept: list[Stmt] = []
    for statement in body:
        match statement:
            case nodes.Assign(name) | nodes.Declare(name) | nodes.Augment(name) if not reads[name]:
                continue
            case nodes.If(_, block, orelse):
                written = replace(statement, body=_live(block, reads), orelse=_live(orelse, reads))
                if not written.body and not written.orelse:
                    continue
                statement = written if written.body else _turned(written)  # noqa: PLW2901 - the same statement, smaller
            case nodes.For(body=block) | nodes.While(body=block):
                statement = replace(statement, body=_live(block, reads))  # noqa: PLW2901 - the same statement, smaller
                if not statement.body:
                    continue
        kept.append(statement)
    return tuple(kept)


def _turned(branch: nodes.If) -> nodes.If:
    """A branch whose first block is empty, with its condition negated."""
    return nodes.If(nodes.Logic("not", (branch.condition,)), branch.orelse)
