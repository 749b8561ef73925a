"""Kernels that people write, and what is known of the adjoints that Warp 1.19 generates for them.

A kernel is its body; the arguments and helper functions that it names come from the tables below. `WRONG` ones have an adjoint
that is not the derivative, `RIGHT` ones lie next to them. `notes/warp_findings.md` says why.
"""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import dedent, indent

import warp as wp

from warpsmith.core.records.ir import Device
from warpsmith.core.records.jsonl import Line, decode, encode
from warpsmith.core.records.launch import Argument, Domain, Launch
from warpsmith.core.records.pair import IR_TYPE, SCHEMA_VERSION, Metadata, Pair
from warpsmith.extraction.extract import extract_ir
from warpsmith.extraction.loading import loaded_kernel

TYPES = {"float32": "float", "int32": "int", "vec3f": "wp.vec3", "mat33f": "wp.mat33", "quatf": "wp.quat"}


def _array(
    name: str, dtype: str, role: str = "output", shape: tuple[int, ...] = (8,), domain: Domain | None = None
) -> Argument:
    domain = domain or Domain(kind="fill", low=0.0, high=0.0)
    return Argument(name=name, kind="array", dtype=dtype, role=role, shape=shape, domain=domain)  # type: ignore[arg-type]


def _number(name: str, dtype: str, value: float) -> Argument:
    domain = Domain(kind="fill", low=value, high=value)
    return Argument(name=name, kind="value", dtype=dtype, role="input", shape=(), domain=domain)


AROUND_ONE = Domain(kind="uniform", low=0.5, high=1.5)

ARGUMENTS = (
    _array("x", "float32", "input", domain=AROUND_ONE),
    _array("y", "float32", "input", domain=AROUND_ONE),
    _array("xx", "float32", "input", (8, 5), AROUND_ONE),
    _array("v", "vec3f", "input", domain=AROUND_ONE),
    _array("m", "mat33f", "input", domain=AROUND_ONE),
    _array("q", "quatf", "input", domain=Domain(kind="unit", low=-1.0, high=1.0)),
    _array("j", "int32", "input", domain=Domain(kind="uniform", low=0, high=7)),
    _number("n", "int32", 4),
    _array("u", "float32", "inout", domain=AROUND_ONE),
    _array("w", "float32"),
    _array("out", "float32"),
    _array("total", "float32", shape=(2,)),
    _array("vout", "vec3f"),
    _array("mout", "mat33f"),
    _array("qout", "quatf"),
)

HELPERS = {
    "times": """
        def times(p: float, r: float):
            return p * r
    """,
    "plus_square": """
        def plus_square(p: float, r: float):
            return p + r * r
    """,
    "power": """
        def power(p: float, n: int):
            s = float(1.0)
            for k in range(n):
                s = s * p
            return s
    """,
    "pick": """
        def pick(p: float, r: float):
            if p > 1.2:
                return p * p
            if r > 1.0:
                return p * r
            s = p + r
            return s * s
    """,
    "find": """
        def find(p: float):
            s = float(0.0)
            for k in range(4):
                s = s + p
                if s > 2.0:
                    return s * p
            return s
    """,
    "find_up_to": """
        def find_up_to(p: float, n: int):
            s = float(0.0)
            for k in range(n):
                s = s + p
                if s > 2.0:
                    return s * p
            return s
    """,
    "both": """
        def both(p: float, r: float):
            return p * r, p + r
    """,
}

