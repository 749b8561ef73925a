"""Builtins of numbers: the functions of CUDA's maths library, and small ones that it lacks."""

from __future__ import annotations

import ast

import numpy as np

from warpsmith.scoring.cuda_writer.builtins.builtin_rows import named_row, row
from warpsmith.scoring.cuda_writer.code_pieces import CHOICE, EQUALITY, ORDER, PRODUCT, SUM, Code, binary, call, number
from warpsmith.scoring.cuda_writer.cuda_types import (
    BOOL,
    INT,
    SCALARS,
    UINT,
    components,
    is_float,
    is_integer,
    is_matrix,
    is_number,
    is_vector,
    scalar_of,
)
from warpsmith.scoring.cuda_writer.device_library import Library
from warpsmith.scoring.cuda_writer.operator_calls import operate
from warpsmith.validation.oracle.values.interpretation_errors import Unsupported
from warpsmith.validation.oracle.values.value_types import Type

_SAME_NAME = (
    "sqrt exp exp2 log log2 log10 sin cos tan atan sinh cosh tanh asinh acosh atanh floor ceil trunc cbrt erf erfc erfinv "
    "erfcinv log1p expm1"
)


def suffix(kind: Type) -> str:
    """Return what follows the name of a function of the maths library.

    Raises:
        Unsupported: if the type is no float.
    """
    if not is_float(kind):
        raise Unsupported(f"a function of floats with {kind}")
    return "f" if kind.scalar is np.float32 else ""


def typed(code: Code) -> Type:
    """Return the type of numbers or their components.

    Raises:
        Unsupported: if the value is a struct, an array, or several values.
    """
    if not isinstance(code.kind, Type):
        raise Unsupported(f"a builtin with {code.kind}")
    return code.kind


def equal_types(arguments: list[Code]) -> Type:
    """Return the type of arguments that all have one.

    Raises:
        Unsupported: if they have different types.
    """
    kinds = {typed(argument) for argument in arguments}
    if len(kinds) != 1:
        raise Unsupported(f"a builtin with {', '.join(sorted(map(str, kinds)))}")
    return kinds.pop()


@named_row(*_SAME_NAME.split())
def _function(name: str, _: Library, arguments: list[Code]) -> Code:
    kind = typed(arguments[0])
    return call(f"{name}{suffix(kind)}", arguments, kind)


@named_row("round", "rint")
def _rounded(name: str, _: Library, arguments: list[Code]) -> Code:
    kind = typed(arguments[0])
    return call(f"{name}{suffix(kind)}", arguments, kind)


@named_row("acos", "asin")
def _arc(name: str, library: Library, arguments: list[Code]) -> Code:
    kind = typed(arguments[0])
    return Code(f"{name}{suffix(kind)}({clamped(library, arguments[0], '-1', '1').text})", kind)


def clamped(library: Library, value: Code, low: str, high: str) -> Code:
    """Return a float between two literals."""
    kind = typed(value)
    ends = [Code(number(float(end), kind), kind) for end in (low, high)]
    return _clamp(library, [value, *ends])


@named_row("atan2", "pow", "copysign", "hypot")
def _function_of_two(name: str, _: Library, arguments: list[Code]) -> Code:
    kind = equal_types(arguments)
    return call(f"{name}{suffix(kind)}", arguments, kind)


@row("mod")
def _modulo(_: Library, arguments: list[Code]) -> Code:
    kind = equal_types(arguments)
    if is_float(kind):
        return call(f"fmod{suffix(kind)}", arguments, kind)
    return binary("%", PRODUCT, arguments[0], arguments[1], kind)


@named_row("min", "max")
def _extreme(name: str, library: Library, arguments: list[Code]) -> Code:
    kind = equal_types(arguments)
    if len(arguments) == 1 and (is_vector(kind) or is_matrix(kind)):
        return _extreme_component(name, library, arguments[0], kind)
    if len(arguments) != 2:
        raise Unsupported(f"{name} of {len(arguments)} values")
    if is_float(kind):
        return call(f"f{name}{suffix(kind)}", arguments, kind)
    if is_integer(kind):
        return call(name, arguments, kind)
    scalar = scalar_of(kind)
    function = f"f{name}{suffix(scalar)}" if is_float(scalar) else name
    library.each(kind, name, [(kind, "a"), (kind, "b")], lambda at: f"{function}(a{at}, b{at})")
    return call(name, arguments, kind)


