"""Translation units of many texts, so that headers are read once: each text has its own namespace and file name.

Generated kernels have names with C linkage, which namespaces do not separate; macros rename them. A ``#line 1 "K17"`` before
the text with key K17 makes compilers report errors of that text under its key.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from warpsmith.core.records import text_format
from warpsmith.extraction.codegen.split import join
from warpsmith.extraction.warp import codegen
from warpsmith.validation.compiling.part import UnitPart
from warpsmith.validation.compiling.shared import arguments
from warpsmith.validation.compiling.unset import with_contents

_SAMPLES = ("sample_triangle", *(f"sample_unit_{shape}" for shape in (
    "ring", "disk", "sphere_surface", "sphere", "hemisphere_surface", "hemisphere", "square", "cube"
)))  # fmt: skip
"""Builtins that return random vectors. They have no gradient, so that single precision is sufficient for them."""

_SINGLE_FUNCTIONS = {
    "double x": """
        exp exp2 log log2 log10 sqrt cbrt floor ceil fabs round trunc rint sin cos tan asin acos atan sinh cosh tanh erf
    """.split(),
    "double x, double y": ["pow", "fmod", "atan2"],
}
"""Functions of C by their parameters in double precision; with the suffix ``f``, native code calls them for ``float``."""

_DOUBLE = (
    """namespace wp {
template <unsigned Length> inline vec_t<Length, double> warpsmith_wide(const vec_t<Length, float>& sample)
{
    vec_t<Length, double> wide;
    for (unsigned i = 0; i < Length; ++i) wide[i] = sample[i];
    return wide;
}
template <typename T> struct warpsmith_type { using wide = T; };
template <> struct warpsmith_type<float> { using wide = double; };
template <typename... T> using warpsmith_tuple = tuple_t<typename warpsmith_type<T>::wide...>;
}
"""
    + "".join(
        f"inline double warpsmith_{name}({parameters}) {{ return ::{name}({parameters.replace('double ', '')}); }}\n"
        f"#define {name}f warpsmith_{name}\n"
        for parameters, names in _SINGLE_FUNCTIONS.items()
        for name in names
    )
    + "".join(f"#define {name}(state) warpsmith_wide(wp::{name}(state))\n" for name in _SAMPLES)
    + """#define float32 float64
#define float16 float64
#define vec2f vec2d
#define tuple_t warpsmith_tuple
#define adj_float32 adj_float64
#define adj_float16 adj_float64
#undef float
#undef adj_float
#define float(x) float64(x)
#define adj_float(x, adj_x, adj_ret) adj_float64(x, adj_x, adj_ret)
"""
)
"""Text after the headers, because conversions in the headers themselves round.

Tuples, such as the result of ``wp.grad``, name the type ``float``. Fourier transforms of tiles receive the type ``vec2f`` by
name. Their scratch memory, with a size in bytes, is the last on the stack and may be twice as long.
"""


_WITHOUT_SHAPE = r"for (int& length : \1.shape.dims) length = 0x7fffffff;"
"""What replaces a statement that clears the shape of an adjoint array: an index from the start is in the array, as it is where
nothing checks indices. A negative index counts from the end, which is far outside, so that the launch stops."""


def namespaced(part: UnitPart, *, runs: bool) -> str:
    """Return the text of ``part`` in its namespace, with its C names replaced.

    Args:
        part: the text.
        runs: whether the code is going to run, see `UnitPart.keeps_shapes`.
    """
    endings = zip(text_format.ENTRY_SUFFIXES[part.target], text_format.DIRECTIONS, strict=True)
    names = [(f"{part.code.kernel_name}_{ending}", part.symbol(direction)) for ending, direction in endings]
    defines = "".join(f"#define {name} {symbol}\n" for name, symbol in names)
    undefines = "".join(f"#undef {name}\n" for name, _ in names)
    text = part.code.backward_code or "" if part.forward_key else join(part.code, part.target)
    if runs:
        text = with_contents(text)
    if runs and part.keeps_shapes:
        text = text_format.ADJOINT_SHAPE_STATEMENT.sub(_WITHOUT_SHAPE, text)
    start, closing = f"namespace {part.namespace} {{", "}"
    return f'{defines}{start}\n#line 1 "{part.key}"\n{text}\n{closing}\n#line 1 "unit"\n{undefines}'


def _with_shared(parts: Iterable[UnitPart]) -> Iterator[UnitPart]:
    """Yield parts, each shared forward code before the first part that uses it."""
    yielded = set()
    for part in parts:
        if part.forward_key and part.forward_key not in yielded:
            yielded.add(part.forward_key)
            yield replace(part, key=part.forward_key, code=replace(part.code, backward_code=None), forward_key="")
        yield part


def opening(target: str, options: dict[str, object] | None = None, uses_bfloat16: bool = False) -> str:
    """Return what stands before texts for the target's own compiler."""
    preamble = codegen.preamble(target, "bfloat16" if uses_bfloat16 else "", options)
    return preamble + text_format.PRECOMPILED_HEADER_END


