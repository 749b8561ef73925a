"""Functions that are written as formulas with letters for their types."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from warpsmith.scoring.plain.reference.text_types import Composite, Table, Types, function, quat, transform

_LETTER = re.compile(r"\b[TQXVSMKN]\b")


class Formula(NamedTuple):
    """One overload of a function for each type of float.

    Letters stand for types: ``T`` for a float, ``V`` for a vector of three, ``S`` of six, ``M`` for a matrix of 3 x 3,
    ``K`` of 4 x 4, ``N`` of 6 x 6, ``Q`` for a quaternion, ``X`` for a transform. ``$`` stands for the suffix of CUDA's
    functions.

    Attributes:
        result: the type of the result.
        parameters: the parameters.
        body: the statements.
    """

    result: str
    parameters: str
    body: str


def _types_by_letter(scalar: str) -> dict[str, Composite]:
    shapes = {"V": (3,), "S": (6,), "M": (3, 3), "K": (4, 4), "N": (6, 6)}
    composites = {letter: Composite(scalar, shape) for letter, shape in shapes.items()}
    return {**composites, "Q": quat(scalar), "X": transform(scalar)}


def written(name: str, formulas: tuple[Formula, ...], types: Types) -> Iterator[str]:
    """Yield the overloads of a function for the types of a text; it has none for types that the text lacks."""
    for scalar in types.floats:
        composites = _types_by_letter(scalar)
        names = {"T": scalar, **{letter: composite.name for letter, composite in composites.items()}}
        for formula in formulas:
            letters = {*_LETTER.findall(" ".join(formula))} - {"T"}
            if all(composites[letter] in types.composites for letter in letters):
                parts = [_LETTER.sub(lambda found, names=names: names[found[0]], part) for part in formula]  # type: ignore[misc]
                result, parameters, body = parts
                yield function(result, name, parameters, body.replace("$", "f" if scalar == "float" else ""))


def add(table: Table, name: str, *formulas: Formula | tuple[str, str, str]) -> None:
    """Add a function with these formulas to a table."""
    table[name] = partial(written, name, tuple(Formula(*formula) for formula in formulas))
