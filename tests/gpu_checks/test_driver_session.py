"""A session with drivers that misbehave: each costs at most its own pair, and a machine's problem blames no pair."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

import numpy as np
import pytest

from processes import children_of, is_alive
from warpsmith.core.execution import framing
from warpsmith.core.records.jsonl import Line
from warpsmith.gpu_checks import driver_session as session_module
from warpsmith.gpu_checks.device_results import Results
from warpsmith.gpu_checks.driver_session import DriverProblem, Session
from warpsmith.gpu_checks.fork_server import ForkServer
from warpsmith.gpu_checks.level import judge
from warpsmith.gpu_checks.messages import DONE, MACHINE_FAILED, PAIR_FAILED, Request
from warpsmith.gpu_checks.reference import Reference
from warpsmith.validation.confinement.machine_problems import MachineProblem
from warpsmith.validation.levels.finding import PASS, Finding

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="drivers require Linux")

RIGHT = Results({"y": np.arange(4, dtype=np.float32)}, {})
SIZE = RIGHT.outputs["y"].nbytes


def answer(stream: BinaryIO, status: int, content: bytes = b"") -> None:
    framing.send(stream, status, content)


def fake_drive(requests: int, answers: int, folder: str, device: str, confined: bool) -> None:  # noqa: ARG001
    """Behave as each line says."""
    incoming, outgoing = os.fdopen(requests, "rb"), os.fdopen(answers, "wb")
    if device == "killed at start":
        os.kill(os.getpid(), signal.SIGKILL)
    if device == "killed once":
        with contextlib.suppress(FileExistsError):
            Path(folder).with_name("killed").mkdir()
            os.kill(os.getpid(), signal.SIGKILL)
    if device == "broken":
        answer(outgoing, MACHINE_FAILED, b"no device")
        os._exit(0)
    Path(folder, "left behind").write_text("")
    answer(outgoing, DONE)
    number = 0
    while (frame := framing.receive(incoming)) is not None:
        number += 1
        behaviour = frame[1].decode()
        if behaviour == "wrong unless first" and number > 1:
            answer(outgoing, DONE, np.zeros(4, np.float32).tobytes())
        elif behaviour == "problem unless first" and number > 1:
            answer(outgoing, PAIR_FAILED, b"it does not build")
        elif behaviour in BEHAVIOURS:
            BEHAVIOURS[behaviour](outgoing)
        else:
            answer(outgoing, DONE, RIGHT.outputs["y"].tobytes())


BEHAVIOURS: dict[str, Callable[[BinaryIO], object]] = {
    "wrong": lambda stream: answer(stream, DONE, np.zeros(4, np.float32).tobytes()),
    "segfault": lambda _: os.kill(os.getpid(), signal.SIGSEGV),
    "killed": lambda _: os.kill(os.getpid(), signal.SIGKILL),
    "exit": lambda _: os._exit(0),
    "sleep": lambda _: time.sleep(600),
    "short": lambda stream: answer(stream, DONE, b"1234"),
    "long": lambda stream: answer(stream, DONE, b"1" * (SIZE + 1)),
    "endless": lambda stream: (stream.write(framing.HEADER.pack(1, 1 << 60) + b"1"), stream.flush()),
    "half": lambda stream: (stream.write(framing.HEADER.pack(1, SIZE)[:4]), stream.flush(), os._exit(0)),
    "nonsense": lambda stream: (stream.write(framing.HEADER.pack(2, 0) + b"[]"), stream.flush()),
    "no JSON": lambda stream: (stream.write(framing.HEADER.pack(2, 0) + b"{]"), stream.flush()),
    "problem": lambda stream: answer(stream, PAIR_FAILED, b"it does\n\x1b[2J not build"),
    "machine": lambda stream: answer(stream, MACHINE_FAILED, b"the disk is full"),
}


def request(behaviour: str) -> Request:
    return Request(Line(Path("pairs.jsonl"), 1, behaviour.encode(), None, None))


@pytest.fixture
def driver(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Session]:
    monkeypatch.setattr(session_module, "PAIR_SECONDS", 0.5)
    session = Session(ForkServer.start(fake_drive), "any", tmp_path)
    yield session
    session.stop()
    session.server.control.close()


def judged(driver: Session, behaviour: str) -> Finding:
    return judge(driver, request(behaviour), driver.send(request(behaviour)), RIGHT, Reference(RIGHT))


def test_results_are_compared(driver: Session) -> None:
    assert [judged(driver, behaviour).status for behaviour in ("right", "wrong", "right")] == ["pass", "fail", "pass"]


@pytest.mark.parametrize(
    ("behaviour", "reason"),
    [
        ("segfault", "the driver died of SIGSEGV"),
        ("exit", "the driver ended itself with exit code 0"),
        ("half", "the driver ended itself with exit code 0"),
        ("sleep", "it took too long"),
        ("short", "the driver answered nonsense"),
        ("long", "the driver answered nonsense"),
        ("endless", "the driver answered nonsense"),
        ("nonsense", "the driver answered nonsense"),
        ("no JSON", "the driver answered nonsense"),
        ("problem", "it does [2J not build"),
    ],
)
def test_a_driver_that_fails_costs_only_its_pair(driver: Session, behaviour: str, reason: str) -> None:
    assert judged(driver, "right") == PASS
    assert judged(driver, behaviour) == Finding("fail", reason)
    assert judged(driver, "right") == PASS


def test_a_pair_fails_only_in_a_fresh_driver(driver: Session) -> None:
    for behaviour in ("wrong unless first", "problem unless first"):
        assert judged(driver, "right") == PASS
        assert judged(driver, behaviour) == PASS


def test_a_driver_that_forks_launches_is_replaced_only_for_texts_that_do_not_build(driver: Session) -> None:
    driver.device = "cpu"
    assert judged(driver, "right") == PASS
    assert judged(driver, "wrong unless first").status == "fail"
    assert driver.pairs == 2
    assert judged(driver, "problem") == Finding("fail", "it does [2J not build")
    assert driver.pairs == 1


def test_a_driver_that_is_killed_blames_no_pair(driver: Session) -> None:
    with pytest.raises(MachineProblem, match="killed again and again"):
        judged(driver, "killed")
    assert judged(driver, "right") == PASS


def test_problems_of_the_machine_blame_no_pair(driver: Session) -> None:
    with pytest.raises(MachineProblem, match="the disk is full"):
        judged(driver, "machine")
    assert judged(driver, "right") == PASS
    driver.stop()
    driver.device = "broken"
    with pytest.raises(MachineProblem, match="no device"):
        driver.send(request("right"))


def test_a_driver_that_is_killed_while_it_starts_is_started_again(driver: Session) -> None:
    driver.device = "killed once"
    assert judged(driver, "right") == PASS
    driver.stop()
    driver.device = "killed at start"
    with pytest.raises(MachineProblem, match="cannot be used in the sandbox: the driver died of SIGKILL"):
        driver.restart()


def test_drivers_are_replaced_and_leave_nothing(driver: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_module, "PAIRS", 2)
    fresh = []
    for _ in range(5):
        fresh.append(driver.send(request("right")))
        driver.receive(SIZE)
    assert fresh == [True, False, True, False, True]
    assert len(list(tmp_path.iterdir())) == 1
    driver.stop()
    assert list(tmp_path.iterdir()) == []


def test_drivers_end_with_their_worker(tmp_path: Path) -> None:
    reader, writer = os.pipe()
    worker = os.fork()
    if worker == 0:
        session = Session(ForkServer.start(fake_drive), "any", tmp_path)
        session.restart()
        (server,) = children_of({os.getpid()})
        os.write(writer, json.dumps([server, *children_of({server})]).encode())
        os._exit(0)
    os.waitpid(worker, 0)
    processes = json.loads(os.read(reader, 1000))
    assert len(processes) == 2
    deadline = time.monotonic() + 10.0
    while any(map(is_alive, processes)) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not any(map(is_alive, processes))


def test_receiving_without_results(driver: Session) -> None:
    driver.send(request("problem"))
    with pytest.raises(DriverProblem) as raised:
        driver.receive(SIZE)
    assert not raised.value.killed
