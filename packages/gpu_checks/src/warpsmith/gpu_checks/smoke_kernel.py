"""One kernel on a device, compared with NumPy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import warp as wp

from warpsmith.extraction.targets.loading import loaded_kernel

SOURCE = """import warp as wp


@wp.kernel
def saxpy(x: wp.array(dtype=float), y: wp.array(dtype=float), a: float, out: wp.array(dtype=float)):
    i = wp.tid()
    out[i] = a * x[i] + y[i]
"""


@dataclass(frozen=True, slots=True)
class SmokeResult:
    """Whether the values and the gradients that a kernel leaves on a device are right."""

    forward: bool
    backward: bool

    @property
    def passed(self) -> bool:
        """Whether both are right."""
        return self.forward and self.backward


def run_smoke_kernel(device: str) -> SmokeResult:
    """Build and launch one kernel on ``device``, forward and backward, and compare with NumPy."""
    size = 1000
    x, y = np.linspace(-1.0, 1.0, size, dtype=np.float32), np.linspace(2.0, 3.0, size, dtype=np.float32)
    with loaded_kernel(SOURCE, module_name=f"warpsmith_smoke_{device.replace(':', '_')}") as kernel:
        arrays: list[Any] = [
            wp.array(values, dtype=float, device=device, requires_grad=True) for values in (x, y, np.zeros_like(x))
        ]
        inputs = [arrays[0], arrays[1], 2.0, arrays[2]]
        wp.launch(kernel, dim=size, inputs=inputs, device=device)
        forward = np.allclose(arrays[2].numpy(), 2.0 * x + y, rtol=1e-6)
        arrays[2].grad.fill_(1.0)
        gradients = [arrays[0].grad, arrays[1].grad, 0.0, arrays[2].grad]
        wp.launch(kernel, dim=size, inputs=inputs, adj_inputs=gradients, adjoint=True, device=device)
        backward = np.allclose(arrays[0].grad.numpy(), 2.0)
    return SmokeResult(bool(forward), bool(backward))
