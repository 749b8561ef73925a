"""The Warp types that kernels are written with, one row each.

``name`` is Warp's canonical name, the one that a pair's ``launch`` uses; ``spelling`` is how people write the type.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Type:
    """A scalar, vector or matrix type; there is one object of each.

    Attributes:
        name: Warp's canonical name, such as ``"vec3f"``.
        spelling: the type in source text, such as ``"wp.vec3"``.
        scalar: canonical name of the component type; the type's own name for scalars.
        shape: ``()`` for scalars, ``(length,)`` for vectors, ``(rows, columns)`` for matrices.
    """

    name: str
    spelling: str
    scalar: str
    shape: tuple[int, ...] = ()

    @property
    def is_vector(self) -> bool:
        """Whether this is a vector type."""
        return len(self.shape) == 1

    @property
    def is_matrix(self) -> bool:
        """Whether this is a matrix type."""
        return len(self.shape) == 2


FLOAT = Type("float32", "float", "float32")
INT = Type("int32", "int", "int32")
BOOL = Type("bool", "bool", "bool")
VEC2 = Type("vec2f", "wp.vec2", "float32", (2,))
VEC3 = Type("vec3f", "wp.vec3", "float32", (3,))
VEC4 = Type("vec4f", "wp.vec4", "float32", (4,))
MAT22 = Type("mat22f", "wp.mat22", "float32", (2, 2))
MAT33 = Type("mat33f", "wp.mat33", "float32", (3, 3))
MAT44 = Type("mat44f", "wp.mat44", "float32", (4, 4))

TYPES = {row.name: row for row in (FLOAT, INT, BOOL, VEC2, VEC3, VEC4, MAT22, MAT33, MAT44)}

VECTORS = (VEC2, VEC3, VEC4)
MATRICES = (MAT22, MAT33, MAT44)

VECTOR_OF = {2: VEC2, 3: VEC3, 4: VEC4}
"""The vector type of each length."""

MATRIX_OF = {2: MAT22, 3: MAT33, 4: MAT44}
"""The square matrix type of each size."""

WARP_SPELLING = {"float32": "wp.float32", "int32": "wp.int32", "bool": "wp.bool"}
"""The other way to write the scalar types that Python has names for."""
