"""Texts with anything that a program cannot run are left to the compiler."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from warpsmith.core.records.ir import Code
from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.launch import Launch
from warpsmith.validation.calls.kernel_text import read, with_empty_variables
from warpsmith.validation.calls.steps import Body, Unfit
from warpsmith.validation.levels.context import BatchContext

SOURCE = """
import warp as wp


@wp.func
def bent(a: float, b: float):
    if a > b:
        return a * b
    return a - b


@wp.kernel
def step(x: wp.array(dtype=float), n: int, out: wp.array(dtype=float)):
    i = wp.tid()
    total = float(0.0)
    for k in range(n):
        if x[k] > 0.5 and k > 1:
            continue
        total += bent(x[k], 2.0)
    out[i] = total
"""

STATEMENT = "    var_0 = builtin_tid1d();\n"

UNFIT = {
    # name: what follows the statement
    "a nested block": "    {\n    }\n",
    "a loop of C": "    while (true) {\n    }\n",
    "two statements on a line": "    var_0 = 1; var_0 = 2;\n",
    "another declaration": "    int number = 0;\n",
    "an unknown function": "    system(var_0);\n",
    "a function of the system": "    ::system(var_0);\n",
    "a string": '    printf("text");\n',
    "assembler": "    asm(nop);\n",
    "a lambda with statements": "    var_0 = [&] { return 1; }();\n",
    "a directive": "#define var_0 var_1\n",
    "a comment in a statement": "    var_0 = /* nothing */ 1;\n",
    "a comment that goes on": "    // text \\\n    var_0 = 1;\n",
    "a line end of C++ only": "    // text\r    var_0 = 1;\n",
    "a name that nobody declares": "    var_0 = 1; // \n",
    "a label twice": "    label7:;\n    label7:;\n",
    "a jump to nowhere": "    goto label7;\n",
    "a bracket too many": "    }\n",
    "a label that is a number": "    7:;\n",
    "a tile": "    wp::tile_zeros();\n",
}


@pytest.fixture(scope="module")
def code(pair_line: Callable[..., Line], argument: Callable[..., Any]) -> Code:
    launch = Launch(
        dim=(8,), args=(argument("x", "float32", (8,)), argument("n", "int32"), argument("out", "float32", (8,), "output"))
    )
    part = BatchContext(Path()).unit_part(pair_line(SOURCE, launch, name="step"), "cpu")
    assert part is not None
    return part.code


def test_parts_of_a_kernel(code: Code) -> None:
    kernel = read(code)["forward"]
    assert kernel.dimensions == 1
    assert kernel.fields == (("wp::array_t<wp::float32>", "x"), ("wp::int32", "n"), ("wp::array_t<wp::float32>", "out"))
    assert list(kernel.functions) == ["bent_0"]
    assert [one.type for one in kernel.functions["bent_0"].parameters] == ["wp::float32", "wp::float32"]
    assert list(read(code)["backward"].functions) == ["bent_0", "adj_bent_0"]
    kinds = [step.kind for step in kernel.body.steps]
    assert kinds.count("goto") == 2, "the end of the loop's body, and continue"
    assert {"run", "if", "unless", "label"} <= set(kinds)


def test_helper_functions_may_have_private_names(code: Code) -> None:
    texts = [text.replace("bent_0", "_bent_0") for text in (code.forward_code, code.backward_code or "")]
    assert list(read(replace(code, forward_code=texts[0], backward_code=texts[1]))["backward"].functions) == [
        "_bent_0", "adj__bent_0",
    ]  # fmt: skip


def test_most_generated_kernels_run_as_programs(lines: list[Line]) -> None:
    context = BatchContext(Path())
    parts = [part for line in lines if (part := context.unit_part(line, "cpu")) is not None]
    left = [part for part in parts if not _is_read(part.code)]
    assert len(left) <= 0.1 * len(parts), [part.key for part in left]


def _is_read(code: Code) -> bool:
    try:
        return bool(read(code))
    except Unfit:
        return False


def test_variables_without_a_value_start_empty(code: Code) -> None:
    def bodies(of: Code) -> list[Body]:
        kernels = read(of).values()
        return [body for one in kernels for body in (one.body, *(function.body for function in one.functions.values()))]

    changed = with_empty_variables(code)
    for before, after in zip(bodies(code), bodies(changed), strict=True):
        assert "" in {one.value for one in before.variables}
        assert after.variables == tuple(one._replace(value=one.value or "{}") for one in before.variables)
        assert after.steps == before.steps


@pytest.mark.parametrize("name", UNFIT)
def test_texts_for_the_compiler(code: Code, name: str) -> None:
    assert code.forward_code.count(STATEMENT) == 1
    changed = replace(code, forward_code=code.forward_code.replace(STATEMENT, STATEMENT + UNFIT[name]))
    with pytest.raises(Unfit):
        read(replace(changed, backward_code=None))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("block_first += (size_t)active_count;", "block_first += 1;"),
        ("var_n = _wp_args->n;", "var_n = 3;"),
        ("    wp::int32 n;\n", "    wp::int64 n;\n"),
        ("static wp::float32 bent_0(", "inline wp::float32 bent_0("),
    ],
)
def test_other_surroundings(code: Code, old: str, new: str) -> None:
    text = code.forward_code
    assert old in text
    with pytest.raises(Unfit):
        read(replace(code, forward_code=text.replace(old, new), backward_code=None))
