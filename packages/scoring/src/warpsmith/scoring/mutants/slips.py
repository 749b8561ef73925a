"""Slips in CUDA text as authors make them: functions from a statement to its possible replacements, like those of `edits`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from warpsmith.scoring.mutants.text import NAME, Function, Statement

_FUNCTIONS = {
    "address": "at", "load": "read", "array_store": "store", "copy": "clone", "mul": "multiply", "div": "divide",
    "add": "plus", "sub": "subtract", "neg": "negate", "max": "fmaxf", "min": "fminf", "abs": "fabsf", "sqrt": "sqrtf",
    "sin": "sinf", "cos": "cosf", "exp": "expf", "log": "logf", "pow": "powf", "length": "norm", "dot": "inner",
    "atomic_add": "atomicAdd", "atomic_max": "atomicMax", "atomic_min": "atomicMin", "adj_array_store": "adj_store",
    "adj_mul": "adj_multiply", "adj_add": "adj_plus", "adj_sub": "adj_subtract", "adj_address": "adj_at",
}  # fmt: skip
"""Functions of Warp, and names that do not exist in its header for the same operation."""

_TYPES = (
    ("wp::float32 ", "wp::vec_t<3, wp::float32> "),
    ("wp::float32* ", "wp::float32 "),
    ("wp::int32* ", "wp::int32 "),
    ("wp::int32 ", "wp::int32* "),
    ("bool ", "wp::range_t "),
    ("wp::vec_t<", "wp::quat_t<"),
)
"""The starts of declarations, and those of another type."""


def missing_semicolon(statement: Statement, _: Function) -> Iterator[str]:
    """Remove the semicolon behind a call or an assignment."""
    if statement.code.endswith(";") and (statement.call or statement.assigned):
        yield statement.code[:-1]


def undeclared_variable(statement: Statement, function: Function) -> Iterator[str | None]:
    """Remove the declaration of a variable that a statement uses, or use a variable that does not exist."""
    if statement.declared:
        name = statement.declared[1]
        codes = (other.code for other in function.statements if name in other.code and other != statement)
        if any(name in NAME.findall(code) for code in codes):
            yield None
    elif statement.call and (names := [argument for argument in statement.call[2] if NAME.fullmatch(argument)]):
        yield re.sub(rf"\b{names[-1]}\b", f"{names[-1]}_value", statement.code)


def function_name(statement: Statement, _: Function) -> Iterator[str]:
    """Replace a function by one that does not exist, or omit its namespace."""
    if statement.call and statement.call[1].startswith("wp::"):
        name = statement.call[1].removeprefix("wp::")
        if name in _FUNCTIONS:
            yield statement.code.replace(f"wp::{name}(", f"wp::{_FUNCTIONS[name]}(", 1)
        yield statement.code.replace(f"wp::{name}(", f"{name}(", 1)


def wrong_type(statement: Statement, _: Function) -> Iterator[str]:
    """Declare a variable with another type."""
    if statement.declared and not statement.code.startswith("const "):
        for start, other in _TYPES:
            if statement.code.startswith(start):
                yield other + statement.code[len(start) :]


def argument_count(statement: Statement, _: Function) -> Iterator[str]:
    """Omit the last argument of a call."""
    if statement.call and len(statement.call[2]) > 1:
        start, _comma, _last = statement.code.rpartition(", ")
        yield f"{start});"


def missing_atomic(statement: Statement, _: Function) -> Iterator[str]:
    """Store a value where it has to be added."""
    if statement.call and re.fullmatch(r"wp::atomic_(add|sub|min|max)", statement.call[1]):
        yield f"wp::array_store({', '.join(statement.call[2])});"
