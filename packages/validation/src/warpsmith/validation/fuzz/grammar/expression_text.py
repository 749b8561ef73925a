"""Kernels of the family ``expression``: operands, constants, literals, comparisons, members, arguments, statements, builtins."""

from __future__ import annotations

from warpsmith.validation.fuzz.grammar.builtin_forms import builtin_call
from warpsmith.validation.fuzz.grammar.form_file import KernelFile
from warpsmith.validation.fuzz.grammar.forms import Form
from warpsmith.validation.fuzz.grammar.precision_names import PRECISIONS
from warpsmith.validation.fuzz.grammar.statement_forms import STATEMENTS

CHANGE = "@wp.func\ndef change(a: wp.array(dtype={T})):\n    a[0] = a[0] * {T}(10.0)\n    return a[0]\n"

ORDERS = {
    # order: statements that add a number to r; the second line of each pair has Python's order written out
    "element_then_call": ("r = w[0] + change(w)", "b = w[0] * {T}(1.0)\nr = b + change(w)"),
    "element_then_atomic": (
        "r = w[0] + wp.atomic_add(w, 0, {T}(5.0))",
        "b = w[0] * {T}(1.0)\nr = b + wp.atomic_add(w, 0, {T}(5.0))",
    ),
    "call_arguments": ("r = wp.max(w[0], change(w) * {T}(0.01))", "b = w[0] * {T}(1.0)\nr = wp.max(b, change(w) * {T}(0.01))"),
    "add_assign_call": (
        "w[1] = w[0]\nw[0] += change(w)\nr = w[0]",
        "w[1] = w[0]\nb = w[0] * {T}(1.0)\nw[0] = b + change(w)\nr = w[0]",
    ),
}

CONSTANTS = {
    "module": ("K = wp.constant(3)\n", "r = {e} * {T}(K)"),
    "conversion": ("D = wp.constant({T}(0.5))\n", "out2[i, 0] = D\nr = {e} * {T}(D)"),
    "after_branch": (
        "K = wp.constant(3)\n",
        "a = int(0)\nif c[0] == 1:\n    a = 1\nelse:\n    if c[1] == 1:\n        a = K\n    elif c[1] == 2:\n        a = K\n"
        "b = int(7)\nif c[1] == 0:\n    b = K\niout[0] = a * 10 + b\nr = {e}",
    ),
    "counter": ("", "r = {e}\nfor k in range(3):\n    s = {T}(k) * y[1]\n    out2[i, k] = s\n    r = r + s"),
    "double_literal": ("", "r = {e} * {T}(wp.float64(0.1))"),
}

LITERALS = {
    "large": ("float(3000000000)", 3.0e9),
    "negative_large": ("float(-3000000000)", -3.0e9),
    "unsigned": ("float(wp.uint32(4000000000))", 4.0e9),
    "hexadecimal": ("float(0xFFFFFFFF)", 4294967295.0),
}

COMPARES = {
    "vec_equal": "{V}(a, b, a) == {V}(a, b, a)",
    "vec_not_equal": "{V}(a, b, a) != {V}(a, b, b)",
    "mat_equal": "wp.diag({V}(a, b, a)) == wp.diag({V}(a, b, a))",
    "mat_not_equal": "wp.diag({V}(a, b, a)) != wp.diag({V}(a, b, b))",
    "quat_equal": "{Q}(a, b, a, b) == {Q}(a, b, a, b)",
    "quat_not_equal": "{Q}(a, b, a, b) != {Q}(a, b, a, a)",
    "transform_equal": "{X}({V}(a, b, a), {Q}(a, b, a, b)) == {X}({V}(a, b, a), {Q}(a, b, a, b))",
    "transform_not_equal": "{X}({V}(a, b, a), {Q}(a, b, a, b)) != {X}({V}(a, b, b), {Q}(a, b, a, b))",
    "bool_equal": "(a > b) == (a > b)",
    "chained": "{T}(0.0) < a < {T}(9.0)",
}

INTEGERS = {
    # integer: an expression of integers for c[0] = 1 and n = 3, and its value in Python
    "floordiv": ("(-7 * c[0]) // n", -3),
    "mod": ("(-7 * c[0]) % n", 2),
    "shift": ("(c[0] << 4) >> 1", 8),
    "negate_unsigned": ("int(-wp.uint8(c[0]))", 255),
    "int8": ("int(wp.int8(c[0] * 200))", -56),
    "uint8": ("int(wp.uint8(c[0] * 300))", 44),
    "int16": ("int(wp.int16(c[0] * 40000))", -25536),
    "int64": ("int(wp.int64(c[0] * 5) * wp.int64(3000000000) // wp.int64(1000000000))", 15),
    "uint64": ("int(wp.uint64(c[0]) << wp.uint64(40) >> wp.uint64(38))", 4),
    "invert": ("~c[0]", -2),
}
"""Floor division and remainder follow C in kernels: Warp's manual says so, `expected` of the family has no entry for them."""