WRONG = {
    "product in a loop": """
        s = float(1.0)
        for k in range(n):
            s = s * xx[i, k]
        out[i] = s
    """,
    "product in a helper": """
        s = float(1.0)
        for k in range(n):
            s = times(s, xx[i, k])
        out[i] = s
    """,
    "product in a loop of a helper": """
        out[i] = power(x[i], n)
    """,
    "polynomial by Horner": """
        s = float(0.0)
        for k in range(n):
            s = s * x[i] + xx[i, k]
        out[i] = s
    """,
    "more than sixteen steps": """
        s = x[i]
        for k in range(17):
            s = s * 0.9 + wp.sin(s) * 0.1
        out[i] = s
    """,
    "largest of a row": """
        s = float(0.0)
        for k in range(n):
            s = wp.max(s, xx[i, k])
        out[i] = s
    """,
    "previous element": """
        before = float(0.0)
        s = float(0.0)
        for k in range(n):
            s = s + before * xx[i, k]
            before = xx[i, k]
        out[i] = s
    """,
    "counter of its own": """
        c = int(0)
        s = float(0.0)
        for k in range(n):
            c = c + 1
            s = s + xx[i, k] * float(c)
        out[i] = s
    """,
    "branch on what is carried": """
        s = float(0.0)
        for k in range(n):
            if s < 2.0:
                s = s + xx[i, k]
        out[i] = s
    """,
    "sum that is squared afterwards": """
        s = float(0.0)
        for k in range(n):
            s = s + xx[i, k]
        out[i] = s * s
    """,
    "sum that is compared afterwards": """
        s = float(0.0)
        for k in range(n):
            s = s + xx[i, k]
        if s > 3.0:
            out[i] = x[i] * x[i]
        else:
            out[i] = y[i]
    """,
    "product in an inner loop": """
        s = float(0.0)
        for k in range(n):
            t = float(1.0)
            for l in range(k + 1):
                t = t * xx[i, l]
            s = s + t
        out[i] = s
    """,
    "while with a product": """
        s = y[i]
        while s < 3.0:
            s = s * (x[i] + 1.0)
        out[i] = s
    """,
    "while with an index": """
        s = float(0.0)
        k = int(0)
        while k < n:
            s = s + xx[i, k]
            k = k + 1
        out[i] = s
    """,
    "vectors multiplied in a loop": """
        p = v[i]
        for k in range(n):
            p = wp.cross(p, wp.vec3(xx[i, k], 1.0, 0.5))
        vout[i] = p
    """,
    "quaternions multiplied in a loop": """
        p = q[i]
        for k in range(n):
            p = p * q[i]
        qout[i] = p
    """,
    "matrices multiplied in a loop": """
        p = m[i]
        for k in range(n):
            p = p @ m[i]
        mout[i] = p
    """,
    "break": """
        s = float(0.0)
        for k in range(n):
            s = s + xx[i, k]
            if s > 2.0:
                break
        out[i] = s
    """,
    "break out of a loop of a known length": """
        s = float(0.0)
        for k in range(5):
            if k == 3:
                break
            s = s + x[i]
        out[i] = s
    """,
    "break out of an endless loop": """
        s = x[i]
        while True:
            s = s * 2.0
            if s > 5.0:
                break
        out[i] = s
    """,
    "return out of a loop": """
        s = float(0.0)
        for k in range(n):
            s = s + xx[i, k] * xx[i, k]
            if s > 2.0:
                out[i] = s
                return
        out[i] = s
    """,
    "return out of a loop of a helper": """
        out[i] = find_up_to(x[i], n)
    """,
    "component in a loop": """
        p = wp.vec3(1.0, 1.0, 1.0)
        for k in range(n):
            p[1] = p[1] * xx[i, k]
        vout[i] = p
    """,
    "component summed up in a loop": """
        p = wp.vec3(0.0, 0.0, 0.0)
        for k in range(n):
            p[1] = p[1] + xx[i, k]
        vout[i] = p
    """,
    "element of a matrix in a loop": """
        p = wp.identity(n=3, dtype=float)
        for k in range(n):
            p[1, 1] = p[1, 1] * xx[i, k]
        mout[i] = p
    """,
    "component replaced": """
        p = v[i]
        p[1] = x[i]
        vout[i] = p
    """,
    "component scaled": """
        p = v[i]
        p[1] = p[1] * 2.0
        vout[i] = p
    """,
    "component of a quaternion replaced": """
        p = q[i]
        p[0] = x[i]
        qout[i] = p
    """,
    "row of a matrix replaced": """
        p = m[i]
        p[1] = v[i]
        mout[i] = p
    """,
    "array element squared in place": """
        w[i] = x[i] * x[i]
        w[i] = w[i] * w[i]
        out[i] = w[i]
    """,
    "array element multiplied in place": """
        u[i] *= x[i]
    """,
    "array element replaced after it was read": """
        w[i] = x[i]
        out[i] = w[i] * w[i]
        w[i] = y[i]
    """,
    "result of an atomic sum": """
        s = wp.atomic_add(total, i % 2, x[i])
        out[i] = s * 2.0
    """,
    "several threads offer the same maximum": """
        wp.atomic_max(total, i % 2, x[i % 2])
    """,
    "divisor of a remainder": """
        out[i] = wp.mod(3.7, x[i])
    """,
    "fractional part": """
        out[i] = wp.frac(x[i] * 5.0) + y[i]
    """,
}

ENDLESS = """
    s = x[i]
    while s < 100.0:
        s = s * 2.0
        if s > 5.0:
            out[i] = s * s
            return
"""
"""Forward it ends; its adjoint goes round for ever."""

