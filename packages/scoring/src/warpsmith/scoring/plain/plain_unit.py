"""The text that NVRTC reads: an answer without the code of its host, after constants of the C library."""

from __future__ import annotations

import re
from collections.abc import Iterator

from warpsmith.core.records import text_format

PREAMBLE = "warpsmith_preamble.h"
"""The file with what an answer may use without an include."""

CONSTANTS = """\
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long long uint64_t;
#undef linux
#undef unix
#undef INFINITY
#undef NAN
#define INFINITY __int_as_float(0x7f800000)
#define NAN __int_as_float(0x7fffffff)
#define HUGE_VALF INFINITY
#define HUGE_VAL __longlong_as_double(0x7ff0000000000000)
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_E 2.7182818284590452354
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define FLT_MAX 3.402823466e+38f
#define FLT_MIN 1.175494351e-38f
#define FLT_EPSILON 1.192092896e-07f
#define DBL_MAX 1.7976931348623158e+308
#define DBL_MIN 2.2250738585072014e-308
#define DBL_EPSILON 2.2204460492503131e-16
#define CHAR_BIT 8
#define SHRT_MAX 32767
#define SHRT_MIN (-32768)
#define USHRT_MAX 65535
#define INT_MAX 2147483647
#define INT_MIN (-2147483647 - 1)
#define UINT_MAX 4294967295u
#define LLONG_MAX 9223372036854775807ll
#define LLONG_MIN (-9223372036854775807ll - 1)
#define ULLONG_MAX 18446744073709551615ull
#define INT32_MAX INT_MAX
#define INT32_MIN INT_MIN
#define UINT32_MAX UINT_MAX
#define INT64_MAX LLONG_MAX
#define INT64_MIN LLONG_MIN
#define UINT64_MAX ULLONG_MAX
// NVRTC lacks overloads that the headers of CUDA have
static inline __device__ double pow(float x, double y) { return pow((double)x, y); }
static inline __device__ double pow(double x, float y) { return pow(x, (double)y); }
"""
"""Types and constants of the C library."""

_STANDARD = (
    "abs sqrt cbrt pow exp exp2 expm1 log log2 log10 log1p sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh "
    "floor ceil trunc round rint nearbyint fabs fmod remainder fmin fmax fma hypot copysign fdim erf erfc tgamma lgamma isnan "
    "isinf isfinite signbit ldexp"
)
STANDARD = f"""\
namespace std {{
{" ".join(f"using ::{name};" for name in _STANDARD.split())}
template <typename T> __device__ constexpr const T& min(const T& a, const T& b) {{ return b < a ? b : a; }}
template <typename T> __device__ constexpr const T& max(const T& a, const T& b) {{ return a < b ? b : a; }}
template <typename T> __device__ constexpr void swap(T& a, T& b) {{ T c = a; a = b; b = c; }}
}}
"""
"""The functions of the C++ library that CUDA's headers declare for devices."""

_DIRECTIVE = re.compile(r"^[ \t]*#(?:\\\n|[^\n])*", re.MULTILINE)
_ANNOTATING_MACRO = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)[^\n]*__(?:device|global)__", re.MULTILINE)
_BLOCK = re.compile(r"\s*(?:inline\s+)?(?:namespace\b[\w\s:]*|extern\s*)$")
"""What stands before the brace of a block of declarations, in a text without strings."""

_TYPE = re.compile(r"\s*(?:template\s*<.*>\s*)?(?:struct|class|union|enum|using|typedef|namespace|static_assert)\b", re.DOTALL)
_FOR_DEVICES = frozenset("__global__ __device__ __constant__ __shared__ __managed__ constexpr consteval".split())


_OPERATOR = re.compile(r"\boperator\s*[^\s\w(]+")
"""The name of an operator, which may contain a sign of equality."""

_PARENTHESES = re.compile(r"\([^()]*\)")
_STRUCT = re.compile(r"\b(?:struct|class|union)\s+\w+[^{};]*\{[^{}]*\}")
_WITHOUT_VALUE = re.compile(
    r"\b(?!(?:return|goto|else|case|struct|class|using|namespace|typename|extern|break|continue)\b)[A-Za-z_]\w*[\s*]+"
    r"(?!const\b)[A-Za-z_]\w*\s*(?:\[[^\]]*\]\s*)*[;,]"
)


def declares_unset(text: str) -> bool:
    """Return whether a text may declare a variable without a value."""
    bare, before = text_format.COMMENT_OR_LITERAL.sub(" ", text), ""
    while bare != before:
        bare, before = _PARENTHESES.sub(" 0 ", bare), bare
    return _WITHOUT_VALUE.search(_STRUCT.sub(" ", bare)) is not None


def without_host_code(text: str) -> str:
    """Return a text with blanks for the functions of the host.

    A function belongs to the host if neither its declaration nor a macro there contains ``__device__`` or ``__global__``.
    """
    bare = _DIRECTIVE.sub(_blank, text_format.COMMENT_OR_LITERAL.sub(_blank, text))
    annotations = _FOR_DEVICES | set(_ANNOTATING_MACRO.findall(text))
    found = text
    for start, end in _declarations(bare):
        head = bare[start:end].partition("{")[0]
        if _is_function(head) and annotations.isdisjoint(re.findall(r"\w+", head)):
            found = found[:start] + _blanks(found[start:end]) + found[end:]
    return found


def _declarations(bare: str) -> Iterator[tuple[int, int]]:
    """Yield where declarations outside of functions and types start and end."""
    start = depth = 0
    for at, character in enumerate(bare):
        if character == "{" and depth == 0 and _BLOCK.match(bare, start, at):
            start = at + 1
            continue
        depth += (character in "({[") - (character in ")}]")
        if depth < 0:  # the end of a block of declarations
            start, depth = at + 1, 0
        elif depth == 0 and (character == ";" or (character == "}" and _is_function(bare[start:at].partition("{")[0]))):
            yield start, at + 1
            start = at + 1


def _is_function(head: str) -> bool:
    """Return whether a declaration declares a function; ``head`` is the text before its first brace."""
    return "(" in _OPERATOR.sub("operator", head).partition("=")[0] and _TYPE.match(head) is None


def _blank(found: re.Match[str]) -> str:
    return _blanks(found[0])


def _blanks(text: str) -> str:
    """Return a text as long, with the same lines, that contains nothing."""
    return re.sub(r"[^\n]", " ", text)
