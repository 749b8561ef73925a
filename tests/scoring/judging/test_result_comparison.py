"""What counts as a difference, and that answers of a worker are checked."""

from __future__ import annotations

import base64
from typing import Any

import msgspec
import numpy as np
import orjson
import pytest

from shift_pair import make_pair
from warpsmith.scoring.judging.answer_reader import with_parameters
from warpsmith.scoring.judging.result_comparison import Reference, first_difference
from warpsmith.scoring.judging.secret_launches import ANY_ORDER, PLANS
from warpsmith.scoring.judging.trials import Trial, trials
from warpsmith.scoring.judging.wire import from_outputs, from_trial, to_outputs, to_trial
from warpsmith.scoring.judging.worker_messages import EncodedTrial, NonsenseError
from warpsmith.validation.running.outputs import LaunchOutputs


@pytest.fixture(scope="module")
def own() -> Trial:
    return trials(make_pair(), "1")[0]


def outputs(trial: Trial, **changes: Any) -> LaunchOutputs:
    """Return outputs in which the launch has changed nothing, apart from ``changes``."""
    arrays = {name: value.copy() for name, value in trial.values.items() if value.ndim}
    return LaunchOutputs(arrays | changes, {}, {})


def reference(trial: Trial, **options: Any) -> Reference:
    return Reference(trial, outputs(trial), {}, options.get("exact"))


def changed(values: np.ndarray, index: int, value: float) -> np.ndarray:
    copy = values.astype(values.dtype)
    copy[index] = value
    return copy


def test_the_same_results_are_no_difference(own: Trial) -> None:
    assert first_difference(reference(own), outputs(own)) is None


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 1.0, 0.01])
def test_a_wrong_element_is_named(own: Trial, value: float) -> None:
    found = first_difference(reference(own, exact=outputs(own)), outputs(own, y=changed(own.values["y"], 7, value)))
    assert found is not None
    assert (found.what, found.name, found.index, found.expected) == ("output", "y", (7,), 0.0)


def test_an_input_must_not_change_by_a_bit(own: Trial) -> None:
    x = own.values["x"]
    found = first_difference(reference(own), outputs(own, x=changed(x, 3, np.nextafter(x[3], np.float32(2.0)))))
    assert found is not None
    assert found.what == "input"


def test_rounding_is_no_difference(own: Trial) -> None:
    y = np.linspace(1.0, 2.0, own.values["y"].size, dtype=np.float32)
    expected = Reference(own, outputs(own, y=y), {}, outputs(own, y=y.astype(np.float64) * (1.0 + 1e-7)))
    assert first_difference(expected, outputs(own, y=np.nextafter(y, np.float32(3.0)))) is None
    assert first_difference(expected, outputs(own, y=y * np.float32(1.0001))) is not None


def test_an_element_whose_comparison_flips_has_to_be_finite(own: Trial) -> None:
    y = np.ones(own.values["y"].size, np.float32)
    expected = Reference(own, outputs(own, y=y), {}, outputs(own, y=changed(y.astype(np.float64), 5, 9.0)))
    assert first_difference(expected, outputs(own, y=changed(y, 5, 3.0))) is None
    assert first_difference(expected, outputs(own, y=changed(y, 5, np.nan))) is not None


def test_where_the_order_of_threads_matters_launches_run_in_order(own: Trial) -> None:
    other = outputs(own, y=np.ones_like(own.values["y"]))
    shapes = Reference(own, outputs(own), {1: outputs(own), 2: outputs(own), 3: other, 4: None}, None).shapes
    assert (own.shapes, shapes) == (ANY_ORDER, (0, 1, 2))


def test_a_trial_and_its_outputs_survive_the_wire(own: Trial) -> None:
    again = to_trial(msgspec.convert(orjson.loads(orjson.dumps(from_trial(own, (0, 3)))), EncodedTrial))
    assert (again.launch, again.shapes) == (own.launch, (0, 3))
    assert all(np.array_equal(again.values[name], value) for name, value in own.values.items())
    received = to_outputs(from_outputs(outputs(own)), own, backward=False)
    assert all(np.array_equal(received.arrays[name], value) for name, value in outputs(own).arrays.items())


@pytest.mark.parametrize("content", [None, 7, "", "=", "AAAA", base64.b64encode(bytes(5000)).decode(), [], {"a": 1}])
def test_nonsense_is_no_answer(own: Trial, content: Any) -> None:
    with pytest.raises(NonsenseError):
        to_outputs(content, own, backward=False)


def test_secret_launches_depend_on_the_seed_and_public_ones_do_not() -> None:
    pair = make_pair()
    one, same, other = (trials(pair, seed) for seed in ("1", "1", "2"))
    assert [trial.name for trial in one].count("own") == 1
    assert sum(trial.name.startswith("secret") for trial in one) == len(PLANS)
    for first, again, third in zip(one, same, other, strict=True):
        assert all(np.array_equal(first.values[name], again.values[name]) for name in first.values)
        equal = all(np.array_equal(first.values[name], third.values[name]) for name in first.values)
        assert equal == (not first.name.startswith("secret"))


def test_the_layout_of_parameters_becomes_that_of_the_reference() -> None:
    text = (make_pair().cuda_ir_forward or "").strip("\n")
    folded = " ".join(line.partition("//")[0].strip() for line in text.split("\n"))
    opening, end = "shift_cuda_kernel_forward(\n", ")\n{"
    written = with_parameters(f"/* shift_cuda_kernel_forward(a) {{ */ {folded}", "shift_cuda_kernel_forward", text)
    assert text[text.index(opening) : text.index(end)] in written
    assert "/*" not in written
