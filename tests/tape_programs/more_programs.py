"""Further programs: views, structs, copies, reused tapes, optimizers and functions on a tape."""

from __future__ import annotations

import itertools
import threading

import numpy as np
import warp as wp
import warp.optim

from tape_programs import kernels, more_kernels
from tape_programs.programs import TapeProgram, floats, launch, zeros


def part_overwritten(wrong: bool) -> None:
    """A launch reads a part of an array, and the program sets one number of the whole before the backward pass."""
    buffer, y, loss = floats(0.1, 0.4, 0.7, 1.1), zeros(2), zeros(1)
    tape = wp.Tape()
    with tape:
        launch(kernels.squared, 2, buffer[1:3], y)
        launch(kernels.total, 2, y, loss)
    buffer.numpy()[2 if wrong else 3] = 5.0
    tape.backward(loss)


def struct_overwritten(wrong: bool) -> None:
    """The structs of an array change before the backward pass."""
    numbers = np.array([((1.0, 2.0, 3.0), 0.5), ((0.3, 0.2, 0.1), 2.0)], more_kernels.Particle.numpy_dtype())
    particles = wp.array(numbers, dtype=more_kernels.Particle, requires_grad=True, device="cpu")
    loss = zeros(1)
    tape = wp.Tape()
    with tape:
        launch(more_kernels.moments, 2, particles, loss)
    if wrong:
        particles.numpy()["mass"] = 7.0
    tape.backward(loss)


def columns_overwritten(wrong: bool) -> None:
    """The columns of a table are views with strides, and a launch writes one that the adjoint of another one reads."""
    table = wp.array(np.linspace(0.1, 1.2, 12).reshape(3, 4), dtype=float, requires_grad=True, device="cpu")
    out = wp.zeros((3, 2), dtype=float, requires_grad=True, device="cpu")
    loss = zeros(1)
    tape = wp.Tape()
    with tape:
        launch(more_kernels.table_product, (3, 2), table[:, 0:2], table[:, 2:4], out)
        launch(more_kernels.table_total, (2, 3), out.transpose(), loss)
    if wrong:
        other = wp.full((3, 1), 2.0, dtype=float, device="cpu")
        launch(more_kernels.table_product, (3, 1), other, other, table[:, 3:4], tape=False)
    tape.backward(loss)


def part_copied_outside(wrong: bool) -> None:
    """A copy of a part of an array, with offsets."""
    x, y, z, loss = floats(0.4, 0.7, 1.1), zeros(3), zeros(4), zeros(1)
    tape = wp.Tape()
    with tape:
        launch(kernels.squared, 3, x, y)
        if not wrong:
            wp.copy(z, y, dest_offset=2, src_offset=1, count=2)
    if wrong:
        wp.copy(z, y, dest_offset=2, src_offset=1, count=2)
    with tape:
        launch(kernels.total, 4, z, loss)
    tape.backward(loss)


def clone_outside(wrong: bool) -> None:
    """A clone is made while the tape does not record."""
    x, y, loss = floats(0.4, 0.7), zeros(2), zeros(1)
    tape = wp.Tape()
    with tape:
        launch(kernels.squared, 2, x, y)
        if not wrong:
            z = wp.clone(y)
    if wrong:
        z = wp.clone(y)
    with tape:
        launch(kernels.total, 2, z, loss)
    tape.backward(loss)


def assigned_between(wrong: bool) -> None:
    """The program clips an array with NumPy between two launches of a tape."""
    x, y, z, loss = floats(0.4, 1.7), zeros(2), zeros(2), zeros(1)
    tape = wp.Tape()
    with tape:
        launch(kernels.squared, 2, x, y)
        if wrong:
            y.assign(np.minimum(y.numpy(), 1.0) + 0.1)
        launch(kernels.squared, 2, y, z)
        launch(kernels.total, 2, z, loss)
    tape.backward(loss)


