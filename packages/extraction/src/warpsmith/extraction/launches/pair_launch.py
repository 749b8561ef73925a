"""The launch of a pair from real arguments: those that a program launched with, and those that a user gives."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import warp as wp

from warpsmith.core.errors import WarpsmithError, describe
from warpsmith.core.records import text_format
from warpsmith.core.records.ir import Code
from warpsmith.core.records.launch import Launch
from warpsmith.core.records.pair import Pair
from warpsmith.extraction.launches.argument_accesses import Accesses, accesses_of
from warpsmith.extraction.launches.launch_inference import infer_launch
from warpsmith.extraction.launches.launch_limits import DEFAULT_LIMITS
from warpsmith.extraction.launches.live_objects import LiveObjects
from warpsmith.extraction.launches.snapshot import Copier, NotExpressible, Snapshot
from warpsmith.extraction.launches.struct_names import with_names_of_file
from warpsmith.extraction.targets.origin import module_of, origin_of
from warpsmith.extraction.warp import live_arguments, registries
from warpsmith.extraction.warp.objects import parameter_names, registered_name

_OBJECT_QUERY = re.compile(r"\b(?:mesh|bvh|hash_grid|volume)_\w+\(")


def forward_code(pair: Pair) -> tuple[str, str]:
    """Return the forward code of a pair, and its target."""
    target = "cpu" if pair.cpp_forward is not None else "cuda"
    return pair.code(target)[0] or "", target


def uses_objects(pair: Pair) -> bool:
    """Return whether the code of a pair calls functions of meshes, BVHs, hash grids or volumes, which receive handles."""
    return _OBJECT_QUERY.search(forward_code(pair)[0]) is not None


def accesses_in(pair: Pair) -> tuple[Accesses, int | None]:
    """Return what the kernel of a pair reads and writes, and how many coordinates its threads have, if known.

    Raises:
        NotExpressible: if the generated code has an unknown layout.
    """
    forward, target = forward_code(pair)
    try:
        accesses = accesses_of(Code(pair.metadata.kernel_name, forward, None), target)
    except ValueError as error:
        raise NotExpressible(str(error)) from None
    match = text_format.LAUNCH_DIMENSIONS.search(forward)
    return accesses, int(match[1]) if match else None


def launch_from(pair: Pair, dim: Sequence[int], snapshots: Sequence[Snapshot]) -> Launch:
    """Return the launch of a pair with the arguments that were copied.

    Raises:
        NotExpressible: if the record cannot describe the launch.
    """
    accesses, dimensions = accesses_in(pair)
    launch = infer_launch(dim, snapshots, accesses, dimensions)
    return with_names_of_file(launch, pair.python_source, pair.metadata.kernel_name)


@dataclass(frozen=True, slots=True)
class GivenLaunch:
    """A launch that a user gives.

    Attributes:
        kernel: the kernel; of a generic kernel the overload for the arguments.
        dim: the dimensions.
        snapshots: copies of the arguments.
    """

    kernel: Any
    dim: tuple[int, ...]
    snapshots: tuple[Snapshot, ...]

    def added_to(self, pair: Pair) -> Pair:
        """Return the pair with this launch.

        Raises:
            WarpsmithError: if the record cannot describe the launch.
        """
        try:
            launch = launch_from(pair, self.dim, self.snapshots)
        except NotExpressible as error:
            raise _no_record(self.kernel, str(error)) from None
        origin = replace(origin_of(self.kernel, module_of(self.kernel)), launch="given")
        return replace(pair, metadata=replace(pair.metadata, launch=launch, origin=origin))


def given_launch(kernel: Any, dim: Any, inputs: Sequence[Any] | None) -> GivenLaunch | None:
    """Return copies of the arguments of a launch; None if neither ``dim`` nor ``inputs`` is given.

    Raises:
        WarpsmithError: if only one of both is given, they do not fit the kernel, or the record cannot describe an argument.
    """
    if dim is None and inputs is None:
        return None
    if dim is None or inputs is None:
        missing = "dim" if dim is None else "inputs"
        raise WarpsmithError(f"a launch needs dim and inputs: pass {missing} as well, or neither for a pair without launch")
    if not registries.is_kernel(kernel):
        raise WarpsmithError(f"{kernel!r:.80} is not a Warp kernel: pass a function decorated with @wp.kernel")
    names = parameter_names(kernel)
    if len(inputs) != len(names):
        raise WarpsmithError(
            f"{registered_name(kernel)}: {len(inputs)} inputs for {len(names)} arguments; "
            f"pass a value for each of: {', '.join(names)}"
        )
    dimensions = given_dimensions(dim)
    concrete = _concrete(kernel, list(inputs))
    return GivenLaunch(concrete, dimensions, _copies(concrete, inputs))


def given_dimensions(dim: Any) -> tuple[int, ...]:
    """Return the dimensions of a launch as a tuple.

    Raises:
        WarpsmithError: if they are not one to four positive integers.
    """
    lengths = tuple(dim) if isinstance(dim, Iterable) else (dim,)
    if not 1 <= len(lengths) <= 4 or any(
        isinstance(length, bool) or not isinstance(length, int | np.integer) or length < 1 for length in lengths
    ):
        raise WarpsmithError(f"dim {dim!r:.80}: give one to four positive integers")
    return tuple(map(int, lengths))


def _concrete(kernel: Any, inputs: list[Any]) -> Any:
    try:
        return live_arguments.overload_for(kernel, inputs)
    except (AttributeError, KeyError, RuntimeError, TypeError, ValueError) as error:
        raise WarpsmithError(f"{registered_name(kernel)}: no overload fits these inputs: {describe(error)}") from None


def _copies(kernel: Any, inputs: Sequence[Any]) -> tuple[Snapshot, ...]:
    parameters = live_arguments.parameters_of(kernel)
    copier = Copier(LiveObjects(), DEFAULT_LIMITS.launch_bytes)
    try:
        values = [_checked(parameter, value) for parameter, value in zip(parameters, inputs, strict=True)]
        return copier.copy(parameters, values)
    except NotExpressible as error:
        raise _no_record(kernel, str(error)) from None
    except (AttributeError, OverflowError, TypeError) as error:
        raise WarpsmithError(f"{registered_name(kernel)}: inputs that do not fit the signature: {describe(error)}") from None


def _checked(parameter: live_arguments.Parameter, value: Any) -> Any:
    """Return an argument whose memory has the declared type; Warp checks the members of structs itself.

    Raises:
        NotExpressible: if ``wp.launch`` would refuse it.
    """
    if parameter.kind not in ("array", "indexed_array") or value is None:
        return value
    if isinstance(value, np.ndarray):
        try:
            value = wp.array(value, dtype=parameter.element, device="cpu", copy=False)
        except (RuntimeError, TypeError, ValueError) as error:
            raise NotExpressible(f"argument {parameter.name!r}: {describe(error)}") from None
    if problem := live_arguments.array_problem(value, parameter):
        raise NotExpressible(f"argument {parameter.name!r}: {problem}")
    return value


def _no_record(kernel: Any, reason: str) -> WarpsmithError:
    return WarpsmithError(
        f"{registered_name(kernel)}: {reason}; pass another value, or no dim and inputs for a pair without launch"
    )
