"""A process that launches kernels by Warp itself, forward and, with gradients, backward; it reads and writes JSON."""

from __future__ import annotations

import hashlib
import json
import os
import sys
from typing import Any

import numpy as np
import warp as wp

from warpsmith.extraction.targets.loading import loaded_kernel


def launched(
    source: str, name: str, dim: list[int], types: list[str], inputs: dict[str, Any], gradients: Any
) -> dict[str, Any]:
    """Return the arrays and the gradients after a launch."""
    values = {key: np.asarray(value, dtype) for (key, value), dtype in zip(inputs.items(), types, strict=True)}
    arguments = [wp.array(value, device="cpu") if value.ndim else value.item() for value in values.values()]
    adjoints = [wp.array(np.asarray(gradients[key], np.float32), device="cpu") if key in gradients else None for key in values]
    # Processes share Warp's cache of compiled modules, which are found by their name.
    with loaded_kernel(
        source, name, module_name=f"launched_{os.getpid()}_{hashlib.sha256(source.encode()).hexdigest()[:8]}"
    ) as kernel:
        wp.launch(kernel, dim=dim, inputs=arguments, device="cpu")
        if gradients:
            filled = [one if one is not None or not isinstance(value, wp.array) else wp.zeros_like(value)
                      for one, value in zip(adjoints, arguments, strict=True)]  # fmt: skip
            wp.launch(
                kernel, dim=dim, inputs=arguments, adj_inputs=filled, adjoint=True, device="cpu", outputs=[], adj_outputs=[]
            )
    return {
        "output": {key: one.numpy().tolist() for key, one in zip(values, arguments, strict=True) if isinstance(one, wp.array)},
        "gradient": {key: one.numpy().tolist() for key, one in zip(values, adjoints, strict=True) if one is not None},
    }


if __name__ == "__main__":
    wp.config.quiet = True
    print(json.dumps([launched(**question) for question in json.load(sys.stdin)]))
