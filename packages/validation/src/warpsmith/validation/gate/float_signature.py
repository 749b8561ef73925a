"""Kernels that have no gradient by their arguments alone: nothing of them has to be compiled or run."""

from __future__ import annotations

import re

import numpy as np

from warpsmith.core.errors import WarpsmithError
from warpsmith.core.inputs.elements import element
from warpsmith.core.inputs.values import leaves
from warpsmith.core.records.launch import Argument
from warpsmith.core.records.pair import Pair
from warpsmith.core.records.text_format import argument_struct_opening

NO_OUTPUT = "no output holds floats"
NO_INPUT = "no array that the kernel reads holds floats"

_BY_POINTER = re.compile(r"@(?:\w+\.)*func_native\b")
"""Native C++ may write arrays that the record calls inputs."""

_INTEGERS = re.compile(
    r"(?:wp::)?(?:bool|u?int(?:8|16|32|64)(?:_t)?|(?:indexed)?array_t<[\w:<>, ]+>|(?:vec|mat)_t<[\w:<>, ]+>)"
)
_TEXT_OF_FLOATS = re.compile(r"float|double|half|quat|transform|spatial")


def without_floats(pair: Pair) -> str | None:
    """Return why a kernel has no gradient, or None if it may have one."""
    launch = pair.metadata.launch
    if launch is None:
        return NO_OUTPUT if _has_integers_only(pair) else None
    try:
        arrays = [leaf for leaf in leaves(launch) if leaf.kind == "array"]
        floats = [leaf for leaf in arrays if _holds_floats(leaf)]
    except WarpsmithError:
        return None
    if all(leaf.role == "input" for leaf in floats):
        return None if floats and _BY_POINTER.search(pair.python_source) else NO_OUTPUT
    return NO_INPUT if all(leaf.role == "output" for leaf in floats) else None


def _holds_floats(leaf: Argument) -> bool:
    return bool(np.dtype(element(leaf.dtype)[0]).kind == "f")


def _has_integers_only(pair: Pair) -> bool:
    """Return whether the generated text declares arguments of integers alone; structs may hold anything."""
    text = pair.cpp_forward or pair.cuda_ir_forward or ""
    _, opening, after = text.partition(argument_struct_opening(pair.metadata.kernel_name))
    members = [line.strip() for line in after.partition("};\n")[0].splitlines() if line.strip()]
    types = [member.rstrip(";").rpartition(" ")[0] for member in members]
    return bool(opening and types) and all(_INTEGERS.fullmatch(name) and not _TEXT_OF_FLOATS.search(name) for name in types)
