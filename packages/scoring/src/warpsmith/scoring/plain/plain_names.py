"""The names that parameters, structs and members of a plain signature may not have."""

from __future__ import annotations

_TYPES = """
void bool char short int long float double unsigned signed auto
size_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t dim3
"""
_SCALARS = "char uchar short ushort int uint longlong ulonglong float double"
_KEYWORDS = """
alignas alignof and and_eq asm bitand bitor break case catch char16_t char32_t class compl concept const const_cast
consteval constexpr constinit continue co_await co_return co_yield decltype default delete do dynamic_cast else enum explicit
export extern false for friend goto if inline mutable namespace new noexcept not not_eq nullptr operator or or_eq
private
protected public register reinterpret_cast requires return sizeof static static_assert static_cast struct switch template
this thread_local throw
true try typedef typeid typename union using virtual volatile wchar_t while xor xor_eq linux unix
"""
_VARIABLES = "threadIdx blockIdx blockDim gridDim warpSize"
_CONSTANTS = """
INFINITY NAN M_PI M_PI_2 M_PI_4 M_1_PI M_2_PI M_E M_SQRT2 M_SQRT1_2 M_LN2 M_LN10 M_LOG2E M_LOG10E FLT_MAX FLT_MIN FLT_EPSILON
DBL_MAX DBL_MIN DBL_EPSILON INT_MAX INT_MIN UINT_MAX LLONG_MAX LLONG_MIN ULLONG_MAX
"""

_RESERVED = frozenset(f"{_TYPES} {_KEYWORDS} {_VARIABLES} {_CONSTANTS}".split()) | {
    f"{scalar}{count}" for scalar in _SCALARS.split() for count in (1, 2, 3, 4)
}


def is_free(name: str) -> bool:
    """Return whether a parameter may have this name: no word, type or constant of CUDA, and none with ``__``."""
    return name not in _RESERVED and "__" not in name and not name.startswith(("warpsmith", "WARPSMITH", "wp_"))