def same_array_twice(wrong: bool) -> None:
    """Two parameters of a launch receive the same array, which changes before the backward pass."""
    x, y, loss = floats(0.4, 0.7), zeros(2), zeros(1)
    tape = wp.Tape()
    with tape:
        launch(kernels.product, 2, x, x, y)
        launch(kernels.total, 2, y, loss)
    if wrong:
        x.fill_(2.0)
    tape.backward(loss)


def tiles_overwritten(wrong: bool) -> None:
    """The rows that tiles load change before the backward pass."""
    x = wp.array(np.linspace(0.1, 1.0, 8).reshape(2, 4), dtype=float, requires_grad=True, device="cpu")
    loss = zeros(1)
    tape = wp.Tape()
    with tape:
        wp.launch_tiled(more_kernels.tile_squares, dim=[2], inputs=[x, loss], block_dim=32, device="cpu")
    if wrong:
        x.fill_(1.0)
    tape.backward(loss)


def recorded_command(wrong: bool) -> None:
    """A recorded launch runs while the tape records; Warp does not put it on the tape."""
    x, y, loss = floats(0.4, 0.7), zeros(2), zeros(1)
    command = wp.launch(kernels.squared, 2, inputs=[x, y], device="cpu", record_cmd=True)
    z = zeros(2)
    tape = wp.Tape()
    with tape:
        if wrong:
            command.launch()
        else:
            launch(kernels.squared, 2, x, y)
        launch(kernels.scaled, 2, y, 3.0, z)
        launch(kernels.total, 2, z, loss)
    tape.backward(loss)


def one_tape_for_all_steps(wrong: bool) -> None:
    """An optimization uses one tape, and has to reset it."""
    x, y, tape = floats(0.4, 0.7), zeros(2), wp.Tape()
    for _ in range(2):
        loss = zeros(1)
        with tape:
            launch(kernels.squared, 2, x, y)
            launch(kernels.total, 2, y, loss)
        tape.backward(loss)
        launch(kernels.descended, 2, x, x.grad, 0.1)
        if wrong:
            tape.launches = []
        else:
            tape.reset()


def two_tapes(wrong: bool) -> None:
    """Two tapes are alive at once, and the first one uses what the second one overwrites."""
    x, loss, other_loss = floats(0.4, 0.7), zeros(1), zeros(1)
    y = zeros(2)
    z = y if wrong else zeros(2)
    first, second = wp.Tape(), wp.Tape()
    with first:
        launch(kernels.squared, 2, x, y)
        w = zeros(2)
        launch(kernels.squared, 2, y, w)
        launch(kernels.total, 2, w, loss)
    with second:
        launch(kernels.scaled, 2, x, 2.0, z)
        launch(kernels.total, 2, z, other_loss)
    first.backward(loss)
    x.grad.zero_()
    second.backward(other_loss)


def double_precision(wrong: bool) -> None:
    """Arrays of double precision."""
    x = wp.array([0.4, 0.7], dtype=wp.float64, requires_grad=True, device="cpu")
    loss = wp.zeros(1, dtype=wp.float64, requires_grad=True, device="cpu")
    tape = wp.Tape()
    with tape:
        launch(more_kernels.squared_double, 2, x, loss)
    if wrong:
        x.fill_(1.0)
    tape.backward(loss)


def vectors_overwritten(wrong: bool) -> None:
    """Arrays of vectors and matrices, whose numbers a flat view sets."""
    random = np.random.default_rng(3)
    turn = wp.array(random.normal(size=(2, 3, 3)), dtype=wp.mat33, requires_grad=True, device="cpu")
    v = wp.array(random.normal(size=(2, 3)), dtype=wp.vec3, requires_grad=True, device="cpu")
    out, loss = wp.zeros(2, dtype=wp.vec3, requires_grad=True, device="cpu"), zeros(1)
    tape = wp.Tape()
    with tape:
        launch(more_kernels.rotated, 2, turn, v, out)
        launch(more_kernels.squared_length, 2, out, loss)
    if wrong:
        turn.numpy()[1, 2, 0] = 9.0
    tape.backward(loss)


