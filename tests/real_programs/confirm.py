"""Compare the adjoint of a program's own kernel, at its own arguments, with finite differences: only Warp and NumPy.

    python tests/real_programs/confirm.py KERNEL[,KERNEL…] [--skip N] [--scatter R] -m MODULE [args…]

The module runs as a program. Of the first launches of each such kernel, or of those after N, the arguments are copied, and
the kernel runs under `wp.Tape` with random gradients of everything that it writes. For the numbers of its inputs with the
largest derivatives and for as many random ones the script compares the derivative by the tape with central differences in the
precision of the kernel, and prints those that disagree. Where half of the step gives another difference, the number is left
out: the function bends there, or rounding hides the derivative. ``--scatter`` multiplies the numbers of arrays by 1 ± R, to
leave points without a derivative.
"""

from __future__ import annotations

import argparse
import dataclasses
import runpy
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import warp as wp

LAUNCHES = 3
"""Launches of each kernel that are checked."""
NUMBERS = 24
"""Numbers of each array that are moved."""

Values = npt.NDArray[Any]


@dataclasses.dataclass
class Launch:
    """A launch by `wp.launch` or `wp.launch_tiled`, with a copy of its arguments."""

    function: Any
    kernel: Any
    arguments: list[Any]
    options: dict[str, Any]

    def run(self, arguments: list[Any]) -> None:
        """Launch the kernel with other arguments."""
        self.function(self.kernel, inputs=arguments, **self.options)

    def copy(self) -> list[Any]:
        """Return copies of the arguments, with gradients."""
        return [copied(value) for value in self.arguments]


def copied(value: Any) -> Any:
    """Return a copy of an argument: arrays, structs and the arrays in them."""
    if isinstance(value, wp.array):
        floating = isinstance(value.dtype, type) and value.numpy().dtype.kind == "f"
        return wp.array(value.numpy(), dtype=value.dtype, shape=value.shape, device=value.device, requires_grad=floating)
    struct = getattr(value, "_cls", None)
    if struct is None:
        return value
    new = struct()
    for name in struct.vars:
        setattr(new, name, copied(getattr(value, name)))
    return new


def scattered(arguments: list[Any], names: list[str], size: float) -> None:
    """Multiply the numbers of all arrays of floats by numbers near 1."""
    generator = np.random.default_rng(11)
    for _, array in arrays(arguments, names):
        numbers = array.numpy()
        array.assign((numbers * generator.uniform(1.0 - size, 1.0 + size, numbers.shape)).astype(numbers.dtype))


def arrays(arguments: list[Any], names: list[str]) -> Iterator[tuple[str, Any]]:
    """Yield the arrays of floats among the arguments and in their structs, by name."""
    for name, value in zip(names, arguments, strict=False):
        if isinstance(value, wp.array):
            if value.requires_grad and value.size:
                yield name, value
        elif getattr(value, "_cls", None) is not None:
            members = list(value._cls.vars)
            yield from arrays([getattr(value, member) for member in members], [f"{name}.{member}" for member in members])


def check(launch: Launch, scatter: float) -> None:
    """Print the derivatives of one launch that differ between tape and differences."""
    names = [argument.label for argument in launch.kernel.adj.args]
    scattered(launch.arguments, names, scatter)
    inputs = launch.copy()
    before = {name: array.numpy().copy() for name, array in arrays(inputs, names)}
    generator = np.random.default_rng(7)

    with wp.Tape() as tape:
        launch.run(inputs)
    after = {name: array.numpy() for name, array in arrays(inputs, names)}
    written = [name for name in before if not np.array_equal(before[name], after[name], equal_nan=True)]
    seeds = {name: generator.uniform(0.5, 1.5, after[name].shape).astype(after[name].dtype) for name in written}
    found = dict(arrays(inputs, names))
    tape.backward(grads={found[name]: wp.array(seeds[name], dtype=found[name].dtype, device="cpu") for name in written})
    gradients = {name: array.grad.numpy() for name, array in found.items()}
    print(f"{launch.kernel.key}, dim {launch.options['dim']}: writes {', '.join(written)}")

    def outputs(name: str, index: int, step: float) -> tuple[float, float]:
        """Return the step as the array's type rounds it, and the weighted sum of all that the kernel then writes."""
        moved = launch.copy()
        array = dict(arrays(moved, names))[name]
        numbers = array.numpy().copy()
        value = numbers.flat[index]
        numbers.flat[index] += step
        array.assign(numbers)
        launch.run(moved)
        result = dict(arrays(moved, names))
        total = sum(float(np.sum(seeds[one].astype(np.float64) * result[one].numpy())) for one in written)
        return float(numbers.flat[index]) - float(value), total

    for name, gradient in gradients.items():
        shown = 0
        order = np.argsort(-np.abs(gradient.ravel()), kind="stable")
        random = generator.permutation(gradient.size)
        for index in dict.fromkeys([*order[:NUMBERS].tolist(), *random[:NUMBERS].tolist()]):
            scale = max(abs(float(before[name].flat[index])), 0.1)
            slopes = []
            for step in (scale * 2.0**-6, scale * 2.0**-7):
                (high, above), (low, below) = outputs(name, index, step), outputs(name, index, -step)
                slopes.append((above - below) / (high - low))
            got = float(gradient.flat[index])
            if abs(slopes[0] - slopes[1]) > 0.02 * abs(slopes[0]) + 1e-4 or shown >= NUMBERS:
                continue
            wrong = abs(got - slopes[1]) > 0.05 * max(abs(got), abs(slopes[1])) + 1e-3
            shown += 1
            if wrong:
                place = ", ".join(map(str, np.unravel_index(index, gradient.shape)))
                print(f"    {name}[{place}]: tape {got:.6g}, differences {slopes[1]:.6g}  WRONG")
        print(f"  {name}: {shown} derivatives compared")


def main() -> None:
    """Run a program, and check the kernels that the command line names."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("kernels", type=lambda text: text.split(","))
    parser.add_argument("-m", dest="module", required=True)
    parser.add_argument("--skip", type=int, default=0)
    parser.add_argument("--scatter", type=float, default=0.0)
    arguments, rest = parser.parse_known_args()
    kept: list[Launch] = []
    launches: Counter[str] = Counter()
    functions = {name: getattr(wp, name) for name in ("launch", "launch_tiled")}

    def observing(function: Any) -> Any:
        def observed(kernel: Any, *words: Any, **options: Any) -> Any:
            every = dict(zip(("dim", "inputs", "outputs"), words, strict=False)) | options
            name = kernel.func.__name__
            launches[name] += 1
            if name in arguments.kernels and 0 < launches[name] - arguments.skip <= LAUNCHES:
                values = [copied(value) for value in (*every.get("inputs", ()), *every.get("outputs", ()))]
                used = {key: every[key] for key in ("dim", "block_dim") if key in every}
                kept.append(Launch(function, kernel, values, used | {"device": "cpu"}))
            return function(kernel, *words, **options)

        return observed

    for name, function in functions.items():
        setattr(wp, name, observing(function))
    sys.argv = [arguments.module, *rest]
    try:
        runpy.run_module(arguments.module, run_name="__main__")
    finally:
        for name, function in functions.items():
            setattr(wp, name, function)
        for one in kept:
            check(one, arguments.scatter)


if __name__ == "__main__":
    main()
