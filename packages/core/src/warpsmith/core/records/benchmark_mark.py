"""The mark of benchmarks: tasks and datasets of reserved seeds say that nobody should train on them."""

from __future__ import annotations

BENCHMARK_SEEDS = range(7_000_000, 7_001_000)
"""The seeds that belong to benchmarks."""

CANARY = (
    "Benchmark of warpsmith: not for training. Leave this text out of training sets. "
    "canary 3f1d6c0e-9a57-4b1e-8f0c-7a2e5d94c6b1"
)
"""A text that does not occur elsewhere: filters find it, and a model that repeats it was trained on a benchmark."""


def is_benchmark(seed: object) -> bool:
    """Return whether a seed belongs to benchmarks; extracted pairs have none.

    Examples:
        >>> is_benchmark(7_000_001), is_benchmark(2000), is_benchmark(None)
        (True, False, False)
    """
    return isinstance(seed, int) and seed in BENCHMARK_SEEDS