def _extreme_component(name: str, library: Library, argument: Code, kind: Type) -> Code:
    scalar = scalar_of(kind)
    function = f"f{name}{suffix(scalar)}" if is_float(scalar) else name
    text, *rest = (f"a{place}" for place in components(kind))
    for place in rest:
        text = f"{function}({text}, {place})"
    library.add(scalar, f"{name}_component", [(kind, "a")], f"return {text};")
    return call(f"{name}_component", [argument], scalar)


@row("clamp")
def _clamp(library: Library, arguments: list[Code]) -> Code:
    kind = equal_types(arguments)
    value, low, high = arguments
    return _extreme_of(library, "min", [_extreme_of(library, "max", [value, low], kind), high], kind)


def _extreme_of(library: Library, name: str, arguments: list[Code], kind: Type) -> Code:
    if is_float(kind):
        return call(f"f{name}{suffix(kind)}", arguments, kind)
    if is_integer(kind):
        return call(name, arguments, kind)
    function = f"f{name}{suffix(scalar_of(kind))}"
    library.each(kind, name, [(kind, "a"), (kind, "b")], lambda at: f"{function}(a{at}, b{at})")
    return call(name, arguments, kind)


@row("abs")
def _absolute(library: Library, arguments: list[Code]) -> Code:
    kind = typed(arguments[0])
    if is_number(kind):
        return call(f"fabs{suffix(kind)}" if is_float(kind) else "abs", arguments, kind)
    function = f"fabs{suffix(scalar_of(kind))}" if is_float(scalar_of(kind)) else "abs"
    library.each(kind, "abs", [(kind, "a")], lambda at: f"{function}(a{at})")
    return call("abs", arguments, kind)


@named_row("sign", "step", "nonzero")
def _of_sign(name: str, library: Library, arguments: list[Code]) -> Code:
    kind = typed(arguments[0])
    zero, unit, minus = (number(value, scalar_of(kind)) for value in (0, 1, -1))
    text = {
        "sign": f"x < {zero} ? {minus} : {unit}",
        "step": f"x < {zero} ? {unit} : {zero}",
        "nonzero": f"x == {zero} ? {zero} : {unit}",
    }[name]
    if is_number(kind):
        library.add(kind, name, [(kind, "x")], f"return {text};")
    else:
        library.each(kind, name, [(kind, "a")], lambda at: text.replace("x ", f"a{at} "))
    return call(name, arguments, kind)


@row("frac")
def _fraction(_: Library, arguments: list[Code]) -> Code:
    kind, (value,) = typed(arguments[0]), arguments
    return Code(f"{value.within(SUM)} - trunc{suffix(kind)}({value.text})", kind, SUM)


@named_row("degrees", "radians")
def _angle(name: str, _: Library, arguments: list[Code]) -> Code:
    kind, (value,) = typed(arguments[0]), arguments
    factor = 180.0 / np.pi if name == "degrees" else np.pi / 180.0
    text = f"{factor:.9g}f" if suffix(kind) else repr(factor)
    return Code(f"{value.within(PRODUCT)} * {text}", kind, PRODUCT)


@row("lerp")
def _interpolated(library: Library, arguments: list[Code]) -> Code:
    kind, share = equal_types(arguments[:2]), typed(arguments[2])
    unit = number(1.0, scalar_of(kind))
    if is_number(kind):
        library.add(kind, "lerp", [(kind, "a"), (kind, "b"), (share, "t")], f"return a * ({unit} - t) + b * t;")
    else:
        library.each(kind, "lerp", [(kind, "a"), (kind, "b"), (share, "t")], lambda at: f"a{at} * ({unit} - t) + b{at} * t")
    return call("lerp", arguments, kind)


@row("smoothstep")
def _smooth(library: Library, arguments: list[Code]) -> Code:
    kind = equal_types(arguments)
    scaled = Code("(x - edge0) / (edge1 - edge0)", kind, PRODUCT)
    name, three, two = SCALARS[kind.scalar], number(3.0, kind), number(2.0, kind)
    body = (f"{name} t = {clamped(library, scaled, '0', '1').text};", f"return t * t * ({three} - {two} * t);")
    library.add(kind, "smoothstep", [(kind, "edge0"), (kind, "edge1"), (kind, "x")], *body)
    return call("smoothstep", arguments, kind)


