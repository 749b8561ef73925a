"""The opening of a kernel: its thread indices, and what threads beyond the end of the data do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

from warpsmith.synthesis.random_stream import RandomStream
from warpsmith.synthesis.writing.ideas.kernel_names import Names
from warpsmith.synthesis.writing.ideas.notation import INDENT
from warpsmith.synthesis.writing.ideas.parts import Index
from warpsmith.synthesis.writing.ideas.realize import Parameters
from warpsmith.synthesis.writing.policy import AROUND_CHANCE, FLAT_CHANCE, GUARD_CHANCE, LAUNCH_STEPS, LAUNCH_STEPS_ND

Opening: TypeAlias = Literal["plain", "flat", "exit", "around"]
"""``plain``: no thread is beyond the end. ``flat``: the same, and two indices follow from one. ``exit``: threads beyond the end
return early. ``around``: the whole body is in an ``if``."""


def choose_opening(count: int, block: int, rng: RandomStream) -> Opening:
    """Choose the opening of a kernel with ``count`` thread indices and ``block`` threads per block, 0 if any number will do."""
    if block:
        return "plain"
    if count == 2 and rng.chance(FLAT_CHANCE):
        return "flat"
    if not rng.chance(GUARD_CHANCE):
        return "plain"
    return "around" if rng.chance(AROUND_CHANCE) else "exit"


def write_indices(
    opening: Opening, indices: Sequence[tuple[str, Index]], parameters: Parameters, names: Names
) -> tuple[list[str], str]:
    """Write the thread indices, each given with its name; return the lines, and the test of ``exit`` or ``around``."""
    listed = [name for name, _ in indices]
    if opening == "flat":
        flat, stride = names.choose(("tid", "idx", "linear", "thread")), parameters.length_text(indices[1][1].over)
        return [f"{flat} = wp.tid()", f"{listed[0]} = {flat} // {stride}", f"{listed[1]} = {flat} % {stride}"], ""
    lines = [f"{', '.join(listed)} = wp.tid()"]
    if opening == "plain":
        return lines, ""
    lengths = [parameters.length_text(index.over) for _, index in indices]
    sign, word = (">=", " or ") if opening == "exit" else ("<", " and ")
    return lines, word.join(f"{name} {sign} {length}" for name, length in zip(listed, lengths, strict=True))


def choose_dim(opening: Opening, sizes: tuple[int, ...], rng: RandomStream) -> tuple[int, ...]:
    """Return the dimensions of the launch of data of these sizes; it may be wider than the data if threads test for the end."""
    if opening == "flat":
        return (sizes[0] * sizes[1],)
    if opening == "plain":
        return sizes
    step = rng.choice(LAUNCH_STEPS_ND if len(sizes) > 1 else LAUNCH_STEPS)
    return (*sizes[:-1], -(-sizes[-1] // step) * step)


def open_body(opening: Opening, test: str, body: Sequence[str]) -> list[str]:
    """Return the body with the test of threads beyond the end."""
    if opening == "around":
        return [f"if {test}:", *(f"{INDENT}{line}" if line else line for line in body)]
    return [f"if {test}:", f"{INDENT}return", *body] if opening == "exit" else list(body)
