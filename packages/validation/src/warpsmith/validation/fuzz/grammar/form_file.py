"""The Python file of a kernel that is made of a form: parameters by name, helper functions, structs, and a body."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from textwrap import indent

from warpsmith.validation.fuzz.grammar.precision_names import Precision

THREADS = 2
"""The threads of a launch; tiles have one block."""

STRUCTS = """@wp.struct
class Inner:
    a: {T}
    v: {V}


@wp.struct
class Outer:
    a: {T}
    v: {V}
    inner: Inner
"""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a kernel, and what a launch passes for it.

    Attributes:
        name: its name.
        annotation: its type in the kernel's signature.
        element: the type of the elements of an array, or of the value: a name of this module's table `PARAMETERS`.
        shape: the shape of an array; empty for a value.
        role: ``input`` and ``inout`` arrays are differentiated, ``output`` arrays are compared, ``fixed`` ones are neither.
        numbers: the numbers of a parameter that is ``fixed``; of an output, the numbers before the launch.
    """

    name: str
    annotation: str
    element: str
    shape: tuple[int, ...]
    role: str
    numbers: tuple[int, ...] = ()


PARAMETERS: dict[str, tuple[str, str, tuple[int, ...], str, tuple[int, ...]]] = {
    # name: annotation, element, shape, role, numbers
    "x": ("wp.array(dtype={T})", "scalar", (8,), "input", ()),
    "y": ("wp.array(dtype={T})", "scalar", (8,), "input", ()),
    "v": ("wp.array(dtype={V})", "vec", (2,), "input", ()),
    "xx": ("wp.array2d(dtype={T})", "scalar", (4, 4), "input", ()),
    "c": ("wp.array(dtype=int)", "int", (8,), "fixed", (1, 0, 1, 0, 1, 1, 0, 1)),
    "n": ("int", "int", (), "fixed", (3,)),
    "fixed_low": ("wp.array2d(dtype={T})", "scalar", (4, 4), "fixed", (9, 0, 0, 0, 1, 8, 0, 0, 2, 1, 7, 0, 1, 2, 1, 9)),
    "first": ("int", "int", (), "fixed", (0,)),
    "w": ("wp.array(dtype={T})", "scalar", (8,), "inout", ()),
    "ww": ("wp.array2d(dtype={T})", "scalar", (4, 4), "inout", ()),
    "vw": ("wp.array(dtype={V})", "vec", (2,), "inout", ()),
    "sw": ("wp.array(dtype=Inner)", "struct", (2,), "inout", ()),
    "slots": ("wp.array(dtype=int)", "int", (4,), "fixed", (0, 0, 0, 0)),
    "s_arg": ("{T}", "scalar", (), "fixed", (1,)),
    "v_arg": ("{V}", "vec", (), "fixed", (1, 2, 3)),
    "o_arg": ("Outer", "struct", (), "fixed", ()),
    "gathered": ("wp.indexedarray(dtype={T})", "indexed", (8,), "fixed", ()),
    "total": ("wp.array(dtype={T})", "scalar", (4,), "output", ()),
    "least": ("wp.array(dtype={T})", "scalar", (4,), "output", (9, 9, 9, 9)),
    "vtotal": ("wp.array(dtype={V})", "vec", (2,), "output", ()),
    "out": ("wp.array(dtype={T})", "scalar", (8,), "output", ()),
    "out2": ("wp.array2d(dtype={T})", "scalar", (4, 4), "output", ()),
    "iout": ("wp.array(dtype=int)", "int", (8,), "output", ()),
}
"""The parameters that kernels may have; a kernel has those that its body contains, in this order."""


@dataclass(slots=True)
class KernelFile:
    """A Python file under construction.

    Attributes:
        precision: the types of the kernel.
        helpers: helper functions and constants, in order.
        body: the statements of the kernel.
    """

    precision: Precision
    helpers: list[str] = field(default_factory=list)
    body: list[str] = field(default_factory=list)

    def source(self, tiles: bool = False) -> str:
        """Return the whole file."""
        parts = [*self.helpers, self._kernel(tiles)]
        text = "\n\n".join(parts)
        structs = self._filled(STRUCTS) if re.search(r"\b(Inner|Outer)\b", text) else ""
        head = "from typing import Any\n\nimport warp as wp\n" if re.search(r"\bAny\b", text) else "import warp as wp\n"
        return "\n\n".join(part.strip("\n") + "\n" for part in (head, structs, *parts) if part)

    def parameters(self) -> list[Parameter]:
        """Return the parameters of the kernel."""
        used = set(re.findall(r"\b\w+\b", "\n".join(self.body)))
        return [
            Parameter(name, self._filled(annotation), element, shape, role, numbers)
            for name, (annotation, element, shape, role, numbers) in PARAMETERS.items()
            if name in used
        ]

    def _kernel(self, tiles: bool) -> str:
        signature = ", ".join(f"{parameter.name}: {parameter.annotation}" for parameter in self.parameters())
        thread = "" if tiles else "    i = wp.tid()\n"
        return f"@wp.kernel\ndef kernel({signature}):\n{thread}{indent(chr(10).join(self.body), '    ')}\n"

    def _filled(self, text: str) -> str:
        return text.format(T=self.precision.scalar, V=self.precision.vec)


def block(head: str, statements: Sequence[str]) -> list[str]:
    """Return a compound statement as lines."""
    return [head, *(f"    {line}" for line in statements)]


def used_parameters(source: str) -> list[str]:
    """Return the names of the parameters in the signature of a kernel, in order."""
    signature = re.search(r"^def kernel\((.*)\)", source, re.MULTILINE)
    return [] if signature is None else re.findall(r"(\w+): (?:[^,(]|\([^)]*\))+", signature[1])
