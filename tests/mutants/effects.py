"""What each statement reads and writes: the facts about Warp's functions that proofs of equivalence rest on.

Whatever is in no table is taken to read everything, to write everything, and to matter.
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
"""Functions whose result follows from their arguments, and that do nothing else."""

CHECKED = frozenset("address load extract".split())
"""Pure, too, but with an index or an address that has to be one."""

LINEAR = frozenset("add sub neg copy float transpose trace vec_t mat_t radians degrees diag get_diag skew".split())
"""Their adjoints read no operand."""

PRODUCTS = frozenset("mul dot ddot cw_mul cross outer".split())
"""The adjoint of either operand reads the other operand only."""

SYMMETRIC = frozenset("add dot ddot cw_mul".split())
"""``f(a, b)`` is ``f(b, a)`` bit for bit; so is ``mul`` of scalars, and ``min`` and ``max`` but for the sign of a zero."""


@dataclass(frozen=True, slots=True)
class Effect:
    """What a statement does.

    Attributes:
        writes: for each variable written, a tag and what the new value depends on, in an order that has a meaning.
        kills: those whose old value does not matter afterwards.
        reads: what is needed whether or not the results are; in order.
        checks: it reads so only because it may stop the program, where indices are checked.
        acts: it matters even if nobody reads what it writes.
        clears: those that are zero afterwards.
    """

    writes: tuple[tuple[str, str, tuple[str, ...]], ...] = ()
    kills: frozenset[str] = frozenset()
    reads: tuple[str, ...] = ()
    checks: bool = False
    acts: bool = False
    clears: frozenset[str] = frozenset()


_CALLED = re.compile(r"\w\(|wp::")

Helpers = frozenset[str]
"""Names of functions of the same text that write nothing but what they return or are given references to."""


def effect(statement: Statement, function: Function, helpers: Helpers) -> Effect:
    """What ``statement`` does."""
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
    return _anything(tuple(NAME.findall(code)))


def _anything(names: tuple[str, ...]) -> Effect:
    return Effect(tuple((name, "anything", names) for name in names), reads=names, acts=True)


def _call(result: str | None, called: str, arguments: tuple[str, ...], function: Function, helpers: Helpers) -> Effect:
    name = called.removeprefix("wp::").split("<")[0]
    own = not called.startswith("wp::")
    if result is not None:
        return _computed(result, name, own, arguments, function, helpers)
    if name == "assign":
        return Effect(((arguments[0], "=", arguments[1:]),), frozenset(arguments[:1]))
    if name.startswith("builtin_tid"):
        return Effect(tuple((one, f"{name} {place}", ()) for place, one in enumerate(arguments)), frozenset(arguments))
    if name.startswith("adj_"):
        return _adjoint(name.removeprefix("adj_"), own and name in helpers, own, arguments, function)
    return _anything(arguments)


def _computed(result: str, name: str, own: bool, arguments: tuple[str, ...], function: Function, helpers: Helpers) -> Effect:
    kills = frozenset({result})
    if name == "iter_next":
        return Effect(((result, name, arguments), (arguments[0], name, arguments)), kills)
    whole = any(not is_float(function.types.get(one, "")) for one in arguments) and name in ("div", "mod", "floordiv")
    if name in CHECKED or whole:
        return Effect(((result, name, arguments),), kills, reads=arguments if name != "extract" else arguments[1:], checks=True)
    if name.startswith("builtin_tid") or (name in helpers if own else name in PURE):
        return Effect(((result, name, arguments),), kills)
    return _anything((result, *arguments))


def _adjoint(name: str, helper: bool, own: bool, arguments: tuple[str, ...], function: Function) -> Effect:
    primals = tuple(one for one in arguments if not one.startswith("adj_"))
    adjoints = tuple(one for one in arguments if one.startswith("adj_"))
    if own:
        writes = tuple((one, f"{name} {place}", arguments) for place, one in enumerate(adjoints))
        return Effect(writes) if helper else _anything(arguments)
    if name in _SPECIAL:
        return _SPECIAL[name](primals, adjoints, function)
    if name not in PURE or any("array_t" in function.types.get(one, "") for one in arguments):
        return _anything(arguments)
    *operands, given = adjoints
    if name in LINEAR:
        whole = name == "add" or (name == "sub" and len(operands) == 2)
        writes = tuple(
            (one, "add" if whole and (place, name) != (1, "sub") else f"{name} {place}", (given,))
            for place, one in enumerate(operands)
        )
        if name == "copy":
            return Effect((*writes, (given, "cleared", ())), clears=frozenset({given}))
        return Effect(writes)
    if name in PRODUCTS and len(operands) == 2:
        alike = name in SYMMETRIC or (
            name == "mul" and all(function.types.get(one) in ("wp::float32", "wp::float64") for one in primals)
        )
        other = primals[1], primals[0]
        return Effect(
            tuple((one, name if alike else f"{name} {place}", (other[place], given)) for place, one in enumerate(operands))
        )
    if name == "div" and len(operands) == 2:
        return Effect(((operands[0], "div 0", (primals[1], given)), (operands[1], "div 1", (*primals, given))))
    if name == "pow" and len(primals) == 3:
        return Effect(((operands[0], "pow 0", (*primals[:2], given)), (operands[1], "pow 1", (*primals, given))))
    return Effect(tuple((one, f"{name} {place}", (*primals, given)) for place, one in enumerate(operands)))


def _address(primals: tuple[str, ...], adjoints: tuple[str, ...], function: Function) -> Effect:
    floats = is_float(function.types.get(adjoints[0], "float"))
    return Effect(reads=(*primals, adjoints[0], *(adjoints[-1:] if floats else ())), checks=not floats, acts=floats)


def _from_array(name: str, last: int, reads_value: bool) -> Callable[[tuple[str, ...], tuple[str, ...], Function], Effect]:
    """The adjoint of what writes to an array adds the array's adjoint to the value's; that of a store clears the former."""

    def found(primals: tuple[str, ...], adjoints: tuple[str, ...], function: Function) -> Effect:
        array, value, places = adjoints[0], adjoints[last], primals[:-1]
        if not is_float(function.types.get(array, "float")):
            return Effect(reads=(*places, array), checks=True)
        needed = (*places, array, *(primals[-1:] if reads_value else ()))
        return Effect(((value, name, needed),), reads=(*places, array), acts=name == "array_store")

    return found


def _where(primals: tuple[str, ...], adjoints: tuple[str, ...], _: Function) -> Effect:
    _condition, first, second, given = adjoints
    return Effect(((first, "where 1", (primals[0], given)), (second, "where 2", (primals[0], given))))


def _extract(primals: tuple[str, ...], adjoints: tuple[str, ...], _: Function) -> Effect:
    return Effect(((adjoints[0], "extract", (*primals[1:], adjoints[-1])),), reads=primals[1:], checks=True)


def _assign(_: tuple[str, ...], adjoints: tuple[str, ...], __: Function) -> Effect:
    return Effect(((adjoints[1], "assign", (adjoints[0],)), (adjoints[0], "assigned", ())), clears=frozenset(adjoints[:1]))


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
"""Adjoints with a rule of their own; that of ``int`` does nothing."""
