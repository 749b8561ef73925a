"""Many texts in one translation unit, so that headers are read once: each in a namespace, under a file name of its own.

Generated kernels have C names, which namespaces do not keep apart, so that macros rename them. Compilers see ``#line 1 "K17"``
before the 17th text: that is how an error tells whose it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from warpsmith.core.records import text_format
from warpsmith.core.records.ir import Code
from warpsmith.extraction.split import join
from warpsmith.extraction.warp import codegen
from warpsmith.validation.compiling.shared import arguments

DEFAULT_BLOCK = 256
"""Threads a block where a module does not say."""

_SAMPLES = ("sample_triangle", *(f"sample_unit_{shape}" for shape in (
    "ring", "disk", "sphere_surface", "sphere", "hemisphere_surface", "hemisphere", "square", "cube"
)))  # fmt: skip
"""Builtins that make random vectors. They have no gradient, so that they may keep their single precision."""

_DOUBLE = (
    """namespace wp {
template <unsigned Length> inline vec_t<Length, double> warpsmith_wide(const vec_t<Length, float>& sample)
{
    vec_t<Length, double> wide;
    for (unsigned i = 0; i < Length; ++i) wide[i] = sample[i];
    return wide;
}
}
"""
    + "".join(f"#define {name}(state) warpsmith_wide(wp::{name}(state))\n" for name in _SAMPLES)
    + """#define float32 float64
#define float16 float64
#define vec2f vec2d
#define adj_float32 adj_float64
#define adj_float16 adj_float64
#undef float
#undef adj_float
#define float(x) float64(x)
#define adj_float(x, adj_x, adj_ret) adj_float64(x, adj_x, adj_ret)
"""
)
"""Stands behind the headers, whose own conversions round.

Fourier transforms of tiles are told to work on ``vec2f``; their scratch memory, whose bytes they name, is the last on the stack
and may be twice as long.
"""


@dataclass(frozen=True, slots=True)
class Part:
    """One text of a unit.

    Attributes:
        key: a C++ name, unique in the unit.
        target: ``"cpu"`` or ``"cuda"``.
        code: the generated code of one kernel.
        options: the module options that differ from Warp's defaults.
        gridded: whether a text for ``"cpu"`` gets an entry that runs its statements over a grid, as CUDA does, see `shared`.
    """

    key: str
    target: str
    code: Code
    options: tuple[tuple[str, object], ...] = ()
    gridded: bool = False

    @property
    def block_dim(self) -> int:
        """Threads a block, as the module option says."""
        return int(str(dict(self.options).get("block_dim", DEFAULT_BLOCK)))

    @property
    def dimensions(self) -> int | None:
        """How many coordinates the kernel's ``wp.tid()`` has, None where the text does not say."""
        found = text_format.LAUNCH_DIMENSIONS.search(self.code.forward_code)
        return int(found[1]) if found else None

    @property
    def replays_writes(self) -> bool:
        """Whether the backward pass writes arrays again: it calls helper functions once more, with all that they write."""
        opening = text_format.kernel_opening(self.code.kernel_name, self.target, "forward")
        helpers, _, _ = self.code.forward_code.partition(f" {opening}")
        return self.code.backward_code is not None and text_format.ARRAY_WRITE.search(helpers) is not None

    @property
    def waits(self) -> bool:
        """Whether threads of a block wait for each other, as those that share tiles do."""
        return text_format.BLOCK_OPERATION.search(self.code.forward_code) is not None

    @property
    def directions(self) -> tuple[str, ...]:
        """The entries that the text has."""
        return ("forward",) if self.code.backward_code is None else ("forward", "backward")

    def symbol(self, direction: str) -> str:
        """The C name of the ``"forward"`` or ``"backward"`` entry in the built unit."""
        return f"{self.key}_{direction}"

    def written(self) -> str:
        """The text in its namespace, with its C names replaced."""
        endings = zip(text_format.ENTRY_SUFFIXES[self.target], text_format.DIRECTIONS, strict=True)
        names = [(f"{self.code.kernel_name}_{ending}", self.symbol(direction)) for ending, direction in endings]
        defines = "".join(f"#define {name} {symbol}\n" for name, symbol in names)
        undefines = "".join(f"#undef {name}\n" for name, _ in names)
        text = join(self.code, self.target)
        return f'{defines}namespace {self.key} {{\n#line 1 "{self.key}"\n{text}\n}}\n#line 1 "unit"\n{undefines}'


