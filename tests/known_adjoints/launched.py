"""The kernels of the tables as those of a user: launched with real arrays, whose values and roles extraction infers."""

from __future__ import annotations

from typing import Any

import warp as wp

from known_adjoints import source_of
from warpsmith.core.inputs.values import make_inputs
from warpsmith.core.records.launch import Argument, Launch
from warpsmith.core.records.pair import Pair
from warpsmith.extraction import extract_pair
from warpsmith.extraction.targets.loading import loaded_kernel


def launched_pair(name: str, body: str, functions: str = "") -> Pair:
    """Return the pair of a kernel with this body, with the launch that real arrays describe."""
    source, arguments = source_of(body, functions)
    identity = f"launched-{name.replace(' ', '-')}"
    values = make_inputs(Launch(dim=(8,), args=arguments), identity)
    with loaded_kernel(source) as kernel:
        inputs = [_given(argument, values[argument.name]) for argument in arguments]
        return extract_pair(kernel, "both", identity=identity, dim=8, inputs=inputs)


def _given(argument: Argument, values: Any) -> Any:
    if argument.kind == "value":
        return values.item()
    return wp.array(values, dtype=getattr(wp, argument.dtype), device="cpu")
