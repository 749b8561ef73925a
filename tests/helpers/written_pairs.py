"""Pairs for the tests of the writer: their Python, and launches whose values any kernel may read."""

from __future__ import annotations

from dataclasses import replace

from shift_pair import make_pair
from warpsmith.core.records.launch import Argument, Domain, Launch
from warpsmith.core.records.pair import Pair
from warpsmith.scoring.cuda_writer.idioms import Idioms, idioms_of
from warpsmith.scoring.cuda_writer.write_cuda import write_cuda

PLAIN = replace(
    idioms_of("x"), strides=False, flat=False, restrict=False, const_locals=False, defines=False, launcher=False, indent=4,
    braces=False, device="__device__ inline", pointers=False, components=False, unroll=False, block_comment=False, includes=(),
    extern=False, aligned=True, attached=False, block=256,
)  # fmt: skip
"""One style for all tests, which name what they change."""


def argument(name: str, dtype: str, shape: tuple[int, ...] = (), role: str = "input", low: float = 0.0) -> Argument:
    """Return an array, or a value if there is no shape."""
    return Argument(
        name=name,
        kind="array" if shape else "value",
        dtype=dtype,
        role=role,  # type: ignore[arg-type]
        shape=shape,
        domain=Domain(kind="uniform", low=low, high=1.0),
    )


def pair_of(source: str, kernel: str, dim: tuple[int, ...], *arguments: Argument) -> Pair:
    """Return a pair with a source and a launch; its generated code, which the writer does not read, is of another kernel."""
    pair = make_pair()
    metadata = replace(pair.metadata, kernel_name=kernel, launch=Launch(dim=dim, args=arguments))
    return replace(pair, python_source=source, metadata=metadata)


def text_of(source: str, kernel: str, dim: tuple[int, ...], *arguments: Argument, idioms: Idioms = PLAIN) -> str:
    """Return the text for a source."""
    return write_cuda(pair_of(source, kernel, dim, *arguments), idioms).text


_ARGUMENTS = (argument("x", "float32", (4,)), argument("n", "int32", (4,)), argument("y", "float32", (4,), "output"))


def with_statements(body: str, functions: str = "", **idioms: bool) -> str:
    """Return the text of a kernel with some statements, which has arrays ``x`` and ``y`` of floats and ``n`` of integers."""
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    head = "@wp.kernel\ndef k(x: wp.array(dtype=float), n: wp.array(dtype=int), y: wp.array(dtype=float)):\n    i = wp.tid()\n"
    source = f"import warp as wp\n\n\n{functions}{head}{lines}"
    return text_of(source, "k", (4,), *_ARGUMENTS, idioms=replace(PLAIN, **idioms))
