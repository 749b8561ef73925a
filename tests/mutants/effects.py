"""The variables that each statement reads and writes: the facts about Warp's functions that proofs of equivalence use.

A function in no table is assumed to read and write all its arguments and to have a side effect.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from mutants.text import NAME, Function, Statement, is_float

PURE = frozenset(
    """abs acos add asin atan atan2 cbrt ceil clamp copy copysign cos cosh cross cw_div cw_mul ddot degrees
    determinant diag div dot erf erfc exp float floor floordiv frac get_diag int inverse iter_reverse length length_sq
    lerp log log10 log2 mat_t max min mod mul neg normalize outer pow radians range round sign sin sinh skew
    smoothstep sqrt step sub tan tanh trace transpose trunc vec_t where""".split()
)
"""Functions without side effects, whose result depends on their arguments only."""

CHECKED = frozenset("address load extract".split())
"""Functions that are pure as long as their index or address is valid."""

LINEAR = frozenset("add sub neg copy float transpose trace vec_t mat_t radians degrees diag get_diag skew".split())
"""Functions whose adjoints read no operand."""

PRODUCTS = frozenset("mul dot ddot cw_mul cross outer".split())
"""Functions of two operands; the adjoint of each operand reads only the other operand."""

SYMMETRIC = frozenset("add dot ddot cw_mul".split())
"""Functions with ``f(a, b) == f(b, a)`` bit for bit.

