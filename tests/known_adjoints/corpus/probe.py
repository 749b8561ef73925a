"""A probe: a kernel, a launch, and whether its adjoint is correct."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from textwrap import dedent, indent
from typing import Any

PASS, FAIL, SINGLE = "pass", "fail", "single"
"""A correct adjoint, an incorrect one, and one that is incorrect in single precision only."""
INCONCLUSIVE, NOT_APPLICABLE = "inconclusive", "not_applicable"
"""No derivative exists at the inputs; there is nothing to differentiate."""

ACCEPTED = {
    PASS: {"pass"},
    FAIL: {"fail"},
    SINGLE: {"fail", "inconclusive"},
    INCONCLUSIVE: {"inconclusive", "pass"},
    NOT_APPLICABLE: {"not_applicable", "pass"},
}
"""The verdicts that are right for each truth.

The level moves inputs that have no derivative, and a gradient of zero where nothing depends on the inputs is correct.
"""

REAL = "wp.array(dtype=float)"
PARAMETERS = {
    "x": REAL,
    "y": REAL,
    "z": REAL,
    "xx": "wp.array2d(dtype=float)",
    "v": "wp.array(dtype=wp.vec3)",
    "b": "wp.array(dtype=wp.vec3)",
    "vv": "wp.array2d(dtype=wp.vec3)",
    "m": "wp.array(dtype=wp.mat33)",
    "q": "wp.array(dtype=wp.quat)",
    "j": "wp.array(dtype=int)",
    "n": "int",
    "a": "float",
    "io": REAL,
    "out": REAL,
    "out2": REAL,
    "iot": REAL,
    "outv": "wp.array(dtype=wp.vec3)",
    "outm": "wp.array(dtype=wp.mat33)",
    "outq": "wp.array(dtype=wp.quat)",
    "outr": "wp.array2d(dtype=float)",
}
"""The parameters of a kernel of which a probe contains the body only."""


@dataclass(frozen=True)
class Probe:
    """A kernel with a launch.

    Attributes:
        source: the Python file without the import of Warp; its kernel is ``kernel``.
        truth: whether the adjoint is correct: one of the keys of `ACCEPTED`.
        dim: the threads of the launch; of a kernel with tiles, its blocks.
        values: the values of arguments: the ends of a range, one number, ``"unit"``, or all numbers.
        shapes: the shapes of arrays, where they are not the usual ones.
        options: options of the module.
        block: the threads of a block, for kernels with tiles.
        program: the definitions of the program that launches the kernel, if they differ from ``source``.
        measured: how `measured` checks the truth: ``double``; ``single``, for kernels that have no double precision; or the
            reason why the tape cannot run.
    """

    source: str
    truth: str = PASS
    dim: tuple[int, ...] = (8,)
    values: Mapping[str, Any] = field(default_factory=dict)
    shapes: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    block: int = 0
    program: str = ""
    measured: str = "double"


def probe(text: str, truth: str = PASS, *, dim: int | tuple[int, ...] = 8, **more: Any) -> Probe:
    """Return a probe.

    Args:
        text: a file with ``def kernel``, or the body of a kernel whose parameters are in `PARAMETERS`; helper functions and
            structs may precede the body, separated by a line ``---``.
        truth: see `Probe`.
        dim: see `Probe`.
        more: members of `Probe`, and values of arguments by name.
    """
    members = {name: more.pop(name) for name in ("shapes", "options", "block", "program", "measured") if name in more}
    if "program" in members:
        members["program"] = dedent(members["program"]).strip() + "\n"
    source = dedent(text).strip() + "\n"
    if "def kernel" not in source:
        source = _whole(source)
    return Probe(source, truth, dim if isinstance(dim, tuple) else (dim,), values=more, **members)


def twins(name: str, text: str, wrong: Mapping[str, tuple[str, str]], truth: str = FAIL, **more: Any) -> dict[str, Probe]:
    """Return a probe with a correct adjoint and others that differ from it in one place each.

    Args:
        name: the name of the first probe.
        text: its text, see `probe`.
        wrong: the names of the others, and for each what is replaced by what.
        truth: the truth of the others.
        more: as for `probe`.
    """
    text = dedent(text)
    probes = {name: probe(text, **more)}
    for change, (old, new) in wrong.items():
        assert old in text, (name, change)
        probes[f"{name}: {change}"] = probe(text.replace(old, new), truth, **more)
    return probes


def _whole(text: str) -> str:
    before, _, body = text.rpartition("---\n")
    names = set(re.findall(r"\w+", body))
    signature = ", ".join(f"{name}: {annotation}" for name, annotation in PARAMETERS.items() if name in names)
    thread = "" if "wp.tid()" in body else "    i = wp.tid()\n"
    return f"{before.strip()}\n\n\n@wp.kernel\ndef kernel({signature}):\n{thread}{indent(body, '    ')}".lstrip()
