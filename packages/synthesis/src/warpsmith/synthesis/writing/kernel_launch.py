"""The launch of a kernel: all that validation needs to make its inputs, without the generator."""

from __future__ import annotations

from warpsmith.core.records.launch import Argument, Domain, Launch
from warpsmith.synthesis.language.composed_kernel import Array, Kernel, OpaqueParameter, Param, Scalar
from warpsmith.synthesis.language.warp_types import BOOL


def describe_launch(kernel: Kernel) -> Launch:
    """Return the launch of a kernel."""
    sizes = dict(kernel.sizes)
    return Launch(dim=kernel.dim, args=tuple(_make_argument(param, sizes) for param in kernel.params))


def _make_argument(param: Param, sizes: dict[str, int]) -> Argument:
    if isinstance(param, OpaqueParameter):
        return param.argument
    if isinstance(param, Array):
        shape = tuple(sizes[symbol] for symbol in param.dims)
        return Argument(
            name=param.name, kind="array", dtype=param.element.name, role=param.role, shape=shape, domain=_make_domain(param)
        )
    return Argument(name=param.name, kind="value", dtype=param.type.name, role="input", shape=(), domain=_make_domain(param))


def _make_domain(param: Array | Scalar) -> Domain:
    dtype = param.element if isinstance(param, Array) else param.type
    if not dtype.is_float and dtype is not BOOL:
        return Domain(kind=param.distribution, low=int(param.low), high=int(param.high))
    high = round(param.high - 1.0, 6) if param.distribution == "near_identity" else float(param.high)
    return Domain(kind=param.distribution, low=float(param.low), high=high)
