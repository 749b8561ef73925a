"""The process that runs an answer: what hostile code finds and reaches there, with the policy out of the way."""

from __future__ import annotations

import base64
import platform
import re
import sys
from collections.abc import Iterator

import numpy as np
import pytest

from scoring.judging.intruders import floats, kernel, scanner, writable_ranges
from shift_pair import make_pair
from warpsmith.core.records import text_format
from warpsmith.scoring.judging.judge_client import ask, text_to_run
from warpsmith.scoring.judging.trials import Trial, trials
from warpsmith.scoring.judging.wire import from_trial, to_outputs
from warpsmith.scoring.judging.worker_messages import RUN, Launched, Run
from warpsmith.scoring.scorer import WORKERS
from warpsmith.scoring.tasks.task import Task, make_task
from warpsmith.validation.sandbox.supervisor import Supervisor

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or platform.machine() != "x86_64", reason="the hostile code requires Linux on x86_64"
)

SEED = "a-seed-that-nobody-guesses"


@pytest.fixture(scope="module")
def worker() -> Iterator[Supervisor]:
    with Supervisor((), WORKERS[False], compiles=True) as supervisor:
        yield supervisor


@pytest.fixture(scope="module")
def task() -> Task:
    task = make_task("python_to_cuda", make_pair())
    assert task is not None
    return task


@pytest.fixture(scope="module")
def secret(task: Task) -> Trial:
    """Return the secret launch with the most threads."""
    secret = [trial for trial in trials(task.pair, SEED) if trial.name.startswith("secret")]
    return max(secret, key=lambda trial: trial.values["y"].size)


@pytest.fixture(scope="module")
def public(task: Task) -> Trial:
    return next(one for one in trials(task.pair, SEED) if one.name == "public 1")


def parameters(task: Task) -> str:
    (found,) = text_format.CUDA_PARAMETERS["forward"].findall(task.pair.cuda_ir_forward or "")
    return str(found)


def answers(worker: Supervisor, task: Task, trial: Trial, texts: list[str]) -> list[Run]:
    """Return what the only launch of texts left that no policy has read."""
    answered = ask(worker, RUN, [text_to_run(task, text, [0]) for text in texts], trials=[from_trial(trial, (0,))])
    assert all(isinstance(answer, Launched) for answer in answered)
    return [answer.runs[0][0] for answer in answered if isinstance(answer, Launched)]


def test_no_process_holds_the_seed_or_a_result_of_another_answer(
    worker: Supervisor, task: Task, secret: Trial, public: Trial
) -> None:
    honest = task.pair.cuda_ir_forward or ""
    (first,) = answers(worker, task, secret, [honest])
    encoded = first.outputs
    assert encoded is not None
    expected = to_outputs(encoded, secret, backward=False)
    x, y = secret.values["x"], expected.arrays["y"]
    assert y[100] != y[101]
    raw = b"".join(expected.arrays[name].tobytes() for name in sorted(expected.arrays))
    position = (raw.index(floats(y[100], y[101])) // 3 + 1) * 4
    needles = {
        "an input": floats(x[100], x[101]),
        "a result": floats(y[100], y[101]),
        "a result as text": encoded[position : position + 8].encode(),
        "the seed": SEED[5:13].encode(),
        "the name of the trial": secret.name.encode(),
    }
    assert base64.b64decode(needles["a result as text"]) in raw
    worker.client.stop()  # a fresh worker: the request above has left its answer in the memory of the last one
    answers(worker, task, public, [kernel(parameters(task), "")])
    assert worker.client.process is not None
    intruder = scanner(parameters(task), list(needles.values()), writable_ranges(worker.client.process.pid))
    _, _, last = answers(worker, task, secret, [honest, honest, intruder])
    counts = to_outputs(last.outputs, secret, backward=False).arrays["y"]
    found = dict(zip((*needles, "pages"), counts.tolist(), strict=False))
    assert found["pages"] > 10_000
    assert found["an input"] >= 1
    assert {name: count for name, count in found.items() if name not in ("pages", "an input")} == {
        "a result": 0, "a result as text": 0, "the seed": 0, "the name of the trial": 0,
    }  # fmt: skip


CALLS = {
    # what hostile code does, and the problem that its launch reports; none if the call fails without an effect
    "ends with success": ("call_0(231, 0);", "it ended itself with exit code 0"),
    "ends the thread": ("call_0(60, 0);", "it ended itself with exit code 0"),
    "forks": ("call_0(57);", "SIGSYS"),
    "clones": ("call_0(56, 17);", "SIGSYS"),
    "traces the worker": ("call_0(101, 16, call_0(110));", "SIGSYS"),
    "kills the worker": ("call_0(62, -1, 9);", "SIGSYS"),
    "opens a file": ('call_0(2, (long)"/proc/self/maps", 0);', "SIGSYS"),
    "opens a file in a folder": ('call_0(257, -100, (long)"/etc/passwd", 0);', "SIGSYS"),
    "runs a program": ('call_0(59, (long)"/bin/true");', "SIGSYS"),
    "opens a socket": ("call_0(41, 1, 1);", "SIGSYS"),
    "reads the worker": ("call_0(310, call_0(39));", "SIGSYS"),
    "jumps to zero": ("((void (*)())0)();", "SIGSEGV"),
    "takes all memory": ("for (;;) { long* p = (long*)call_0(9, 0, 1 << 28, 3, 34, -1, 0); *p = 1; }", "SIGSEGV"),
}


@pytest.mark.parametrize("name", CALLS)
def test_calls_of_the_system_fail(worker: Supervisor, task: Task, secret: Trial, name: str) -> None:
    statement, problem = CALLS[name]
    found, after = answers(worker, task, secret, [kernel(parameters(task), statement), task.pair.cuda_ir_forward or ""])
    assert found.problem is not None
    assert problem in found.problem
    assert after.outputs is not None


def test_only_the_pipe_for_messages_is_open_and_a_forged_answer_in_it_is_ignored(
    worker: Supervisor, task: Task, secret: Trial
) -> None:
    """The intruder writes what a worker would answer to every descriptor, and notes where that worked."""
    forged = r"\n{\"texts\": [{\"runs\": [[{\"outputs\": \"AAAA\"}]]}]}\n"
    statement = (
        f'for (int n = 0; n < 256; ++n) var_y.data[n] = call_0(1, n, (long)"{forged}", {len(forged) - 6}) > 0 ? 2.0f : 3.0f;'
    )
    (found,) = answers(worker, task, secret, [kernel(parameters(task), statement)])
    written = to_outputs(found.outputs, secret, backward=False).arrays["y"]
    assert np.flatnonzero(written[:256] == 2.0).tolist() == [1, 2]
    assert (written[:256] == 3.0).sum() == 254
    assert re.fullmatch("[A-Za-z0-9+/=]+", found.outputs or "")
