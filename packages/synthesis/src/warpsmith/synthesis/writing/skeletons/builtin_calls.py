"""Calls of any builtin of Warp's registry in any of its types: arguments made of numbers, and a number made of the value.

Nothing here knows a builtin by name but the tables of what needs care, so that what a new release of Warp adds is called too.
"""

from __future__ import annotations

from functools import cache

from warpsmith.extraction.warp import registry
from warpsmith.synthesis.language.builtins.registry import signatures
from warpsmith.synthesis.language.nodes import Hole
from warpsmith.synthesis.language.types import BOOL, FLOAT, INT, TYPES, Type
from warpsmith.synthesis.random_stream import RandomStream
from warpsmith.synthesis.writing.skeletons.templates import Template, inner, template_input, template_output

GROUPS = ("Scalar Math", "Vector Math", "Quaternion Math", "Transformations", "Spatial Math", "Utility", "Operators", "Other")
"""The groups of the registry whose builtins are functions of values; the others belong to categories of their own."""

OPERATORS = {
    "add": "{0} + {1}", "sub": "{0} - {1}", "mul": "{0} * {1}", "div": "{0} / {1}", "mod": "{0} % {1}",
    "floordiv": "{0} // {1}",
    "bit_and": "{0} & {1}", "bit_or": "{0} | {1}", "bit_xor": "{0} ^ {1}", "lshift": "{0} << {1}", "rshift": "{0} >> {1}",
    "neg": "-{0}", "pos": "+{0}", "invert": "~{0}", "unot": "not {0}",
}  # fmt: skip
"""How people write the builtins that are operators; Warp shows no others of these names."""

ELSEWHERE = frozenset({"tid", "block_dim", "static", "print", "printf", "breakpoint", "expect_near", "select", "cast", "zeros"})
"""What is no function of values, or not to be called any more."""

FLAT = frozenset({"frac", "mod", "inverse", "determinant"})
"""Whose arguments are made of whole numbers, through which no gradient flows: Warp's adjoint is empty, or a value singular."""

SHARE = template_input(FLOAT, 0.2, 0.9)
COUNT = template_input(INT, 1, 5)


@cache
def callable_builtins() -> tuple[str, ...]:
    """The builtins that `call` can call: functions of values with a value, in types that we have."""
    groups = registry.visible_builtins()
    return tuple(key for key, group in groups.items() if group in GROUPS and key not in ELSEWHERE and _overloads(key))


@cache
def _overloads(key: str) -> tuple[tuple[tuple[Type, ...], Type], ...]:
    return tuple(signatures(key).items())


def draw_call(rng: RandomStream, key: str) -> Template:
    """A call of ``key`` in one of its types: its arguments in locals, its value turned into a number."""
    types, result = rng.choice(_overloads(key))
    inputs: list[Hole] = []
    lines, names, outputs = [], [], []
    for position, dtype in enumerate(types):
        name = f"$a{position}"
        lines.append(f"{name} = {_argument(rng, dtype, inputs, flat=key in FLAT)}")
        names.append(name)
        outputs.append(inner(f"a{position}", *_NAMES[position % len(_NAMES)]))
    text = OPERATORS[key].format(*names) if key in OPERATORS else f"wp.{key}({', '.join(names)})"
    lines += [f"$y = {text}", f"$r = {_number(rng, result)}"]
    outputs += [
        inner("y", "y", "value_y", "outcome_y"),
        template_output("r", FLOAT, -1000.0, 1000.0, f"{key}_value", f"{key}_out", f"from_{key}"),
    ]
    return Template(f"wp.{key} of {result.name}", "\n".join(lines), tuple(inputs), tuple(outputs))


_NAMES = (("a", "first", "lhs"), ("b", "second", "rhs"), ("c", "third", "weight_c"), ("e", "fourth", "extra"))


def _argument(rng: RandomStream, dtype: Type, inputs: list[Hole], flat: bool) -> str:
    """Source text of a value of a type: components of holes and literals, unit quaternions, matrices far from singular."""
    if not dtype.shape:
        return _scalar(rng, dtype, inputs, flat)
    scalar = TYPES[dtype.scalar]
    if dtype.family == "plain" and len(dtype.shape) == 1:
        return f"{dtype.spelling}({', '.join(_part(rng, scalar, inputs, flat) for _ in range(dtype.shape[0]))})"
    if dtype.family == "plain":
        rows, columns = dtype.shape
        parts = [
            _literal(scalar, "3.0") if i == j else _part(rng, scalar, inputs, flat) for i in range(rows) for j in range(columns)
        ]
        return f"{dtype.spelling}({', '.join(parts)})"
    vector = next(row for row in TYPES.values() if row.scalar == dtype.scalar and row.family == "plain" and row.shape == (3,))
    axis = f"{vector.spelling}({_literal(scalar, '0.0')}, {_literal(scalar, '0.6')}, {_literal(scalar, '0.8')})"
    turn = f"wp.quat_from_axis_angle({axis}, {_scalar(rng, scalar, inputs, flat)})"
    if dtype.shape == (4,):
        return turn
    if dtype.shape == (7,):
        move = f"{vector.spelling}({', '.join(_part(rng, scalar, inputs, flat) for _ in range(3))})"
        return f"{dtype.spelling}({move}, {turn})"
    twist = f"{dtype.spelling.replace('matrix', 'vector')}({', '.join(_part(rng, scalar, inputs, flat) for _ in range(6))})"
    return twist if dtype.shape == (6,) else f"wp.diag({twist})"


def _part(rng: RandomStream, scalar: Type, inputs: list[Hole], flat: bool) -> str:
    """A component: seldom more than two of a call are made of holes."""
    if len(inputs) < 2 or rng.chance(0.2):
        return _scalar(rng, scalar, inputs, flat)
    return _literal(scalar, rng.choice(("0.5", "0.25", "0.7")))


def _literal(scalar: Type, value: str) -> str:
    if scalar is BOOL:
        return "True"
    if not scalar.is_float:
        value = str(int(float(value)) + 1)
    return value if scalar in (FLOAT, INT) else f"{scalar.spelling}({value})"


def _scalar(rng: RandomStream, dtype: Type, inputs: list[Hole], flat: bool) -> str:
    """A number of a type, made of a hole: floats between 0.2 and 0.9, whole numbers from 1 to 5."""
    reuse = bool(inputs) and len(inputs) > 2
    wanted = SHARE if (dtype.is_float and not flat) or dtype is BOOL else COUNT
    if not reuse or wanted not in inputs:
        inputs.append(wanted)
    hole = f"{{{len(inputs) - 1 if inputs[-1] is wanted else inputs.index(wanted)}}}"
    if dtype is BOOL:
        return f"{hole} > 0.5"
    if dtype.is_float and flat:
        hole = f"float({hole}) * {rng.choice(('0.15', '0.12'))}"
        return hole if dtype is FLOAT else f"{dtype.spelling}({hole})"
    return hole if dtype in (FLOAT, INT) else f"{dtype.spelling}({hole})"


def _number(rng: RandomStream, dtype: Type) -> str:
    """Source text that makes a float of ``$y``."""
    if dtype is BOOL:
        return "wp.where($y, 1.0, 0.0)"
    at = "".join(f"[{', '.join(str(rng.below(size)) for size in dtype.shape)}]") if dtype.shape else ""
    if dtype.scalar.startswith("uint"):  # what falls below zero comes back as numbers that no float tells apart
        return f"float($y{at} % {_literal(TYPES[dtype.scalar], '63')})"
    return f"$y{at}" if dtype.scalar == "float32" else f"float($y{at})"
