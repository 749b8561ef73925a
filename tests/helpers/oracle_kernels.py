"""Helpers for tests of the interpreter: run kernels with the interpreter and with Warp, and compare."""

from __future__ import annotations

import itertools
import os
import textwrap

import numpy as np
import warp as wp

from warpsmith.core.inputs.elements import element
from warpsmith.core.inputs.values import Values, leaves
from warpsmith.core.records.launch import Argument, Domain, Launch
from warpsmith.extraction.targets.loading import loaded_kernel
from warpsmith.gpu_checks.device_arguments import DeviceArguments
from warpsmith.validation.oracle.interpreter.interpret import interpret
from warpsmith.validation.oracle.values.agreement import disagreement

DOMAIN = Domain(kind="uniform", low=0.0, high=1.0)
_modules = itertools.count()


def source(text: str) -> str:
    """Return a source with the import of Warp."""
    return "import warp as wp\n\n" + textwrap.dedent(text)


def launch_of(dim: tuple[int, ...], values: dict[str, tuple[str, Values]]) -> Launch:
    """Return a launch whose arguments have the types and shapes of values; an empty shape makes a plain value."""
    arguments = []
    for name, (dtype, array) in values.items():
        inner = () if array.dtype.names else element(dtype)[1]
        shape = array.shape[: array.ndim - len(inner)]
        kind = "array" if shape else "value"
        arguments.append(Argument(name=name, kind=kind, dtype=dtype, role="inout", shape=shape, domain=DOMAIN))
    return Launch(dim=dim, args=tuple(arguments))


def run_with_warp(text: str, name: str, launch: Launch, values: dict[str, Values]) -> dict[str, Values]:
    """Return the arrays after a run of Warp's kernel on the CPU, without optimization."""
    with loaded_kernel(text, name, None, f"warpsmith_oracle_{os.getpid()}_{next(_modules)}") as kernel:
        wp.set_module_options({"optimization_level": 0, "enable_backward": False}, kernel.module)
        arguments = DeviceArguments(launch, kernel, values, "cpu")
        wp.launch(kernel, dim=launch.dim, inputs=arguments.inputs, device="cpu")
        return {leaf.name: arguments.content(leaf.name) for leaf in leaves(launch) if leaf.kind == "array"}


def run_both(text: str, dim: tuple[int, ...], **values: tuple[str, Values]) -> tuple[dict[str, Values], dict[str, Values]]:
    """Return the results of the kernel ``k`` from the interpreter and from Warp."""
    launch = launch_of(dim, values)
    plain = {name: array for name, (_, array) in values.items()}
    return interpreted(text, dim, **values), run_with_warp(text, "k", launch, plain)


def interpreted(text: str, dim: tuple[int, ...], **values: tuple[str, Values]) -> dict[str, Values]:
    """Return the results of the kernel ``k`` from the interpreter, which leaves the arguments as they are."""
    plain = {name: array for name, (_, array) in values.items()}
    before = {name: array.copy() for name, array in plain.items()}
    results = interpret(text, "k", launch_of(dim, values), plain)
    assert all(np.array_equal(before[name], array, equal_nan=array.dtype.kind == "f") for name, array in plain.items())
    return results


def check(text: str, dim: tuple[int, ...] = (1,), **values: tuple[str, Values]) -> dict[str, Values]:
    """Compare the interpreter with Warp and return its results; at least one array must change."""
    results, expected = run_both(source(text), dim, **values)
    assert disagreement(results, expected) is None
    assert any(not np.array_equal(results[name], array) for name, (_, array) in values.items() if name in results)
    return results


def check_objects(
    text: str, dim: tuple[int, ...], objects: dict[str, tuple[Argument, dict[str, Values]]], **values: tuple[str, Values]
) -> dict[str, Values]:
    """Compare the interpreter with Warp for a kernel whose first parameters are objects, and return its results.

    Args:
        text: the kernel ``k`` without the import of Warp.
        dim: the shape of the launch.
        objects: each object and the arrays that it is built from, by name.
        values: the types and values of the other parameters.
    """
    others = launch_of(dim, values)
    launch = Launch(dim=dim, args=(*(argument for argument, _ in objects.values()), *others.args))
    plain = {name: array for name, (_, array) in values.items()}
    plain |= {name: array for _, parts in objects.values() for name, array in parts.items()}
    results = interpret(source(text), "k", launch, plain)
    expected = run_with_warp(source(text), "k", launch, plain)
    assert disagreement(results, expected) is None
    return results


def floats(*shape: int, seed: int = 0, low: float = -2.0, high: float = 2.0) -> Values:
    """Return random numbers."""
    return np.random.default_rng(seed).uniform(low, high, shape).astype(np.float32)


def table(inputs: str, dtype: str, rows: list[str]) -> str:
    """Return a kernel that stores the value of each expression in a separate column."""
    body = "".join(f"    o[i, {column}] = {row}\n" for column, row in enumerate(rows))
    return f"@wp.kernel\ndef k({inputs}, o: wp.array2d(dtype={dtype})):\n    i = wp.tid()\n{body}"


def _columns(prelude: str, rows: dict[str, str]) -> str:
    """Return a kernel with an array for the value of each expression."""
    parameters = ", ".join(f"r{index}: wp.array(dtype={dtype})" for index, dtype in enumerate(rows.values()))
    body = "".join(f"    r{index}[i] = {row}\n" for index, row in enumerate(rows))
    before = textwrap.indent(textwrap.dedent(prelude), "    ")
    return f"@wp.kernel\ndef k({{inputs}}, {parameters}):\n    i = wp.tid()\n{before}\n{body}"


def check_columns(inputs: dict[str, tuple[str, str, Values]], prelude: str, rows: dict[str, str]) -> None:
    """Compare the values of expressions, whose types are given, with Warp's."""
    count = len(next(iter(inputs.values()))[2])
    text = _columns(prelude, rows).replace(
        "{inputs}", ", ".join(f"{name}: wp.array(dtype={one[0]})" for name, one in inputs.items())
    )
    values: dict[str, tuple[str, Values]] = {name: (dtype, array) for name, (_, dtype, array) in inputs.items()}
    for index, written in enumerate(rows.values()):
        name = {"float": "float32", "int": "int32"}.get(written, written.removeprefix("wp."))
        name = name + "f" if (name[-1].isdigit() and name[0] in "vm") or name == "quat" else name
        scalar, shape = element(name)
        values[f"r{index}"] = (name, np.full((count, *shape), 77, scalar))
    check(text, (count,), **values)


def run_alone(
    body: str,
    value: float = 0.0,
    steps: int = 10_000,
    prelude: str = "",
    size: int = 4,
    dim: tuple[int, ...] = (1,),
    block: int = 1,
) -> float:
    """Run statements with a number ``x`` and return ``o[0]``."""
    text = f"import warp as wp\nimport math\n{textwrap.dedent(prelude)}\n\n"
    text += "@wp.kernel\ndef k(x: float, o: wp.array(dtype=float)):\n"
    text += textwrap.indent(textwrap.dedent(body).strip("\n"), "    ") + "\n"
    values = {"x": ("float32", np.asarray(value, np.float32)), "o": ("float32", np.zeros(size, np.float32))}
    arguments = {name: array for name, (_, array) in values.items()}
    return float(interpret(text, "k", launch_of(dim, values), arguments, steps, block)["o"][0])
