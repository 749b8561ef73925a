"""The references of a function determine the hash in the names of compiled files: acceleration does not change the hash."""

from __future__ import annotations

from typing import Any

import pytest
import warp as wp

from extraction.accelerate.named_kernel import NAMED
from warpsmith.extraction import accelerate
from warpsmith.extraction.accelerate import accelerated
from warpsmith.extraction.targets.loading import loaded_kernel
from warpsmith.extraction.warp.private import PRIVATE
from warpsmith.synthesis.kernel_key import KernelKey
from warpsmith.synthesis.writing.catalogue.categories import CORE, all_categories, core_categories
from warpsmith.synthesis.writing.generate import write_kernel

if (reason := accelerate.unsupported_reason()) is not None:
    pytest.skip(f"Warp {wp.__version__} is not accelerated: {reason}", allow_module_level=True)

REFERRING = """import warp as wp

FACTOR, LIMIT = 2.5, wp.constant(wp.vec3(1.0, 2.0, 3.0))


class Near:
    factor = 1.5


class Far:
    factor = 4.5


@wp.func
def double(x: float):
    return x * FACTOR


@wp.func
def apply(f: wp.Function, x: float):
    return f(x)


@wp.func
def slope(x: float):
    return wp.grad(double)(x)


@wp.kernel
def refer(x: wp.array3d(dtype=float), y: wp.array3d(dtype=float)):
    {coordinates}
    if k < 2:
        f, g = double, wp.cos
        h = double
        y[i, j, k] = {value}
    else:
        y[i, j, k] = x[i, j, k] * LIMIT[0] + float(wp.vec3h(wp.float16(1.0))[0])
"""


def module_hash(source: str, name: str | None = None, **options: Any) -> tuple[bytes, int]:
    """Return the hash in the name of the compiled file, and the number of dimensions of the grid."""
    with loaded_kernel(source, name, options) as kernel:
        resolved = kernel.module.resolve_options(wp.config)
        return PRIVATE["context"].ModuleHasher([kernel], resolved).hash, kernel.adj.kernel_dim


@pytest.mark.parametrize(
    "coordinates", ["i, j, k = wp.tid()", "t = wp.tid\n    i, j, k = t()", "i, j = wp.tid()\n    k = 1", "i = j = k = wp.tid()"]
)
@pytest.mark.parametrize(
    "value",
    [
        "apply(double, x[i, j, k])",
        "apply(slope, x[i, j, k])",
        "f(x[i, j, k]) + g(1.0)",
        "h(1.0)",
        "slope(x[i, j, k])",
        "Near.factor * Far.factor",
    ],
)
def test_hashes_are_the_same(coordinates: str, value: str) -> None:
    source = REFERRING.format(coordinates=coordinates, value=value)
    expected = [module_hash(each) for each in (source, NAMED)]
    assert expected != [module_hash(each.replace("2.5", "3.5")) for each in (source, NAMED)], "constants are not hashed"
    with accelerated():
        assert [module_hash(each) for each in (source, NAMED)] == expected


def test_hashes_of_each_category_are_the_same() -> None:
    samples = [
        write_kernel(KernelKey(31, 0, category=category.name)) for category in all_categories() if category.group != CORE
    ]
    samples += [write_kernel(KernelKey(31, index)) for index in range(len(core_categories()))]
    expected = [module_hash(sample.source, sample.kernel_name, **dict(sample.options)) for sample in samples]
    with accelerated():
        for sample, known in zip(samples, expected, strict=True):
            assert module_hash(sample.source, sample.kernel_name, **dict(sample.options)) == known, sample.id
