"""Answers of the worker of a device: figures are read, problems and nonsense are errors."""

from __future__ import annotations

import pytest

from warpsmith.core.errors import WarpsmithError
from warpsmith.gpu_checks.worker_answers import Figures, read_figures, require_device


@pytest.mark.parametrize(
    "figures",
    [{"pairs": 0, "failed": 2}, {"pairs": 3, "failed": 0, "build ms": 12.5, "run ms": 0.25}],
)
def test_figures_are_read_without_further_fields(figures: Figures) -> None:
    assert read_figures({**figures, "more": "text"}) == figures


@pytest.mark.parametrize("answer", [{}, {"pairs": 1}, {"pairs": "1", "failed": 0}, {"failed": 0, "pairs": [1]}])
def test_other_answers_are_errors(answer: dict[str, object]) -> None:
    with pytest.raises(WarpsmithError, match="nonsense"):
        read_figures(answer)


def test_a_problem_is_an_error_that_names_the_option() -> None:
    require_device({"problem": None})
    with pytest.raises(WarpsmithError, match=r"no memory; --unconfined uses the device without a sandbox"):
        read_figures({"problem": "no memory"})