RIGHT = {
    "sum in a loop": """
        s = float(0.0)
        for k in range(n):
            s = s + xx[i, k] * xx[i, k]
        out[i] = s
    """,
    "weighted sum in a loop": """
        s = float(0.0)
        for k in range(n):
            s += xx[i, k] * float(k)
        out[i] = s
    """,
    "sum that decays by a literal": """
        s = float(0.0)
        for k in range(n):
            s = s * 0.5 + xx[i, k]
        out[i] = s
    """,
    "sum in steps of two": """
        s = float(0.0)
        for k in range(0, n, 2):
            s = s + xx[i, k] * xx[i, k]
        out[i] = s
    """,
    "sum backwards": """
        s = float(0.0)
        for k in range(n, 0, -1):
            s = s + xx[i, k] * xx[i, k]
        out[i] = s
    """,
    "two sums one after the other": """
        s = float(0.0)
        for k in range(n):
            s += xx[i, k]
        t = float(0.0)
        for k in range(n):
            t += xx[i, k] * xx[i, k]
        out[i] = s + t
    """,
    "products of neighbours": """
        s = float(0.0)
        for k in range(n):
            s = s + xx[i, k] * xx[i, k + 1]
        out[i] = s
    """,
    "local names in a loop": """
        s = float(0.0)
        for k in range(n):
            t = xx[i, k] * x[i]
            t = t * t
            s = s + t
        out[i] = s
    """,
    "sum through a helper": """
        s = float(0.0)
        for k in range(n):
            s = plus_square(s, xx[i, k])
        out[i] = s
    """,
    "sum that is scaled afterwards": """
        s = float(0.0)
        for k in range(n):
            s = s + xx[i, k]
        out[i] = s * 3.0 + x[i] * x[i]
    """,
    "branches in a loop": """
        s = float(0.0)
        for k in range(n):
            if xx[i, k] > 1.0:
                s += xx[i, k] * x[i]
            else:
                s -= xx[i, k] * y[i]
        out[i] = s
    """,
    "choice in a loop": """
        s = float(0.0)
        for k in range(n):
            s = wp.where(xx[i, k] > 1.0, s + xx[i, k], s)
        out[i] = s
    """,
    "continue in a sum": """
        s = float(0.0)
        for k in range(n):
            if k == 2:
                continue
            s = s + xx[i, k] * xx[i, k]
        out[i] = s
    """,
    "names that change places": """
        s = x[i]
        t = y[i]
        for k in range(n):
            h = s + t
            s = t
            t = h
        out[i] = t
    """,
    "two dynamic loops, one in the other": """
        s = float(0.0)
        for k in range(n):
            for l in range(n):
                s = s + xx[i, k] * xx[i, l]
        out[i] = s
    """,
    "product in an inner loop of a known length": """
        s = float(0.0)
        for k in range(n):
            t = float(1.0)
            for l in range(2):
                t = t * xx[i, l]
            s = s + t
        out[i] = s
    """,
    "product in a loop of a known length": """
        s = float(1.0)
        for k in range(5):
            s = s * xx[i, k]
        out[i] = s
    """,
    "sixteen steps": """
        s = x[i]
        for k in range(16):
            s = s * 0.9 + wp.sin(s) * 0.1
        out[i] = s
    """,
    "sum squared after a loop of a known length": """
        s = float(0.0)
        for k in range(4):
            s = s + xx[i, k]
        out[i] = s * s
    """,
    "smallest of a known number": """
        s = float(10.0)
        for k in range(4):
            s = wp.min(s, xx[i, k])
        out[i] = s
    """,
    "return out of a loop of a known length": """
        s = float(0.0)
        for k in range(4):
            s = s + xx[i, k] * xx[i, k]
            if s > 2.0:
                out[i] = s
                return
        out[i] = s
    """,
    "return out of a helper's loop of a known length": """
        out[i] = find(x[i])
    """,
    "while that adds": """
        s = float(0.0)
        k = int(0)
        while k < n:
            s = s + x[i] * x[i]
            k = k + 1
        out[i] = s
    """,
    "while that doubles": """
        s = x[i]
        while s < 3.0:
            s = s * 1.5
        out[i] = s
    """,
    "vectors summed up": """
        p = wp.vec3(0.0, 0.0, 0.0)
        for k in range(n):
            p += wp.vec3(xx[i, k], xx[i, k] * x[i], 1.0)
        vout[i] = p
    """,
    "component added to in a loop": """
        p = wp.vec3(0.0, 0.0, 0.0)
        for k in range(n):
            p[1] += xx[i, k] * xx[i, k]
        vout[i] = p
    """,
    "each component written once": """
        p = wp.vec3(0.0, 0.0, 0.0)
        p[0] = x[i]
        p[1] = p[0] * y[i]
        vout[i] = p
    """,
    "vector assembled": """
        p = v[i]
        p = wp.vec3(p[0], x[i], p[2])
        vout[i] = p * wp.length(p)
    """,
    "element of a matrix added to": """
        p = wp.identity(n=3, dtype=float)
        for k in range(n):
            p[0, 1] += xx[i, k] * xx[i, k]
        mout[i] = p
    """,
    "matrices multiplied a known number of times": """
        p = m[i]
        for k in range(3):
            p = p @ m[i]
        mout[i] = p
    """,
    "quaternion turns a vector": """
        vout[i] = wp.quat_rotate(q[i], v[i])
    """,
    "returns of a helper": """
        out[i] = pick(x[i], y[i]) * 2.0
    """,
    "two results of a helper": """
        s, t = both(x[i], y[i])
        out[i] = s * t
    """,
    "early return": """
        if x[i] > 1.0:
            return
        out[i] = x[i] * x[i]
    """,
    "branch": """
        s = y[i]
        if x[i] > 1.0:
            s = s * x[i]
        else:
            s = s + x[i]
        out[i] = s * s
    """,
    "array element read after it was written": """
        w[i] = x[i] * x[i]
        out[i] = w[i] * x[i]
    """,
    "array element added to": """
        u[i] += x[i] * x[i]
    """,
    "atomic sum": """
        wp.atomic_add(out, j[i], x[i] * y[i])
    """,
    "atomic maximum": """
        wp.atomic_max(total, i % 2, x[i] * y[i])
    """,
    "remainder and floor": """
        out[i] = wp.mod(x[i], 0.3) * y[i] - wp.floor(x[i] * 3.0)
    """,
    "cast to a whole number": """
        out[i] = float(int(x[i] * 5.0)) * y[i]
    """,
}


