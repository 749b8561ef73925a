"""Functions of PyTorch that launch kernels under a tape of their own."""

from __future__ import annotations

from typing import Any

import pytest
import warp as wp

from tape_programs import kernels
from warpsmith.extraction import capture
from warpsmith.validation.tapes.program_results import ProgramResult, check_programs

torch = pytest.importorskip("torch", reason="torch is not installed")


class Squared(torch.autograd.Function):  # type: ignore[name-defined,misc]
    """The square of a tensor, whose memory Warp shares unless it is copied."""

    @staticmethod
    def forward(ctx: Any, x: Any, copies: bool) -> Any:
        ctx.x = wp.from_torch(x.detach().clone() if copies else x.detach(), requires_grad=True)
        ctx.y = wp.zeros(x.shape[0], dtype=float, requires_grad=True, device="cpu")
        ctx.tape = wp.Tape()
        with ctx.tape:
            wp.launch(kernels.squared, x.shape[0], inputs=[ctx.x], outputs=[ctx.y], device="cpu")
        return wp.to_torch(ctx.y)

    @staticmethod
    def backward(ctx: Any, gradient: Any) -> Any:
        ctx.tape.backward(grads={ctx.y: wp.from_torch(gradient.contiguous())})
        return wp.to_torch(ctx.x.grad), None


class SquaredByHand(torch.autograd.Function):  # type: ignore[name-defined,misc]
    """The same without a tape: the function launches the adjoint itself."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.x = wp.from_torch(x.detach(), requires_grad=True)
        ctx.y = wp.zeros(x.shape[0], dtype=float, requires_grad=True, device="cpu")
        wp.launch(kernels.squared, x.shape[0], inputs=[ctx.x], outputs=[ctx.y], device="cpu")
        return wp.to_torch(ctx.y)

    @staticmethod
    def backward(ctx: Any, gradient: Any) -> Any:
        ctx.y.grad = wp.from_torch(gradient.contiguous())
        wp.launch(
            kernels.squared, ctx.x.shape[0], inputs=[ctx.x], outputs=[ctx.y],
            adj_inputs=[ctx.x.grad], adj_outputs=[ctx.y.grad], adjoint=True, device="cpu",
        )  # fmt: skip
        return wp.to_torch(ctx.x.grad)


def checked(copies: bool) -> tuple[Any, ProgramResult]:
    """Return the gradient that PyTorch has, and what level `program` says, if the input changes before the backward pass."""
    wp.init()
    x = torch.tensor([0.4, 0.7], requires_grad=True)
    with capture(tape=True) as captured:
        loss = (Squared.apply(x, copies) * torch.tensor([1.0, 3.0])).sum()
        with torch.no_grad():
            x.mul_(5.0)
        loss.backward()
    (result,) = check_programs(captured.programs())
    return x.grad.numpy(), result


def test_a_tensor_that_changes_in_place_is_found() -> None:
    gradient, result = checked(copies=False)
    assert gradient == pytest.approx([4.0, 21.0])  # five times 0.8 and 4.2
    assert (result.status, result.faults[0].kind, result.faults[0].kernel) == ("fail", "overwritten", "squared")
    gradient, result = checked(copies=True)
    assert gradient == pytest.approx([0.8, 4.2])
    assert result.status == "pass"


def test_an_adjoint_that_the_program_launches_is_no_launch_outside_of_the_tape() -> None:
    wp.init()
    x = torch.tensor([0.4, 0.7], requires_grad=True)
    with capture(tape=True) as captured:
        Squared.apply(SquaredByHand.apply(x), False).sum().backward()
    assert x.grad.numpy() == pytest.approx([4 * 0.4**3, 4 * 0.7**3])
    assert [result.status for result in check_programs(captured.programs())] == ["pass"]