def plain(parts: Sequence[Part]) -> str:
    """The unit that the target's own compiler is given; all parts have one target and the same options."""
    first = parts[0]
    options = {"block_dim": DEFAULT_BLOCK, **dict(first.options)}
    opening = codegen.preamble(first.target, "bfloat16" if _uses_bfloat16(parts) else "", options)
    texts = (part.written() + (_entries_of_cpp(part) if part.gridded else "") for part in parts)
    return opening + text_format.PRECOMPILED_HEADER_END + "".join(texts)


def emulation(parts: Sequence[Part], double: bool = False) -> str:
    """CUDA texts as C++: the same bytes between other headers, and for each kernel an entry that loops over a grid.

    Args:
        parts: texts for ``cuda``.
        double: read ``float32`` and ``float16`` as ``float64``, and hand out the adjoints of plain arguments, which CUDA passes
            by value and so loses.
    """
    options = {"block_dim": DEFAULT_BLOCK, **dict(parts[0].options)}
    opening = "".join(f"#undef {name}\n" for name in text_format.THREAD_MACROS) + codegen.preamble("cuda", "bfloat16", options)
    opening += "#define tile_shared_storage_t warpsmith_no_storage\n"
    if double:
        opening += _DOUBLE
    for part in parts:
        text = part.written()
        opening += (_by_reference(text) if double else text) + _entries(part, text)
    return opening


def double_cpp(parts: Sequence[Part]) -> str:
    """C++ texts with ``float32`` and ``float16`` read as ``float64``."""
    options = {"block_dim": DEFAULT_BLOCK, **dict(parts[0].options)}
    opening = codegen.preamble("cpu", "bfloat16", options) + _DOUBLE
    return opening + "".join(part.written() for part in parts)


def _entries(part: Part, text: str) -> str:
    return "".join(_entry(part, direction, text) for direction in part.directions)


def _entry(part: Part, direction: str, text: str) -> str:
    (parameters,) = text_format.CUDA_PARAMETERS[direction].findall(text)[-1:]
    # Casts are written out because templates over whole signatures are slow to compile.
    types = [line.strip().rpartition(" ")[0] for line in parameters.splitlines()]
    given = ", ".join(f"*({kind}*)arguments[{number}]" for number, kind in enumerate(types))
    symbol = part.symbol(direction)
    return (
        f'namespace {part.key} {{ extern "C" void {symbol}_thread(void** arguments) {{ {symbol}({given}); }} }}\n'
        f'extern "C" WP_API void {symbol}_grid(const warpsmith_shape* shape, void** arguments)\n'
        f"{{ warpsmith_drive(*shape, &{part.key}::{symbol}_thread, arguments); }}\n"
    )


def _entries_of_cpp(part: Part) -> str:
    """Entries that run a C++ kernel over a grid; the structures it takes begin where their first members are."""
    structures, entries = [1, 1 + len(arguments(part.code))], ""
    for count, direction in enumerate(part.directions, start=1):
        kernel = f"{part.key}::{text_format.kernel_prefix(part.code.kernel_name, 'cpu')}{direction}<false>"
        given = ", ".join(f"arguments[{place}]" for place in structures[:count])
        entries += (
            f'extern "C" WP_API void {part.symbol(direction)}_grid(const warpsmith_shape* shape, void** arguments)\n'
            f"{{ void* given[] = {{ arguments[0], (void*)&{kernel}, {given} }}; "
            f"warpsmith_drive(*shape, &warpsmith_stride<{part.dimensions}{', void*' * count}>, given); }}\n"
        )
    return entries


def _by_reference(text: str) -> str:
    by_reference = text_format.ADJOINT_VALUE_PARAMETER.sub
    return text_format.CUDA_PARAMETERS["backward"].sub(
        lambda found: found[0].replace(found[1], by_reference(r"\1 &\2\3", found[1])), text
    )


def _uses_bfloat16(parts: Sequence[Part]) -> bool:
    return any("bfloat16" in join(part.code, part.target) for part in parts)