def source_of(body: str) -> tuple[str, tuple[Argument, ...]]:
    """The file and the arguments of a kernel with this body."""
    body = dedent(body).strip()
    words = set(re.findall(r"\w+", body))
    arguments = tuple(argument for argument in ARGUMENTS if argument.name in words)
    helpers = "".join(f"@wp.func\n{dedent(text).strip()}\n\n\n" for name, text in HELPERS.items() if name in words)
    signature = ", ".join(f"{argument.name}: {_annotation(argument)}" for argument in arguments)
    kernel = f"@wp.kernel\ndef kernel({signature}):\n    i = wp.tid()\n{indent(body, '    ')}\n"
    return f"import warp as wp\n\n\n{helpers}{kernel}", arguments


def _annotation(argument: Argument) -> str:
    dtype = TYPES[argument.dtype]
    if not argument.shape:
        return dtype
    return f"wp.array(dtype={dtype})" if len(argument.shape) == 1 else f"wp.array{len(argument.shape)}d(dtype={dtype})"


def pair_of(name: str, body: str, device: Device = "cpu") -> Pair:
    """The pair of a kernel with this body."""
    source, arguments = source_of(body)
    with loaded_kernel(source) as kernel:
        ir = extract_ir(kernel, device)
    texts = {target: (code.forward_code, code.backward_code) for target, code in ir.codes.items()}
    (cpp_forward, cpp_backward), (cuda_forward, cuda_backward) = (texts.get(target, (None, None)) for target in ("cpu", "cuda"))
    metadata = Metadata(
        kernel_name="kernel",
        category="known",
        device=device,
        ir_type=IR_TYPE[device],
        has_backward=True,
        codegen_only=True,
        cuda_available=False,
        seed=None,
        index=None,
        launch=Launch(dim=(8,), args=arguments),
        features=(),
        description=name,
        structure=None,
        module_options={},
        warp_version=wp.__version__,
        generator_version="0",
        schema_version=SCHEMA_VERSION,
    )
    return Pair(
        id=f"known-{name.replace(' ', '-')}",
        python_source=source,
        cpp_forward=cpp_forward,
        cpp_backward=cpp_backward,
        cuda_ir_forward=cuda_forward,
        cuda_ir_backward=cuda_backward,
        metadata=metadata,
    )


def line_of(pair: Pair, number: int = 1) -> Line:
    """The pair as a line of a file."""
    return decode(encode(pair), Path("known.jsonl"), number)
