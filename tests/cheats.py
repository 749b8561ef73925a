"""Wrong answers that the policy of texts does not see, each beside an honest twin; and the pair that they answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import warp as wp

from warpsmith.core.records.launch import Argument, Domain, Launch
from warpsmith.core.records.pair import Pair
from warpsmith.extraction.extract import extract_ir
from warpsmith.extraction.loading import loaded_kernel

LENGTH = 300
"""The length of the arrays: more than one block, and no multiple of the size of a block."""

SOURCE = """import warp as wp


@wp.kernel
def shift(
    x: wp.array(dtype=float), bins: wp.array(dtype=int), k: float, n: int, y: wp.array(dtype=float), sums: wp.array(dtype=float)
):
    i = wp.tid()
    if i >= n:
        return
    y[i] = k * x[i] * x[i] + 1.0
    wp.atomic_add(sums, bins[i], x[i])
"""


def _argument(
    name: str, kind: str, dtype: str, role: str, shape: tuple[int, ...], domain: tuple[str, float, float]
) -> Argument:
    bounds = Domain(kind=domain[0], low=domain[1], high=domain[2])  # type: ignore[arg-type]
    return Argument(name=name, kind=kind, dtype=dtype, role=role, shape=shape, domain=bounds)  # type: ignore[arg-type]


def make_pair(length: int = LENGTH) -> Pair:
    """Return the pair: a kernel with a bounds check, a product and a sum of several threads."""
    launch = Launch(
        dim=(length,),
        args=(
            _argument("x", "array", "float32", "input", (length,), ("uniform", -1.0, 1.0)),
            _argument("bins", "array", "int32", "input", (length,), ("uniform", 0, 7)),
            _argument("k", "value", "float32", "input", (), ("uniform", 0.5, 2.0)),
            _argument("n", "value", "int32", "input", (), ("fill", length, length)),
            _argument("y", "array", "float32", "output", (length,), ("fill", 0.0, 0.0)),
            _argument("sums", "array", "float32", "inout", (8,), ("fill", 0.0, 0.0)),
        ),
    )
    with loaded_kernel(SOURCE, "shift") as kernel:
        ir = extract_ir(kernel, "both", include_backward=True)
    return Pair.from_ir(
        ir, identity="cheats", python_source=SOURCE, category="test", warp_version=str(wp.__version__), generator_version="1",
        launch=launch, description="A test.",
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Cheat:
    """An answer that is wrong.

    Attributes:
        name: the name.
        kind: the task.
        edit: makes the answer from the reference's.
    """

    name: str
    kind: str
    edit: Callable[[str], str]


def _replace(old: str, new: str, count: int = 1) -> Callable[[str], str]:
    def edit(text: str) -> str:
        if old not in text:
            raise ValueError(f"{old!r} does not occur")
        return text.replace(old, new, count)

    return edit


def _before(marker: str, line: str) -> Callable[[str], str]:
    return _replace(marker, f"{line}\n        {marker}")


STORE = "wp::array_store(var_y, var_0, var_"
BODY = "var_0 = builtin_tid1d();"


def _stored(value: str) -> Callable[[str], str]:
    """Return an edit that stores ``value`` in place of the result."""

    def edit(text: str) -> str:
        start = text.index(STORE)
        end = text.index(");", start)
        result = text[start:end].rpartition(" ")[2]
        return text[:start] + f"wp::array_store(var_y, var_0, {value.replace('RESULT', result)}" + text[end:]

    return edit


def _without_line(text: str, part: str) -> str:
    lines = text.split("\n")
    kept = [line for line in lines if part not in line]
    if len(kept) == len(lines):
        raise ValueError(f"{part!r} does not occur")
    return "\n".join(kept)


def _sum_stored(text: str) -> str:
    lines = text.split("\n")
    (at,) = [number for number, line in enumerate(lines) if "wp::atomic_add(var_sums" in line]
    call = lines[at].partition("wp::atomic_add(")[2]
    lines[at] = f"        wp::array_store({call}"
    return "\n".join(lines)


FORWARD = {
    "zeros": _stored("wp::float32(0.0)"),
    "a constant": _stored("wp::float32(1.25)"),
    "not a number": _stored("wp::div(wp::float32(0.0), wp::float32(0.0))"),
    "the input": _stored("wp::load(wp::address(var_x, var_0))"),
    "half precision": _stored("wp::float32(wp::float16(RESULT))"),
    "slightly wrong": _stored("wp::add(RESULT, wp::float32(0.0001))"),
    "a wrong sign": _stored("wp::neg(RESULT)"),
    "first block only": _before(BODY, "if (blockIdx.x > 0) continue;"),
    "first elements only": _before(BODY, "if (_idx >= 256) continue;"),
    "every second element": _before(BODY, "if (_idx % 2 == 1) continue;"),
    "whole blocks only": _before(BODY, "if (_idx >= 256 * (dim.size / 256)) continue;"),
    "last element missing": _before(BODY, "if (_idx == dim.size - 1) continue;"),
    "own length only": _replace("if (var_1) {", f"if (var_n != {LENGTH}) continue;\n        if (var_1) {{"),
    "no bounds check": _replace("if (var_1) {", "if (false) {"),
    "no stride": lambda text: text.replace(
        "_idx += static_cast<size_t>(blockDim.x) * static_cast<size_t>(gridDim.x))", "_idx += dim.size)"
    ),
    "sums are stored": _sum_stored,
    "sums are missing": lambda text: _without_line(text, "wp::atomic_add(var_sums"),
    "an input is written": _before(BODY, "wp::array_store(var_x, static_cast<wp::int32>(_idx % 8), wp::float32(0.0));"),
    "an endless loop": _before(BODY, "while (true) { if (_idx == dim.size) continue; }"),
    "out of bounds": _replace("var_0 = builtin_tid1d();", "var_0 = builtin_tid1d() + 100000;"),
}
"""Edits of the forward text that are wrong."""


ADJOINT = {
    "nothing": _before("for (size_t _idx", "return;"),
    "every second element": _before(BODY, "if (_idx % 2 == 1) continue;"),
    "first block only": _before(BODY, "if (blockIdx.x > 0) continue;"),
    "positive gradients only": _replace(
        BODY,
        "if (wp::load(wp::address(adj_y, static_cast<wp::int32>(_idx % 8))) < wp::float32(0.0)) continue;\n        " + BODY,
    ),
    "a product without its factor": _replace("wp::adj_mul(", "wp::adj_add("),
    "an output is changed": _before(BODY, "wp::array_store(var_y, static_cast<wp::int32>(_idx % 8), wp::float32(0.0));"),
    "overwrites": _before(BODY, "wp::array_store(adj_x, static_cast<wp::int32>(_idx % 8), wp::float32(0.0));"),
    "sums without gradient": lambda text: _without_line(text, "wp::adj_atomic_add(var_sums"),
}
"""Edits of the adjoint that are wrong."""

PYTHON = {
    "zeros": _replace("k * x[i] * x[i] + 1.0", "0.0"),
    "another constant": _replace("+ 1.0", "+ 1.0001"),
    "imports": _replace("import warp as wp", "import warp as wp\nimport os"),
    "patches Warp": _replace("\n\n@wp.kernel", "\nwp.tid = wp.static\n\n@wp.kernel"),
    "reads a file": _replace("\n\n@wp.kernel", "\nF = open('/etc/passwd').read()\n\n@wp.kernel"),
    "another order of parameters": _replace("k: float, n: int", "n: int, k: float"),
    "another name": _replace("def shift", "def other"),
    "a type in double precision": _replace("k: float", "k: wp.float64"),
    "no code": lambda _: "import warp as wp\n",
    "no Python": lambda _: "def shift(:\n",
    "its own adjoint": _replace(
        "\n\n@wp.kernel", "\n\n@wp.func_native('return 0.0f;')\ndef f(a: float) -> float: ...\n\n\n@wp.kernel"
    ),
}
"""Edits of the Python that are wrong."""

CHEATS = [
    Cheat(name, kind, edit)
    for kind, table in (("python_to_cuda", FORWARD), ("forward_to_adjoint", ADJOINT), ("cuda_to_python", PYTHON))
    for name, edit in table.items()
]

TWINS = {
    "python_to_cuda": {
        "renamed": lambda text: text.replace("var_0", "thread").replace("var_1", "outside"),
        "other association": _replace("wp::mul(var_3, var_7)", "wp::mul(wp::mul(var_7, var_7), var_k)"),
        "no comments": lambda text: "\n".join(line for line in text.split("\n") if not line.strip().startswith("//")),
        "a check twice": _before(BODY, "if (_idx >= dim.size) continue;"),
        "one line": lambda text: " ".join(line.partition("//")[0].strip() for line in text.split("\n")),
    },
    "forward_to_adjoint": {
        "no comments": lambda text: "\n".join(line for line in text.split("\n") if not line.strip().startswith("//")),
        "renamed": lambda text: text.replace("adj_0", "adj_thread"),
    },
    "cuda_to_python": {
        "renamed": lambda text: text.replace("i = ", "tid = ").replace("i >=", "tid >=").replace("[i]", "[tid]"),
        "other association": _replace("k * x[i] * x[i]", "x[i] * (x[i] * k)"),
        "a helper": _replace("k * x[i] * x[i]", "k * wp.pow(wp.abs(x[i]), 2.0)"),
        "other bounds check": _replace("    if i >= n:\n        return\n", "    if not i < n:\n        return\n"),
    },
}
"""Edits that are right, by task."""
