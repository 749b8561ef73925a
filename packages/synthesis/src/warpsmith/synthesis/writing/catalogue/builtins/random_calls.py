"""Calls of any builtin of Warp's registry in any of its types: arguments made of numbers, and a number made of the value.

Only the tables of exceptions name builtins, so that builtins of a new Warp release are called, too.
"""

from __future__ import annotations

from functools import cache

from warpsmith.extraction.warp import registries
from warpsmith.synthesis.language.builtin_signatures import signatures
from warpsmith.synthesis.language.warp_types import BOOL, FLOAT, INT, TYPES, Type
from warpsmith.synthesis.random_stream import RandomStream
from warpsmith.synthesis.writing.policy import COMPONENT_LITERALS, FURTHER_LOCAL_CHANCE, INTEGER_FACTORS, LOCALS_PER_CALL

GROUPS = ("Scalar Math", "Vector Math", "Quaternion Math", "Transformations", "Spatial Math", "Utility", "Operators", "Other")
"""The groups of the registry whose builtins are functions of values; other groups belong to separate categories."""

OPERATORS = {
    "add": "{0} + {1}", "sub": "{0} - {1}", "mul": "{0} * {1}", "div": "{0} / {1}", "mod": "{0} % {1}",
    "floordiv": "{0} // {1}",
    "bit_and": "{0} & {1}", "bit_or": "{0} | {1}", "bit_xor": "{0} ^ {1}", "lshift": "{0} << {1}", "rshift": "{0} >> {1}",
    "neg": "-{0}", "pos": "+{0}", "invert": "~{0}", "unot": "not {0}",
}  # fmt: skip
"""The source text of operators; Warp has no functions with these names."""

EXCLUDED = frozenset({"tid", "block_dim", "static", "print", "printf", "breakpoint", "expect_near", "select", "cast", "zeros"})
"""Builtins that are not functions of values, or are deprecated."""

INTEGER_ARGUMENTS = frozenset({"frac", "mod", "inverse", "determinant", "quat_slerp"})
"""Builtins with an empty adjoint or a singular value, or without a gradient where two arguments are equal, as numbers of half
precision often are: their arguments are made of integers, through which no gradient flows."""

FLOATS, INTEGERS = ("x", "y", "z"), ("a", "b", "c")
"""The locals that arguments are made of: floats in `BUILTIN_FLOATS`, integers in `BUILTIN_INTEGERS`."""


@cache
def callable_builtins() -> tuple[str, ...]:
    """Return the builtins that `draw_call` supports: functions of values with a result, in types of `TYPES`."""
    groups = registries.visible_builtins()
    return tuple(key for key, group in groups.items() if group in GROUPS and key not in EXCLUDED and _overloads(key))


@cache
def _overloads(key: str) -> tuple[tuple[tuple[Type, ...], Type], ...]:
    return tuple(signatures(key).items())


def draw_call(rng: RandomStream, key: str, value: str) -> str:
    """Draw lines that call ``key`` in one of its types: arguments in locals, the result converted to the float ``value``."""
    types, result = rng.choice(_overloads(key))
    inputs: list[str] = []
    arguments = [_write_argument(rng, dtype, inputs, flat=key in INTEGER_ARGUMENTS) for dtype in types]
    names = [argument if argument.startswith("$") else f"$arg{position}" for position, argument in enumerate(arguments)]
    lines = [f"{name} = {argument}" for name, argument in zip(names, arguments, strict=True) if name != argument]
    text = OPERATORS[key].format(*names) if key in OPERATORS else f"wp.{key}({', '.join(names)})"
    return "\n".join([*lines, f"$outcome = {text}", f"{value} = {_write_conversion(rng, result)}"])


def _write_argument(rng: RandomStream, dtype: Type, inputs: list[str], flat: bool) -> str:
    """Write a value of a type: components of locals and literals, unit quaternions, matrices far from singular."""
    if not dtype.shape:
        return _write_scalar(rng, dtype, inputs, flat)
    scalar = TYPES[dtype.scalar]
    if dtype.family == "plain" and len(dtype.shape) == 1:
        return f"{dtype.spelling}({_write_components(rng, scalar, inputs, flat, dtype.shape[0])})"
    if dtype.family == "plain":
        rows, columns = dtype.shape
        parts = [
            _write_literal(scalar, "3.0") if i == j else _write_component(rng, scalar, inputs, flat)
            for i in range(rows)
            for j in range(columns)
        ]
        return f"{dtype.spelling}({', '.join(parts)})"
    vector = next(row for row in TYPES.values() if row.scalar == dtype.scalar and row.family == "plain" and row.shape == (3,))
    axis = f"{vector.spelling}({', '.join(_write_literal(scalar, number) for number in ('0.0', '0.6', '0.8'))})"
    rotation = f"wp.quat_from_axis_angle({axis}, {_write_scalar(rng, scalar, inputs, flat)})"
    if dtype.shape == (4,):
        return rotation
    if dtype.shape == (7,):
        translation = f"{vector.spelling}({_write_components(rng, scalar, inputs, flat, 3)})"
        return f"{dtype.spelling}({translation}, {rotation})"
    twist = f"{dtype.spelling.replace('matrix', 'vector')}({_write_components(rng, scalar, inputs, flat, 6)})"
    return twist if dtype.shape == (6,) else f"wp.diag({twist})"


def _write_components(rng: RandomStream, scalar: Type, inputs: list[str], flat: bool, count: int) -> str:
    return ", ".join(_write_component(rng, scalar, inputs, flat) for _ in range(count))


def _write_component(rng: RandomStream, scalar: Type, inputs: list[str], flat: bool) -> str:
    """Write a component; rarely more than two of a call are made of locals."""
    if len(inputs) < LOCALS_PER_CALL or rng.chance(FURTHER_LOCAL_CHANCE):
        return _write_scalar(rng, scalar, inputs, flat)
    return _write_literal(scalar, rng.choice(COMPONENT_LITERALS))


def _write_literal(scalar: Type, value: str) -> str:
    if scalar is BOOL:
        return "True"
    if not scalar.is_float:
        value = str(int(float(value)) + 1)
    return value if scalar in (FLOAT, INT) else f"{scalar.spelling}({value})"


def _write_scalar(rng: RandomStream, dtype: Type, inputs: list[str], flat: bool) -> str:
    """Write a number of a type from a local."""
    kind = FLOATS if (dtype.is_float and not flat) or dtype is BOOL else INTEGERS
    name = f"${kind[len(inputs) % len(kind)]}"
    inputs.append(name)
    if dtype is BOOL:
        return f"({name} > 0.5)"
    if dtype.is_float and flat:
        name = f"float({name}) * {rng.choice(INTEGER_FACTORS)}"
        return name if dtype is FLOAT else f"{dtype.spelling}({name})"
    return name if dtype in (FLOAT, INT) else f"{dtype.spelling}({name})"


def _write_conversion(rng: RandomStream, dtype: Type) -> str:
    """Write the conversion of ``$outcome`` to a float."""
    if dtype is BOOL:
        return "wp.where($outcome, 1.0, 0.0)"
    at = "".join(f"[{', '.join(str(rng.below(size)) for size in dtype.shape)}]") if dtype.shape else ""
    if dtype.scalar.startswith("uint"):  # an unsigned value below zero wraps to numbers that float32 cannot distinguish
        return f"float($outcome{at} % {_write_literal(TYPES[dtype.scalar], '63')})"
    return f"$outcome{at}" if dtype.scalar == "float32" else f"float($outcome{at})"
