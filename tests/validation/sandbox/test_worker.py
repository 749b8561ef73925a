"""A check can harm its worker, but no other pair.

The workers run `hostile_levels`: the second level misbehaves according to the category of a pair.
"""

from __future__ import annotations

import importlib
import json
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from checked_lines import verdicts_of
from processes import assert_nothing_lives, living_below
from warpsmith.core.errors import WarpsmithError
from warpsmith.core.records.jsonl import Line
from warpsmith.validation.levels.registry import Level
from warpsmith.validation.sandbox.headers import Headers
from warpsmith.validation.sandbox.supervisor import Supervisor

pytestmark = pytest.mark.usefixtures("time_limit")
linux_only = pytest.mark.skipif(sys.platform != "linux", reason="the confinement of workers requires Linux")

MODULE = "hostile_levels"

MisbehavingLine = Callable[[str, str], Line]

PASSED = ["pass", "pass", "pass"]

REASONS = {
    # behaviour of a check: part of the reason in the verdict
    "segfault": "SIGSEGV",
    "abort": "SIGABRT",
    "unnamed signal": "40",
    "loop": "more than 2 s",
    "sleep": "more than 2 s",
    "signals blocked": "more than 2 s",
    "memory": "MemoryError",
    "large file": "File too large",
    "many files": "Too many open files",
    "exit 0": "exit code 0",
    "exit 7": "exit code 7",
    "system exit": "exit code 5",
    "interrupt": "SIGINT",
    "recursion": "RecursionError",
    "exception": "ValueError: two lines",
    "close answers": "clos",
    "garbage": "nonsense",
    "half a frame": "more than 2 s",
    "half a header": "more than 2 s",
    "no verdict": "nonsense",
    "forge": "nonsense",
    "stay behind": "exit code 3",
    "damage the folder": "exit code 0",
}

ROUNDS, FAST_ROUNDS = 6, 1
"""All behaviours, in this many runs; the first ones are in the default tests."""


@linux_only
@pytest.mark.parametrize(
    "behaviours",
    [
        pytest.param(list(REASONS)[start::ROUNDS], marks=[] if start < FAST_ROUNDS else pytest.mark.exhaustive)
        for start in range(ROUNDS)
    ],
    ids=", ".join,
)
def test_only_pairs_that_misbehave_fail(hostile_levels: Any, misbehaving_line: MisbehavingLine, behaviours: list[str]) -> None:
    names = ["before", *(name for behaviour in behaviours for name in (behaviour, f"after {behaviour}"))]
    start = time.monotonic()
    with Supervisor(hostile_levels, MODULE) as supervisor:
        folder = supervisor.client.folder
        verdicts = verdicts_of(supervisor, [misbehaving_line(name, name if name in behaviours else "") for name in names])
    assert time.monotonic() - start < 40.0
    assert_nothing_lives(folder)
    assert not folder.exists()
    assert [verdict.id for verdict in verdicts] == [name for name in names for _ in range(3)]
    assert [verdict.level for verdict in verdicts] == len(names) * ["even", "odd", "last"]
    assert [verdict.status for verdict in verdicts] == PASSED + len(behaviours) * ["pass", "fail", "skipped", *PASSED]
    for number, behaviour in enumerate(behaviours):
        reason = verdicts[3 + 6 * number + 1].reason
        assert REASONS[behaviour] in reason
        assert "\n" not in reason


@linux_only
@pytest.mark.parametrize(
    ("positions", "behaviour", "reason"),
    [
        pytest.param((0,), "segfault", "SIGSEGV", marks=pytest.mark.exhaustive),
        ((4,), "exit 0", "exit code 0"),
        pytest.param((2, 6), "segfault", "SIGSEGV", marks=pytest.mark.exhaustive),
    ],
    ids=str,
)
def test_a_batch_is_halved_to_find_the_pair_that_kills_its_worker(
    hostile_levels: Any,
    misbehaving_line: MisbehavingLine,
    headers: Headers,
    positions: tuple[int, ...],
    behaviour: str,
    reason: str,
) -> None:
    """The pair is found although the client does not see at which line the worker died."""
    whole_batch_levels = importlib.import_module(MODULE).WHOLE_BATCH_LEVELS
    assert hostile_levels[0] == whole_batch_levels[0]
    lines = [misbehaving_line(str(number), behaviour if number in positions else "") for number in range(7)]
    with Supervisor(whole_batch_levels, MODULE, headers) as supervisor:
        verdicts = verdicts_of(supervisor, lines)
    assert [(verdict.id, verdict.level) for verdict in verdicts] == [
        (str(number), level) for number in range(7) for level in ("even", "odd at once", "last")
    ]
    for number in range(7):
        expected = ["pass", "fail", "skipped"] if number in positions else PASSED
        assert [verdict.status for verdict in verdicts[3 * number : 3 * number + 3]] == expected
        if number in positions:
            assert reason in verdicts[3 * number + 1].reason
            assert verdicts[3 * number + 2].reason == "odd at once failed"


@linux_only
def test_a_line_that_failed_before_is_not_blamed_for_a_dead_worker(
    hostile_levels: Any, misbehaving_line: MisbehavingLine
) -> None:
    """The first line fails level `odd`, so that the next level, where the worker dies, does not check it."""
    levels = (*hostile_levels[:2], importlib.import_module(MODULE).FATAL, hostile_levels[2])
    lines = [
        misbehaving_line("fails", "exception"),
        misbehaving_line("dies", "fatal: segfault"),
        misbehaving_line("also fails", "exception"),
        misbehaving_line("passes", ""),
    ]
    with Supervisor(levels, MODULE) as supervisor:
        verdicts = verdicts_of(supervisor, lines)
    assert [verdict.status for verdict in verdicts] == [
        *("pass", "fail", "skipped", "skipped"),
        *("pass", "pass", "fail", "skipped"),
        *("pass", "fail", "skipped", "skipped"),
        *4 * ["pass"],
    ]
    assert "SIGSEGV" in verdicts[6].reason


