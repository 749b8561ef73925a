"""Properties of Warp's types that have no public name."""

from __future__ import annotations

from typing import Any, NamedTuple

from warpsmith.extraction.warp.private import warp_codegen, warp_types

Struct: Any = warp_codegen.Struct
"""The class of objects that ``@wp.struct`` creates."""


class CompositeType(NamedTuple):
    """The template of a vector, matrix, quaternion or transform type (``"vec_t"``, …), its shape and its scalar type."""

    template: str | None
    shape: tuple[int, ...]
    scalar: Any


def array_class(annotation: Any) -> str | None:
    """Return the name of the array class of an annotation, such as ``"indexedarray"``; None for other types."""
    array = warp_types.concrete_array_type(annotation) if hasattr(annotation, "ndim") else None
    return array.__name__ if array is not None else None


def composite_type(cls: type) -> CompositeType | None:
    """Return the parts of a composite type, or None for other types."""
    scalar, shape = getattr(cls, "_wp_scalar_type_", None), shape_of(cls)
    if scalar is None or shape is None:
        return None
    return CompositeType(getattr(cls, "_wp_generic_type_str_", None), shape, scalar)


def shape_of(value: Any) -> tuple[int, ...] | None:
    """Return the shape of a composite value or type, or None for scalars and other objects."""
    return getattr(value, "_shape_", None)