def double_opening(options: dict[str, object] | None = None) -> str:
    """Return what stands before C++ texts that are read in double precision."""
    return codegen.preamble("cpu", "bfloat16", options) + _DOUBLE


def plain(parts: Sequence[UnitPart]) -> str:
    """Return the unit for the target's own compiler; all parts have one target and the same options."""
    first = parts[0]
    texts = (
        namespaced(part, runs=first.target == "cpu") + (_entries_of_cpp(part) if part.has_grid_entry else "")
        for part in _with_shared(parts)
    )
    return opening(first.target, dict(first.options), _uses_bfloat16(parts)) + "".join(texts)


def emulation(parts: Sequence[UnitPart]) -> str:
    """Return CUDA texts as C++: the same bytes with other headers, and for each kernel an entry point that loops over a grid.

    In texts that are read in double precision, ``float32`` and ``float16`` are ``float64``, and the adjoints of plain arguments
    are passed by reference: CUDA passes them by value, so that the results are lost.
    """
    options = dict(parts[0].options)
    start = "".join(f"#undef {name}\n" for name in text_format.THREAD_MACROS) + codegen.preamble("cuda", "bfloat16", options)
    start += "#define tile_shared_storage_t warpsmith_no_storage\n"
    single = "".join(_emulated(part) for part in _with_shared(parts) if not part.in_double)
    double = "".join(_emulated(part) for part in _with_shared(parts) if part.in_double)
    return start + single + (_DOUBLE + double if double else "")


def double_cpp(parts: Sequence[UnitPart]) -> str:
    """Return C++ texts with ``float32`` and ``float16`` read as ``float64``.

    The adjoints of plain arguments are references: the texts have copies of them, so that the results are lost.
    """
    texts = "".join(_with_wide_variables(namespaced(part, runs=True)) for part in parts)
    return double_opening(dict(parts[0].options)) + text_format.ADJOINT_VALUE_VARIABLE.sub(r"\1 &\2", texts)


def _emulated(part: UnitPart) -> str:
    text = namespaced(part, runs=True)
    return (_by_reference(_with_wide_variables(text)) if part.in_double else text) + _entries(part, text)


def _with_wide_variables(text: str) -> str:
    """Return a text whose native code computes in double precision, too."""
    return text_format.NATIVE_FLOAT.sub("double", text)


def _entries(part: UnitPart, text: str) -> str:
    directions = ("backward",) if part.forward_key else part.directions
    return "".join(_entry(part, direction, text) for direction in directions)


def _entry(part: UnitPart, direction: str, text: str) -> str:
    (parameters,) = text_format.CUDA_PARAMETERS[direction].findall(text)[-1:]
    # Casts are written out because templates over whole signatures are slow to compile.
    types = [line.strip().rpartition(" ")[0] for line in parameters.split("\n")]
    values = ", ".join(f"*({ctype}*)arguments[{number}]" for number, ctype in enumerate(types))
    symbol = part.symbol(direction)
    return (
        f'namespace {part.namespace} {{ extern "C" void {symbol}_thread(void** arguments) {{ {symbol}({values}); }} }}\n'
        f'extern "C" WP_API void {symbol}_grid(const warpsmith_shape* shape, void** arguments)\n'
        f"{{ warpsmith_drive(*shape, &{part.namespace}::{symbol}_thread, arguments); }}\n"
    )


def _entries_of_cpp(part: UnitPart) -> str:
    """Return entry points that run a C++ kernel over a grid; its structures start at their first members."""
    structures, entries = [1, 1 + len(arguments(part.code))], ""
    for count, direction in enumerate(part.directions, start=1):
        kernel = f"{part.key}::{text_format.kernel_prefix(part.code.kernel_name, 'cpu')}{direction}<false>"
        pointers = ", ".join(f"arguments[{index}]" for index in structures[:count])
        entries += (
            f'extern "C" WP_API void {part.symbol(direction)}_grid(const warpsmith_shape* shape, void** arguments)\n'
            f"{{ void* given[] = {{ arguments[0], (void*)&{kernel}, {pointers} }}; "
            f"warpsmith_drive(*shape, &warpsmith_stride<{part.dimensions}{', void*' * count}>, given); }}\n"
        )
    return entries


def _by_reference(text: str) -> str:
    by_reference = text_format.ADJOINT_VALUE_PARAMETER.sub
    return text_format.CUDA_PARAMETERS["backward"].sub(
        lambda match: match[0].replace(match[1], by_reference(r"\1 &\2\3", match[1])), text
    )


def _uses_bfloat16(parts: Sequence[UnitPart]) -> bool:
    return any("bfloat16" in join(part.code, part.target) for part in parts)
