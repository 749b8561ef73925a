"""Names of Warp's types in each precision of the kernels that are made of forms."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Precision:
    """The types of a kernel.

    Attributes:
        scalar: the type of numbers; also the function that converts a literal.
        letter: the letter of the names of vectors, matrices, quaternions and transforms.
    """

    scalar: str
    letter: str

    @property
    def vec(self) -> str:
        """The type of vectors of three numbers."""
        return f"wp.vec3{self.letter}"

    @property
    def mat(self) -> str:
        """The type of matrices of three rows and columns."""
        return f"wp.mat33{self.letter}"

    @property
    def quat(self) -> str:
        """The type of quaternions."""
        return f"wp.quat{self.letter}"

    @property
    def transform(self) -> str:
        """The type of transforms."""
        return f"wp.transform{self.letter}"

    def number(self, literal: float) -> str:
        """Return a literal of this type."""
        return f"{self.scalar}({literal})"


PRECISIONS = {
    "float": Precision("float", ""),
    "double": Precision("wp.float64", "d"),
    "half": Precision("wp.float16", "h"),
}
"""The precisions by their name on the axis ``dtype``."""


def names(precision: Precision) -> dict[str, str]:
    """Return the names of types by their letters in the texts of this package."""
    return {
        "T": precision.scalar,
        "V": precision.vec,
        "M": precision.mat,
        "Q": precision.quat,
        "X": precision.transform,
    }
