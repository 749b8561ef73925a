"""The element of an argument at which an adjoint and central differences disagree, and its form in the reason of a verdict."""

from __future__ import annotations

import re
from dataclasses import dataclass

_NUMBER = r"(-?[\w.+-]+)"
_DIRECTION = re.compile(rf"the adjoint gives {_NUMBER}, central differences {_NUMBER} along a random direction")
_ELEMENT = re.compile(rf"; of (([A-Za-z_][\w.]*)[\[\d, \]]*): {_NUMBER} instead of {_NUMBER}$")


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A gradient that is wrong.

    The figures are derivatives of a weighted sum of all outputs.

    Attributes:
        argument: the name of the argument, or of a member such as ``body.mass``; empty if the figures belong to a random
            direction in all inputs.
        element: the element, such as ``x[3]``, or ``v[3][1]`` for a component of a vector; empty like ``argument``.
        got: the derivative by Warp's adjoint.
        expected: the derivative by central differences.

    Examples:
        >>> Disagreement("x", "x[3]", 48.0, 8.0).text
        '; of x[3]: 48 instead of 8'
    """

    argument: str
    element: str
    got: float
    expected: float

    @property
    def index(self) -> tuple[int, ...]:
        """The index of the element in an array of numbers: ``v[3][1]`` is the number (3, 1)."""
        return tuple(int(number) for number in re.findall(r"\d+", self.element.removeprefix(self.argument)))

    @property
    def text(self) -> str:
        """The end of the reason of a verdict, see `parse_disagreement`."""
        return f"; of {self.element}: {self.got:.6g} instead of {self.expected:.6g}"


def parse_disagreement(reason: str) -> Disagreement | None:
    """Return the figures in a reason of level ``gradient``: those of one element if it has any; None for other reasons.

    Examples:
        >>> reason = "the adjoint gives 7, central differences 5 along a random direction"
        >>> parse_disagreement(reason)
        Disagreement(argument='', element='', got=7.0, expected=5.0)
        >>> parse_disagreement(f"{reason}; of v[3][1]: 48 instead of 8").element
        'v[3][1]'
    """
    try:
        if (match := _ELEMENT.search(reason)) is not None:
            return Disagreement(match[2], match[1], float(match[3]), float(match[4]))
        if (match := _DIRECTION.search(reason)) is not None:
            return Disagreement("", "", float(match[1]), float(match[2]))
    except ValueError:  # the reason comes from a worker, which may answer anything
        pass
    return None


def is_about_gradient(reason: str) -> bool:
    """Return whether the reason of a failure shows a wrong gradient, instead of a check that did not end.

    Examples:
        >>> is_about_gradient("the worker died: SIGSEGV")
        False
    """
    return parse_disagreement(reason) is not None or "the gradient is not finite" in reason
