"""Kernels that other interfaces than ``wp.launch`` launch: JAX, PyTorch, ``wp.map``, recorded launches, conditional graphs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import warp as wp

from warpsmith.core.inputs.values import Values, make_inputs
from warpsmith.core.records.pair import Pair
from warpsmith.extraction import capture


@wp.kernel
def square(x: wp.array(dtype=float), s: float, y: wp.array(dtype=float)):
    i = wp.tid()
    y[i] = x[i] * x[i] + s


@wp.kernel
def halve(x: wp.array(dtype=float), left: wp.array(dtype=int)):
    i = wp.tid()
    x[i] = x[i] * 0.5
    if i == 0:
        left[0] = left[0] - 1


@wp.kernel
def shift(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] + 3.0


@wp.func
def weighted(a: float, b: float):
    return a * a + 2.0 * b


SEVEN = np.arange(1.0, 8.0, dtype=np.float32)


def captured_values(program: Callable[[], None]) -> dict[str, tuple[tuple[int, ...], dict[str, Values]]]:
    """Run a program; return for each kernel the size and the values of its launch, and check that its code was extracted."""
    with capture() as captured:
        program()
    assert captured.recorder.faults == []
    found = {}
    for pair in captured.pairs("both"):
        assert isinstance(pair, Pair), pair
        assert pair.metadata.launch is not None, pair.metadata.origin
        found[pair.metadata.kernel_name] = pair.metadata.launch.dim, make_inputs(pair.metadata.launch, pair.id)
    return found


def array(values: Any) -> Any:
    return wp.array(values, dtype=float, device="cpu")


def test_a_kernel_that_jax_launches() -> None:
    jax = pytest.importorskip("jax", reason="jax is not installed")
    results = []

    def program() -> None:
        results.append(np.asarray(jax.jit(lambda x: wp.jax_kernel(square)(x, 2.0))(jax.numpy.asarray(SEVEN))[0]))

    dim, values = captured_values(program)["square"]
    assert dim == (7,)
    assert np.array_equal(values["x"], SEVEN)
    assert values["s"] == 2.0
    assert np.array_equal(results[0], SEVEN * SEVEN + 2.0)


def test_a_function_with_launches_that_jax_calls() -> None:
    jax = pytest.importorskip("jax", reason="jax is not installed")

    def function(x: wp.array(dtype=float), s: float, y: wp.array(dtype=float)):  # type: ignore[valid-type]
        wp.launch(square, dim=x.shape, inputs=[x, s], outputs=[y])

    function.__annotations__ = {"x": wp.array(dtype=float), "s": float, "y": wp.array(dtype=float)}

    def program() -> None:
        wp.jax_callable(function)(jax.numpy.asarray(SEVEN), 4.0)[0].block_until_ready()

    found = captured_values(program)
    assert np.array_equal(found["square"][1]["x"], SEVEN)
    assert found["square"][1]["s"] == 4.0


def test_functions_and_operators_of_torch() -> None:
    torch = pytest.importorskip("torch", reason="torch is not installed")
    wp.init()

    class Square(torch.autograd.Function):  # type: ignore[misc, name-defined]
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.x = wp.from_torch(x.detach(), requires_grad=True)
            ctx.y = wp.empty(len(x), dtype=float, device="cpu", requires_grad=True)
            wp.launch(square, len(x), inputs=[ctx.x, 1.0], outputs=[ctx.y], device="cpu")
            return wp.to_torch(ctx.y)

        @staticmethod
        def backward(ctx: Any, gradient: Any) -> Any:
            adjoints = {"adj_inputs": [ctx.x.grad, 0.0], "adj_outputs": [wp.from_torch(gradient.contiguous())]}
            wp.launch(
                square, len(ctx.x), inputs=[ctx.x, 1.0], outputs=[ctx.y], **adjoints, adjoint=True, device="cpu"
            )  # fmt: skip
            return wp.to_torch(ctx.x.grad)

    def operator(x: torch.Tensor) -> torch.Tensor:  # type: ignore[name-defined]
        moved = x.clone()
        wp.launch(shift, len(x), inputs=[moved], device="cpu")  # a tensor instead of an array
        return moved

    operator.__annotations__ = {"x": torch.Tensor, "return": torch.Tensor}
    shifted = torch.library.custom_op("warpsmith_tests::shifted", operator, mutates_args=())

    def program() -> None:
        x = torch.tensor(SEVEN, requires_grad=True)
        Square.apply(x).sum().backward()
        assert np.array_equal(x.grad.numpy(), 2.0 * SEVEN)
        shifted(torch.tensor(SEVEN))

    found = captured_values(program)
    assert found.keys() == {"square", "shift"}
    assert np.array_equal(found["square"][1]["x"], SEVEN)
    assert np.array_equal(found["shift"][1]["x"], SEVEN)


def test_mapped_functions() -> None:
    mapped = lambda p, q: wp.sin(p) * q  # noqa: E731 - Warp reads the source of the statement

    def program() -> None:
        for function in (weighted, mapped, wp.add):
            wp.map(function, array(SEVEN), array(2.0 * SEVEN))

    with capture() as captured:
        program()
    pairs = list(captured.pairs("both"))
    assert [type(pair) for pair in pairs] == [Pair] * 3, pairs
    for pair, text in zip(pairs, ("a * a + 2.0 * b", "wp.sin(p) * q", "add = wp.add"), strict=True):
        assert text in pair.python_source  # type: ignore[union-attr]
        assert pair.metadata.launch is not None  # type: ignore[union-attr]


def test_a_recorded_launch_has_the_arguments_that_it_runs_with() -> None:
    def program() -> None:
        y = array(np.zeros(7))
        command = wp.launch(square, 7, inputs=[array(SEVEN), 1.0, y], device="cpu", record_cmd=True)
        command.set_param_by_name("s", 5.0)
        command.set_param_at_index(0, array(10.0 * SEVEN))
        command.launch()

    dim, values = captured_values(program)["square"]
    assert (dim, float(values["s"])) == ((7,), 5.0)
    assert np.array_equal(values["x"], 10.0 * SEVEN)


def test_conditions_without_a_graph_and_in_a_graph() -> None:
    def conditional(x: Any, left: Any, never: Any) -> None:
        wp.capture_while(left, lambda: wp.launch(halve, 7, inputs=[x, left], device="cpu"))
        wp.capture_if(never, lambda: wp.launch(shift, 7, inputs=[x], device="cpu"))

    def arguments() -> tuple[Any, Any, Any]:
        return array(SEVEN), wp.array([3], dtype=int, device="cpu"), wp.zeros(1, dtype=int, device="cpu")

    found = captured_values(lambda: conditional(*arguments()))
    assert found.keys() == {"halve"}, "the other branch does not run"

    def graph() -> None:
        with wp.ScopedCapture(device="cpu") as recording:
            conditional(*made)
        assert np.array_equal(made[0].numpy(), SEVEN)
        wp.capture_launch(recording.graph)
        assert np.array_equal(made[0].numpy(), SEVEN / 8.0)

    made = arguments()
    wp.load_module(device="cpu")
    found = captured_values(graph)
    assert np.array_equal(found["halve"][1]["x"], SEVEN)
