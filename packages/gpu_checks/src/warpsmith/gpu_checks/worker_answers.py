"""The answers of the worker of a device to other tasks than checks: whether the device can be used, and times of pairs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypedDict

from warpsmith.core.errors import WarpsmithError


class Problem(TypedDict):
    """Why a device cannot be used; None if it can."""

    problem: str | None


_Times = TypedDict("_Times", {"build ms": float, "run ms": float}, total=False)


class Figures(_Times):
    """The figures of the task that measures pairs.

    ``pairs`` is the number of pairs that ran, and ``failed`` of those that did not. The times are medians in milliseconds; they
    are missing if no pair ran.
    """

    pairs: int
    failed: int


def require_device(answer: Mapping[str, object]) -> None:
    """Check that an answer states no problem of the device.

    Raises:
        WarpsmithError: with the problem.
    """
    if answer.get("problem") is not None:
        raise WarpsmithError(f"{answer['problem']}; --unconfined uses the device without a sandbox, for pairs that you trust")


def read_figures(answer: Mapping[str, object]) -> Figures:
    """Return the figures in an answer.

    Raises:
        WarpsmithError: if the device cannot be used, or the answer contains no figures.
    """
    require_device(answer)
    pairs, failed = answer.get("pairs"), answer.get("failed")
    if not isinstance(pairs, int) or not isinstance(failed, int):
        raise WarpsmithError("the worker of the device answered nonsense")
    figures: Figures = {"pairs": pairs, "failed": failed}
    build, run = answer.get("build ms"), answer.get("run ms")
    if isinstance(build, float) and isinstance(run, float):
        figures |= {"build ms": build, "run ms": run}
    return figures