The same holds for ``mul`` of scalars, and for ``min`` and ``max`` except for the sign of zero.
"""


@dataclass(frozen=True, slots=True)
class Effect:
    """The effect of a statement.

    Attributes:
        writes: each written variable with a tag and the variables that its new value depends on; their order matters.
        kills: the variables whose old value is overwritten.
        reads: the variables that are read whether or not the written ones are used, in order.
        checks: whether ``reads`` are read only because the statement may stop the program, where indices are checked.
        acts: whether the statement has an effect beyond ``writes``.
        clears: the variables that are zero afterwards.
    """

    writes: tuple[tuple[str, str, tuple[str, ...]], ...] = ()
    kills: frozenset[str] = frozenset()
    reads: tuple[str, ...] = ()
    checks: bool = False
    acts: bool = False
    clears: frozenset[str] = frozenset()


_CALLED = re.compile(r"\w\(|wp::")

Helpers = frozenset[str]
"""Names of functions of the same text that write only their result and their parameters passed by reference."""


def effect(statement: Statement, function: Function, helpers: Helpers) -> Effect:
    """Return the effect of ``statement``."""
    code = statement.code
    if declared := statement.declared:
        _, name, value = declared
        clears = frozenset({name} if value == "{}" else ())
        return Effect(((name, "initial", (value,)),), frozenset({name}), clears=clears) if value is not None else Effect()
    if code.endswith(" = {};"):
        name = code.removesuffix(" = {};")
        return Effect(((name, "zero", ()),), frozenset({name}), clears=frozenset({name}))
    if call := statement.call:
        return _call(*call, function, helpers)
    if (assigned := statement.assigned) and not _CALLED.search(assigned[2]):
        name, how, value = assigned
        kills = frozenset({name} if how == "=" else ())
        return Effect(((name, f"{how} {NAME.sub('', value)}", tuple(NAME.findall(value))),), kills)
    return _unknown(tuple(NAME.findall(code)))


def _unknown(names: tuple[str, ...]) -> Effect:
    return Effect(tuple((name, "anything", names) for name in names), reads=names, acts=True)


def _call(result: str | None, called: str, arguments: tuple[str, ...], function: Function, helpers: Helpers) -> Effect:
    name = called.removeprefix("wp::").split("<")[0]
    user_defined = not called.startswith("wp::")
    if result is not None:
        return _computed(result, name, user_defined, arguments, function, helpers)
    if name == "assign":
        return Effect(((arguments[0], "=", arguments[1:]),), frozenset(arguments[:1]))
    if name.startswith("builtin_tid"):
        return Effect(tuple((one, f"{name} {position}", ()) for position, one in enumerate(arguments)), frozenset(arguments))
    if name.startswith("adj_"):
        return _adjoint(name.removeprefix("adj_"), user_defined and name in helpers, user_defined, arguments, function)
    return _unknown(arguments)


def _computed(
    result: str, name: str, user_defined: bool, arguments: tuple[str, ...], function: Function, helpers: Helpers
) -> Effect:
    kills = frozenset({result})
    if name == "iter_next":
        return Effect(((result, name, arguments), (arguments[0], name, arguments)), kills)
    whole = any(not is_float(function.types.get(one, "")) for one in arguments) and name in ("div", "mod", "floordiv")
    if name in CHECKED or whole:
        return Effect(((result, name, arguments),), kills, reads=arguments if name != "extract" else arguments[1:], checks=True)
    if name.startswith("builtin_tid") or (name in helpers if user_defined else name in PURE):
        return Effect(((result, name, arguments),), kills)
    return _unknown((result, *arguments))


def _adjoint(name: str, helper: bool, user_defined: bool, arguments: tuple[str, ...], function: Function) -> Effect:
    primals = tuple(one for one in arguments if not one.startswith("adj_"))
    adjoints = tuple(one for one in arguments if one.startswith("adj_"))
    if user_defined:
        writes = tuple((one, f"{name} {position}", arguments) for position, one in enumerate(adjoints))
        return Effect(writes) if helper else _unknown(arguments)
    if name in _SPECIAL:
        return _SPECIAL[name](primals, adjoints, function)
    if name not in PURE or any("array_t" in function.types.get(one, "") for one in arguments):
        return _unknown(arguments)
    *operands, incoming = adjoints
    if name in LINEAR:
        whole = name == "add" or (name == "sub" and len(operands) == 2)
        writes = tuple(
            (one, "add" if whole and (position, name) != (1, "sub") else f"{name} {position}", (incoming,))
            for position, one in enumerate(operands)
        )
        if name == "copy":
            return Effect((*writes, (incoming, "cleared", ())), clears=frozenset({incoming}))
        return Effect(writes)
    if name in PRODUCTS and len(operands) == 2:
        symmetric = name in SYMMETRIC or (
            name == "mul" and all(function.types.get(one) in ("wp::float32", "wp::float64") for one in primals)
        )
        other = primals[1], primals[0]
        return Effect(
            tuple(
                (one, name if symmetric else f"{name} {position}", (other[position], incoming))
                for position, one in enumerate(operands)
            )
        )
    if name == "div" and len(operands) == 2:
        return Effect(((operands[0], "div 0", (primals[1], incoming)), (operands[1], "div 1", (*primals, incoming))))
    if name == "pow" and len(primals) == 3:
        return Effect(((operands[0], "pow 0", (*primals[:2], incoming)), (operands[1], "pow 1", (*primals, incoming))))
    return Effect(tuple((one, f"{name} {position}", (*primals, incoming)) for position, one in enumerate(operands)))


def _address(primals: tuple[str, ...], adjoints: tuple[str, ...], function: Function) -> Effect:
    floats = is_float(function.types.get(adjoints[0], "float"))
    return Effect(reads=(*primals, adjoints[0], *(adjoints[-1:] if floats else ())), checks=not floats, acts=floats)


def _from_array(name: str, last: int, reads_value: bool) -> Callable[[tuple[str, ...], tuple[str, ...], Function], Effect]:
    """Return the rule for the adjoint of a write to an array.

    It adds the adjoint of the element to the adjoint of the value; the adjoint of a store also clears the former.
    """

    def rule(primals: tuple[str, ...], adjoints: tuple[str, ...], function: Function) -> Effect:
        array, value, indices = adjoints[0], adjoints[last], primals[:-1]
        if not is_float(function.types.get(array, "float")):
            return Effect(reads=(*indices, array), checks=True)
        needed = (*indices, array, *(primals[-1:] if reads_value else ()))
        return Effect(((value, name, needed),), reads=(*indices, array), acts=name == "array_store")

    return rule


def _where(primals: tuple[str, ...], adjoints: tuple[str, ...], _: Function) -> Effect:
    _condition, first, second, incoming = adjoints
    return Effect(((first, "where 1", (primals[0], incoming)), (second, "where 2", (primals[0], incoming))))


def _extract(primals: tuple[str, ...], adjoints: tuple[str, ...], _: Function) -> Effect:
    return Effect(((adjoints[0], "extract", (*primals[1:], adjoints[-1])),), reads=primals[1:], checks=True)


def _assign(_: tuple[str, ...], adjoints: tuple[str, ...], __: Function) -> Effect:
    # Warp's header moves the adjoint: `adj_src = adj_dest; adj_dest = T {};`.
    writes = ((adjoints[1], "assign", (adjoints[0],)), (adjoints[0], "assigned", ()))
    return Effect(writes, frozenset(adjoints), clears=frozenset(adjoints[:1]))


_SPECIAL: dict[str, Callable[[tuple[str, ...], tuple[str, ...], Function], Effect]] = {
    "address": _address,
    "array_store": _from_array("array_store", -1, reads_value=False),
    "atomic_add": _from_array("atomic_add", -2, reads_value=False),
    "atomic_sub": _from_array("atomic_sub", -2, reads_value=False),
    "atomic_min": _from_array("atomic_minmax", -2, reads_value=True),
    "atomic_max": _from_array("atomic_minmax", -2, reads_value=True),
    "where": _where,
    "extract": _extract,
    "assign": _assign,
    "int": lambda _, __, ___: Effect(),
}
"""Adjoint functions with a special rule; the adjoint of ``int`` does nothing."""