def optimizer(wrong: bool) -> None:
    """A loop with Adam, whose gradients have to be zeroed."""
    x = floats(0.4, 0.7)
    adam = wp.optim.Adam([x], lr=0.1)
    for _ in range(2):
        y, loss, tape = zeros(2), zeros(1), wp.Tape()
        with tape:
            launch(kernels.squared, 2, x, y)
            launch(kernels.total, 2, y, loss)
        tape.backward(loss)
        adam.step([x.grad])
        if not wrong:
            tape.zero()


def checkpoints(wrong: bool) -> None:
    """The steps of a simulation run again, from stored states, with a tape for each segment."""
    start = floats(0.4, 0.7), floats(0.1, 0.2)
    states = [start, *((zeros(2), zeros(2)) for _ in range(2))]
    loss = zeros(1)
    for (x, v), (x_next, v_next) in itertools.pairwise(states):
        launch(kernels.stepped, 2, x, v, 0.1, x_next, v_next)
    last = wp.Tape()
    with last:
        launch(kernels.total, 2, states[-1][0], loss)
    last.backward(loss)
    for (x, v), (x_next, v_next) in reversed(list(itertools.pairwise(states))):
        segment = wp.Tape()
        again = zeros(2), zeros(2)
        with segment:
            launch(kernels.stepped, 2, x, v, 0.1, *again)
        if wrong:
            x.fill_(0.0)
        segment.backward(grads={again[0]: x_next.grad, again[1]: v_next.grad})


def accumulated(wrong: bool) -> None:
    """The gradient of a parameter is the sum over two batches; the parameter must not change between them."""
    weight = floats(1.5)
    for batch in (floats(0.4, 0.7, gradient=False), floats(0.1, 0.9, gradient=False)):
        y, loss, tape = zeros(2), zeros(1), wp.Tape()
        with tape:
            launch(more_kernels.weighted, 2, batch, weight, y, None)
            launch(kernels.total, 2, y, loss)
        tape.backward(loss)
        if wrong:
            launch(kernels.descended, 1, weight, weight.grad, 0.1)


def counters(wrong: bool) -> None:
    """A launch counts in an array of integers; an empty array and another thread are about."""
    x, y, loss = floats(0.4, 0.7), zeros(2), zeros(1)
    counts = wp.zeros(1, dtype=int, device="cpu")
    empty = wp.zeros(0, dtype=float, requires_grad=True, device="cpu")
    z = zeros(2)
    tape = wp.Tape()
    with tape:
        launch(more_kernels.counted, 2, x, counts, y)
        launch(more_kernels.weighted, 2, y, floats(2.0), z, empty)
        launch(kernels.total, 2, z, loss)
    other = threading.Thread(target=launch, args=(kernels.scaled, 2, x, 1.0, zeros(2)))
    other.start()
    other.join()
    if wrong:
        y.zero_()
    tape.backward(loss)


def memory_used_again(wrong: bool) -> None:
    """An array takes the memory that one of `wp.empty` has left; it is filled when it is made."""
    y, loss = floats(0.4, 0.7, 1.1, 1.2), zeros(1)
    held = [wp.empty(2, dtype=float, requires_grad=True, device="cpu") for _ in range(8)]
    if not wrong:
        del held
        held = [floats(0.0, 0.0) for _ in range(8)]
    tape = wp.Tape()
    with tape:
        for rows in held:
            launch(kernels.sums, 4, y, rows)
            launch(kernels.total, 2, rows, loss)
    tape.backward(loss)


def set_by_the_kernel(wrong: bool) -> None:
    """A kernel sets its output before it adds to it; another one only adds."""
    y, loss = floats(0.4, 0.7, 1.1, 1.2), zeros(1)
    rows = wp.empty(2, dtype=float, requires_grad=True, device="cpu")
    tape = wp.Tape()
    with tape:
        if wrong:
            launch(kernels.sums, 4, y, rows)
        else:
            launch(more_kernels.row_sums, 2, y, 2, rows)
        launch(kernels.total, 2, rows, loss)
    tape.backward(loss)


