"""The preamble of a pair's generated files, which records do not contain."""

from __future__ import annotations

from warpsmith.core.records.pair import Pair


def pair_preamble(pair: Pair, target: str) -> str:
    """Return the constant text at the start of Warp's file for a pair: preamble, forward and backward code compile.

    Args:
        pair: the pair.
        target: ``"cpu"`` or ``"cuda"``.
    """
    from warpsmith.extraction.warp import codegen  # noqa: PLC0415 - loading Warp takes a second, which --help does not need

    text = "".join(filter(None, pair.code(target)))
    return codegen.preamble(target, text, pair.metadata.module_options)
