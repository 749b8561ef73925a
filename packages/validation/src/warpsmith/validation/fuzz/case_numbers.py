"""The numbers that the arguments of cases have, as `case_worker` makes them."""

from __future__ import annotations

import numpy as np

from warpsmith.validation.fuzz.grammar.form_file import Parameter


def numbers(name: str, shape: tuple[int, ...]) -> np.ndarray:
    """Return the numbers of an input: distinct ones between 0.5 and 1.5; `case_worker.numbers` has the same formula."""
    offset = sum(name.encode()) * 0.381966
    flat = 0.5 + (np.arange(int(np.prod(shape))) * 0.6180339887 + offset) % 1.0
    return flat.reshape(shape)


def content(parameter: Parameter) -> np.ndarray:
    """Return the numbers of an array before the launch; the members of structs are not among them."""
    shape = (*parameter.shape, 3) if parameter.element == "vec" else parameter.shape
    if parameter.numbers:
        return np.array(parameter.numbers, dtype=float).reshape(shape)
    return numbers(parameter.name, shape) if parameter.role in {"input", "inout"} else np.zeros(shape)
