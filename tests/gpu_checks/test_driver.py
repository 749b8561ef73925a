"""Drivers build and launch on the CPU what they receive, hostile machine code included; each request stands alone."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from warpsmith.core.inputs.values import make_inputs
from warpsmith.core.records.ir import Code
from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.launch import Argument, Domain, Launch
from warpsmith.gpu_checks.device_results import Results, empty_results, from_bytes, size_of
from warpsmith.gpu_checks.driver import drive
from warpsmith.gpu_checks.driver_session import DriverProblem, Session
from warpsmith.gpu_checks.fork_server import ForkServer
from warpsmith.gpu_checks.messages import TIMES, Request

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="drivers require Linux")

NATIVE = '''import warp as wp

snippet = """
    {statements}
    return x;
    """


@wp.func_native(snippet)
def deed(x: float) -> float: ...


@wp.kernel
def hostile(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = deed(x[i])
'''

DOUBLE = NATIVE.format(statements="x = 2.0f * x;")

X = Argument(
    name="x", kind="array", dtype="float32", role="inout", shape=(8,), domain=Domain(kind="uniform", low=0.0, high=1.0)
)
LAUNCH = Launch(dim=(8,), args=(X,))


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    session = Session(ForkServer.start(drive), "cpu", tmp_path_factory.mktemp("scratch"))
    yield session
    session.stop()
    session.server.control.close()


def results(driver: Session, request: Request) -> Results:
    assert request.line.pair is not None
    like = empty_results(LAUNCH, make_inputs(LAUNCH, request.line.pair.id), backward=True)
    driver.send(request)
    return from_bytes(driver.receive(size_of(like)), like)


def assert_doubled(driver: Session, line: Line) -> None:
    assert line.pair is not None
    before = make_inputs(LAUNCH, line.pair.id)["x"]
    np.testing.assert_array_equal(results(driver, Request(line)).outputs["x"], 2.0 * before)


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("statements", "reason"),
    [
        ("*(volatile int*)0 = 1;", "SIGSEGV|SIGSYS"),  # the handler of pytest makes system calls
        pytest.param('int run(const char*) asm("system"); run("touch {marker}");', "SIGSYS", marks=pytest.mark.exhaustive),
        pytest.param(
            'int make(const char*, int) asm("creat"); make("{marker}", 0600);', "SIGSYS", marks=pytest.mark.exhaustive
        ),
        pytest.param(
            'int leave(int) asm("_exit"); leave(0);', "it ended itself with exit code 0", marks=pytest.mark.exhaustive
        ),
        pytest.param(
            'int end(int, int) asm("kill"); int parent() asm("getppid"); end(parent(), 9);',
            "SIGSYS",
            marks=pytest.mark.exhaustive,
        ),
        pytest.param("!", "it does not build: ", marks=pytest.mark.exhaustive),
    ],
)
def test_hostile_code_costs_only_its_pair(
    driver: Session, make_line: Callable[..., Line], tmp_path: Path, statements: str, reason: str
) -> None:
    marker = tmp_path / "marker"
    hostile = make_line(NATIVE.format(statements=statements.replace("{marker}", str(marker))), LAUNCH, identity="hostile")
    right = make_line(DOUBLE, LAUNCH, identity="right")
    with pytest.raises(DriverProblem, match=reason):
        results(driver, Request(hostile))
    assert not marker.exists()
    assert_doubled(driver, right)


def test_options_of_a_pair_cannot_reach_the_compiler(driver: Session, make_line: Callable[..., Line], tmp_path: Path) -> None:
    (tmp_path / "secret.h").write_text("#error secret")
    options: dict[str, Any] = {"cpu_compiler_flags": f"-include {tmp_path / 'secret.h'}"}
    assert_doubled(driver, make_line(DOUBLE, LAUNCH, identity="options", options=options))


@pytest.mark.exhaustive
def test_another_text_than_the_one_in_the_record(driver: Session, make_line: Callable[..., Line]) -> None:
    line = make_line(DOUBLE, LAUNCH, identity="other")
    other = make_line(NATIVE.format(statements="x = 0.0f;"), LAUNCH).pair
    assert other is not None
    forward, backward = other.code("cpu")
    assert forward is not None
    assert not results(driver, Request(line, Code("hostile", forward, backward))).outputs["x"].any()


@pytest.mark.exhaustive
def test_times(driver: Session, make_line: Callable[..., Line]) -> None:
    driver.send(Request(make_line(DOUBLE, LAUNCH), launches=5))
    build, run = TIMES.unpack(driver.receive(TIMES.size))
    assert build > run > 0.0
