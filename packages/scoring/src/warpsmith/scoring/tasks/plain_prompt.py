"""The prompts that ask for a stand-alone CUDA kernel, and for a program."""

from __future__ import annotations

from collections.abc import Sequence

from warpsmith.core.inputs.elements import element
from warpsmith.core.records.launch import Argument, Launch
from warpsmith.core.records.pair import Pair
from warpsmith.scoring.plain.grids import DYNAMIC_SHARED
from warpsmith.scoring.plain.plain_signature import plain_signature, program_signature
from warpsmith.scoring.plain.program_unit import SCRATCH_BYTES
from warpsmith.scoring.tasks.fixed_sizes import judgement
from warpsmith.scoring.tasks.prompts import AFTER, ORDER, counts, fenced, joined

_THREADS = {
    1: "`wp.tid()` is `blockIdx.x * blockDim.x + threadIdx.x`",
    2: "`wp.tid()` is `(i, j)`: `i` counts the threads along `y`, and `j` those along `x`",
    3: "`wp.tid()` is `(i, j, k)`: `i` counts the threads along `z`, `j` those along `y`, and `k` those along `x`",
}

_LAUNCH = """\
Launch: the Python kernel is launched with `dim=({dims})`. Your kernel is launched on a {number}-dimensional grid of
{number}-dimensional blocks with at least one thread for each element. {threads}.
The grid may be larger than the launch in each dimension: threads beyond {sizes} must not access any
element. The dimensions of a block are powers of two, with 32, 64, 128 or 256 threads in all, and differ between launches.
Each block has {shared} bytes of dynamic shared memory (`extern __shared__`)."""

_LAYOUT = """\
Arguments:
- The first parameters are the size of the launch. The other parameters are the arguments of the Python kernel in order.
- An array `x` is a pointer to its elements, followed by its shape: `x_shape0`, `x_shape1`, …. Arrays are contiguous and in
  row-major order: element `x[i, j]` is number `i * x_shape1 + j`.
- Pointers are aligned to the type of a number only: arrays of floats cannot be read as `float4`."""

_COMPONENTS = """\
- A vector or a matrix is a sequence of its numbers, without padding, in an array, in a struct or as an argument:
{lines}
  Matrices are in row-major order."""

_STRUCTS = "- Structs are passed with the members in the text above, which the answer has to repeat."

_RULES = """\

Rules:
- The answer is CUDA C++17 for compute capability 9.0, as `nvcc` compiles it. It may include headers of CUDA and of the C and
  C++ libraries, and use all that CUDA offers to kernels: macros, templates, lambdas, shared memory, atomic functions,
  shuffles and votes, cooperative groups of a block, `half` and `bfloat16`, `printf`, `assert`. The types and constants of
  stdint.h, math.h, float.h and limits.h are available without an include.
- The kernel has exactly the name and the types of parameters above. Code of the host beside it is ignored.
- Textures, surfaces, cuRAND, dynamic parallelism and cooperative launches of a whole grid are not supported.
- The answer is wrong if a launch accesses memory outside of its arrays, writes an input, reads shared memory or a variable
  that nothing has written, races, or leaves a barrier to a part of a block. Vector types such as `float4` need aligned
  addresses. A launch starts without anything that an earlier one has left."""


_HOST = """\
The Python kernel is launched with `dim=({dims})`. The function runs on the host, launches one or several kernels with
`kernel<<<grid, block, shared, stream>>>(…)` in one stream, and returns when they are started."""

