"""Plain CUDA for Warp's functions: structs of the types in a text, and the functions that the text calls, for these types."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from warpsmith.scoring.plain.reference import (
    linear_functions,
    memory_functions,
    numbers,
    random_functions,
    rotation_functions,
)
from warpsmith.scoring.plain.reference.text_types import Composite, Types, quat

FUNCTIONS = {
    **memory_functions.FUNCTIONS,
    **numbers.FUNCTIONS,
    **linear_functions.FUNCTIONS,
    **rotation_functions.FUNCTIONS,
    **random_functions.FUNCTIONS,
}
"""The functions that write the overloads of a function, by the name in Warp."""

_NEEDS = {**rotation_functions.NEEDS, **random_functions.NEEDS}
"""The functions that a function calls, by its name."""

_ALWAYS = [
    "__device__ bool iter_cmp(range_type r) { return r.step > 0 ? r.at < r.end : r.at > r.end; }",
]


def prelude(types: Iterable[Composite], scalars: Iterable[str], called: Iterable[str], structs: Mapping[str, str]) -> str:
    """Return structs and functions for a text.

    Args:
        types: the vectors, matrices, quaternions and transforms in the text; types that functions need besides are added.
        scalars: the C types of its numbers.
        called: the names of Warp's functions that it calls.
        structs: the members of its structs by name.

    Raises:
        KeyError: if a function is not known.
    """
    composites = sorted({*types, *_related(set(types))})
    known = Types(
        sorted({*scalars, *(composite.scalar for composite in composites), "int", "float"}), composites, list(structs)
    )
    lines = [f"struct {composite.name} {{ {composite.scalar} c[{composite.size}]; }};" for composite in composites]
    lines += [f"struct {name} {{ {members} }};" for name, members in structs.items()]
    lines += ["struct shape_type { int dims[4]; };", "struct range_type { int at; int end; int step; };"]
    lines += [f"struct array_{name.replace(' ', '_')} {{ {name}* data; shape_type shape; }};" for name in known.names]
    lines += _ALWAYS
    for name in _ordered(called):
        lines += FUNCTIONS[name](known)
    return "\n".join(lines) + "\n\n"


def _ordered(called: Iterable[str]) -> list[str]:
    """Return the names of functions and of the functions that they call, each behind the functions that it calls."""
    names: dict[str, None] = {}
    for name in sorted(set(called)):
        names.update(dict.fromkeys([*_ordered(_NEEDS.get(name, ())), name]))
    return list(names)


def _related(types: set[Composite]) -> Iterator[Composite]:
    for composite in types:
        if composite.kind or composite.shape == (6,):
            yield Composite(composite.scalar, (3,))
        if composite.kind:
            yield quat(composite.scalar)
            yield Composite(composite.scalar, (3, 3))
        elif len(composite.shape) == 2:
            rows, columns = composite.shape
            yield Composite(composite.scalar, (columns, rows))
            yield Composite(composite.scalar, (columns,))
            yield Composite(composite.scalar, (rows,))
        else:
            yield Composite(composite.scalar, composite.shape * 2)
