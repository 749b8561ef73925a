"""What the sizes of a kernel are: arguments, products of two sizes, or literals; and the order of parameters."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from warpsmith.core.records.syntax_walks import walk
from warpsmith.scoring.cuda_writer.function_scope import Scope
from warpsmith.scoring.cuda_writer.sizes.equal_sizes import EqualSizes
from warpsmith.scoring.cuda_writer.sizes.launch_sizes_code import Sizes, Source, size
from warpsmith.scoring.cuda_writer.sizes.thread_index import Bound
from warpsmith.scoring.plain.plain_signature import Parameter
from warpsmith.validation.oracle.interpreter.module_values import dotted


def with_literal_indices(node: ast.FunctionDef, names: set[str]) -> frozenset[str]:
    """Return those of some arrays with two axes whose second index is a literal wherever the kernel uses them."""
    used, literal = [], []
    for part in walk(node):
        match part:
            case ast.Name() | ast.Attribute() if dotted(part) in names:
                used.append(dotted(part))
            case ast.Subscript(array, ast.Tuple([_, ast.Constant()])):
                literal.append(dotted(array))
            case ast.Call(ast.Attribute(_, name), [array, _, ast.Constant(), _]) if name.startswith("atomic_"):
                literal.append(dotted(array))
    return frozenset(name for name in names if used.count(name) == literal.count(name))


def in_order(
    arguments: Sequence[Parameter], sizes: Sequence[Parameter], is_size: Callable[[str], bool], *, sizes_first: bool
) -> tuple[Parameter, ...]:
    """Return parameters in order: arrays that are read, arrays that are written, values, and sizes at one end."""
    arrays = [each for each in arguments if each.ctype.endswith("*")]
    values = [each for each in arguments if not each.ctype.endswith("*")]
    counts = [each for each in values if is_size(each.argument)]
    scalars = [each for each in values if each not in counts]
    inputs = [each for each in arrays if each.ctype.startswith("const ")]
    outputs = [each for each in arrays if each not in inputs]
    last = [*counts, *sizes]
    return (*last, *inputs, *outputs, *scalars) if sizes_first else (*inputs, *outputs, *scalars, *last)


def bound_of_threads(sizes: Sizes, name: str, dimension: int) -> Bound | None:
    """Return the argument that is the number of threads in a dimension: the Python shows it, or the name says it.

    Args:
        sizes: the sizes of the text.
        name: the name of the number of threads.
        dimension: the dimension.
    """
    count = sizes.count(("", dimension))
    if count is None and sizes.shares and name in sizes.counts:
        source = (name, -1)
        if size(source, sizes.launch, sizes.values) == sizes.launch.dim[dimension]:
            count = sizes.counts[name], source
    if count is None:
        return None
    sizes.equal.append((count[1], ("", dimension)))
    return Bound(*count)


def take_product(sizes: Sizes, equal: EqualSizes, scope: Scope, dimension: int) -> bool:
    """Take the product of two sizes as the number of threads if the Python divides the index by the second one."""
    if not sizes.shares or dimension not in equal.products:
        return False
    names: list[tuple[str, Source]] = []
    for factor in equal.products[dimension]:
        count = sizes.count(factor)
        if count is None and (factor[1] < 0 or not factor[0]):
            return False
        names.append(count or (scope.arrays[factor[0]].size(factor[1]).text, factor))
    (first, rows), (second, columns) = names
    if not (first.isidentifier() and second.isidentifier()):
        return False
    sizes.bounds.append((f"{first} * {second}", ("", dimension)))
    sizes.products.append((dimension, rows, columns))
    return True
