"""Headers that a CUDA text may include: CUDA's own, from wheels, and replacements of headers of the host's C library."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from warpsmith.core.errors import WarpsmithError
from warpsmith.core.extras import Extra

HEADERS = Extra("warpsmith-simt[headers]", "a text that includes CUDA's headers")

INCLUDED = re.compile(r"^[ \t]*#[ \t]*include[ \t]*[<\"]([^>\"\n]+)[>\"]", re.MULTILINE)
"""An included file."""

_NOT_FOUND = re.compile(r"could not open source file \"([^\"]+)\"|cannot open source file \"([^\"]+)\"")

_OF_CUDA = re.compile(
    r"(?:cub|cuda|cooperative_groups|nv|thrust|crt)/.*|(?:cuda|cooperative_groups|mma|vector_|device_|driver_|host_|math_|sm_|texture_)"
    r"\w*\.h(?:pp)?|cuComplex\.h|builtin_types\.h|common_functions\.h|mma\.h"
)
"""Names of headers that the wheels contain."""

_STANDARD_FOLDERS = ("include", "include/cccl")

_MATHS = """
#ifndef INFINITY
#define INFINITY __int_as_float(0x7f800000)
#define NAN __int_as_float(0x7fffffff)
#define HUGE_VALF __int_as_float(0x7f800000)
#define HUGE_VAL __longlong_as_double(0x7ff0000000000000)
#define M_E 2.7182818284590452354
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_SQRT2 1.41421356237309504880
#endif
"""

_LIMITS = """
#ifndef INT_MAX
#define CHAR_BIT 8
#define SHRT_MAX 32767
#define SHRT_MIN (-32768)
#define USHRT_MAX 65535
#define INT_MAX 2147483647
#define INT_MIN (-INT_MAX - 1)
#define UINT_MAX 4294967295u
#define LLONG_MAX 9223372036854775807ll
#define LLONG_MIN (-LLONG_MAX - 1)
#define ULLONG_MAX 18446744073709551615ull
#endif
"""

_FLOATS = """
#ifndef FLT_MAX
#define FLT_MAX 3.40282346638528859812e+38f
#define FLT_MIN 1.17549435082228750797e-38f
#define FLT_EPSILON 1.1920928955078125e-07f
#define DBL_MAX 1.79769313486231570815e+308
#define DBL_MIN 2.22507385850720138309e-308
#define DBL_EPSILON 2.2204460492503130808e-16
#endif
"""

_INTEGERS = """
#ifndef WARPSMITH_STDINT
#define WARPSMITH_STDINT
typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef long long int64_t;
typedef unsigned long long uint64_t;
typedef unsigned long long uintptr_t;
typedef long long intptr_t;
#endif
"""

_REPLACEMENTS = {
    **dict.fromkeys(("stdio.h", "cstdio", "stdlib.h", "cstdlib", "string.h", "cstring", "assert.h", "cassert"), ""),
    **dict.fromkeys(("stddef.h", "cstddef", "iostream", "vector", "string", "memory"), ""),
    **dict.fromkeys(("math.h", "cmath"), _MATHS),
    **dict.fromkeys(("limits.h", "climits"), _LIMITS),
    **dict.fromkeys(("float.h", "cfloat"), _FLOATS),
    **dict.fromkeys(("stdint.h", "cstdint"), _INTEGERS),
}
"""Headers of the host's libraries. NVRTC has the functions of the device built in; the types and constants are here."""

_BUILT_IN = dict.fromkeys(("cuda_runtime.h", "cuda_runtime_api.h", "cuda.h", "device_launch_parameters.h"), "")
"""Headers of CUDA whose parts for kernels NVRTC has built in; they replace the real ones if these are not installed."""


@cache
def header_folders() -> tuple[Path, ...]:
    """Return the folders of CUDA's headers in this environment, none if the wheels are not installed."""
    spec = importlib.util.find_spec("nvidia")
    roots = [Path(root) for root in spec.submodule_search_locations or ()] if spec is not None else []
    packages = [package for root in roots for package in sorted(root.glob("cu1[3-9]"))]
    found = [package / name for package in packages for name in _STANDARD_FOLDERS if (package / name).is_dir()]
    complete = any((folder / "cuda_runtime.h").is_file() for folder in found)
    return tuple(found) if complete else ()


def require_headers() -> tuple[Path, ...]:
    """Return the folders of CUDA's headers.

    Raises:
        WarpsmithError: if the wheels are not installed; the message names the extra.
    """
    folders = header_folders()
    if not folders:
        raise WarpsmithError(HEADERS.missing)
    return folders


def replacements(text: str) -> dict[str, str]:
    """Return texts for headers that are not CUDA's, if a text includes any file."""
    if INCLUDED.search(text) is None:
        return {}
    return _REPLACEMENTS if header_folders() else {**_REPLACEMENTS, **_BUILT_IN}


def includes_cuda_headers(text: str, options: Sequence[str] = ()) -> bool:
    """Return whether a text includes CUDA headers, or may reach them through include folders (``-I`` options)."""
    names = INCLUDED.findall(text)
    return any(_OF_CUDA.fullmatch(name) for name in names) or (bool(names) and any(_is_include(option) for option in options))


def missing_header(log: str) -> str | None:
    """Return the name of the header of CUDA that a compiler did not find, or None."""
    found = _NOT_FOUND.search(log)
    name = (found[1] or found[2]) if found else ""
    return name if _OF_CUDA.fullmatch(name) else None


def _is_include(option: str) -> bool:
    return option.startswith(("-I", "--include-path"))
