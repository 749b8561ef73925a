"""The three levels of texts about a kernel."""

from __future__ import annotations

from typing import Literal, get_args

from warpsmith.core.descriptions.intent import write_intent
from warpsmith.core.descriptions.parsed_kernel import parse_kernel
from warpsmith.core.descriptions.record_words import record_words
from warpsmith.core.descriptions.specification import write_specification
from warpsmith.core.records.pair import Pair

TextLevel = Literal["intent", "specification", "description"]

TEXT_LEVELS: tuple[TextLevel, ...] = get_args(TextLevel)


def describe_pair(pair: Pair, level: TextLevel) -> str:
    """Return a text about the kernel of a pair, derived from the record alone.

    Args:
        pair: a record, generated or extracted.
        level: ``"intent"`` for what a person would ask for, ``"specification"`` for what is needed to write an equivalent
            kernel, and ``"description"`` for `metadata.description`, which is empty for extracted kernels.

    Raises:
        WarpsmithError: if the Python cannot be parsed or defines no kernel of the record's name.
    """
    if level == "description":
        return pair.metadata.description
    parsed = parse_kernel(pair)
    words = record_words(pair, parsed)
    return (write_intent if level == "intent" else write_specification)(pair, parsed, words)


def decorator_note(pair: Pair) -> str:
    """Return a sentence about the arguments of the decorator; empty if it has none.

    Raises:
        WarpsmithError: if the Python cannot be parsed or defines no kernel of the record's name.
    """
    parsed = parse_kernel(pair)
    return "" if parsed.has_plain_decorator else f"The kernel has the decorator `@{parsed.decorator}`."


def options_note(pair: Pair) -> str:
    """Return a sentence about the options of the module that differ from Warp's defaults; empty if there are none."""
    listed = ", ".join(f"{name} = {value}" for name, value in pair.metadata.module_options.items())
    return f"The module of the kernel has the options {listed}." if listed else ""
