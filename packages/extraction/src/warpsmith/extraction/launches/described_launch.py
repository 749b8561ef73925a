"""A launch from descriptions of its arguments, for kernels that nobody launched: the user's file or a guess describes them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from warpsmith.core.errors import WarpsmithError
from warpsmith.core.inputs.elements import element
from warpsmith.core.inputs.stored import MAX_STORED_BYTES, encode_values
from warpsmith.core.records.launch import Argument, ArgumentKind, Domain, Launch
from warpsmith.extraction.launches import value_domains
from warpsmith.extraction.launches.argument_accesses import Accesses
from warpsmith.extraction.launches.snapshot import NotExpressible
from warpsmith.extraction.launches.valid_launch import valid_launch
from warpsmith.extraction.warp.live_arguments import Parameter

Role = Literal["input", "output", "inout"]

NOT_WRITTEN = Domain(kind="fill", low=0, high=0)
"""The values of what is only written."""


@dataclass(frozen=True, slots=True)
class Description:
    """The shape and the values of one leaf.

    Attributes:
        shape: the shape of an array; empty for values.
        domain: the values; None for those in ``values``, and for an array of structs.
        values: the numbers themselves, with the shape of an element last.
        is_null: whether the caller passes None for an array.
    """

    shape: tuple[int, ...] = ()
    domain: Domain | None = None
    values: npt.NDArray[Any] | None = None
    is_null: bool = False


Describe: TypeAlias = Callable[[Parameter, str, Role], Description]
"""A source of descriptions. It receives a leaf, its name as ``body.mass``, and its role, and may raise `NotExpressible`."""


def described_launch(
    dim: Sequence[int], parameters: Sequence[Parameter], accesses: Accesses, describe: Describe, *, uses_objects: bool
) -> Launch:
    """Return a launch whose types come from the signature, its roles from the code and its values from descriptions.

    Args:
        dim: the dimensions.
        parameters: the signature.
        accesses: what the kernel reads and writes.
        describe: the source of descriptions.
        uses_objects: whether an integer of 64 bits may be the handle of an object, which has no description.

    Raises:
        NotExpressible: if an argument has no description, or the launch is invalid; the message is the reason.
    """
    builder = _Builder(accesses, describe, uses_objects)
    arguments = tuple(builder.argument(parameter, "", ()) for parameter in parameters)
    return valid_launch(Launch(dim=tuple(dim), args=arguments, stored=builder.stored))


@dataclass(slots=True)
class _Builder:
    accesses: Accesses
    describe: Describe
    uses_objects: bool
    stored: dict[str, str] = field(default_factory=dict)

    def argument(self, parameter: Parameter, prefix: str, outer: tuple[int, ...]) -> Argument:
        """Return an argument; ``outer`` is the shape of the array of structs that contains it."""
        path = prefix + parameter.name
        if parameter.kind not in ("value", "array", "indexed_array", "struct") or (
            parameter.members and _is_indexed(parameter)
        ):
            raise NotExpressible(f"argument {path!r}: of kind {parameter.kind}, which only a captured launch can contain")
        if outer and parameter.kind not in ("value", "struct"):
            raise NotExpressible(f"argument {path!r}: an array in an array of structs")
        if parameter.members:
            return self._struct(parameter, path, outer)
        if self.uses_objects and parameter.dtype == "uint64":
            raise NotExpressible(
                f"argument {path!r}: it may be the handle of an object, which only --run and capture() describe"
            )
        role: Any = self.accesses.role(path) if prefix or parameter.kind != "value" else "input"
        described = self.describe(parameter, path, role)
        if described.is_null:
            return _argument(parameter, "null_array", "input", (), None)
        _check_shape(parameter, described.shape, path)
        domain = NOT_WRITTEN if role == "output" else self._domain(parameter, described, path, outer)
        return _argument(parameter, parameter.kind, role, described.shape, domain)

    def _struct(self, parameter: Parameter, path: str, outer: tuple[int, ...]) -> Argument:
        shape: tuple[int, ...] = ()
        if parameter.kind == "array":
            described = self.describe(parameter, path, "inout")
            if described.is_null:
                return _argument(parameter, "null_array", "input", (), None)
            shape = described.shape
            _check_shape(parameter, shape, path)
        members = tuple(self.argument(member, f"{path}.", (*outer, *shape)) for member in parameter.members)
        roles = {member.role for member in members}
        role: Any = roles.pop() if len(roles) == 1 else "inout"
        return _argument(parameter, parameter.kind, role, shape, None, members)

    def _domain(self, parameter: Parameter, described: Description, path: str, outer: tuple[int, ...]) -> Domain:
        if described.domain is not None:
            if problem := _domain_problem(described.domain, parameter, (*outer, *described.shape)):
                raise NotExpressible(f"argument {path!r}: {problem}")
            return described.domain
        if described.values is None:
            raise NotExpressible(f"argument {path!r}: no values")
        if (constant := value_domains.constant(described.values)) is not None:
            return constant
        if outer:
            raise NotExpressible(f"argument {path!r}: one number for all structs, or low and high")
        if described.values.nbytes > MAX_STORED_BYTES:
            raise NotExpressible(
                f"argument {path!r}: more than {MAX_STORED_BYTES} bytes of values; describe them by low and high"
            )
        self.stored[path] = encode_values(described.values)
        return value_domains.stored(described.values)


def _is_indexed(parameter: Parameter) -> bool:
    return parameter.kind == "indexed_array"


def _argument(
    parameter: Parameter,
    kind: Any,
    role: Any,
    shape: tuple[int, ...],
    domain: Domain | None,
    members: tuple[Argument, ...] = (),
) -> Argument:
    typed: ArgumentKind = kind
    return Argument(
        name=parameter.name, kind=typed, dtype=parameter.dtype, role=role, shape=shape, domain=domain, fields=members
    )


def _check_shape(parameter: Parameter, shape: tuple[int, ...], path: str) -> None:
    if len(shape) != parameter.dimensions:
        wanted = f"an array of {parameter.dimensions} dimensions" if parameter.dimensions else "a value"
        raise NotExpressible(f"argument {path!r}: shape {list(shape)} for {wanted}")
    if any(length < 1 for length in shape):
        raise NotExpressible(f"argument {path!r}: shape {list(shape)} without elements")


def _domain_problem(domain: Domain, parameter: Parameter, shape: tuple[int, ...]) -> str:
    """Return why no values of a type can be made for a domain, or the empty text."""
    try:
        scalar, inner = element(parameter.dtype)
    except WarpsmithError as error:
        return str(error)
    kind, low, high = domain.kind, domain.low, domain.high
    is_float = issubclass(scalar, np.floating)
    if not np.isfinite([low, high]).all() or low > high:
        return f"values from {low:g} to {high:g}"
    if not is_float and not (float(low).is_integer() and float(high).is_integer()):
        return f"values from {low:g} to {high:g}, as {parameter.dtype}"
    least, largest = _range(scalar)
    if low < least or high > largest:
        return f"values beyond {parameter.dtype}"
    if kind == "unit" and not (is_float and (len(inner) == 1)):
        return f"unit vectors, as {parameter.dtype}"
    if kind in ("sorted", "offsets", "permutation") and (inner or not shape or (is_float and kind != "sorted")):
        return f"values of kind {kind!r}, as {parameter.dtype}"
    if kind == "permutation" and np.prod(shape, dtype=float) > high - low + 1:
        return f"{np.prod(shape):d} different integers from {low:g} to {high:g}"
    if kind == "offsets" and shape[-1] == 1 and low != high:
        return "offsets of no row: give a longer shape"
    return ""


def _range(scalar: Any) -> tuple[float | int, float | int]:
    if issubclass(scalar, np.bool_):
        return 0, 1
    if issubclass(scalar, np.integer):
        limits = np.iinfo(scalar)
        return int(limits.min), int(limits.max)
    finite = np.finfo(scalar)
    return float(finite.min), float(finite.max)
