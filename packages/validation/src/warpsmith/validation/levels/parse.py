"""Level 2: the Python is a kernel file that is safe to load, and the generated text has the shape of its language.

Loading a file runs its top level, its decorators, annotations and defaults, and what stands inside ``wp.static(…)``. Only what
kernels need is allowed there; see `allowed`. The bodies of kernels and Warp functions are not run by Python.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from warpsmith.core.errors import one_line
from warpsmith.core.records.ir import TARGETS
from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.pair import Pair
from warpsmith.validation.levels.context import BatchContext
from warpsmith.validation.levels.finding import PASS, Finding, fail, skipped
from warpsmith.validation.sandbox.allowlist import violation

REQUIRED = {
    "cuda": (
        " {name}_cuda_kernel_forward(",
        " {name}_cuda_kernel_backward(",
        ("threadIdx", "blockIdx", "gridDim", "_idx < dim.size"),
    ),
    "cpu": (" {name}_cpu_forward(", " {name}_cpu_backward(", ("task_index", "wp_cpu_run_block")),
}
"""What a text must hold: the kernel by direction, and the constructs of its language."""

_NOISE = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])'", re.DOTALL)


def check(lines: Sequence[Line], _: BatchContext) -> Iterator[Finding]:
    """Check the Python by its syntax tree and the generated text by its landmarks."""
    for line in lines:
        yield _check(line)


def _check(line: Line) -> Finding:
    pair = line.pair
    if pair is None:
        return skipped("not a record")
    try:
        tree = ast.parse(pair.python_source)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return fail(f"the Python does not parse: {one_line(str(error))}")
    problem = violation(tree) or _kernel_problem(tree) or _text_problem(pair)
    return fail(problem) if problem else PASS


def _kernel_problem(tree: ast.Module) -> str | None:
    kernels = [node.name for node in tree.body if isinstance(node, ast.FunctionDef) and _is_kernel(node)]
    if len(kernels) != 1:
        return f"the Python defines {len(kernels)} kernels instead of one"
    return None


def _is_kernel(node: ast.FunctionDef) -> bool:
    return any(ast.unparse(decorator).partition("(")[0] in ("wp.kernel", "warp.kernel") for decorator in node.decorator_list)


def _text_problem(pair: Pair) -> str | None:
    name = pair.metadata.kernel_name
    for target in TARGETS[pair.metadata.device]:
        forward_name, backward_name, constructs = REQUIRED[target]
        forward, backward = pair.code(target)
        for text, landmark in ((forward, forward_name), (backward, backward_name)):
            if text is None:
                continue
            if landmark.format(name=name) not in text:
                return f"the {target} text lacks{landmark.format(name=name)}"
            missing = [construct for construct in constructs if construct not in text]
            if missing:
                return f"the {target} text lacks {', '.join(missing)}"
            bare = _NOISE.sub("", text)
            if any(bare.count(opening) != bare.count(closing) for opening, closing in ("{}", "()", "[]")):
                return f"the {target} text has brackets that do not match"
    return None