_HOST_RULES = """\

Rules:
- The answer is CUDA C++17 for compute capability 9.0, as `nvcc` compiles it. It may include headers of CUDA and of the C and
  C++ libraries, and use in kernels what CUDA offers: macros, templates, lambdas, shared memory, atomic functions, shuffles and
  votes, cooperative groups of a block, `half` and `bfloat16`, `printf`, `assert`. The types and constants of stdint.h, math.h,
  float.h and limits.h are available without an include.
- The function has exactly the name and the types of parameters above. All pointers are addresses of the device, which the
  function cannot read itself. Kernels may have any names, and launches of templates name their arguments.
- The function may call `cudaMalloc`, `cudaMemset` and `cudaMemcpy` from device to device, their asynchronous forms, `cudaFree`,
  and functions of streams and errors. It may allocate {scratch:,} bytes in all. A function `main` is ignored; what else the
  function calls has to be code that CUDA would compile for the device, too: no containers and streams of C++.
- Textures, surfaces, cuRAND, dynamic parallelism and cooperative launches of a whole grid are not supported.
- The answer is wrong if a launch accesses memory outside of its arrays, writes an input, reads shared memory or a variable that
  nothing has written, races, has an empty grid, or leaves a barrier to a part of a block. Vector types such as `float4` need
  aligned addresses. A run starts without anything that an earlier one has left."""

HOST_RULES = _HOST_RULES.format(scratch=SCRATCH_BYTES)
"""The rules for answers with a function of the host."""


def python_to_program(pair: Pair, entry_point: str) -> str:
    """Return the prompt that asks for CUDA kernels, and a function of the host that launches them."""
    signature, launch = program_signature(pair, entry_point), pair.metadata.launch
    if signature is None or launch is None:
        raise ValueError("a pair without a plain signature")
    dims = ", ".join(f"dim{number}" for number in range(len(launch.dim))) + ("," if len(launch.dim) == 1 else "")
    return joined(
        "Write CUDA kernels that do the work of this NVIDIA Warp kernel, and the function that launches them, without Warp's "
        "headers.",
        fenced("python", pair.python_source),
        f"Define the function `{entry_point}` with this signature:",
        fenced("cuda", signature.text),
        AFTER,
        _HOST.format(dims=dims),
        "\n".join(
            (
                _LAYOUT,
                *_components(launch),
                *([_STRUCTS] if signature.structs else []),
                HOST_RULES,
            )
        ),
        ORDER,
        judgement(pair),
        counts("cuda"),
    )


def python_to_plain_cuda(pair: Pair, entry_point: str) -> str:
    """Return the prompt that asks for a stand-alone CUDA kernel with the results of a Python kernel."""
    signature, launch = plain_signature(pair, entry_point), pair.metadata.launch
    if signature is None or launch is None:
        raise ValueError("a pair without a plain signature")
    return joined(
        "Write a stand-alone CUDA kernel that does the work of this NVIDIA Warp kernel, without Warp's headers.",
        fenced("python", pair.python_source),
        f"Define the kernel `{entry_point}` with this signature:",
        fenced("cuda", signature.text),
        AFTER,
        _described(launch),
        "\n".join((_LAYOUT, *_components(launch), *([_STRUCTS] if signature.structs else []), _RULES)),
        ORDER,
        judgement(pair),
        counts("cuda"),
    )


def _described(launch: Launch) -> str:
    number = len(launch.dim)
    sizes = ", ".join(f"dim{dimension}" for dimension in range(number))
    quoted = " and ".join(f"`dim{dimension}`" for dimension in range(number))
    dims = f"{sizes}," if number == 1 else sizes
    numeral = {1: "one", 2: "two", 3: "three"}[number]
    return _LAUNCH.format(number=numeral, dims=dims, threads=_THREADS[number], sizes=quoted, shared=f"{DYNAMIC_SHARED:,}")


def _components(launch: Launch) -> list[str]:
    return component_lines(launch.args)


def component_lines(arguments: Sequence[Argument]) -> list[str]:
    """Return the paragraph about vectors and matrices, for the types that occur."""
    lines = sorted({line for argument in arguments for line in _lines(argument)})
    return [_COMPONENTS.format(lines="\n".join(lines))] if lines else []


def _lines(argument: Argument) -> list[str]:
    if argument.fields:
        return [line for member in argument.fields for line in _lines(member)]
    shape = element(argument.dtype)[1]
    if len(shape) == 1:
        return [f"  component `c` of a {argument.dtype} is number `c` of {shape[0]};"]
    if len(shape) == 2:
        return [f"  entry `[r, c]` of a {argument.dtype} is number `r * {shape[1]} + c` of {shape[0] * shape[1]};"]
    return []
