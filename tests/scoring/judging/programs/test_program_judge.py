"""Answers about programs: right ones score 1 in several forms, and each way of being wrong scores 0."""

from __future__ import annotations

import pytest

from spreading_program import KERNEL, STATEMENTS
from warpsmith.core.records.program_record import ProgramRecord
from warpsmith.scoring.scorer import Scorer
from warpsmith.scoring.scores import Score
from warpsmith.scoring.tasks.program_task import ProgramTask, make_program_task

RIGHT_HOST = {
    "the missing statements": STATEMENTS,
    "the function, with other names": """\
def simulate(size=12, steps=5, rate=0.2):
    rng = np.random.default_rng(SEED)
    now = wp.array(rng.uniform(size=size), dtype=float)
    after = wp.zeros(size, dtype=float)
    total = wp.zeros(1, dtype=float)
    sums = []
    step = 0
    while step < steps:
        wp.launch(kernel=spread, dim=now.size, inputs=[now, rate, after])
        after, now = now, after
        step += 1
    wp.launch(add_up, dim=now.shape, inputs=[now, total])
    sums.append(float(total.numpy()[0]))
    return now.numpy(), sums
""",
}

WRONG_HOST = {
    "wrong constant": (STATEMENTS.replace("[now, rate]", "[now, 0.21]"), "rate is 0.21"),
    "skipped launch": (STATEMENTS.replace("range(steps)", "range(steps - 1)"), "spread is launched 4 times, and 5 times"),
    "swapped buffers": (
        STATEMENTS.replace("inputs=[now, rate], outputs=[after]", "inputs=[after, rate], outputs=[now]"),
        "now is",
    ),
    "a size as a literal": (STATEMENTS.replace("dim=size", "dim=12").replace("range(steps)", "range(5)"), "other parameters"),
    "a result without launches": ("now = wp.array(np.full(size, 0.5), dtype=float)\n", "is launched 0 times"),
    "the result of a launch replaced": (f"{STATEMENTS}now.zero_()\n", "at the end, spread: after is 0.0"),
}

REFUSED_HOST = {
    "another kernel under the name": ("spread = add_up\n" + STATEMENTS, "sets 'spread'"),
    "a kernel": ("@wp.kernel\ndef other(x: wp.array(dtype=float)):\n    x[0] = 1.0\n" + STATEMENTS, "with a decorator"),
    "a changed launch": ("wp.launch = print\n" + STATEMENTS, "changes 'wp.launch'"),
    "a changed check": ("t = np.testing\nt.assert_allclose = print\n" + STATEMENTS, "changes 't.assert_allclose'"),
    "a changed array": ("now.numpy = after.numpy\n" + STATEMENTS, "changes 'now.numpy'"),
    "a forged record": ("_warpsmith_record(now=now)\n" + STATEMENTS, "uses _warpsmith_record"),
    "files": ('open("x", "w")\n' + STATEMENTS, "uses open"),
    "an import": ("import os\n" + STATEMENTS, "an import"),
    "other given statements": (RIGHT_HOST["the function, with other names"].replace("sums = []", "sums = [0.0]"), "changed"),
    "no Python": ("for", "invalid syntax"),
    "nothing": ("", "no statements"),
}

RIGHT_KERNEL = {
    "the kernel, with code that does not count": f"{KERNEL}\nwp.config.verbose = True\n",
    "another order and a function": """\
@wp.func
def between(a: float, b: float, c: float) -> float:
    return (a - b) + (c - b)

@wp.kernel
def spread(now: wp.array(dtype=float), rate: float, after: wp.array(dtype=float)):
    i = wp.tid()
    after[i] = now[i] + rate * between(now[wp.max(i - 1, 0)], now[i], now[wp.min(i + 1, now.shape[0] - 1)])
""",
}

WRONG_KERNEL = {
    "wrong constant": (KERNEL.replace("2.0", "2.01"), "after launch 1 of spread: after is"),
    "right for one size": (KERNEL.replace("now.shape[0] - 1", "11"), "other parameters"),
    "no result": (KERNEL.replace("2.0", "x"), "the program fails"),
}

REFUSED_KERNEL = {
    "other parameters": (KERNEL.replace("rate: float", "rate: int"), "has other parameters"),
    "another kernel": (KERNEL.replace("spread", "add_up"), "defines no kernel 'spread'"),
}


def _task(kind: str, record: ProgramRecord) -> ProgramTask:
    task = make_program_task(kind, record)
    assert task is not None
    return task


@pytest.fixture(scope="module")
def scores(spreading_record: ProgramRecord, real_scorer: Scorer) -> dict[tuple[str, str], Score]:
    """The scores of all answers, judged in one batch."""
    texts = {("program_host", name): text for name, text in RIGHT_HOST.items()}
    texts |= {("program_host", name): text for group in (WRONG_HOST, REFUSED_HOST) for name, (text, _) in group.items()}
    texts |= {("program_kernel", name): text for name, text in RIGHT_KERNEL.items()}
    texts |= {("program_kernel", name): text for group in (WRONG_KERNEL, REFUSED_KERNEL) for name, (text, _) in group.items()}
    found = real_scorer.score_all([(_task(kind, spreading_record), text) for (kind, _), text in texts.items()])
    return dict(zip(texts, found, strict=True))


@pytest.mark.parametrize(
    ("kind", "name"), [*(("program_host", name) for name in RIGHT_HOST), *(("program_kernel", name) for name in RIGHT_KERNEL)]
)
def test_right_answers_score_1(scores: dict[tuple[str, str], Score], kind: str, name: str) -> None:
    score = scores[kind, name]
    assert (score.reward, score.status, score.reason) == (1.0, "pass", "")


@pytest.mark.parametrize(
    ("kind", "name", "reason"),
    [
        *(("program_host", name, reason) for name, (_, reason) in (WRONG_HOST | REFUSED_HOST).items()),
        *(("program_kernel", name, reason) for name, (_, reason) in (WRONG_KERNEL | REFUSED_KERNEL).items()),
    ],
)
def test_each_way_of_being_wrong_scores_0(scores: dict[tuple[str, str], Score], kind: str, name: str, reason: str) -> None:
    score = scores[kind, name]
    assert (score.reward, score.passed, score.status) == (0.0, False, "fail")
    assert reason in score.reason


def test_refused_answers_do_not_run(scores: dict[tuple[str, str], Score]) -> None:
    assert {scores["program_host", name].level for name in REFUSED_HOST} == {""}
    assert {scores["program_kernel", name].level for name in REFUSED_KERNEL} == {""}
