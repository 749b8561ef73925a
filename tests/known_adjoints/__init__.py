"""Kernels with adjoints that are known to be correct or incorrect in Warp 1.19, and functions that make pairs of them.

The tables map a name to the body of a kernel. `pair_of` adds the arguments and helper functions that the body names.
`notes/explanation/warp_findings.md` explains why the adjoints in `WRONG` are incorrect.
"""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import dedent, indent

import warp as wp

from known_adjoints.correct import RIGHT
from known_adjoints.incorrect import ENDLESS, WRONG
from warpsmith.core.records.encoding import encode
from warpsmith.core.records.ir import Device
from warpsmith.core.records.jsonl import Line, decode
from warpsmith.core.records.launch import Argument, Domain, Launch
from warpsmith.core.records.pair import IR_TYPE, SCHEMA_VERSION, Metadata, Pair
from warpsmith.extraction.codegen.extract import extract_ir
from warpsmith.extraction.targets.loading import loaded_kernel

__all__ = ["ENDLESS", "RIGHT", "WRONG", "line_of", "pair_of", "source_of"]

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
    "raised": """
        def raised(p: wp.vec3, r: float):
            p[0] += r
            return p
    """,
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


def source_of(body: str, functions: str = "") -> tuple[str, tuple[Argument, ...]]:
    """Return the source file and the arguments of a kernel with this body, and with these functions besides `HELPERS`."""
    body = dedent(body).strip()
    names = set(re.findall(r"\w+", body))
    arguments = tuple(argument for argument in ARGUMENTS if argument.name in names)
    helpers = f"{functions.strip()}\n\n\n" if functions else ""
    helpers += "".join(f"@wp.func\n{dedent(text).strip()}\n\n\n" for name, text in HELPERS.items() if name in names)
    signature = ", ".join(f"{argument.name}: {_annotation(argument)}" for argument in arguments)
    kernel = f"@wp.kernel\ndef kernel({signature}):\n    i = wp.tid()\n{indent(body, '    ')}\n"
    return f"import warp as wp\n\n\n{helpers}{kernel}", arguments


def _annotation(argument: Argument) -> str:
    dtype = TYPES[argument.dtype]
    if not argument.shape:
        return dtype
    return f"wp.array(dtype={dtype})" if len(argument.shape) == 1 else f"wp.array{len(argument.shape)}d(dtype={dtype})"


def pair_of(name: str, body: str, device: Device = "cpu", functions: str = "") -> Pair:
    """Return the pair of a kernel with this body."""
    source, arguments = source_of(body, functions)
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
    """Return the pair as a line of a file."""
    return decode(encode(pair), Path("known.jsonl"), number)