def squared_twice(wrong: bool) -> None:
    """A launch writes over the array that it reads: its adjoint finds the squares."""
    x, y, loss = floats(0.4, 0.7), zeros(2), zeros(1)
    z = zeros(2)
    tape = wp.Tape()
    with tape:
        launch(kernels.scaled, 2, x, 2.0, y)
        if wrong:
            launch(more_kernels.squared_in_place, 2, y)
        else:
            launch(kernels.squared, 2, y, z)
        launch(kernels.total, 2, y if wrong else z, loss)
    tape.backward(loss)


def wrong_kernel_beside(wrong: bool) -> None:
    """The input of a wrong adjoint goes another way to the loss, too: its gradient is not that of the kernel alone."""
    x, y, z, w, loss = floats(0.4, 0.7), zeros(2), zeros(2), zeros(2), zeros(1)
    tape = wp.Tape()
    with tape:
        launch(kernels.squared, 2, x, y)
        if wrong:
            launch(kernels.powered, 2, y, 3, z)
        else:
            launch(kernels.powered_by_hand, 2, y, z)
        launch(kernels.product, 2, z, x, w)
        launch(kernels.total, 2, w, loss)
    tape.backward(loss)


def root_at_zero(wrong: bool) -> None:
    """The gradient of a square root at 0 is not a number once the launch before multiplies it by 0."""
    x, y, z, loss = floats(0.0 if wrong else 0.3, 0.7), zeros(2), zeros(2), zeros(1)
    tape = wp.Tape()
    with tape:
        launch(kernels.squared, 2, x, y)
        launch(more_kernels.root, 2, y, z)
        launch(kernels.total, 2, z, loss)
    tape.backward(loss)


def function_on_the_tape(factor: float) -> None:
    """A function on the tape replaces the adjoint of a launch; with another factor than 2 it is wrong."""
    x, y, z, loss = floats(0.4, 0.7), zeros(2), zeros(2), zeros(1)
    tape = wp.Tape()
    with tape:
        launch(kernels.squared, 2, x, y)
        launch(kernels.scaled, 2, y, 2.0, z, tape=False)
        tape.record_func(lambda: launch(kernels.scaled, 2, z.grad, factor, y.grad, tape=False), [y, z])
        launch(kernels.total, 2, z, loss)
    tape.backward(loss)


PROGRAMS = (
    TapeProgram(part_overwritten, "overwritten", "squared"),
    TapeProgram(struct_overwritten, "overwritten", "moments"),
    TapeProgram(columns_overwritten, "overwritten", "table_product"),
    TapeProgram(part_copied_outside, "not on the tape", "wp.copy"),
    TapeProgram(clone_outside, "not on the tape", "wp.copy"),
    TapeProgram(assigned_between, "overwritten by the program", "wp.copy"),
    TapeProgram(same_array_twice, "overwritten", "product"),
    TapeProgram(tiles_overwritten, "overwritten", "tile_squares"),
    TapeProgram(recorded_command, "not on the tape", "squared"),
    TapeProgram(one_tape_for_all_steps, "gradient not zeroed", "backward", backward=1),
    TapeProgram(two_tapes, "overwritten", "squared"),
    TapeProgram(double_precision, "overwritten", "squared_double"),
    TapeProgram(vectors_overwritten, "overwritten", "rotated"),
    TapeProgram(optimizer, "gradient not zeroed", "backward", backward=1),
    TapeProgram(checkpoints, "overwritten", "stepped", backward=1),
    TapeProgram(accumulated, "gradient not zeroed", "backward", backward=1),
    TapeProgram(counters, "overwritten", "weighted"),
    TapeProgram(memory_used_again, "memory without contents", "sums"),
    TapeProgram(set_by_the_kernel, "memory without contents", "sums"),
    TapeProgram(wrong_kernel_beside, "wrong adjoint", "powered"),
    TapeProgram(root_at_zero, "not finite", "root", "inconclusive"),
    TapeProgram(squared_twice, "wrong adjoint", "squared_in_place"),
)
