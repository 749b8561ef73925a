"""Properties of Warp's types that have no public name."""

from __future__ import annotations

from typing import Any, NamedTuple

from warpsmith.extraction.warp.private import warp_codegen, warp_types

Struct: Any = warp_codegen.Struct
"""The class of objects that ``@wp.struct`` creates."""


class CompositeType(NamedTuple):
    """The template of a vector, matrix, quaternion or transform type (``"vec_t"``, …), its shape and its scalar type.

    Attributes:
        template: Warp's name of the template, None for the types that have a class of their own.
        shape: the sizes; 0 where a generic type leaves the size open.
        scalar: the type of the components; a type variable or ``Any`` for generic types.
        parameters: the sizes as they were given, with ``Any`` where the size is open.
    """

    template: str | None
    shape: tuple[int, ...]
    scalar: Any
    parameters: tuple[Any, ...] = ()


def array_class(annotation: Any) -> str | None:
    """Return the name of the array class of an annotation, such as ``"indexedarray"``; None for other types."""
    array = warp_types.concrete_array_type(annotation) if hasattr(annotation, "ndim") else None
    return array.__name__ if array is not None else None


def composite_type(cls: type) -> CompositeType | None:
    """Return the parts of a composite type, or None for other types."""
    scalar, shape = getattr(cls, "_wp_scalar_type_", None), shape_of(cls)
    if scalar is None or shape is None:
        return None
    parameters = tuple(getattr(cls, "_wp_type_params_", (*shape, scalar))[:-1])
    return CompositeType(getattr(cls, "_wp_generic_type_str_", None), tuple(shape), scalar, parameters)


def shape_of(value: Any) -> tuple[int, ...] | None:
    """Return the shape of a composite value or type, or None for scalars and other objects."""
    return getattr(value, "_shape_", None)


def is_constant(value: Any) -> bool:
    """Return whether Warp writes ``value`` as a constant: a number, or a composite value."""
    return bool(warp_types.is_value(value))


def is_generic(annotation: Any) -> bool:
    """Return whether an annotation leaves a type open."""
    return bool(warp_types.type_is_generic(annotation))


def fits(concrete: Any, template: Any) -> bool:
    """Return whether a type may take the place of a template, such as ``Any`` or a type variable."""
    return bool(warp_types.type_matches_template(concrete, template))
