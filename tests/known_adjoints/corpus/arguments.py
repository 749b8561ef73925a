"""The arguments of a probe's launch: their types from Warp's signature, their values from the probe."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import Any

import numpy as np
import warp as wp

from known_adjoints.corpus.probe import Probe
from warpsmith.core.inputs.elements import element
from warpsmith.core.records.launch import Argument, Domain

SHAPES = {1: (8,), 2: (8, 5), 3: (8, 5, 3)}
"""The shapes of arrays by their number of dimensions."""

Values = dict[str, np.ndarray]
"""The numbers of each leaf, by names such as ``x`` and ``s.x``."""


def arguments(probe: Probe, kernel: Any) -> tuple[tuple[Argument, ...], Values]:
    """Return the arguments of a launch and the numbers of all leaves.

    Args:
        probe: the probe.
        kernel: its kernel as a live object of Warp.
    """
    values: Values = {}
    return tuple(_argument(probe, one.label, one.type, values) for one in kernel.adj.args), values


def _argument(probe: Probe, name: str, dtype: Any, values: Values, inside: tuple[int, ...] | None = None) -> Argument:
    """Return an argument or a member; ``inside`` is the shape of the array whose elements have the member."""
    short = name.rpartition(".")[2]
    role: Any = "output" if short.startswith("out") else "inout" if short.startswith("io") else "input"
    if isinstance(dtype, wp.array):
        shape = probe.shapes.get(short) or _stored_shape(probe, short, dtype) or SHAPES[dtype.ndim]
        if isinstance(dtype.dtype, wp._src.codegen.Struct):
            fields = _fields(probe, name, dtype.dtype, values, shape)
            return Argument(name=short, kind="array", dtype=dtype.dtype.key, role=role, shape=shape, domain=None, fields=fields)
        return _leaf(probe, name, "array", dtype.dtype.__name__, role, shape, values, ())
    if isinstance(dtype, wp._src.codegen.Struct):
        fields = _fields(probe, name, dtype, values, None)
        role = "inout" if len({one.role for one in fields}) > 1 else fields[0].role
        return Argument(name=short, kind="struct", dtype=dtype.key, role=role, shape=(), domain=None, fields=fields)
    return _leaf(probe, name, "value", dtype.__name__, role, (), values, inside or ())


def _fields(probe: Probe, name: str, struct: Any, values: Values, inside: tuple[int, ...] | None) -> tuple[Argument, ...]:
    return tuple(_argument(probe, f"{name}.{key}", var.type, values, inside) for key, var in struct.vars.items())


def _stored_shape(probe: Probe, name: str, dtype: Any) -> tuple[int, ...]:
    given = probe.values.get(name)
    return np.shape(given)[: dtype.ndim] if isinstance(given, (list, np.ndarray)) else ()


def _leaf(
    probe: Probe, name: str, kind: Any, dtype: str, role: Any, shape: tuple[int, ...], values: Values, around: tuple[int, ...]
) -> Argument:
    short = name.rpartition(".")[2]
    scalar, components = element({"float": "float32", "int": "int32"}.get(dtype, dtype))
    given = probe.values.get(short, _usual(kind, role, dtype, scalar))
    whole = (*around, *shape, *components)
    domain, values[name] = _drawn(given, scalar, whole, np.random.default_rng(zlib.crc32(f"{name} {probe.source}".encode())))
    canonical = {"float": "float32", "int": "int32"}.get(dtype, dtype)
    return Argument(name=short, kind=kind, dtype=canonical, role=role, shape=shape, domain=domain)


def _usual(kind: str, role: str, dtype: str, scalar: Any) -> Any:
    if role == "output":
        return 0
    if np.issubdtype(scalar, np.floating):
        return (
            "unit"
            if dtype.startswith(("quat", "transform"))
            else (0.5, 1.5)
            if kind == "array" or dtype[-2:-1].isdigit()
            else 0.7
        )
    return (0, 7) if kind == "array" else 4


def _drawn(given: Any, scalar: Any, shape: tuple[int, ...], rng: np.random.Generator) -> tuple[Domain, np.ndarray]:
    if isinstance(given, (list, np.ndarray)):
        numbers = np.broadcast_to(np.asarray(given, scalar), shape).copy()
        return Domain(kind="stored", low=numbers.min().item(), high=numbers.max().item()), numbers
    if given == "unit":
        numbers = rng.normal(size=shape)
        part = numbers[..., -4:] if shape[-1] == 7 else numbers
        part /= np.linalg.norm(part, axis=-1, keepdims=True)
        return Domain(kind="unit", low=-1.0, high=1.0), numbers.astype(scalar)
    if isinstance(given, tuple):
        draw = (
            rng.uniform
            if np.issubdtype(scalar, np.floating)
            else lambda low, high, size: rng.integers(low, high, size, endpoint=True)
        )
        return Domain(kind="uniform", low=given[0], high=given[1]), draw(*given, shape).astype(scalar)
    return Domain(kind="fill", low=given, high=given), np.full(shape, given, scalar)


def leaves(args: tuple[Argument, ...], before: str = "") -> Iterator[tuple[str, Argument]]:
    """Yield the leaves of arguments with their names."""
    for argument in args:
        if argument.fields:
            yield from leaves(argument.fields, f"{before}{argument.name}.")
        else:
            yield f"{before}{argument.name}", argument