@named_row("isnan", "isinf", "isfinite")
def _class(name: str, _: Library, arguments: list[Code]) -> Code:
    suffix(typed(arguments[0]))
    return call(name, arguments, BOOL)


@row("where")
def _where(_: Library, arguments: list[Code]) -> Code:
    condition, then, other = arguments
    if then.kind != other.kind:
        raise Unsupported(f"a choice of {then.kind} and {other.kind}")
    if not is_number(condition.kind):
        raise Unsupported("a choice by more than one value")
    return choice(condition, then, other)


def choice(condition: Code, then: Code, other: Code) -> Code:
    """Return a conditional expression."""
    test = condition.text if condition.precedence > CHOICE else f"({condition.text})"
    return Code(f"{test} ? {then.within(CHOICE, right=True)} : {other.within(CHOICE)}", then.kind, CHOICE)


@named_row("unot", "add", "sub", "mul", "div", "floordiv", "neg", "bit_and", "bit_or", "bit_xor", "lshift", "rshift", "invert")
def _operator(name: str, library: Library, arguments: list[Code]) -> Code:
    operators: dict[str, type[ast.operator]] = {
        "add": ast.Add, "sub": ast.Sub, "mul": ast.Mult, "div": ast.Div, "floordiv": ast.FloorDiv, "bit_and": ast.BitAnd,
        "bit_or": ast.BitOr, "bit_xor": ast.BitXor, "lshift": ast.LShift, "rshift": ast.RShift,
    }  # fmt: skip
    if name not in operators or len(arguments) != 2:
        raise Unsupported(f"wp.{name}")
    return operate(library, operators[name](), *arguments)


@row("bit_count", "popcount")
def _bits(_: Library, arguments: list[Code]) -> Code:
    return call("__popc", arguments, INT)


PCG = (
    "state = state * 747796405u + 2891336453u;",
    "unsigned int word = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;",
    "return (word >> 22u) ^ word;",
)
"""The hash of Jarzynski and Olano, which Warp's random numbers are made of."""


def _pcg(library: Library) -> None:
    library.add(UINT, "pcg_hash", [(UINT, "state")], *PCG)


@row("rand_init")
def _random_state(library: Library, arguments: list[Code]) -> Code:
    _pcg(library)
    if len(arguments) == 1:
        library.add(UINT, "rand_init", [(INT, "seed")], "return pcg_hash((unsigned int)seed);")
    else:
        text = "return pcg_hash((unsigned int)seed + pcg_hash((unsigned int)offset));"
        library.add(UINT, "rand_init", [(INT, "seed"), (INT, "offset")], text)
    return call("rand_init", arguments, UINT)


@named_row("randf", "randi", "randu", "randn")
def _random(name: str, library: Library, arguments: list[Code]) -> Code:
    _pcg(library)
    state: tuple[str, str] = ("unsigned int&", "state")
    kind = {"randi": INT, "randu": UINT}.get(name, Type(np.float32))
    if name in ("randf", "randn"):
        library.add(kind, "randf", [state], "state = pcg_hash(state);", "return (state >> 8) * (1.0f / 16777216.0f);")
    if name == "randn":
        body = ["float radius = sqrtf(-2.0f * logf(randf(state) + 5.96e-8f));"]
        library.add(kind, name, [state], *body, "return radius * cosf(6.283185307f * randf(state));")
    elif len(arguments) == 3 and name == "randf":
        library.add(kind, name, [state, (kind, "low"), (kind, "high")], "return (high - low) * randf(state) + low;")
    elif len(arguments) == 3:
        body = ["state = pcg_hash(state);", "return state % (high - low) + low;"]
        library.add(kind, name, [state, (kind, "low"), (kind, "high")], *body)
    elif name in ("randi", "randu"):
        value = "(int)state" if name == "randi" else "state"
        library.add(kind, name, [state], "state = pcg_hash(state);", f"return {value};")
    return call(name, arguments, kind)


COMPARED = {"==": EQUALITY, "!=": EQUALITY, "<": ORDER, "<=": ORDER, ">": ORDER, ">=": ORDER}
"""The operators of comparisons and their precedences."""
