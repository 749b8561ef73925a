"""Whether the adjoint of a probe is correct, measured: the gradient of `wp.Tape` against central differences of each element.

Nothing here uses the checks of warpsmith. Differences are those of the kernel in double precision, whose seeds have both signs
and sizes from 1e-2 to 1e2. The tape runs in double and in single precision, at the inputs of the probe's launch.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import warp as wp

from known_adjoints.corpus import given
from known_adjoints.corpus.arguments import Values, arguments
from known_adjoints.corpus.probe import FAIL, INCONCLUSIVE, NOT_APPLICABLE, PASS, SINGLE, Probe
from known_adjoints.corpus.program import program

STEP, TOLERANCE = 1.0e-6, 1.0e-5
"""The step of differences relative to the numbers of an array, and the relative error of a correct gradient."""
COARSE_STEP, COARSE_TOLERANCE = 4.0e-3, 2.0e-2
"""The same for kernels that have no double precision, where differences consist of single numbers."""
SINGLE_TOLERANCE = 0.05
"""The relative error from which a gradient in single precision is wrong."""


def truths(probes: Mapping[str, Probe], folder: Path) -> dict[str, str]:
    """Return for each probe that can be measured what its adjoint is.

    Args:
        probes: the probes by name.
        folder: the folder to write modules in.
    """
    numbered = {number: one for number, one in enumerate(probes.values()) if one.measured in {"double", "single"}}
    single = _module(folder / "probes_in_single.py", numbered, double=False)
    double = _module(
        folder / "probes_in_double.py", {n: one for n, one in numbered.items() if one.measured == "double"}, double=True
    )
    names = list(probes)
    return {
        names[number]: truth(one, *(getattr(module, f"kernel_{number}", None) for module in (single, double)))
        for number, one in numbered.items()
    }


def _module(file: Path, probes: Mapping[int, Probe], *, double: bool) -> Any:
    file.write_text(program(probes, double=double), encoding="utf-8")
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def truth(probe: Probe, single: Any, double: Any) -> str:
    """Return what the adjoint of a probe is: one of the truths of `probe`."""
    values = arguments(probe, single)[1]
    exact = Launches(probe, double or single, values, TOLERANCE if double else COARSE_TOLERANCE)
    if not exact.seeds or not exact.moved:
        return NOT_APPLICABLE
    expected, smooth, noise = exact.differences()
    if smooth.mean() < 0.5:
        return INCONCLUSIVE
    if not np.any(expected[smooth]):
        return NOT_APPLICABLE
    if exact.wrong(exact.gradient(), expected, smooth, noise):
        return FAIL
    if double is not None and probe.measured == "double":
        rounded = Launches(probe, single, values, SINGLE_TOLERANCE)
        rounded.seeds = exact.seeds
        if rounded.wrong(rounded.gradient(), expected, smooth, noise):
            return SINGLE
    return PASS


class Launches:
    """Launches of a kernel at inputs and near them, and a weighted sum of its outputs."""

    def __init__(self, probe: Probe, kernel: Any, values: Values, tolerance: float) -> None:
        self.probe, self.kernel, self.values, self.tolerance = probe, kernel, values, tolerance
        self.coarse = tolerance == COARSE_TOLERANCE
        arrays = dict(self._arrays(self._arguments(values)))
        written = {name for name in arrays if name.rpartition(".")[2].startswith(("out", "io"))}
        self.moved = [
            leaf
            for name, array in arrays.items()
            if not name.rpartition(".")[2].startswith("out")
            for leaf in self._leaves(name, array)
        ]
        rng = np.random.default_rng(11)
        shapes = {name: arrays[name].numpy().shape for name in sorted(written)}
        self.seeds = {
            name: rng.choice([-1.0, 1.0], shape) * 10.0 ** rng.uniform(-2.0, 2.0, shape) for name, shape in shapes.items()
        }

    def _leaves(self, name: str, array: Any) -> list[str]:
        """Return the names of the numbers of an array: itself, or the members of its structs that are floats."""
        members = array.numpy().dtype.names or ()
        leaves = [f"{name}.{member}" for member in members] or [name]
        return [leaf for leaf in leaves if self.values[leaf].dtype.kind == "f"]

    def _arguments(self, values: Values) -> list[Any]:
        return given.inputs(self.kernel, 0, {f"0.{name}": numbers for name, numbers in values.items()})

    def _arrays(self, args: list[Any]) -> Iterator[tuple[str, Any]]:
        """Yield arrays of floats by their names, and those of members of structs."""
        for one, parameter in zip(args, self.kernel.adj.args, strict=True):
            if isinstance(one, wp.array):
                if one.requires_grad:
                    yield parameter.label, one
            elif isinstance(parameter.type, wp._src.codegen.Struct):
                for name in parameter.type.vars:
                    member = getattr(one, name)
                    if isinstance(member, wp.array) and member.requires_grad:
                        yield f"{parameter.label}.{name}", member

    def total(self, values: Values) -> tuple[float, float]:
        """Return the weighted sum of all outputs, and the sum of its magnitudes."""
        args = self._arguments(values)
        given.launched(self.kernel, self.probe.dim, args, self.probe.block)
        parts = [
            (array.numpy() * self.seeds[name]).astype(np.float64) for name, array in self._arrays(args) if name in self.seeds
        ]
        return sum(float(part.sum()) for part in parts), sum(float(np.abs(part).sum()) for part in parts)

    def differences(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the derivative of each element, whether the function is smooth there, and the error by rounding."""
        found = [self._difference(name, index) for name in self.moved for index in np.ndindex(self.values[name].shape)]
        expected, smooth, noise = (np.array(column) for column in zip(*found, strict=True))
        return expected, smooth.astype(bool), noise

    def _difference(self, name: str, index: tuple[int, ...]) -> tuple[float, bool, float]:
        wide = self.values[name].astype(np.float32 if self.coarse else np.float64)
        epsilon = np.finfo(wide.dtype).eps
        scale = max(abs(float(wide[index])), float(np.median(np.abs(wide)))) or 1.0
        step = (COARSE_STEP if self.coarse else STEP) * scale
        sides, size = {}, 0.0
        for factor in (-1.0, -0.5, 0.5, 1.0):
            moved = wide.copy()
            moved[index] += factor * step
            sides[factor], size = self.total({**self.values, name: moved})
        whole, half = (sides[1.0] - sides[-1.0]) / (2.0 * step), (sides[0.5] - sides[-0.5]) / step
        here = self.total(self.values)[0]
        left, right = (here - sides[-0.5]) / (0.5 * step), (sides[0.5] - here) / (0.5 * step)
        noise = 8.0 * epsilon * size / step
        agree = abs(whole - half) <= 10.0 * self.tolerance * max(abs(half), 1e-3) + noise
        kink = abs(left - right) > 0.1 * max(abs(left), abs(right)) + 10.0 * noise
        return half, bool(np.isfinite(half) and agree and not kink), noise + abs(whole - half)

    def gradient(self) -> np.ndarray:
        """Return the gradient of the tape."""
        args = self._arguments(self.values)
        arrays = dict(self._arrays(args))
        with wp.Tape() as tape:
            given.launched(self.kernel, self.probe.dim, args, self.probe.block)
        for name, seeds in self.seeds.items():
            array = arrays[name]
            array.grad.assign(wp.array(seeds.astype(array.numpy().dtype), dtype=array.dtype, device="cpu"))
        tape.backward()
        gradients = {}
        for name, array in arrays.items():
            numbers = array.grad.numpy()
            gradients.update(
                {
                    leaf: numbers[leaf.rpartition(".")[2]] if numbers.dtype.names else numbers
                    for leaf in self._leaves(name, array)
                }
            )
        return np.concatenate([gradients[name].astype(np.float64).ravel() for name in self.moved])

    def wrong(self, gradient: np.ndarray, expected: np.ndarray, smooth: np.ndarray, noise: np.ndarray) -> bool:
        """Whether the gradient is not the derivative in some element where the function is smooth."""
        error = np.abs(gradient - expected)
        allowed = self.tolerance * np.maximum(np.abs(expected), 1e-3) + 10.0 * noise
        return bool(np.any(~(error <= allowed)[smooth]))