ARGUMENTS = {
    "indexed": ("@wp.func\ndef get(a: wp.indexedarray(dtype={T})):\n    return a[0]\n", "r = {e} * get(gathered)"),
    "struct": ("@wp.func\ndef get(s: Outer):\n    return s.a * s.a\n", "s = Outer()\ns.a = {e}\nr = get(s)"),
    "array_in_struct": (
        "@wp.struct\nclass Holder:\n    data: wp.array(dtype={T})\n\n\n@wp.func\ndef get(h: Holder):\n    return h.data[0] * h.data[1]\n",
        "h = Holder()\nh.data = x\nr = {e} * get(h)",
    ),
    "nested_struct": (
        "@wp.func\ndef get(s: Inner):\n    return s.v[1] * s.a\n",
        "s = Outer()\ns.inner.a = {e}\ns.inner.v = {V}(y[0], y[1], y[2])\nr = get(s.inner)",
    ),
    "generic_array": ("@wp.func\ndef get(a: wp.array(dtype=Any)):\n    return a[0] * a[1]\n", "r = {e} * get(x)"),
}


def expression_file(form: Form) -> KernelFile:
    """Return the file of a form of the family ``expression``."""
    precision = PRECISIONS[form["dtype"]]
    file = KernelFile(precision)
    index = {"positive": "3", "negative": "-5", "computed": "c[0] + 2"}[form["index"]]
    e = f"x[{index}]"
    if form["builtin"] != "none":
        e = builtin_call(form["builtin"], precision, e, "y[1]")
    kinds = {"T": precision.scalar, "V": precision.vec, "Q": precision.quat, "X": precision.transform, "e": e}
    kinds["W"] = f"wp.vec2{precision.letter}"
    if form["shape"] == "before":
        file.body.append("size = x.shape[0]")
    helper, text = _parts(form)
    if helper:
        file.helpers.append(helper.format(**kinds))
    file.body += text.format(**kinds).split("\n")
    factor = {"none": "", "before": " * {T}(size)", "after": " * {T}(x.shape[0])"}[form["shape"]].format(**kinds)
    file.body.append(f"out[i] = r{factor}")
    return file


def _parts(form: Form) -> tuple[str, str]:
    """Return the definitions of a form, and the statements that compute the number r."""
    if form["order"] != "none":
        return CHANGE, f"{ORDERS[form['order']][0]}\nr = r * {{e}}"
    if form["constant"] != "none":
        return CONSTANTS[form["constant"]]
    if form["literal"] != "none":
        return "", f"out2[0, 0] = {{T}}({LITERALS[form['literal']][0]})\nr = {{e}}"
    if form["compare"] != "none":
        return "", f"a = {{T}}(c[0])\nb = {{T}}(n)\nr = {{e}}\nif {COMPARES[form['compare']]}:\n    r = r * {{T}}(2.0)"
    if form["member"] != "none":
        name = form["member"]
        struct = f"@wp.struct\nclass Named:\n    {name}: {{T}}\n    other: {{V}}\n"
        return struct, f"s = Named()\ns.{name} = {{e}}\ns.other = {{V}}(y[0], y[1], y[2])\nr = s.{name} * s.other[1]"
    if form["argument"] != "none":
        return ARGUMENTS[form["argument"]]
    if form["statement"] != "none":
        statement = STATEMENTS[form["statement"]]
        return statement.helper, statement.text
    if form["integer"] != "none":
        return "", f"iout[0] = {INTEGERS[form['integer']][0]}\nr = {{e}}"
    return "", "r = {e}"


def expected(form: Form) -> dict[str, float]:
    """Return the numbers that a kernel of the family stores by Python's rules: name of the array, and its first element."""
    if form["literal"] != "none":
        return {"out2": LITERALS[form["literal"]][1]}
    if form["constant"] in {"conversion", "after_branch"}:
        return {"out2": 0.5} if form["constant"] == "conversion" else {"iout": 13.0}
    if form["integer"] not in {"none", "floordiv", "mod"}:
        return {"iout": float(INTEGERS[form["integer"]][1])}
    result = STATEMENTS[form["statement"]].result if form["statement"] != "none" else None
    return {} if result is None else {"iout": result}


def in_pythons_order(source: str) -> str:
    """Return the file of a form with an ``order``, with the first operand in a variable, as Python evaluates it."""
    for plain, ordered in ORDERS.values():
        for scalar in ("float", "wp.float64", "wp.float16"):
            first, second = (text.format(T=scalar).replace("\n", "\n    ") for text in (plain, ordered))
            if first in source:
                return source.replace(first, second)
    return source
