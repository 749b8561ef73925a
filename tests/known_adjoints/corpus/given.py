"""The arguments of launches from a file of numbers; the programs that launch probes import this module."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import numpy as np
import warp as wp

FILE = "PROBE_INPUTS"
"""The environment variable with the file of numbers: an array for each leaf, named ``<number>.<leaf>``."""


def inputs(kernel: Any, number: int, numbers: Mapping[str, np.ndarray] | None = None) -> list[Any]:
    """Return the arguments of a launch.

    Args:
        kernel: the kernel.
        number: the number of its probe.
        numbers: the numbers of all leaves; by default, those in the file.
    """
    numbers = np.load(os.environ[FILE]) if numbers is None else numbers
    return [_argument(f"{number}.{arg.label}", arg.type, numbers) for arg in kernel.adj.args]


def launched(kernel: Any, dim: tuple[int, ...], arguments: list[Any], block: int = 0) -> None:
    """Launch a kernel on the CPU."""
    if block:
        wp.launch_tiled(kernel, dim=dim, inputs=arguments, block_dim=block, device="cpu")
    else:
        wp.launch(kernel, dim=dim, inputs=arguments, device="cpu")


def _argument(key: str, dtype: Any, numbers: Mapping[str, np.ndarray]) -> Any:
    if not isinstance(dtype, wp.array):
        return _struct(key, dtype, numbers) if isinstance(dtype, wp._src.codegen.Struct) else _number(dtype, numbers[key])
    if isinstance(dtype.dtype, wp._src.codegen.Struct):
        return _elements(key, dtype.dtype, numbers)
    return wp.array(numbers[key], dtype=dtype.dtype, device="cpu", requires_grad=_real(dtype.dtype))


def _real(dtype: Any) -> bool:
    scalar = getattr(dtype, "_wp_scalar_type_", dtype)
    return scalar in {wp.float16, wp.float32, wp.float64}


def _number(dtype: Any, value: np.ndarray) -> Any:
    return value.item() if value.ndim == 0 else dtype(*value.ravel().tolist())


def _struct(key: str, struct: Any, numbers: Mapping[str, np.ndarray]) -> Any:
    made = struct()
    for name, var in struct.vars.items():
        setattr(made, name, _argument(f"{key}.{name}", var.type, numbers))
    return made


def _elements(key: str, struct: Any, numbers: Mapping[str, np.ndarray]) -> Any:
    """Return an array of structs, one member of which at least is a scalar."""
    members = {name: numbers[f"{key}.{name}"] for name in struct.vars}
    data = np.zeros(min((values.shape for values in members.values()), key=len), struct.numpy_dtype())
    for name, values in members.items():
        data[name] = values
    return wp.array(data, dtype=struct, device="cpu", requires_grad=True)
