"""Kernels of the family ``atomic``: atomic operations on elements, by several threads, whose results may be used."""

from __future__ import annotations

from warpsmith.validation.fuzz.grammar.builtin_forms import builtin_call
from warpsmith.validation.fuzz.grammar.form_file import KernelFile, block
from warpsmith.validation.fuzz.grammar.forms import Form
from warpsmith.validation.fuzz.grammar.precision_names import PRECISIONS, names

PLACES = {
    # place: the array and index of an atomic function, the l-value of an operator, and a number that is read
    "element": ("total, {k}", "total[{k}]"),
    "component_index": ("vtotal, {k}", "vtotal[{k}][1]"),
    "component_name": ("vtotal, {k}", "vtotal[{k}].y"),
    "row_element": ("out2, {k}, 1", "out2[{k}][1]"),
    "member": ("sw, {k}", "sw[{k}].a"),
}


def atomic_file(form: Form) -> KernelFile:
    """Return the file of a form of the family ``atomic``."""
    precision = PRECISIONS[form["dtype"]]
    file = KernelFile(precision)
    file.body += _changed(form, file)
    return file


def _changed(form: Form, file: KernelFile) -> list[str]:
    context = form["context"]
    if context == "helper":
        arrays = (
            "total: wp.array(dtype={T}), vtotal: wp.array(dtype={V}), out2: wp.array2d(dtype={T}), out: wp.array(dtype={T}), "
        )
        further = "x: wp.array(dtype={T}), y: wp.array(dtype={T}), w: wp.array(dtype={T}), slots: wp.array(dtype=int), i: int"
        struct = "sw: wp.array(dtype=Inner), " if form["place"] == "member" else ""
        signature = (arrays + struct + further).format(**names(file.precision))
        body = _step(form, file, "0")
        file.helpers.append("\n".join(["@wp.func", *block(f"def change({signature}):", body)]) + "\n")
        first = "least" if form["target"] == "atomic_min" else "total"  # a minimum starts with a large number
        return [f"change({first}, vtotal, out2, out, {'sw, ' if struct else ''}x, y, w, slots, i)"]
    loops = {"static": "for k in range(3):", "dynamic": "for k in range(n):", "branch": "if n > 0:"}
    step = _step(form, file, "k" if context in {"static", "dynamic"} else "0")
    return block(loops[context], step) if context in loops else step


def _step(form: Form, file: KernelFile, counter: str) -> list[str]:
    """Return the statements of one atomic operation."""
    target, t = form["target"], file.precision.scalar
    source = {"one": f"x[i * 3 + {counter}]", "same": f"(x[{counter}] + {t}(0.0) * y[i])", "different": f"x[7 - i - {counter}]"}
    e = source[form["threads"]]
    if form["builtin"] != "none":
        e = builtin_call(form["builtin"], file.precision, e, f"y[{counter} + 1]")
    slot = "i" if form["threads"] == "one" else "0"
    arguments, place = (text.format(k=slot) for text in PLACES[form["place"]])
    if target.endswith("_operator"):
        return [f"{place} {'+=' if target == 'add_operator' else '-='} {e}"]
    if target == "atomic_cas_result":
        return [f"old = wp.atomic_cas(slots, i, 0, {counter} + 5)", f"out[i] = {t}(old + 2) * {e}"]
    if target == "atomic_exch_result":
        return [f"old = wp.atomic_exch(w, i, {e})", f"out[i] = old * {e}"]
    function, _, used = target.removeprefix("atomic_").partition("_")
    if used:
        r = f"wp.atomic_{function}(w, i, {e})"
        return [f"old = {r}", f"out[i] = old * {t}(2.0)" if form["use"] == "store" else "out[i] = old * old"]
    if form["place"].startswith("component"):
        e = f"{file.precision.vec}({e}, {e} * {t}(2.0), {t}(0.5))"
    elif function == "min" and form["context"] != "helper":
        arguments = arguments.replace("total", "least")
    return [f"wp.atomic_{function}({arguments}, {e})"]
