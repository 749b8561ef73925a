"""How far results depend on rounding: the same kernel with other last bits of inputs, and of results of the C library.

Some results show nothing about the generated code: the direction of a vector whose exact length is zero, or a number that is
rounded to half precision from the middle between two halves. Another order of the same roundings changes them at will.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from warpsmith.core.inputs.values import Values, generator
from warpsmith.validation.oracle.values.choices import CHOICES
from warpsmith.validation.oracle.values.interpretation_errors import Exhausted, Undefined, Unsupported

RUNS = 12
"""How many sets of inputs are tried. A sign that rounding decides stays the same in all of them for one of 4,000 elements."""

PERTURBATION = 2.0**-22
"""The largest relative change of an input in single precision, two to four units in the last place."""

_NUMBER = re.compile(r"(?<![\w.])\d+\.?\d*(?:e-?\d+)?(?![\w.])")

_INEXACT = re.compile(
    r"\*\*|@(?!wp\.)|\bwp\.(?:a?(?:sin|cos|tan)h?|atan2|exp|log\w*|pow|cbrt|erf\w*|randn|sample_\w+|quat\w*|mat\w*|transform\w*|spatial\w*|tile\w*)\b"
)
"""Operations that different code may round differently: functions of the C library, and products of matrices and rotations."""

Results = Mapping[str, Values]


def spreads(
    run: Callable[[Results], Results], values: Results, results: Results, key: str, source: str = ""
) -> dict[str, Values]:
    """Return by name how far each element of the results moves when the last bits of the inputs change.

    Inputs that are numbers of the Python stay as they are in kernels whose operations round in one way only: a comparison with
    such a number does not depend on rounding then.

    Args:
        run: interprets the kernel with other values of the arguments.
        values: the values of the arguments.
        results: the results with these values.
        key: what the changes are drawn from.
        source: the Python.
    """
    exact = [] if _INEXACT.search(source) else [float(number) for number in _NUMBER.findall(source)]
    found = {name: np.zeros(array.shape) for name, array in results.items() if array.dtype.names is None}
    for number in range(RUNS):
        CHOICES.last_bits = generator(f"{key}/library {number}")
        try:
            perturbed = run({name: _perturbed(array, f"{key}/{name}/{number}", exact) for name, array in values.items()})
        except (Undefined, Exhausted, Unsupported):
            continue
        finally:
            CHOICES.last_bits = None
        for name, largest in found.items():
            with np.errstate(invalid="ignore"):
                moved = np.abs(perturbed[name].astype(np.float64) - results[name].astype(np.float64))
            np.fmax(largest, moved, out=largest)
    return found


def _perturbed(array: Values, key: str, exact: Sequence[float]) -> Values:
    """Return an array with other last bits, except in elements that are one of the ``exact`` numbers."""
    if array.dtype.kind != "f":
        return array
    largest = max(PERTURBATION, 4.0 * float(np.finfo(array.dtype).eps)) if array.dtype.itemsize < 8 else 2.0**-51
    factors = 1.0 + largest * generator(key).uniform(-1.0, 1.0, array.shape)
    return np.where(np.isin(array, np.asarray(exact, array.dtype)), array, np.asarray(array * factors, array.dtype))
