"""The prompts: what each kind of task asks for, with the signature, the rules and the launch."""

from __future__ import annotations

import ast
import re

from warpsmith.core.records import text_format
from warpsmith.core.records.pair import Pair
from warpsmith.core.records.python_source import NotPythonError, is_kernel_definition, parse_python
from warpsmith.scoring.tasks.completions import MARKS
from warpsmith.scoring.tasks.fixed_sizes import judgement

_COMMENT_LINE = re.compile(r"^[ \t]*//[^\n]*\n", re.MULTILINE)
_EMPTY_LINES = re.compile(r"\n{3,}")

_START, _CONDITION, _STEP = text_format.GRID_STRIDE_LOOP[2:5]

_LOOP = f"""\
{_START}
     {_CONDITION}
     {_STEP}
{{
    // one element: builtin_tid1d() or builtin_tid2d(...) return its coordinates from dim and _idx
}}"""

_CUDA_RULES = """\
Rules:
- The text is compiled after Warp's header `builtin.h`. Its functions and types, such as `wp::array_t`, `wp::load` and
  `wp::array_store`, are available without an include.
- The kernel has exactly the signature above, with the same names of parameters. Structs and helper functions
  (`static CUDA_CALLABLE`) can be defined before it, as Warp writes them; their names end in `_` and a number.
- Elements of arrays are accessed by `wp::address`, `wp::load`, `wp::array_store` and the atomic functions, components of
  vectors and matrices by `wp::extract` and `wp::address`, not by pointers or brackets.
- Local arrays of numbers such as `float x[4]`, `auto` for values and addresses of elements, and functions of C such as `cosf`
  may be used.
- The text contains no preprocessor directives or includes, no inline assembler, no attributes, and no static or global
  variables."""

_ADJOINT_RULES = f"""\
{_CUDA_RULES}
- The structs and helper functions of the forward code are placed before your text: do not repeat them. Adjoints of helper
  functions belong to your text.
- Gradients are computed analytically, not by finite differences, and in double precision only where the forward code is."""

_PYTHON_RULES = """\
Rules:
- The answer is a whole Python file that begins with `import warp as wp`.
- The kernel has exactly the name, the parameters and the types above. Structs with the members of the CUDA structs, helper
  functions (`@wp.func`) and constants can be defined before it.
- The file defines these and nothing else. It imports no modules but `warp`, `math` and `numpy`, runs no other code when it
  is loaded, and contains no native code (`@wp.func_native`) and no adjoints (`@wp.func_grad`, `@wp.func_replay`)."""

_ADJOINT = """\
Each parameter `adj_x` belongs to the parameter `var_x`. For an array, `adj_x` is the array of its gradients; a gradient of any
other type is passed by value and returns nothing. Before the launch, the forward pass has run, and the gradients of the arrays
that it writes are set. The adjoint adds to the gradients of the arrays that the forward pass reads, by the chain rule, and
does not overwrite them. Several threads may add to one element, so these additions are atomic, as in Warp's own functions
`wp::adj_*`. Where the forward pass overwrites an element, the gradient of the element is zero after the adjoint."""

_LAUNCH = """\
The kernel is launched on a one-dimensional grid of blocks of {block} threads. Any number of blocks has to give the same
results, so the kernel visits its `dim.size` elements in the grid-stride loop of Warp:"""

AFTER = """\
After a launch, all arrays contain what the Python kernel writes. Before it, they contain any values, outputs as well: an
element that the kernel does not write keeps its value. As in Warp, `//` rounds down, also for negative numbers, and `%` has the
sign of its first operand."""
"""The paragraph about the contents of arrays and the operators that differ between Python and C++."""

_TIES = """\
Where a function has no derivative, the gradient is Warp's: `abs` has slope 1 at zero; of two equal operands of `min` or `max`,
the second one has the whole gradient; `clamp(x, low, high)` passes it to `x` where `x` equals `low`, and to `high` where `x`
equals `high`; the length of a zero vector passes none. `//`, `sign`, `step` and functions that round pass none, and `%` passes
it to its first operand only."""

ORDER = "The order in which threads run is unspecified."
"""The sentence about the order of threads."""

_JUDGED = """\
Warp generates code for your kernel, which is run forward and backward. It has to give the same results and gradients as the
code above."""

_WRONG = "This answer to the task is wrong:"

_REPORT = "The report about it:"

_REPAIR = "Find the mistake and write the whole code again without it. All rules of the task apply."

_COUNTS = """\
The answer may contain explanations. The last fenced code block that defines the function counts.
Its mark is {marks}, or it has none."""


