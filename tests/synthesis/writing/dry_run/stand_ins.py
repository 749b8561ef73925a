"""Arguments of launches made by hand, and a kernel run with the stand-ins of a dry run."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from warpsmith.core.inputs.values import make_inputs
from warpsmith.core.records.launch import Argument, Domain, Launch
from warpsmith.extraction.targets.loading import compile_module
from warpsmith.synthesis.writing.dry_run.arrays import Output
from warpsmith.synthesis.writing.dry_run.branches import Branches
from warpsmith.synthesis.writing.dry_run.kernel_run import StandIn, load, make_arguments, threads_of
from warpsmith.synthesis.writing.dry_run.plain_vectors import components

SEED = 2000


def array(
    name: str, dtype: str, shape: tuple[int, ...], low: float, high: float | None = None, role: Any = "input"
) -> Argument:
    kind: Any = "fill" if high is None else "uniform"
    domain = Domain(kind=kind, low=low, high=low if high is None else high)
    return Argument(name=name, kind="array", dtype=dtype, role=role, shape=shape, domain=domain)


def value(name: str, dtype: str, number: float) -> Argument:
    return Argument(
        name=name, kind="value", dtype=dtype, role="input", shape=(), domain=Domain(kind="fill", low=number, high=number)
    )


def run_stand_in(source: str, name: str, launch: Launch, identity: str) -> dict[str, np.ndarray[Any, Any]]:
    """Return the outputs after the stand-in has run all threads."""
    stand_in, branches = StandIn(), Branches(source)
    kernel = load(compile_module(branches.source), branches, stand_in)[name]
    given = make_arguments(launch, make_inputs(launch, identity))
    for stand_in.thread in threads_of(launch.dim, math.prod(launch.dim)):
        kernel(*given.values())
    found = {}
    for key, output in given.items():
        if isinstance(output, Output):
            rows = [components(output[place if len(place) > 1 else place[0]]) for place in np.ndindex(output.shape)]
            found[key] = np.array(rows)
    return found
