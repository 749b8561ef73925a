"""The file of ``warpsmith-extract --launches``: how to launch kernels, by name.

::

    {"scale": {"dim": 1024, "inputs": {"x": {"shape": [1024], "low": -1, "high": 1}, "n": 1024, "out": {"shape": [1024]}}}}

An argument is a number, a list of numbers, null for an array that is None, or an object with ``shape`` (of arrays), ``low``,
``high`` and ``kind``. Members of structs are named with dots, as in ``body.mass``. An array of structs has a shape, and each
member a number or an object without shape. Types come from the kernel, roles from its code.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import msgspec
import numpy as np

from warpsmith.core.errors import WarpsmithError
from warpsmith.core.records.launch import Domain, Launch
from warpsmith.core.records.pair import Pair
from warpsmith.extraction.launches.described_launch import NOT_WRITTEN, Description, Role, described_launch
from warpsmith.extraction.launches.pair_launch import accesses_in, given_dimensions, uses_objects
from warpsmith.extraction.launches.snapshot import NotExpressible
from warpsmith.extraction.warp.live_arguments import Parameter, element_dtype, parameters_of, value_of
from warpsmith.extraction.warp.objects import is_generic_kernel, python_function

Number = bool | int | float


class Entry(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """The values of an argument.

    Attributes:
        shape: the shape of an array; absent for values.
        low: the least value.
        high: the largest value.
        kind: see `warpsmith.core.records.launch.Domain`.
    """

    shape: tuple[int, ...] = ()
    low: int | float | None = None
    high: int | float | None = None
    kind: Literal["uniform", "sorted", "offsets", "permutation", "unit", "fill"] = "uniform"


class KernelEntry(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """The launch of a kernel."""

    dim: int | tuple[int, ...]
    inputs: dict[str, Number | list[Any] | Entry | None]


@dataclass(frozen=True, slots=True)
class LaunchFile:
    """The launches of a file.

    Attributes:
        path: the file, for messages.
        kernels: the launches by the name of the kernel's function.
    """

    path: Path
    kernels: Mapping[str, KernelEntry]

    def check(self, kernels: Sequence[Any]) -> None:
        """Check that the file names only kernels that exist, and all arguments of each.

        Raises:
            WarpsmithError: if it does not.
        """
        names = {python_function(kernel).__name__ for kernel in kernels}
        for name, entry in self.kernels.items():
            if name not in names:
                known = ", ".join(sorted(names)) or "none"
                raise WarpsmithError(f"{self.path}: no kernel {name!r}; the kernels are: {known:.400}")
            given_dimensions(entry.dim)
        for kernel in kernels:
            if not is_generic_kernel(kernel):  # the parameters of a generic kernel have no types yet
                self._entry(kernel)

    def launch(self, pair: Pair, kernel: Any) -> Launch | None:
        """Return the launch of a kernel's pair, or None if the file has none.

        Raises:
            WarpsmithError: if the entry does not fit the kernel.
        """
        if (entry := self._entry(kernel)) is None:
            return None
        try:
            accesses, _ = accesses_in(pair)
            dim, entries = given_dimensions(entry.dim), _Entries(entry.inputs)
            return described_launch(dim, parameters_of(kernel), accesses, entries, uses_objects=uses_objects(pair))
        except NotExpressible as error:
            raise WarpsmithError(f"{self.path}: {python_function(kernel).__name__!r}: {error}") from None

    def _entry(self, kernel: Any) -> KernelEntry | None:
        """Return the entry of a kernel, which has all of its arguments and no other ones."""
        name = python_function(kernel).__name__
        if (entry := self.kernels.get(name)) is None:
            return None
        wanted = list(_paths(parameters_of(kernel), ""))
        if unknown := [path for path in entry.inputs if path not in wanted]:
            raise WarpsmithError(f"{self.path}: {name!r} has no argument {unknown[0]!r}; it has: {', '.join(wanted):.400}")
        nulls = tuple(f"{path}." for path, value in entry.inputs.items() if value is None)
        if missing := [path for path in wanted if path not in entry.inputs and not path.startswith(nulls)]:
            raise WarpsmithError(f"{self.path}: {name!r} needs a value or a shape for: {', '.join(missing):.400}")
        return entry


def read_launch_file(path: Path) -> LaunchFile:
    """Read the launches of a file.

    Raises:
        WarpsmithError: if it cannot be read, or has another form.
    """
    try:
        content = path.read_bytes().removeprefix(codecs.BOM_UTF8)
        return LaunchFile(path, msgspec.json.decode(content, type=dict[str, KernelEntry]))
    except OSError as error:
        raise WarpsmithError(f"{path}: {error.strerror}") from None
    except msgspec.DecodeError as error:
        raise WarpsmithError(f"{path}: {error}; notes/real_projects.md shows the form of the file") from None


def _paths(parameters: Sequence[Parameter], prefix: str) -> Iterator[str]:
    """Yield the names that need an entry: leaves, and arrays of structs."""
    for parameter in parameters:
        path = prefix + parameter.name
        if not parameter.members or parameter.kind != "struct":
            yield path
        yield from _paths(parameter.members, f"{path}.")


@dataclass(frozen=True, slots=True)
class _Entries:
    """The source of descriptions from a file."""

    entries: Mapping[str, Number | list[Any] | Entry | None]

    def __call__(self, parameter: Parameter, path: str, role: Role) -> Description:
        if path not in self.entries:
            raise NotExpressible(f"argument {path!r}: no value and no shape")
        entry = self.entries[path]
        try:
            if entry is None:
                return _null(parameter)
            if isinstance(entry, Entry):
                return _described(entry, parameter, role)
            return _exact(entry, parameter)
        except (OverflowError, TypeError, ValueError) as error:
            raise NotExpressible(f"argument {path!r}: {error}") from None


def _null(parameter: Parameter) -> Description:
    if parameter.kind != "array":
        raise ValueError("null, which only an array can be")
    return Description(is_null=True)


def _described(entry: Entry, parameter: Parameter, role: Role) -> Description:
    if parameter.members:
        return Description(entry.shape)
    if role == "output" and entry.low is None and entry.high is None:
        return Description(entry.shape, NOT_WRITTEN)
    dtype = element_dtype(parameter.element)
    low, high = entry.low, entry.high
    if entry.kind == "fill":
        low, high = (0 if low is None else low), (0 if low is None else low)
    elif entry.kind == "unit":
        low, high = (-1.0 if low is None else low), (1.0 if high is None else high)
    elif entry.kind in ("offsets", "permutation"):
        low = 0 if low is None else low
        if high is None and entry.kind == "permutation":
            high = low + int(np.prod(entry.shape)) - 1
    if low is None or high is None:
        raise ValueError("the kernel reads it, so that it needs low and high")
    if dtype.base.kind != "f" and float(low).is_integer() and float(high).is_integer():
        low, high = int(low), int(high)
    return Description(entry.shape, Domain(kind=entry.kind, low=low, high=high))


def _exact(entry: Number | list[Any], parameter: Parameter) -> Description:
    if parameter.members:
        raise ValueError("an array of structs needs a shape, and its members values")
    if parameter.kind == "value":
        values = np.asarray(entry)
        wanted = value_of(entry, parameter.element)
        _check_same(values, wanted if values.ndim else wanted.reshape(-1)[:1].reshape(()))
        return Description(values=wanted)
    if not isinstance(entry, list):
        raise TypeError("a number for an array: give a list of numbers, or an object with its shape")
    dtype = element_dtype(parameter.element)
    values = np.asarray(entry, dtype.base)
    _check_same(np.asarray(entry), values)
    inner = len(dtype.shape)
    if values.shape[values.ndim - inner :] != dtype.shape:
        raise ValueError(f"elements that are no {parameter.dtype}")
    return Description(values.shape[: values.ndim - inner], values=values)


def _check_same(given: Any, converted: Any) -> None:
    """Raise if integers changed when they became numbers of the declared type."""
    if converted.dtype.kind != "f" and given.shape == converted.shape and not np.array_equal(given, converted):
        raise ValueError(f"numbers that {converted.dtype} does not contain")
