"""Level `parse`: the Python is a kernel file that is safe to load, and the generated text has the shape of its language.

Loading a file runs its top level, its decorators, annotations and defaults, and the arguments of ``wp.static(…)``. Only what
kernels need is allowed there, see `sandbox.allowlist`. Python does not run the bodies of kernels and Warp functions.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from warpsmith.core.records import text_format
from warpsmith.core.records.entry_format import has_entry
from warpsmith.core.records.ir import TARGETS
from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.pair import Pair
from warpsmith.core.records.python_source import NotPythonError, is_kernel_definition, parse_python
from warpsmith.validation.allowlist.kernel_file import source_violation
from warpsmith.validation.allowlist.strings import hidden_character
from warpsmith.validation.levels.assignments import unassigned
from warpsmith.validation.levels.atomics import plain_atomic
from warpsmith.validation.levels.context import BatchContext
from warpsmith.validation.levels.finding import PASS, Finding, fail, skipped
from warpsmith.validation.levels.registry import Level

LEVEL = Level(
    name="parse",
    seconds=10.0,
    order=20,
    summary="the Python is a kernel file that is safe to load, and the generated code has the expected structure and atomics",
)

_CONTINUED_COMMENT = re.compile(r"//[^\n]*\\[ \t]*\n")
"""A comment that hides the next line from the compiler; Warp ends comments with the number of a line."""


def check(lines: Sequence[Line], _: BatchContext) -> Iterator[Finding]:
    """Check the Python by its syntax tree and the generated text by its landmarks."""
    for line in lines:
        yield _check(line)


def _check(line: Line) -> Finding:
    pair = line.pair
    if pair is None:
        return skipped("not a record")
    try:
        tree = parse_python(pair.python_source)
    except NotPythonError as error:
        return fail(f"the Python does not parse: {error}")
    problem = source_violation(pair.python_source, tree) or _kernel_problem(tree) or _text_problem(pair)
    return fail(problem) if problem else PASS


def _kernel_problem(tree: ast.Module) -> str | None:
    kernels = sum(map(is_kernel_definition, tree.body))
    if kernels != 1:
        return f"the Python defines {kernels} kernels instead of one"
    return None


def _text_problem(pair: Pair) -> str | None:
    name = pair.metadata.kernel_name
    for target in TARGETS[pair.metadata.device]:
        for direction, text in zip(text_format.DIRECTIONS, pair.code(target), strict=True):
            if text is None:
                continue
            if hidden := hidden_character(text):
                return f"the {target} text has {hidden}"
            if _CONTINUED_COMMENT.search(text):
                return f"the {target} text has a comment that continues on the next line"
            if not has_entry(text, name, target, direction):
                opening = text_format.entry_opening(name, target, direction).strip()
                return f"the {target} text lacks the entry point {opening} in the form that Warp writes"
            bare = text_format.COMMENT_OR_LITERAL.sub("", text)
            if any(bare.count(left) != bare.count(right) for left, right in ("{}", "()", "[]")):
                return f"the {target} text has brackets that do not match"
            if direction == "backward":
                continue
            if plain := plain_atomic(text):
                return f"the {target} text is not atomic where the Python is: {plain}"
            if target == TARGETS[pair.metadata.device][-1] and (line := unassigned(text)):
                return f"the {target} text reads a variable before it has a value: {line}"
    return None
