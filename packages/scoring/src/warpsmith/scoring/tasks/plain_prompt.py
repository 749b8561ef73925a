"""The prompt that asks for a stand-alone CUDA kernel."""

from __future__ import annotations

from warpsmith.core.inputs.elements import element
from warpsmith.core.records.launch import Argument, Launch
from warpsmith.core.records.pair import Pair
from warpsmith.scoring.plain.plain_signature import plain_signature
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
element. The dimensions of a block are powers of two, with at most 256 threads in all, and differ between launches. No
dynamic shared memory is passed."""

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
- The answer is stand-alone CUDA C++ that is compiled without any header: structs, constants, `__device__` functions and the
  kernel. It contains no preprocessor directives or includes, no inline assembler, no attributes, no templates, no
  namespaces, and no global or static variables other than constants.
- The kernel has exactly the name and the types of parameters above.
- CUDA's mathematical functions in float and double, atomic functions, `__shared__` arrays, `__syncthreads()`, vector types
  such as `float4` with `make_float4`, and the constants of math.h, float.h and limits.h are available. Warp shuffles and
  votes, cooperative groups, textures, tensor cores, half precision, `printf` and `malloc` are not."""


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
    return _LAUNCH.format(number={1: "one", 2: "two", 3: "three"}[number], dims=dims, threads=_THREADS[number], sizes=quoted)


def _components(launch: Launch) -> list[str]:
    """Return the paragraph about vectors and matrices, for the types that occur."""
    lines = sorted({line for argument in launch.args for line in _lines(argument)})
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
