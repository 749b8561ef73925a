"""Kernels of the family ``tile``: an operation on tiles of one block, whose result is stored."""

from __future__ import annotations

from warpsmith.validation.fuzz.grammar.form_file import KernelFile, block
from warpsmith.validation.fuzz.grammar.forms import Form
from warpsmith.validation.fuzz.grammar.precision_names import PRECISIONS

LOADS = {
    "a": 'a = wp.tile_load(x, shape=4, storage="{s}")',
    "b": 'b = wp.tile_load(y, shape=4, storage="{s}")',
    "m": 'm = wp.tile_load(xx, shape=(4, 4), storage="{s}")',
}
"""The tiles that operations read."""

OPERATIONS = {
    # operation: statements; the result is the tile r, or the tile rr of two dimensions
    "sum": "r = wp.tile_sum(a * b)",
    "dot_sum": "r = wp.tile_sum(a * a) + wp.tile_sum(b)",
    "scan": "r = wp.tile_scan_inclusive(a)",
    "scan_exclusive": "r = wp.tile_scan_exclusive(a)",
    "scan_max": "r = wp.tile_scan_max_inclusive(a)",
    "max": "r = wp.tile_max(a)",
    "min": "r = wp.tile_min(a)",
    "reduce": "r = wp.tile_reduce(wp.mul, a)",
    "sort": "keys = wp.tile_load(y, shape=4, storage='shared')\nvalues = wp.tile_load(x, shape=4, storage='shared')\n"
    "wp.tile_sort(keys, values)\nr = values * {T}(2.0)",
    "full": "r = wp.tile_full(shape=4, value=x[0] * x[1], dtype={T}) * b",
    "from_thread": "g = x[0] * x[1]\nr = wp.tile_from_thread(shape=4, value=g, thread_idx=0) * b",
    "transpose": "rr = m * wp.tile_transpose(m)",
    "transpose_first": "mt = wp.tile_transpose(m)\nrr = mt * {T}(2.0)",
    "branch": "r = a * b\nif n > 0:\n    r = a * {T}(3.0)",
    "transpose_again": "p = wp.tile_matmul(m, wp.tile_transpose(m))\nrr = p * wp.tile_transpose(m)",
    "branch_view": "q = a * {T}(1.0)\nif n > 7:\n    q = q * {T}(3.0)\nr = wp.tile_view(q, offset=(0,), shape=(4,))",
    "where": "r = wp.where(n > 0, a, b)",
    "tile": "g = x[0] * {T}(3.0)\nq = wp.tile(g)\nr = wp.tile_view(q, offset=(0,), shape=(1,)) * {T}(2.0)",
    "untile": "q = wp.untile(wp.tile_view(wp.tile_load(x, shape=1, storage='shared') * {T}(3.0), offset=(0,), shape=(1,)))\n"
    "r = wp.tile(q * q)",
    "in_place": "q = a * b\na += q\nr = a * {T}(1.0)",
    "reload": "u = wp.tile_load(y, shape=4, storage='shared')\nfor j in range(n):\n    u = wp.tile_load(y, shape=4, storage='shared')\n"
    "    a += u\nr = a * {T}(1.0)",
    "map": "r = wp.tile_map(wp.sin, a)",
    "map2": "r = wp.tile_map(wp.atan2, a, b)",
    "view": "r = wp.tile_view(a, offset=(1,), shape=(2,)) * {T}(2.0)",
    "reshape": "rr = wp.tile_reshape(a * a, shape=(2, 2)) * {T}(2.0)",
    "broadcast": "rr = wp.tile_broadcast(a, shape=(4, 4)) * m",
    "extract": "r = b * wp.tile_extract(a, 1)",
    "element": "g = a[1]\nr = b * (g * g)",
    "matmul": "m2 = wp.tile_load(out3, shape=(4, 4), storage='{s}')\nrr = wp.tile_matmul(m, m2)",
    "matmul_transpose": "rr = wp.tile_matmul(m, wp.tile_transpose(m))",
    "scaled": "r = a * y[0] + y[1] * b",
    "axpy": "wp.tile_axpy(y[5], a, b)\nr = b * {T}(1.0)",
    "assign": "q = wp.tile_zeros(shape=8, dtype={T}, storage='shared')\nwp.tile_assign(q, a, offset=(2,))\nr = q * {T}(2.0)",
    "load_indexed": "at = wp.tile_load(c, shape=4, storage='shared')\nr = wp.tile_load_indexed(x, at, shape=(4,)) * b",
    "sum_axis": "r = wp.tile_sum(m * m, axis=1)",
    "cholesky": "rr = wp.tile_cholesky(wp.tile_matmul(m, wp.tile_transpose(m)) + wp.tile_load(spd, shape=(4, 4), storage='shared'))",
    "lower_solve": "low = wp.tile_load(spd, shape=(4, 4), storage='shared')\nr = wp.tile_lower_solve(low, a)",
    "upper_solve": "low = wp.tile_load(spd, shape=(4, 4), storage='shared')\nr = wp.tile_upper_solve(low, a)",
    "diag_add": "rr = wp.tile_diag_add(m, a)",
    "negate": "r = -a + b",
}
"""The operations of the axis ``tile``."""


def tile_file(form: Form) -> KernelFile:
    """Return the file of a form of the family ``tile``."""
    precision = PRECISIONS[form["dtype"]]
    file = KernelFile(precision)
    text = OPERATIONS[form["tile"]].replace("out3", "xx").replace("spd", "fixed_low")
    loads = [LOADS[name].format(s=form["storage"]) for name in LOADS if _reads(text, name)]
    statements = text.format(T=precision.scalar, s=form["storage"]).split("\n")
    body = [*loads, *statements, *_stored(form, "rr = " in text)]
    heads = {"static": "for k in range(2):", "dynamic": "for k in range(n):"}
    if form["context"] == "helper":
        file.body += _by_helper(file, body)
    else:
        file.body += block(heads[form["context"]], body) if form["context"] in heads else body
    return file


def _reads(text: str, name: str) -> bool:
    return any(f"{before}{name}{after}" in f" {text}\n" for before in " (-\n" for after in " ,)[\n*.")


def _stored(form: Form, matrix: bool) -> list[str]:
    result = "rr" if matrix else "r"
    square = [f"{result}s = {result} * {result}"] if form["use"] == "square" else []
    return [*square, f"wp.tile_store({'out2' if matrix else 'out'}, {result}{'s' if square else ''})"]


def _by_helper(file: KernelFile, body: list[str]) -> list[str]:
    t = file.precision.scalar
    arrays = {"x": 1, "y": 1, "xx": 2, "fixed_low": 2, "out": 1, "out2": 2}
    signature = [f"{name}: wp.array{'2d' * (rank == 2)}(dtype={t})" for name, rank in arrays.items()]
    file.helpers.append(
        "\n".join(["@wp.func", *block(f"def work({', '.join(signature)}, c: wp.array(dtype=int), n: int):", body)]) + "\n"
    )
    return [f"work({', '.join(arrays)}, c, n)"]
