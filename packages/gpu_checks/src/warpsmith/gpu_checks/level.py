"""Level `gpu`: a pair leaves the same results on the device as on the CPU."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import cache, partial
from pathlib import Path

from warpsmith.core.errors import WarpsmithError
from warpsmith.core.inputs.values import make_inputs
from warpsmith.core.records.jsonl import Line
from warpsmith.gpu_checks.device import VARIABLE
from warpsmith.gpu_checks.device_launches import target_of
from warpsmith.gpu_checks.device_results import Results, empty_results, from_bytes, size_of
from warpsmith.gpu_checks.driver import drive
from warpsmith.gpu_checks.driver_session import MAX_KILLS, DriverProblem, Session
from warpsmith.gpu_checks.fork_server import ForkServer
from warpsmith.gpu_checks.messages import Request
from warpsmith.gpu_checks.reference import Reference, in_double, in_reverse, measure_changes, run_on_cpu
from warpsmith.gpu_checks.worker_answers import Problem
from warpsmith.validation.confinement.machine_problems import MachineProblem
from warpsmith.validation.levels.common import is_extracted, launch_of, unsupported
from warpsmith.validation.levels.context import BatchContext
from warpsmith.validation.levels.finding import PASS, Finding, fail, inconclusive, of_machine, skipped
from warpsmith.validation.running.entry_signature import mismatch
from warpsmith.validation.running.tolerance import difference


def check(lines: Sequence[Line], context: BatchContext) -> Iterator[Finding]:
    """Run pairs on the device of the environment and on the CPU, forward and, if they have it, backward."""
    for line in lines:
        try:
            yield unsupported(line) or _check(line, context, session(context.scratch))
        except MachineProblem as problem:
            yield of_machine(str(problem))


_servers: list[ForkServer] = []


def prepare(confined: bool = True) -> None:
    """Start the server of this process, which forks drivers; call it before this process confines itself.

    Args:
        confined: whether the drivers are confined.
    """
    _servers[:] = [ForkServer.start(drive, confined)]


@cache
def session(scratch: Path) -> Session:
    """Return the session of this process with the driver of the device that the environment names."""
    if not _servers:
        prepare()
    return Session(_servers[0], os.environ.get(VARIABLE) or "cuda:0", scratch)


def prove(_: Sequence[Line]) -> Problem:
    """Return the problem of a driver that cannot use the device: the task of a worker before the first pair."""
    try:
        session(Path.cwd()).restart()
    except MachineProblem as problem:
        return {"problem": str(problem)}
    return {"problem": None}


def _check(line: Line, context: BatchContext, driver: Session) -> Finding:
    if line.pair is None or line.pair.metadata.launch is None:
        return skipped("the pair does not say how to launch it")
    target = target_of(driver.device)
    part = context.unit_part(line, target)
    if part is None:
        return skipped(f"there is no {target} code of this pair")
    launch, backward = launch_of(line)
    cpp = context.unit_part(line, "cpu")
    if cpp is not None and (problem := mismatch(launch, cpp.code, line.pair.python_source)) is not None:
        return fail(problem)
    try:
        values = make_inputs(launch, line.pair.id)
    except WarpsmithError as error:
        return fail(str(error))
    request = Request(line, part.code)
    fresh = driver.send(request)  # the driver works while this process computes what it expects
    expected = run_on_cpu(line, context, values)
    if isinstance(expected, Finding):
        driver.stop()
        return expected
    measure = partial(measure_changes, line, context, values, expected)
    reference = Reference(expected, in_double(line, context, values), measure)
    finding = judge(driver, request, fresh, empty_results(launch, values, backward), reference)
    if finding.status == "fail" and is_extracted(line):
        other = in_reverse(line, context, values)
        if other is None or compare(other, reference).status != "pass":
            return inconclusive(f"{finding.reason}, and the results depend on the order of threads on the CPU, too")
    return finding


def judge(driver: Session, request: Request, fresh: bool, like: Results, reference: Reference) -> Finding:
    """Compare the answer of the driver with the expected results.

    A pair fails only in a driver that has run nothing before it but the kernel by which it proved itself; and if the driver
    did not answer with results, another one has to prove itself afterwards.

    Args:
        driver: the session in which the request has been sent.
        request: the request, which is sent again if the pair does not pass.
        fresh: whether the pair is the first one of its driver.
        like: arrays of the types and shapes of the results.
        reference: the results on the CPU.
    """
    for _ in range(MAX_KILLS):
        try:
            finding = compare(from_bytes(driver.receive(size_of(like)), like), reference)
            if finding.status == "pass" or fresh or driver.forks:
                return finding
        except DriverProblem as problem:
            if fresh and problem.reported:
                return fail(str(problem))
            if fresh and not problem.killed:
                driver.restart()
                return fail(str(problem))
        driver.stop()
        fresh = driver.send(request)
    driver.stop()
    raise MachineProblem("the driver of the device was killed again and again")


def compare(on_device: Results, reference: Reference) -> Finding:
    """Compare the results on the device with the results on the CPU, within the rounding of this kernel."""
    for direction, kind in (("output", "outputs"), ("gradient", "gradients")):
        actual, exact = getattr(on_device, kind), getattr(reference.exact, kind)
        for name, values in getattr(reference.expected, kind).items():
            problem = difference(actual[name], values, exact.get(name), partial(reference.changes_of, kind, name))
            if problem is not None:
                return fail(f"{direction} {name}: {problem}")
    return PASS
