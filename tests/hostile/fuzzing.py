"""Rounds of examples by Hypothesis within a time.

`WARPSMITH_FUZZ_SECONDS` is the time that the exhaustive tests take, by default 600 seconds for all targets together. A failure
prints the example and the seed of its round; `WARPSMITH_FUZZ_SEED` starts with that round.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

SECONDS = float(os.environ.get("WARPSMITH_FUZZ_SECONDS", "600"))
FIRST_SEED = int(os.environ.get("WARPSMITH_FUZZ_SEED", "0"))
SHORT = 3.0
"""The seconds of each target in the usual test run."""

Target = Callable[..., None]


def rounds(check: Target, strategy: st.SearchStrategy[Any], seconds: float) -> None:
    """Run ``check`` on examples of ``strategy`` in rounds of one seed each until the time is over."""
    end = time.monotonic() + seconds
    number = FIRST_SEED
    while number == FIRST_SEED or time.monotonic() < end:
        limited = settings(max_examples=10, deadline=None, database=None, suppress_health_check=list(HealthCheck))

        def once(example: Any) -> None:
            if time.monotonic() < end + 60.0:  # a failure needs time to shrink
                with time_limit(120):
                    check(example)

        seed(number)(limited(given(strategy)(once)))()
        number += 1


@contextmanager
def time_limit(seconds: int) -> Iterator[None]:
    def stop(*_: object) -> None:
        raise TimeoutError(f"no end after {seconds} seconds")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
