"""Level `program` on small programs: an error is named at its launch, and the smallest change that makes it right passes."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import warp as wp

from selected import selected
from tape_programs import kernels, more_programs
from tape_programs.programs import floats, launch, zeros
from tape_recordings import PROGRAMS, Run, recorded_passes, recorded_runs, statement
from warpsmith.core.records.tape_recording import RecordedProgram
from warpsmith.validation.tapes.program_results import ProgramResult, check_programs

Results = dict[Run, list[ProgramResult]]

X = 0.4


@pytest.fixture(scope="module")
def results(request: pytest.FixtureRequest, once: Callable[[str, Callable[[], Any]], Any]) -> Results:
    """Return the results of all backward passes, with and without errors, checked by one sandboxed worker."""
    names = selected(request, PROGRAMS, always=("two_tapes",))

    def check() -> Results:
        recorded = recorded_runs([Run(name, wrong) for name in names for wrong in (True, False)])
        checked = check_programs([program for passes in recorded.values() for program in passes])
        return {run: [next(checked) for _ in passes] for run, passes in recorded.items()}

    found: Results = once("tape_programs", check)
    return found


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", PROGRAMS)
def test_an_error_is_named_at_its_launch(results: Results, name: str) -> None:
    program, found = PROGRAMS[name], results[Run(name, True)]
    assert [result.status for result in found[: program.backward]] == ["pass"] * program.backward
    result = found[program.backward]
    fault = next(fault for fault in result.faults if fault.status == program.status)
    assert (result.status, fault.kind, fault.kernel) == (program.status, program.kind, program.kernel)
    called = statement(fault.place)
    if fault.kernel == "backward":
        assert called.startswith("tape.backward(")
    elif fault.kernel == "wp.copy":
        assert "wp.copy(" in called or "wp.clone(" in called or ".assign(" in called
    else:
        assert "launch(" in called or "wp.launch_tiled(" in called
    assert statement(result.place).split("(")[0].endswith(".backward")


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", PROGRAMS)
def test_the_right_program_passes(results: Results, name: str) -> None:
    for result in results[Run(name, False)]:
        assert (result.status, result.faults, result.unknown) == ("pass", (), ())
        assert result.got == pytest.approx(result.expected, rel=1e-4)
        assert result.compared


def test_the_launch_of_another_tape_is_left_out(results: Results) -> None:
    first, second = results[Run("two_tapes", False)]
    assert (first.compared, first.launches, first.unknown) == (3, 5, ())
    assert (second.compared, second.launches) == (2, 2)


# ------------------------------------------------------------------------------------------------------- the two figures


def overwritten(x: wp.array) -> None:
    """The gradient of x² after the program has set x to 3 is 6."""
    y, tape = zeros(1), wp.Tape()
    with tape:
        launch(kernels.squared, 1, x, y)
    x.fill_(3.0)
    tape.backward(y)


def added(x: wp.array) -> None:
    """The second step of gradient descent has the sum of two gradients."""
    y = zeros(1)
    for _ in range(2):
        tape = wp.Tape()
        with tape:
            launch(kernels.squared, 1, x, y)
        tape.backward(y)
        launch(kernels.descended, 1, x, x.grad, 0.1)


def multiplied_in_a_loop(x: wp.array) -> None:
    """The adjoint of a product in a dynamic loop is wrong."""
    y, tape = zeros(1), wp.Tape()
    with tape:
        launch(kernels.powered, 1, x, 3, y)
    tape.backward(y)


def two_states(x: wp.array) -> None:
    """Two states serve for four steps; the speeds have no gradient of their own at the start."""
    states = [(x, floats(0.2, gradient=False)), *((zeros(1), zeros(1)) for _ in range(2))]
    tape = wp.Tape()
    with tape:
        for step in range(4):
            before = states[0 if step == 0 else 1 + step % 2]
            launch(kernels.stepped, 1, *before, 0.5, *states[1 + (step + 1) % 2])
    tape.backward(states[1][0])


def steps_in_double_precision(x: complex, v: complex) -> complex:
    for _ in range(4):
        v, x_next = v + (-x * x - 0.1 * v * v) * 0.5, x
        x = x_next + v * 0.5
    return x


STEP = 1e-30

TRUE_GRADIENTS: dict[Callable[[wp.array], None], tuple[float, float]] = {
    overwritten: (6.0, 2.0 * X),
    added: (2.0 * X + 2.0 * 0.8 * X, 2.0 * 0.8 * X),
    multiplied_in_a_loop: (math.nan, 3.0 * X**2),
    two_states: (math.nan, steps_in_double_precision(X + STEP * 1j, 0.2).imag / STEP),
}
"""The gradients of the tape and of the program; NaN for what Warp's array contains after the program."""


