"""Interleaved work: order, failures, and kernels that do not influence each other's text."""

from __future__ import annotations

import linecache

import pytest
import warp as wp

from warpsmith.core.errors import KernelRejected
from warpsmith.core.records.ir import KernelIR
from warpsmith.extraction import extract_ir
from warpsmith.extraction.targets.loading import FILE_NAME, extract_source_stepwise, loaded_kernel
from warpsmith.extraction.warp.interleave import Steps, run_alone, run_interleaved

HEAD = "import warp as wp\n\n\n"
SOURCES = {
    "helpers of one name": HEAD
    + """@wp.func
def helper(x: float):
    return 2.0 * x


@wp.kernel
def k(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    out[i] = helper(x[i])
""",
    "the same names in other lines": HEAD
    + """@wp.func
def helper(x: float):
    # twice, plus one
    return 2.0 * x + 1.0


@wp.kernel
def k(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    out[i] = helper(helper(x[i]))
""",
    "a generic helper": HEAD
    + """from typing import Any


@wp.func
def helper(x: Any):
    return x * x


@wp.kernel
def k(x: wp.array(dtype=wp.vec3), out: wp.array(dtype=float)):
    i = wp.tid()
    out[i] = helper(x[i][0]) + helper(float(i))
""",
    "another generic helper": HEAD
    + """from typing import Any


@wp.func
def helper(x: Any):
    return x + x  # a product in the other kernel


@wp.kernel
def k(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    out[i] = helper(x[i])
""",
    "a module of one kernel": HEAD
    + """@wp.kernel(module="unique")
def k(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    out[i] = x[i]
""",
    "the same kernel one line lower": HEAD
    + """
@wp.kernel(module="unique")
def k(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    out[i] = x[i]
""",
    "a struct": HEAD
    + """@wp.struct
class Body:
    mass: float


@wp.kernel
def k(body: Body, out: wp.array(dtype=float)):
    out[0] = body.mass
""",
    "another struct of the same name": HEAD
    + """@wp.struct
class Body:
    speed: wp.vec3


@wp.kernel
def k(body: Body, out: wp.array(dtype=float)):
    out[0] = body.speed[1]
""",
    "static values": HEAD
    + """OFFSETS = (1.0, 2.0)


@wp.kernel
def k(out: wp.array(dtype=float)):
    for i in range(2):
        out[i] = wp.static(OFFSETS[i])
""",
    "a builtin that is a Python function": HEAD
    + """@wp.kernel
def k(q: wp.array(dtype=wp.quat), out: wp.array(dtype=wp.vec3)):
    i = wp.tid()
    out[i] = wp.quat_to_rpy(q[i])
""",
    "the same builtin without an adjoint": HEAD
    + """@wp.kernel(enable_backward=False)
def k(q: wp.array(dtype=wp.quat), out: wp.array(dtype=wp.vec3)):
    i = wp.tid()
    out[i] = 2.0 * wp.quat_to_rpy(q[i])
""",
    "tiles, built once per target": HEAD
    + """@wp.kernel
def k(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    t = wp.tile_load(x, shape=16)
    wp.tile_store(out, t + t)
""",
    "half precision, which starts the runtime": HEAD
    + """@wp.kernel
def k(x: wp.array(dtype=wp.float16)):
    x[0] = wp.float16(0.1)
""",
    "an unknown builtin": HEAD
    + """@wp.kernel
def k(x: wp.array(dtype=float)):
    x[0] = wp.no_such_thing(x)
""",
    "a syntax error": "def",
}


def counted(name: str, count: int, seen: list[str]) -> Steps[str]:
    for number in range(count):
        seen.append(f"{name}{number}")
        yield
    return name * count


def test_all_works_do_one_step_before_any_does_the_next() -> None:
    seen: list[str] = []
    assert run_interleaved(counted(name, count, seen) for name, count in (("a", 2), ("b", 0), ("c", 3))) == ["aa", "", "ccc"]
    assert seen == ["a0", "c0", "a1", "c1", "c2"]
    assert run_interleaved([]) == []
    assert run_alone(counted("d", 2, seen)) == "dd"


def test_a_failure_closes_all_other_works() -> None:
    closed: list[str] = []

    def fails() -> Steps[str]:
        yield
        raise OSError("full")

    def waits() -> Steps[str]:
        try:
            yield from counted("w", 9, [])
        finally:
            closed.append("w")
        return "never"

    with pytest.raises(OSError, match="full"):
        run_interleaved([waits(), fails(), waits()])
    assert closed == ["w", "w"]


def extract_alone(source: str) -> KernelIR | str:
    try:
        with loaded_kernel(source) as kernel:
            return extract_ir(kernel, "both")
    except KernelRejected as error:
        return str(error)


def extract_interleaved(source: str) -> Steps[KernelIR | str]:
    try:
        return (yield from extract_source_stepwise(source, "k", {}, "both", True))
    except KernelRejected as error:
        return str(error)


@pytest.fixture(params=["in order", "reversed", "twice"])
def names(request: pytest.FixtureRequest) -> list[str]:
    every = list(SOURCES)
    return {"in order": every, "reversed": every[::-1], "twice": [name for name in every for _ in range(2)]}[request.param]


def test_the_text_does_not_depend_on_interleaved_kernels(names: list[str]) -> None:
    registered = dict(wp._src.context.user_modules)
    expected = {name: extract_alone(source) for name, source in SOURCES.items()}
    assert sum(isinstance(text, str) for text in expected.values()) == 2
    texts = run_interleaved(extract_interleaved(SOURCES[name]) for name in names)
    for name, text in zip(names, texts, strict=True):
        assert text == expected[name], name
    assert wp._src.context.user_modules == registered


def test_closed_work_restores_the_registry() -> None:
    registered = dict(wp._src.context.user_modules)
    work = extract_source_stepwise(SOURCES["helpers of one name"], "k", {}, "cpu", True)
    next(work)
    assert wp._src.context.user_modules == registered
    next(work)
    work.close()
    assert wp._src.context.user_modules == registered
    assert FILE_NAME not in linecache.cache
