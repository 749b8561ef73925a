"""Edits of the launch: remove arguments, also from the kernel, and reduce sizes."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from warpsmith.core.inputs.elements import element
from warpsmith.core.inputs.launch_objects import is_stored
from warpsmith.core.inputs.stored import decode_values, encode_values
from warpsmith.core.inputs.values import leaves
from warpsmith.core.records.launch import Argument, Launch
from warpsmith.validation.reduction.statement_edits import blocks_of, kernel_of, names

SIZES = (2, 4)
"""The sizes that are tried besides one half."""


def edits(tree: ast.Module, launch: Launch) -> Iterator[Launch]:
    """Yield launches while the tree is edited to match, the largest edits first."""
    yield from _without_unused(tree, launch)
    yield from _without_written(tree, launch)


def _without_unused(tree: ast.Module, launch: Launch) -> Iterator[Launch]:
    """Remove the arguments that the body of the kernel does not use: all at once, then one at a time."""
    kernel = kernel_of(tree)
    if kernel is None:
        return
    unused = {argument.name for argument in launch.args} - names(kernel.body)
    groups = [unused] if len(unused) == 1 else [unused, *({name} for name in sorted(unused))]
    for group in groups if unused else []:
        yield from _without(kernel, launch, group)


def _without_written(tree: ast.Module, launch: Launch) -> Iterator[Launch]:
    """Remove one array that the kernel writes, together with the statements that write it."""
    kernel = kernel_of(tree)
    if kernel is None:
        return
    for argument in launch.args:
        if argument.role == "input":
            continue
        blocks = [(block, block[:]) for block, _ in blocks_of(kernel)]
        for block, statements in blocks:
            block[:] = [statement for statement in statements if not _writes(statement, argument.name)]
        if all(block for block, _ in blocks):
            yield from _without(kernel, launch, {argument.name})
        for block, statements in blocks:
            block[:] = statements


def _without(kernel: ast.FunctionDef, launch: Launch, group: set[str]) -> Iterator[Launch]:
    before = kernel.args.args
    if len(before) != len(launch.args) or kernel.args.defaults:
        return
    kernel.args.args = [argument for argument in before if argument.arg not in group]
    yield launch.with_args(argument for argument in launch.args if argument.name not in group)
    kernel.args.args = before


def _writes(statement: ast.stmt, name: str) -> bool:
    """Return whether a statement only writes the array ``name``."""
    match statement:
        case ast.Assign([ast.Subscript(ast.Name(target))]) | ast.AugAssign(ast.Subscript(ast.Name(target))):
            return target == name
        case ast.Expr(ast.Call(_, [ast.Name(target), *_])):
            return target == name
    return False


def total(launch: Launch) -> int:
    """Return the sum of all sizes, to compare launches."""
    return sum(launch.dim) + sum(sum(argument.shape) + max(_size(argument) or 0, 0) for argument in launch.args)


def smaller_sizes(launch: Launch) -> Iterator[Launch]:
    """Reduce one size everywhere: threads, shapes and arguments filled with it; then threads alone."""
    sizes = {*launch.dim, *(size for argument in launch.args for size in (*argument.shape, _size(argument) or 0))}
    for old in sorted(sizes, reverse=True):
        for new in sorted({*SIZES, old // 2}):
            if new < old and new in (*SIZES, old // 2) and new >= min(SIZES):
                args = tuple(_with_size(argument, old, new) for argument in launch.args)
                yield _with_stored_parts(launch, Launch(dim=_resized(launch.dim, old, new), args=args))
    for new in SIZES:
        yield replace(launch, dim=tuple(min(size, new) for size in launch.dim))


def _with_stored_parts(before: Launch, after: Launch) -> Launch:
    """Return ``after`` with the stored values of ``before``: of arrays that are smaller now, the first elements."""
    sizes = {leaf.name: leaf.shape for leaf in leaves(after)}
    stored = dict(before.stored)
    for leaf in leaves(before):
        if leaf.name in stored and sizes[leaf.name] != leaf.shape:
            scalar, inner = element(leaf.dtype)
            values = decode_values(stored[leaf.name], scalar, (*leaf.shape, *inner))
            stored[leaf.name] = encode_values(values[tuple(slice(length) for length in sizes[leaf.name])])
    return replace(after, stored=stored)


def _resized(sizes: tuple[int, ...], old: int, new: int) -> tuple[int, ...]:
    return tuple(new if size == old else size for size in sizes)


def _size(argument: Argument) -> int | None:
    """Return the size in an integer argument, or None."""
    domain = argument.domain
    if argument.kind != "value" or domain is None or domain.kind != "fill" or "int" not in argument.dtype:
        return None
    return int(domain.low)


def _with_size(argument: Argument, old: int, new: int) -> Argument:
    """Replace the size ``old`` by ``new``; integers below the old size stay below the new one, because they are indices.

    Objects and indexed arrays with stored values keep their size.
    """
    if is_stored(argument) and argument.kind not in ("value", "array"):
        return argument
    domain = argument.domain
    if domain is not None and "int" in argument.dtype:
        if _size(argument) == old:
            domain = replace(domain, low=new, high=new)
        elif domain.kind == "offsets" and domain.high == old:
            domain = replace(domain, high=new)
        elif domain.kind in ("uniform", "sorted", "permutation") and domain.low >= 0 and new <= domain.high < old:
            domain = replace(domain, low=min(domain.low, new - 1), high=new - 1)
    return replace(argument, shape=_resized(argument.shape, old, new), domain=domain)