@pytest.fixture(scope="module")
def figures() -> dict[str, tuple[ProgramResult, float]]:
    """Return the last result of each program with one input, and the gradient that Warp leaves."""
    recorded: dict[str, tuple[RecordedProgram, float]] = {}
    for run in TRUE_GRADIENTS:
        x = floats(X)
        recorded[run.__name__] = recorded_passes(lambda run=run, x=x: run(x))[-1], x
    checked = check_programs([program for program, _ in recorded.values()])
    return {name: (next(checked), float(x.grad.numpy()[0])) for name, (_, x) in recorded.items()}


@pytest.mark.parametrize("run", TRUE_GRADIENTS, ids=lambda run: run.__name__)
def test_the_figures_have_the_ratio_of_the_gradients(
    figures: dict[str, tuple[ProgramResult, float]], run: Callable[[wp.array], None]
) -> None:
    """With one number as input both figures are the gradient times the same random number."""
    result, left = figures[run.__name__]
    by_tape, right = TRUE_GRADIENTS[run]
    by_tape = left if math.isnan(by_tape) else by_tape
    assert left == pytest.approx(by_tape, rel=1e-6)
    assert by_tape != pytest.approx(right, rel=1e-3)
    assert result.status == "fail"
    assert result.got / result.expected == pytest.approx(by_tape / right, rel=1e-5)
    if result.replayed is not None:
        assert result.replayed == pytest.approx(result.expected, rel=1e-5)


def test_a_simulation_has_the_derivative_of_its_double_precision() -> None:
    """The two inputs move along one direction; the gradients of the program in double precision give both figures."""
    x, v = floats(X), floats(0.2)
    states = [(x, v), *((zeros(1), zeros(1)) for _ in range(4))]
    loss, tape = zeros(1), wp.Tape()

    def run() -> None:
        with tape:
            for before, after in itertools.pairwise(states):
                launch(kernels.stepped, 1, *before, 0.5, *after)
            launch(kernels.total, 1, states[-1][0], loss)
        tape.backward(loss)

    (result,) = check_programs(recorded_passes(run))
    by_x = steps_in_double_precision(X + STEP * 1j, 0.2).imag / STEP
    by_v = steps_in_double_precision(X, 0.2 + STEP * 1j).imag / STEP
    assert (x.grad.numpy()[0], v.grad.numpy()[0]) == pytest.approx((by_x, by_v), rel=1e-5)
    assert result.status == "pass"
    assert result.got == pytest.approx(result.expected, rel=1e-5)


@pytest.mark.parametrize("factor", [2.0, 3.0])
def test_a_function_on_the_tape_is_not_compared(factor: float) -> None:
    (result,) = check_programs(recorded_passes(lambda: more_programs.function_on_the_tape(factor)))
    assert result.status == "inconclusive"
    assert result.faults == ()
    assert any("a function" in why for why in result.unknown)


def test_a_tape_that_is_not_reset_is_not_checked() -> None:
    """The launches of the first step are still on the tape in the second one."""

    def run() -> None:
        x, y, loss, tape = floats(0.4, 0.7), zeros(2), zeros(1), wp.Tape()
        for _ in range(2):
            with tape:
                launch(kernels.squared, 2, x, y)
                launch(kernels.total, 2, y, loss)
            tape.backward(loss)
            tape.zero()

    first, second = check_programs(recorded_passes(run))
    assert first.status == "pass"
    assert second.status == "skipped"
    assert "call tape.reset(), or make a new tape" in second.reason


def test_seeds_that_are_no_numbers_are_no_fault_of_a_launch() -> None:
    def run() -> None:
        x, y = floats(0.4, gradient=False), zeros(1)
        tape = wp.Tape()
        with tape:
            launch(kernels.squared, 1, x, y)
        tape.backward(grads={y: floats(np.nan, gradient=False)})

    (result,) = check_programs(recorded_passes(run))
    assert result.status == "skipped"
    assert "the gradients of what it writes are not finite" in result.reason
