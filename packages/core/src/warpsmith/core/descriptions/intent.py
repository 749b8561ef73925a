"""The intent of a kernel: what a person would ask for, in one to three sentences without formulas and names of code."""

from __future__ import annotations

import re

from warpsmith.core.descriptions.parsed_kernel import ParsedKernel
from warpsmith.core.descriptions.record_words import RecordWords
from warpsmith.core.records.pair import Pair

LENGTH = 3
"""The most sentences of an intent."""

_FORMULA = re.compile(r"[=<>*/+_{}\[\]`]|\^(?!T\b)|\w\(|\d\.\d|:\s*\w+\s*-\s")
"""Marks of formulas and of code; a factorization may be named LDL^T."""


def write_intent(pair: Pair, parsed: ParsedKernel, words: RecordWords) -> str:
    """Return the intent of a kernel.

    Args:
        pair: the record.
        parsed: its Python.
        words: what the record says in words.
    """
    sentences = [sentence for sentence in (words.purpose, *words.background) if sentence and not _FORMULA.search(sentence)]
    if not sentences or sentences[0] != words.purpose:
        sentences = [_from_names(pair, parsed), *sentences]
    return " ".join(sentences[:LENGTH])


def _from_names(pair: Pair, parsed: ParsedKernel) -> str:
    """Return a sentence made of the names of a kernel without a purpose, and of the arrays that it writes."""
    launch = pair.metadata.launch
    outputs = [argument.name for argument in launch.args if argument.role == "output"] if launch else []
    name = _spoken(re.sub(r"_kernel\b|\bkernel_", "", parsed.kernel.name))
    listed = f", with {_listed([_spoken(output) for output in outputs[:3]])} as its result" if outputs else ""
    return f"{name[:1].upper()}{name[1:]}{listed}."


def _spoken(name: str) -> str:
    """Return a name of code as words.

    Examples:
        >>> _spoken("computeNodal_forces2D")
        'compute nodal forces 2D'
    """
    words = re.sub(r"(?<=[a-z])(?=[A-Z\d])", " ", name.strip("_")).replace("_", " ").split()
    return " ".join(word if word.isupper() or word[0].isdigit() else word.lower() for word in words)


def _listed(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
