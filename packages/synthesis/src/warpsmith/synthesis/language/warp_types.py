"""The Warp types that kernels use, one row each.

``name`` is Warp's canonical name, which a pair's ``launch`` uses; ``spelling`` is the usual way to write the type.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct


class Type(Struct, frozen=True, eq=False, gc=False):
    """A scalar, vector or matrix type; there is one object of each.

    Attributes:
        name: Warp's canonical name, such as ``"vec3f"``.
        spelling: the type in source text, such as ``"wp.vec3"``.
        scalar: the canonical name of the component type; for scalars the same as ``name``.
        shape: ``()`` for scalars, ``(length,)`` for vectors, ``(rows, columns)`` for matrices.
        family: ``"rotation"`` for quaternions, transforms, spatial vectors and matrices, which have a different algebra.
    """

    name: str
    spelling: str
    scalar: str
    shape: tuple[int, ...] = ()
    family: Literal["plain", "rotation"] = "plain"

    @property
    def is_vector(self) -> bool:
        """Whether this is a vector type."""
        return len(self.shape) == 1 and self.family == "plain"

    @property
    def is_matrix(self) -> bool:
        """Whether this is a matrix type."""
        return len(self.shape) == 2 and self.family == "plain"

    @property
    def is_float(self) -> bool:
        """Whether the components are floats."""
        return self.scalar.startswith("float")


FLOAT = Type("float32", "float", "float32")
INT = Type("int32", "int", "int32")
BOOL = Type("bool", "bool", "bool")
VEC2 = Type("vec2f", "wp.vec2", "float32", (2,))
VEC3 = Type("vec3f", "wp.vec3", "float32", (3,))
VEC4 = Type("vec4f", "wp.vec4", "float32", (4,))
MAT22 = Type("mat22f", "wp.mat22", "float32", (2, 2))
MAT33 = Type("mat33f", "wp.mat33", "float32", (3, 3))
MAT44 = Type("mat44f", "wp.mat44", "float32", (4, 4))

VECTORS = (VEC2, VEC3, VEC4)
MATRICES = (MAT22, MAT33, MAT44)

VECTOR_OF = {2: VEC2, 3: VEC3, 4: VEC4}
"""The vector type of each length."""

MATRIX_OF = {2: MAT22, 3: MAT33, 4: MAT44}
"""The square matrix type of each size."""

QUAT = Type("quatf", "wp.quat", "float32", (4,), "rotation")
TRANSFORM = Type("transformf", "wp.transform", "float32", (7,), "rotation")
SPATIAL_VECTOR = Type("spatial_vectorf", "wp.spatial_vector", "float32", (6,), "rotation")
SPATIAL_MATRIX = Type("spatial_matrixf", "wp.spatial_matrix", "float32", (6, 6), "rotation")

ROTATIONS = (QUAT, TRANSFORM, SPATIAL_VECTOR, SPATIAL_MATRIX)

_LETTERS = {"float16": "h", "float32": "f", "float64": "d", "int8": "b", "uint8": "ub", "int16": "s", "uint16": "us",
            "int32": "i", "uint32": "ui", "int64": "l", "uint64": "ul"}  # fmt: skip
"""The suffix of Warp's vector names for each scalar type."""

_NAMED = (FLOAT, INT, BOOL, *VECTORS, *MATRICES, *ROTATIONS)


def _other_widths() -> list[Type]:
    """Return the types of other widths, which are spelled like Warp's names."""
    known = {row.name for row in _NAMED}
    types = [Type(name, f"wp.{name}", name) for name in _LETTERS]
    for scalar, letter in _LETTERS.items():
        types += [Type(f"vec{size}{letter}", f"wp.vec{size}{letter}", scalar, (size,)) for size in (2, 3, 4)]
    for scalar in ("float16", "float32", "float64"):
        letter = _LETTERS[scalar]
        types += [Type(f"mat{size}{size}{letter}", f"wp.mat{size}{size}{letter}", scalar, (size, size)) for size in (2, 3, 4)]
        for stem, shape in (("quat", (4,)), ("transform", (7,)), ("spatial_vector", (6,)), ("spatial_matrix", (6, 6))):
            types.append(Type(f"{stem}{letter}", f"wp.{stem}{letter}", scalar, shape, "rotation"))
    return [row for row in types if row.name not in known]


TYPES = {row.name: row for row in (*_NAMED, *_other_widths())}
"""Every value type by its canonical name; the most common types come first."""

WARP_SPELLING = {"float32": "wp.float32", "int32": "wp.int32", "bool": "wp.bool"}
"""The alternative spelling of the scalar types that Python has names for."""
