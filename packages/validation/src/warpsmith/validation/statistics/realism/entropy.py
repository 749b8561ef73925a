"""Self-entropy: how many bits per token of Python remain after compression, in samples of fixed sizes."""

from __future__ import annotations

import lzma
from collections.abc import Sequence

from warpsmith.validation.statistics.realism.model_tokens import text_tokens
from warpsmith.validation.statistics.realism_types import EntropySample

SAMPLES = (1 << 17, 1 << 20)
"""The bytes of the samples: all kernels of Warp's examples fill the first one, and a thousand pairs the second one."""

_FILTERS = [{"id": lzma.FILTER_LZMA2, "preset": 9, "dict_size": 1 << 23}]
"""The settings are fixed, and the window is longer than a sample: every earlier text may be referred to."""


def measure(texts: Sequence[str]) -> list[EntropySample]:
    """Return the figures of each sample that the texts fill."""
    content = "".join(texts).encode(errors="replace")
    return [_sample(content[:size]) for size in SAMPLES if len(content) >= size]


def _sample(content: bytes) -> EntropySample:
    bits = 8 * len(lzma.compress(content, format=lzma.FORMAT_RAW, filters=_FILTERS))
    tokens = len(text_tokens(content.decode(errors="ignore")))
    return {
        "bytes": len(content),
        "tokens": tokens,
        "bits_per_byte": round(bits / len(content), 4),
        "bits_per_token": round(bits / tokens, 4),
    }
