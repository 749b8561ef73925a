"""Guessed overloads: plausible types for generic kernels, and the kernels of the program unchanged."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import warp as wp

from warpsmith.core.errors import KernelRejected
from warpsmith.extraction import extract_pair
from warpsmith.extraction.targets.loading import loaded_kernel
from warpsmith.extraction.targets.plausible_overloads import guessed_overload

HEAD = "from typing import Any\n\nimport warp as wp\n\n\n@wp.kernel\n"

FITTING = {
    "scalars": ("x: wp.array(dtype=Any), factor: Any", "x[wp.tid()] = x[wp.tid()] * factor", [wp.float32, wp.float32]),
    "vectors": ("x: wp.array(dtype=Any), y: wp.array(dtype=float)", "y[0] = wp.length(x[0])", [wp.vec3f, None]),
    "matrices": ("x: wp.array(dtype=Any), y: wp.array(dtype=Any)", "y[0] = wp.inverse(x[0]) * y[0][0]", None),
    "a factor beside vectors": (
        "x: wp.array2d(dtype=Any), factor: Any",
        "x[0, 0] = wp.normalize(x[0, 0]) * wp.sqrt(factor)",
        [wp.vec3f, wp.float32],
    ),
    "indices": ("x: wp.array(dtype=Any), i: Any", "x[i] = x[i] + x[i]", [wp.int32, wp.int32]),
    "type variables": ("x: wp.array(dtype=wp.Float)", "x[0] = wp.sin(x[0])", [wp.float32]),
    "open sizes": ("m: wp.types.matrix(shape=(Any, Any), dtype=wp.Scalar)", "wp.printf('%f', m[0, 0])", [wp.mat33f]),
}


@pytest.mark.parametrize("name", FITTING)
def test_types_that_fit_are_found(name: str) -> None:
    arguments, body, expected = FITTING[name]
    with loaded_generic(arguments, body) as kernel:
        if expected is None:
            with pytest.raises(KernelRejected, match="no common types fit"):
                guessed_overload(kernel)
            return
        overload = guessed_overload(kernel)
        found = [getattr(annotation, "dtype", annotation) for annotation in overload.adj.arg_types.values()]
        assert [wanted or actual for wanted, actual in zip(expected, found, strict=True)] == found
        assert kernel.overloads == {}
        assert extract_pair(overload).python_source.count("wp.overload(") == 1


class loaded_generic:  # noqa: N801 - a context manager
    """Load a generic kernel ``k``, which `loaded_kernel` does not return without an overload."""

    def __init__(self, arguments: str, body: str) -> None:
        plain = "@wp.kernel\ndef other(x: wp.array(dtype=float)):\n    x[0] = 1.0\n"
        self._loaded = loaded_kernel(f"{HEAD}def k({arguments}):\n    {body}\n\n\n{plain}", "other")

    def __enter__(self) -> Any:
        return self._loaded.__enter__().func.__globals__["k"]

    def __exit__(self, *error: Any) -> None:
        self._loaded.__exit__(*error)


def test_pairs_of_guessed_overloads_say_so(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(HEAD + "def k(x: wp.array(dtype=Any)):\n    x[wp.tid()] = x[wp.tid()] + x[wp.tid()]\n")
    refused = run("extraction", path, expect=1)
    assert "use wp.overload(), or --guess-overloads" in refused.stderr
    done = run("extraction", path, "--guess-overloads")
    record = json.loads(done.stdout)
    assert record["id"] == "mine-0-mine.k[wp.array(dtype=wp.float32, ndim=1)]"
    assert record["metadata"]["origin"]["reason"] == "the types are guessed: the program declares no overload"
