"""The results that PTX instructions should have, in Python integers, fractions and mpmath; no code of the table is used.

A truth takes the bits of the sources and the carry. It returns the expected results, each as bits or as a function that says
whether bits are right, and the carry.
"""

from __future__ import annotations

from collections.abc import Callable

from approximation_truths import approximation
from conversion_truths import conversion, set_value, setp
from expected_bits import Truth, Values, in_pairs
from float_truths import arithmetic, copied_sign, float_extremum, float_sign, property_of
from integer_truths import (
    bit_count,
    difference,
    dot_product,
    extension,
    field,
    funnel,
    integer_extremum,
    integer_product,
    integer_sign,
    integer_sum,
    leading_bit,
    logic,
    lookup,
    mask,
    nth_bit,
    permutation,
    product_of_24_bits,
    quotient,
    selection,
    shift,
    with_carry,
)
from number_formats import FORMATS


def truth(opcode: str) -> Truth:
    """Return the truth of an opcode.

    Raises:
        KeyError: if there is none.
    """
    base, *modifiers = opcode.split(".")
    if base in ("add", "sub", "addc", "subc", "mad", "madc") and (base.endswith("c") or "cc" in modifiers):
        return with_carry(base, modifiers)
    if base == "setp":
        return setp(modifiers)
    function = values(base, modifiers)
    return lambda sources, carry: ((function(*sources),), carry)


def values(base: str, modifiers: list[str]) -> Values:
    """Return the function of an instruction with one result."""
    kind = modifiers[-1]
    if base not in ("cvt", "set", "prmt", "mov", "selp") and kind.endswith("x2"):
        return in_pairs(values(base, [*modifiers[:-1], kind[:-2]]))
    if kind in FORMATS and base in FLOAT_BASES:
        return FLOAT_BASES[base](base, modifiers)
    return BASES[base](base, modifiers)


BASES: dict[str, Callable[[str, list[str]], Values]] = {
    "add": integer_sum,
    "sub": integer_sum,
    "mul": integer_product,
    "mad": integer_product,
    "mul24": product_of_24_bits,
    "mad24": product_of_24_bits,
    "div": quotient,
    "rem": quotient,
    "min": integer_extremum,
    "max": integer_extremum,
    "sad": difference,
    "abs": integer_sign,
    "neg": integer_sign,
    "popc": bit_count,
    "clz": bit_count,
    "brev": bit_count,
    "bfind": leading_bit,
    "fns": nth_bit,
    "bfe": field,
    "bfi": field,
    "szext": extension,
    "bmsk": mask,
    "dp4a": dot_product,
    "dp2a": dot_product,
    "shl": shift,
    "shr": shift,
    "shf": funnel,
    "lop3": lookup,
    "prmt": permutation,
    "mov": lambda _base, _modifiers: lambda a: a,
    "selp": selection,
    "slct": selection,
    "set": set_value,
    "cvt": conversion,
    **dict.fromkeys(("and", "or", "xor", "not", "cnot"), logic),
}

FLOAT_BASES: dict[str, Callable[[str, list[str]], Values]] = {
    **dict.fromkeys(("add", "sub", "mul", "fma", "mad", "div", "rcp", "sqrt"), arithmetic),
    **dict.fromkeys(("rsqrt", "sin", "cos", "lg2", "ex2", "tanh"), approximation),
    "abs": float_sign,
    "neg": float_sign,
    "copysign": copied_sign,
    "min": float_extremum,
    "max": float_extremum,
    "testp": property_of,
}
