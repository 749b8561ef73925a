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
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
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

_OF_HOSTS = (
    "algorithm atomic bitset chrono deque exception fstream functional initializer_list iomanip ios iosfwd iostream istream "
    "iterator list map memory mutex new numeric optional ostream queue random set sstream stack stdexcept string string_view "
    "thread unordered_map unordered_set variant vector"
)
"""Headers of the C++ library without functions for devices."""

_ALSO_IN_CUDA_STD = ("array", "complex", "limits", "tuple", "type_traits", "utility")
_FROM_CUDA_STD = "#include <cuda/std/{0}>\nnamespace std {{ using namespace cuda::std; }}\n"

_REPLACEMENTS = {
    **dict.fromkeys(("stdio.h", "cstdio", "stdlib.h", "cstdlib", "string.h", "cstring", "assert.h", "cassert"), ""),
    **dict.fromkeys(("stddef.h", "cstddef", "time.h", "ctime", "errno.h", "stdbool.h", "inttypes.h", "cinttypes"), ""),
    **dict.fromkeys(_OF_HOSTS.split(), ""),
    **{name: _FROM_CUDA_STD.format(name) for name in _ALSO_IN_CUDA_STD},
    **dict.fromkeys(("math.h", "cmath"), _MATHS),
    **dict.fromkeys(("limits.h", "climits"), _LIMITS),
    **dict.fromkeys(("float.h", "cfloat"), _FLOATS),
    **dict.fromkeys(("stdint.h", "cstdint"), _INTEGERS),
}
"""Headers of the host's libraries. NVRTC has the functions of the device built in; the types and constants are here."""

_BUILT_IN = dict.fromkeys(("cuda_runtime.h", "cuda_runtime_api.h", "cuda.h", "device_launch_parameters.h"), "")
"""Headers of CUDA whose parts for kernels NVRTC has built in; they replace the real ones if these are not installed."""


_OF_EACH_WHEEL = ("cuda_runtime.h", "crt/mma.h", "cub/cub.cuh")
"""A header of each wheel: other packages, such as PyTorch, require the first one only."""


@cache
def header_folders() -> tuple[Path, ...]:
    """Return the folders of CUDA's headers in this environment, none if a wheel is not installed."""
    spec = importlib.util.find_spec("nvidia")
    roots = [Path(root) for root in spec.submodule_search_locations or ()] if spec is not None else []
    packages = [package for root in roots for package in sorted(root.glob("cu1[3-9]"))]
    found = [package / name for package in packages for name in _STANDARD_FOLDERS if (package / name).is_dir()]
    complete = all(any((folder / name).is_file() for folder in found) for name in _OF_EACH_WHEEL)
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


def is_known_header(name: str) -> bool:
    """Return whether a text may include a header: one of CUDA's, or one of the host's libraries that has a replacement."""
    return name in _REPLACEMENTS or name in _BUILT_IN or _OF_CUDA.fullmatch(name) is not None


def includes_cuda_headers(text: str, options: Sequence[str] = ()) -> bool:
    """Return whether a text includes CUDA headers, or may reach them through include folders (``-I`` options)."""
    names = INCLUDED.findall(text)
    of_cuda = any(_OF_CUDA.fullmatch(name) or name in _ALSO_IN_CUDA_STD for name in names)
    return of_cuda or (bool(names) and any(_is_include(option) for option in options))


def missing_header(log: str) -> str | None:
    """Return the name of the header of CUDA that a compiler did not find, or None."""
    found = _NOT_FOUND.search(log)
    name = (found[1] or found[2]) if found else ""
    return name if _OF_CUDA.fullmatch(name) else None


def _is_include(option: str) -> bool:
    return option.startswith(("-I", "--include-path"))
