"""What a record says in words about its kernel: purpose, background, what a thread works on, and the meanings of arguments."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from warpsmith.core.descriptions.parsed_kernel import ParsedKernel
from warpsmith.core.records.pair import Pair

_THREADS = re.compile(r"(?:^| )One (thread|block of threads) for each (.*?)\.(?= |$)")
"""The sentence that separates purpose and background from the data in descriptions of generated kernels."""

_SENTENCE = re.compile(r"(?<=[^.][.!?])\s+(?=[A-Z\d])")

_ENTRY = r"^[ \t]*[*:`]*{name}`?(?:\s*\([^)\n]*\))?`?\s*:\s+(.+(?:\n[ \t]+(?![ \t]|[\w`*]+(?:\s*\([^)\n]*\))?:\s).+)*)"
"""The entry of an argument in a docstring."""


@dataclass(frozen=True, slots=True)
class RecordWords:
    """What a record says in words.

    Attributes:
        purpose: a sentence; empty if the record has none.
        background: further sentences of the author.
        threads: what a thread works on, such as ``"row and column"``; empty if unknown.
        is_tiled: whether a block of threads works on it.
        meanings: a phrase by argument, and by ``argument.member`` of structs.
    """

    purpose: str
    background: tuple[str, ...]
    threads: str = ""
    is_tiled: bool = False
    meanings: dict[str, str] = field(default_factory=dict)


def record_words(pair: Pair, parsed: ParsedKernel) -> RecordWords:
    """Return what the description says; for a record without one, what the docstring of the kernel says."""
    arguments = parsed.kernel.args
    names = [argument.arg for argument in [*arguments.posonlyargs, *arguments.args]]
    described = pair.metadata.description
    match = _THREADS.search(described)
    if match is None:
        purpose, *background = _sentences(_opening(described or parsed.docstring)) or [""]
        meanings = {name: meaning for name in names if (meaning := _documented(parsed.docstring, name))}
        return RecordWords(purpose, tuple(background), meanings=meanings)
    purpose, *background = _sentences(described[: match.start()]) or [""]
    return RecordWords(purpose, tuple(background), match[2], match[1] != "thread", _described(described[match.end() :], names))


def _opening(text: str) -> str:
    """Return the first paragraph of a docstring."""
    return " ".join(re.split(r"\n\s*\n|\n\s*(?:Args|Parameters|Returns):?\s*\n", text.strip(), maxsplit=1)[0].split())


def _sentences(text: str) -> list[str]:
    sentences = [sentence.strip() for sentence in _SENTENCE.split(text.strip()) if sentence.strip()]
    return [sentence if sentence.endswith((".", "!", "?")) else f"{sentence}." for sentence in sentences]


def _documented(docstring: str, name: str) -> str:
    """Return what a docstring says about an argument."""
    found = re.search(_ENTRY.format(name=re.escape(name)), docstring, re.MULTILINE)
    return " ".join(found[1].split()).rstrip(".") if found else ""


def _described(text: str, names: Sequence[str]) -> dict[str, str]:
    """Return the meanings in the list of arguments of a description."""
    text = text.partition("Arguments: ")[2]
    starts, position = [], 0
    for name in names:
        found = re.compile(rf"(?:^|; ){re.escape(name)} \(").search(text, position)
        if found is None:
            return {}
        starts.append((name, found.start(), found.end()))
        position = found.end()
    meanings: dict[str, str] = {}
    ends = [start for _, start, _ in starts[1:]] + [_end_of_list(text, position)]
    for (name, _, begin), end in zip(starts, ends, strict=True):
        entry = text[begin:end].rstrip().removesuffix(")")
        if entry.startswith("struct "):
            members = re.findall(r"(\w+): (.*?)(?=, \w+(?:: |, \w+$|$)|$)", entry.partition(" of ")[2])
            meanings |= {f"{name}.{member}": meaning for member, meaning in members}
        elif ", " in entry:
            meanings[name] = entry.partition(", ")[2]
    return meanings


def _end_of_list(text: str, position: int) -> int:
    """Return where the parenthesis that is open at a position closes."""
    depth = 1
    for end in range(position, len(text)):
        depth += {"(": 1, ")": -1}.get(text[end], 0)
        if depth == 0:
            return end + 1
    return len(text)
