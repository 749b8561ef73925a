"""A pattern of real code: a kernel, a launch as a program makes it, and the verdicts that are right for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from textwrap import dedent
from typing import Any

import numpy as np
import warp as wp

from warpsmith.core.inputs.stored import encode_values
from warpsmith.core.records.encoding import encode
from warpsmith.core.records.jsonl import Line, decode
from warpsmith.core.records.launch import Argument, Build, Domain, Launch
from warpsmith.core.records.pair import Origin, Pair
from warpsmith.extraction.codegen.extract import extract_ir
from warpsmith.extraction.targets.loading import loaded_kernel

Given = tuple[Argument, Mapping[str, np.ndarray]]
"""An argument, and its stored values by leaf."""


Formula = Callable[[Any], Mapping[str, Any]]
"""What each output contains after the launch, computed from the inputs as attributes; see `figures`."""

CAPTURED = Origin(file="project.py", line=7, launch="captured")


@dataclass(frozen=True)
class Pattern:
    """A kernel with its launch and its verdicts.

    Attributes:
        source: the kernel, with its helper functions and structs.
        dim: the threads of the launch.
        args: the arguments in order.
        gradient: the right status at level `gradient`; two with a slash where differences may or may not resolve the adjoint.
        reason: a part of its reason.
        others: the right status at other levels where it is not ``pass``; two with a slash where memory without contents
            determines which one it is.
        options: module options.
        formula: the same function for exact arithmetic, if there is one.
        mistaken: why the level has another verdict, for a pattern about which it is wrong; else empty.
    """

    source: str
    dim: tuple[int, ...]
    args: tuple[Given, ...]
    gradient: str = "pass"
    reason: str = ""
    others: Mapping[str, str] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    formula: Formula | None = None
    mistaken: str = ""

    def changed(self, old: str, new: str, **fields: Any) -> Pattern:
        """Return a twin: the pattern with another text in its source, indented like the old one, and with other fields.

        Raises:
            ValueError: if the source does not contain the text, or if the change leaves it as it is.
        """
        start = self.source.find(old)
        if start < 0 or old == new:
            raise ValueError(f"the source does not contain {old!r}")
        line = self.source[self.source.rfind("\n", 0, start) + 1 :]
        indented = new.replace("\n", "\n" + line[: len(line) - len(line.lstrip(" "))])
        return replace(self, source=self.source.replace(old, indented), **fields)

    @property
    def launch(self) -> Launch:
        """The launch in the form of the record."""
        stored = {name: encode_values(values) for _, several in self.args for name, values in several.items()}
        return Launch(dim=self.dim, args=tuple(argument for argument, _ in self.args), stored=stored)

    def line(self, name: str, number: int = 1, origin: Origin | None = CAPTURED) -> Line:
        """Return the pattern as a line of a dataset."""
        source = f"import warp as wp\n\n\n{dedent(self.source).strip()}\n"
        with loaded_kernel(source, None, dict(self.options)) as kernel:
            ir = extract_ir(kernel, "both")
        pair = Pair.from_ir(
            ir, identity=f"project-1-{name.replace(' ', '-')}", python_source=source, category="harvested",
            warp_version=wp.__version__, module_options=dict(self.options), launch=self.launch, origin=origin,
        )  # fmt: skip
        return decode(encode(pair), Path("project.jsonl"), number)


def twins(wrong_name: str, wrong: Pattern, right_name: str, old: str, new: str, **fields: Any) -> dict[str, Pattern]:
    """Return a pattern whose gradient is wrong, and its twin with a smallest change that makes the gradient right.

    Args:
        wrong_name: the name of the wrong pattern.
        wrong: the wrong pattern; its status becomes ``fail``.
        right_name: the name of its twin.
        old: the text of the wrong source that is wrong.
        new: the text in its place.
        fields: further fields of the twin.
    """
    right = wrong.changed(old, new, **{"gradient": "pass", "reason": "", "others": {}, "mistaken": "", **fields})
    return {wrong_name: replace(wrong, gradient="fail"), right_name: right}


def _argument(name: str, kind: Any, dtype: str, role: Any, shape: tuple[int, ...], domain: Domain | None, **more: Any) -> Given:
    return Argument(name=name, kind=kind, dtype=dtype, role=role, shape=shape, domain=domain, **more), {}


def read(name: str, dtype: str, *shape: int, low: float = -1.0, high: float = 1.0, kind: Any = "uniform") -> Given:
    """Return an array that the kernel reads."""
    return _argument(name, "array", dtype, "input", shape, Domain(kind=kind, low=low, high=high))


def written(name: str, dtype: str, *shape: int, fill: float = 0) -> Given:
    """Return an array that the kernel writes."""
    return _argument(name, "array", dtype, "output", shape, Domain(kind="fill", low=fill, high=fill))


def both(name: str, dtype: str, *shape: int, low: float = 0, high: float = 0) -> Given:
    """Return an array that the kernel reads and writes."""
    return _argument(
        name, "array", dtype, "inout", shape, Domain(kind="fill" if low == high else "uniform", low=low, high=high)
    )


def number(name: str, value: float, dtype: str = "") -> Given:
    """Return a plain argument."""
    dtype = dtype or ("int32" if isinstance(value, int) else "float32")
    return _argument(name, "value", dtype, "input", (), Domain(kind="fill", low=value, high=value))


def plain(name: str, dtype: str, low: float, high: float, kind: Any = "uniform") -> Given:
    """Return a plain argument of several components."""
    return _argument(name, "value", dtype, "input", (), Domain(kind=kind, low=low, high=high))


def kept(name: str, dtype: str, values: Any, role: Any = "input", components: int = 0) -> Given:
    """Return an array with stored values; the last ``components`` dimensions belong to the elements."""
    scalar = np.int32 if dtype.endswith(("int32", "i")) else np.float64 if dtype.endswith(("64", "d")) else np.float32
    array = np.asarray(values, scalar)
    shape = array.shape[: array.ndim - components]
    finite = array[np.isfinite(array)]
    domain = Domain(kind="stored", low=finite.min().item(), high=finite.max().item())
    return Argument(name=name, kind="array", dtype=dtype, role=role, shape=shape, domain=domain), {name: array}


def null(name: str, dtype: str) -> Given:
    """Return an array for which the caller passes None."""
    return _argument(name, "null_array", dtype, "input", (), None)


def struct(name: str, dtype: str, *members: Given, shape: tuple[int, ...] = (), role: Any = "input") -> Given:
    """Return a struct, or an array of structs."""
    fields = tuple(argument for argument, _ in members)
    stored = {f"{name}.{key}": values for _, several in members for key, values in several.items()}
    argument = Argument(
        name=name, kind="array" if shape else "struct", dtype=dtype, role=role, shape=shape, domain=None, fields=fields
    )
    return argument, stored


def member(name: str, dtype: str, low: float = 0, high: float = 0, role: Any = "input") -> Given:
    """Return a plain member of the structs in an array."""
    return _argument(name, "value", dtype, role, (), Domain(kind="fill" if low == high else "uniform", low=low, high=high))


def built(name: str, kind: Any, shape: tuple[int, ...], build: Build, **arrays: np.ndarray) -> Given:
    """Return an object of Warp from its own arrays."""
    domain = Domain(kind="stored", low=-100, high=100)
    argument = Argument(name=name, kind=kind, dtype="uint64", role="input", shape=shape, domain=domain, build=build)
    return argument, {f"{name}.{key}": values for key, values in arrays.items()}
