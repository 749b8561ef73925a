"""Forms of numbers: they have exactly the values of what they replace."""

from __future__ import annotations

import numpy as np
import pytest

from warpsmith.scoring.cuda_writer import number_forms
from written_pairs import with_statements as written


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("wp.static(2.0 * wp.pi)", "2.0f * PI"),
        ("6.2831855", "2.0f * PI"),
        ("0.7853982", "0.25f * PI"),
        ("0.5", "0.5f"),
        ("1.0 * 1.0", "1.0f"),
        ("0.5 * 0.5", "0.5f * 0.5f"),
        ("wp.static(TILT * 0.5)", "TILT * 0.5f"),
        ("wp.static(TILT * TILT)", "0.0025f"),  # single precision has another product
        ("wp.float32(n[i] & 3855)", "(float)(n[i] & 0x0F0F)"),
        ("wp.float32(n[i] & 7)", "(float)(n[i] & 7)"),
    ],
)
def test_numbers_are_those_of_an_engineer(value: str, expected: str) -> None:
    assert f"    y[i] = {expected};\n" in written(f"y[i] = {value}", "TILT = 0.05\n\n\n")


def test_literals_stay_in_a_file_that_rounds_pi_in_another_way() -> None:
    text = written("y[i] = 0.7853982 * x[i] + 1.570796")
    assert "0.7853982f * x[i] + 1.570796f" in text


@pytest.mark.parametrize(("text", "form"), number_forms._FORMS)
def test_multiples_of_pi_are_close_to_what_they_say(text: str, form: object) -> None:
    exact = eval(text.replace("f", ""), {"PI": np.pi})  # noqa: S307 - the table of this package
    assert float(form(np.float32(np.pi))) == pytest.approx(exact, rel=2e-7)  # type: ignore[operator]
