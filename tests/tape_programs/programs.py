"""The programs: each takes whether it makes its error."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import warp as wp

from tape_programs import kernels


@dataclass(frozen=True, slots=True)
class TapeProgram:
    """A program.

    Attributes:
        run: runs it, with its error or without.
        kind: the kind of fault that level `program` names.
        kernel: the launch at which it names it.
        status: the status of the fault.
        backward: the number of the backward pass that goes wrong, from 0.
    """

    run: Callable[[bool], None]
    kind: str
    kernel: str
    status: str = "fail"
    backward: int = 0

    @property
    def name(self) -> str:
        """The name of the function."""
        return self.run.__name__


def floats(*numbers: float, gradient: bool = True) -> wp.array:
    return wp.array(np.array(numbers), dtype=float, requires_grad=gradient, device="cpu")


def zeros(count: int, gradient: bool = True) -> wp.array:
    return wp.zeros(count, dtype=float, requires_grad=gradient, device="cpu")


def launch(kernel: wp.Kernel, dim: int, *arguments: object, tape: bool = True) -> None:
    wp.launch(kernel, dim, inputs=list(arguments), device="cpu", record_tape=tape)


def overwritten_by_launch(wrong: bool) -> None:
    """The scratch array of the first product is filled again before the backward pass."""
    x, y, scratch, loss = floats(0.4, 0.7), zeros(2), zeros(2), zeros(1)
    other = scratch if wrong else zeros(2)
    tape = wp.Tape()
    with tape:
        launch(kernels.squared, 2, x, scratch)
        launch(kernels.product, 2, scratch, x, y)
        launch(kernels.total, 2, y, loss)
    launch(kernels.scaled, 2, floats(5.0, 5.0), 1.0, other, tape=False)
    tape.backward(loss)


def overwritten_by_host(wrong: bool) -> None:
    """The inputs of the next batch arrive before the backward pass of this one."""
    x, y, loss = floats(0.4, 0.7), zeros(2), zeros(1)
    tape = wp.Tape()
    with tape:
        launch(kernels.squared, 2, x, y)
        launch(kernels.total, 2, y, loss)
    if wrong:
        x.numpy()[:] = 3.0
    tape.backward(loss)
    if not wrong:
        x.numpy()[:] = 3.0


def overwritten_indices(wrong: bool) -> None:
    """An array of indices is sorted again before the backward pass."""
    x, y, loss = floats(0.4, 0.7, 1.1), zeros(3), zeros(1)
    indices = wp.array([2, 0, 1], dtype=int, device="cpu")
    tape = wp.Tape()
    with tape:
        launch(kernels.gathered, 3, x, indices, y)
        launch(kernels.total, 3, y, loss)
    if wrong:
        indices.fill_(0)
    tape.backward(loss)


def same_state_twice(wrong: bool) -> None:
    """A simulation uses two states in turn, and its adjoint needs all of them."""
    loss, states = zeros(1), [(floats(0.4, 0.7), floats(0.1, 0.2)), *((zeros(2), zeros(2)) for _ in range(3))]
    tape = wp.Tape()
    with tape:
        for step in range(3):
            (x, v), (x_next, v_next) = (states[(step + i) % 2 if wrong else step + i] for i in (0, 1))
            launch(kernels.stepped, 2, x, v, 0.1, x_next, v_next)
        launch(kernels.total, 2, x_next, loss)
    tape.backward(loss)


def empty_output(wrong: bool) -> None:
    """Sums are added to memory that nothing has set."""
    y, loss = floats(0.4, 0.7, 1.1, 1.2), zeros(1)
    rows = (wp.empty if wrong else wp.zeros)(2, dtype=float, requires_grad=True, device="cpu")
    tape = wp.Tape()
    with tape:
        launch(kernels.sums, 4, y, rows)
        launch(kernels.total, 2, rows, loss)
    tape.backward(loss)


def gradient_not_zeroed(wrong: bool) -> None:
    """The second step of an optimization adds its gradient to that of the first."""
    x, y = floats(0.4, 0.7), zeros(2)
    for _ in range(2):
        loss, tape = zeros(1), wp.Tape()
        with tape:
            launch(kernels.squared, 2, x, y)
            launch(kernels.total, 2, y, loss)
        tape.backward(loss)
        launch(kernels.descended, 2, x, x.grad, 0.1)
        if not wrong:
            tape.zero()


def intermediate_not_zeroed(wrong: bool) -> None:
    """An array keeps its gradient (retain_grad), and the second backward pass adds to it."""
    x, loss = floats(0.4, 0.7), zeros(1)
    y = wp.zeros(2, dtype=float, requires_grad=True, retain_grad=True, device="cpu")
    for _ in range(2):
        tape = wp.Tape()
        with tape:
            launch(kernels.squared, 2, x, y)
            launch(kernels.total, 2, y, loss)
        tape.backward(loss)
        x.grad.zero_()
        if not wrong:
            y.grad.zero_()


def shared_gradient(wrong: bool) -> None:
    """Two arrays receive the same gradient array."""
    x, loss = floats(0.4, 0.7), zeros(1)
    gradient = wp.zeros(2, dtype=float, device="cpu")
    a, b = zeros(2), zeros(2)
    a.grad = gradient
    b.grad = gradient if wrong else wp.zeros_like(gradient)
    c = zeros(2)
    tape = wp.Tape()
    with tape:
        launch(kernels.squared, 2, x, a)
        launch(kernels.scaled, 2, x, 3.0, b)
        launch(kernels.product, 2, a, b, c)
        launch(kernels.total, 2, c, loss)
    tape.backward(loss)


def loss_outside(wrong: bool) -> None:
    """The last launch is made after the tape has stopped to record, and the loss has a gradient all the same."""
    x, y, loss = floats(0.4, 0.7), zeros(2), zeros(1)
    tape = wp.Tape()
    with tape:
        launch(kernels.squared, 2, x, y)
        if not wrong:
            launch(kernels.total, 2, y, loss)
    if wrong:
        launch(kernels.total, 2, y, loss)
    tape.backward(loss)


def launch_between(wrong: bool) -> None:
    """A launch between two parts of a tape is not recorded."""
    x, y, z, loss = floats(0.4, 0.7), zeros(2), zeros(2), zeros(1)
    tape = wp.Tape()
    with tape:
        launch(kernels.squared, 2, x, y)
        if not wrong:
            launch(kernels.scaled, 2, y, 2.0, z)
    if wrong:
        launch(kernels.scaled, 2, y, 2.0, z)
    with tape:
        launch(kernels.total, 2, z, loss)
    tape.backward(loss)


def not_recorded(wrong: bool) -> None:
    """A launch tells the tape not to record it."""
    x, y, loss = floats(0.4, 0.7), zeros(2), zeros(1)
    z = zeros(2)
    tape = wp.Tape()
    with tape:
        launch(kernels.scaled, 2, x, 2.0, z)
        launch(kernels.squared, 2, z, y, tape=not wrong)
        launch(kernels.total, 2, y, loss)
    tape.backward(loss)


def without_backward(wrong: bool) -> None:
    """A kernel without a backward pass is on the way."""
    x, y, z, loss = floats(0.4, 0.7), zeros(2), zeros(2), zeros(1)
    tape = wp.Tape()
    with tape:
        launch(kernels.scaled, 2, x, 2.0, z)
        launch(kernels.squared_forward_only if wrong else kernels.squared, 2, z, y)
        launch(kernels.total, 2, y, loss)
    tape.backward(loss)


def copy_outside(wrong: bool) -> None:
    """A copy is made while the tape does not record."""
    x, y, z, loss = floats(0.4, 0.7), zeros(2), zeros(2), zeros(1)
    tape = wp.Tape()
    with tape:
        launch(kernels.squared, 2, x, y)
        if not wrong:
            wp.copy(z, y)
    if wrong:
        wp.copy(z, y)
    with tape:
        launch(kernels.total, 2, z, loss)
    tape.backward(loss)


def array_without_gradient(wrong: bool) -> None:
    """An array between two launches has no gradient."""
    x, y, loss = floats(0.4, 0.7), zeros(2, gradient=not wrong), zeros(1)
    tape = wp.Tape()
    with tape:
        launch(kernels.squared, 2, x, y)
        launch(kernels.total, 2, y, loss)
    tape.backward(loss)


def wrong_kernel(wrong: bool) -> None:
    """The adjoint of a kernel is wrong: a dynamic loop multiplies."""
    x, y, loss = floats(0.4, 0.7), zeros(2), zeros(1)
    tape = wp.Tape()
    with tape:
        if wrong:
            launch(kernels.powered, 2, x, 3, y)
        else:
            launch(kernels.powered_by_hand, 2, x, y)
        launch(kernels.total, 2, y, loss)
    tape.backward(loss)


def member_overwritten(wrong: bool) -> None:
    """A member of a struct is set before the backward pass."""
    body, loss = kernels.Body(), zeros(1)
    body.mass, body.speed = floats(1.0, 2.0), floats(0.4, 0.7)
    tape = wp.Tape()
    with tape:
        launch(kernels.energy, 2, body, loss)
    if wrong:
        body.speed.zero_()
    tape.backward(loss)


def seeded_by_hand(wrong: bool) -> None:
    """The program sets the gradient of the outputs itself, and the inputs to zero before the backward pass."""
    x, y = floats(0.4, 0.7), zeros(2)
    tape = wp.Tape()
    with tape:
        launch(kernels.squared, 2, x, y)
    y.grad.assign(np.array([1.0, -2.0]))
    if wrong:
        x.zero_()
    tape.backward()


def function_of_a_framework(wrong: bool) -> None:
    """A function of another framework keeps its tape, and its input changes before its gradient is asked for."""
    x, y = floats(0.4, 0.7), zeros(2)
    tape = wp.Tape()
    with tape:
        launch(kernels.squared, 2, x, y)
    if wrong:
        wp.copy(x, floats(9.0, 8.0, gradient=False))
    tape.backward(grads={y: floats(1.0, -2.0, gradient=False)})


PROGRAMS = (
    TapeProgram(overwritten_by_launch, "overwritten", "product"),
    TapeProgram(overwritten_by_host, "overwritten", "squared"),
    TapeProgram(overwritten_indices, "overwritten", "gathered"),
    TapeProgram(same_state_twice, "overwritten", "stepped"),
    TapeProgram(empty_output, "memory without contents", "sums"),
    TapeProgram(gradient_not_zeroed, "gradient not zeroed", "backward", backward=1),
    TapeProgram(intermediate_not_zeroed, "gradient not zeroed", "backward", backward=1),
    TapeProgram(shared_gradient, "shared gradient", "product"),
    TapeProgram(loss_outside, "not on the tape", "total"),
    TapeProgram(launch_between, "not on the tape", "scaled"),
    TapeProgram(not_recorded, "not on the tape", "squared"),
    TapeProgram(without_backward, "no backward pass", "squared_forward_only"),
    TapeProgram(copy_outside, "not on the tape", "wp.copy"),
    TapeProgram(array_without_gradient, "stops", "squared", "inconclusive"),
    TapeProgram(wrong_kernel, "wrong adjoint", "powered"),
    TapeProgram(member_overwritten, "overwritten", "energy"),
    TapeProgram(seeded_by_hand, "overwritten", "squared"),
    TapeProgram(function_of_a_framework, "overwritten", "squared"),
)
