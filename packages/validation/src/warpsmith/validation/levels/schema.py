"""Level `schema`: the line is a record, and its fields agree with each other."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from warpsmith.core.errors import WarpsmithError
from warpsmith.core.inputs.elements import element
from warpsmith.core.inputs.launch_objects import is_object, is_stored, problems
from warpsmith.core.inputs.values import check_values, leaves, objects
from warpsmith.core.records import launch_size
from warpsmith.core.records.ir import TARGETS
from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.launch import Argument, Domain, Launch
from warpsmith.core.records.pair import IR_TYPE, READ_SCHEMA_VERSIONS, SCHEMA_VERSION, Pair
from warpsmith.validation.levels.context import BatchContext
from warpsmith.validation.levels.finding import PASS, Finding, fail
from warpsmith.validation.levels.registry import Level

MAX_BLOCK = 1024
"""The most threads of a block in CUDA."""

LEVEL = Level(
    name="schema",
    seconds=10.0,
    order=10,
    summary="the line is a record whose fields are consistent",
)

_SYNTHETIC_ID = re.compile(r"[\w.]+-(\d+)-(\d+)")


def check(lines: Sequence[Line], _: BatchContext) -> Iterator[Finding]:
    """Check types and names, and that the fields agree."""
    for line in lines:
        yield _check(line)


def _check(line: Line) -> Finding:
    if line.pair is None:
        return fail(line.error or "not a record")
    problem = next(_problems(line.pair), None)
    return fail(problem) if problem else PASS


def _problems(pair: Pair) -> Iterator[str]:
    metadata = pair.metadata
    if metadata.schema_version not in READ_SCHEMA_VERSIONS:
        yield f"schema version {metadata.schema_version}, this validator reads up to {SCHEMA_VERSION}"
    if metadata.ir_type != IR_TYPE[metadata.device]:
        yield f"ir_type {metadata.ir_type!r} does not go with device {metadata.device!r}"
    for target in ("cpu", "cuda"):
        forward, backward = pair.code(target)
        expected = target in TARGETS[metadata.device]
        if (forward is not None) != expected:
            yield f"{target} forward code is {'missing' if expected else 'there'} although device is {metadata.device!r}"
        if (backward is not None) != (expected and metadata.has_backward):
            yield f"{target} backward code does not go with has_backward={metadata.has_backward}"
    if (metadata.seed is None) != (metadata.index is None):
        yield "seed and index go together"
    if metadata.seed is not None:
        match = _SYNTHETIC_ID.fullmatch(pair.id)
        if match is None or (int(match[1]), int(match[2])) != (metadata.seed, metadata.index):
            yield f"id {pair.id!r} does not name seed {metadata.seed} and index {metadata.index}"
    if not _is_block(metadata.module_options.get("block_dim", 1)):
        yield f"a block_dim of {metadata.module_options['block_dim']!r:.40}, CUDA has blocks of 1 to {MAX_BLOCK} threads"
    if metadata.launch is not None:
        if not metadata.launch.dim or min(metadata.launch.dim) < 1:
            yield f"launch dim {metadata.launch.dim[: launch_size.MAX_DIMENSIONS]}"
        yield from launch_size.problems(metadata.launch)
        yield from _arguments_problems(metadata.launch.args)
        yield from _leaves_problems(metadata.launch)


def _is_block(value: bool | int | float | str | None) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= MAX_BLOCK


def _leaves_problems(launch: Launch) -> Iterator[str]:
    try:
        by_name, launch_objects = {leaf.name: leaf for leaf in leaves(launch)}, objects(launch)
    except WarpsmithError as error:
        yield str(error)
        return
    try:
        yield from problems(launch_objects, by_name, launch.stored)
        for leaf in by_name.values():
            if leaf.domain is not None and (problem := _domain_problem(leaf, leaf.domain)) is not None:
                yield f"argument {leaf.name!r}: {problem}"
        if launch.stored or any(map(is_stored, (*by_name.values(), *launch_objects))):
            check_values(launch)
    except WarpsmithError as error:
        yield str(error)


def _domain_problem(leaf: Argument, domain: Domain) -> str | None:
    """Return why no values of a leaf can be made for a domain; types without values at all are left to later levels."""
    dtype = leaf.dtype
    try:
        scalar, shape = element(dtype)
    except WarpsmithError:
        return None
    if domain.kind in ("sorted", "offsets", "permutation") and (problem := _order_problem(leaf, domain, scalar, shape)):
        return problem
    if issubclass(scalar, np.integer):
        limits = np.iinfo(scalar)
        least, largest = int(limits.min), int(limits.max)
        return None if least <= domain.low <= domain.high <= largest else f"values beyond {dtype}"
    if domain.kind == "near_identity" and (len(shape) != 2 or shape[0] != shape[1]) and issubclass(scalar, np.floating):
        return f"the identity matrix plus values, as {dtype}"
    if domain.kind == "unit" and not shape and issubclass(scalar, np.floating):
        return f"unit vectors, as {dtype}"
    return None


def _order_problem(leaf: Argument, domain: Domain, scalar: Any, shape: tuple[int, ...]) -> str | None:
    """Return why the values of an array cannot have the order that their domain requires."""
    if leaf.kind == "value" or shape or (domain.kind != "sorted" and not issubclass(scalar, np.integer)):
        return f"values of domain {domain.kind!r}, as {leaf.kind} of {leaf.dtype}"
    if domain.kind == "offsets" and leaf.shape[-1] == 1 and domain.low != domain.high:
        return "offsets of no row"
    if domain.kind == "permutation" and math.prod(leaf.shape) > int(domain.high) - int(domain.low) + 1:
        return f"{math.prod(leaf.shape)} different integers from [{domain.low:g}, {domain.high:g}]"
    return None


def _arguments_problems(arguments: Sequence[Argument]) -> Iterator[str]:
    if len({argument.name for argument in arguments}) < len(arguments):
        yield f"arguments with one name: {', '.join(argument.name for argument in arguments)}"
    for argument in arguments:
        yield from _argument_problems(argument)


def _argument_problems(argument: Argument) -> Iterator[str]:
    if not argument.name.isidentifier():
        yield f"argument {argument.name!r} has a name that Python does not allow"
    if argument.kind == "value" and argument.fields:
        yield f"argument {argument.name!r} is a value with members"
    if argument.kind == "null_array":
        if argument.shape or argument.fields or argument.domain is not None or argument.build is not None:
            yield f"argument {argument.name!r} is null, and has a shape, members, a domain or a build"
        return
    if is_object(argument):
        return  # `_leaves_problems` checks objects
    if argument.build is not None:
        yield f"argument {argument.name!r} is no object and says how to build it"
    if (argument.kind in ("array", "indexed_array")) != bool(argument.shape) or not _is_shape(argument.shape):
        yield f"argument {argument.name!r}: kind {argument.kind!r} with shape {list(argument.shape)}"
    if (bool(argument.fields) or argument.kind == "struct") == (argument.domain is not None):
        yield f"argument {argument.name!r} has either fields or a domain"
    if argument.domain is not None and argument.domain.low > argument.domain.high:
        yield f"argument {argument.name!r}: low {argument.domain.low} above high {argument.domain.high}"
    yield from _arguments_problems(argument.fields)


def _is_shape(shape: tuple[int, ...]) -> bool:
    return len(shape) <= 4 and min(shape, default=0) >= 0
