"""The rules: any defect of a tree stops the generator.

Each rule is broken once, in a small kernel that keeps all other rules.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from warpsmith.synthesis.kernel_key import KernelKey
from warpsmith.synthesis.language import nodes, rules
from warpsmith.synthesis.language.nodes import (
    Apply,
    Array,
    Assign,
    Atomic,
    Augment,
    Call,
    Compare,
    Const,
    Construct,
    Declare,
    Expr,
    For,
    Function,
    Hole,
    If,
    Jump,
    Kernel,
    Load,
    LoadElement,
    Name,
    Return,
    Scalar,
    Steps,
    Stmt,
    Store,
    Ternary,
    Threads,
    While,
)
from warpsmith.synthesis.language.rules import RuleError, check, check_skeleton
from warpsmith.synthesis.language.types import BOOL, FLOAT, INT, MAT22, VEC2, VEC3
from warpsmith.synthesis.writing import generate as writing

I = Name("i", INT, 0, 7, "n")  # noqa: E741 - what a kernel calls it
X = Name("x", FLOAT, 0.5, 2.0)
GAIN = Name("gain", FLOAT, 0.0, 1.0)
ONE, TWO = Const(1.0, FLOAT), Const(2, INT)
HELPER = Function("bend", (Scalar("a", FLOAT, 0.0, 3.0),), FLOAT, (Return(Name("a", FLOAT, 0.0, 3.0)),), low=0.0, high=3.0)

OPENING: tuple[Stmt, ...] = (
    Threads((I,)),
    If(Compare((">=",), (I, Name("n", INT, 8, 8))), (Jump("return"),)),
    Assign("x", Load("values", (I,), FLOAT, 0.5, 2.0)),
)
STORE = Store("results", (I,), X)


def kernel(*middle: Stmt, store: Stmt = STORE, **changes: Any) -> Kernel:
    whole = Kernel(
        name="scale",
        params=(
            Array("values", FLOAT, ("n",), 0.5, 2.0),
            Array("places", INT, ("n",), 0, 7),
            Array("grid", FLOAT, ("n", "m"), 0.0, 1.0),
            Scalar("gain", FLOAT, 0.0, 1.0),
            Scalar("n", INT, 8, 8, "fill", "n"),
            Array("results", FLOAT, ("n",), 0.0, 0.0, "fill", "output"),
        ),
        body=(*OPENING, *middle, store),
        sizes=(("n", 8), ("m", 3)),
        dim=(8,),
        functions=(HELPER,),
        constants=(nodes.Constant("HALF", Const(0.5, FLOAT)),),
    )
    return replace(whole, **changes)


def of(key: str, *args: Expr, dtype: Any = FLOAT, low: float = 0.0, high: float = 1.0) -> Apply:
    return Apply(key, args, dtype, low, high)


def stores(value: Expr) -> Kernel:
    return kernel(store=Store("results", (I,), value))


def matrix(low: float, high: float) -> Construct:
    return Construct((Name("x", FLOAT, low, high),) * 4, MAT22, low, high)


def shifted(shift: float) -> Apply:
    diagonal = Apply("diag", (Construct((Const(shift, FLOAT),), VEC2, shift, shift),), MAT22, 0.0, shift)
    return Apply("add", (matrix(-2.0, 1.0), diagonal), MAT22, -2.0, shift + 1.0)


def entry(value: Expr) -> nodes.Component:
    return nodes.Component(value, (Const(0, INT), Const(0, INT)), FLOAT, value.low, value.high)


POSITIVE = Compare((">",), (X, ONE))
COUNTER = Name("k", INT, 0, 2, "m")

WELL_FORMED: dict[str, Kernel] = {
    "plain": kernel(),
    "uses all": kernel(
        Assign("y", Call("bend", (X,), FLOAT, 0.0, 3.0)),
        Declare("total", Const(0.0, FLOAT)),
        For(COUNTER, Const(0, INT), Const(3, INT), 3, (Augment("total", "add", Load("grid", (I, COUNTER), FLOAT, 0.0, 1.0)),)),
        If(POSITIVE, (Assign("y", ONE),), (Assign("y", GAIN),)),
        store=Store("results", (I,), of("add", Name("total", FLOAT, 0.0, 3.0), Name("y", FLOAT, 0.0, 3.0), low=0.0, high=6.0)),
    ),
    "index by value": kernel(Assign("c", Load("places", (Const(7, INT),), INT, 0, 7))),
    "gather": stores(Load("values", (Load("places", (I,), INT, 0, 7),), FLOAT, 0.5, 2.0)),
    "inverse": stores(entry(of("inverse", shifted(5.0), dtype=MAT22, low=-1.0, high=1.0))),
    "ternary": stores(Ternary(POSITIVE, X, GAIN, FLOAT, 0.0, 2.0)),
    "division": stores(of("div", GAIN, X, low=0.0, high=2.0)),
    "constant": stores(of("mul", Name("HALF", FLOAT, 0.5, 0.5), X, low=0.25, high=1.0)),
}

BROKEN: dict[str, tuple[Kernel, str]] = {
    "two parameters of one name": (
        kernel(params=(*kernel().params, Scalar("gain", FLOAT, 0.0, 1.0))),
        "two parameters of scale have one name",
    ),
    "a dimension without a length": (kernel(sizes=(("n", 8),)), "no length for a dimension of grid"),
    "a result that is not written": (kernel(store=Assign("y", X)), r"scale writes \[\], its results are \['results'\]"),
    "an input that is written": (kernel(Store("values", (I,), X)), r"writes \['results', 'values'\]"),
    "an input that is added to": (
        kernel(Atomic("atomic_add", "values", (I,), X)),
        r"scale writes \['results', 'values'\]",
    ),
    "a helper without return": (kernel(functions=(replace(HELPER, body=(Assign("b", ONE),)),)), "bend does not end in return"),
    "a helper that reads the kernel's names": (kernel(functions=(replace(HELPER, body=(Return(X),)),)), "x is read before"),
    "a name before its assignment": (kernel(Assign("y", Name("z", FLOAT, 0.0, 1.0))), "z is read before it is assigned"),
    "a name of one branch only": (
        kernel(If(POSITIVE, (Assign("y", ONE),)), store=Store("results", (I,), Name("y", FLOAT, 1.0, 1.0))),
        "y is read before it is assigned",
    ),
    "a name of a loop only": (
        kernel(For(COUNTER, Const(0, INT), Const(3, INT), 3, (Assign("y", ONE),)), Assign("z", Name("y", FLOAT, 1.0, 1.0))),
        "y is read before it is assigned",
    ),
    "a change before the assignment": (kernel(Augment("total", "add", X)), "total is changed before it is assigned"),
    "a counter that hides a variable": (
        kernel(For(Name("x", INT, 0, 2), Const(0, INT), Const(3, INT), 3, ())),
        "the counter x hides a variable",
    ),
    "an element of another type": (stores(I), "results is given a int32"),
    "an atomic of another type": (
        kernel(store=Atomic("atomic_add", "results", (I,), Const(1, INT))),
        "results is given a int32",
    ),
    "a number as a condition": (kernel(If(X, (Jump("return"),))), "a condition is a float32"),
    "a number as a condition of while": (kernel(While(TWO, 3, ())), "a condition is a int32"),
    "steps that are left": (kernel(Steps(1, (FLOAT,))), "a hole was left: Steps"),
    "a fetch that is left": (kernel(LoadElement("values", (I,))), "a hole was left: LoadElement"),
    "a hole that is left": (stores(Hole(FLOAT, 0.0, 1.0)), "a hole was left: Hole"),
    "a hole in a condition": (kernel(If(Hole(BOOL, 0.0, 1.0), ())), "a hole was left: Hole"),
    "an overload that Warp has not": (stores(of("dot", X, GAIN)), "Warp's registry has no such dot"),
    "a type that is not the overload's": (stores(of("int", X)), "Warp's registry has no such int"),
    "an unbounded value": (stores(Name("x", FLOAT, 0.0, float("inf"))), "is not bounded"),
    "a value that is not a number": (stores(Name("x", FLOAT, float("nan"), 1.0)), "is not bounded"),
    "bounds the wrong way round": (stores(Name("x", FLOAT, 2.0, 1.0)), "is not bounded"),
    "a value that is too large": (stores(Name("x", FLOAT, 0.0, 1.1e7)), "is not bounded"),
    "an inverse of any matrix": (
        stores(entry(of("inverse", matrix(-1.0, 1.0), dtype=MAT22))),
        "an inverse of a matrix that may be singular",
    ),
    "an inverse whose shift is too small": (
        stores(entry(of("inverse", shifted(4.9), dtype=MAT22))),
        "an inverse of a matrix that may be singular",
    ),
    "too many indices": (kernel(Assign("y", Load("values", (I, I), FLOAT, 0.5, 2.0))), "has 1 dimensions, 2 indices"),
    "too few indices": (kernel(Assign("y", Load("grid", (I,), FLOAT, 0.0, 1.0))), "has 2 dimensions, 1 indices"),
    "an index past the end": (kernel(Assign("y", Load("values", (Const(8, INT),), FLOAT, 0.5, 2.0))), "may leave values"),
    "an index before the start": (kernel(Assign("y", Load("values", (Const(-1, INT),), FLOAT, 0.5, 2.0))), "may leave values"),
    "an index of another dimension": (kernel(Assign("y", Load("grid", (I, I), FLOAT, 0.0, 1.0))), "an index may leave grid"),
    "an index that is no integer": (kernel(Assign("y", Load("values", (X,), FLOAT, 0.5, 2.0))), "an index may leave values"),
    "a store past the end": (kernel(store=Store("results", (Const(8, INT),), X)), "an index may leave results"),
    "an argument of another type": (kernel(Assign("y", Call("bend", (I,), FLOAT, 0.0, 3.0))), "bend is given a int32 for a"),
    "an argument out of bounds": (
        kernel(Assign("y", Call("bend", (Const(3.5, FLOAT),), FLOAT, 0.0, 3.0))),
        "bend is given Const",
    ),
    "a vector of too few components": (stores(Construct((X, X), VEC3, 0.5, 2.0)), "vec3f of 2 components"),
    "a vector of integers": (stores(Construct((I, I, I), VEC3, 0.0, 7.0)), "vec3f of other than floats"),
    "a choice between two types": (stores(Ternary(POSITIVE, X, I, FLOAT, 0.0, 7.0)), "a conditional expression of two types"),
    "a choice by a number": (stores(Ternary(X, X, GAIN, FLOAT, 0.0, 2.0)), "a conditional expression of two types"),
    "a comparison of two types": (kernel(If(Compare((">",), (X, TWO)), ())), "a comparison of two types"),
}


@pytest.mark.parametrize("case", WELL_FORMED)
def test_well_formed_kernel_passes(case: str) -> None:
    check(WELL_FORMED[case])


@pytest.mark.parametrize("case", BROKEN)
def test_broken_rule_is_reported(case: str) -> None:
    broken, message = BROKEN[case]
    with pytest.raises(RuleError, match=message):
        check(broken)


@pytest.mark.parametrize(
    ("key", "args"),
    [
        ("div", (ONE, GAIN)),
        ("cw_div", (Construct((X, X), VEC2, 0.5, 2.0), Construct((GAIN, GAIN), VEC2, 0.0, 1.0))),
        ("mod", (ONE, GAIN)),
        ("floordiv", (ONE, GAIN)),
        ("atan2", (ONE, GAIN)),
        ("sqrt", (GAIN,)),
        ("cbrt", (GAIN,)),
        ("log", (GAIN,)),
        ("log2", (GAIN,)),
        ("log10", (GAIN,)),
        ("pow", (GAIN, ONE)),
        ("exp", (Const(12.5, FLOAT),)),
        ("tan", (Const(1.55, FLOAT),)),
        ("tan", (Const(-1.55, FLOAT),)),
        ("asin", (ONE,)),
        ("acos", (Const(-1.0, FLOAT),)),
        ("sinh", (Const(10.5, FLOAT),)),
        ("cosh", (Const(-10.5, FLOAT),)),
    ],
)
def test_argument_outside_its_safe_domain_is_reported(key: str, args: tuple[Expr, ...]) -> None:
    value = of(key, *args, dtype=args[0].type)
    with pytest.raises(RuleError, match=f"^{key} may leave its domain"):
        check(kernel(Assign("y", value)))


@pytest.fixture(scope="module")
def written() -> list[Kernel]:
    """Return kernels of every category as the generator passes them to the rules."""
    seen: list[Kernel] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rules, "check", seen.append)
        for index in range(100):
            writing.write_kernel(KernelKey(2000, index))
    return seen


def test_written_kernels_pass_and_their_skeletons_do_not(written: list[Kernel]) -> None:
    assert len(written) >= 100, "some are drawn again"
    for whole in written:
        check(whole)
        check_skeleton(whole)


@pytest.mark.parametrize(
    "damage",
    [
        lambda whole: replace(whole, body=whole.body[1:]),
        lambda whole: replace(whole, sizes=()),
        lambda whole: replace(whole, params=(*whole.params, whole.params[0])),
        lambda whole: replace(
            whole, sizes=tuple((symbol, 0) for symbol, _ in whole.sizes), body=tuple(map(without_extents, whole.body))
        ),
        lambda whole: replace(
            whole, body=tuple(item for item in whole.body if not isinstance(item, Store | Atomic | If | For))
        ),
    ],
    ids=["no thread index", "no lengths", "a parameter twice", "arrays without elements", "nothing written"],
)
def test_damaged_kernels_do_not_pass(written: list[Kernel], damage: Callable[[Kernel], Kernel]) -> None:
    for whole in written:
        with pytest.raises(RuleError):
            check(damage(whole))


def without_extents(statement: Stmt) -> Stmt:
    """Return a store whose indices have lost their dimension."""
    if not isinstance(statement, Store):
        return statement
    indices = tuple(replace(index, extent="") if isinstance(index, Name) else index for index in statement.indices)
    return replace(statement, indices=indices)
