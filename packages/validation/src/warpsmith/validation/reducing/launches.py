"""Edits of the launch: arguments that the kernel does not use go, from its signature too, and sizes become small."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from warpsmith.extraction.record import Argument, Launch
from warpsmith.validation.reducing.blocks import kernel_of, names

SIZES = (2, 4)
"""What sizes become, if not half of what they are."""


def edits(tree: ast.Module, launch: Launch) -> Iterator[Launch]:
    """Yield launches, with the tree edited to go with each."""
    yield from without_arguments(tree, launch)
    yield from _smaller_sizes(launch)


def without_arguments(tree: ast.Module, launch: Launch) -> Iterator[Launch]:
    """Leave out the arguments that the kernel's body does not name: all of them, then each alone."""
    kernel = kernel_of(tree)
    if kernel is None or len(kernel.args.args) != len(launch.args) or kernel.args.defaults:
        return
    unused = {argument.arg for argument in kernel.args.args} - names(kernel.body)
    groups = [unused] if len(unused) == 1 else [unused, *({name} for name in sorted(unused))]
    for group in groups if unused else []:
        before = kernel.args.args
        kernel.args.args = [argument for argument in before if argument.arg not in group]
        yield replace(launch, args=tuple(argument for argument in launch.args if argument.name not in group))
        kernel.args.args = before


def total(launch: Launch) -> int:
    """All sizes together, to compare launches by."""
    return sum(launch.dim) + sum(sum(argument.shape) + max(_size(argument) or 0, 0) for argument in launch.args)


def _smaller_sizes(launch: Launch) -> Iterator[Launch]:
    """Make one number smaller wherever it is a size: threads, shapes, arguments that are filled with it; then threads alone."""
    sizes = {*launch.dim, *(size for argument in launch.args for size in (*argument.shape, _size(argument) or 0))}
    for old in sorted(sizes, reverse=True):
        for new in sorted({*SIZES, old // 2}):
            if new < old and new in (*SIZES, old // 2) and new >= min(SIZES):
                yield Launch(dim=_resized(launch.dim, old, new), args=tuple(_with_size(one, old, new) for one in launch.args))
    for new in SIZES:
        yield replace(launch, dim=tuple(min(size, new) for size in launch.dim))


def _resized(sizes: tuple[int, ...], old: int, new: int) -> tuple[int, ...]:
    return tuple(new if size == old else size for size in sizes)


def _size(argument: Argument) -> int | None:
    """The size that a plain whole number carries, or None."""
    domain = argument.domain
    if argument.kind != "value" or domain is None or domain.kind != "fill" or "int" not in argument.dtype:
        return None
    return int(domain.low)


def _with_size(argument: Argument, old: int, new: int) -> Argument:
    """The argument where ``old`` is ``new``; whole numbers that were below stay below, because they are indices."""
    domain = argument.domain
    if domain is not None and "int" in argument.dtype:
        if _size(argument) == old:
            domain = replace(domain, low=new, high=new)
        elif domain.kind == "uniform" and domain.low >= 0 and new <= domain.high < old:
            domain = replace(domain, low=min(domain.low, new - 1), high=new - 1)
    return replace(argument, shape=_resized(argument.shape, old, new), domain=domain)
