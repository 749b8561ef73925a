"""Pairs whose launches have one size, or whose arrays have one shape, which their prompts say."""

from __future__ import annotations

from warpsmith.core.inputs.values import leaves, objects
from warpsmith.core.records.pair import Pair
from warpsmith.core.records.text_format import BLOCK_OPERATION

SEVERAL_SIZES = "The answer is judged by its results on launches of several sizes with values that are not shown here."
FIXED_SIZE = "The answer is judged by its results on launches of one size with values that are not shown here."


def sizes_are_fixed(pair: Pair) -> bool:
    """Return whether all launches of a pair have the recorded size: blocks of threads work together."""
    return BLOCK_OPERATION.search(pair.cuda_ir_forward or "") is not None


def arrays_are_fixed(pair: Pair) -> bool:
    """Return whether the arrays of a pair have the recorded shapes in all launches.

    Objects of Warp cannot be made for another size.
    """
    launch = pair.metadata.launch
    if launch is None or sizes_are_fixed(pair) or bool(objects(launch)):
        return True
    return any(leaf.kind == "indexed_array" for leaf in leaves(launch))


def judgement(pair: Pair) -> str:
    """Return the sentences of a prompt about the launches by which an answer is judged."""
    launch = pair.metadata.launch
    if launch is None or not arrays_are_fixed(pair):
        return SEVERAL_SIZES
    shapes = ", ".join(f"`{leaf.name}` {_tuple(leaf.shape)}" for leaf in leaves(launch) if leaf.kind == "array")
    arrays = f"In all of them the arrays have these shapes: {shapes}." if shapes else ""
    if not sizes_are_fixed(pair):
        return f"{SEVERAL_SIZES} {arrays}".rstrip()
    return f"{FIXED_SIZE} The size is `dim={_tuple(launch.dim)}`. {arrays}".rstrip()


def _tuple(numbers: tuple[int, ...]) -> str:
    return str(tuple(map(int, numbers)))
