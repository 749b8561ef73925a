"""A time limit for a block of code, such as the search of a regular expression in a text of a dataset."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator


@contextlib.contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """End the block after ``seconds``; regular expressions end, too.

    The limit holds in the main thread only, which receives signals; other threads have no limit.

    Raises:
        TimeoutError: if the block takes longer.
    """
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return
    previous = signal.signal(signal.SIGALRM, _expire)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, previous)


def _expire(*_: object) -> None:
    raise TimeoutError