def python_to_cuda(pair: Pair, entry_point: str) -> str:
    """Return the prompt that asks for the CUDA forward kernel of a Python kernel."""
    return joined(
        "Write the CUDA code of this NVIDIA Warp kernel: the forward pass, as Warp would generate it.",
        fenced("python", pair.python_source),
        f"Define the function `{entry_point}` with this signature:",
        fenced("cuda", cuda_signature(pair.cuda_ir_forward or "", entry_point) or ""),
        AFTER,
        *_launch(pair),
        _CUDA_RULES,
        _ending(pair, "cuda"),
    )


def forward_to_adjoint(pair: Pair, entry_point: str) -> str:
    """Return the prompt that asks for the CUDA adjoint of a kernel."""
    return joined(
        "Write the adjoint of this NVIDIA Warp kernel: the CUDA code of its backward pass, as Warp would generate it.",
        "The Python kernel:",
        fenced("python", pair.python_source),
        "The CUDA code of its forward pass:",
        fenced("cuda", pair.cuda_ir_forward or ""),
        f"Define the function `{entry_point}` with this signature:",
        fenced("cuda", cuda_signature(pair.cuda_ir_backward or "", entry_point) or ""),
        _ADJOINT,
        _TIES,
        *_launch(pair),
        _ADJOINT_RULES,
        _ending(pair, "cuda"),
    )


def cuda_to_python(pair: Pair, entry_point: str) -> str:
    """Return the prompt that asks for the Python kernel of a CUDA text."""
    return joined(
        "NVIDIA Warp generated this CUDA code for the forward pass of a kernel. Write the Python file with the Warp kernel.",
        fenced("cuda", without_comments(pair.cuda_ir_forward or "")),
        f"Define the kernel `{entry_point}`, decorated with `@wp.kernel`, with this signature:",
        fenced("python", python_signature(pair.python_source, entry_point) or ""),
        _JUDGED,
        _PYTHON_RULES,
        _ending(pair, "python"),
    )


def repair(prompt: str, language: str, text: str, message: str) -> str:
    """Return the prompt that asks for the repair of a wrong answer to the task with ``prompt``."""
    return joined(prompt.rstrip("\n"), _WRONG, fenced(language, text), _REPORT, fenced("text", message), _REPAIR)


def cuda_signature(text: str, entry_point: str) -> str | None:
    """Return the signature of a kernel function in a CUDA text, or None if the text does not define the function."""
    found = re.search(
        rf'extern "C" (?:__launch_bounds__\(\d+\) )?__global__ void {re.escape(entry_point)}\(.*?\)(?=\n{{)', text, re.DOTALL
    )
    return found[0] if found else None


def python_signature(source: str, name: str) -> str | None:
    """Return the signature of a kernel in a Python file, or None if the file defines no kernel of this name."""
    try:
        kernels = filter(is_kernel_definition, parse_python(source).body)
        arguments = next((kernel.args.args for kernel in kernels if kernel.name == name), None)
        parameters = [f"    {ast.unparse(argument)},\n" for argument in arguments or ()]
    except (NotPythonError, RecursionError):
        return None
    return None if arguments is None else f"def {name}(\n{''.join(parameters)}):"


def without_comments(text: str) -> str:
    """Return a CUDA text without lines of comments: the comments that quote the Python, and all others."""
    return _EMPTY_LINES.sub("\n\n", _COMMENT_LINE.sub("", text_format.PYTHON_COMMENT_LINE.sub("", text)))


def fenced(language: str, text: str) -> str:
    """Return a text as a fenced code block, whose fence does not occur in the text."""
    longest = max((len(run) for run in re.findall("`{3,}", text)), default=2)
    fence = "`" * (longest + 1)
    content = text.strip("\n")
    return f"{fence}{language}\n{content}\n{fence}"


def _launch(pair: Pair) -> tuple[str, str, str]:
    block = pair.metadata.module_options.get("block_dim", text_format.DEFAULT_BLOCK)
    return _LAUNCH.format(block=block), fenced("cuda", _LOOP), ORDER


def counts(language: str) -> str:
    """Return which part of an answer counts."""
    return _COUNTS.format(marks=", ".join(f"`{mark}`" for mark in MARKS[language]))


def _ending(pair: Pair, language: str) -> str:
    return f"{judgement(pair)}\n\n{counts(language)}"


def joined(*paragraphs: str) -> str:
    """Return paragraphs as one text."""
    return "\n\n".join(paragraphs) + "\n"