def compiling(levels: Sequence[Level]) -> tuple[Level, ...]:
    """Return levels of which one compiles, and so puts the texts of several pairs into one unit."""
    return tuple(replace(level, compiles=level.name == "odd") for level in levels)


@pytest.mark.sampled(1)
@linux_only
@pytest.mark.parametrize("native", ["func_native", "preamble", "directive"])
def test_pairs_with_native_code_run_in_a_separate_worker(
    hostile_levels: Any, misbehaving_line: MisbehavingLine, change_line: Any, native: str
) -> None:
    """Native code can change the text of other pairs in the same unit."""

    def add_native_code(record: dict[str, Any]) -> None:
        if native == "func_native":
            record["python_source"] += "\n# wp.func_native\n"
        elif native == "preamble":
            record["metadata"]["module_options"] = {"extra_cuda_preamble": "int x;"}
        else:
            record["cuda_ir_forward"] += "\n  #define float int\n"

    four = [misbehaving_line(name, "process id") for name in ("one", "two", "three", "four")]
    batch = [four[0], change_line(four[1], add_native_code), four[2], change_line(four[3], add_native_code)]
    with Supervisor(compiling(hostile_levels), MODULE) as supervisor:
        verdicts = verdicts_of(supervisor, batch) + verdicts_of(supervisor, [misbehaving_line("five", "process id")])
    assert [verdict.id for verdict in verdicts[::3]] == ["one", "two", "three", "four", "five"]
    assert {verdict.status for verdict in verdicts} == {"pass"}
    one, two, three, fourth, five = (verdict.reason for verdict in verdicts[1::3])
    assert len({one, two, fourth}) == 3, "each pair with native code has its own worker"
    assert one == three == five, "the other pairs share a worker"


@linux_only
@pytest.mark.parametrize("behaviour", ["chatter", "no thread ends", "write to home"])
def test_harmless_behaviour_passes(hostile_levels: Any, misbehaving_line: MisbehavingLine, behaviour: str) -> None:
    home = set(Path.home().iterdir())
    with Supervisor(hostile_levels, MODULE) as supervisor:
        folder = supervisor.client.folder
        verdicts = verdicts_of(supervisor, [misbehaving_line("one", behaviour), misbehaving_line("two", "")])
    assert [verdict.status for verdict in verdicts] == 2 * PASSED
    assert_nothing_lives(folder)
    assert not folder.exists()
    assert set(Path.home().iterdir()) == home


@linux_only
def test_a_worker_finds_no_files_of_earlier_pairs(
    hostile_levels: Any, misbehaving_line: MisbehavingLine, headers: Headers
) -> None:
    """Precompiled headers matter most, because later pairs are compiled with them."""

    def precompiled(one: Supervisor) -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in one.client.scratch.glob("*.pch")}

    whole_batch_levels = importlib.import_module(MODULE).WHOLE_BATCH_LEVELS
    assert hostile_levels[0] == whole_batch_levels[0]
    with (
        Supervisor(whole_batch_levels, MODULE, headers) as supervisor,
        Supervisor(whole_batch_levels, MODULE, headers) as another,
    ):
        for one in (supervisor, another):
            verdicts_of(one, [misbehaving_line("before", "")])
        found = precompiled(supervisor)
        verdicts_of(supervisor, [misbehaving_line("damages", "damage the folder"), misbehaving_line("after", "")])
        assert precompiled(supervisor) == found
        verdicts_of(another, [misbehaving_line("dies", "exit 0"), misbehaving_line("after", "")])
        assert precompiled(another) == found
    assert list(found) == ["headers_256.pch"]
    assert len(found["headers_256.pch"]) > 1_000_000


def test_a_worker_stays_between_requests(hostile_levels: Any, misbehaving_line: MisbehavingLine) -> None:
    with Supervisor(hostile_levels, MODULE) as supervisor:
        processes = []
        for number in range(3):
            verdicts_of(supervisor, [misbehaving_line(str(number), "report")])
            processes.append(json.loads((supervisor.client.scratch / "report.json").read_text())["process id"])
            (supervisor.client.scratch / "report.json").unlink()
    assert len(set(processes)) == 1


@linux_only
@pytest.mark.parametrize("isolated", [False, True], ids=["together", "isolated"])
def test_an_aborted_supervisor_waits_for_no_line(
    hostile_levels: Any, misbehaving_line: MisbehavingLine, change_line: Any, isolated: bool
) -> None:
    """Ctrl-C arrives in the main thread while another thread waits; these lines would take 40 seconds."""

    def add_native_code(record: dict[str, Any]) -> None:
        record["python_source"] += "\n# wp.func_native\n"

    lines = [misbehaving_line(str(number), "sleep") for number in range(20)]
    if isolated:
        lines = [change_line(line, add_native_code) for line in lines]
    levels = compiling(hostile_levels) if isolated else hostile_levels
    with Supervisor(levels, MODULE) as supervisor, ThreadPoolExecutor(1) as threads:
        future = threads.submit(supervisor.check, lines)
        deadline = time.monotonic() + 20.0
        while (busy := supervisor.isolated if isolated else supervisor) is None or not living_below(busy.client.folder):
            assert time.monotonic() < deadline
            time.sleep(0.01)
        supervisor.abort()
        with pytest.raises(WarpsmithError, match="the run was ended"):
            future.result(timeout=10.0)
        assert_nothing_lives(busy.client.folder)
