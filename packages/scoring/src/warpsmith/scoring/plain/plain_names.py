"""Names that a plain CUDA text may use without a declaration, and names of CUDA that the emulation lacks."""

from __future__ import annotations

import re

TYPE_WORDS = frozenset("void bool char short int long float double unsigned signed auto".split())
"""Words that types consist of."""

_FIXED_TYPES = "size_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t dim3"
_VECTORS = [
    f"{scalar}{count}"
    for scalar in "char uchar short ushort int uint longlong ulonglong float double".split()
    for count in (1, 2, 3, 4)
]

TYPES = frozenset(_FIXED_TYPES.split()) | frozenset(_VECTORS)
"""Names of types."""

QUALIFIERS = frozenset("const volatile __restrict__ __restrict".split())
"""Words beside a type."""

STATEMENTS = frozenset("if else for while do switch case default break continue return goto sizeof true false nullptr".split())
"""Words of statements and expressions."""

CASTS = frozenset("static_cast reinterpret_cast const_cast".split())
"""Casts, which name a type in brackets."""

MEMORY = frozenset("struct extern __shared__ __constant__ __launch_bounds__".split())
"""Words of declarations."""

_PLACES = "threadIdx blockIdx blockDim gridDim warpSize"

_UNARY = """
sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh exp exp2 exp10 expm1 log log2 log10 log1p sqrt rsqrt cbrt rcbrt
floor ceil trunc round rint nearbyint fabs erf erfc tgamma lgamma sinpi cospi sincos sincospi normcdf
pow atan2 fmod remainder hypot rhypot copysign fdim fmin fmax nextafter fma ldexp modf frexp norm3d rnorm3d norm4d rnorm4d
"""
_FUNCTIONS = """
abs llabs min max isnan isinf isfinite signbit fdividef
__float_as_int __float_as_uint __int_as_float __uint_as_float __double_as_longlong __longlong_as_double
__fdividef __sinf __cosf __tanf __expf __exp10f __logf __log2f __log10f __powf __sincosf __saturatef
__fadd_rn __fsub_rn __fmul_rn __fdiv_rn __fmaf_rn __frcp_rn __fsqrt_rn __frsqrt_rn __dadd_rn __dmul_rn
__float2int_rz __float2int_rn __float2int_rd __float2int_ru __int2float_rn
__popc __popcll __clz __clzll __ffs __ffsll __brev __mul24 __mulhi __umulhi __ldg
__syncthreads __threadfence __threadfence_block
atomicAdd atomicSub atomicMax atomicMin atomicAnd atomicOr atomicXor atomicInc atomicDec atomicCAS atomicExch
"""
_CONSTANTS = """
INFINITY NAN M_PI M_PI_2 M_PI_4 M_1_PI M_2_PI M_E M_SQRT2 M_SQRT1_2 M_LN2 M_LN10 M_LOG2E M_LOG10E FLT_MAX FLT_MIN FLT_EPSILON
DBL_MAX DBL_MIN DBL_EPSILON INT_MAX INT_MIN UINT_MAX LLONG_MAX LLONG_MIN ULLONG_MAX
"""

CONSTANTS = frozenset(_CONSTANTS.split())
"""Macros, which no declaration may redefine."""

BUILTINS = (
    frozenset(f"{_PLACES} {_UNARY} {_FUNCTIONS} {_CONSTANTS}".split())
    | {f"{name}f" for name in _UNARY.split()}
    | {f"make_{name}" for name in _VECTORS}
)
"""Variables, functions and constants."""

FUNCTION_WORDS = frozenset("__device__ __global__ __host__ __forceinline__ __noinline__ inline static constexpr".split())
"""Words before the type of a function."""

_KEYWORDS = frozenset(
    """
    alignas alignof and and_eq asm bitand bitor catch char16_t char32_t class compl concept const_cast consteval constinit
    co_await co_return co_yield decltype delete dynamic_cast enum explicit export extern friend mutable namespace new noexcept
    not not_eq operator or or_eq private protected public register reinterpret_cast requires static_assert static_cast struct
    template this thread_local throw try typedef typeid typename union using virtual wchar_t xor xor_eq linux unix
    """.split()
)

UNSUPPORTED = re.compile(
    r"""
    __\w+_sync | __syncwarp | __activemask | __shfl\w* | __ballot | __any | __all | __syncthreads_(?:count|and|or)
    | __cluster\w* | cooperative_groups | cg | wmma | mma | nvcuda | __nv_\w+ | tex[123]D\w* | tex\w*fetch
    | surf\w+(?:read|write) | cuda[A-Z]\w+ | asm | __asm__ | __asm | printf | assert | malloc | free
    | clock(?:64)? | __nanosleep | __trap | __brkpt | __half2? | half2? | __nv_bfloat162?
    | __threadfence_system | atomic\w+_(?:system|block)
    | __vadd\w+ | __dp[24]a\w* | __byte_perm | __funnelshift\w+ | curand\w* | std | memcpy | memset | __pipeline\w+
    """,
    re.VERBOSE,
)
"""Names of CUDA that the emulation does not support."""

WITH_STRINGS = re.compile(r"\b(?:asm|__asm__|__asm|printf|assert|__assert_fail)\b")
"""Names of CUDA that the emulation does not support, and that have strings as arguments."""


def is_free(name: str) -> bool:
    """Return whether a declaration may have this name: no word of the language or name of a type, and none with ``__``."""
    reserved = TYPE_WORDS | TYPES | QUALIFIERS | STATEMENTS | CASTS | FUNCTION_WORDS | CONSTANTS | _KEYWORDS
    places = _PLACES.split()
    return (
        name not in reserved
        and name not in places
        and "__" not in name
        and not name.startswith(("warpsmith", "WARPSMITH", "wp_"))
    )
