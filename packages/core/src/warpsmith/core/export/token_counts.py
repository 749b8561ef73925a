"""Numbers of tokens: of a tokenizer where one is named, otherwise an estimate from bytes."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from warpsmith.core.datasets.card_sections import BYTES_PER_TOKEN
from warpsmith.core.errors import WarpsmithError, single_line
from warpsmith.core.extras import Extra

TOKENS = Extra("warpsmith-core[tokens]", "--tokenizer")

ESTIMATE = f"bytes/{BYTES_PER_TOKEN}"
"""The name of the estimate, in the place of the name of a tokenizer."""

LONG = 4096
"""Tokens above which a row does not fit the context that many models are trained with."""


@dataclass(frozen=True, slots=True)
class Length:
    """The tokens of a question and of its answer, without those of a system message and of a chat template."""

    prompt: int
    answer: int

    @property
    def total(self) -> int:
        """The tokens of both."""
        return self.prompt + self.answer


class Quantiles(msgspec.Struct, frozen=True, kw_only=True):
    """The distribution of numbers of tokens; ``long`` is the share of rows with more than `LONG`."""

    rows: int
    median: int
    p90: int
    p99: int
    largest: int
    long: float

    @staticmethod
    def of(numbers: Iterable[int]) -> Quantiles:
        """Return the quantiles of at least one number; each is one of the numbers.

        Examples:
            >>> Quantiles.of(range(1, 101)).p90
            90
        """
        found = sorted(numbers)

        def quantile(share: float) -> int:
            return found[max(math.ceil(share * len(found)) - 1, 0)]

        over = sum(number > LONG for number in found)
        return Quantiles(
            rows=len(found),
            median=quantile(0.5),
            p90=quantile(0.9),
            p99=quantile(0.99),
            largest=found[-1],
            long=round(over / len(found), 6),
        )


QUANTILES = ("rows", "median", "90%", "99%", "largest", f">{LONG:,}")
"""The headings of `quantiles_row`."""


def quantiles_row(found: Quantiles) -> tuple[str, ...]:
    """Return quantiles as the cells of a table."""
    numbers = (found.rows, found.median, found.p90, found.p99, found.largest)
    return (*(f"{number:,}" for number in numbers), f"{found.long:.1%}")


def count_tokens(tokenizer: str, texts: Sequence[str]) -> list[int]:
    """Return the number of tokens of each text.

    Args:
        tokenizer: `ESTIMATE`, the name of a tokenizer of the hub, or a path of its ``tokenizer.json``.
        texts: the texts; special tokens are not added.

    Raises:
        WarpsmithError: see `tokenizer_digest`.
    """
    if tokenizer == ESTIMATE:
        return [math.ceil(len(text.encode(errors="replace")) / BYTES_PER_TOKEN) for text in texts]
    return [len(encoding.ids) for encoding in _load(tokenizer).encode_batch(list(texts), add_special_tokens=False)]


def tokenizer_digest(tokenizer: str) -> str:
    """Return the SHA-256 of a tokenizer, empty for the estimate.

    Raises:
        WarpsmithError: if the extra is not installed, or there is no such tokenizer.
    """
    return "" if tokenizer == ESTIMATE else hashlib.sha256(_load(tokenizer).to_str().encode()).hexdigest()


def _load(name: str) -> Any:
    path = Path(name)
    return _load_version(name, path.stat().st_mtime_ns if path.is_file() else None)


@cache
def _load_version(name: str, modified: int | None) -> Any:
    library = TOKENS.load("tokenizers")
    try:
        return library.Tokenizer.from_file(name) if modified is not None else library.Tokenizer.from_pretrained(name)
    except Exception as error:  # noqa: BLE001 - the library raises this type
        where = "name a file tokenizer.json, or a tokenizer of the Hugging Face hub"
        raise WarpsmithError(f"cannot load the tokenizer {name!r}: {where} ({single_line(str(error))})") from None
