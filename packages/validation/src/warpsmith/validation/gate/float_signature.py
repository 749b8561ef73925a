"""Kernels that have no gradient by their arguments alone: nothing of them has to be compiled or run."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from warpsmith.core.records.launch import Argument
from warpsmith.core.records.pair import Pair
from warpsmith.core.records.text_format import argument_struct_opening

NO_OUTPUT = "no output holds floats"
NO_INPUT = "no array that the kernel reads holds floats"

_INTEGER = re.compile(r"(?:u?int(?:8|16|32|64)|bool|(?:vec|mat)\d+(?:[bsilu]|u[bsil]))")
"""Types without floats; any other type may hold some."""

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
    roles = set(_roles_of_floats(launch.args))
    if roles <= {"input"}:
        return None if roles and _BY_POINTER.search(pair.python_source) else NO_OUTPUT
    return NO_INPUT if roles == {"output"} else None


def _roles_of_floats(arguments: Iterable[Argument], is_array: bool = False) -> Iterator[str]:
    """Yield the roles of the arrays that may hold floats, and of the members of arrays of structs."""
    for argument in arguments:
        in_array = is_array or argument.kind == "array"
        if argument.fields:
            yield from _roles_of_floats(argument.fields, in_array)
        elif in_array and argument.kind in ("array", "value") and not _INTEGER.fullmatch(argument.dtype):
            yield argument.role


def _has_integers_only(pair: Pair) -> bool:
    """Return whether the generated text declares arguments of integers alone; structs may hold anything."""
    text = pair.cpp_forward or pair.cuda_ir_forward or ""
    _, opening, after = text.partition(argument_struct_opening(pair.metadata.kernel_name))
    members = [line.strip() for line in after.partition("};\n")[0].splitlines() if line.strip()]
    types = [member.rstrip(";").rpartition(" ")[0] for member in members]
    return bool(opening and types) and all(_INTEGERS.fullmatch(name) and not _TEXT_OF_FLOATS.search(name) for name in types)
