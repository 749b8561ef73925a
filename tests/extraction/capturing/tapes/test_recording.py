"""Recording of tapes: the program runs as without it, keeps nothing alive, and the bounds of recordings hold."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
import warp as wp

from tape_programs import kernels, programs
from tape_programs.programs import floats, launch, zeros
from tape_recordings import PROGRAMS, recorded_passes
from warpsmith.core.records.tape_recording import decode_content
from warpsmith.extraction import capture
from warpsmith.extraction.capturing.capture_session import Captured
from warpsmith.extraction.capturing.tapes.fresh_memory import FreshMemory
from warpsmith.extraction.warp import launch_hooks


def steps(count: int) -> list[np.ndarray]:  # type: ignore[type-arg]
    """Run a simulation; return what its arrays and their gradients contain."""
    states = [(floats(0.4, 0.7), floats(0.1, 0.2)), *((zeros(2), zeros(2)) for _ in range(count))]
    loss, tape = zeros(1), wp.Tape()
    with tape:
        for i in range(count):
            launch(kernels.stepped, 2, *states[i], 0.1, *states[i + 1])
        copied = wp.clone(states[-1][0])
        launch(kernels.total, 2, copied, loss)
    tape.backward(loss)
    arrays = [array for state in states for array in state] + [copied, loss]
    return [array.numpy().copy() for array in arrays] + [array.grad.numpy().copy() for array in arrays]


def test_a_program_has_the_same_results_bit_for_bit() -> None:
    alone = steps(4)
    with capture(tape=True) as captured:
        recorded = steps(4)
    assert captured.recorder.faults == []
    assert [values.tobytes() for values in recorded] == [values.tobytes() for values in alone]
    (program,) = captured.programs()
    assert [event.name for event in program.recording.events] == ["stepped"] * 4 + ["wp.copy", "total"]
    assert [adjoint.event for adjoint in program.recording.adjoints] == [5, 4, 3, 2, 1, 0]


def test_the_recording_has_what_the_program_had() -> None:
    """The contents before and after the first launch, and the gradients after its adjoint."""
    x, y, loss = floats(0.4, 0.7), zeros(2), zeros(1)
    tape = wp.Tape()

    def run() -> None:
        with tape:
            launch(kernels.squared, 2, x, y)
            launch(kernels.total, 2, y, loss)
        tape.backward(loss)

    (program,) = recorded_passes(run)
    recording = program.recording
    contents = [decode_content(content) for content in recording.contents]
    first, last = recording.events[0], recording.adjoints[-1]
    np.testing.assert_array_equal(contents[first.accesses[0].before], x.numpy())
    np.testing.assert_array_equal(contents[first.accesses[1].before], np.zeros(2))
    np.testing.assert_array_equal(contents[first.accesses[1].after], y.numpy())
    np.testing.assert_array_equal(contents[last.before[0]], np.zeros(2))
    np.testing.assert_array_equal(contents[last.after[0]], x.grad.numpy())
    assert [access.memory.address for access in first.accesses] == [x.ptr, y.ptr]
    assert [access.gradient and access.gradient.address for access in first.accesses] == [x.grad.ptr, y.grad.ptr]


def test_warp_has_its_own_functions_afterwards() -> None:
    observed = [function for function, _ in launch_hooks._observed_functions_of_tapes()]
    codes = [function.__code__ for function in observed]

    def run() -> None:
        with capture(tape=True):
            assert all(function.__code__ is not code for function, code in zip(observed, codes, strict=True))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        run()
    assert all(function.__code__ is code for function, code in zip(observed, codes, strict=True))
    assert all("_warpsmith_observer" not in function.__globals__ for function in observed)


def test_an_exception_while_a_tape_records_reaches_the_program() -> None:
    def run() -> None:
        x, y, loss = floats(0.4, 0.7), zeros(2), zeros(1)
        broken = wp.Tape()

        def fail() -> None:
            with broken:
                launch(kernels.squared, 2, x, y)
                raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            fail()
        with pytest.raises(RuntimeError, match="expects an array of type"), broken:
            launch(kernels.squared, 2, x, 3.0)
        programs.overwritten_by_host(False)
        with broken:
            launch(kernels.total, 2, y, loss)
        broken.backward(loss)

    right, resumed = recorded_passes(run)
    assert [event.name for event in right.recording.events if event.on_tape] == ["squared", "total"]
    assert [event.name for event in resumed.recording.events if event.on_tape] == ["squared", "total"]


def test_an_exception_in_a_backward_pass_reaches_the_program() -> None:
    def fail() -> None:
        raise ZeroDivisionError

    def run() -> None:
        x, y, loss, tape = floats(0.4, 0.7), zeros(2), zeros(1), wp.Tape()
        with tape:
            launch(kernels.squared, 2, x, y)
            tape.record_func(fail, [x, y])
            launch(kernels.total, 2, y, loss)
        with pytest.raises(ZeroDivisionError):
            tape.backward(loss)
        programs.overwritten_by_host(False)

    failed, right = recorded_passes(run)
    assert [adjoint.event for adjoint in failed.recording.adjoints] == [1]
    assert len(right.recording.adjoints) == 2


def limited(run: Callable[[], object], **limits: int) -> Captured:
    with capture(tape=True) as captured:
        recorder = captured.recorder.tapes  # type: ignore[attr-defined]
        recorder.limits = replace(recorder.limits, **limits)
        run()
    assert captured.recorder.faults == []
    return captured


def test_a_recording_has_a_bounded_number_of_launches() -> None:
    first, second = limited(lambda: (steps(8), steps(2)), events=5).programs()
    assert first.recording.reason == "more than 5 launches"
    assert first.recording.events == ()
    assert (second.recording.reason, len(second.recording.events)) == ("", 4)


def test_a_recording_has_a_bounded_size() -> None:
    (program,) = limited(lambda: steps(8), nbytes=64).programs()
    assert program.recording.reason == "more than 0 MiB of contents"


def test_all_recordings_together_have_a_bounded_size() -> None:
    first, last = limited(lambda: (steps(2), steps(3), steps(4)), total_bytes=16).programs()
    assert (first.recording.reason, len(first.recording.events)) == ("", 4)
    assert last.recording.reason.startswith("this and later passes are not recorded")


@pytest.mark.parametrize("recordings", [1, 3])
def test_a_place_of_a_program_has_a_bounded_number_of_recordings(recordings: int) -> None:
    def run() -> None:
        for _ in range(5):
            steps(2)
        programs.overwritten_by_host(False)

    found = [program.recording for program in limited(run, recordings=recordings).programs()]
    assert [len(recording.events) for recording in found] == [4] * recordings + [2]
    assert len({recording.id for recording in found}) == recordings + 1


def test_a_tape_of_all_steps_counts_anew_after_each_backward_pass() -> None:
    def run() -> None:
        x, y, tape = floats(0.4, 0.7), zeros(2), wp.Tape()
        for _ in range(6):
            loss = zeros(1)
            with tape:
                launch(kernels.squared, 2, x, y)
                launch(kernels.total, 2, y, loss)
            tape.backward(loss)
            tape.reset()

    assert len(list(limited(run).programs())) == 2


def test_the_arrays_of_the_program_are_freed() -> None:
    """Neither a pass that is over nor a tape without a backward pass keeps arrays alive."""
    alive: list[weakref.ref[wp.array]] = []

    def run() -> None:
        x, y, loss, tape = floats(0.4, 0.7), zeros(2), zeros(1), wp.Tape()
        with tape:
            launch(kernels.squared, 2, x, y)
            launch(kernels.total, 2, y, loss)
        tape.backward(loss)
        alive.extend(map(weakref.ref, (x, y, loss)))
        dropped = wp.Tape()
        with dropped:
            launch(kernels.squared, 2, x, y)

    with capture(tape=True) as captured:
        run()
        with wp.Tape():  # the events of the tape that is gone are dropped here
            pass
        gc.collect()
        assert [one() for one in alive] == [None] * 3
    assert len(list(captured.programs())) == 1


def test_another_array_at_the_memory_of_an_empty_one_has_contents() -> None:
    fresh = FreshMemory()
    empty = wp.empty(64, dtype=float, device="cpu")
    fresh.created(empty)
    assert fresh.has(empty)
    other = wp.array(ptr=empty.ptr, shape=64, dtype=float, device="cpu")
    assert fresh.has(other)
    del empty
    gc.collect()
    assert not fresh.has(other)


WRITES: dict[str, Callable[[wp.array], object]] = {
    "numpy": lambda array: array.numpy(),
    "asarray": np.asarray,
    "from_dlpack": np.from_dlpack,
    "to_dlpack": wp.to_dlpack,
    "fill_": lambda array: array.fill_(1.0),
    "zero_": lambda array: array.zero_(),
    "assign": lambda array: array.assign(np.ones(4)),
    "copy": lambda array: wp.copy(array, floats(1.0, 2.0, 3.0, 4.0)),
    "view": lambda array: array.reshape((2, 2)).fill_(1.0),
    "launch": lambda array: launch(kernels.squared, 4, floats(1.0, 2.0, 3.0, 4.0), array),
}


@pytest.mark.parametrize("name", WRITES)
def test_an_array_that_the_program_may_have_written_has_contents(name: str) -> None:
    with capture(tape=True) as captured:
        fresh = captured.recorder.tapes.fresh  # type: ignore[attr-defined]
        array, untouched = (wp.empty(4, dtype=float, device="cpu") for _ in range(2))
        assert fresh.has(array)
        WRITES[name](array)
        assert not fresh.has(array)
        assert fresh.has(untouched)


def test_without_the_option_nothing_is_recorded() -> None:
    with capture() as captured:
        PROGRAMS["overwritten_by_launch"].run(True)
    assert list(captured.programs()) == []
    assert len(captured.kernels) == 4


def test_programs_of_other_packages_are_left_out() -> None:
    with capture(tape=True) as captured:
        steps(1)
    assert len(list(captured.programs(only=["tape_programs"]))) == 1
    assert list(captured.programs(only=["tape_programs.other", "numpy"])) == []
