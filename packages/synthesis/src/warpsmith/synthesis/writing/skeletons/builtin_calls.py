"""Calls of any builtin of Warp's registry in any of its types: arguments made of numbers, and a number made of the value.

Only the tables of exceptions name builtins, so that builtins of a new Warp release are called, too.
"""

from __future__ import annotations

from functools import cache

from warpsmith.extraction.warp import registry
from warpsmith.synthesis.language.nodes import Hole
from warpsmith.synthesis.language.overloads import signatures
from warpsmith.synthesis.language.types import BOOL, FLOAT, INT, TYPES, Type
from warpsmith.synthesis.random_stream import RandomStream
from warpsmith.synthesis.writing.skeletons.templates import Template, inner, template_input, template_output

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

INTEGER_ARGUMENTS = frozenset({"frac", "mod", "inverse", "determinant"})
"""Builtins with an empty adjoint or a singular value: their arguments are made of integers, through which no gradient flows."""

UNIT_FLOAT = template_input(FLOAT, 0.2, 0.9)
SMALL_INT = template_input(INT, 1, 5)


@cache
def callable_builtins() -> tuple[str, ...]:
    """Return the builtins that `draw_call` supports: functions of values with a result, in types of `TYPES`."""
    groups = registry.visible_builtins()
    return tuple(key for key, group in groups.items() if group in GROUPS and key not in EXCLUDED and _overloads(key))


@cache
def _overloads(key: str) -> tuple[tuple[tuple[Type, ...], Type], ...]:
    return tuple(signatures(key).items())


def draw_call(rng: RandomStream, key: str) -> Template:
    """Draw a call of ``key`` in one of its types: arguments in locals, the value converted to a number."""
    types, result = rng.choice(_overloads(key))
    inputs: list[Hole] = []
    lines, names, outputs = [], [], []
    for position, dtype in enumerate(types):
        name = f"$a{position}"
        lines.append(f"{name} = {_write_argument(rng, dtype, inputs, flat=key in INTEGER_ARGUMENTS)}")
        names.append(name)
        outputs.append(inner(f"a{position}", *_NAMES[position % len(_NAMES)]))
    text = OPERATORS[key].format(*names) if key in OPERATORS else f"wp.{key}({', '.join(names)})"
    lines += [f"$y = {text}", f"$r = {_write_conversion(rng, result)}"]
    outputs += [
        inner("y", "y", "value_y", "outcome_y"),
        template_output("r", FLOAT, -1000.0, 1000.0, f"{key}_value", f"{key}_out", f"from_{key}"),
    ]
    return Template(f"wp.{key} of {result.name}", "\n".join(lines), tuple(inputs), tuple(outputs))


_NAMES = (("a", "first", "lhs"), ("b", "second", "rhs"), ("c", "third", "weight_c"), ("e", "fourth", "extra"))


def _write_argument(rng: RandomStream, dtype: Type, inputs: list[Hole], flat: bool) -> str:
    """Write a value of a type: components of holes and literals, unit quaternions, matrices far from singular."""
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


def _write_components(rng: RandomStream, scalar: Type, inputs: list[Hole], flat: bool, count: int) -> str:
    return ", ".join(_write_component(rng, scalar, inputs, flat) for _ in range(count))


def _write_component(rng: RandomStream, scalar: Type, inputs: list[Hole], flat: bool) -> str:
    """Write a component; rarely more than two of a call are made of holes."""
    if len(inputs) < 2 or rng.chance(0.2):
        return _write_scalar(rng, scalar, inputs, flat)
    return _write_literal(scalar, rng.choice(("0.5", "0.25", "0.7")))


def _write_literal(scalar: Type, value: str) -> str:
    if scalar is BOOL:
        return "True"
    if not scalar.is_float:
        value = str(int(float(value)) + 1)
    return value if scalar in (FLOAT, INT) else f"{scalar.spelling}({value})"


def _write_scalar(rng: RandomStream, dtype: Type, inputs: list[Hole], flat: bool) -> str:
    """Write a number of a type from a hole: floats between 0.2 and 0.9, integers from 1 to 5."""
    reuse = bool(inputs) and len(inputs) > 2
    hole_type = UNIT_FLOAT if (dtype.is_float and not flat) or dtype is BOOL else SMALL_INT
    if not reuse or hole_type not in inputs:
        inputs.append(hole_type)
    hole = f"{{{len(inputs) - 1 if inputs[-1] is hole_type else inputs.index(hole_type)}}}"
    if dtype is BOOL:
        return f"{hole} > 0.5"
    if dtype.is_float and flat:
        hole = f"float({hole}) * {rng.choice(('0.15', '0.12'))}"
        return hole if dtype is FLOAT else f"{dtype.spelling}({hole})"
    return hole if dtype in (FLOAT, INT) else f"{dtype.spelling}({hole})"


def _write_conversion(rng: RandomStream, dtype: Type) -> str:
    """Write the conversion of ``$y`` to a float."""
    if dtype is BOOL:
        return "wp.where($y, 1.0, 0.0)"
    at = "".join(f"[{', '.join(str(rng.below(size)) for size in dtype.shape)}]") if dtype.shape else ""
    if dtype.scalar.startswith("uint"):  # an unsigned value below zero wraps to numbers that float32 cannot distinguish
        return f"float($y{at} % {_write_literal(TYPES[dtype.scalar], '63')})"
    return f"$y{at}" if dtype.scalar == "float32" else f"float($y{at})"
