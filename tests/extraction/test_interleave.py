"""Work side by side: order, failures, and that neighbours leave nothing in each other's text."""

from __future__ import annotations

import linecache

import pytest
import warp as wp

from warpsmith.core.errors import KernelRejected
from warpsmith.core.records.ir import KernelIR
from warpsmith.extraction import extract_ir
from warpsmith.extraction.interleave import Steps, run_alone, run_interleaved
from warpsmith.extraction.loading import FILE_NAME, extract_source_stepwise, loaded_kernel

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
    "the same names, other lines": HEAD
    + """@wp.func
def helper(x: float):
    # twice, and one more
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
    return x + x  # where the other has a product


@wp.kernel
def k(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    out[i] = helper(x[i])
""",
    "a module of its own": HEAD
    + """@wp.kernel(module="unique")
def k(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    out[i] = x[i]
""",
    "its twin, a line lower": HEAD
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
    "another struct of that name": HEAD
    + """@wp.struct
class Body:
    speed: wp.vec3


@wp.kernel
def k(body: Body, out: wp.array(dtype=float)):
    out[0] = body.speed[1]
""",
    "values found out while it is built": HEAD
    + """OFFSETS = (1.0, 2.0)


@wp.kernel
def k(out: wp.array(dtype=float)):
    for i in range(2):
        out[i] = wp.static(OFFSETS[i])
""",
    "a function of Warp that is Python": HEAD
    + """@wp.kernel
def k(q: wp.array(dtype=wp.quat), out: wp.array(dtype=wp.vec3)):
    i = wp.tid()
    out[i] = wp.quat_to_rpy(q[i])
""",
    "the same function, and no adjoint": HEAD
    + """@wp.kernel(enable_backward=False)
def k(q: wp.array(dtype=wp.quat), out: wp.array(dtype=wp.vec3)):
    i = wp.tid()
    out[i] = 2.0 * wp.quat_to_rpy(q[i])
""",
    "tiles, built once for each device": HEAD
    + """@wp.kernel
def k(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    t = wp.tile_load(x, shape=16)
    wp.tile_store(out, t + t)
""",
    "half precision, for which Warp is started": HEAD
    + """@wp.kernel
def k(x: wp.array(dtype=wp.float16)):
    x[0] = wp.float16(0.1)
""",
    "no Warp": HEAD
    + """@wp.kernel
def k(x: wp.array(dtype=float)):
    x[0] = wp.no_such_thing(x)
""",
    "no Python": "def",
}


def counted(name: str, count: int, seen: list[str]) -> Steps[str]:
    for number in range(count):
        seen.append(f"{name}{number}")
        yield
    return name * count


def test_all_take_one_step_before_any_takes_the_next() -> None:
    seen: list[str] = []
    assert run_interleaved(counted(name, count, seen) for name, count in (("a", 2), ("b", 0), ("c", 3))) == ["aa", "", "ccc"]
    assert seen == ["a0", "c0", "a1", "c1", "c2"]
    assert run_interleaved([]) == []
    assert run_alone(counted("d", 2, seen)) == "dd"


def test_a_failure_closes_the_others() -> None:
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


def alone(source: str) -> KernelIR | str:
    try:
        with loaded_kernel(source) as kernel:
            return extract_ir(kernel, "both")
    except KernelRejected as error:
        return str(error)


def together(source: str) -> Steps[KernelIR | str]:
    try:
        return (yield from extract_source_stepwise(source, "k", {}, "both", True))
    except KernelRejected as error:
        return str(error)


@pytest.fixture(params=["in order", "reversed", "twice"])
def names(request: pytest.FixtureRequest) -> list[str]:
    every = list(SOURCES)
    return {"in order": every, "reversed": every[::-1], "twice": [name for name in every for _ in range(2)]}[request.param]


def test_neighbours_leave_nothing_in_the_text(names: list[str]) -> None:
    registered = dict(wp._src.context.user_modules)
    expected = {name: alone(source) for name, source in SOURCES.items()}
    assert sum(isinstance(text, str) for text in expected.values()) == 2
    found = run_interleaved(together(SOURCES[name]) for name in names)
    for name, text in zip(names, found, strict=True):
        assert text == expected[name], name
    assert wp._src.context.user_modules == registered


def test_what_a_failure_leaves_open_is_put_back() -> None:
    registered = dict(wp._src.context.user_modules)
    work = extract_source_stepwise(SOURCES["helpers of one name"], "k", {}, "cpu", True)
    next(work)
    assert wp._src.context.user_modules == registered
    next(work)
    work.close()
    assert wp._src.context.user_modules == registered
    assert FILE_NAME not in linecache.cache
